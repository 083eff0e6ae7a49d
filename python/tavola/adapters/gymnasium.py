"""Gymnasium: every game as an environment of one seat against engines.

Importing this module registers `tavola/Potlatch-v0` and one id like it for every game:

>>> import gymnasium
>>> import tavola.adapters.gymnasium
>>> env = gymnasium.make("tavola/Potlatch-v0", opponents="level:2", actions=3)
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tavola._core import Game, State, games
from tavola.adapters.extras import missing
from tavola.adapters.observing import observe
from tavola.adapters.rendering import RENDER_MODES, check_mode, render
from tavola.engines import Engine, engine
from tavola.errors import IllegalAction
from tavola.match import Match

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded

    from tavola.adapters.spaces import action_token, loaded, observation_box
except ImportError as error:
    raise missing("Gymnasium", "gymnasium") from error

__all__ = ["GameEnv", "Opponent", "register"]

NAMESPACE = "tavola"

Opponent = str | Callable[[State], str]
"""An engine specification as of `tavola.engine`, or a function that chooses a token."""


class GameEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """A game as an environment of one seat. Engines play the other seats.

    An action is an action id of the game. An observation is that of `tavola.State.observation`
    from the own seat. Chance and the opponents act within `reset` and `step`. The reward is 0
    until the end of the game; then it is the return of the own seat, from -1 to 1. An episode ends
    with the game and is never truncated.

    `info["action_mask"]` is an int8 array with shape (action_count,): 1 for each legal action.
    `env.action_space.sample(info["action_mask"])` draws one of them.

    Args:
        game: The name of the game, or a game.
        opponents: The opponent of all other seats, or a list with one for each of them in the
            order of seats.
        seat: The own seat; "random" for a random seat in every episode.
        illegal: The answer to an illegal action. With "lose" the episode ends with reward -1, and
            `info["illegal_action"]` has the reason. With "raise" `step` raises `IllegalAction`,
            and nothing changes.
        observation: The layout of observations, "planes" or "flat".
        dtype: The data type of observations, "float32" or "uint8".
        render_mode: "ansi" for text, "svg" for the source of a picture; None for no rendering.
        **options: The options of the game, if it is given by name.

    Attributes:
        game: The game.
        match: The game in progress, with its state and record.
        seat: The own seat in this episode.

    Raises:
        UnknownGame: If there is no such game.
        OptionError: If the game has no such option or value.
        EngineError: If an opponent is not an engine.
        ValueError: If another argument is wrong.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012
    match: Match
    seat: int

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Opponent | Sequence[Opponent] = "level:1",
        seat: int | Literal["random"] = 0,
        illegal: Literal["lose", "raise"] = "lose",
        observation: str = "planes",
        dtype: str = "float32",
        render_mode: str | None = None,
        **options: str | int,
    ) -> None:
        check_mode(render_mode)
        self.game = loaded(game, options)
        self.render_mode = render_mode
        self._opponents = _opponents(opponents, self.game)
        self._seat = _seat(seat, self.game)
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal is 'lose' or 'raise', not {illegal!r}")
        self._illegal = illegal
        self._layout, self._dtype = observation, dtype
        self._engines: dict[int, Engine] = {}
        self._over = True
        self.observation_space = observation_box(self.game, observation, dtype)
        self.action_space = spaces.Discrete(self.game.action_count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a new game and let the seats before the own one act.

        Args:
            seed: The random seed of chance, engines and the own seat, for this episode and the
                episodes after it.
            options: Ignored.

        Returns:
            The observation, with the shape of `observation_space`, and the information.

        Raises:
            EngineFailed: If an external engine fails.
        """
        super().reset(seed=seed)
        draw = self.np_random.integers
        self.seat = int(draw(self.game.seats)) if self._seat == "random" else self._seat
        self.match = Match(self.game, seed=int(draw(2**63)))
        for opponent, other in enumerate(self._others()):
            self._new_game(other, self._opponents[opponent], int(draw(2**63)))
        self._over = False
        self._continue()
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action, and let chance and the other seats act.

        Args:
            action: An action id.

        Returns:
            The observation, the reward, whether the game is over, False, and the information.

        Raises:
            IndexError: If no action has this id. Nothing changes.
            IllegalAction: If the action is illegal and `illegal` is "raise". Nothing changes.
            ResetNeeded: If the episode has not begun or is over.
            EngineFailed: If an external engine fails.
        """
        if self._over:
            raise ResetNeeded("no episode is in progress; call reset() first")
        token = action_token(self.game, action)
        try:
            self.match.play(token)
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            self._over = True
            info = {**self._info(), "illegal_action": str(error)}
            return self._observation(), -1.0, True, False, info
        self._continue()
        returns = self.match.state.returns
        reward = 0.0 if returns is None else returns[self.seat]
        return self._observation(), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool with shape (action_count,).

        `MaskablePPO` of sb3-contrib calls this method.
        """
        return self.match.state.mask()

    def render(self) -> str | None:
        """Draw the position in the render mode; None without one."""
        return None if self.render_mode is None else render(self.match.state, self.render_mode)

    def close(self) -> None:
        """Close the engines. Closing twice is allowed, and `reset` opens them again."""
        for opponent in self._engines.values():
            opponent.close()
        self._engines.clear()
        self._over = True

    def _others(self) -> list[int]:
        return [seat for seat in range(self.game.seats) if seat != self.seat]

    def _new_game(self, seat: int, opponent: Opponent, seed: int) -> None:
        """Prepare the engine of a seat for a new game."""
        if not isinstance(opponent, str):
            return
        held = self._engines.get(seat)
        if held is None or held.text != opponent:
            if held is not None:
                held.close()
            held = self._engines[seat] = engine(opponent, self.game)
        held.new_game(seed)

    def _continue(self) -> None:
        """Let the other seats act until the own seat is to act or the game is over."""
        opponents = dict(zip(self._others(), self._opponents, strict=True))
        while (seat := self.match.state.to_act) not in (None, self.seat):
            assert seat is not None
            opponent = opponents[seat]
            if isinstance(opponent, str):
                choice = self._engines[seat].choose(self.match.state, moves=self.match.actions)
                token = choice.token
            else:
                token = opponent(self.match.state)
            self.match.play(token)
        self._over = self.match.state.is_terminal

    def _observation(self) -> NDArray[Any]:
        state = self.match.state
        seen: NDArray[Any] = observe(state, self.seat, layout=self._layout, dtype=self._dtype)
        return seen

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.game.action_count, np.int8)
        if not self._over:
            self.match.state.mask(out=mask)
        return {"action_mask": mask}


def _opponents(given: Opponent | Sequence[Opponent], game: Game) -> tuple[Opponent, ...]:
    """Return the opponents of the other seats, checked."""
    count = game.seats - 1
    if isinstance(given, str) or callable(given):
        opponents: tuple[Opponent, ...] = (given,) * count
    else:
        opponents = tuple(given)
    if len(opponents) != count:
        raise ValueError(
            f"opponents is one opponent, or a list of {count} for {game}, not of {len(opponents)}"
        )
    for opponent in opponents:
        if isinstance(opponent, str):
            engine(opponent, game).close()
        elif not callable(opponent):
            raise ValueError(
                "an opponent is an engine such as 'level:1', or a function from a state to a "
                f"token, not {opponent!r}"
            )
    return opponents


def _seat(seat: int | Literal["random"], game: Game) -> int | Literal["random"]:
    """Return the own seat, checked."""
    if seat != "random" and (isinstance(seat, bool) or seat not in range(game.seats)):
        raise ValueError(f"seat is 0 to {game.seats - 1} or 'random' for {game}, not {seat!r}")
    return seat


def register() -> None:
    """Register every game with Gymnasium. The import of this module has done so."""
    for name in games():
        identifier = f"{NAMESPACE}/{name.title()}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier, entry_point="tavola.adapters.gymnasium:GameEnv", kwargs={"game": name}
            )


register()
