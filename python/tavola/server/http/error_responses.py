"""Error responses, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
from litestar import MediaType, Response
from litestar.exceptions import HTTPException
from sqlalchemy.exc import DBAPIError

from tavola.language import Language, negotiate
from tavola.server import games
from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.authentication import AnyRequest
from tavola.server.ops.metrics import ERRORS
from tavola.server.ops.rate_limits import MAX_BODY_BYTES
from tavola.server.schema.errors import message_of
from tavola.server.schema.responses import ErrorResponse
from tavola.server.schema.validation import invalid_request

_log = structlog.get_logger("tavola.server")

CLIENT_DISCONNECTED = "client disconnected prematurely"
"""The framework's message for a request that ended within its body."""


def error_response(error: RequestError, language: Language) -> ErrorResponse:
    """Return an error response in a language, in the game's words if the game gives the reason.

    It is counted.
    """
    ERRORS.labels(error.code).inc()
    if error.refusal is None:
        message = message_of(error, language)
    else:
        message = games.format_text(error.in_game, language, error.refusal.text)
    # As plain texts: messages that can be translated are strings of a class of their own.
    params = {
        name: value[:] if isinstance(value, str) else value for name, value in error.params.items()
    }
    return ErrorResponse(error.code, params, message, error.refusal)


def _on_request_error(request: AnyRequest, error: RequestError) -> Response[ErrorResponse]:
    language = negotiate(request.headers.get("accept-language", ""))
    return Response(
        error_response(error, language),
        status_code=STATUSES[error.code],
        media_type=MediaType.JSON,
        headers={"content-language": language},
    )


def _on_http_error(request: AnyRequest, error: HTTPException) -> Response[ErrorResponse]:
    """Convert an error of the framework."""
    match error.status_code:
        case 404:
            refused = RequestError("not-found", path=request.url.path[:200])
        case 405:
            refused = RequestError("method", method=request.method)
        case 413:
            refused = RequestError("too-large", limit=MAX_BODY_BYTES)
        case status if 400 <= status < 500:
            refused = _validation_error(error)
        case _ if error.detail == CLIENT_DISCONNECTED:
            refused = invalid_request("no-body")
        case _:
            return _on_error(request, error)
    return _on_request_error(request, refused)


def _validation_error(error: HTTPException) -> RequestError:
    """Return the validation error that the framework describes."""
    if isinstance(error.extra, list) and error.extra and isinstance(error.extra[0], dict):
        fault = error.extra[0]
        if fault.get("key") == "data":
            return invalid_request("no-body")
        return invalid_request(fault.get("message", error.detail), fault.get("key", "$"))
    return invalid_request(error.detail)


def failure(error: Exception) -> RequestError:
    """Return how a client learns of an unexpected error.

    After a database error, such as a full disk, nothing was stored.
    """
    return RequestError("storage" if isinstance(error, DBAPIError) else "internal")


def _on_error(request: AnyRequest, error: Exception) -> Response[ErrorResponse]:
    _log.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return _on_request_error(request, failure(error))


EXCEPTION_HANDLERS: dict[
    int | type[Exception], Callable[[AnyRequest, Any], Response[ErrorResponse]]
] = {
    RequestError: _on_request_error,
    HTTPException: _on_http_error,
    Exception: _on_error,
}
"""Exception handlers of the application."""
