"""`tavola archive`: makes an archive of engine games."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tavola.archive import Archive, ArchiveError, parse
from tavola.archive.make import ENGINES, PLIES, Plan, collect, play_games
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable, parse_file
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import deferred_interrupts, interrupt_on_termination
from tavola.engines import engine
from tavola.errors import EngineError, EngineFailed
from tavola.executors import Executor, WorkerProcessDied
from tavola.server import games as known_games

__all__ = ["make", "read"]

SAVE_SECONDS = 20.0
"""The time between two savings of the games."""


def read(translate: Translator, path: Path) -> Archive:
    """Read an archive.

    Raises:
        UsageError: If the file cannot be read, or is not an archive.
    """
    return parse_file(translate, path, parse, ArchiveError, "bad-archive")


def make(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    engines: Sequence[str],
    count: int,
    plies: int = PLIES,
    seed: int,
    out: Path,
    executor: Executor,
) -> int:
    """Play the games of an archive that are missing in its file.

    Args:
        translate: The language.
        game: The name of the game.
        options: The options of the game.
        engines: The specifications of the engines; none for the lower levels.
        count: The number of games.
        plies: The maximum number of random actions at the start of a game.
        seed: The random seed.
        out: The file. One that exists keeps its games.
        executor: Runs the games.

    Returns:
        The exit code.

    Raises:
        UsageError: If an engine or the file cannot be used.
        RequestError: For an unknown game, option or value.
    """
    loaded = known_games.load(game, options)
    chosen = tuple(engines) or ENGINES
    for text in chosen:
        try:
            engine(text, loaded).close()
        except EngineError as error:
            raise UsageError(translate, "engine", detail=error) from None
    plan = Plan.of(loaded, engines=chosen, count=count, seed=seed, plies=plies)
    played = []
    if out.exists() and out.stat().st_size > 0:
        archive = read(translate, out)
        if not plan.matches(archive):
            raise UsageError(translate, "other-archive", file=out)
        played = list(archive.games())
    check_writable(translate, out)
    shown = Console(stderr=True, highlight=False)
    status, saved = 0, time.monotonic()

    def save() -> None:
        with deferred_interrupts():
            atomic_write(out, collect(plan, played).dump())

    try:
        with (
            interrupt_on_termination(),
            show_progress(
                shown, translate("archive.playing"), total=count, done=len(played)
            ) as tell,
            contextlib.closing(
                play_games(plan, frozenset(one.number for one in played), executor)
            ) as games,
        ):
            for one in games:
                if one is not None:
                    played.append(one)
                tell(len(played), translate("archive.playing"))
                if time.monotonic() - saved > SAVE_SECONDS:
                    save()
                    saved = time.monotonic()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except WorkerProcessDied as error:
        shown.print(translate("match.died", detail=error), style="red")
        status = FAILED
    except EngineFailed as error:
        shown.print(translate("error.engine", detail=error), style="red")
        status = FAILED
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=out, detail=error) from None
    try:
        save()
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=out, detail=error) from None
    print(translate("archive.made", count=len(played), file=out))
    return status
