"""The plan of a training run: the game, the network and all settings."""

from __future__ import annotations

import msgspec

from tavola import _core
from tavola._core import Game

__all__ = ["Plan"]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a training run. Equal plans train equal networks.

    A round is the unit of work: games of self-play, then steps of the optimizer. After some
    rounds the new network plays against the best one.

    Attributes:
        game: The name of the game.
        options: The options of the game.
        rules_version: The version of its rules.
        features: The weights of the features of the game's evaluation that the network reads;
            empty if it reads the observation alone.
        looks: Whether its policy also reads the evaluation after each action.
        seed: The random seed.
        hidden: The size of the first hidden layer.
        second: The size of the second layer of the value.
        games: The number of games in a round.
        together: The number of games of a task: one process plays and searches them together.
        nodes: The simulations of a full search, which makes a sample.
        c_puct: The exploration constant of the searches with a network.
        rollouts: The weight of a rollout in the value of a leaf, for those who play with the
            network; `None` is 0. The run itself searches without rollouts.
        fast_nodes: The simulations of a fast search, which only chooses an action.
        full: The share of the full searches.
        noise: The Dirichlet noise of full searches: (alpha, fraction).
        free: The number of actions at the start of a game that are drawn from the visits.
        teacher_rounds: The number of first rounds that the compiled search plays.
        teacher_nodes: The simulations of its full searches.
        solution: Whether a solution of the game gives the targets of the positions that it knows.
        certain: The share of a seat from which a game counts as won without being played on.
        window: The maximum number of samples to train on.
        power: The policy learns the visits to this power. A wide search visits most actions, so
            its visits alone hardly prefer one.
        passes: The number of times that the optimizer uses each sample, on average.
        batch: The number of samples in a step of the optimizer.
        rate: The learning rate.
        decay: The strength of the weight decay.
        root: The part of the search's own value in the target of the shares.
        gate_every: The number of rounds between two gates.
        gate_nodes: The simulations of an action in a gate.
        gate_games: The maximum number of games of a gate.
        elo: The gate tests this Elo difference against its negative. If all games leave the
            test undecided, the better score decides.
        anchor_nodes: The simulations of the compiled search that measures progress.
        anchor_games: The number of games against it, after each gate.
    """

    game: str
    options: dict[str, str | int] = {}
    rules_version: int = 1
    features: dict[str, float] = {}
    looks: bool = False
    seed: int = 0
    hidden: int = 128
    second: int = 32
    games: int = 512
    together: int = 32
    nodes: int = 128
    c_puct: float = 1.25
    rollouts: float | None = None
    fast_nodes: int = 24
    full: float = 0.5
    noise: tuple[float, float] = (0.3, 0.25)
    free: int = 16
    teacher_rounds: int = 4
    teacher_nodes: int = 1600
    solution: bool = False
    certain: float = 0.98
    window: int = 250_000
    power: int = 1
    passes: float = 8.0
    batch: int = 512
    rate: float = 5e-3
    decay: float = 1e-3
    root: float = 0.3
    gate_every: int = 6
    gate_nodes: int = 128
    gate_games: int = 200
    elo: float = 20.0
    anchor_nodes: int = 2000
    anchor_games: int = 128

    def load(self) -> Game:
        """Return the game with its options."""
        return _core.load(self.game, **self.options)
