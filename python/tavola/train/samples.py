"""Samples: positions of self-play games with their training targets."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tavola.train.weights import Floats

__all__ = ["LATER", "UNREADABLE", "Policies", "Position", "Round", "Samples"]

UNREADABLE = (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile, zlib.error)
"""The exceptions of a damaged file of arrays."""

LATER = ("features", "looks")
"""The arrays that files of older versions do not have. Their networks read none of them."""


class Position(NamedTuple):
    """A position of a game in progress, whose result is not known yet."""

    observation: NDArray[np.uint8]
    features: Floats
    ids: NDArray[np.int32]
    looks: Floats
    policy: Floats
    root: Floats
    seat: int
    shares: Floats | None = None
    """The shares by perfect play from here on, or from a later position of the game, if known."""


class Policies(NamedTuple):
    """Arrays of some positions by action id, of the shape (k, actions)."""

    policies: Floats
    masks: NDArray[np.bool_]
    """The legal actions."""

    looks: Floats
    """The looks; (k, 0) if the network does not read them."""

    def under(self, ids: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Apply a symmetry to some rows.

        Args:
            ids: The id of the action that each action comes from.
            rows: The numbers of the rows.
        """
        for array in self:
            if array.shape[1]:
                array[rows] = array[rows][:, ids]


class Samples(NamedTuple):
    """Positions with their targets, as arrays. Features and shares begin with the seat to act."""

    observations: NDArray[np.uint8]
    """The flat observations of the seats to act: (n, inputs)."""

    features: Floats
    """The features of the evaluation for each seat: (n, seats, features)."""

    offsets: NDArray[np.int64]
    """The first of the legal actions of each position, and their number: (n + 1,)."""

    ids: NDArray[np.int32]
    """The ids of the legal actions of all positions."""

    looks: NDArray[np.float16]
    """The look of each of `ids`; empty if the network does not read looks."""

    policy: NDArray[np.float16]
    """The share of the visits of each of `ids`, or of the best actions."""

    shares: Floats
    """The share of each seat at the end of the game, or by perfect play: (n, seats)."""

    roots: Floats
    """The share of each seat by the search, or by perfect play: (n, seats)."""

    games: NDArray[np.int64]
    """The number of the game of each position: (n,)."""

    @classmethod
    def of_games(
        cls,
        games: Iterable[tuple[int, Sequence[Position], Floats]],
        *,
        inputs: int,
        seats: int,
        features: int,
    ) -> Self:
        """Return the samples of finished games.

        Args:
            games: The number of each game, its positions, and the share of each seat.
            inputs: The size of an observation.
            seats: The number of seats.
            features: The number of features.
        """
        rows = [
            (number, one, shares if one.shares is None else one.shares)
            for number, found, shares in games
            for one in found
        ]
        sizes = [len(one.ids) for _, one, _ in rows]
        nothing = np.zeros(0)
        return cls(
            observations=np.array([one.observation for _, one, _ in rows], np.uint8).reshape(
                -1, inputs
            ),
            features=np.array(
                [np.roll(one.features, -one.seat, axis=0) for _, one, _ in rows], np.float32
            ).reshape(len(rows), seats, features),
            offsets=np.cumsum([0, *sizes], dtype=np.int64),
            ids=np.concatenate([nothing, *(one.ids for _, one, _ in rows)]).astype(np.int32),
            looks=np.concatenate([nothing, *(one.looks for _, one, _ in rows)]).astype(np.float16),
            policy=np.concatenate([nothing, *(one.policy for _, one, _ in rows)]).astype(
                np.float16
            ),
            shares=np.array(
                [np.roll(shares, -one.seat) for _, one, shares in rows], np.float32
            ).reshape(-1, seats),
            roots=np.array(
                [np.roll(one.root, -one.seat) for _, one, _ in rows], np.float32
            ).reshape(-1, seats),
            games=np.array([number for number, _, _ in rows], np.int64),
        )

    @classmethod
    def joined(cls, parts: Sequence[Samples]) -> Samples:
        """Return all samples of several parts, in their order."""
        starts = np.cumsum([0, *(len(part.ids) for part in parts)])
        offsets = [part.offsets[:-1] + start for part, start in zip(parts, starts, strict=False)]
        return cls(
            *(
                np.concatenate([*offsets, starts[-1:]])
                if name == "offsets"
                else np.concatenate([getattr(part, name) for part in parts])
                for name in cls._fields
            )
        )

    @property
    def total(self) -> int:
        """The number of positions."""
        return len(self.games)

    def policies(self, rows: NDArray[np.int64], actions: int) -> Policies:
        """Return the policies of some positions by action ids.

        Args:
            rows: The numbers of the positions: (k,).
            actions: The number of action ids.
        """
        policies = np.zeros((len(rows), actions), np.float32)
        masks = np.zeros((len(rows), actions), bool)
        sizes = self.offsets[rows + 1] - self.offsets[rows]
        row = np.repeat(np.arange(len(rows)), sizes)
        # The places of all legal actions: the offset of each row, and the steps within it.
        steps = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.repeat(self.offsets[rows], sizes) + steps
        policies[row, self.ids[places]] = self.policy[places]
        masks[row, self.ids[places]] = True
        looks = np.zeros((len(rows), actions if len(self.looks) else 0), np.float32)
        if len(self.looks):
            looks[row, self.ids[places]] = self.looks[places]
        return Policies(policies, masks, looks)


class Round(NamedTuple):
    """The result of a round of self-play, or of a part of it."""

    samples: Samples
    actions: int
    """The number of actions."""

    checked: int
    """The number of games that were played on after a seat had certainly won."""

    wrong: int
    """The number of these games that ended otherwise."""

    @classmethod
    def joined(cls, parts: Sequence[Round]) -> Round:
        """Return the whole round of its parts, in their order."""
        samples = Samples.joined([part.samples for part in parts])
        actions, checked, wrong = (
            sum(counts) for counts in zip(*(one[1:] for one in parts), strict=True)
        )
        return cls(samples, actions, checked, wrong)

    def to_bytes(self) -> bytes:
        """Return the content of a file with this round."""
        file = io.BytesIO()
        counts = np.array(self[1:], np.int64)
        np.savez_compressed(file, counts=counts, **self.samples._asdict())
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Return the round of a file.

        Raises:
            ValueError: If the content is not that of such a file.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                fields = {name: arrays[name] for name in Samples._fields if name not in LATER}
                fields["looks"] = arrays.get("looks", np.zeros(0, np.float16))
                without = np.zeros((*fields["shares"].shape, 0), np.float32)
                fields["features"] = arrays.get("features", without)
                return cls(Samples(**fields), *arrays["counts"].tolist())
        except UNREADABLE as error:
            raise ValueError(f"not a file of samples: {error}") from None
