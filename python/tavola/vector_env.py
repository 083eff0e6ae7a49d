"""Thousands of matches of one game, stepped together in the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn, Self, SupportsIndex

from tavola._core import Game, State, VectorCore, _game, _whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = ["VectorEnv", "vector"]

_ALIGNMENT = 64
"""JAX shares memory only if it begins at a multiple of this number of bytes."""


def _zeros(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return an array of zeros whose memory begins at a multiple of 64 bytes."""
    import numpy as np

    size = prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + _ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % _ALIGNMENT
    return memory[begin : begin + size].view(dtype).reshape(shape)


def _observations(
    game: Game, count: int, layout: str, dtype: DTypeLike, observe: bool | None
) -> NDArray[Any] | None:
    """Return the array for the observations, or None without them."""
    import numpy as np

    if (kind := np.dtype(dtype)) not in (np.float32, np.uint8):
        raise TypeError(f"dtype must be float32 or uint8, not {kind}")
    if observe is False:
        return None
    try:
        space: Any = game.observation_space
    except ValueError:
        if observe:
            raise
        return None
    return _zeros((count, *space.shape(layout)), kind)


def vector(
    game: Game | str,
    count: SupportsIndex,
    *,
    seed: SupportsIndex = 0,
    threads: int | None = None,
    observe: bool | None = None,
    layout: str = "planes",
    dtype: DTypeLike = "float32",
) -> VectorEnv:
    """Return environments for training: many matches of one game, stepped together.

    Args:
        game: The game with its options, or its name.
        count: The number of environments.
        seed: The seed of chance and of `random_ids`, for all environments.
        threads: The number of threads; all cores by default. The results do not depend on it.
        observe: Whether to write observations; by default if the game has them. Without them a
            step is faster.
        layout: "planes" or "flat", as in `State.observation`.
        dtype: float32 or uint8, as in `State.observation`.

    Returns:
        Environments at the start of their first game.

    Raises:
        ValueError: If `count` or `threads` is below 1, `seed` is negative, there is no such
            layout, or `observe` is True and the game has no observations.
        TypeError: If the data type is another one.

    >>> import tavola
    >>> env = tavola.vector(tavola.load("potlatch"), 1000, seed=7, dtype="uint8")
    >>> env.observations.shape, env.masks.shape
    ((1000, 18, 10, 10), (1000, 12))
    >>> for _ in range(100):
    ...     env.step(env.random_ids())
    """
    return VectorEnv(
        game, count, seed=seed, threads=threads, observe=observe, layout=layout, dtype=dtype
    )


