"""Groups of a Swiss round or of tables, by local search.

Groups of players with near scores are formed from the standings. Players are exchanged between
groups as long as that lowers the cost: repeated opponents cost most, then unbalanced seats, then
differences of score.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from tavola.server.tournaments.tournament import History

REPEAT = 1e6
"""The cost of two players who meet again."""
SEAT = 1e4
"""The cost of a seat that a player had once more than another seat."""
SAME_SEAT = 0.01
"""The cost of the same seat as in the round before."""

WINDOW = 64
"""Between how many neighbouring groups players are exchanged, times the square of their size."""
GREEDY_WINDOW = 300
"""Among how many players a group is filled up."""
MAX_SWEEPS = 30
MAX_MIXES = 100
"""How often groups with a fault are mixed."""
MAX_STEPS = 20_000
"""Steps of the complete search for pairs."""
BYE_CANDIDATES = 8

Group = tuple[int, ...]


class Pairer:
    """Forms the groups of one round.

    Args:
        size: The number of seats.
        history: Who met whom, and where.
        scores: The points of the players.
        chance: Mixes groups with a fault.
    """

    def __init__(
        self, size: int, history: History, scores: Mapping[int, float], chance: random.Random
    ) -> None:
        self.size = size
        self._chance = chance
        self._history = history
        self._scores = scores
        self._known: dict[Group, tuple[float, Group]] = {}
        self._orders = list(permutations(range(size)))

    def cost(self, group: Group) -> float:
        """Return the cost of a group in its best order of seats."""
        return self._seated(group)[0]

    def seat(self, group: Group) -> Group:
        """Return a group in its best order of seats."""
        return self._seated(group)[1]

    def _seated(self, group: Group) -> tuple[float, Group]:
        group = tuple(sorted(group))
        if group not in self._known:
            self._known[group] = self._best_order(group)
        return self._known[group]

    def _best_order(self, group: Group) -> tuple[float, Group]:
        history, scores = self._history, self._scores
        apart = sum(
            REPEAT * history.meetings(one, other) + (scores[one] - scores[other]) ** 2
            for one, other in combinations(group, 2)
        )
        # By place in the group and seat.
        price = []
        for player in group:
            counts = history.seats[player]
            least = min(counts)
            last = history.last.get(player)
            price.append(
                [
                    SEAT * (count - least) ** 2
                    + (SAME_SEAT if last is not None and last[1] == seat else 0.0)
                    for seat, count in enumerate(counts)
                ]
            )
        best = min(
            self._orders,
            key=lambda order: sum(price[place][seat] for seat, place in enumerate(order)),
        )
        seats = sum(price[place][seat] for seat, place in enumerate(best))
        return apart + seats, tuple(group[place] for place in best)

    def form(self, order: Sequence[int]) -> list[Group]:
        """Return the groups of players, who are in the order of the standings."""
        groups = self._greedy(order)
        self._improve(groups)
        if self.size == 2:
            for limit in (SEAT, REPEAT):
                if max(map(self.cost, groups), default=0.0) >= limit:
                    found = self._complete(order, limit)
                    if found is not None:
                        groups = found
                        self._improve(groups)
                        break
        else:
            groups = self._without_faults(groups)
        return [self.seat(group) for group in groups]

    def _without_faults(self, groups: list[Group]) -> list[Group]:
        """Return groups at no greater cost: those with a fault are mixed and improved again."""
        best = groups
        for _ in range(MAX_MIXES):
            faulty = [
                place for place, group in enumerate(best) if SEAT <= self.cost(group) < REPEAT
            ]
            if not faulty or len(best) == 1:
                break
            mixed = list(best)
            first = self._chance.choice(faulty)
            second = self._chance.choice([one for one in range(len(best)) if one != first])
            players = [*mixed[first], *mixed[second]]
            self._chance.shuffle(players)
            mixed[first], mixed[second] = tuple(players[: self.size]), tuple(players[self.size :])
            self._improve(mixed)
            if self.total(mixed) <= self.total(best):
                best = mixed
        return best

    def _greedy(self, order: Sequence[int]) -> list[Group]:
        """Return groups that each player fills up with the next players who cost little."""
        left, groups = list(order), list[Group]()
        while left:
            group: Group = (left.pop(0),)
            while len(group) < self.size:
                fitting = (
                    one for one in left[:GREEDY_WINDOW] if self._partial_cost((*group, one)) < SEAT
                )
                chosen = next(fitting, left[0])
                left.remove(chosen)
                group = (*group, chosen)
            groups.append(group)
        return groups

    def _partial_cost(self, group: Group) -> float:
        """Return the cost of a group; before it is whole, of its meetings alone."""
        if len(group) == self.size:
            return self.cost(group)
        return sum(REPEAT * self._history.meetings(group[-1], one) for one in group[:-1])

    def total(self, groups: Sequence[Group]) -> float:
        """Return the cost of all groups."""
        return sum(map(self.cost, groups))

    def _improve(self, groups: list[Group]) -> None:
        window = WINDOW // self.size**2
        for _ in range(MAX_SWEEPS):
            changed = False
            for first in range(len(groups)):
                # A group with a fault is exchanged with every other one, the next ones first.
                faulty = self.cost(groups[first]) >= SEAT
                if faulty:
                    others = sorted(range(len(groups)), key=lambda one: abs(one - first))[1:]
                else:
                    others = list(range(first + 1, min(len(groups), first + 1 + window)))
                for second in others:
                    if self._exchange(groups, first, second):
                        changed = True
                        if faulty and self.cost(groups[first]) < SEAT:
                            break
            if not changed:
                return

    def _exchange(self, groups: list[Group], first: int, second: int) -> bool:
        one, other = groups[first], groups[second]
        before = self.cost(one) + self.cost(other)
        for place in range(self.size):
            for target in range(self.size):
                left = (*one[:place], other[target], *one[place + 1 :])
                right = (*other[:target], one[place], *other[target + 1 :])
                if self.cost(left) + self.cost(right) < before - 1e-9:
                    groups[first], groups[second] = left, right
                    return True
        return False

    def _complete(self, order: Sequence[int], limit: float) -> list[Group] | None:
        """Return pairs that cost less than a limit each, `None` if none are found."""
        partners = {
            player: {
                other for other in order if other != player and self.cost((player, other)) < limit
            }
            for player in order
        }
        self._steps = 0
        return self._extend(set(order), partners)

    def _extend(self, left: set[int], partners: Mapping[int, set[int]]) -> list[Group] | None:
        if not left:
            return []
        self._steps += 1
        if self._steps > MAX_STEPS:
            return None
        # The player with the fewest partners first.
        player = min(left, key=lambda one: (len(partners[one] & left), one))
        options = sorted(partners[player] & left, key=lambda one: (self.cost((player, one)), one))
        for partner in options:
            rest = self._extend(left - {player, partner}, partners)
            if rest is not None:
                return [(player, partner), *rest]
        return None


def form_groups(
    order: Sequence[int],
    size: int,
    history: History,
    scores: Mapping[int, float],
    chance: random.Random,
) -> tuple[list[Group], tuple[int, ...]] | None:
    """Return the boards of a round, with players by seat, and the byes.

    Args:
        order: The players in the order of the standings.
        size: The number of seats.
        history: Who met whom, and where.
        scores: The points of the players.
        chance: Orders equals in the first round, and mixes groups with a fault.

    Returns:
        `None` if no pairs are left that have not met.
    """
    players = list(order)
    if not history.last:
        chance.shuffle(players)
    pairer = Pairer(size, history, scores, chance)
    best: tuple[float, list[Group], tuple[int, ...]] | None = None
    for byes in _bye_choices(players, len(players) % size, history):
        groups = pairer.form([one for one in players if one not in byes])
        cost = pairer.total(groups)
        if best is None or cost < best[0]:
            best = cost, groups, byes
        if cost < SEAT:
            break
    assert best is not None, "there is always a choice"
    if size == 2 and best[0] >= REPEAT:
        return None
    return best[1], best[2]


def _bye_choices(players: Sequence[int], count: int, history: History) -> list[tuple[int, ...]]:
    """Return whose byes to try: those with the fewest byes, the lowest in the standings first."""
    if count == 0:
        return [()]
    upward = players[::-1]
    lowest = sorted(upward, key=lambda one: history.byes[one])
    fewest = history.byes[lowest[count - 1]]
    lowest = [one for one in lowest if history.byes[one] <= fewest]
    starts = range(min(BYE_CANDIDATES, len(lowest) - count + 1))
    return [tuple(lowest[start : start + count]) for start in starts]
