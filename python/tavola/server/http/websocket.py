"""Litestar's web socket, without its wrappers around every message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import WebSocket

if TYPE_CHECKING:
    from litestar.datastructures import Headers
    from litestar.types import Receive, Send


class DirectWebSocket(WebSocket[Any, Any, Any]):
    """A socket that receives and sends as the server underneath does.

    Litestar's own class wraps every message in two functions that refer to the socket, a reference
    cycle. Each closed socket would wait for the garbage collector.
    """

    def receive_wrapper(self, receive: Receive) -> Receive:
        """Return the server's receive function."""
        return receive

    def send_wrapper(self, send: Send) -> Send:
        """Return the server's send function."""
        return send

    async def accept(
        self,
        subprotocols: str | None = None,
        headers: Headers | dict[str, Any] | list[tuple[bytes, bytes]] | None = None,
    ) -> None:
        """Accept the connection."""
        await super().accept(subprotocols, headers)
        self.connection_state = "connect"
