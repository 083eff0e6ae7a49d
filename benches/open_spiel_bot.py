"""OpenSpiel's `MCTSBot` as an engine for `tavola match`, which plays our games through Python.

    tavola match level:8 "ugi:seconds=1 -- python -m benches.open_spiel_bot" --game proteus

The bot uses uniform rollouts. It derives their number from the time limit and its speed in the last
action; before the first action of a game it measures its speed. A game written in Python slows it
down, so it reports the number of simulations with every action. `docs/explanation/search.md` has a
fairer opponent too.

OpenSpiel's searches crash in games written in Python: version 1.6.1 only at chance nodes, versions
1.6.15 and 2.0.2 always, even in tic-tac-toe. So this bot needs version 1.6.1 and supports games of
two seats without chance.
"""

from __future__ import annotations

import random
import sys
import time
from typing import cast

import pyspiel  # type: ignore[import-not-found, unused-ignore]

import tavola
from benches import open_spiel
from tavola.ugi.options import Options

TRIED = 500
"""How many simulations it makes to see how fast it is at the start of a game."""

LEAST = 0.1
"""The minimum part of the time limit for a speed measurement; a proven win ends a search early."""

MOST_ACTIONS = 100_000
"""More than any position has: the number of an action is its place among the legal ones."""

EXPLORATION = 2.0
"""The exploration constant of OpenSpiel's own examples."""


class _State(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of ours as OpenSpiel asks of one."""

    def __init__(self, game: _Game, state: tavola.State) -> None:
        super().__init__(game)
        self._state = state

    def current_player(self) -> int:
        """The seat to act."""
        seat = self._state.to_act
        return cast("int", pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._state.legal_actions)))

    def _apply_action(self, number: int) -> None:
        self._state = self._state.play(self._state.legal_actions[number])

    def _action_to_string(self, player: int, number: int) -> str:
        return str(number)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.to_act is None

    def returns(self) -> list[float]:
        """Return each seat's result; zeros before the end."""
        returns = self._state.returns
        return [0.0] * self._state.game.seats if returns is None else list(returns)

    def __str__(self) -> str:
        return self._state.text


class _Game(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game of ours as OpenSpiel asks of one."""

    def __init__(self, ours: tavola.Game) -> None:
        if ours.has_chance or ours.seats != 2:
            raise SystemExit(f"{ours.name} has chance or more than two seats; see this module")
        self._ours = ours
        kind = pyspiel.GameType(
            short_name=f"tavola_{ours.name}",
            long_name=ours.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=ours.seats,
            min_num_players=ours.seats,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        size = pyspiel.GameInfo(
            num_distinct_actions=MOST_ACTIONS,
            max_chance_outcomes=0,
            num_players=ours.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(kind, size, {})

    def new_initial_state(self) -> _State:
        """The start."""
        return _State(self, self._ours.start())


class Bot:
    """A conversation in UGI, as far as `tavola match` has it."""

    def __init__(self) -> None:
        self._options = Options()
        self._state = self._options.game().start()
        self._rate = 1.0
        self._random = random.Random(0)

    def hear(self, line: str) -> None:
        """Does what a line says."""
        match line.split():
            case ["ugi"]:
                print("id name OpenSpiel MCTSBot")
                for option in self._options.offered.values():
                    print(option.line)
                print("ugiok")
            case ["setoption", "name", name, "value", value]:
                known = self._options.set(name, value)
                if known == "Seed":
                    self._random = random.Random(int(value))
            case ["position", "startpos", *rest]:
                self._state = self._options.game().start()
                for token in rest[1:]:
                    self._state = self._state.play(token)
            case ["go", "movetime", milliseconds]:
                self._go(int(milliseconds) / 1000)
            case ["isready"]:
                print("readyok")
            case ["uginewgame"]:
                self._state = self._options.game().start()
                self._search(TRIED, seconds=0.0)
            case _:
                print(f"info string error: not understood: {line.strip()}")

    def _go(self, seconds: float) -> None:
        """Answers what the bot plays."""
        simulations = max(2, round(self._rate * seconds))
        number, taken = self._search(simulations, seconds=seconds)
        print(f"info nodes {simulations} time {round(taken * 1000)}")
        print(f"bestmove {self._state.legal_actions[number]}")

    def _search(self, simulations: int, *, seconds: float) -> tuple[int, float]:
        """The number of the best action, and how many seconds that took."""
        game = _Game(self._options.game())
        searcher = open_spiel.bot(
            game,
            simulations=simulations,
            exploration=EXPLORATION,
            solve=True,
            seed=self._random.getrandbits(31),
        )
        state = _State(game, self._state)
        began = time.perf_counter()
        number = searcher.step(state)
        taken = time.perf_counter() - began
        if taken > LEAST * seconds:
            self._rate = simulations / taken
        return number, taken


def main() -> None:
    """Answers until there is nothing more to hear."""
    bot = Bot()
    for line in sys.stdin:
        if line.split() == ["quit"]:
            return
        bot.hear(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
