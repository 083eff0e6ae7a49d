"""What a position is worth, by search: the one procedure for all that are compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import tavola
from tavola.analysis.forced import certain
from tavola.analysis.types import Certain, Limits, Line, Shares

__all__ = ["Value", "Valuer"]

LEAST_NODES = 16
"""What an outcome of chance gets at least, however many share what a position may use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a state is worth, and what was found out about it.

    Attributes:
        shares: What each seat can expect.
        margins: By how much that may be wrong.
        lines: What can be done, the best first; of chance, every outcome in its order.
        certain: The result, if nobody can change it.
        nodes: How many nodes were looked at.
    """

    shares: Shares
    margins: Shares
    lines: tuple[Line, ...]
    certain: Certain | None
    nodes: int

    def line(self, action: str) -> Line:
        """The line that begins with an action."""
        return next(line for line in self.lines if line.action == action)


class Valuer:
    """Values states, all by the same limits.

    Args:
        limits: What may be used for each state.
        stop: Ends a search; what it gives then is worth less than it says.
        trees: Where searches are kept by state, for another valuer to go on with; None: nowhere.
    """

    def __init__(
        self,
        limits: Limits,
        stop: tavola.Stop | None = None,
        trees: dict[tavola.State, tavola.Searcher] | None = None,
    ) -> None:
        self._limits = limits
        self._stop = stop
        self._trees = trees

    def value(self, state: tavola.State, place: int) -> Value:
        """What a state is worth.

        Where chance acts, every outcome is looked at for itself with an equal part of what may be
        used, so that all are known equally well; the value is their mean by their exact weights.

        Args:
            state: The state.
            place: Its place in the record; it makes the seed another one for each place.
        """
        if state.to_act == tavola.CHANCE:
            return self._mean(state, place)
        return self._look(state, place, 1)

    def after(self, state: tavola.State, value: Value, token: str, place: int) -> Value:
        """What the state after an action is worth; what is certain before it stays certain.

        Args:
            state: The state before it.
            value: What that is worth.
            token: The action.
            place: The place of the state after it in the record.
        """
        found = self.value(state.play(token), place)
        line = next((line for line in value.lines if line.action == token), None)
        lost = value.certain is not None and _is_lost(state, value.shares)
        if found.certain is not None or not (lost or (line is not None and line.proven)):
            return found
        known = value.shares if line is None or not line.proven else line.shares
        return replace(
            found,
            shares=known,
            margins=(0.0,) * len(known),
            certain=certain(state.play(token), known),
        )

    def _mean(self, state: tavola.State, place: int) -> Value:
        outcomes = state.chance_outcomes
        whole = sum(weight for _, weight in outcomes)
        values = [self._look(state.play(token), place, len(outcomes)) for token, _ in outcomes]
        parts = [weight / whole for _, weight in outcomes]
        lines = tuple(
            Line(
                action=token,
                shares=value.shares,
                margins=value.margins,
                visits=value.nodes,
                variation=(token, *(value.lines[0].variation if value.lines else ())),
                proven=value.certain is not None,
            )
            for (token, _), value in zip(outcomes, values, strict=True)
        )
        first = values[0].certain
        same = first is not None and all(
            value.certain is not None and value.certain.winners == first.winners for value in values
        )
        return Value(
            shares=_weighted(parts, [value.shares for value in values]),
            margins=_weighted_margins(parts, [value.margins for value in values]),
            lines=lines,
            certain=Certain(winners=first.winners) if same and first is not None else None,
            nodes=sum(value.nodes for value in values),
        )

    def _look(self, state: tavola.State, place: int, sharers: int) -> Value:
        """Searches once, with a part of what may be used."""
        seats = state.game.seats
        if state.outcome is not None:
            winners = state.outcome.winners
            shares = tuple(
                (1.0 / len(winners) if seat in winners else 0.0) if winners else 1.0 / seats
                for seat in range(seats)
            )
            over = Certain(winners=winners, actions=0, turns=0)
            return Value(shares=shares, margins=(0.0,) * seats, lines=(), certain=over, nodes=0)
        limits = self._limits
        search = partial(tavola.search, state)
        if self._trees is not None:
            search = partial(
                self._trees.setdefault(state, tavola.Searcher(state.game)).search, state
            )
        found = search(
            seconds=None if limits.seconds is None else limits.seconds / sharers,
            nodes=None if limits.nodes is None else max(LEAST_NODES, limits.nodes // sharers),
            threads=limits.threads,
            seed=(limits.seed + place) % 2**63,
            # Of what alpha-beta refutes it knows no value.
            method="tree",
            stop=self._stop,
        )
        lines = tuple(_line(line) for line in found.lines)
        if state.to_act == tavola.CHANCE:
            weights = dict(state.chance_outcomes)
            whole = sum(weights.values())
            parts = [weights[line.action] / whole for line in lines]
            shares = _weighted(parts, [line.shares for line in lines])
            margins = _weighted_margins(parts, [line.margins for line in lines])
            return Value(shares=shares, margins=margins, lines=(), certain=None, nodes=found.nodes)
        best = lines[0]
        return Value(
            shares=found.shares,
            margins=best.margins,
            lines=lines,
            certain=certain(state, best.shares) if best.proven else None,
            nodes=found.nodes,
        )


def _is_lost(state: tavola.State, shares: Shares) -> bool:
    """Whether whoever acts has nothing to lose: then nothing done here can change the result."""
    if state.to_act == tavola.CHANCE:
        return True
    return state.to_act is not None and len(shares) == 2 and shares[state.to_act] == 0.0


def _line(line: tavola.Line) -> Line:
    return Line(
        action=line.action,
        shares=line.shares,
        margins=line.margins,
        visits=line.visits,
        variation=line.variation,
        proven=line.proven,
    )


def _weighted(parts: list[float], shares: list[Shares]) -> Shares:
    columns = zip(*shares, strict=True)
    return tuple(
        sum(part * share for part, share in zip(parts, column, strict=True)) for column in columns
    )


def _weighted_margins(parts: list[float], margins: list[Shares]) -> Shares:
    """The margin of a weighted mean of independent values."""
    columns = zip(*margins, strict=True)
    return tuple(
        math.sqrt(sum((part * margin) ** 2 for part, margin in zip(parts, column, strict=True)))
        for column in columns
    )
