"""The errors of the client."""

from __future__ import annotations

from typing import Any

from tavola.errors import TavolaError


class ServerError(TavolaError):
    """The server rejected a request.

    Attributes:
        code: The error code, such as `illegal`; the server API lists them.
        message: The message of the server.
        status: The HTTP status.
        params: The parameters of the message.
    """

    def __init__(self, code: str, message: str, status: int, params: dict[str, Any]) -> None:
        super().__init__(code, message, status, params)
        self.code = code
        self.message = message
        self.status = status
        self.params = params

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class Unreachable(TavolaError):
    """The server did not answer, or the address does not belong to a Tavola server.

    Attributes:
        address: The address.
        reason: The reason, in English.
    """

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address = address
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.address}: {self.reason}"
