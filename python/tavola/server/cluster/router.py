"""Request routing between server processes: each request runs where its match is owned.

One process at a time owns a match (`leases.py`) and holds it in memory, so commands, clocks,
engines, chat and presence work as in a single process. A request that reaches another process is
forwarded (`rpc.py`). When a process dies, its leases expire and another process continues from the
log, as after a restart.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
import structlog
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tavola.server.cluster import leases
from tavola.server.cluster.leases import Leases
from tavola.server.cluster.rpc import (
    BROADCAST,
    AccountDeleted,
    Asgi,
    BlocksChanged,
    Call,
    CallEnded,
    CallMessage,
    CallStarted,
    ReloadMatch,
    RpcMessage,
    Transport,
)
from tavola.server.errors import RequestError
from tavola.server.http.security_middleware import send_error
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.ops.rate_limits import MAX_BODY_BYTES
from tavola.server.quick_pairing.service import PAIRING_ID, QuickPairing

_log = structlog.get_logger("tavola.fan-out")

CONNECTIONS = 16
"""How many connections to Redis a process has at most."""

RETRY_SECONDS = 1.0
"""Seconds after which Redis is tried again."""

FORWARD_TIMEOUT = leases.LEASE_SECONDS + 2.0
"""Seconds that a request waits for an owner that does not answer."""

MOVED_CODE = 1012
"""The code with which a socket is closed that has to come back."""

_MATCH_ID = re.compile(r"[A-Za-z0-9_-]{12}")
_MATCH_PATH = re.compile(rf"/api/(?:matches|lobby)/({_MATCH_ID.pattern})(?:/.*)?", re.DOTALL)
_CLAIM_PATH = "/api/account/seats"
_PAIRING_PATH = "/api/pairing/socket"
_LOCAL_SCOPE_KEYS = ("state", "extensions")
"""Keys of a request's scope that are local to this process."""


