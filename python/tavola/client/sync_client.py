"""The client that blocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
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


class Client:
    """A program at a server, for one account.

    Args:
        address: The address of the server, such as `https://games.example`.
        token: The API token of the account.
    """

    def __init__(self, address: str, token: str) -> None:
        headers = {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=address, headers=headers, timeout=TIMEOUT_SECONDS)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def account(self) -> AccountInfo:
        """Return the account.

        Raises:
            ServerError: `token-invalid`, `token-scope`.
        """
        info = self._call(calls.account()).account
        assert info is not None, "a wrong token is an error"
        return info

    def games(self) -> Iterator[MatchSummary]:
        """Yield all games of the account, the latest first."""
        after: str | None = None
        while True:
            page = self._call(calls.own_games(after))
            yield from page.matches
            if (after := page.more) is None:
                return

    def lobby(self) -> tuple[WaitingGame, ...]:
        """Return the games that wait for a player."""
        return self._call(calls.lobby())

    def create(
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
        return self._call(
            calls.create(
                game, seats, options, time, to=to, rated=rated, lobby=lobby, confirm=confirm
            )
        )

    def accept(self, game: str) -> Game:
        """Take a seat and return the game.

        Args:
            game: The link to a seat, or the id of a game in the lobby or of a challenge.

        Raises:
            ServerError: `seat-taken`, `not-offered`, `bot-forbidden`, ...
        """
        match, call = calls.accept(game)
        try:
            self._call(call)
        except ServerError as error:
            # A program that starts again has the seat already.
            if error.code != "seat-taken" or not self.game(match).seats:
                raise
        return self.game(match)

    def withdraw(self, match: str) -> None:
        """Take an own game out of the lobby."""
        self._call(calls.withdraw(match))

    def decline(self, match: str) -> None:
        """Decline a challenge."""
        self._call(calls.decline(match))

    def game(self, match: str) -> Game:
        """Return a game as it is now."""
        return Game(self._call(calls.game(match)))

    def play(self, game: Game, token: str) -> Game:
        """Play an action, and return the game after it.

        Raises:
            ServerError: `illegal`, `stale`, ...
        """
        return self.send(game, game.command("play", token))

    def resign(self, game: Game) -> Game:
        """Resign, and return the game after it."""
        return self.send(game, game.command("resign"))

    def ask(self, game: Game, request: str) -> Game:
        """Send a request such as `draw` or `undo` to the other players."""
        return self.send(game, game.command("ask", request))

    def answer(self, game: Game, *, accept: bool) -> Game:
        """Answer the open request of another player."""
        return self.send(game, game.command("accept" if accept else "decline"))

    def send(self, game: Game, command: Command) -> Game:
        """Send a command, and return the game after it.

        Raises:
            ServerError: As the server API says.
        """
        return Game(self._call(calls.send(game.id, command)).snapshot)

    def chat(self, match: str) -> tuple[ChatLine, ...]:
        """Return the latest lines of the chat of a game."""
        return self._call(calls.chat(match))

    def say(self, game: Game, text: str) -> None:
        """Send a line to the chat of a game."""
        self._call(calls.say(game.id, game.seats[0] if game.seats else 0, text))

    def events(self) -> Iterator[AccountMessage]:
        """Yield the events of the account, and reconnect when the connection is lost.

        The first event, and that after each reconnection, is the state.

        Raises:
            ServerError: The server rejects the token.
        """
        feed: Feed[AccountMessage] = AccountFeed()
        yield from self._follow(feed)

    def watch(self, match: str) -> Iterator[Game]:
        """Yield a game after each of its events until it is over, and reconnect if necessary."""
        feed = MatchFeed(match)
        for game in self._follow(feed):
            yield game
            if feed.is_over:
                return

    def run(self, choose: Callable[[Game], str]) -> None:
        """Play all games of the account, for ever.

        Args:
            choose: Returns the action to play, from a game in which the account is to act.
        """
        for event in self.events():
            match event:
                case AccountStateMessage(games=games):
                    for summary in games:
                        self._act(summary.match, choose)
                case GameStartMessage(game=summary) | GameTurnMessage(game=summary):
                    self._act(summary.match, choose)

    def _act(self, match: str, choose: Callable[[Game], str]) -> None:
        """Play in a game as long as the account is to act."""
        try:
            game = self.game(match)
            while (command := game.duty) is not None or game.is_my_turn:
                game = self.send(game, command or game.command("play", choose(game)))
        except ServerError as error:
            # The game has continued: its next event comes.
            if error.code not in PASSED:
                raise

    def _call(self, call: Call[T]) -> T:
        backoff = Backoff()
        while True:
            try:
                response = self._http.send(call.request(self._http))
                return call.read(response.status_code, response.content)
            except (httpx.TransportError, ServerError) as error:
                call.check_repeatable(self._http, error, backoff.failures)
            time.sleep(backoff.next())

    def _follow(self, feed: Feed[T]) -> Iterator[T]:
        """Yield what a stream sends, over as many connections as it takes."""
        backoff = Backoff()
        while True:
            try:
                with self._http.stream("GET", feed.path, params=feed.params) as response:
                    if response.status_code >= 400:
                        raise read_error(feed.path, response.status_code, response.read())
                    for line in response.iter_lines():
                        backoff.reset()
                        if (message := feed.read(line)) is not None:
                            yield message
            except (httpx.TransportError, ServerError) as error:
                check_reconnectable(error)
            time.sleep(backoff.next())
