"""`tavola play`: a game in the terminal, against other players or engines."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from rich.console import Console
from rich.table import Table

import tavola
from tavola import view as views
from tavola.cli.board import Painter, painter
from tavola.cli.errors import engine_errors
from tavola.cli.locales import Translator
from tavola.cli.parameters import WholeNumber
from tavola.cli.signals import TimeIsUp, time_limit
from tavola.server import games
from tavola.view import View

T = TypeVar("T")

_TIMEOUT_ENGINE = "auto:seconds=0.05"
"""Plays the rest of a turn whose time is up."""


@dataclass(frozen=True, slots=True)
class _Quit(Exception):
    """The player quits the game."""


class Play:
    """A game at the terminal.

    Args:
        translate: The language of messages.
        game: The name of the game.
        options: The options of the game.
        engines: The seats of engines, as given: `SEAT`, or `SEAT=ENGINE`.
        seconds: The thinking time of an engine without a specification per action, in seconds.
        turn: The seconds that a player has for a turn; `None` for unlimited time.
        seed: The random seed of chance and the engines; `None` for a random one.

    Raises:
        BadValue: If a seat does not exist.
        UsageError: If an engine does not exist.
        RequestError: For an unknown game, option or value.
    """

    def __init__(
        self,
        translate: Translator,
        game: str,
        *,
        options: dict[str, str],
        engines: list[str],
        seconds: float,
        turn: int | None,
        seed: int | None,
    ) -> None:
        self._translate = translate
        self._name = game
        self._seed = secrets.randbits(62) if seed is None else seed
        self._match = tavola.Match(games.load(game, options), seed=self._seed)
        default = f"auto:seconds={seconds}"
        self._engines = dict(self._parse_engine(text, default) for text in engines)
        self._acted: list[int] = []
        self._turn_seconds = turn
        # The turn whose time runs, and when it is up.
        self._timed: tuple[int | None, int] | None = None
        self._time_up = 0.0
        self._console = Console(highlight=False, markup=False)
        self._painter: Painter = painter(
            game, translate.language, unicode=self._console.encoding.startswith("utf")
        )

    def run(self) -> int:
        """Play until the game is over or the player quits.

        Returns:
            The exit code.
        """
        with ExitStack() as stack:
            for engine in self._engines.values():
                stack.enter_context(engine)
            return self._run()

    def _parse_engine(self, given: str, default: str) -> tuple[int, tavola.Engine]:
        """Parse `SEAT`, or `SEAT=ENGINE`."""
        translate, game = self._translate, self._match.game
        number, _, specification = given.partition("=")
        seat = WholeNumber("--engine", 0, game.seats - 1, "valid.seat")(number)
        with engine_errors(translate):
            return seat, tavola.engine(specification or default, game)

    def _run(self) -> int:
        self._console.print(self._translate("play.intro"), style="dim")
        try:
            for played in self._engines:
                self._begin(played)
            while (seat := self._match.state.to_act) is not None:
                if seat in self._engines:
                    self._think(seat)
                else:
                    self._show()
                    try:
                        self._turn()
                    except TimeIsUp:
                        self._finish_turn()
        except (_Quit, EOFError):
            self._console.print(self._translate("play.abandoned"))
            return 0
        self._show()
        return 0

    def _view(self) -> View:
        return views.view(self._match.state, self._match.state.to_act)

    def _seat(self, seat: int) -> str:
        return self._painter.say(self._view().seats[seat].name)

    def _show(self) -> None:
        view = self._view()
        names = tuple(self._engine_name(seat.seat) for seat in view.seats)
        self._console.print()
        self._console.print(self._painter.board(view))
        self._console.print(self._painter.seats(view, names))
        if legend := self._painter.legend(view):
            self._console.print(legend)
        if view.outcome is None:
            self._console.print(self._painter.say(view.prompt), style="bold")
            self._console.print(self._actions(view))
        else:
            winners = ", ".join(self._seat(seat) for seat in view.outcome.winners)
            won = (
                self._translate("play.wins", seat=winners)
                if winners
                else self._translate("play.draw")
            )
            self._console.print(won, style="bold")
            self._console.print(self._painter.say(view.outcome.text))

    def _actions(self, view: View) -> Table:
        table = Table.grid(padding=(0, 2))
        for number, action in enumerate(view.actions, start=1):
            warning = "" if action.warning is None else self._painter.say(action.warning)
            table.add_row(f"{number}", action.token, self._painter.say(action.label), warning)
        return table

    def _turn(self) -> None:
        """Ask for input until an action is played or undone."""
        while True:
            seat = self._match.state.to_act
            assert seat is not None
            prompt = self._translate("play.choose", seat=self._seat(seat))
            given = self._timed_input(f"{prompt} ").strip()
            match given.lower():
                case "":
                    continue
                case "?" | "h":
                    self._console.print(self._translate("play.help"))
                case "a":
                    self._console.print(self._actions(self._view()))
                case "b":
                    self._show()
                case "p":
                    self._console.print(self._match.state.text, soft_wrap=True)
                case "s":
                    self._console.print(self._match.record, soft_wrap=True)
                case "q":
                    raise _Quit
                case "r":
                    if self._resigns(seat):
                        raise _Quit
                case "u":
                    if self._undo():
                        return
                case _:
                    if self._play(given):
                        return

    def _present_turn(self) -> tuple[int | None, int]:
        view = self._view()
        return view.to_act, view.turn

    def _timed_input(self, prompt: str) -> str:
        """Ask for input within the time of the turn.

        Raises:
            TimeIsUp: If the time is up.
        """
        if self._turn_seconds is None:
            return self._console.input(prompt)
        if (turn := self._present_turn()) != self._timed:
            self._timed, self._time_up = turn, time.monotonic() + self._turn_seconds
        given = ""
        with time_limit(self._time_up - time.monotonic()):
            given = self._console.input(prompt)
        if time.monotonic() >= self._time_up:
            raise TimeIsUp
        return given

    def _finish_turn(self) -> None:
        """Play the rest of a turn whose time is up."""
        self._console.print()
        self._console.print(self._translate("play.time-up"), style="yellow")
        with tavola.engine(_TIMEOUT_ENGINE, self._match.game) as engine:
            engine.new_game(self._seed)
            while self._present_turn() == self._timed:
                self._act(engine.choose(self._match.state).token)

    def _play(self, given: str) -> bool:
        actions = self._view().actions
        token = given
        if given.isascii() and given.isdigit():
            if not 1 <= int(given[:9]) <= len(actions):
                return self._not_understood(given, len(actions))
            token = actions[int(given) - 1].token
        else:
            # Upper case is optional where it makes no difference.
            same = [action.token for action in actions if action.token.lower() == given.lower()]
            token = same[0] if len(same) == 1 and given not in same else given
        try:
            self._act(token)
        except tavola.IllegalAction as error:
            refusal = views.refusal(error)
            if refusal is None:
                return self._not_understood(given, len(actions))
            clause = self._translate("play.clause", clause=refusal.clause)
            self._console.print(f"{self._painter.say(refusal.text)} {clause}", style="yellow")
            return False
        return True

    def _act(self, token: str) -> None:
        """Play an action and print its events.

        Raises:
            IllegalAction: If the action is illegal.
        """
        state = self._match.state
        self._match.play(token)
        assert state.to_act is not None
        self._acted.append(state.to_act)
        texts = [
            self._painter.say(event.text) for event in views.events(state, token) if event.text
        ]
        self._console.print(*(f"  {line}" for line in texts), sep="\n", style="italic")

    def _not_understood(self, given: str, count: int) -> bool:
        shown = given if len(given) <= 40 else f"{given[:40]}..."
        line = self._translate("play.not-understood", given=shown, count=count)
        self._console.print(line, style="yellow")
        return False

    def _undo(self) -> bool:
        """Undo the last action of a person and the actions of engines after it."""
        acted = [place for place, seat in enumerate(self._acted) if seat not in self._engines]
        if not acted:
            self._console.print(self._translate("play.nothing-to-undo"), style="yellow")
            return False
        for _ in self._acted[acted[-1] :]:
            self._match.undo()
        del self._acted[acted[-1] :]
        self._console.print(self._translate("play.undone"))
        return True

    def _resigns(self, seat: int) -> bool:
        answer = self._console.input(self._translate("play.confirm-resign") + " ").strip().lower()
        if answer != self._translate("play.yes"):
            return False
        self._console.print(self._translate("play.resigned", seat=self._seat(seat)), style="bold")
        return True

    def _engine_name(self, seat: int) -> str:
        """Return the name of an engine in a table; empty for a person."""
        engine = self._engines.get(seat)
        if engine is None:
            return ""
        kind, _, rest = engine.text.partition(":")
        return rest.rpartition(":")[2] if kind == "python" else self._translate("play.engine")

    def _begin(self, seat: int) -> None:
        self._attempt(lambda: self._engines[seat].new_game(self._seed + seat))

    def _think(self, seat: int) -> None:
        state = self._match.state
        with self._console.status(self._translate("play.thinking", seat=self._seat(seat))):
            choice = self._attempt(lambda: self._engines[seat].choose(state))
        self._act(choice.token)

    def _attempt(self, what: Callable[[], T]) -> T:
        """Ask an engine; while it fails, show why and let it try again."""
        while True:
            try:
                return what()
            except tavola.EngineFailed as error:
                for line in (error.output, self._translate.translate_part(error)):
                    self._console.print(line, style="yellow", soft_wrap=True)
                retry = self._translate("play.retry")
                if self._console.input(f"{retry} ").strip().lower() == "q":
                    raise _Quit from None
