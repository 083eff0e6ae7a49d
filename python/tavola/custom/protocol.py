"""The contract of games written in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from tavola.custom.board import Board

__all__ = ["GameRules", "GameState", "Outcome", "Piece"]


class Piece(NamedTuple):
    """A piece on a cell; a plain tuple of the same three values will do.

    Attributes:
        cell: The id of its cell.
        symbol: The letter or other short text on it, one of the game's `symbols`.
        seat: The seat that owns it, or None.
    """

    cell: str
    symbol: str = ""
    seat: int | None = None


class Outcome(NamedTuple):
    """The outcome of a game; a plain tuple of the same two values will do.

    Attributes:
        winners: The seats that won; none for a draw.
        reason: One word, such as "line".
    """

    winners: Sequence[int]
    reason: str


class GameState(Protocol):
    """A position: an immutable value.

    Optional attributes:

    | Attribute | Default | Meaning |
    |---|---|---|
    | `chance_outcomes` | none | Pairs of a token and a positive integer weight: `("*6", 1)` |
    | `pieces` | none | The pieces on the board: `Piece` or triples |
    | `scores` | none | One integer for each seat |
    | `supply` | none | Numbers of the whole table by name |
    | `decisive` | none | The cells that decided a finished game, which the board marks |
    | `prompt` | a general one | The question to the seat to act |
    | `observation(seat)` | from the pieces | For each of `planes` one number for each cell |
    | `explain(token)` | a general one | Why an action is illegal: a short sentence, or None |
    """

    @property
    def to_act(self) -> int | None:
        """The seat to act; anything at chance and after the end of the game."""

    @property
    def legal_actions(self) -> Sequence[str]:
        """The tokens of the legal actions of the seat to act, each once.

        In the order of the game's `actions`, and none at chance and after the end of the game.
        """

    @property
    def outcome(self) -> tuple[Sequence[int], str] | None:
        """None before the end of the game, else the winning seats and a reason of one word."""

    @property
    def turn(self) -> int:
        """The number of the current turn, 1 for the first."""

    @property
    def text(self) -> str:
        """One line of text with everything that the rules need to continue."""

    def play(self, token: str, /) -> GameState:
        """Return the state after a legal action or chance outcome. This state does not change."""


class GameRules(Protocol):
    """A game: a class that is called with the chosen options.

    Optional attributes of the class:

    | Attribute | Default | Meaning |
    |---|---|---|
    | `title` | the name | The name on screens |
    | `tagline` | the docstring's first line | One sentence about the game |
    | `options` | none | Values by option, the default first: `{"size": (6, 8)}` |
    | `chance` | none | The tokens of all chance outcomes, each with `*` first: `("*1", "*2")` |
    | `has_draws` | True | Whether a game can end without a winner |
    | `rules_version` | 1 | Increases when the same actions can lead to another result |
    | `board` | none | A board or several |
    | `symbols` | digits and letters | The symbols of pieces: a sequence, or their names by symbol |
    | `seat_names` | colours | The names of the seats |
    | `touches(token)` | from the token | The cells to select for an action, in order |
    | `label(token)` | from the touches | The name of an action |
    | `planes` | from the pieces | The planes of observations: name, largest value, sentence |
    | `estimate(state)` | none | The expected share of each seat, 1 in sum: the search is stronger |
    | `words` | none | Messages by language and key: `{"ja": {"game.title": "..."}}` |
    | `rules` | the docstring | The rule book as Markdown, or by language |
    | `levels` | by nodes | The engine specifications of the levels, the weakest first |
    | `most_actions` | 10,000 | A game with more actions has no end, and fails |

    `seats`, `actions`, `chance` and `board` may also depend on the options.
    """

    name: str
    """The name in code, on the command line and in records: lower case letters and digits."""
    seats: int
    """The number of players, 2 to 8."""
    actions: Sequence[str]
    """The tokens of all actions that can ever be legal. Their order gives them their numbers."""

    def __init__(self, **options: Any) -> None: ...

    def start(self) -> GameState:
        """Return the first position."""

    def parse(self, text: str, /) -> GameState:
        """Return the position of a text; raise ValueError if it is none."""


Boards = Board | Sequence[Board]
"""The type of `board`."""

Words = Mapping[str, Mapping[str, str]]
"""Messages by language and key."""
