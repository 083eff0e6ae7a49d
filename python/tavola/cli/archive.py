"""`tavola archive`: makes an archive of engine games."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path

from tavola.archive import Archive, ArchiveError, parse
from tavola.archive.make import ENGINES, PLIES, Plan, collect, play_games
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable, engine_errors, parse_file
from tavola.cli.locales import Translator
from tavola.cli.long_work import long_work
from tavola.cli.signals import deferred_interrupts
from tavola.engines import engine
from tavola.executors import Executor
from tavola.server import games as server_games

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
    loaded = server_games.load(game, options)
    chosen = tuple(engines) or ENGINES
    with engine_errors(translate):
        for text in chosen:
            engine(text, loaded).close()
    plan = Plan.of(loaded, engines=chosen, count=count, seed=seed, plies=plies)
    played = []
    if out.exists() and out.stat().st_size > 0:
        archive = read(translate, out)
        if not plan.matches(archive):
            raise UsageError(translate, "other-archive", file=out)
        played = list(archive.games())
    check_writable(translate, out)
    saved = time.monotonic()

    def save() -> None:
        with deferred_interrupts():
            atomic_write(out, collect(plan, played).dump())

    playing, done = translate("archive.playing"), len(played)
    with (
        long_work(translate, playing, total=count, done=done, out=out) as work,
        contextlib.closing(
            play_games(plan, frozenset(one.number for one in played), executor)
        ) as games,
    ):
        for one in games:
            if one is not None:
                played.append(one)
            work.tell(len(played), playing)
            if time.monotonic() - saved > SAVE_SECONDS:
                save()
                saved = time.monotonic()
    try:
        save()
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=out, detail=error) from None
    print(translate("archive.made", count=len(played), file=out))
    return work.status
