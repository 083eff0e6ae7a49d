"""Sockets on which the server sends changes and the client sends at most a first message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeVar

import msgspec
import structlog
from litestar import WebSocket

from tavola.server.errors import STATUSES, RequestError
from tavola.server.schema.requests import decode

T = TypeVar("T")

HELLO_SECONDS = 5
"""Seconds within which the first message must come."""

_log = structlog.get_logger("tavola.http")

_encode = msgspec.json.Encoder().encode


async def receive_hello(
    socket: WebSocket[Any, Any, Any], decoder: msgspec.json.Decoder[T]
) -> T | None:
    """Return the first message, or `None` if the client has gone.

    Raises:
        RequestError: `no-hello`, `malformed`, `invalid`.
    """
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message: Any = await socket.receive()
    except TimeoutError:
        raise RequestError("no-hello", seconds=HELLO_SECONDS) from None
    if message["type"] == "websocket.disconnect":
        return None
    return decode(message.get("text") or message.get("bytes") or b"", decoder)


async def send_until_closed(
    socket: WebSocket[Any, Any, Any], messages: AsyncIterator[msgspec.Struct | msgspec.Raw]
) -> None:
    """Send messages until the client disconnects; a message of its own closes the socket."""
    sending = asyncio.create_task(_send(socket, messages))
    listening = asyncio.create_task(_wait_for_message(socket))
    try:
        done, _ = await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
        if sending in done:
            _log.debug("socket lost", path=socket.url.path, error=repr(sending.exception()))
        elif listening.result():
            await socket.close(code=4000 + STATUSES["malformed"])
    finally:
        sending.cancel()
        listening.cancel()
        await asyncio.gather(sending, listening, return_exceptions=True)


async def _send(
    socket: WebSocket[Any, Any, Any], messages: AsyncIterator[msgspec.Struct | msgspec.Raw]
) -> None:
    async for message in messages:
        await socket.send_data(_encode(message), mode="text")


async def _wait_for_message(socket: WebSocket[Any, Any, Any]) -> bool:
    """Return whether the client sent a message, and did not disconnect."""
    message: Any = await socket.receive()
    return bool(message["type"] != "websocket.disconnect")
