"""Measures of single actions: kinds of actions, components, places and openings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import msgspec

from tavola.report.course import gain
from tavola.report.data import Action, PlayedGame
from tavola.tournament.statistics import Estimate, mean, seat_shares

__all__ = ["Opening", "Usage", "kinds", "openings", "parts"]


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """How often actions of one kind, or with one component or place, are played.

    Attributes:
        name: The name of the part of the label, such as `piece`; `kind` for a kind of action.
        value: The kind, the text of a place, or a component as JSON.
        uses: The mean number of uses in a game.
        games: The part of the games with a use.
        effect: How much greater the share of the seat is that uses it most often than the mean
            share of that seat. It counts games in which one seat uses it more often than others.
        swing: The mean absolute change of the acting seat's share; None if it was not measured.
    """

    name: str
    value: str
    uses: float
    games: float
    effect: Estimate
    swing: float | None


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A first action of the game.

    Attributes:
        token: The token of the action.
        kind: The key of its label without `action.`.
        parts: The named parts of its label.
        games: The number of games.
        first: The share of the first seat.
    """

    token: str
    kind: str
    parts: tuple[tuple[str, str], ...]
    games: int
    first: Estimate


Names = Callable[[Action], Iterable[tuple[str, str]]]


def kinds(games: Sequence[PlayedGame]) -> tuple[Usage, ...]:
    """Return the usage of each kind of action, the most frequent first.

    Args:
        games: The games of a setting.
    """
    return _usage(games, lambda action: [("kind", action.kind)])


def parts(games: Sequence[PlayedGame], *, components: bool) -> tuple[Usage, ...]:
    """Return the usage of each component or place, the most frequent first.

    Args:
        games: The games of a setting.
        components: Whether to return components; otherwise places.
    """

    def names(action: Action) -> Iterable[tuple[str, str]]:
        return [part for part in action.parts if part[1].startswith("{") == components]

    return _usage(games, names)


def _usage(games: Sequence[PlayedGame], names: Names) -> tuple[Usage, ...]:
    seats = len(games[0].shares)
    usual = [math.fsum(game.shares[seat] for game in games) / len(games) for seat in range(seats)]
    uses: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    effects: dict[tuple[str, str], list[float]] = defaultdict(list)
    swings: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        counts: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        for place, action in enumerate(game.actions):
            change = gain(game.actions, place, game.shares)
            for name in names(action):
                counts[name][action.seat] += 1
                if change is not None:
                    swings[name].append(abs(change))
        for name, by_seat in counts.items():
            uses[name] += by_seat.total()
            found[name] += 1
            most = max(by_seat.values())
            users = [seat for seat, count in by_seat.items() if count == most]
            if len(users) == 1:
                effects[name].append(game.shares[users[0]] - usual[users[0]])
    return tuple(
        Usage(
            name=name[0],
            value=name[1],
            uses=count / len(games),
            games=found[name] / len(games),
            effect=mean(effects[name]),
            swing=math.fsum(own) / len(own) if (own := swings[name]) else None,
        )
        for name, count in sorted(uses.items(), key=lambda one: (-one[1], one[0]))
    )


def openings(games: Sequence[PlayedGame]) -> tuple[Opening, ...]:
    """Return the result of the first seat by the first action, the best first.

    Args:
        games: The games of a setting.
    """
    groups: dict[str, list[PlayedGame]] = defaultdict(list)
    for game in games:
        if game.actions:
            groups[game.actions[0].token].append(game)
    rows = []
    for token, group in groups.items():
        first = group[0].actions[0]
        shares = seat_shares(((game.group, game.shares) for game in group), len(group[0].shares))
        rows.append(
            Opening(
                token=token,
                kind=first.kind,
                parts=first.parts,
                games=len(group),
                first=shares[first.seat],
            )
        )
    return tuple(sorted(rows, key=lambda one: (-one.first.value, -one.games, one.token)))
