"""Random draws of a match: see `docs/explanation/fairness.md`."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tavola import fairness
from tavola.server.errors import RequestError


def new_seed() -> str:
    """Return a random secret seed."""
    return secrets.token_hex(32)


@dataclass(frozen=True)
class DrawSource:
    """An immutable source of draws: the server's seed and the seats' contributions.

    Attributes:
        seed: The server's secret, revealed when the match is over; `None` for matches that began
            when there were none: then nothing about their draws can be checked.
        contributions: By seat; `None` where nothing was contributed.
        awaited: The seats that are still to contribute. Until then nothing is drawn.
    """

    seed: str | None = field(repr=False)
    contributions: tuple[str | None, ...]
    awaited: frozenset[int]

    @cached_property
    def commitment(self) -> str | None:
        """The SHA-256 of the seed, or `None` without a seed."""
        return None if self.seed is None else fairness.commitment_to(self.seed)

    def with_contribution(self, seat: int, contribution: str) -> DrawSource:
        """With the contribution of a seat.

        Raises:
            RequestError: `contribution`, `not-awaited`.
        """
        if seat not in self.awaited:
            raise RequestError("not-awaited", seat=seat)
        if not fairness.is_secret(contribution):
            raise RequestError("contribution")
        contributions = list(self.contributions)
        contributions[seat] = contribution
        return replace(self, contributions=tuple(contributions), awaited=self.awaited - {seat})

    def without_seat(self, seat: int) -> DrawSource:
        """Stop waiting for a seat whose person has left."""
        return replace(self, awaited=self.awaited - {seat})

    def draw(self, outcomes: Sequence[tuple[str, int]], number: int) -> str:
        """Return the outcome of draw `number` of the match, counted from 1."""
        seed = new_seed() if self.seed is None else self.seed
        return fairness.draw(outcomes, seed=seed, contributions=self.contributions, number=number)

    def record_tags(self, *, over: bool) -> dict[str, str]:
        """Return the tags of a record."""
        if self.commitment is None or self.seed is None:
            return {}
        tags = {"Commitment": self.commitment}
        if over:
            tags["Seed"] = self.seed
            tags["Contributions"] = fairness.joined(self.contributions)
        return tags
