"""Verifiable random draws: every draw follows from a seed that was committed to before the game.

`docs/explanation/fairness.md` specifies the algorithm; this module implements it.
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
"""The number of values of a SHA-256 digest."""

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
    """Return whether a text is a seed or a contribution: 32 bytes as 64 hexadecimal digits."""
    return _SECRET.fullmatch(text) is not None


def commitment_to(seed: str) -> str:
    """Return the commitment to a seed: its SHA-256 digest in hexadecimal.

    Args:
        seed: 32 bytes in hexadecimal.

    Returns:
        64 hexadecimal digits, which are shown before the seed is revealed.

    >>> commitment_to("00" * 32)
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def joined(contributions: Sequence[str | None]) -> str:
    """Return the contributions of all seats joined by commas, empty where a seat gave none.

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
    """Draw one of chance's outcomes, in exact proportion to the weights.

    Args:
        outcomes: Tokens with their weights, in the order of `State.chance_outcomes`.
        seed: 32 bytes in hexadecimal.
        contributions: By seat, 32 bytes in hexadecimal or `None`.
        number: The number of the draw in the match, from 1.

    Returns:
        The token of the drawn outcome.
    """
    total = sum(weight for _, weight in outcomes)
    at = _below(total, bytes.fromhex(seed), number, joined(contributions))
    for token, weight in outcomes:
        at -= weight
        if at < 0:
            return token
    raise AssertionError("weights sum to the range drawn from")


def _below(total: int, key: bytes, draw: int, given: str) -> int:
    """Return a uniform number below a total, by rejection sampling."""
    fair = RANGE - RANGE % total
    for attempt in count():
        # `hmac.digest` takes three times as long for such short messages.
        code = hmac.new(key, f"{draw}:{attempt}:{given}".encode(), "sha256").digest()
        number = int.from_bytes(code, "big")
        if number < fair:
            return number % total
    raise AssertionError("there is always another attempt")


class Draw(msgspec.Struct, frozen=True, kw_only=True):
    """One random draw of a record.

    Attributes:
        number: The number of the draw, from 1.
        place: The number of actions of the record before it.
        token: The outcome in the record.
        due: The outcome that follows from the seed.
    """

    number: int
    place: int
    token: str
    due: str

    @property
    def right(self) -> bool:
        """Whether the outcome in the record follows from the seed."""
        return self.token == self.due


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `verify`.

    Attributes:
        verdict: `fair`: the seed matches the commitment and every draw matches the seed.
            `no-commitment`: the record has no commitment. `not-revealed`: the record has no seed
            yet. `other-commitment`: the commitment differs from the given one. `wrong-seed`: the
            seed does not match the commitment. `wrong-draw`: a draw does not match the seed.
        draws: The draws, up to the last one that can be recomputed.
    """

    verdict: Verdict
    draws: tuple[Draw, ...] = ()

    @property
    def wrong(self) -> tuple[Draw, ...]:
        """The draws that do not match the seed."""
        return tuple(draw for draw in self.draws if not draw.right)


def verify(record: Record, *, commitment: str | None = None) -> Verification:
    """Recompute every random draw of a record.

    A record alone can be fabricated so that it is self-consistent. Only the commitment that the
    server showed at the start of the match proves that the draws were not chosen later.

    Args:
        record: The record of a finished match.
        commitment: The commitment shown at the start of the match. Default: the record's own.

    Returns:
        The verdict and the draws.

    Raises:
        TypeError: If `record` is not a `Record`; `read_records` reads a text or a file.
        RecordError: If a tag cannot be read.
        IllegalAction: If an action of a seat is illegal although all draws before it match.
        PositionError: If the tag `Position` is not a position.
    """
    _check_record(record)
    committed, seed = record.tag("Commitment"), record.tag("Seed")
    if committed is None:
        return Verification(verdict="no-commitment")
    if seed is None:
        return Verification(verdict="not-revealed")
    if not is_secret(seed):
        return Verification(verdict="wrong-seed")
    draws = tuple(_draws(record, seed))
    verdict: Verdict = "fair"
    if commitment is not None and commitment.lower() != committed:
        verdict = "other-commitment"
    elif commitment_to(seed) != committed:
        verdict = "wrong-seed"
    elif not all(drawn.right for drawn in draws):
        verdict = "wrong-draw"
    return Verification(verdict=verdict, draws=draws)


def _check_record(given: object) -> None:
    if not isinstance(given, Record):
        kind = type(given).__name__
        raise TypeError(f"verify takes a Record, not {kind}: read_records(...) reads a text")


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
