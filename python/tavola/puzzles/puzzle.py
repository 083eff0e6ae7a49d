"""Puzzles as data: `games/<game>/puzzles.json`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct

from tavola import _core
from tavola.errors import shortened
from tavola.lessons import Words

__all__ = [
    "THEMES",
    "Goal",
    "LaterTurn",
    "Puzzle",
    "PuzzleError",
    "PuzzleFile",
    "Try",
    "parse",
    "puzzle_file",
]

THEMES = ("win-1", "win-2", "win-3", "secure", "save", "best")
"""The themes of all games: win in one to three turns, make a win certain before the last turn, the
only turn that saves, the best turn."""

_ID = re.compile("[0-9a-f]{6}")


class PuzzleError(ValueError):
    """A file of puzzles does not follow the format or the rules."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A theme of one game: bring a counter as far as possible within one turn.

    With `cost`, several turns bring the counter as far, and one of them alone is the cheapest.

    Attributes:
        id: The id of the theme: lower case letters.
        counter: The id of a counter of the player, such as the points.
        sign: 1 for the highest value, -1 for the lowest.
        gain: The least change of the counter that makes a puzzle.
        title: The name of the theme.
        task: The task, with `cost` with the parameter `{aim}`.
        done: The answer to the solution.
        wrong: The answer to other turns, with the parameters `{value}` and `{best}`.
        cost: The weights of the counters that a turn spends, by their ids; empty if none counts.
    """

    id: str
    counter: str
    sign: int
    gain: int
    title: Words
    task: Words
    done: Words
    wrong: Words
    cost: Mapping[str, int] = {}


class Try(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A plausible wrong turn.

    Attributes:
        play: The actions of the player, separated by spaces.
        reply: The actions of the opponent that refute it, separated by spaces.
        loses: Whether the opponent then has a forced win.
        value: The value of the player after it: the win chance in percent, the gain of the counter
            or the cost; `None` for the other themes.
    """

    play: str
    reply: str = ""
    loses: bool = False
    value: int | None = None


class LaterTurn(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A later turn of the player.

    Attributes:
        reply: The actions of the opponent before it: the longest defence.
        accept: The turns that still win in time, one line of actions for each resulting position.
    """

    reply: str
    accept: tuple[str, ...]


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle: a position with one best turn.

    Attributes:
        id: Six hexadecimal digits, unique in the game.
        theme: One of `THEMES`, or the id of a goal.
        level: The lowest engine level that finds the solution reliably, from 1 to 8.
        trials: The number of tries of each level by which `level` was measured; 0 for the few of
            the generator.
        position: The position as text.
        seat: The seat of the player.
        play: The actions of the solution, separated by spaces. Other actions that lead to the same
            position are solutions too.
        plies: The number of actions of the exhaustive proof; 0 if a search confirmed the puzzle.
        nodes: The nodes of the search that confirmed the puzzle; 0 for an exhaustive proof.
        value: The value of the solution: the win chance in percent, the gain of the counter or the
            cost; `None` for the other themes.
        aim: The gain of the counter at this cost; `None` for other themes.
        later: The later turns of the player.
        wrong: The plausible wrong turns.
        options: The options of the game that differ from the defaults, as in a record.
    """

    id: str
    theme: str
    level: int
    position: str
    seat: int
    play: str
    trials: int = 0
    plies: int = 0
    nodes: int = 0
    value: int | None = None
    aim: int | None = None
    later: tuple[LaterTurn, ...] = ()
    wrong: tuple[Try, ...] = ()
    options: str = ""


class PuzzleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzles of a game.

    Attributes:
        goals: The themes of this game alone.
        puzzles: The puzzles.
    """

    goals: tuple[Goal, ...] = ()
    puzzles: tuple[Puzzle, ...] = ()

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes that a puzzle of the file may have."""
        return (*THEMES, *(goal.id for goal in self.goals))

    def goal(self, theme: str) -> Goal | None:
        """Return the goal of a theme, or `None` for a theme of all games."""
        return next((goal for goal in self.goals if goal.id == theme), None)

    def dump(self) -> bytes:
        """Return the file as JSON, with one goal or puzzle a line."""
        goals = b",\n".join(map(msgspec.json.encode, self.goals))
        puzzles = b",\n".join(map(msgspec.json.encode, self.puzzles))
        return b'{"goals": [\n' + goals + b'\n],\n"puzzles": [\n' + puzzles + b"\n]}\n"


def parse(text: str | bytes) -> PuzzleFile:
    """Parse a file of puzzles.

    Args:
        text: The JSON of the file.

    Returns:
        The puzzles.

    Raises:
        PuzzleError: If it is no JSON, a field is missing, unknown or of another type, or an id or
            a theme is wrong.
    """
    try:
        file = msgspec.json.decode(text, type=PuzzleFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PuzzleError(f"not a file of puzzles: {error}") from error
    for puzzle in file.puzzles:
        named = shortened(puzzle.id)
        if not _ID.fullmatch(puzzle.id):
            raise PuzzleError(f"puzzle {named!r}: its id is not six hexadecimal digits")
        if puzzle.theme not in file.themes:
            known = ", ".join(file.themes)
            theme = shortened(puzzle.theme)
            raise PuzzleError(f"puzzle {named}: unknown theme {theme!r}; themes: {known}")
        if not 1 <= puzzle.level <= 8:
            raise PuzzleError(f"puzzle {named}: level {puzzle.level} is not from 1 to 8")
    counted = Counter(puzzle.id for puzzle in file.puzzles)
    if twice := [name for name, count in counted.items() if count > 1]:
        raise PuzzleError(f"two puzzles have the id {twice[0]}")
    return file


def puzzle_file(game: str) -> PuzzleFile:
    """Return the puzzles and goals of a game.

    Args:
        game: The name of the game.

    Raises:
        tavola.UnknownGame: If there is no such game.
    """
    return _file(game, _core._registrations())


@cache
def _file(game: str, registrations: int) -> PuzzleFile:
    text = _core._puzzles(game)
    return parse(text) if text else PuzzleFile()
