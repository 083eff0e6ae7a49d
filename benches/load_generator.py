"""A crowd of players for `benches.serving`: many web sockets in one thread, as cheap as can be.

Whoever has the turn picks one of the actions that its picture offers and sends it, at once or after
a pause. The crowd shares the machine with the server it measures, so it reads no more of a message
than it needs, and masks its frames with zeros.
"""

from __future__ import annotations

import asyncio
import json
import random
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Address:
    """A server's port on this machine, and the address from which one comes.

    A server counts what an address asks for, so every table of the crowd has its own.
    """

    port: int
    source: str

    def post(self, path: str, wanted: dict[str, Any]) -> Any:
        """The answer to a request, as plain data."""
        there = HTTPConnection("127.0.0.1", self.port, source_address=(self.source, 0))
        try:
            there.request("POST", path, json.dumps(wanted), {"content-type": "application/json"})
            answer = there.getresponse()
            body = answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"{path}: {answer.status} {body[:300]!r}")
            return json.loads(body)
        finally:
            there.close()


@dataclass(frozen=True, slots=True)
class Picture:
    """What a message showed.

    Attributes:
        seat: The seat to act; `None` if nobody is.
        number: The version of the picture.
        actions: What can be done, if the reader is to act.
        over: Whether the game is.
    """

    seat: int | None
    number: int
    actions: Sequence[Any]
    over: bool


class Talk(ABC):
    """What a server and the players of a match say to each other over a socket."""

    path: str
    matched: str

    @abstractmethod
    def opening(self, seat: int) -> list[str]:
        """What a seat says first."""

    @abstractmethod
    def reply(self, message: bytes, seat: int) -> str | None:
        """What has to be said to this message, whatever is played."""

    @abstractmethod
    def read(self, message: bytes, seat: int) -> Picture | None:
        """The picture in a message, if there is one."""

    @abstractmethod
    def acknowledges(self, message: bytes, seat: int) -> bool:
        """Whether the message says that this seat's action counts."""

    @abstractmethod
    def act(self, picture: Picture, action: Any, seat: int) -> str:
        """The message that plays an action."""


