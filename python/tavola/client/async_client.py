"""The client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TypeVar

import httpx

from tavola.client import calls
from tavola.client.calls import (
    PASSED,
    TIMEOUT_SECONDS,
    Call,
    Seat,
    check_reconnectable,
    read_error,
)
from tavola.client.errors import ServerError
from tavola.client.feed import AccountFeed, Backoff, Feed, MatchFeed
from tavola.client.game import Game, NewGame, WaitingGame
from tavola.server.matches.command import Command
from tavola.server.matches.time_control import Time
from tavola.server.schema.account_stream import (
    AccountMessage,
    AccountStateMessage,
    GameStartMessage,
    GameTurnMessage,
)
from tavola.server.schema.accounts import AccountInfo
from tavola.server.schema.responses import ChatLine, MatchSummary

T = TypeVar("T")


class AsyncClient:
    """A program at a server, for one account.

    Args:
        address: The address of the server, such as `https://games.example`.
        token: The API token of the account.
    """

    def __init__(self, address: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        self._http = httpx.AsyncClient(base_url=address, headers=headers, timeout=TIMEOUT_SECONDS)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def account(self) -> AccountInfo:
        """Return the account.

        Raises:
            ServerError: `token-invalid`, `token-scope`.
        """
        info = (await self._call(calls.account())).account
        assert info is not None, "a wrong token is an error"
        return info

    async def games(self) -> AsyncGenerator[MatchSummary]:
        """Yield all games of the account, the latest first."""
        after: str | None = None
        while True:
            page = await self._call(calls.own_games(after))
            for summary in page.matches:
                yield summary
            if (after := page.more) is None:
                return

    async def lobby(self) -> tuple[WaitingGame, ...]:
        """Return the games that wait for a player."""
        return await self._call(calls.lobby())

    async def create(
        self,
        game: str,
        seats: Sequence[Seat] | None = None,
        *,
        options: dict[str, str | int] | None = None,
        time: Time | None = None,
        to: str | None = None,
        rated: bool = False,
        lobby: bool = False,
        confirm: bool = False,
    ) -> NewGame:
        """Create a game.

        Args:
            game: Its name.
            seats: By seat; default: the account's, and one by link.
            options: The options of the game.
            time: The time control.
            to: The name of a person to challenge; default: none.
            rated: Whether it counts for ratings.
            lobby: Whether to offer it in the lobby.
            confirm: Whether players confirm their turns.

        Raises:
            ServerError: As the server API says.
        """
        return await self._call(
            calls.create(
                game, seats, options, time, to=to, rated=rated, lobby=lobby, confirm=confirm
            )
        )

    async def accept(self, game: str) -> Game:
        """Take a seat and return the game.

        Args:
            game: The link to a seat, or the id of a game in the lobby or of a challenge.

        Raises:
            ServerError: `seat-taken`, `not-offered`, `bot-forbidden`, ...
        """
        match, call = calls.accept(game)
        try:
            await self._call(call)
        except ServerError as error:
            # A program that starts again has the seat already.
            if error.code != "seat-taken" or not (await self.game(match)).seats:
                raise
        return await self.game(match)

    async def withdraw(self, match: str) -> None:
        """Take an own game out of the lobby."""
        await self._call(calls.withdraw(match))

    async def decline(self, match: str) -> None:
        """Decline a challenge."""
        await self._call(calls.decline(match))

    async def game(self, match: str) -> Game:
        """Return a game as it is now."""
        return Game(await self._call(calls.game(match)))

    async def play(self, game: Game, token: str) -> Game:
        """Play an action, and return the game after it.

        Raises:
            ServerError: `illegal`, `stale`, ...
        """
        return await self.send(game, game.command("play", token))

    async def resign(self, game: Game) -> Game:
        """Resign, and return the game after it."""
        return await self.send(game, game.command("resign"))

    async def ask(self, game: Game, request: str) -> Game:
        """Send a request such as `draw` or `undo` to the other players."""
        return await self.send(game, game.command("ask", request))

    async def answer(self, game: Game, *, accept: bool) -> Game:
        """Answer the open request of another player."""
        return await self.send(game, game.command("accept" if accept else "decline"))

    async def send(self, game: Game, command: Command) -> Game:
        """Send a command, and return the game after it.

        Raises:
            ServerError: As the server API says.
        """
        return Game((await self._call(calls.send(game.id, command))).snapshot)

    async def chat(self, match: str) -> tuple[ChatLine, ...]:
        """Return the latest lines of the chat of a game."""
        return await self._call(calls.chat(match))

    async def say(self, game: Game, text: str) -> None:
        """Send a line to the chat of a game."""
        await self._call(calls.say(game.id, game.seats[0] if game.seats else 0, text))

    async def events(self) -> AsyncGenerator[AccountMessage]:
        """Yield the events of the account, and reconnect when the connection is lost.

        The first event, and that after each reconnection, is the state.

        Raises:
            ServerError: The server rejects the token.
        """
        feed: Feed[AccountMessage] = AccountFeed()
        async with aclosing(self._follow(feed)) as events:
            async for event in events:
                yield event

    async def watch(self, match: str) -> AsyncGenerator[Game]:
        """Yield a game after each of its events until it is over, and reconnect if necessary."""
        feed = MatchFeed(match)
        async with aclosing(self._follow(feed)) as games:
            async for game in games:
                yield game
                if feed.is_over:
                    return

    async def run(self, choose: Callable[[Game], str | Awaitable[str]]) -> None:
        """Play all games of the account side by side, for ever.

        Args:
            choose: Returns the action to play, from a game in which the account is to act.
        """
        playing: dict[str, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as tasks, aclosing(self.events()) as events:
            async for event in events:
                match event:
                    case AccountStateMessage(games=games):
                        ids = [summary.match for summary in games]
                    case GameStartMessage(game=summary) | GameTurnMessage(game=summary):
                        ids = [summary.match]
                    case _:
                        ids = []
                for match in ids:
                    if match not in playing:
                        playing[match] = tasks.create_task(self._play(match, choose))
                playing = {match: task for match, task in playing.items() if not task.done()}

    async def _play(self, match: str, choose: Callable[[Game], str | Awaitable[str]]) -> None:
        """Play a game to its end."""
        async with aclosing(self.watch(match)) as games:
            async for game in games:
                command = game.duty
                if command is None and game.is_my_turn:
                    chosen = choose(game)
                    token = chosen if isinstance(chosen, str) else await chosen
                    command = game.command("play", token)
                if command is not None:
                    try:
                        await self.send(game, command)
                    except ServerError as error:
                        # The game has continued: its next moment comes.
                        if error.code not in PASSED:
                            raise

    async def _call(self, call: Call[T]) -> T:
        backoff = Backoff()
        while True:
            try:
                response = await self._http.send(call.request(self._http))
                return call.read(response.status_code, response.content)
            except (httpx.TransportError, ServerError) as error:
                call.check_repeatable(self._http, error, backoff.failures)
            await asyncio.sleep(backoff.next())

    async def _follow(self, feed: Feed[T]) -> AsyncGenerator[T]:
        """Yield what a stream sends, over as many connections as it takes."""
        backoff = Backoff()
        while True:
            try:
                async with self._http.stream("GET", feed.path, params=feed.params) as response:
                    if response.status_code >= 400:
                        raise read_error(feed.path, response.status_code, await response.aread())
                    async for line in response.aiter_lines():
                        backoff.reset()
                        if (message := feed.read(line)) is not None:
                            yield message
            except (httpx.TransportError, ServerError) as error:
                check_reconnectable(error)
            await asyncio.sleep(backoff.next())
