"""The sockets of the Live page and of the channels of games."""

from __future__ import annotations

from typing import Any

from litestar import WebSocket, websocket
from litestar.params import FromPath

from tavola.server import games
from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.one_way_socket import send_until_closed
from tavola.server.http.server_state import ServerState
from tavola.server.http.socket_limit import serve_socket
from tavola.server.schema.watch import LiveChangeMessage, LiveMessage


@websocket("/api/live/socket", sends=LiveMessage | LiveChangeMessage)
async def open_live_socket(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    """Send the best public matches that are being played, and their changes."""
    await serve_socket(socket, state.limits, send_until_closed(socket, state.watch.watch(None)))


@websocket("/api/live/{game:str}/socket", sends=LiveMessage | LiveChangeMessage)
async def open_channel_socket(
    socket: WebSocket[Any, Any, Any], game: FromPath[str], state: ServerState
) -> None:
    """Send the match of a game's channel, and its changes."""
    try:
        games.info(game)
    except RequestError as error:
        await socket.accept()
        await socket.close(code=4000 + STATUSES[error.code])
        return
    await serve_socket(socket, state.limits, send_until_closed(socket, state.watch.watch(game)))


ROUTES = [open_live_socket, open_channel_socket]
