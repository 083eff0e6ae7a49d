"""The OpenAPI document describes every route: its errors, its authentication and its scope."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.handlers import HTTPRouteHandler

import tavola.server.http
from tavola.server.http.authentication import SCOPE
from tavola.server.schema.errors import STATUSES
from tests.server.live_server import Json, LiveServer

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.iter_modules(tavola.server.http.__path__, "tavola.server.http.")
]


@pytest.fixture(scope="module")
def document(server: LiveServer) -> Json:
    found: Json = server.http.get("/api/schema/openapi.json").json()
    return found


def handlers() -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    """Yield the method, the path and the handler of every described route."""
    for module in MODULES:
        for handler in getattr(module, "ROUTES", ()):
            if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema is not False:
                for path in handler.paths:
                    for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                        yield method.lower(), _template(path), handler


def _template(path: str) -> str:
    """Return a path as OpenAPI writes it: parameters without types."""
    parts = (
        f"{part.split(':')[0]}}}" if part.startswith("{") else part for part in path.split("/")
    )
    return "/".join(parts)


def test_every_route_is_described(document: Json) -> None:
    found = list(handlers())
    assert len(found) > 60
    for method, path, handler in found:
        operation = document["paths"][path][method]
        assert operation["summary"], path
        statuses = {str(status) for status in STATUSES.values()}
        assert statuses <= set(operation["responses"]), path
        success = [status for status in operation["responses"] if status.startswith(("2", "3"))]
        assert success, path
        scope = handler.opt.get(SCOPE)
        named = [one["token"] for one in operation["security"] if "token" in one]
        assert named == ([] if scope is None else [[scope]]), path


def test_every_scheme_and_every_reference_exists(document: Json) -> None:
    schemes = document["components"]["securitySchemes"]
    assert set(schemes) == {"token", "session", "cookie", "seats"}
    for reference in references(document):
        place: Any = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part.replace("~1", "/").replace("~0", "~")]


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for one in value.values():
            yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def test_streams_are_lines_of_json(document: Json) -> None:
    for path in ("/api/matches/{match}/stream", "/api/account/stream"):
        content = document["paths"][path]["get"]["responses"]["200"]["content"]
        assert list(content) == ["application/x-ndjson"]