class Router:
    """ASGI middleware that forwards each request to the process that owns its match.

    Args:
        app: What serves the matches that this process keeps, and all that belongs to no match.
        url: Where Redis is.
    """

    def __init__(self, app: ASGIApp, url: str) -> None:
        self._app = app
        self._redis = Redis.from_pool(
            BlockingConnectionPool.from_url(
                url,
                max_connections=CONNECTIONS,
                timeout=5,
                retry=Retry(NoBackoff(), 0),
                socket_timeout=5,
            )
        )
        self._registry: MatchRegistry | None = None
        self._pairing: QuickPairing | None = None
        self._running: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls: dict[str, Call] = {}
        self._lost_matches: set[str] = set()
        self._resumed = asyncio.Event()
        self._reset()

    def _reset(self) -> None:
        """Start under a new name, without any match."""
        self.name = secrets.token_urlsafe(6)
        self._leases = Leases(self._redis, self.name)
        self._transport = Transport(self._redis, self.name, self._on_peer_lost)
        # Until when a match is known to be one's own.
        self._owned_until: dict[str, float] = {}
        self._ready = asyncio.Event()
        for call in self._calls.values():
            call.abort()

    @property
    def connected(self) -> bool:
        """Whether this process can reach the others."""
        return self._ready.is_set()

    def start(self, registry: MatchRegistry, pairing: QuickPairing) -> None:
        """Join the other processes until `end`."""
        self._registry = registry
        self._pairing = pairing
        self._running = asyncio.create_task(self._run())

    async def wait_resumed(self) -> None:
        """Wait until this process has looked for unowned matches once."""
        await self._resumed.wait()

    async def stop(self) -> None:
        """Release the matches to other processes."""
        ending = [*self._tasks] if self._running is None else [*self._tasks, self._running]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        if self.connected:
            try:
                await self._leases.release([*self._owned_until, *self._open_ids()])
            except (RedisError, OSError):
                _log.warning("leases left to run out")
        await self._redis.aclose()

    async def acquire(self, match: str) -> bool:
        """Acquire a match if no other process owns it.

        Returns:
            Whether this process keeps it now.

        Raises:
            RequestError: `apart`.
        """
        return await self._owner_of(match) == self.name

    def broadcast_account_deleted(self, account: str) -> None:
        """Broadcast to all processes that an account has been deleted."""
        self._transport.send(BROADCAST, AccountDeleted(account))

    def broadcast_blocks_changed(self, account: str) -> None:
        """Broadcast to all processes that an account blocks other persons than before."""
        self._transport.send(BROADCAST, BlocksChanged(account))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request here, or where its match is kept."""
        kind: str = scope["type"]
        match, first = None, None
        if kind != "lifespan":
            found = _MATCH_PATH.fullmatch(scope["path"])
            match = found[1] if found else None
            if scope["path"] == _PAIRING_PATH:
                match = PAIRING_ID
            if kind == "http" and scope["path"] == _CLAIM_PATH:
                first = await _receive_body(receive)
                match = _claimed_match(first["body"])
        try:
            if match is not None and not await self.acquire(match):
                if first is None:
                    first = await (_receive_body(receive) if kind == "http" else _receive(receive))
                if await self._forward(scope, match, first, receive, send):
                    return
        except RequestError as error:
            await _send_error(scope, send, error)
            return
        await self._app(scope, receive if first is None else _prepend(first, receive), send)

    # The receiving side: a client has connected to this process.

    async def _owner_of(self, match: str) -> str:
        now = asyncio.get_running_loop().time()
        if self._owned_until.get(match, 0.0) > now:
            return self.name
        if not self.connected:
            raise RequestError("apart")
        name = self.name
        try:
            (owner,) = await self._leases.acquire([match])
        except (RedisError, OSError) as error:
            raise RequestError("apart") from error
        if name != self.name:
            raise RequestError("apart")
        if owner == name:
            self._owned_until[match] = now + leases.LEASE_SECONDS
        return owner

    async def _forward(
        self, scope: Scope, match: str, first: Asgi, receive: Receive, send: Send
    ) -> bool:
        """Forward a request to the owner of its match, again if the owner changes.

        Returns:
            Whether they were answered; if not, this process keeps the match now.

        Raises:
            RequestError: `apart`, if the owner does not answer.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + FORWARD_TIMEOUT
        while loop.time() < until:
            owner = await self._owner_of(match)
            if owner == self.name:
                return False
            if await self._call(owner, scope, match, first, receive, send):
                return True
            await asyncio.sleep(0.1)
        raise RequestError("apart")

    async def _call(
        self, owner: str, scope: Scope, match: str, first: Asgi, receive: Receive, send: Send
    ) -> bool:
        """Forward a request to the presumed owner; return `False` if there was no answer."""
        call = Call(owner)
        self._calls[call.name] = call
        transport = self._transport
        remote_scope = {
            name: value for name, value in scope.items() if name not in _LOCAL_SCOPE_KEYS
        }
        transport.send(owner, CallStarted(call.name, self.name, match, remote_scope, first))
        listening = asyncio.create_task(_forward_messages(receive, transport, call))
        last = None
        try:
            while isinstance(said := await call.receive(), CallMessage):
                last = said.message["type"]
                await send(cast("Message", said.message))
            if listening.done():
                return True  # The client has disconnected.
            if last in ("websocket.accept", "websocket.send"):
                await send({"type": "websocket.close", "code": MOVED_CODE, "reason": ""})
            elif last is not None and not said.completed:
                # An incomplete body: the HTTP layer closes the connection.
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            return last is not None
        finally:
            listening.cancel()
            del self._calls[call.name]
            transport.send(owner, CallEnded(call.name, completed=True))

    # The owner's side.

    async def _serve(self, started: CallStarted) -> None:
        """Answer a request that another process has forwarded."""
        call = Call(started.back, started.call)
        self._calls[call.name] = call
        transport, whole = self._transport, False
        scope = {**started.scope, "state": {}, "extensions": {}}
        for pair in ("client", "server"):
            scope[pair] = tuple(scope[pair]) if scope.get(pair) else None
        scope["headers"] = [tuple(header) for header in scope["headers"]]
        gone = {"type": f"{scope['type']}.disconnect"} | (
            {"code": 1006} if scope["type"] == "websocket" else {}
        )

        async def hear() -> Any:
            said = await call.receive()
            if isinstance(said, CallMessage):
                return said.message
            call.put(said)
            return gone

        async def say(message: Message) -> None:
            transport.send(call.peer, CallMessage(call.name, cast("Asgi", message)))

        try:
            if await self.acquire(started.match):
                await self._app(cast("Scope", scope), _prepend(started.first, hear), say)
                whole = True
        except RequestError:
            pass  # It is not kept here any more: they will ask who does.
        except Exception:
            _log.exception("request of another process failed", match=started.match)
        finally:
            del self._calls[call.name]
            transport.send(call.peer, CallEnded(call.name, completed=whole))

    def _handle_message(self, message: RpcMessage) -> None:
        """Handle a message from another process."""
        match message:
            case CallStarted():
                self._spawn(self._serve(message))
            case CallMessage() | CallEnded():
                call = self._calls.get(message.call)
                if call is not None:
                    call.put(message)
            case ReloadMatch():
                self._spawn(self._open_matches.reload(message.match))
            case AccountDeleted():
                self._spawn(self._open_matches.erase_account_locally(message.account))
            case BlocksChanged():
                self._spawn(self._open_matches.update_blocks_locally(message.account))

    # Among the others.

    @property
    def _open_matches(self) -> MatchRegistry:
        assert self._registry is not None, "the application has begun"
        return self._registry

    @property
    def _queue(self) -> QuickPairing:
        assert self._pairing is not None, "the application has begun"
        return self._pairing

    def _open_ids(self) -> list[str]:
        """Return what this process has leased: its open matches, and perhaps the queue."""
        return [*self._open_matches.open_ids(), *self._queue.open_ids()]

    async def _run(self) -> None:
        """Stay connected to the other processes; reset after every broken connection."""
        while True:
            try:
                async with asyncio.TaskGroup() as working:
                    working.create_task(
                        self._transport.run_receiver(self._ready, self._handle_message)
                    )
                    working.create_task(self._transport.run_sender())
                    working.create_task(self._transport.run_peer_check(self._peer_names))
                    working.create_task(self._renew_leases())
                    working.create_task(self._resume_matches())
            except* (RedisError, OSError) as errors:
                _log.warning("others not reached", errors=[repr(e) for e in errors.exceptions])
            except* Exception:
                _log.exception("fan-out failed")
            self._reset()
            for match in self._open_ids():
                self._spawn(self._release(match))
            await asyncio.sleep(RETRY_SECONDS)

    async def _renew_leases(self) -> None:
        """Renew the leases of open matches, and release lost ones."""
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        while True:
            await asyncio.sleep(leases.RENEW_SECONDS)
            began = loop.time()
            # After a long pause, a match may have been lost and acquired again.
            late = began - renewed > leases.LEASE_SECONDS
            await self._transport.heartbeat()
            matches = self._open_ids()
            owners = await self._leases.acquire(matches)
            renewed = began
            self._owned_until = {
                match: until for match, until in self._owned_until.items() if until > began
            }
            for match, owner in zip(matches, owners, strict=True):
                if owner == self.name and not late:
                    self._owned_until[match] = began + leases.LEASE_SECONDS
                else:
                    _log.warning("match lost", match=match)
                    self._owned_until.pop(match, None)
                    self._spawn(self._release(match))
            while self._lost_matches:
                self._transport.send(BROADCAST, ReloadMatch(self._lost_matches.pop()))

    async def _resume_matches(self) -> None:
        """Acquire unowned matches periodically."""
        await self._ready.wait()
        while True:
            try:
                await self._open_matches.resume()
                self._resumed.set()
            except Exception:
                # The next time the database may answer again.
                _log.exception("matches not resumed")
            await asyncio.sleep(leases.LEASE_SECONDS / 2)

    async def _release(self, match: str) -> None:
        """Release a match that another process may own already.

        The last command here may still have come into its log, so the other is to look then.
        """
        if match == PAIRING_ID:
            self._queue.release()
            return
        await self._open_matches.release(match)
        self._lost_matches.add(match)

    def _peer_names(self) -> set[str]:
        return {call.peer for call in self._calls.values()}

    def _on_peer_lost(self, peer: str) -> None:
        """Handle the end of another process."""
        for call in self._calls.values():
            if call.peer == peer:
                call.abort()

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _forward_messages(receive: Receive, transport: Transport, call: Call) -> None:
    """Forward the client's messages until it disconnects."""
    message: Asgi = {"type": ""}
    while not message["type"].endswith(".disconnect"):
        message = await _receive(receive)
        transport.send(call.peer, CallMessage(call.name, message))


