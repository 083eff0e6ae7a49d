"""Engine specifications: `random`, `tree:nodes=5000,threads=1`, `ugi:seconds=1 -- ./program`."""

from __future__ import annotations

from collections.abc import Mapping

from tavola import _core
from tavola._core import Game, Network
from tavola.engines.builtin import RandomEngine, SearchEngine
from tavola.engines.engine import Engine, Limits
from tavola.engines.network import network_of
from tavola.engines.python_agent import PythonAgent
from tavola.engines.ugi_client import UgiEngine

__all__ = ["EXTERNAL", "KINDS", "analysis_network", "engine"]

KINDS: Mapping[str, tuple[str, ...]] = dict(_core._engine_kinds())
"""The kinds of engines, with the settings of each."""

EXTERNAL = ("ugi", "python")
"""The kinds of external engines, which have options of their own."""


def engine(text: str, game: Game | str) -> Engine:
    """Create an engine from its specification.

    A specification is a kind and its settings: `random`, `auto:seconds=1`,
    `tree:nodes=5000,threads=2`, `uct:nodes=1000,seed=3`, `alphabeta:depth=6`. Without limits an
    engine thinks one second per action, in one thread. The settings of a search:

    - `seconds`, `nodes`, `depth`: the limits of one action.
    - `lookahead`: the depth of the exhaustive look-ahead for forced results, in actions. Up to 5 it
      is complete; beyond that it goes as deep as the node limit allows.
    - `blunders`: the blunder rate. The engine plays each action with a probability proportional
      to `visits ** (1 / blunders)`; 0 always plays the best action.
    - `contempt`: the part of its share of a draw that the engine counts as lost, from 0 to 0.9.
    - `prior` (of `tree`): the game's evaluation guides the tree. The prior of an action
      is in proportion to this power of the odds after it, from 0 to 20; 0 for no prior.
    - `threads`, `memory` (of the tree, in megabytes), `seed`.

    `net:nodes=800` is a tree search with the neural network of the game for its options, and
    `net:file=PATH` with a network of `tavola train`. `c_puct` is its exploration constant: how
    much the policy counts against the shares. `rollouts` is the weight of a rollout in the value of
    each leaf, from 0 to 1. The other settings are those of `auto`.

    `perfect` plays a game by the solution in a file of `tavola solve`. Among actions of the same
    result a tree search chooses, with `seconds`, `nodes`, `contempt`, `threads`, `memory` and
    `seed`. `file` is the file, if it is not in the data folder. The solution may take longer than
    the limits.

    `level:1` to `level:8` are the levels of the game (`tavola.levels`). `classic` is the last level
    without its network, to measure networks against.

    `ugi:COMMAND` runs a program that speaks UGI (docs/reference/ugi.md), with its settings before
    the command: `ugi:seconds=0.5,option.Hash=64 -- COMMAND`.

    `python:MODULE:CLASS` or `python:FILE.py:CLASS` is a class with `choose(state) -> token`, which
    runs in a process of its own. `seconds` limits the time of an action (default 30), and options
    are arguments of the class: `python:seconds=5,option.depth=3 -- agents.py:Greedy`.

    Args:
        text: The specification.
        game: The game to play, or its name.

    Returns:
        The engine. It is a context manager, and closes at the end of a `with` block.

    Raises:
        EngineError: If the engine, a setting or a value is unknown; names all valid ones.

    >>> import tavola
    >>> game = tavola.load("potlatch")
    >>> with tavola.engine("tree:nodes=100,seed=3", game) as engine:
    ...     engine.choose(game.start()).token in game.start().legal_actions
    True
    """
    game = _core._game(game)
    spec = _core._EngineSpec(text, game)
    limits = Limits(seconds=spec.seconds, nodes=spec.nodes, depth=spec.depth)
    match spec.kind:
        case "random":
            return RandomEngine(text, seed=spec.seed)
        case "ugi":
            return UgiEngine(
                text,
                game,
                command=spec.command,
                limits=limits,
                options=spec.options,
                patience=spec.patience,
            )
        case "python":
            return PythonAgent(
                text, game, target=spec.command, seconds=spec.seconds, options=spec.options
            )
        case _:
            return SearchEngine(text, game, spec)


def analysis_network(text: str | None, game: Game) -> Network | None:
    """Return the network of the engine of an analysis; `None` for the classic search.

    Args:
        text: `classic`, `net` or `net:file=PATH`, as for `engine`. The analysis has its own limits,
            so there are no other settings. `None` is the engine of the last level: with the network
            of the game for its options if there is one.
        game: The game.

    Raises:
        EngineError: If the engine or a setting is unknown, or there is no such network.
    """
    return network_of(text or "net", game, _core._EngineSpec(text, game, analysis=True))
