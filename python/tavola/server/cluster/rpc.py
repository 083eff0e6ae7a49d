"""Remote calls: requests and sockets forwarded between two processes over Redis.

The receiving process forwards a client's messages as ASGI messages to the process that owns the
match, and returns its answers. Every process has its own channel. Waiting messages are published in
one pipeline.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from redis.asyncio import Redis

from tavola.server.cluster.leases import LEASE_SECONDS
from tavola.server.ops.rate_limits import MAX_PENDING_BYTES

PEER_CHECK_SECONDS = 1.0
"""Seconds between two checks that the peers of open calls are alive."""

Asgi = dict[str, Any]


class CallStarted(msgspec.Struct, tag="begin", frozen=True):
    """A request or a socket is forwarded to the owner of its match.

    Attributes:
        call: The id of the call.
        back: The channel of the sender.
        match: The match.
        scope: The ASGI scope.
        first: The first message: the whole body, or the request to connect.
    """

    call: str
    back: str
    match: str
    scope: Asgi
    first: Asgi


class CallMessage(msgspec.Struct, tag="said", frozen=True):
    """An ASGI message, one way or the other."""

    call: str
    message: Asgi

    @property
    def size(self) -> int:
        """Return about the number of bytes in memory."""
        return 100 + sum(len(self.message.get(name) or "") for name in ("body", "text", "bytes"))


class CallEnded(msgspec.Struct, tag="end", frozen=True):
    """The call is over; `completed`: after all its messages."""

    call: str
    completed: bool


class ReloadMatch(msgspec.Struct, tag="look", frozen=True):
    """A match's log may have an event that its owner does not know."""

    match: str


class AccountDeleted(msgspec.Struct, tag="forget", frozen=True):
    """An account has been deleted."""

    account: str


class BlocksChanged(msgspec.Struct, tag="block", frozen=True):
    """An account blocks other persons than before."""

    account: str


RpcMessage = CallStarted | CallMessage | CallEnded | ReloadMatch | AccountDeleted | BlocksChanged

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(RpcMessage).decode

BROADCAST = "all"


class Call:
    """A call, as each of its two sides stores it.

    Args:
        peer: The other process.
        name: The id of the call; a new one by default.
    """

    def __init__(self, peer: str, name: str | None = None) -> None:
        self.peer = peer
        self.name = name or secrets.token_urlsafe(12)
        self._received: asyncio.Queue[CallMessage | CallEnded] = asyncio.Queue()
        self._received_bytes = 0

    def put(self, message: CallMessage | CallEnded) -> None:
        """Add a received message; too many waiting bytes abort the call."""
        if isinstance(message, CallMessage):
            self._received_bytes += message.size
        if self._received_bytes > MAX_PENDING_BYTES and not self._received.empty():
            self.abort()
        else:
            self._received.put_nowait(message)

    def abort(self) -> None:
        """End the call at once for the receiver."""
        while not self._received.empty():
            self._received.get_nowait()
        self._received.put_nowait(CallEnded(self.name, completed=False))

    async def receive(self) -> CallMessage | CallEnded:
        """Return the next message; after the end, none follows."""
        message = await self._received.get()
        if isinstance(message, CallMessage):
            self._received_bytes -= message.size
        return message


class Transport:
    """The messages that a process sends to others and receives from them.

    Args:
        redis: The connection to Redis.
        name: The process's name.
        on_peer_lost: Called with the name of a process that has disappeared.
    """

    def __init__(self, redis: Redis, name: str, on_peer_lost: Callable[[str], None]) -> None:
        self._redis = redis
        self._name = name
        self._on_peer_lost = on_peer_lost
        self._outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    def send(self, to: str, message: RpcMessage) -> None:
        """Send a message, after those that were sent before; return at once."""
        self._outgoing.put_nowait((to, _encode(message)))

    async def run_sender(self) -> None:
        """Send the queued messages, until it is cancelled."""
        while True:
            batch = [await self._outgoing.get()]
            while not self._outgoing.empty():
                batch.append(self._outgoing.get_nowait())
            async with self._redis.pipeline(transaction=False) as pipe:
                for to, message in batch:
                    pipe.publish(_channel(to), message)
                heard = await pipe.execute()
            for (to, _), count in zip(batch, heard, strict=True):
                if count == 0 and to != BROADCAST:
                    self._on_peer_lost(to)

    async def run_receiver(self, ready: asyncio.Event, take: Callable[[RpcMessage], None]) -> None:
        """Handle incoming messages, until it is cancelled.

        Args:
            ready: Set when messages can be received.
            take: Called with each message.
        """
        async with self._redis.pubsub() as incoming:
            await incoming.subscribe(_channel(self._name), _channel(BROADCAST))
            subscribed = 0
            while True:
                message = await incoming.get_message(timeout=None)
                if message is None:
                    continue
                if message["type"] == "message":
                    take(_decode(message["data"]))
                elif message["type"] == "subscribe":
                    subscribed += 1
                    if subscribed == 2:
                        await self.heartbeat()
                        ready.set()
                    elif subscribed > 2:
                        # The library has reconnected, and messages may be lost.
                        raise ConnectionError("the connection was interrupted")

    async def heartbeat(self) -> None:
        """Show that the process is alive, for the duration of a lease."""
        await self._redis.set(_heartbeat_key(self._name), 1, px=round(LEASE_SECONDS * 1000))

    async def run_peer_check(self, peers: Callable[[], set[str]]) -> None:
        """Check regularly that these processes are alive, until it is cancelled."""
        while True:
            await asyncio.sleep(PEER_CHECK_SECONDS)
            if names := list(peers()):
                signs = await self._redis.mget(map(_heartbeat_key, names))
                for name, sign in zip(names, signs, strict=True):
                    if sign is None:
                        self._on_peer_lost(name)


def _channel(name: str) -> str:
    return f"tavola:to:{name}"


def _heartbeat_key(name: str) -> str:
    return f"tavola:alive:{name}"
