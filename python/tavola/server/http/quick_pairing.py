"""The socket of quick pairing: a player waits on it until the match begins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import msgspec
from litestar import WebSocket, websocket

from tavola.language import Language, negotiate
from tavola.server.errors import RequestError
from tavola.server.http.authentication import client_address, current_account
from tavola.server.http.error_responses import error_response
from tavola.server.http.one_way_socket import receive_hello, send_until_closed
from tavola.server.http.server_state import ServerState
from tavola.server.http.socket_limit import serve_socket
from tavola.server.quick_pairing.service import Ticket
from tavola.server.schema.pairing import PairedMessage, PairingHello, WaitingMessage
from tavola.server.schema.responses import ErrorMessage

_decode = msgspec.json.Decoder(PairingHello)

MOVED_CODE = 1012
"""The code with which a socket is closed that has to come back."""


@websocket(
    "/api/pairing/socket",
    sends=WaitingMessage | PairedMessage | ErrorMessage,
    receives=PairingHello,
)
async def open_pairing_socket(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    """Give a player a place in the queue of quick pairing while the socket is open."""
    await serve_socket(socket, state.limits, _serve(socket, state))


async def _serve(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    wanted = await receive_hello(socket, _decode)
    if wanted is None:
        return
    language = negotiate(wanted.language or str(socket.headers.get("accept-language", "")))
    try:
        state.speech.check_words(wanted.name)
        ticket = await state.pairing.join(
            wanted, client_address(socket), partial(current_account, socket, state.accounts)
        )
    except RequestError as error:
        await socket.send_data(
            msgspec.json.encode(ErrorMessage(None, error_response(error, language))), mode="text"
        )
        raise
    try:
        await send_until_closed(socket, _messages(socket, ticket, language))
    finally:
        state.pairing.leave(ticket)


async def _messages(
    socket: WebSocket[Any, Any, Any], ticket: Ticket, language: Language
) -> AsyncIterator[WaitingMessage | PairedMessage | ErrorMessage]:
    yield WaitingMessage()
    code = 1000
    try:
        paired = await ticket.result
    except RequestError as error:
        yield ErrorMessage(None, error_response(error, language))
    else:
        if paired is None:
            code = MOVED_CODE
        else:
            yield paired
    await socket.close(code=code)


ROUTES = [open_pairing_socket]
