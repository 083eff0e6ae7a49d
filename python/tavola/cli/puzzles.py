"""`tavola puzzles`: makes puzzles from engine games, confirms or measures those of a file."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable, parse_file
from tavola.cli.exit_codes import FAILED
from tavola.cli.locales import Translator
from tavola.cli.long_work import long_work
from tavola.cli.signals import deferred_interrupts
from tavola.executors import Executor
from tavola.options_text import options_text
from tavola.puzzles import THEMES, PuzzleError, PuzzleFile, parse, puzzle_file
from tavola.puzzles.check import check_all
from tavola.puzzles.generate import Plan, generate
from tavola.puzzles.rating import measure_all, with_least_levels
from tavola.server import games as server_games

__all__ = ["make", "measure", "verify"]


def _read(translate: Translator, path: Path) -> PuzzleFile:
    """Read a file of puzzles.

    Raises:
        UsageError: If it cannot be read, or is not a file of puzzles.
    """
    return parse_file(translate, path, parse, PuzzleError, "bad-puzzles")


def make(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    themes: tuple[str, ...],
    count: int,
    seed: int,
    out: Path,
    executor: Executor,
) -> int:
    """Add puzzles to a file until it has enough. Each game's puzzles are saved at once.

    Args:
        translate: The language.
        game: The name of the game.
        options: The options of the game.
        themes: The themes of new puzzles; empty for all.
        count: The number of puzzles of the whole file.
        seed: The random seed.
        out: The file. One that exists keeps its puzzles.
        executor: Runs the games.

    Returns:
        The exit code.

    Raises:
        UsageError: If the file cannot be used, or a theme is unknown.
        RequestError: For an unknown game, option or value.
    """
    loaded = server_games.load(game, options)
    exists = out.exists() and out.stat().st_size > 0
    file = _read(translate, out) if exists else PuzzleFile(puzzle_file(loaded.name).goals)
    for theme in themes:
        if theme not in file.themes:
            known_themes = ", ".join(file.themes)
            raise UsageError(translate, "unknown-theme", given=theme, valid=known_themes)
    check_writable(translate, out)
    plan = Plan(
        game=loaded.name,
        options=options_text(options),
        goals=file.goals,
        themes=themes or file.themes,
        count=count,
        seed=seed,
    )
    making, done = translate("puzzles.making"), len(file.puzzles)
    with (
        long_work(translate, making, total=count, done=done, out=out) as work,
        contextlib.closing(generate(plan, file, executor)) as generated,
    ):
        for number, new in enumerate(generated, 1):
            if new:
                file = replace(file, puzzles=(*file.puzzles, *new))
                with deferred_interrupts():
                    atomic_write(out, file.dump())
            work.tell(len(file.puzzles), translate("puzzles.games", count=number))
    counted = Counter(puzzle.theme for puzzle in file.puzzles)
    for theme in file.themes:
        print(f"{theme:8} {counted[theme]:5}")
    print(translate("puzzles.made", count=len(file.puzzles), file=out))
    return work.status


def verify(
    translate: Translator,
    game: str,
    *,
    path: Path,
    sample: int | None,
    seed: int,
    executor: Executor,
) -> int:
    """Confirm puzzles of a file, and print those that are not confirmed.

    Args:
        translate: The language.
        game: The name of the game.
        path: The file.
        sample: The number of puzzles, drawn at random; `None` for all.
        seed: The random seed.
        executor: Runs the checks.

    Returns:
        The exit code: 1 if a puzzle is not confirmed.

    Raises:
        UsageError: If the file cannot be used.
        RequestError: For an unknown game.
    """
    name = server_games.load(game, {}).name
    file = _read(translate, path)
    puzzles = list(file.puzzles)
    if sample is not None and sample < len(puzzles):
        puzzles = random.Random(seed).sample(puzzles, sample)
    done = confirmed = 0
    with (
        long_work(translate, translate("puzzles.checking"), total=len(puzzles)) as work,
        contextlib.closing(check_all(name, file, puzzles, seed, executor)) as checked,
    ):
        for puzzle, fault in checked:
            done += 1
            confirmed += fault is None
            if fault is not None:
                print(f"{puzzle.id} {puzzle.theme}: {fault}")
            work.tell(done, puzzle.theme)
    if work.status:
        return work.status
    part = confirmed / done if done else 1.0
    print(translate("puzzles.checked", confirmed=confirmed, count=done, part=f"{part:.1%}"))
    return 0 if confirmed == done else FAILED


def measure(
    translate: Translator, game: str, *, path: Path, trials: int, executor: Executor
) -> int:
    """Measure the levels of the puzzles of a file. Each level is saved at once.

    Args:
        translate: The language.
        game: The name of the game.
        path: The file. Puzzles that have as many trials stay as they are.
        trials: The number of trials of each level.
        executor: Runs the trials.

    Returns:
        The exit code.

    Raises:
        UsageError: If the file cannot be used.
        RequestError: For an unknown game.
    """
    name = server_games.load(game, {}).name
    file = _read(translate, path)
    check_writable(translate, path)
    rest = [one for one in file.puzzles if one.theme in THEMES and one.trials < trials]
    before = {one.id: one.level for one in file.puzzles}
    with (
        long_work(translate, translate("puzzles.measuring"), total=len(rest), out=path) as work,
        contextlib.closing(measure_all(name, rest, trials, executor)) as measured,
    ):
        for number, new in enumerate(measured, 1):
            by_id = {one.id: one for one in file.puzzles}
            by_id[new.id] = new
            file = replace(file, puzzles=tuple(by_id.values()))
            with deferred_interrupts():
                atomic_write(path, file.dump())
            work.tell(number, new.theme)
    if work.status:
        return work.status
    file = replace(file, puzzles=with_least_levels(file.puzzles))
    with deferred_interrupts():
        atomic_write(path, file.dump())
    moved = sum(before[one.id] != one.level for one in file.puzzles)
    for level, count in sorted(Counter(puzzle.level for puzzle in file.puzzles).items()):
        print(f"{level:8} {count:5}")
    print(translate("puzzles.measured", count=len(rest), moved=moved, file=path))
    return 0
