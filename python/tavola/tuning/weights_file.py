"""`weights.json`, the file in a game's folder that its core is compiled with."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tavola.atomic_write import rewrite
from tavola.errors import Message, TavolaError

__all__ = ["WeightSet", "WeightsError", "read", "write"]


class WeightsError(TavolaError):
    """A file that cannot be read or written, or is no file of weights."""


class WeightSet(msgspec.Struct, frozen=True, kw_only=True):
    """Weights under some options, and how they were found.

    There is no date, so that the same games give the same file.

    Attributes:
        options: The options that they are for; those not named may have any value.
        engine: The engine that played the games.
        games: How many.
        seed: What everything random followed from.
        positions: How many positions they were fitted to.
        loss: The mean logarithmic loss on games held out: of equal shares, and of these weights.
        weights: How much each feature weighs.
    """

    options: dict[str, str]
    engine: str = ""
    games: int = 0
    seed: int = 0
    positions: int = 0
    loss: dict[str, float] = {}
    weights: dict[str, float]


class _File(msgspec.Struct, frozen=True):
    sets: list[WeightSet]


def read(path: Path) -> list[WeightSet]:
    """The weights that a file holds; none if there is no file.

    Raises:
        WeightsError: If it cannot be read, or is no file of weights.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).sets if path.exists() else []
    except OSError as error:
        raise _wrong(path, error) from None
    except msgspec.DecodeError as error:
        raise _wrong(path, Message("is no file of weights: {error}", error=error)) from None


def write(path: Path, weighed: WeightSet) -> None:
    """Puts weights into a file, in place of those for the same options; the others stay.

    Raises:
        WeightsError: If the file cannot be read or written, or is no file of weights.
    """
    features = set(weighed.weights)
    # Of weights for other features there is nothing to keep: the core would refuse them.
    kept = [
        one for one in read(path) if one.options != weighed.options and set(one.weights) == features
    ]
    sets = sorted([*kept, weighed], key=lambda one: sorted(one.options.items()))
    text = msgspec.json.format(msgspec.json.encode(_File(sets)), indent=2)
    try:
        rewrite(path, text + b"\n")
    except OSError as error:
        raise _wrong(path, error) from None


def _wrong(path: Path, error: Exception | str) -> WeightsError:
    return WeightsError(Message("{path}: {fault}", path=path, fault=error))
