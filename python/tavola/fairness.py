"""Chance that can be checked: draws that follow from a seed, which was committed to before.

`docs/explanation/fairness.md` specifies how a draw follows from the seed. Anyone can implement
it again; this file is one implementation.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Literal

import msgspec

from tavola._core import CHANCE
from tavola.errors import IllegalAction, Message, RecordError, quoted
from tavola.record import Record

__all__ = ["Draw", "Verification", "commitment_to", "draw", "is_secret", "joined", "verify"]

RANGE = 2**256
"""How many numbers a SHA-256 can be."""

Verdict = Literal[
    "fair",
    "no-commitment",
    "not-revealed",
    "other-commitment",
    "wrong-seed",
    "wrong-draw",
]

_SECRET = re.compile(r"[0-9a-f]{64}")


def is_secret(text: str) -> bool:
    """Whether this is a seed or a contribution: 32 bytes as 64 hexadecimal digits."""
    return _SECRET.fullmatch(text) is not None


def commitment_to(seed: str) -> str:
    """What is shown of a seed before it is revealed: its SHA-256, in hexadecimal.

    >>> commitment_to("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def joined(contributions: Sequence[str | None]) -> str:
    """The contributions of all seats as one text, empty where a seat gave none.

    >>> joined(["ab", None, "cd"])
    'ab,,cd'
    """
    return ",".join(given or "" for given in contributions)


def draw(
    outcomes: Sequence[tuple[str, int]],
    *,
    seed: str,
    contributions: Sequence[str | None],
    number: int,
) -> str:
    """One of chance's outcomes, in exact proportion to its weight.

    Args:
        outcomes: Tokens with their weights, in the order of `State.chance_outcomes`.
        seed: 32 bytes in hexadecimal.
        contributions: By seat, 32 bytes in hexadecimal or `None`.
        number: Which draw of the match it is, counted from 1.
    """
    total = sum(weight for _, weight in outcomes)
    at = _below(total, bytes.fromhex(seed), number, joined(contributions))
    for token, weight in outcomes:
        at -= weight
        if at < 0:
            return token
    raise AssertionError("weights sum to the range drawn from")


def _below(total: int, key: bytes, draw: int, given: str) -> int:
    """A number below a total, all equally likely: what would favour the low ones is drawn again."""
    fair = RANGE - RANGE % total
    for attempt in count():
        # Not `hmac.digest`, which takes three times as long for so little.
        code = hmac.new(key, f"{draw}:{attempt}:{given}".encode(), "sha256").digest()
        number = int.from_bytes(code, "big")
        if number < fair:
            return number % total
    raise AssertionError("there is always another attempt")


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """One draw of a record.

    Attributes:
        number: Which, counted from 1.
        place: How many actions of the record come before it.
        token: What the record says was drawn.
        due: What follows from the seed.
    """

    number: int
    place: int
    token: str
    due: str

    @property
    def right(self) -> bool:
        """Whether the record says what follows from the seed."""
        return self.token == self.due


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """What became of checking a record.

    Attributes:
        verdict: `fair` if everything is right. `no-commitment`: nothing can be checked;
            `not-revealed`: not yet. `other-commitment`: it is not the one that was shown;
            `wrong-seed`: the seed is not the one committed to. `wrong-draw`: see `draws`.
        draws: The draws, up to the first after which nothing can be recomputed.
    """

    verdict: Verdict
    draws: tuple[Draw, ...] = ()

    @property
    def wrong(self) -> tuple[Draw, ...]:
        """The draws that are not what follows from the seed."""
        return tuple(draw for draw in self.draws if not draw.right)


def verify(record: Record, *, commitment: str | None = None) -> Verification:
    """Recomputes every draw of a record.

    A record agrees with itself if whoever made it has taken care: that the draws were not chosen is
    proven by a commitment that was noted before them.

    Args:
        record: The record of a finished match.
        commitment: What was shown when the match began; without it, what the record says.

    Raises:
        RecordError: If a tag cannot be read.
        IllegalAction: If a seat's action is not legal and no draw before it is wrong.
        PositionError: If the tag `Position` is no position.
    """
    told, seed = record.tag("Commitment"), record.tag("Seed")
    if told is None:
        return Verification(verdict="no-commitment")
    if seed is None:
        return Verification(verdict="not-revealed")
    if not is_secret(seed):
        return Verification(verdict="wrong-seed")
    draws = tuple(_draws(record, seed))
    verdict: Verdict = "fair"
    if commitment is not None and commitment.lower() != told:
        verdict = "other-commitment"
    elif commitment_to(seed) != told:
        verdict = "wrong-seed"
    elif not all(drawn.right for drawn in draws):
        verdict = "wrong-draw"
    return Verification(verdict=verdict, draws=draws)


def _draws(record: Record, seed: str) -> Iterator[Draw]:
    contributions = _contributions(record)
    states = record.states()
    number, wrong = 0, False
    for place, token in enumerate(record.actions):
        try:
            state = next(states)
        except IllegalAction:
            if wrong:
                return
            raise
        if state.to_act == CHANCE:
            number += 1
            outcomes = state.chance_outcomes
            due = draw(outcomes, seed=seed, contributions=contributions, number=number)
            yield Draw(number=number, place=place, token=token, due=due)
            wrong = wrong or token != due
    try:
        next(states)
    except IllegalAction:
        if not wrong:
            raise


def _contributions(record: Record) -> tuple[str | None, ...]:
    text = record.tag("Contributions")
    given = () if text is None else tuple(text.split(","))
    if len(given) != record.game.seats or not all(one == "" or is_secret(one) for one in given):
        fault = Message(
            "in the tag Contributions {text} is not, for each seat, "
            "64 hexadecimal digits or nothing, with commas between",
            text=quoted(text or ""),
        )
        raise RecordError(record.place("Contributions"), fault)
    return tuple(one or None for one in given)
