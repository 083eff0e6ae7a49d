"""Several processes behind one address: every request comes to the process that keeps its match.

A match is kept by one process at a time (`leases.py`): its table is open there and nowhere else, so
commands, clocks, engines, chat and presence are as with a single process. Whoever comes to another
process is brought there (`talks.py`). When a process dies, its leases run out and others go on from
the log, as after a restart.
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
    EVERYBODY,
    Asgi,
    Begin,
    End,
    Forget,
    Letter,
    Look,
    Post,
    Said,
    Talk,
)
from tavola.server.http.security_middleware import refuse
from tavola.server.live.match_registry import Tables
from tavola.server.ops.rate_limits import BODY
from tavola.server.schema.errors import Refused

_log = structlog.get_logger("tavola.fan-out")

CONNECTIONS = 16
"""How many connections to Redis a process has at most."""

AGAIN = 1.0
"""Seconds after which Redis is tried again."""

PATIENCE = leases.SECONDS + 2.0
"""How many seconds somebody waits for a match whose process does not answer."""

GOING = 1012
"""The code with which a socket is closed that has to come back."""

_NAME = re.compile(r"[A-Za-z0-9_-]{12}")
_MATCH = re.compile(rf"/api/(?:matches|lobby)/({_NAME.pattern})(?:/.*)?")
_CLAIM = "/api/account/seats"
_OWN = ("state", "extensions")
"""What in a request's scope is of this process."""


