"""Sockets: one viewer each, told of everything that happens at a table, able to command."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from tavola.server.accounts.accounts import PREFIX, Accounts
from tavola.server.analysis.reviews import Reviews
from tavola.server.http.authentication import COOKIE, address_of
from tavola.server.http.error_responses import answer
from tavola.server.http.latency import Measure
from tavola.server.http.websocket_protocol import write_of
from tavola.server.live import positions
from tavola.server.live.live_match import Table
from tavola.server.live.match_registry import Tables
from tavola.server.live.positions import Place
from tavola.server.ops.rate_limits import (
    BODY,
    MESSAGE_RATE,
    MESSAGES_AT_ONCE,
    Bucket,
    Limits,
)
from tavola.server.schema.errors import Refused
from tavola.server.schema.locale import Language, preferred
from tavola.server.schema.requests import (
    AnalyseMessage,
    CommandMessage,
    Echo,
    Hello,
    Ping,
    ReportMessage,
    SayMessage,
    decode,
)
from tavola.server.schema.responses import (
    AnalysisMessage,
    AnalysisRefused,
    ChatLine,
    ChatMessage,
    DoneMessage,
    EchoMessage,
    Pong,
    PresenceMessage,
    RefusedMessage,
    ReportedMessage,
    Snapshot,
    SnapshotMessage,
    StudyMessage,
    encode,
)
from tavola.server.snapshots.updates import Update

_log = structlog.get_logger("tavola.sockets")

HELLO_SECONDS = 5
HELLO_COSTS = 10
"""As how many messages another hello counts: everybody at the table may be told of it."""

WAITING = 256
"""How many messages wait for a slow viewer before it is sent away, to come back afresh."""

_Incoming = Hello | CommandMessage | AnalyseMessage | Ping | Echo | SayMessage | ReportMessage
_Outgoing = (
    SnapshotMessage
    | DoneMessage
    | RefusedMessage
    | AnalysisMessage
    | StudyMessage
    | AnalysisRefused
    | Pong
    | EchoMessage
    | PresenceMessage
    | ChatMessage
    | ReportedMessage
)
_decode = msgspec.json.Decoder(_Incoming)


@dataclass(frozen=True, slots=True)
class _Close:
    """The socket is to be closed with this code."""

    code: int


class SocketViewer:
    """A viewer at the other end of a socket, which has been accepted."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        tables: Tables,
        accounts: Accounts,
        reviews: Reviews,
        match: str,
    ) -> None:
        self.held: frozenset[int] = frozenset()
        self._socket = socket
        self.client = address_of(socket)
        self._tables = tables
        self._accounts = accounts
        # The tokens of the seats, and of the session in which somebody is signed in.
        self._tokens: tuple[str, ...] = ()
        self._session: str | None = None
        self._reviews = reviews
        self._review: asyncio.Task[None] | None = None
        self._match = match
        # Whether changes are enough, and the number of the picture of its seats that they change.
        self._changes = False
        self._seen: int | None = None
        self._table: Table | None = None
        self._language: Language = preferred(socket.headers.get("accept-language", ""))
        self._bucket = Bucket(MESSAGE_RATE, MESSAGES_AT_ONCE)
        self._measure = Measure()
        # What is sent is written at once where that is possible, and waits for the writer else.
        self._write = write_of(socket.scope)
        self._waiting: list[bytes | _Close] = []
        self._writer: asyncio.Task[None] | None = None
        self._over = False

    @property
    def lag(self) -> float | None:
        """How many seconds the network takes there and back, as far as it was measured."""
        return self._measure.lag

    def tell(self, update: Update) -> None:
        """An event was logged."""
        mended = self._changes and self._seen is not None and self._seen == update.since
        self._send(update.changes if mended else update.whole)
        self._seen = update.seq

    def tell_presence(self, presence: PresenceMessage) -> None:
        """Somebody came or went."""
        self._send(presence)

    def tell_lines(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Lines of the chat: one more, or the `whole` of it."""
        self._send(ChatMessage(lines, whole))

    def send_away(self) -> None:
        """The match is kept by another process now."""
        self._close(1012)

    def show(self, snapshot: Snapshot) -> None:
        """There is something new to see."""
        self._send(SnapshotMessage(snapshot))
        self._seen = snapshot.seq

    async def run(self) -> None:
        """Serves the socket until either side closes it."""
        try:
            await self._read()
        except WebSocketDisconnect:
            pass
        except Refused as error:
            self._refuse(error)
            self._close(4000 + error.status)
            if self._writer is not None:
                await asyncio.wait((self._writer,), timeout=HELLO_SECONDS)
        finally:
            if self._table is not None:
                self._table.leave(self)
            self._look_away()
            self._measure.stop()
            self._over = True
            if self._writer is not None:
                self._writer.cancel()
                self._writer = None

    async def _read(self) -> None:
        """Does what the client says.

        Raises:
            Refused: For what ends the conversation.
            WebSocketDisconnect: The client has gone.
        """
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._receive()
        except TimeoutError:
            raise Refused("no-hello", seconds=HELLO_SECONDS) from None
        if not isinstance(hello, Hello):
            raise Refused("no-hello", seconds=HELLO_SECONDS)
        table = await self._enter(hello)
        while True:
            try:
                message = await self._receive()
                self._bucket.take()
            except Refused as error:
                if error.code == "too-fast":
                    raise
                self._refuse(error)
                continue
            match message:
                case CommandMessage():
                    await self._command(table, message)
                case Hello():
                    self._bucket.take(HELLO_COSTS - 1)
                    table = await self._enter(message)
                case Ping():
                    self._send(Pong())
                case Echo():
                    if self._measure.hear(message.number):
                        table.company.look()
                    else:
                        self._refuse(Refused("unknown-echo", number=message.number))
                case SayMessage() | ReportMessage():
                    await self._talk(table, message)
                case AnalyseMessage():
                    self._look_away()
                    if message.place is not None:
                        self._review = asyncio.create_task(
                            self._look(table, message.place, message.line)
                        )

    async def _enter(self, hello: Hello) -> Table:
        """Sits down, or again with other seats or in another language, and shows the picture."""
        if hello.language is not None:
            self._language = hello.language
        table = await self._tables.open(self._match)
        sessions = [token for token in hello.tokens if token.startswith(PREFIX)]
        self._session = next(iter(sessions), self._socket.cookies.get(COOKIE))
        self._tokens = tuple(token for token in hello.tokens if not token.startswith(PREFIX))
        held = await self._holds(table)
        # Whoever only changes seats has not gone.
        table.company.viewers.discard(self)
        self.held, self._table = held, table
        snapshot = await table.watch(self)
        self._changes = hello.changes
        self.show(snapshot)
        # How far away somebody is matters where time does.
        if snapshot.clock is not None and held:
            self._measure.begin(lambda number: self._send(EchoMessage(number)))
        # Before anything is waited for: whoever has the picture is there.
        table.company.look(self)
        if lines := await table.chat.lines():
            self.tell_lines(lines, whole=True)
        return table

    async def _holds(self, table: Table) -> frozenset[int]:
        """The viewer's seats: by tokens, and by the account that is signed in now."""
        return table.held(self._tokens, await self._accounts.of(self._session))

    async def _look_who_it_is(self, table: Table) -> None:
        """The session in which somebody is signed in may have ended meanwhile."""
        if self._session is not None:
            held = await self._holds(table)
            if held != self.held:
                # The picture that it has is of other seats, and cannot be mended.
                self.held, self._seen = held, None

    async def _talk(self, table: Table, message: SayMessage | ReportMessage) -> None:
        try:
            await self._look_who_it_is(table)
            if isinstance(message, SayMessage):
                await table.say(message.seat, message.text, self.held)
            else:
                await table.report(message.line, message.seat, self.held)
                self._send(ReportedMessage(message.line))
        except Refused as error:
            self._refuse(error)
        except Exception:
            _log.exception("not said", match=self._match)
            self._refuse(Refused("internal"))

    async def _command(self, table: Table, command: CommandMessage) -> None:
        try:
            await self._look_who_it_is(table)
            seq = await table.command(command, self.held, self.client, self.lag)
            self._send(DoneMessage(command.id, seq))
        except Refused as error:
            self._refuse(error, command.id)
        except Exception:
            _log.exception("command failed", match=self._match, command=command.do)
            self._refuse(Refused("internal"), command.id)

    async def _look(self, table: Table, place: int, line: tuple[str, ...]) -> None:
        """Tells what is found out about a position and its match."""
        try:
            reviewed = positions.reviewed(await table.match(), Place(place, line))
            async with aclosing(self._reviews.follow(reviewed, self.client)) as found:
                async for message in found:
                    self._send(message)
        except Refused as error:
            self._send(AnalysisRefused(answer(error, self._language)))
        except Exception:
            _log.exception("analysis failed", match=self._match, place=place)
            self._send(AnalysisRefused(answer(Refused("internal"), self._language)))

    def _look_away(self) -> None:
        if self._review is not None:
            self._review.cancel()
            self._review = None

    async def _receive(self) -> _Incoming:
        message: Any = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="the client has gone", code=message["code"])
        text = message.get("text") or message.get("bytes") or ""
        if len(text) > BODY:
            raise Refused("too-large", limit=BODY)
        incoming: _Incoming = decode(text, _decode)
        return incoming

    def _refuse(self, error: Refused, command: str | None = None) -> None:
        self._send(RefusedMessage(command, answer(error, self._language)))

    def _send(self, message: _Outgoing | bytes) -> None:
        if self._over:
            return
        text = message if isinstance(message, bytes) else encode(message)
        if self._is_writing() or not self._write(text):
            self._add(text)

    def _close(self, code: int) -> None:
        """Closes the socket when all that waits has been sent."""
        if not self._over:
            self._add(_Close(code))

    def _add(self, message: bytes | _Close) -> None:
        """Leaves something to the writer."""
        if len(self._waiting) >= WAITING:
            self._waiting.clear()
            message = _Close(1013)
        self._waiting.append(message)
        if not self._is_writing():
            self._writer = asyncio.create_task(self._write_waiting())

    def _is_writing(self) -> bool:
        return self._writer is not None and not self._writer.done()

    async def _write_waiting(self) -> None:
        """Sends what waits, until nothing does."""
        try:
            while self._waiting:
                message = self._waiting.pop(0)
                if isinstance(message, _Close):
                    self._over = True
                    await self._socket.close(code=message.code)
                    return
                await self._socket.send_data(message, mode="text")
        except Exception as error:
            # Whoever is not there any more is told nothing more: reading ends, too.
            self._over = True
            _log.debug("socket lost", match=self._match, error=repr(error))


async def serve(
    socket: WebSocket[Any, Any, Any],
    tables: Tables,
    accounts: Accounts,
    reviews: Reviews,
    limits: Limits,
    match: str,
) -> None:
    """Accepts a socket and serves it."""
    await socket.accept()
    client = address_of(socket)
    viewer = SocketViewer(socket, tables, accounts, reviews, match)
    try:
        limits.enter(client)
    except Refused as error:
        await socket.close(code=4000 + error.status)
        return
    try:
        # In a task of its own, which is not woken through all the layers around this one.
        await asyncio.create_task(viewer.run())
    except Exception:
        _log.exception("socket failed", match=match)
        await socket.close(code=1011)
    finally:
        limits.leave(client)
