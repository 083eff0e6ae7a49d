"""The HTTP interface as OpenAPI 3.1: every answer and every error with its type."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.status_codes import HTTP_204_NO_CONTENT

import tavola
from tavola.server.http.authentication import COOKIE, SCOPE
from tavola.server.schema.errors import STATUSES
from tavola.server.schema.responses import ErrorResponse

PATH = "/api/schema"

_STATUSES = sorted(set(STATUSES.values()))


def describe(handlers: Iterable[Any]) -> None:
    """Add to every route its errors, all in one form, and its authentication."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema is not False:
            answers = {
                status: ResponseSpec(ErrorResponse, generate_examples=False, description="Refused")
                for status in _STATUSES
            }
            if handler.status_code == HTTP_204_NO_CONTENT:
                answers[HTTP_204_NO_CONTENT] = ResponseSpec(None, description="Done")
            handler.responses = answers | dict(handler.responses or {})
            handler.security = list(_security(handler))


def _security(handler: HTTPRouteHandler) -> list[dict[str, list[str]]]:
    """Return the ways to authenticate on a route; `{}`: none is needed."""
    optional: list[dict[str, list[str]]] = [{}]
    scope = handler.opt.get(SCOPE)
    if scope is not None:
        return [{"token": [scope]}, {"session": []}, {"cookie": []}, {"seats": []}, *optional]
    if "accounts" in inspect.signature(handler.fn).parameters:
        return [{"session": []}, {"cookie": []}, *optional]
    return optional


def config() -> OpenAPIConfig:
    """Return the configuration of the document."""
    return OpenAPIConfig(
        title="Tavola",
        version=tavola.__version__,
        summary="Create, play and watch matches.",
        description="docs/reference/server-api.md describes it, and the web sockets.",
        path=PATH,
        render_plugins=[JsonRenderPlugin()],
        operation_id_creator=lambda handler, method, path: handler.handler_name,
        servers=[Server(url="/")],
        components=Components(
            security_schemes={
                "token": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="An API token of an account, with the scope that the route names.",
                ),
                "session": SecurityScheme(
                    type="http", scheme="bearer", description="The token of a session."
                ),
                "cookie": SecurityScheme(
                    type="apiKey",
                    name=COOKIE,
                    security_scheme_in="cookie",
                    description="The session of a browser.",
                ),
                "seats": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The secrets of one's seats, joined by commas; none: one watches.",
                ),
            }
        ),
    )
