"""A web socket of litestar's, with nothing in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import WebSocket

if TYPE_CHECKING:
    from litestar.datastructures import Headers
    from litestar.types import Receive, Send


class DirectWebSocket(WebSocket[Any, Any, Any]):
    """A socket that receives and sends as the server underneath does.

    Litestar's own looks at every message in two functions that hold the socket that holds them: so
    each closed socket, with all that it was asked for, would wait for the collector of cycles.
    """

    def receive_wrapper(self, receive: Receive) -> Receive:
        """What receives."""
        return receive

    def send_wrapper(self, send: Send) -> Send:
        """What sends."""
        return send

    async def accept(
        self,
        subprotocols: str | None = None,
        headers: Headers | dict[str, Any] | list[tuple[bytes, bytes]] | None = None,
    ) -> None:
        """Accepts the connection."""
        await super().accept(subprotocols, headers)
        self.connection_state = "connect"
