"""The value of a position, and the effect of an action. The core computes both."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

import tavola
from tavola import _core
from tavola.analysis.types import Action, Balance, ForcedResult, Limits, Line, Shares

__all__ = ["Evaluator", "Summary", "Value", "summarize"]


class Value(Struct, frozen=True, kw_only=True):
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


class Summary(Struct, frozen=True, kw_only=True):
    """The summary of an analysis.

    Attributes:
        balances: The breakdown of the share of each seat.
        decisive: The indices of the decisive actions, the largest change first.
    """

    balances: tuple[Balance, ...]
    decisive: tuple[int, ...]


class Evaluator:
    """Evaluates states, all with the same limits. The procedure is in `crates/coach`.

    Args:
        limits: The limits for each state.
        stop: Ends a search early; its value is then less reliable than its margins say.
        trees: Search trees that evaluators share, so that a later one continues a search.
        network: The network that values the leaves; `None` for the classic search.
    """

    def __init__(
        self,
        limits: Limits,
        stop: tavola.Stop | None = None,
        trees: _core._Trees | None = None,
        network: tavola.Network | None = None,
    ) -> None:
        self._settings: dict[str, Any] = {
            "seconds": limits.seconds,
            "nodes": limits.nodes,
            "threads": limits.threads,
            "seed": limits.seed,
            "stop": stop,
            "network": network,
        }
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
        found = _core._evaluate(state, place, **self._settings, trees=self._trees)
        return msgspec.json.decode(found, type=Value)

    def judge(
        self, state: tavola.State, token: str, before: Value, place: int
    ) -> tuple[Action, Value]:
        """Judge an action, and evaluate the state after it.

        Args:
            state: The state before the action.
            token: The action.
            before: The value of that state.
            place: The index of that state in the record.

        Returns:
            The action with its effect, and the value of the state after it.
        """
        known = msgspec.json.encode(before).decode()
        action, after = _core._judge(state, token, known, place, **self._settings)
        return msgspec.json.decode(action, type=Action), msgspec.json.decode(after, type=Value)


def summarize(shares: list[Shares], actions: list[Action]) -> Summary:
    """Return the balances and the decisive actions of an analysis.

    Args:
        shares: The shares of its positions.
        actions: The actions between them.
    """
    found = _core._summarize(shares, msgspec.json.encode(actions).decode())
    return msgspec.json.decode(found, type=Summary)
