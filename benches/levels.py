"""How each of a game's eight engine levels scores against the one below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import tavola
from tavola._core import _EngineSpec
from tavola.executors import ProcessExecutor
from tavola.tournament import Row, Schedule, Standings, play_games

TABLE = Path(__file__).parent.parent / "docs" / "reference" / "levels.md"

RANGE = (0.60, 0.75)
"""The score that each level should have against the one below."""

CLASSIC = "classic"

HEADINGS = (
    "| Level | Engine | Score against the level below | 95 % interval "
    "| Elo above level 1 | Games | Seconds an action |",
    "|---|---|---|---|---|---|---|",
)

INTRODUCTION = """# Engine levels

Every game has eight engine levels, from `level:1` to `level:8`. `games/<game>/levels.json` names
their engines; `tavola.engine` and `tavola match` accept them. Each level should score 60 to 75 %
against the one below; a star marks exceptions.

Low levels visit few nodes, search forced results less deep (`lookahead`), and sometimes choose an
action other than the best (`blunders`). Their mistakes resemble those of people.

Level 8 plays with the neural network that the game has for its options (`net`), also in the
browser. Without a network it is the last engine of `levels.json`, which is always called `classic`.

`make levels` writes these tables. Games are played in pairs from random openings with seats
swapped, at the default options. The interval is that of the score, by pairs. Elo is the sum of the
differences from level 1. A level that counts nodes plays the same on every machine; level 8 has one
second on two threads, so it depends on the machine.
`python -m benches find-levels GAME --highest N` finds the engines below it.
"""


@dataclass(frozen=True)
class LevelScore:
    """A level and its score against the one below; the first has none."""

    level: int | str
    engine: str
    row: Row | None


def play(
    game: str, first: str, second: str, *, games: int, seed: int, processes: int, console: Console
) -> Row:
    """Return the score of one engine against another."""
    loaded = tavola.load(game)
    plan = Schedule(
        game=game,
        options=loaded.options,
        engines=(first, second),
        games=games + games % 2,
        plies=4,
        seed=seed,
    )
    standing = Standings(plan)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{game}: {first} against {second}", total=plan.games)
        for played in play_games(plan, plan.pairings(), ProcessExecutor(processes)):
            standing.add(played)
            progress.advance(task)
    return standing.rows()[0]


def measure(
    game: str, *, games: int, seed: int, processes: int, console: Console
) -> Iterable[LevelScore]:
    """Every level of a game against the one below it, and `classic` if it is not the last one."""
    names = tavola.levels(game)
    yield LevelScore(1, names[0], None)

    def against(first: str, level: int) -> Row:
        return play(
            game,
            first,
            f"level:{level}",
            games=games,
            seed=seed,
            processes=processes,
            console=console,
        )

    for level in range(2, len(names) + 1):
        yield LevelScore(level, names[level - 1], against(f"level:{level}", level - 1))
    if (classic := str(_EngineSpec("classic", tavola.load(game)))) != names[-1]:
        yield LevelScore(CLASSIC, classic, against("classic", len(names) - 1))


def section(game: str, steps: Iterable[LevelScore]) -> str:
    """Return the section of docs/reference/levels.md about a game."""
    lines, above, below = [f"## {game}", "", *HEADINGS], 0.0, 0.0
    for step in steps:
        row = step.row
        if row is None:
            lines.append(f"| {step.level} | `{step.engine}` | | | 0 | | |")
            continue
        if step.level != CLASSIC:  # which plays the same level as the one above it
            below = above
        above = below + (0.0 if row.elo is None else row.elo)
        low, high = row.interval
        mark = "" if RANGE[0] <= row.share <= RANGE[1] else " *"
        seconds = 0.0 if row.seconds is None else row.seconds
        lines.append(
            f"| {step.level} | `{step.engine}` | {row.share:.1%}{mark} | {low:.0%} to {high:.0%} "
            f"| {above:.0f} | {row.games} | {seconds:.3f} |"
        )
    return "\n".join(lines) + "\n"


def write(sections: dict[str, str]) -> None:
    """Write sections into docs/reference/levels.md, and keep those of other games."""
    text = TABLE.read_text() if TABLE.exists() else ""
    _, *known = text.split("\n## ")
    kept = {part.split("\n", 1)[0]: "## " + part.rstrip() + "\n" for part in known}
    kept |= sections
    TABLE.write_text("\n".join([INTRODUCTION, *(kept[game] for game in sorted(kept))]))