async def _receive(receive: Receive) -> Asgi:
    return cast("Asgi", await receive())


async def _receive_body(receive: Receive) -> Asgi:
    """Return a request's body, as one message; of one that is too long, enough to see that."""
    body, more = b"", True
    while more and len(body) <= MAX_BODY_BYTES:
        message: Any = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return {"type": "http.request", "body": body, "more_body": False}


class _Claim(msgspec.Struct):
    match: str


def _claimed_match(body: bytes) -> str | None:
    """Return the match whose seats are claimed; `None` if the claim is refused anyway."""
    try:
        match = msgspec.json.decode(body, type=_Claim).match
    except msgspec.DecodeError:
        return None
    return match if _MATCH_ID.fullmatch(match) else None


def _prepend(first: Asgi, receive: Callable[[], Awaitable[Any]]) -> Receive:
    """Receive a message again that was received already, and then the next ones."""
    waiting = [first]

    async def next_one() -> Any:
        return waiting.pop() if waiting else await receive()

    return next_one


async def _send_error(scope: Scope, send: Send, error: RequestError) -> None:
    """Reject a request; open a socket first, so that its client receives the code."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await send({"type": "websocket.close", "code": MOVED_CODE, "reason": error.code})
        return
    await send_error(scope, Headers.from_scope(scope), send, error)
