"""The value of a position by search, with the same procedure for all compared positions."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import tavola
from tavola.analysis.forced import forced_result
from tavola.analysis.types import ForcedResult, Limits, Line, Shares

__all__ = ["Evaluator", "Value"]

LEAST_NODES = 16
"""The minimum number of nodes for one outcome of chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """The value of a state.

    Attributes:
        shares: The expected share by seat.
        margins: The margins of error of the shares.
        lines: The possible actions, the best first; for chance, all outcomes in their order.
        certain: The forced result, if there is one.
        nodes: The number of searched nodes.
    """

    shares: Shares
    margins: Shares
    lines: tuple[Line, ...]
    certain: ForcedResult | None
    nodes: int

    def line(self, action: str) -> Line:
        """Return the line that begins with an action."""
        return next(line for line in self.lines if line.action == action)


class Evaluator:
    """Evaluates states, all with the same limits.

    Args:
        limits: The limits for each state.
        stop: Ends a search early; its value is then less reliable than its margins say.
        trees: A cache of search trees by state, which evaluators can share.
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
        """Evaluate a state.

        At a chance node, every outcome is searched with an equal part of the limits. The value is
        the mean of the outcomes with their exact weights.

        Args:
            state: The state.
            place: The index of the state in the record, from which its random seed is derived.

        Returns:
            The value.
        """
        if state.to_act == tavola.CHANCE:
            return self._mean(state, place)
        return self._look(state, place, 1)

    def after(self, state: tavola.State, value: Value, token: str, place: int) -> Value:
        """Evaluate the state after an action. A result that was proven before remains proven.

        Args:
            state: The state before the action.
            value: The value of that state.
            token: The action.
            place: The index of the state after the action in the record.

        Returns:
            The value of the state after the action.
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
            certain=forced_result(state.play(token), known),
        )

    def _mean(self, state: tavola.State, place: int) -> Value:
        outcomes = state.chance_outcomes
        total = sum(weight for _, weight in outcomes)
        values = [self._look(state.play(token), place, len(outcomes)) for token, _ in outcomes]
        parts = [weight / total for _, weight in outcomes]
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
            certain=ForcedResult(winners=first.winners) if same and first is not None else None,
            nodes=sum(value.nodes for value in values),
        )

    def _look(self, state: tavola.State, place: int, sharers: int) -> Value:
        """Evaluate a state with one search, which uses an equal part of the limits."""
        seats = state.game.seats
        if state.outcome is not None:
            winners = state.outcome.winners
            shares = tuple(
                (1.0 / len(winners) if seat in winners else 0.0) if winners else 1.0 / seats
                for seat in range(seats)
            )
            over = ForcedResult(winners=winners, actions=0, turns=0)
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
            # Alpha-beta gives no value for actions that it refutes.
            method="tree",
            stop=self._stop,
        )
        lines = tuple(_line(line) for line in found.lines)
        if state.to_act == tavola.CHANCE:
            weights = dict(state.chance_outcomes)
            total = sum(weights.values())
            parts = [weights[line.action] / total for line in lines]
            shares = _weighted(parts, [line.shares for line in lines])
            margins = _weighted_margins(parts, [line.margins for line in lines])
            return Value(shares=shares, margins=margins, lines=(), certain=None, nodes=found.nodes)
        best = lines[0]
        return Value(
            shares=found.shares,
            margins=best.margins,
            lines=lines,
            certain=forced_result(state, best.shares) if best.proven else None,
            nodes=found.nodes,
        )


def _is_lost(state: tavola.State, shares: Shares) -> bool:
    """Return whether the seat to act has already lost, so that no action changes the result."""
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
    """Return the margins of a weighted mean of independent values."""
    columns = zip(*margins, strict=True)
    return tuple(
        math.sqrt(sum((part * margin) ** 2 for part, margin in zip(parts, column, strict=True)))
        for column in columns
    )
