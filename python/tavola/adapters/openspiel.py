"""OpenSpiel: every game as a game of `pyspiel`, with explicit chance and exact probabilities.

Importing this module registers the games under their names with `tavola_` before them. The options
of a game are its parameters:

>>> import pyspiel
>>> import tavola.adapters.openspiel
>>> game = pyspiel.load_game("tavola_potlatch(actions=3)")
>>> state = game.new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()]
['Pne', 'Pnw', 'Pse', 'Psw', 'Pw']

OpenSpiel reads a value of digits as a number. A word of digits has `#` before it, as in
`faces=#05`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tavola import _core
from tavola._core import CHANCE, Game, State
from tavola.adapters.extras import missing
from tavola.adapters.observing import check, observe

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise missing("OpenSpiel", "openspiel") from error

__all__ = ["OpenSpielGame", "OpenSpielState", "game_type", "register"]

PREFIX: Final = "tavola_"
"""The beginning of the names of the games in OpenSpiel."""

MAX_LENGTH: Final = 100_000
"""The length of a game that no game exceeds: the conformance suite rejects longer ones."""

RULES_VERSION: Final = "rules_version"
_MARK: Final = "#"
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


@cache
def game_type(name: str) -> Any:
    """Return the type under which OpenSpiel knows a game.

    Args:
        name: The name of the game in Tavola.

    Returns:
        A `pyspiel.GameType`. Its parameters are the options of the game with their defaults, and
        `rules_version`.

    Raises:
        UnknownGame: If there is no such game.

    >>> game_type("potlatch").parameter_specification["layout"]
    'triangle'
    """
    described = json.loads(_core.describe(name))
    values = {option["name"]: option["values"] for option in described["options"]}
    seats = {
        _core.load(name, **{option: value}).seats
        for option, listed in values.items()
        for value in listed
    } | {_core.load(name).seats}
    default = _core.load(name)
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=_core.say(name, "en", '{"key": "game.title"}'),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if default.has_chance else chance.DETERMINISTIC,
        information=(
            information.PERFECT_INFORMATION
            if default.start().is_public
            else information.IMPERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            **{option: _parameter(listed[0], listed) for option, listed in values.items()},
            RULES_VERSION: default.rules_version,
        },
    )


def _parameter(value: str, values: list[str]) -> int | str:
    """Return the value of an option as a parameter: a number if all its values are numbers."""
    if all(_is_number(value) for value in values):
        return int(value)
    return f"{_MARK}{value}" if value.isdigit() else value


def _is_number(text: str) -> bool:
    return text.isdigit() and str(int(text)) == text


class OpenSpielGame(pyspiel.Game):
    """A game for OpenSpiel. `pyspiel.load_game` creates it, as a class of its own for each name.

    Args:
        params: The options of the game as parameters of OpenSpiel; missing ones have their
            defaults.

    Attributes:
        NAME: The name of the game in Tavola.
        game: The game of Tavola.

    Raises:
        OptionError: If a parameter has a value that the game does not know; lists every valid one.
    """

    NAME: ClassVar[str]

    def __init__(self, params: Mapping[str, int | str] | None = None) -> None:
        type_ = game_type(self.NAME)
        specification = type_.parameter_specification
        given = {**specification, **(params or {})}
        self.game: Game = _core.load(
            self.NAME, **{option: _option(value) for option, value in given.items()}
        )
        self._start = self.game.start()
        self.chance_ids = {token: outcome for outcome, token in enumerate(self.game.chance_tokens)}
        self.chance_tokens = self.game.chance_tokens
        self.action_tokens = tuple(self.game.actions)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.action_count,
            max_chance_outcomes=len(self.chance_tokens),
            num_players=self.game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        # The parameters as OpenSpiel can read them back from the text of the game.
        text = {option: _readable(given[option], specification[option]) for option in given}
        super().__init__(type_, info, text)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, position: str | None = None) -> OpenSpielState:
        """Return the first state, or the state of a position text.

        Args:
            position: A position text, as of `tavola.State.text`.

        Raises:
            PositionError: With every error in the text.
        """
        state = self._start if position is None else self.game.parse(position)
        return OpenSpielState(self, state)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound of the number of chance nodes in a game."""
        return MAX_LENGTH if self.game.has_chance else 0

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Any:
        """Return an object that writes observations.

        Args:
            iig_obs_type: A `pyspiel.IIGObservationType`; None for `OpenSpielState.observation`.
            params: `{"layout": "planes"}` or `{"layout": "flat"}`.
        """
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class OpenSpielState(pyspiel.State):
    """A state for OpenSpiel. `OpenSpielGame.new_initial_state` creates it.

    Attributes:
        state: The state of Tavola, which is immutable.
    """

    # OpenSpiel copies the attributes of a state whenever it copies the state. So there is one only.

    def __init__(self, game: OpenSpielGame, state: State) -> None:
        super().__init__(game)
        self.state = state

    def current_player(self) -> int:
        """Return the seat to act, or the number of OpenSpiel for chance or the end."""
        to_act = self.state.to_act
        return _TERMINAL if to_act is None else to_act  # chance is -1 in both

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.state.is_terminal

    def returns(self) -> list[float]:
        """Return one number per seat; 0 before the end of the game."""
        returns = self.state.returns
        return [0.0] * self.state.game.seats if returns is None else list(returns)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance: ids with their probabilities."""
        ids = self.get_game().chance_ids
        outcomes = self.state.chance_outcomes
        total = sum(weight for _, weight in outcomes)
        return [(ids[token], weight / total) for token, weight in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = self.state.legal_ids.tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        if self.state.to_act == CHANCE:
            self.state = self.state.play(self.get_game().chance_tokens[action])
        else:
            self.state = self.state.play_id(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        token: str = (game.chance_tokens if player == CHANCE else game.action_tokens)[action]
        return token

    def __str__(self) -> str:
        return self.state.text


class Observer:
    """Writes observations of a state for OpenSpiel.

    Attributes:
        tensor: The observation as one float32 array.
        dict: The same memory in the shape of the observation, as "observation".
    """

    def __init__(self, game: Game, params: Mapping[str, Any] | None) -> None:
        self._layout = (params or {}).get("layout", "planes")
        if unknown := set(params or ()) - {"layout"}:
            raise ValueError(f"unknown parameters of an observer: {sorted(unknown)}; known: layout")
        check(self._layout, "float32")
        shaped = observe(game.start(), 0, layout=self._layout, dtype="float32")
        self.tensor: NDArray[np.float32] = shaped.reshape(-1)
        self.dict = {"observation": self.tensor.reshape(shaped.shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write the observation of a state from the seat of a player."""
        out = self.dict["observation"]
        observe(state.state, player, layout=self._layout, dtype="float32", out=out)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the position text of a state."""
        return state.state.text


def _option(value: int | str) -> int | str:
    """Return the value of an option from a parameter."""
    return value.removeprefix(_MARK) if isinstance(value, str) else value


def _readable(value: int | str, default: int | str) -> int | str:
    """Return a parameter in the form that OpenSpiel reads back from a text."""
    text = str(_option(value))
    if isinstance(default, int):
        return int(text)
    return f"{_MARK}{text}" if text.isdigit() else text


def register() -> None:
    """Register every game with OpenSpiel. The import of this module has done so."""
    known = set(pyspiel.registered_names())
    for name in _core.games():
        if PREFIX + name not in known:
            # OpenSpiel keeps what it registers until after the end of the interpreter. A class
            # outlives that; other objects would be freed too late, which is fatal.
            named = type(f"{name.title()}Game", (OpenSpielGame,), {"NAME": name})
            pyspiel.register_game(game_type(name), named)


register()
