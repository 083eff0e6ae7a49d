"""`tavola fit`: fits the weights of an evaluation to self-play games."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.errors import UsageError, check_writable, engine_errors
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import interrupt_on_termination
from tavola.cli.tables import print_table
from tavola.executors import ClusterError, Executor, WorkerProcessDied
from tavola.server import games as server_games
from tavola.tuning import (
    Fit,
    Sample,
    SelfPlay,
    WeightsError,
    WeightSet,
    fit,
    play_games,
    read_weights,
    write_weights,
)


def run(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    engine: str,
    count: int,
    seed: int,
    executor: Executor | None,
    output: Path | None,
) -> int:
    """Play the games, fit the weights, print their quality, and write them.

    Args:
        translate: The language of messages.
        game: The name of the game.
        options: The options of the game.
        engine: The specification of the engine.
        count: The number of games.
        seed: The random seed.
        executor: Runs the games; `None` plays them in this process.
        output: The file of the weights; `None` is the file of the game.

    Returns:
        The exit code.

    Raises:
        UsageError: If the engine, its limits or the file is wrong, or the game has no evaluation.
        RequestError: For an unknown game, option or value.
    """
    loaded = server_games.load(game, options)
    path = output or Path("games") / loaded.name / "weights.json"
    if not path.parent.is_dir():
        raise UsageError(translate, "fit-output", path=path)
    check_writable(translate, path)
    try:
        read_weights(path)
    except WeightsError as error:
        raise UsageError(translate, "records", detail=error) from None
    if not loaded.weights:
        raise UsageError(translate, "fit-evaluation", game=loaded.name)
    with engine_errors(translate):
        tavola.engine(engine, loaded).close()
    if "nodes=" not in engine or "seconds=" in engine or "threads=" in engine:
        raise UsageError(translate, "fit-engine", engine=engine)
    chosen = {name: loaded.options[name] for name in options}
    games = SelfPlay(game=loaded.name, options=chosen, engine=engine, count=count, seed=seed)
    try:
        with interrupt_on_termination(), engine_errors(translate):
            result = fit(loaded, _samples(translate, games, executor))
    except (ClusterError, WorkerProcessDied) as error:
        print(translate("fit.died", detail=error, path=path), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(translate("fit.interrupted", path=path), file=sys.stderr)
        return INTERRUPTED
    _show(translate, loaded, result)
    weighed = WeightSet(
        options={name: str(value) for name, value in sorted(chosen.items())},
        engine=engine,
        games=count,
        seed=seed,
        positions=result.positions,
        loss={"equal": result.equal, "fitted": result.fitted},
        weights=result.weights,
    )
    try:
        write_weights(path, weighed)
    except WeightsError as error:
        raise UsageError(translate, "records", detail=error) from None
    print(translate("fit.written", path=path))
    return 0


def _samples(translate: Translator, games: SelfPlay, executor: Executor | None) -> list[Sample]:
    """Play the games and return their positions."""
    samples: list[Sample] = []
    playing = translate("fit.playing")
    with show_progress(Console(stderr=True), playing, total=games.count) as tell:
        for done, sampled in enumerate(play_games(games, executor=executor), start=1):
            samples += sampled
            tell(done, playing)
    return samples


def _show(translate: Translator, game: tavola.Game, result: Fit) -> None:
    """Print the weights, and the quality of their predictions on held-out games."""
    out = Console(highlight=False, markup=False)
    weights = Table(box=None, pad_edge=False, header_style="bold")
    weights.add_column(translate("fit.feature"))
    weights.add_column(translate("fit.before"), justify="right")
    weights.add_column(translate("fit.fitted"), justify="right")
    for name, weight in result.weights.items():
        weights.add_row(name, f"{game.weights[name]:.4f}", f"{weight:.4f}")
    print_table(weights, out)
    out.print()
    bins = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("fit.predicted", "fit.actual", "fit.count"):
        bins.add_column(translate(column), justify="right")
    for one in result.bins:
        bins.add_row(f"{one.predicted:.3f}", f"{one.actual:.3f}", str(one.count))
    print_table(bins, out)
    out.print()
    out.print(
        translate(
            "fit.loss",
            positions=result.held_out,
            equal=f"{result.equal:.4f}",
            before=f"{result.before:.4f}",
            fitted=f"{result.fitted:.4f}",
        )
    )
