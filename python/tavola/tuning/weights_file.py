"""Reads and writes `weights.json`, the file in a game's folder that its core is compiled with."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tavola.atomic_write import atomic_write
from tavola.errors import Message, TavolaError

__all__ = ["WeightSet", "WeightsError", "read_weights", "write_weights"]


class WeightsError(TavolaError):
    """A file of weights cannot be read or written."""


class WeightSet(msgspec.Struct, frozen=True, kw_only=True):
    """The weights for some options, and how they were fitted.

    It has no date, so that the same games give the same file.

    Attributes:
        options: The options of the weights. Other options may have any value.
        engine: The engine of the self-play games.
        games: The number of games.
        seed: The random seed.
        positions: The number of positions for fitting.
        loss: The mean logarithmic loss on held-out games: of equal shares, and of these weights.
        weights: The weight of each feature.
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


def read_weights(path: Path) -> list[WeightSet]:
    """Read the weights of a file.

    Returns:
        The sets of weights; empty if the file does not exist.

    Raises:
        WeightsError: If the file cannot be read, or is not a file of weights.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).sets if path.exists() else []
    except OSError as error:
        raise _wrong(path, error) from None
    except msgspec.DecodeError as error:
        raise _wrong(path, Message("is not a file of weights: {error}", error=error)) from None


def write_weights(path: Path, weights: WeightSet) -> None:
    """Write weights into a file, in place of those for the same options.

    Args:
        path: The path of the file, which need not exist.
        weights: The weights.

    Raises:
        WeightsError: If the file cannot be read or written, or is not a file of weights.
    """
    features = set(weights.weights)
    # The core rejects weights of other features.
    others = [
        one
        for one in read_weights(path)
        if one.options != weights.options and set(one.weights) == features
    ]
    sets = sorted([*others, weights], key=lambda one: sorted(one.options.items()))
    text = msgspec.json.format(msgspec.json.encode(_File(sets)), indent=2)
    try:
        atomic_write(path, text + b"\n")
    except OSError as error:
        raise _wrong(path, error) from None


def _wrong(path: Path, error: Exception | str) -> WeightsError:
    return WeightsError(Message("{path}: {fault}", path=path, fault=error))
