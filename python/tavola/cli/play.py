"""`tavola play`: a game in the terminal, against other players or engines."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

import tavola
from tavola import view as views
from tavola.cli.board import Painter, painter
from tavola.cli.errors import parse_whole_number
from tavola.cli.locales import Translator
from tavola.server.schema import games
from tavola.view import View


@dataclass(frozen=True, slots=True)
class _Quit(Exception):
    """The player quits the game."""


class Play:
    """A game at the terminal.

    Args:
        translate: The language of messages.
        game: The name of the game.
        options: The options of the game.
        engines: The seats of the engine, as given.
        seconds: The thinking time of the engine per action, in seconds.
        seed: The random seed of chance and the engine; `None` for a random one.

    Raises:
        UsageError: If a seat does not exist.
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
        seed: int | None,
    ) -> None:
        self._translate = translate
        self._name = game
        self._seed = secrets.randbits(62) if seed is None else seed
        self._match = tavola.Match(games.load(game, options), seed=self._seed)
        seats = self._match.game.seats
        valid = translate("valid.seat", last=seats - 1)
        self._engines = {
            parse_whole_number(translate, "--engine", seat, 0, seats - 1, valid) for seat in engines
        }
        self._seconds = seconds
        self._acted: list[int] = []
        self._console = Console(highlight=False, markup=False)
        self._painter: Painter = painter(
            game, translate.language, unicode=self._console.encoding.startswith("utf")
        )

    def run(self) -> int:
        """Play until the game is over or the player quits.

        Returns:
            The exit code.
        """
        self._console.print(self._translate("play.intro"), style="dim")
        try:
            while (seat := self._match.state.to_act) is not None:
                if seat in self._engines:
                    self._think(seat)
                else:
                    self._show()
                    self._turn()
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
        engine = self._translate("play.engine")
        names = tuple(engine if seat.seat in self._engines else "" for seat in view.seats)
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
            given = self._console.input(f"{prompt} ").strip()
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

    def _think(self, seat: int) -> None:
        state = self._match.state
        with self._console.status(self._translate("play.thinking", seat=self._seat(seat))):
            seed = self._seed + len(self._match.actions)
            best = tavola.search(state, seconds=self._seconds, seed=seed, choose=True).best
        assert best is not None, "a seat is to act"
        self._act(best)
