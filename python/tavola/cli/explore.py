"""`tavola explore`: shows what was played in a position of an archive."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

import tavola
from tavola import view as views
from tavola._core import say
from tavola.analysis.annotate import seat_names
from tavola.archive import Archive, ArchiveError, Positions, explore, positions
from tavola.archive.tally import Tally
from tavola.cli.archive import read
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.cli.perft import start
from tavola.cli.tables import print_table

__all__ = ["show"]

MOST_ROWS = 40


def show(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    position: str | None,
    actions: str,
    path: Path | None,
    listed: int,
    json: bool,
) -> int:
    """Print the actions that were played in a position, with their results.

    Args:
        translate: The language.
        game: The name of the game.
        options: The options of the game.
        position: The text of the position; `None` for the start.
        actions: Actions from the position on, separated by spaces.
        path: The archive; `None` for the one that the game contains.
        listed: The maximum number of games to list.
        json: Whether to print JSON.

    Returns:
        The exit code.

    Raises:
        UsageError: If the position, an action or the archive cannot be used.
        RequestError: For an unknown game, option or value.
    """
    state = start(translate, game, options, position)
    try:
        state = state.play_all(actions)
    except tavola.IllegalAction as error:
        raise UsageError(translate, "illegal", detail=error) from None
    try:
        found = positions(state.game) if path is None else Positions.of(read(translate, path))
    except ArchiveError as error:
        raise UsageError(translate, "bad-archive", file=path or game, detail=error) from None
    if found is None:
        raise UsageError(translate, "no-archive", game=game)
    if found.archive.load() != state.game:
        raise UsageError(translate, "archive-of-another", file=path)
    explored = explore(state, found)
    if json:
        print(msgspec.json.encode(explored).decode())
        return 0
    console = Console(highlight=False)
    if not explored.games:
        console.print(translate("explore.none"))
        return 0
    console.print(translate("explore.games", count=f"{explored.games:,}"))
    if explored.actions:
        print_table(_table(translate, state, explored.actions), console)
    for place in islice(found.games(state).tolist(), listed):
        console.print(_line(translate, found.archive, place), markup=False)
    return 0


def _table(translate: Translator, state: tavola.State, actions: tuple[Tally, ...]) -> Table:
    """Return the table of actions, for the seat to act or else the first seat."""
    seat = max(state.to_act or 0, 0)
    names = seat_names(state.game, translate.language)
    table = Table(box=None)
    table.add_column(translate("explore.action"))
    table.add_column("")
    table.add_column(translate("explore.count"), justify="right")
    table.add_column(translate("explore.share", seat=names[seat]), justify="right")
    table.add_column(translate("explore.results"), justify="right")
    for tally in actions[:MOST_ROWS]:
        lost = tally.count - tally.won[seat] - tally.drawn
        table.add_row(
            tally.token,
            _words(translate, state, tally.token),
            f"{tally.count:,}",
            f"{tally.shares[seat]:.1%}",
            f"{tally.won[seat]} / {tally.drawn} / {lost}",
        )
    return table


def _words(translate: Translator, state: tavola.State, token: str) -> str:
    """Return an action in words."""
    if state.to_act == tavola.CHANCE:
        texts = [event.text for event in views.events(state, token) if event.text]
    else:
        labels = {action.token: action.label for action in views.view(state, state.to_act).actions}
        texts = [labels[token]] if token in labels else []
    if not texts:
        return ""
    return say(state.game.name, translate.language, msgspec.json.encode(texts[0]).decode())


def _line(translate: Translator, archive: Archive, place: int) -> str:
    """Return a game as one line."""
    names = seat_names(archive.load(), translate.language)
    engines = [archive.engines[engine] for engine in archive.players[place]]
    players = ", ".join(f"{name} {engine}" for name, engine in zip(names, engines, strict=True))
    winners = archive.winners(place)
    won = [translate("explore.won", seat=names[seat]) for seat in winners]
    return translate(
        "explore.game",
        number=int(archive.numbers[place]),
        players=players,
        result=", ".join(won) or translate("explore.drawn"),
        length=int(archive.lengths[place]),
    )