class VectorEnv:
    """Matches of one game, stepped together without the GIL.

    In every environment a seat is to act: chance is resolved inside, from a seeded generator of
    the environment. A finished game is followed by the next one in the same step, as in the mode
    `SAME_STEP` of Gymnasium. The step then shows the rewards of the finished game and the first
    position of the next one. Equal seeds and actions give equal results on any number of threads.

    The arrays exist once and each step overwrites them: copy what you keep.
    They support DLPack, so PyTorch and JAX can use their memory directly.

    Attributes:
        game: The game with its options, or its name.
        count: The number of environments.
        masks: Which actions are legal, bool, of shape (count, action_count).
        to_act: The seat to act, int32, of shape (count,).
        rewards: The return of each seat if this step ended the game, otherwise 0; from -1 to 1
            with sum 0, float32, of shape (count, seats).
        terminated: Whether this step ended a game, bool, of shape (count,).
        lengths: The number of actions in the game that this step ended, otherwise 0; chance is
            not counted, int32, of shape (count,).
        returns: The return of each seat in the last finished game, 0 before the first, float32,
            of shape (count, seats).
    """

    game: Game
    count: int
    masks: NDArray[np.bool_]
    to_act: NDArray[np.int32]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    lengths: NDArray[np.int32]
    returns: NDArray[np.float32]

    def __init__(
        self,
        game: Game | str,
        count: SupportsIndex,
        *,
        seed: SupportsIndex = 0,
        threads: int | None = None,
        observe: bool | None = None,
        layout: str = "planes",
        dtype: DTypeLike = "float32",
    ) -> None:
        game, count = _game(game), _whole(count, "count", 1)
        self.game, self.count = game, count
        self._observations = _observations(game, count, layout, dtype, observe)
        self.masks = _zeros((count, game.action_count), "bool")
        self.to_act = _zeros((count,), "int32")
        self.rewards = _zeros((count, game.seats), "float32")
        self.terminated = _zeros((count,), "bool")
        self.lengths = _zeros((count,), "int32")
        self.returns = _zeros((count, game.seats), "float32")
        self._core = VectorCore(
            game,
            count,
            _whole(seed, "seed"),
            threads,
            layout == "flat",
            self._observations,
            self.masks.view("uint8"),
            self.to_act,
            self.rewards,
            self.terminated.view("uint8"),
            self.lengths,
            self.returns,
        )

    @property
    def observations(self) -> NDArray[Any]:
        """The positions as the seats to act see them.

        The shape is (count, planes, rows, columns) or (count, n), as `layout` says. The type is
        float32 or uint8.

        Raises:
            RuntimeError: If the environments were created with `observe=False`, or the game has
                no observations.
        """
        if self._observations is None:
            raise RuntimeError("no observations; create the environments with observe=True")
        return self._observations

    def step(self, ids: ArrayLike) -> None:
        """Play one action in each environment and write the arrays.

        Args:
            ids: The ids of legal actions, integers of shape (count,).

        Raises:
            IllegalId: For the first illegal action. No environment has changed.
            ValueError: If the shape is wrong.
            TypeError: If the ids are not integers.
            RuntimeError: If the environments are closed, or another thread is using them.
        """
        import numpy as np

        array = np.asarray(ids)
        if array.shape != (self.count,):
            raise ValueError(f"ids must have the shape ({self.count},), not {array.shape}")
        if array.dtype.kind not in "iu":
            raise TypeError(f"ids must be integers, such as int64, not {array.dtype}")
        if array.dtype == np.uint64 and (array > np.iinfo(np.int64).max).any():
            raise ValueError("ids must be below 2**63")
        self._core.step(np.ascontiguousarray(array, np.int64))

    def reset(self, *, seed: SupportsIndex | None = None) -> None:
        """Start a new game in each environment and write the arrays.

        Args:
            seed: The seed of all random streams; None to continue them.

        Raises:
            ValueError: If the seed is negative or 2**64 or more.
            RuntimeError: If the environments are closed, or another thread is using them.
        """
        self._core.reset(None if seed is None else _whole(seed, "seed"))

    def random_ids(self) -> NDArray[np.int64]:
        """Draw a legal action for each environment, all equally likely.

        The draws follow from the seed, and do not change the outcomes of chance.

        Returns:
            The ids of the actions, int64, of shape (count,): a new array.

        Raises:
            RuntimeError: If the environments are closed, or another thread is using them.
        """
        import numpy as np

        ids: NDArray[np.int64] = np.empty(self.count, np.int64)
        self._core.random_ids(ids)
        return ids

    def state(self, environment: int) -> State:
        """Return the state of one environment.

        Args:
            environment: Its number, from 0 to count - 1.

        Returns:
            A state in which a seat is to act.

        Raises:
            IndexError: If there is no such environment.
            RuntimeError: If the environments are closed, or another thread is using them.
        """
        if not 0 <= environment < self.count:
            raise IndexError(f"environments are 0 to {self.count - 1}, not {environment}")
        return self._core.state(environment)

    @property
    def states(self) -> Sequence[State]:
        """The states of all environments, in order."""
        return tuple(self._core.state(environment) for environment in range(self.count))

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._core.closed

    def close(self) -> None:
        """End the threads and free the games. The arrays remain. Closing twice does nothing."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied or pickled."""
        raise TypeError(
            "vector environments cannot be copied or pickled; create others with the same seed"
        )

    def __repr__(self) -> str:
        closed = ", closed" if self.closed else ""
        return f"<VectorEnv of {self.count} environments of {self.game!r}{closed}>"
