"""Match sockets: each serves one viewer, sends every update and takes commands."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from tavola.language import Language, negotiate
from tavola.server.accounts import relations
from tavola.server.accounts.accounts import Account
from tavola.server.accounts.seat_tokens import held_seats
from tavola.server.accounts.sessions import SESSION_PREFIX
from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.authentication import COOKIE, client_address
from tavola.server.http.error_responses import error_response, failure
from tavola.server.http.latency import LatencyMeter
from tavola.server.http.server_state import ServerState
from tavola.server.http.socket_limit import serve_socket
from tavola.server.live import positions
from tavola.server.live.chat import without_persons
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.positions import PositionRef
from tavola.server.ops.rate_limits import (
    MAX_BODY_BYTES,
    MAX_PENDING_BYTES,
    MessageLimits,
)
from tavola.server.schema.requests import (
    AnalyseMessage,
    CommandMessage,
    Echo,
    Hello,
    Ping,
    ReportMessage,
    RetryMessage,
    SayMessage,
    decode,
)
from tavola.server.schema.responses import (
    AnalysisErrorMessage,
    AnalysisMessage,
    ChangeMessage,
    ChatLine,
    ChatMessage,
    CommandAckMessage,
    EchoMessage,
    ErrorMessage,
    Pong,
    PresenceMessage,
    ReportAckMessage,
    Snapshot,
    SnapshotMessage,
    StudyMessage,
    UpdateMessage,
    encode,
)
from tavola.server.snapshots.updates import Update

_log = structlog.get_logger("tavola.sockets")

HELLO_SECONDS = 5
HELLO_COST = 10
"""Messages that another hello costs, as it may send an update to every viewer."""

Incoming = (
    Hello
    | CommandMessage
    | AnalyseMessage
    | Ping
    | Echo
    | SayMessage
    | ReportMessage
    | RetryMessage
)
"""The messages of a client."""

Outgoing = (
    SnapshotMessage
    | CommandAckMessage
    | ErrorMessage
    | AnalysisMessage
    | StudyMessage
    | AnalysisErrorMessage
    | Pong
    | EchoMessage
    | PresenceMessage
    | ChatMessage
    | ReportAckMessage
    | UpdateMessage
    | ChangeMessage
)
"""The messages to a client."""

_decode = msgspec.json.Decoder(Incoming)


@dataclass(frozen=True, slots=True)
class _Close:
    """Close the socket with this code."""

    code: int


class SocketViewer:
    """A viewer at the other end of a socket."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        state: ServerState,
        match: str,
    ) -> None:
        self.held: frozenset[int] = frozenset()
        self._socket = socket
        self.client = client_address(socket)
        self._registry = state.registry
        self._accounts = state.accounts
        self._bans = state.bans
        self._speech = state.speech
        # The tokens of the seats, and of the session that is signed in.
        self._tokens: tuple[str, ...] = ()
        self._session: str | None = None
        # The viewer's account, and the accounts that it blocks.
        self.account: str | None = None
        self._blocked: frozenset[str] = frozenset()
        self._reviews = state.reviews
        self._review: asyncio.Task[None] | None = None
        self._match = match
        # Whether the client accepts patches, and the last sequence number it has for its seats.
        self._wants_patches = False
        self._last_seq: int | None = None
        self._live_match: LiveMatch | None = None
        self._language: Language = negotiate(socket.headers.get("accept-language", ""))
        self._limits = MessageLimits(state.limits, self.client)
        self._latency = LatencyMeter()
        self._has_clock = False
        # When the latest message arrived.
        self._arrived = 0.0
        # The messages that the writer has not sent yet.
        self._pending: list[bytes | _Close] = []
        self._pending_bytes = 0
        self._is_pending = asyncio.Event()
        self._closed = False

    @property
    def lag(self) -> float | None:
        """How many seconds the network takes there and back, if it was measured for a clock."""
        return self._latency.lag if self._has_clock else None

    @property
    def is_silent(self) -> bool:
        """Whether the client has stopped to answer, so that its connection seems lost."""
        return self._latency.is_silent

    def send_update(self, update: Update) -> None:
        """Handle a logged event."""
        is_known = self._last_seq is not None and self._last_seq == update.base_seq
        self._send(
            update.patch_message if self._wants_patches and is_known else update.full_message
        )
        self._last_seq = update.seq

    def send_presence(self, presence: PresenceMessage) -> None:
        """Send a change of presence."""
        self._send(presence)

    def send_chat(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Send lines of the chat: a new one, or the `whole` of it.

        Lines of persons whom the viewer's account blocks are left out.
        """
        if self._live_match is not None:
            lines = without_persons(lines, self._live_match.header.seats, self._blocked)
        if lines or whole:
            self._send(ChatMessage(lines, whole))

    def update_blocks(self, blocked: frozenset[str], lines: tuple[ChatLine, ...]) -> None:
        """Handle a change of whom the viewer's account blocks."""
        self._blocked = blocked
        self.send_chat(lines, whole=True)

    def disconnect(self) -> None:
        """Handle the move of the match to another process."""
        self._close(1012)

    def send_snapshot(self, snapshot: Snapshot) -> None:
        """Send a new snapshot."""
        self._send(SnapshotMessage(snapshot))
        self._last_seq = snapshot.seq

    async def run(self) -> None:
        """Serve the socket until either side closes it."""
        writer = asyncio.create_task(self._write_pending())
        try:
            await self._read()
        except WebSocketDisconnect:
            pass
        except RequestError as error:
            self._send_error(error)
            self._close(4000 + STATUSES[error.code])
            await asyncio.wait((writer,), timeout=HELLO_SECONDS)
        finally:
            if self._live_match is not None:
                self._live_match.unsubscribe(self)
            self._stop_analysis()
            self._latency.stop()
            self._closed = True
            writer.cancel()

    async def _read(self) -> None:
        """Handle the client's messages.

        Raises:
            RequestError: For what ends the conversation.
            WebSocketDisconnect: The client has gone.
        """
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._receive()
        except TimeoutError:
            raise RequestError("no-hello", seconds=HELLO_SECONDS) from None
        if not isinstance(hello, Hello):
            raise RequestError("no-hello", seconds=HELLO_SECONDS)
        live_match = await self._subscribe(hello)
        while True:
            try:
                message = await self._receive()
            except RequestError as error:
                if error.code == "too-fast":
                    raise
                self._send_error(error)
                continue
            match message:
                case CommandMessage():
                    with live_match.arrivals.expect(self._arrived):
                        await self._handle_command(live_match, message)
                case Hello():
                    self._limits.count(messages=HELLO_COST - 1)
                    live_match = await self._subscribe(message)
                case Ping():
                    self._send(Pong())
                case Echo():
                    if self._latency.receive(message.number):
                        live_match.presence.broadcast()
                    else:
                        self._send_error(RequestError("unknown-echo", number=message.number))
                case SayMessage() | ReportMessage():
                    await self._handle_chat(live_match, message)
                case RetryMessage():
                    await self._handle_retry(live_match)
                case AnalyseMessage():
                    self._stop_analysis()
                    if message.ply is not None:
                        self._review = asyncio.create_task(
                            self._send_analysis(live_match, message.ply, message.line)
                        )

    async def _subscribe(self, hello: Hello) -> LiveMatch:
        """Subscribe to the match, perhaps again with other seats or in another language."""
        if hello.language is not None:
            self._language = negotiate(hello.language)
        live_match = await self._registry.open(self._match, self.client)
        sessions = [token for token in hello.tokens if token.startswith(SESSION_PREFIX)]
        self._session = next(iter(sessions), self._socket.cookies.get(COOKIE))
        self._tokens = tuple(
            token for token in hello.tokens if not token.startswith(SESSION_PREFIX)
        )
        account = await self._accounts.authenticate(self._session)
        held = self._held_seats(live_match, account)
        self.account = None if account is None else account.id
        self._blocked = await relations.blocked_by(self._accounts.database, self.account)
        # A viewer that only changes seats has not left.
        live_match.presence.viewers.discard(self)
        self.held, self._live_match = held, live_match
        snapshot = await live_match.subscribe(self)
        self._wants_patches = hello.changes
        self.send_snapshot(snapshot)
        self._has_clock = snapshot.clock is not None
        # Others wait for a player, but not for a spectator.
        if held:
            self._latency.start(
                lambda number: self._send(EchoMessage(number)), live_match.presence.broadcast
            )
        # Before the next await: this viewer counts as present.
        live_match.presence.broadcast(self)
        if lines := await live_match.chat.lines():
            self.send_chat(lines, whole=True)
        return live_match

    def _held_seats(self, live_match: LiveMatch, account: Account | None) -> frozenset[int]:
        """Return the viewer's seats: by tokens, and by the account that is signed in."""
        held = held_seats(live_match.header, self._tokens, account)
        return self._bans.enabled(live_match.header, held)

    async def _refresh_session(self, live_match: LiveMatch) -> None:
        """Update the held seats: the session may have ended, or the account been disabled."""
        if self._session is not None or self._bans.has_disabled:
            account = await self._accounts.authenticate(self._session)
            held = self._held_seats(live_match, account)
            if held != self.held:
                # The client's snapshot is for other seats, and cannot be patched.
                self.held, self._last_seq = held, None

    async def _handle_chat(
        self, live_match: LiveMatch, message: SayMessage | ReportMessage
    ) -> None:
        try:
            await self._refresh_session(live_match)
            if isinstance(message, SayMessage):
                await live_match.chat.post(message.seat, message.text, self.held, self._speech)
            else:
                await live_match.chat.report(message.line, message.seat, self.held)
                self._send(ReportAckMessage(message.line))
        except RequestError as error:
            self._send_error(error)
        except Exception as error:
            _log.exception("not said", match=self._match)
            self._send_error(failure(error))

    async def _handle_command(self, live_match: LiveMatch, command: CommandMessage) -> None:
        try:
            await self._refresh_session(live_match)
            seq = await live_match.execute(command, self.held, self.client, self.lag, self._arrived)
            self._send(CommandAckMessage(command.id, seq))
        except RequestError as error:
            self._send_error(error, command.id)
        except Exception as error:
            _log.exception("command failed", match=self._match, command=command.do)
            self._send_error(failure(error), command.id)

    async def _handle_retry(self, live_match: LiveMatch) -> None:
        try:
            await self._refresh_session(live_match)
            await live_match.retry_engine(self.held)
        except RequestError as error:
            self._send_error(error)

    async def _send_analysis(self, live_match: LiveMatch, ply: int, line: tuple[str, ...]) -> None:
        """Send the analysis of a position and of its match."""
        try:
            reviewed = positions.review_target(await live_match.match(), PositionRef(ply, line))
            async with aclosing(self._reviews.follow(reviewed, self.client)) as found:
                async for message in found:
                    self._send(message)
        except RequestError as error:
            self._send(AnalysisErrorMessage(error_response(error, self._language)))
        except Exception as error:
            _log.exception("analysis failed", match=self._match, ply=ply)
            self._send(AnalysisErrorMessage(error_response(failure(error), self._language)))

    def _stop_analysis(self) -> None:
        if self._review is not None:
            self._review.cancel()
            self._review = None

    async def _receive(self) -> Incoming:
        message: Any = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="the client has gone", code=message["code"])
        self._arrived = time.monotonic()
        text = message.get("text") or message.get("bytes") or ""
        # Invalid messages cost as much as valid ones.
        self._limits.count(len(text))
        if len(text) > MAX_BODY_BYTES:
            raise RequestError("too-large", limit=MAX_BODY_BYTES)
        incoming: Incoming = decode(text, _decode)
        return incoming

    def _send_error(self, error: RequestError, command: str | None = None) -> None:
        self._send(ErrorMessage(command, error_response(error, self._language)))

    def _send(self, message: Outgoing | bytes) -> None:
        if not self._closed:
            self._enqueue(message if isinstance(message, bytes) else encode(message))

    def _close(self, code: int) -> None:
        """Close the socket when all that waits has been sent."""
        if not self._closed:
            self._enqueue(_Close(code))

    def _enqueue(self, message: bytes | _Close) -> None:
        """Queue a message for the writer; a viewer with too much unread output must reconnect."""
        if isinstance(message, bytes):
            self._pending_bytes += len(message)
            if self._pending and self._pending_bytes > MAX_PENDING_BYTES:
                self._pending.clear()
                self._closed, message = True, _Close(1013)
        self._pending.append(message)
        self._is_pending.set()

    async def _write_pending(self) -> None:
        """Send the queued messages, until the socket is closed."""
        try:
            while await self._is_pending.wait():
                message = self._pending.pop(0)
                if isinstance(message, _Close):
                    self._closed = True
                    await self._socket.close(code=message.code)
                    return
                if not self._pending:
                    self._is_pending.clear()
                self._pending_bytes -= len(message)
                await self._socket.send_data(message, mode="text")
        except Exception as error:
            # The client is gone, and reading ends too.
            self._closed = True
            _log.debug("socket lost", match=self._match, error=repr(error))


async def serve(
    socket: WebSocket[Any, Any, Any],
    state: ServerState,
    match: str,
) -> None:
    """Accept a socket and serve it."""
    viewer = SocketViewer(socket, state, match)

    async def run() -> None:
        try:
            # In a task of its own, which is not woken through all the layers around this one.
            await asyncio.create_task(viewer.run())
        except Exception:
            _log.exception("socket failed", match=match)
            await socket.close(code=1011)

    await serve_socket(socket, state.limits, run())
