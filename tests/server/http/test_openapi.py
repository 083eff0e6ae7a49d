"""The OpenAPI document describes every route: its errors, its authentication and its scope."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from msgspec import Struct

import tavola.server.http
from tavola.server.errors import STATUSES
from tavola.server.http.authentication import SCOPE
from tavola.server.http.openapi import RECEIVES, SENDS
from tavola.server.outbox.webhook import WebhookMessage
from tavola.server.schema import pairing, responses, watch
from tavola.server.schema.responses import ErrorResponse
from tests.server.live_server import Json, LiveServer, error_of

DOCS = Path(__file__).parents[3] / "docs"

PARAMETER = r"(?:{\w+}|[A-Z]+)"
"""The pattern of a parameter in a path of the documentation."""

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


def sockets() -> list[WebsocketRouteHandler]:
    return [
        handler
        for module in MODULES
        for handler in getattr(module, "ROUTES", ())
        if isinstance(handler, WebsocketRouteHandler)
    ]


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
        assert operation["summary"].endswith("."), path
        statuses = {str(status) for status in STATUSES.values()}
        assert statuses <= set(operation["responses"]), path
        success = [status for status in operation["responses"] if status.startswith(("2", "3"))]
        assert success, path
        scope = handler.opt.get(SCOPE)
        named = [one["token"] for one in operation["security"] if "token" in one]
        assert named == ([] if scope is None else [[scope]]), path


def test_no_route_is_left_out(document: Json) -> None:
    paths = {
        _template(path)
        for module in MODULES
        for handler in vars(module).values()
        if isinstance(handler, HTTPRouteHandler)
        for path in handler.paths
    }
    hidden = {path for path in paths - set(document["paths"]) if path.startswith("/api/")}
    # Clients from before 0.3.0 use it.
    assert hidden == {"/api/matches/{match}/plan"}


def test_the_reference_names_every_route(document: Json) -> None:
    pages = (*DOCS.glob("reference/*.md"), DOCS / "how-to/share-a-game.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for path, item in document["paths"].items():
        parts = [PARAMETER if part.startswith("{") else re.escape(part) for part in path.split("/")]
        # A page names a route of the section by its end, and a file by its name.
        ends = [parts[place:] for place in range(2, len(parts))]
        named = ["/".join(parts)]
        named += [rf"\.\.\./{'/'.join(end)}" for end in ends if end != [PARAMETER]]
        if "." in path:
            named.append(f"`{parts[-1]}")
        for method in item:
            asked = "(?<!POST )(?<!DELETE )" if method == "get" else f"{method.upper()} "
            assert re.search(rf"{asked}(?:{'|'.join(named)})(?![\w/.-])", text), (method, path)


def test_the_reference_lists_the_routes_of_each_scope() -> None:
    text = (DOCS / "reference/accounts.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    for _, path, handler in handlers():
        if (scope := handler.opt.get(SCOPE)) not in (None, "read"):
            name = [part for part in path.split("/") if not part.startswith("{")][-1]
            assert name in rows[scope], (scope, path)


def test_an_error_has_the_codes_of_its_status(document: Json) -> None:
    listed = {
        code: int(status)
        for status, answer in document["components"]["responses"].items()
        for code in answer["content"]["application/json"]["schema"]["properties"]["code"]["enum"]
    }
    assert listed == STATUSES


def test_a_route_that_needs_an_account_says_so(server: LiveServer, document: Json) -> None:
    needing = [
        (method, path)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        # The body of a request is read first.
        if {} not in operation["security"] and "requestBody" not in operation
    ]
    assert {method for method, _ in needing} == {"get", "post", "delete"}
    for method, path in needing:
        answer = server.http.request(method, re.sub(r"{\w+}", "1", path))
        assert error_of(answer) == (401, "signed-out"), (method, path)
    free = server.http.get("/api/account")
    assert free.json()["account"] is None


def test_sockets_are_described_with_all_their_messages(document: Json) -> None:
    found = {
        path: item["get"]
        for path, item in document["paths"].items()
        if "101" in item.get("get", {"responses": ()})["responses"]
    }
    assert set(found) == {_template(path) for handler in sockets() for path in handler.paths}
    for path, socket in found.items():
        names = [one["name"] for one in socket["parameters"]]
        assert all(f"{{{name}}}" in path for name in names)
        assert path.count("{") == len(names)
    # The operations alone: a message is described if a socket refers to it.
    described = set(references(list(found.values())))
    for module in (responses, watch, pairing):
        for name, kind in vars(module).items():
            if isinstance(kind, type) and issubclass(kind, Struct) and _is_message(kind):
                assert f"#/components/schemas/{name}" in described, name


def _is_message(kind: type[Struct]) -> bool:
    return kind.__struct_config__.tag_field == "type"


def test_types_of_one_name_are_one(document: Json) -> None:
    """The types of routes and those of messages come from two libraries."""
    kinds = [ErrorResponse, WebhookMessage]
    for handler in sockets():
        kinds += [handler.opt[kind] for kind in (SENDS, RECEIVES) if kind in handler.opt]
    _, known = msgspec.json.schema_components(kinds)
    described = document["components"]["schemas"]
    for name, component in known.items():
        fields = described[name].get("properties", {})
        assert set(fields) == set(component.get("properties", {})), name


def test_the_webhook_is_described(document: Json) -> None:
    request = document["webhooks"]["notification"]["post"]
    assert [one["name"] for one in request["parameters"]] == ["Tavola-Event", "Tavola-Signature"]
    schema = request["requestBody"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/WebhookMessage"}
    fields = document["components"]["schemas"]["WebhookMessage"]["properties"]
    assert {"id", "kind", "match", "url", "text", "content"} <= set(fields)


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