class FanOut:
    """ASGI middleware that brings everybody to the process that keeps their match.

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
        self._tables: Tables | None = None
        self._living: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._talks: dict[str, Talk] = {}
        self._lost: set[str] = set()
        self._resumed = asyncio.Event()
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Nobody knows this process yet, and it keeps nothing."""
        self.name = secrets.token_urlsafe(6)
        self._leases = Leases(self._redis, self.name)
        self._post = Post(self._redis, self.name, self._gone)
        # Until when a match is known to be one's own.
        self._own: dict[str, float] = {}
        self._ready = asyncio.Event()
        for talk in self._talks.values():
            talk.break_off()

    @property
    def connected(self) -> bool:
        """Whether this process can reach the others."""
        return self._ready.is_set()

    def begin(self, tables: Tables) -> None:
        """Joins the other processes, and stays with them until `end`."""
        self._tables = tables
        self._living = asyncio.create_task(self._live())

    async def resumed(self) -> None:
        """Returns when this process has looked for the first time for what nobody keeps."""
        await self._resumed.wait()

    async def end(self) -> None:
        """Leaves its matches to the others."""
        ending = [*self._tasks] if self._living is None else [*self._tasks, self._living]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        if self.connected:
            try:
                await self._leases.release([*self._own, *self._kept.ids()])
            except (RedisError, OSError):
                _log.warning("leases left to run out")
        await self._redis.aclose()

    async def keep(self, match: str) -> bool:
        """Takes a match if nobody else keeps it.

        Returns:
            Whether this process keeps it now.

        Raises:
            Refused: `apart`.
        """
        return await self._keeper(match) == self.name

    def forget(self, account: str) -> None:
        """Tells all processes that an account has been deleted."""
        self._post.send(EVERYBODY, Forget(account))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request here, or where its match is kept."""
        kind: str = scope["type"]
        match, first = None, None
        if kind != "lifespan":
            found = _MATCH.fullmatch(scope["path"])
            match = found[1] if found else None
            if kind == "http" and scope["path"] == _CLAIM:
                first = await _body(receive)
                match = _claimed(first["body"])
        try:
            if match is not None and not await self.keep(match):
                if first is None:
                    first = await (_body(receive) if kind == "http" else _next(receive))
                if await self._bring(scope, match, first, receive, send):
                    return
        except Refused as error:
            await _refuse(scope, send, error)
            return
        await self._app(scope, receive if first is None else _after(first, receive), send)

    # As the one to whom somebody has come.

    async def _keeper(self, match: str) -> str:
        now = asyncio.get_running_loop().time()
        if self._own.get(match, 0.0) > now:
            return self.name
        if not self.connected:
            raise Refused("apart")
        name = self.name
        try:
            (keeper,) = await self._leases.take([match])
        except (RedisError, OSError) as error:
            raise Refused("apart") from error
        if name != self.name:
            raise Refused("apart")
        if keeper == name:
            self._own[match] = now + leases.SECONDS
        return keeper

    async def _bring(
        self, scope: Scope, match: str, first: Asgi, receive: Receive, send: Send
    ) -> bool:
        """Brings somebody to whoever keeps the match, as often as that is another.

        Returns:
            Whether they were answered; if not, this process keeps the match now.

        Raises:
            Refused: `apart`, if whoever should keep it does not answer.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while loop.time() < until:
            keeper = await self._keeper(match)
            if keeper == self.name:
                return False
            if await self._talk(keeper, scope, match, first, receive, send):
                return True
            await asyncio.sleep(0.1)
        raise Refused("apart")

    async def _talk(
        self, keeper: str, scope: Scope, match: str, first: Asgi, receive: Receive, send: Send
    ) -> bool:
        """Brings somebody to whoever should keep the match; `False`: there was no answer."""
        talk = Talk(keeper)
        self._talks[talk.name] = talk
        post = self._post
        told = {name: value for name, value in scope.items() if name not in _OWN}
        post.send(keeper, Begin(talk.name, self.name, match, told, first))
        listening = asyncio.create_task(_pass_on(receive, post, talk))
        last = None
        try:
            while isinstance(said := await talk.hear(), Said):
                last = said.message["type"]
                await send(cast("Message", said.message))
            if listening.done():
                return True  # Nobody is there to be answered.
            if last in ("websocket.accept", "websocket.send"):
                await send({"type": "websocket.close", "code": GOING, "reason": ""})
            elif last is not None and not said.whole:
                # Shorter than was said: the server below cuts the connection.
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            return last is not None
        finally:
            listening.cancel()
            del self._talks[talk.name]
            post.send(keeper, End(talk.name, whole=True))

    # As the one who keeps the match.

    async def _serve(self, begin: Begin) -> None:
        """Answers somebody who has come to another process."""
        talk = Talk(begin.back, begin.talk)
        self._talks[talk.name] = talk
        post, whole = self._post, False
        scope = {**begin.scope, "state": {}, "extensions": {}}
        for pair in ("client", "server"):
            scope[pair] = tuple(scope[pair]) if scope.get(pair) else None
        scope["headers"] = [tuple(header) for header in scope["headers"]]
        gone = {"type": f"{scope['type']}.disconnect"} | (
            {"code": 1006} if scope["type"] == "websocket" else {}
        )

        async def hear() -> Any:
            said = await talk.hear()
            if isinstance(said, Said):
                return said.message
            talk.put(said)
            return gone

        async def say(message: Message) -> None:
            post.send(talk.peer, Said(talk.name, cast("Asgi", message)))

        try:
            if await self.keep(begin.match):
                await self._app(cast("Scope", scope), _after(begin.first, hear), say)
                whole = True
        except Refused:
            pass  # It is not kept here any more: they will ask who does.
        except Exception:
            _log.exception("request of another process failed", match=begin.match)
        finally:
            del self._talks[talk.name]
            post.send(talk.peer, End(talk.name, whole=whole))

    def _take(self, letter: Letter) -> None:
        """Takes a letter of another process."""
        match letter:
            case Begin():
                self._do(self._serve(letter))
            case Said() | End():
                talk = self._talks.get(letter.talk)
                if talk is not None:
                    talk.put(letter)
            case Look():
                self._do(self._kept.look_again(letter.match))
            case Forget():
                self._do(self._kept.forget_here(letter.account))

    # Among the others.

    @property
    def _kept(self) -> Tables:
        assert self._tables is not None, "the application has begun"
        return self._tables

    async def _live(self) -> None:
        """Stays in touch with the others; whenever that was broken, begins anew."""
        while True:
            try:
                async with asyncio.TaskGroup() as working:
                    working.create_task(self._post.receive(self._ready, self._take))
                    working.create_task(self._post.bring())
                    working.create_task(self._post.look(self._peers))
                    working.create_task(self._renew())
                    working.create_task(self._resume())
            except* (RedisError, OSError) as errors:
                _log.warning("others not reached", errors=[repr(e) for e in errors.exceptions])
            except* Exception:
                _log.exception("fan-out failed")
            self._begin_anew()
            for match in self._kept.ids():
                self._do(self._give_up(match))
            await asyncio.sleep(AGAIN)

    async def _renew(self) -> None:
        """Renews the leases of the tables that are open, and closes those that are lost."""
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        while True:
            await asyncio.sleep(leases.RENEWED)
            began = loop.time()
            # Who was held up for so long may have lost a match and found it again.
            late = began - renewed > leases.SECONDS
            await self._post.live()
            matches = self._kept.ids()
            keepers = await self._leases.take(matches)
            renewed = began
            self._own = {match: until for match, until in self._own.items() if until > began}
            for match, keeper in zip(matches, keepers, strict=True):
                if keeper == self.name and not late:
                    self._own[match] = began + leases.SECONDS
                else:
                    _log.warning("match lost", match=match)
                    self._own.pop(match, None)
                    self._do(self._give_up(match))
            while self._lost:
                self._post.send(EVERYBODY, Look(self._lost.pop()))

    async def _resume(self) -> None:
        """Takes up again and again what nobody keeps any more."""
        await self._ready.wait()
        while True:
            try:
                await self._kept.resume()
                self._resumed.set()
            except Exception:
                # The next time the database may answer again.
                _log.exception("matches not resumed")
            await asyncio.sleep(leases.SECONDS / 2)

    async def _give_up(self, match: str) -> None:
        """Closes the table of a match that another process may keep already.

        The last command here may still have come into its log, so the other is to look then.
        """
        await self._kept.give_up(match)
        self._lost.add(match)

    def _peers(self) -> set[str]:
        return {talk.peer for talk in self._talks.values()}

    def _gone(self, peer: str) -> None:
        """A process is not there any more."""
        for talk in self._talks.values():
            if talk.peer == peer:
                talk.break_off()

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _pass_on(receive: Receive, post: Post, talk: Talk) -> None:
    """Passes on what somebody says until they have gone."""
    message: Asgi = {"type": ""}
    while not message["type"].endswith(".disconnect"):
        message = await _next(receive)
        post.send(talk.peer, Said(talk.name, message))


async def _next(receive: Receive) -> Asgi:
    return cast("Asgi", await receive())


async def _body(receive: Receive) -> Asgi:
    """A request's body, as one message; of one that is too long, enough to see that."""
    body, more = b"", True
    while more and len(body) <= BODY:
        message: Any = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return {"type": "http.request", "body": body, "more_body": False}


class _Claim(msgspec.Struct):
    match: str


def _claimed(body: bytes) -> str | None:
    """The match whose seats are claimed; `None` if the claim is refused anyway."""
    try:
        match = msgspec.json.decode(body, type=_Claim).match
    except msgspec.DecodeError:
        return None
    return match if _NAME.fullmatch(match) else None


def _after(first: Asgi, receive: Callable[[], Awaitable[Any]]) -> Receive:
    """Receives a message that was received already, and then what comes."""
    waiting = [first]

    async def next_one() -> Any:
        return waiting.pop() if waiting else await receive()

    return next_one


async def _refuse(scope: Scope, send: Send, error: Refused) -> None:
    """Refuses a request; a socket is opened first, so that its client learns the code."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await send({"type": "websocket.close", "code": GOING, "reason": error.code})
        return
    await refuse(scope, Headers.from_scope(scope), send, error)
