"""A load generator for `benches.serving`: many web sockets in one thread, with little overhead.

The player to act sends a random legal action, immediately or after a pause. The generator shares
the machine with the measured server. So it parses only the necessary parts of messages, and masks
its frames with zeros.
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

    Servers limit requests per address, so every match of the load has its own address.
    """

    port: int
    source: str

    def post(self, path: str, wanted: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        """Returns the response to a request as plain data."""
        there = HTTPConnection("127.0.0.1", self.port, source_address=(self.source, 0))
        try:
            sent = {"content-type": "application/json"} | (headers or {})
            there.request("POST", path, json.dumps(wanted), sent)
            answer = there.getresponse()
            body = answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"{path}: {answer.status} {body[:300]!r}")
            return json.loads(body)
        finally:
            there.close()


@dataclass(frozen=True, slots=True)
class Position:
    """The position in a message.

    Attributes:
        seat: The seat to act, or `None`.
        number: The sequence number of the position.
        actions: What can be done, if the reader is to act.
        over: Whether the game is.
    """

    seat: int | None
    number: int
    actions: Sequence[Any]
    over: bool


class Client(ABC):
    """The client side of a server's socket protocol."""

    path: str
    matched: str

    @abstractmethod
    def opening(self, seat: int) -> list[str]:
        """Returns the first messages of a seat."""

    @abstractmethod
    def reply(self, message: bytes, seat: int) -> str | None:
        """Returns the required reply to a message, if there is one."""

    @abstractmethod
    def read(self, message: bytes, seat: int) -> Position | None:
        """Returns the position in a message, if there is one."""

    @abstractmethod
    def acknowledges(self, message: bytes, seat: int) -> bool:
        """Returns whether a message acknowledges the action of a seat."""

    @abstractmethod
    def act(self, position: Position, action: Any, seat: int) -> str:
        """Returns the message that plays an action."""


class Socket(asyncio.Protocol):
    """The client side of a web socket.

    Args:
        address: The address of the server.
        path: The path of the request.
        seat: The handler of the events.
    """

    def __init__(self, address: Address, path: str, seat: SocketHandler) -> None:
        self._address = address
        self._path = path
        self._seat = seat
        self._buffer = bytearray()
        self._open = False
        self._transport: asyncio.WriteTransport | None = None

    async def connect(self) -> None:
        """Opens the connection."""
        await asyncio.get_running_loop().create_connection(
            lambda: self, "127.0.0.1", self._address.port, local_addr=(self._address.source, 0)
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the web socket handshake."""
        transport = cast("asyncio.WriteTransport", transport)
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._address.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGF2b2xhIGJlbmNobWFyaw==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Parses frames."""
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
            self._seat.on_open()
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
        """Reports the end of the connection."""
        self._seat.on_close()

    def send(self, text: str) -> None:
        """Sends a text message."""
        self._write(0x81, text.encode())

    def close(self) -> None:
        """Closes the connection."""
        if self._transport is not None:
            self._transport.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        match kind:
            case 1:
                self._seat.on_message(payload)
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


class SocketHandler(ABC):
    """Handles the events of a socket."""

    @abstractmethod
    def on_open(self) -> None:
        """The socket is open."""

    @abstractmethod
    def on_message(self, message: bytes) -> None:
        """A message arrived."""

    @abstractmethod
    def on_close(self) -> None:
        """The socket is closed."""


@dataclass(slots=True)
class Counters:
    """The counters of the load generator.

    Attributes:
        actions: The number of acknowledged actions.
        latencies: The seconds from each action to the last view that shows it.
        live: The number of running matches.
        lost: The number of sockets that closed before the end of their match.
    """

    actions: int = 0
    latencies: list[float] = field(default_factory=list)
    live: int = 0
    lost: int = 0


class MatchPlayers:
    """The players of one match, who play it to its end."""

    def __init__(
        self,
        *,
        address: Address,
        client: Client,
        seats: int,
        counters: Counters,
        seed: int,
        pause: float,
    ) -> None:
        self.client = client
        self.counters = counters
        self.going = asyncio.Event()
        self.random = random.Random(seed)
        self.pause = pause
        self.over = False
        self.sent = 0.0
        self.unseen: set[int] = set()
        self.ready = 0
        self.players = [Player(self, seat) for seat in range(seats)]
        for player in self.players:
            player.socket = Socket(address, client.path, player)
        counters.live += 1

    async def connect(self) -> None:
        """Connects all players."""
        for player in self.players:
            await player.socket.connect()

    def seen(self, seat: int) -> None:
        """Records that the view of a seat shows the latest action."""
        if seat in self.unseen:
            self.unseen.discard(seat)
            if not self.unseen:
                self.counters.latencies.append(time.perf_counter() - self.sent)

    def end(self) -> None:
        """Ends the match."""
        if not self.over:
            self.over = True
            self.counters.live -= 1

    def leave(self) -> None:
        """Disconnects all players."""
        self.over = True
        for player in self.players:
            player.socket.close()


class Player(SocketHandler):
    """A seat of a match, and its socket."""

    socket: Socket

    def __init__(self, match: MatchPlayers, seat: int) -> None:
        self._match = match
        self._seat = seat
        self._held: Position | None = None

    def on_open(self) -> None:
        """Sends the first messages."""
        for message in self._match.client.opening(self._seat):
            self.socket.send(message)

    def on_message(self, message: bytes) -> None:
        """Reads the position, and acts if it is the turn of the seat."""
        table, seat = self._match, self._seat
        reply = table.client.reply(message, seat)
        if reply is not None:
            self.socket.send(reply)
        if table.client.acknowledges(message, seat):
            table.counters.actions += 1
        position = table.client.read(message, seat)
        if position is None:
            return
        if self._held is None:
            table.ready += 1
        self._held = position
        table.seen(seat)
        if position.over:
            table.end()
        elif position.seat == seat and table.going.is_set():
            self.act()

    def act(self) -> None:
        """Acts if it is the turn of the seat."""
        position = self._held
        if position is None or position.seat != self._seat or self._match.over:
            return
        pause = self._match.pause
        if pause:
            later = self._match.random.expovariate(1 / pause)
            asyncio.get_running_loop().call_later(later, self._send, position)
        else:
            self._send(position)

    def _send(self, position: Position) -> None:
        table = self._match
        if table.over or not position.actions:
            return
        action = table.random.choice(position.actions)
        table.sent = time.perf_counter()
        table.unseen = set(range(len(table.players)))
        self.socket.send(table.client.act(position, action, self._seat))

    def on_close(self) -> None:
        """Counts an unexpected end of the connection."""
        if not self._match.over:
            self._match.counters.lost += 1