class Socket(asyncio.Protocol):
    """The client's end of a web socket.

    Args:
        address: Where to connect to.
        path: The path asked for.
        seat: Whoever is told what is heard.
    """

    def __init__(self, address: Address, path: str, seat: Listener) -> None:
        self._address = address
        self._path = path
        self._seat = seat
        self._buffer = bytearray()
        self._open = False
        self._transport: asyncio.WriteTransport | None = None

    async def connect(self) -> None:
        """Opens the connection; the rest happens by itself."""
        await asyncio.get_running_loop().create_connection(
            lambda: self, "127.0.0.1", self._address.port, local_addr=(self._address.source, 0)
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a web socket."""
        transport = cast("asyncio.WriteTransport", transport)
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._address.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGF2b2xhIGJlbmNobWFyaw==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Takes frames apart."""
        buffer = self._buffer
        buffer += data
        if not self._open:
            head = buffer.find(b"\r\n\r\n")
            if head < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                raise RuntimeError(f"no web socket: {bytes(buffer[:200])!r}")
            del buffer[: head + 4]
            self._open = True
            self._seat.opened()
        at = 0
        while len(buffer) >= at + 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                start += 2
                if len(buffer) < start:
                    break
                (length,) = struct.unpack_from("!H", buffer, at + 2)
            elif length == 127:
                start += 8
                if len(buffer) < start:
                    break
                (length,) = struct.unpack_from("!Q", buffer, at + 2)
            if len(buffer) < start + length:
                break
            self._frame(buffer[at] & 15, bytes(buffer[start : start + length]))
            at = start + length
        if at:
            del buffer[:at]

    def connection_lost(self, error: Exception | None) -> None:
        """Nothing more will be heard."""
        self._seat.closed()

    def send(self, text: str) -> None:
        """Says something."""
        self._write(0x81, text.encode())

    def close(self) -> None:
        """Goes away."""
        if self._transport is not None:
            self._transport.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        match kind:
            case 1:
                self._seat.heard(payload)
            case 8:
                self.close()
            case 9:
                self._write(0x8A, payload)

    def _write(self, first: int, payload: bytes) -> None:
        assert self._transport is not None
        if len(payload) < 126:
            head = struct.pack("!BBI", first, 0x80 | len(payload), 0)
        else:
            head = struct.pack("!BBHI", first, 0x80 | 126, len(payload), 0)
        self._transport.write(head + payload)


class Listener(ABC):
    """Whoever is at a socket."""

    @abstractmethod
    def opened(self) -> None:
        """The socket can be used."""

    @abstractmethod
    def heard(self, message: bytes) -> None:
        """A message came."""

    @abstractmethod
    def closed(self) -> None:
        """The socket is gone."""


@dataclass(slots=True)
class Tally:
    """What a crowd has done so far.

    Attributes:
        actions: How many actions were acknowledged.
        latencies: Seconds from each action to the last of the views that show it.
        live: How many tables still play.
        lost: How many sockets closed though their match was not over.
    """

    actions: int = 0
    latencies: list[float] = field(default_factory=list)
    live: int = 0
    lost: int = 0


class Table:
    """The players of one match: they play it to its end."""

    def __init__(
        self,
        *,
        address: Address,
        talk: Talk,
        seats: int,
        tally: Tally,
        seed: int,
        pause: float,
    ) -> None:
        self.talk = talk
        self.tally = tally
        self.going = asyncio.Event()
        self.random = random.Random(seed)
        self.pause = pause
        self.over = False
        self.sent = 0.0
        self.unseen: set[int] = set()
        self.ready = 0
        self.players = [Player(self, seat) for seat in range(seats)]
        for player in self.players:
            player.socket = Socket(address, talk.path, player)
        tally.live += 1

    async def connect(self) -> None:
        """Everybody sits down."""
        for player in self.players:
            await player.socket.connect()

    def seen(self, seat: int) -> None:
        """A seat's view shows the latest action."""
        if seat in self.unseen:
            self.unseen.discard(seat)
            if not self.unseen:
                self.tally.latencies.append(time.perf_counter() - self.sent)

    def end(self) -> None:
        """The match is over."""
        if not self.over:
            self.over = True
            self.tally.live -= 1

    def leave(self) -> None:
        """Everybody goes."""
        self.over = True
        for player in self.players:
            player.socket.close()


class Player(Listener):
    """A seat of a table, and its socket."""

    socket: Socket

    def __init__(self, table: Table, seat: int) -> None:
        self._table = table
        self._seat = seat
        self._held: Picture | None = None

    def opened(self) -> None:
        """Says hello."""
        for message in self._table.talk.opening(self._seat):
            self.socket.send(message)

    def heard(self, message: bytes) -> None:
        """Looks at the picture, and acts if it is its turn."""
        table, seat = self._table, self._seat
        reply = table.talk.reply(message, seat)
        if reply is not None:
            self.socket.send(reply)
        if table.talk.acknowledges(message, seat):
            table.tally.actions += 1
        picture = table.talk.read(message, seat)
        if picture is None:
            return
        if self._held is None:
            table.ready += 1
        self._held = picture
        table.seen(seat)
        if picture.over:
            table.end()
        elif picture.seat == seat and table.going.is_set():
            self.act()

    def act(self) -> None:
        """Acts, if it is this seat's turn."""
        picture = self._held
        if picture is None or picture.seat != self._seat or self._table.over:
            return
        pause = self._table.pause
        if pause:
            later = self._table.random.expovariate(1 / pause)
            asyncio.get_running_loop().call_later(later, self._send, picture)
        else:
            self._send(picture)

    def _send(self, picture: Picture) -> None:
        table = self._table
        if table.over or not picture.actions:
            return
        action = table.random.choice(picture.actions)
        table.sent = time.perf_counter()
        table.unseen = set(range(len(table.players)))
        self.socket.send(table.talk.act(picture, action, self._seat))

    def closed(self) -> None:
        """Counts it, if it was not to be."""
        if not self._table.over:
            self._table.tally.lost += 1
