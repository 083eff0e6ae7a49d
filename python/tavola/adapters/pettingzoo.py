"""PettingZoo: every game as an AEC environment, with chance resolved inside.

>>> from tavola.adapters import pettingzoo
>>> env = pettingzoo.env("potlatch", actions=3)
>>> env.reset(seed=7)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["action_mask"]
array([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1], dtype=int8)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tavola._core import Game, State
from tavola.adapters.extras import missing
from tavola.adapters.observing import observe
from tavola.adapters.rendering import RENDER_MODES, check_mode, render
from tavola.match import Match

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from tavola.adapters.spaces import action_token, loaded, observation_box
except ImportError as error:
    raise missing("PettingZoo", "pettingzoo") from error

__all__ = ["GameEnv", "env"]

Observation = dict[str, np.ndarray[Any, Any]]


def env(
    game: str | Game,
    *,
    observation: str = "planes",
    dtype: str = "float32",
    render_mode: str | None = None,
    **options: str | int,
) -> OrderEnforcingWrapper[str, Observation, int]:
    """Create an environment.

    Args:
        game: The name of the game, or a game.
        observation: The layout of observations, "planes" or "flat".
        dtype: The data type of observations, "float32" or "uint8".
        render_mode: "ansi" for text, "svg" for the source of a picture; None for no rendering.
        **options: The options of the game, if it is given by name.

    Returns:
        A `GameEnv` that enforces the order of calls.

    Raises:
        UnknownGame: If there is no such game.
        OptionError: If the game has no such option or value.
        ValueError: If another argument is wrong.
    """
    return OrderEnforcingWrapper(
        GameEnv(game, observation=observation, dtype=dtype, render_mode=render_mode, **options)
    )


class GameEnv(AECEnv[str, Observation, int]):
    """A game as an AEC environment. `env` creates it.

    The agents are "player_0", "player_1" and so on, by seat. An observation is a dictionary of two
    arrays. "observation" is that of `tavola.State.observation` from the seat of the agent.
    "action_mask" is int8 with shape (action_count,), 1 for each legal action. It is 0 everywhere
    unless the agent is to act. Rewards are 0 until the end of the game. Then each agent receives
    its return, from -1 to 1.

    Args:
        game: The name of the game, or a game.
        observation: The layout of observations, "planes" or "flat".
        dtype: The data type of observations, "float32" or "uint8".
        render_mode: "ansi", "svg" or None.
        **options: The options of the game, if it is given by name.

    Attributes:
        game: The game.
        match: The game in progress, with its state and record.
    """

    match: Match

    def __init__(
        self,
        game: str | Game,
        *,
        observation: str = "planes",
        dtype: str = "float32",
        render_mode: str | None = None,
        **options: str | int,
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        self.game = loaded(game, options)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"tavola_{self.game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self._layout, self._dtype = observation, dtype
        self._random = np.random.default_rng()
        count = self.game.action_count
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_box(self.game, observation, dtype),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of the actions of an agent: action ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: The random seed of chance, for this game and the games after it.
            options: Ignored.
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.match = Match(self.game, seed=int(self._random.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent."""
        state, seat = self.match.state, self.possible_agents.index(agent)
        mask = np.zeros(self.game.action_count, np.int8)
        if state.to_act == seat:
            state.mask(out=mask)
        seen = observe(state, seat, layout=self._layout, dtype=self._dtype)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent, and resolve chance after it.

        Args:
            action: An action id; None for an agent whose game is over.

        Raises:
            IllegalAction: If the action is illegal. Nothing changes.
            IndexError: If no action has this id. Nothing changes.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.match.play(action_token(self.game, action))
        self._cumulative_rewards[agent] = 0.0
        returns = self.match.state.returns
        if returns is None:
            self._select()
            return
        self.rewards = dict(zip(self.agents, returns, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Draw the position in the render mode; None without one."""
        return None if self.render_mode is None else render(self.match.state, self.render_mode)

    def close(self) -> None:
        """Close the environment, which holds nothing open."""

    @property
    def current_state(self) -> State:
        """The state of Tavola."""
        return self.match.state

    def _select(self) -> None:
        """Select the agent to act."""
        seat = self.match.state.to_act
        assert seat is not None
        self.agent_selection = self.possible_agents[seat]
