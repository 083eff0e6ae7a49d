"""Advice about a position: hints, forced wins, "Why not this?"."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tavola.view import MoveLabel, Text


class ForcedWin(Struct, frozen=True):
    """A forced win: the seat, and the maximum number of actions until then."""

    winner: int
    plies: int


class ForcedWinReport(Struct, frozen=True):
    """The result of a forced-win search; a proof, not an estimate.

    Attributes:
        seq: The snapshot's number.
        plies: The depth of the exhaustive search.
        proof: The forced win, or None if there is none so soon.
    """

    seq: int
    plies: int
    proof: ForcedWin | None


class HintReason(Struct, frozen=True):
    """Why an action is good.

    Attributes:
        code: `wins` by force; `prevents` a loss; `threatens` a win; `gains` counters; `chances`,
            the share of the game that the search expects.
        n: `wins`: within this many actions, or None. `prevents`: the actions that lose.
            `threatens`: the replies that lose. `gains`: how much. `chances`: in per cent.
        count: `prevents`: all actions. `threatens`: all replies.
        label: `gains`: the counter.
    """

    code: Literal["wins", "prevents", "threatens", "gains", "chances"]
    n: int | None = None
    count: int | None = None
    label: Text | None = None


class Hint(Struct, frozen=True):
    """The action that a short search prefers.

    Attributes:
        seq: The snapshot that it is about.
        token: The action.
        move: The action as the list of moves shows it.
        reasons: Why, the most important reason first.
    """

    seq: int
    token: str
    move: MoveLabel | None
    reasons: tuple[HintReason, ...]


class DescribedAction(Struct, frozen=True):
    """An action in words, with its cells.

    Attributes:
        seat: The seat; -1 for a random event.
        token: The token.
        label: The action in words, with coordinates.
        move: The action as the list of moves shows it.
        cells: The cells of the action, in order.
    """

    seat: int
    token: str
    label: Text | None
    move: MoveLabel | None
    cells: tuple[str, ...]


class ReplyReason(Struct, frozen=True):
    """An effect of the reply to an action.

    Attributes:
        code: `wins` by force; `prevents` a win; `threatens` to win; `gains` counters of its seat;
            `takes` counters of the seat of the action.
        n: `prevents`: the replies that would have lost. `threatens`: the answers that lose.
            `gains` and `takes`: how much.
        count: `prevents`: all replies. `threatens`: all answers.
        label: `gains` and `takes`: the counter.
    """

    code: Literal["wins", "prevents", "threatens", "gains", "takes"]
    n: int | None = None
    count: int | None = None
    label: Text | None = None


class WhyNot(Struct, frozen=True):
    """Why an action is worse than the best one.

    Attributes:
        seat: The seat of the action.
        action: The action.
        good: Whether it is as good as the best action.
        loses: Whether it loses by force.
        best: The expected share of the seat after the best action, from 0 to 1.
        share: The expected share of the seat after this action.
        line: The actions after it, the last of which are the reply: a turn of another seat. Empty
            if it is good or ends the game.
        reasons: The effects of the reply, the most important one first.
        end: How the game ends where the line, or the turn of the reply, ends it.
    """

    seat: int
    action: DescribedAction
    good: bool
    loses: bool
    best: float
    share: float
    line: tuple[DescribedAction, ...]
    reasons: tuple[ReplyReason, ...]
    end: Text | None
