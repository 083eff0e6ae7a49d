"""Hand-made games for the tests of measures."""

from __future__ import annotations

from collections.abc import Sequence

from tavola.report import Action, PlayedGame

Value = tuple[float, ...]


def action(
    seat: int,
    value: Value | None,
    *,
    token: str = "a",
    kind: str = "move",
    legal: int = 2,
    luck: Value | None = None,
    parts: tuple[tuple[str, str], ...] = (),
) -> Action:
    """An action of a seat in a position of this value."""
    return Action(
        seat=seat,
        turn=1,
        token=token,
        kind=kind,
        parts=parts,
        legal=legal,
        random=value is None,
        value=value,
        chance=int(luck is not None),
        luck=luck,
    )


def game(
    actions: Sequence[Action],
    shares: Value,
    *,
    number: int = 1,
    group: int | None = None,
    ending: str = "goal",
    lineup: tuple[str, ...] = ("level:4", "level:4"),
) -> PlayedGame:
    """A game of these actions with this result."""
    return PlayedGame(
        number=number,
        group=number if group is None else group,
        lineup=lineup,
        shares=shares,
        ending=ending,
        turns=len(actions),
        actions=tuple(actions),
    )


def line(values: Sequence[float], shares: Value, *, number: int = 1) -> PlayedGame:
    """A game of two seats with these values of the first one, which act in turns."""
    return game(
        [action(place % 2, (value, 1 - value)) for place, value in enumerate(values)],
        shares,
        number=number,
    )
