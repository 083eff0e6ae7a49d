"""The types of an analysis: the values of all positions of a record, and the effects of actions.

Their fields are those of the JSON format. `docs/explanation/analysis.md` explains the numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from tavola._core import load
from tavola.errors import Message, TavolaError
from tavola.replay import Replay

__all__ = [
    "Action",
    "AnalysisError",
    "Balance",
    "ForcedResult",
    "GameAnalysis",
    "Limits",
    "Line",
    "Position",
    "read_analysis",
]

VERSION: Final = 1
"""The version of the JSON format; it rises with every incompatible change."""

Grade = Literal["best", "good", "mistake", "blunder"]

Shares = tuple[float, ...]
"""One number per seat. Expected shares of the win sum to 1."""


class AnalysisError(TavolaError):
    """An analysis cannot be read or resumed."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of the search for each position.

    Attributes:
        seconds: The time in seconds; None if only `nodes` limits the search.
        nodes: The number of nodes; None if only `seconds` limits the search.
        threads: The number of threads; None for all cores.
        seed: The random seed.
    """

    seconds: float | None = None
    nodes: int | None = None
    threads: int | None = None
    seed: int = 0


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A possible action and its value.

    Attributes:
        action: The token of the action.
        shares: The expected share by seat after the action.
        margins: The 95 % margins of error of the shares from sampling; 0 if proven.
        visits: The number of simulations that began with the action.
        variation: The best line, beginning with the action.
        proven: Whether the shares are proven.
    """

    action: str
    shares: Shares
    margins: Shares
    visits: int
    variation: tuple[str, ...]
    proven: bool


class ForcedResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A forced result: with correct play it can no longer change.

    Attributes:
        winners: The seats that win; empty for a draw.
        actions: The maximum number of actions until the win; None if unknown.
        turns: The number of turns until the win against the longest defence, including the current
            turn; None if unknown.
    """

    winners: tuple[int, ...]
    actions: int | None = None
    turns: int | None = None


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position of the record and its value.

    Attributes:
        text: The position text.
        turn: The number of the turn.
        to_act: The seat to act, -1 for chance, None when the game is over.
        shares: The expected share by seat.
        margins: The 95 % margins of error of the shares from sampling.
        lines: The best actions, the best first; for chance, all outcomes in their order.
        certain: The forced result, if there is one.
        nodes: The number of searched nodes.
    """

    text: str
    turn: int
    to_act: int | None
    shares: Shares
    margins: Shares
    lines: tuple[Line, ...] = ()
    certain: ForcedResult | None = None
    nodes: int = 0


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of the record and its effect.

    Attributes:
        token: The action or chance outcome.
        seat: The seat that acted; -1 for chance.
        turn: The number of the turn.
        best: The best action, which may be the same; None for chance.
        cost: The share that the action lost against the best action; 0 if the difference is within
            the margin, and for chance.
        margin: The 95 % margin of error of the cost from sampling.
        grade: The quality of the action; None for chance.
        effect: The change of the shares by seat: the cost of a mistake, or the luck of an outcome
            against the mean of all outcomes.
        unforeseen: The remaining change of the shares, which the search saw one action too late.
    """

    token: str
    seat: int
    turn: int
    best: str | None
    cost: float
    margin: float
    grade: Grade | None
    effect: Shares
    unforeseen: Shares


class Balance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The breakdown of a seat's share: `end = start + luck + own + others + unforeseen`.

    Attributes:
        seat: The seat.
        start: The expected share at the start.
        luck: The effect of chance.
        own: The effect of the seat's own mistakes, at most 0.
        others: The effect of the mistakes of other seats.
        unforeseen: The changes that the search did not foresee.
        end: The expected share at the end; of a finished game, the result.
    """

    seat: int
    start: float
    luck: float
    own: float
    others: float
    unforeseen: float
    end: float


class GameAnalysis(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The analysis of a record, or of its beginning.

    Attributes:
        format: Always "tavola-study".
        version: The version of the format.
        game: The game's name.
        options: Its options, as text.
        rules_version: The version of its rules.
        limits: The limits of the search for each position.
        network: The origin of the network that valued the leaves; None for the classic search.
        length: The number of actions of the record.
        positions: The first `len(actions) + 1` positions of the record.
        actions: The first actions of the record, each between two of the positions.
        balances: The breakdown of the share of each seat.
        decisive: The indices of the actions that changed the shares most, the largest change first.
    """

    format: Literal["tavola-study"] = "tavola-study"
    version: Literal[1] = VERSION
    game: str
    options: dict[str, str]
    rules_version: int
    limits: Limits
    network: str | None = None
    length: int
    positions: tuple[Position, ...]
    actions: tuple[Action, ...]
    balances: tuple[Balance, ...]
    decisive: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether all actions of the record are analysed."""
        return len(self.actions) == self.length

    def replay(self, *, seat: int | None = None, language: str = "en") -> Replay:
        """Return the analysed positions as a replay, with a graph of the shares.

        Args:
            seat: The seat that sees the game; None for a spectator.
            language: Its code, such as "en".

        Raises:
            OptionError: If the core does not have this version of the rules.
            ValueError: If there is no such seat or language.
        """
        options: dict[str, str | int] = {**self.options}
        if load(self.game, **options).rules_version != self.rules_version:
            options["rules_version"] = self.rules_version
        # A position text need not have the number of the turn, and the look of every piece.
        states = [load(self.game, **options).parse(self.positions[0].text)]
        actions = [action.token for action in self.actions]
        for token in actions:
            states.append(states[-1].play(token))
        return Replay(
            states,
            actions,
            seat=seat,
            language=language,
            shares=[position.shares for position in self.positions],
        )

    def _repr_html_(self) -> str:
        return self.replay()._repr_html_()

    @property
    def json(self) -> str:
        """The analysis as indented JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode()


def read_analysis(path_or_text: str | Path) -> GameAnalysis:
    """Read the JSON of an analysis.

    Args:
        path_or_text: A path or a text. A string that contains `{` counts as text.

    Returns:
        The analysis.

    Raises:
        AnalysisError: If the JSON is not an analysis, or one of another version.
        OSError: If the file cannot be read.
    """
    text = path_or_text
    if isinstance(text, Path) or "{" not in text:
        text = Path(text).read_text(encoding="utf-8")
    try:
        return msgspec.json.decode(text, type=GameAnalysis)
    except msgspec.MsgspecError as error:
        raise AnalysisError(Message("not an analysis: {error}", error=error)) from None
