"""The HTTP interface as OpenAPI 3.1: every answer and every error with its type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.status_codes import HTTP_204_NO_CONTENT

import tavola
from tavola.server.schema.errors import ERRORS
from tavola.server.schema.responses import ErrorResponse

PATH = "/api/schema"

_STATUSES = sorted({reason.status for reason in ERRORS.values()})


def describe(handlers: Iterable[Any]) -> None:
    """Add to every route what it answers when it refuses: all in one form."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema is not False:
            answers = {
                status: ResponseSpec(ErrorResponse, generate_examples=False, description="Refused")
                for status in _STATUSES
            }
            if handler.status_code == HTTP_204_NO_CONTENT:
                answers[HTTP_204_NO_CONTENT] = ResponseSpec(None, description="Done")
            handler.responses = answers | dict(handler.responses or {})


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
                "seats": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The secrets of one's seats, joined by commas; none: one watches.",
                )
            }
        ),
        security=[{"seats": []}, {}],
    )
