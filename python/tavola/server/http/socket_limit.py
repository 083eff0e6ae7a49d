"""The limit of open sockets: each socket counts for its client as long as it is served."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from litestar import WebSocket

from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.authentication import client_address
from tavola.server.moderation.bans import Bans
from tavola.server.ops.rate_limits import RateLimits


async def serve_socket(
    socket: WebSocket[Any, Any, Any], limits: RateLimits, service: Coroutine[None, None, None]
) -> None:
    """Accept a socket and serve it, unless its client has too many; a rejection closes it.

    Args:
        socket: The socket.
        limits: Count the sockets of each client.
        service: Serves the socket after it is accepted.
    """
    client = client_address(socket)
    bans: Bans = socket.app.state["bans"]
    try:
        await socket.accept()
        limits.open_socket(client)
        try:
            with bans.watching(client, socket):
                await service
        finally:
            limits.close_socket(client)
    except RequestError as error:
        await socket.close(code=4000 + STATUSES[error.code])
    finally:
        service.close()
