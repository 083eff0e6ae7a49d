"""The server's interface as OpenAPI 3.1: routes with their errors, web sockets and webhooks.

OpenAPI knows no web sockets. Here a socket is a GET request whose answer 101 has the messages of
the server as its content, and `x-client-messages` has those of the client, if it sends any.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server
from litestar.status_codes import HTTP_204_NO_CONTENT

import tavola
from tavola.server.errors import STATUSES
from tavola.server.http.authentication import ACCOUNT, COOKIE, MODERATOR, SCOPE, VISITOR
from tavola.server.outbox.webhook import WebhookMessage
from tavola.server.schema.accounts import Scope
from tavola.server.schema.responses import ErrorResponse

PATH = "/api/schema"

SENDS, RECEIVES = "sends", "receives"
"""The options of a socket that name the types of the server's and of the client's messages."""

_SCHEMA = "#/components/schemas/{name}"


def describe(handlers: Iterable[Any]) -> None:
    """Add to every route its docstring and its authentication."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler) and handler.include_in_schema is not False:
            handler.summary, handler.description = _texts(handler)
            if handler.status_code == HTTP_204_NO_CONTENT:
                done = {HTTP_204_NO_CONTENT: ResponseSpec(None, description="Done")}
                handler.responses = done | dict(handler.responses or {})
            handler.security = list(_security(handler))


def _texts(handler: Any) -> tuple[str, str | None]:
    """Return the first line of a handler's docstring, and the rest."""
    summary, _, rest = (inspect.getdoc(handler.fn) or "").partition("\n\n")
    return summary, rest or None


def _security(handler: HTTPRouteHandler) -> list[dict[str, list[str]]]:
    """Return the ways to authenticate on a route; `{}`: none is needed."""
    scope = handler.opt.get(SCOPE)
    token: list[dict[str, list[str]]] = [] if scope is None else [{"token": [scope]}]
    account: list[dict[str, list[str]]] = [*token, {"session": []}, {"cookie": []}]
    requested = inspect.signature(handler.fn).parameters
    if ACCOUNT in requested or MODERATOR in requested:
        return account
    if scope is not None:
        return [*account, {"seats": []}, {}]
    return [*account, {}] if VISITOR in requested else [{}]


def config(handlers: Iterable[Any]) -> OpenAPIConfig:
    """Return the configuration of the document, with the sockets among some handlers."""
    sockets = [one for one in handlers if isinstance(one, WebsocketRouteHandler)]
    return OpenAPIConfig(
        title="Tavola",
        version=tavola.__version__,
        summary="Create, play and watch matches.",
        description="docs/reference/server-api.md describes it. Messages of errors are in the "
        "language of `Accept-Language`.",
        path=PATH,
        render_plugins=[_Document(sockets)],
        operation_id_creator=lambda handler, method, path: handler.handler_name,
        servers=[Server(url="/")],
        components=Components(
            security_schemes={
                "token": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="An API token of an account, with the scope that the route names: "
                    f"{', '.join(get_args(Scope))}.",
                ),
                "session": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The token of a session, from a sign-in with `bearer`.",
                ),
                "cookie": SecurityScheme(
                    type="apiKey",
                    name=COOKIE,
                    security_scheme_in="cookie",
                    description="The session of a browser. A sign-in sets it.",
                ),
                "seats": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="The secrets of one's seats, joined by commas; in a tournament, of "
                    "its organizer or of a guest. Without one, you watch.",
                ),
            }
        ),
    )


class _Document(JsonRenderPlugin):
    """The document with what the framework cannot describe.

    Args:
        sockets: The handlers of web sockets.
    """

    def __init__(self, sockets: Sequence[WebsocketRouteHandler]) -> None:
        super().__init__()
        self._sockets = sockets

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document as JSON."""
        return super().render(request, _complete(openapi_schema, self._sockets))


def _complete(document: dict[str, Any], sockets: Sequence[WebsocketRouteHandler]) -> dict[str, Any]:
    """Return the document with errors, sockets and the webhook."""
    errors = _errors()
    refused = {status: {"$ref": f"#/components/responses/{status}"} for status in errors}
    paths = {
        path: {
            method: {**operation, "responses": {**operation["responses"], **refused}}
            for method, operation in item.items()
        }
        for path, item in document["paths"].items()
    }
    wanted: list[Any] = [ErrorResponse, WebhookMessage]
    wanted += [one.opt[kind] for one in sockets for kind in (SENDS, RECEIVES) if kind in one.opt]
    schemas, known = msgspec.json.schema_components(wanted, ref_template=_SCHEMA)
    found = dict(zip(wanted, schemas, strict=True))
    for socket in sockets:
        for path in socket.paths:
            paths[_template(path)] = {"get": _socket(socket, path, found, refused)}
    components = document["components"]
    return {
        **document,
        "paths": paths,
        "webhooks": {"notification": {"post": _webhook(found[WebhookMessage])}},
        "components": {
            **components,
            # The framework's schema of a type goes first: routes refer to it.
            "schemas": {**known, **components["schemas"]},
            "responses": errors,
        },
    }


def _errors() -> dict[str, Any]:
    """Return the answers to rejected requests, by status, with the codes of each."""
    codes = defaultdict[int, list[str]](list)
    for code, status in STATUSES.items():
        codes[status].append(code)
    return {
        str(status): {
            "description": "Refused",
            "content": {
                "application/json": {
                    "schema": {
                        "$ref": _SCHEMA.format(name=ErrorResponse.__name__),
                        "properties": {"code": {"enum": sorted(codes[status])}},
                    }
                }
            },
        }
        for status in sorted(codes)
    }


def _socket(
    handler: WebsocketRouteHandler, path: str, schemas: dict[Any, Any], refused: dict[str, Any]
) -> dict[str, Any]:
    """Return a socket as a GET request."""
    summary, description = _texts(handler)
    names = [part[1:].split(":")[0] for part in path.split("/") if part.startswith("{")]
    sent = {"application/json": {"schema": schemas[handler.opt[SENDS]]}}
    found: dict[str, Any] = {
        "operationId": handler.handler_name,
        "summary": summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ],
        "responses": {
            "101": {"description": "A web socket: the messages of the server", "content": sent},
            **refused,
        },
        "security": [{"cookie": []}, {}],
    }
    if description is not None:
        found["description"] = description
    if RECEIVES in handler.opt:
        found["x-client-messages"] = schemas[handler.opt[RECEIVES]]
    return found


def _webhook(message: dict[str, Any]) -> dict[str, Any]:
    """Return the request of this server to the webhooks of accounts."""
    headers = {
        "Tavola-Event": "The number of the event, the same in every attempt.",
        "Tavola-Signature": "`t=TIME,v1=HEX`: HEX is the HMAC-SHA256 of `TIME.BODY`.",
    }
    return {
        "operationId": "receive_notification",
        "summary": "Receive a notification.",
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": description,
                "schema": {"type": "string"},
            }
            for name, description in headers.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": message}}},
        "responses": {
            "2XX": {"description": "Received"},
            "404": {"description": "Gone: the server removes the destination"},
            "410": {"description": "Gone: the server removes the destination"},
            "default": {"description": "Failed: the server tries again"},
        },
    }


def _template(path: str) -> str:
    """Return a path as OpenAPI writes it: parameters without types."""
    return "/".join(
        f"{part.split(':')[0]}}}" if part.startswith("{") else part for part in path.split("/")
    )
