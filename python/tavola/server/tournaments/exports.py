"""A tournament as files: standings and cross table as CSV, and the TRF of FIDE."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from tavola.server.errors import RequestError
from tavola.server.tournaments.standings import TIE_BREAKS, standings
from tavola.server.tournaments.store import Found
from tavola.server.tournaments.tournament import Board

NameOf = Callable[[int], str]
"""Returns the name of a player by number."""

Entry = Board | Literal["bye", ""]
"""A round of a player: the board, a bye, or neither."""

_FORMULA = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet would compute."""


def name_of(found: Found) -> NameOf:
    """Return a function that names players; an engine by its level."""

    def name(number: int) -> str:
        player = found.tournament.players[number]
        return found.name(number) if player.level is None else f"Engine level {player.level}"

    return name


def standings_csv(found: Found) -> str:
    """Return the standings as CSV, the first place first."""
    name, tournament = name_of(found), found.tournament
    header = ["rank", "name", "points", "played", *TIE_BREAKS[tournament.settings.format]]
    rows = (
        [one.rank, name(one.player), _number(one.points), one.played]
        + [_number(value) for value in one.tie_breaks]
        for one in standings(tournament)
    )
    return _csv([header, *rows])


def cross_table_csv(found: Found) -> str:
    """Return the boards of each player as CSV: a column for each board, in order.

    A cell has the ranks of the opponents, the seat from 1 on, and the points: `3,7 s1 2.5`. It is
    `bye`, or empty where the player was not paired.
    """
    name, tournament = name_of(found), found.tournament
    places = standings(tournament)
    rank = {one.player: place for place, one in enumerate(places, start=1)}
    longest = max((len(_entries(found, one.player)) for one in places), default=0)
    header = ["place", "name", "points", *range(1, longest + 1)]
    rows = [
        [rank[one.player], name(one.player), _number(one.points)]
        + [_cell(entry, one.player, rank) for entry in _entries(found, one.player)]
        for one in places
    ]
    return _csv([header, *rows])


def trf(found: Found) -> str:
    """Return a tournament of two seats as a TRF report.

    Raises:
        RequestError: `tournament-seats`.
    """
    tournament, name = found.tournament, name_of(found)
    if tournament.size != 2:
        raise RequestError("tournament-seats", seats=tournament.size)
    places = standings(tournament)
    numbers = {one: place for place, one in enumerate(sorted(tournament.players), start=1)}
    lines = [
        f"012 {tournament.settings.name}",
        f"042 {(tournament.started or found.created)[:10].replace('-', '/')}",
        f"062 {len(tournament.players)}",
        f"092 {tournament.settings.format}",
    ]
    for one in sorted(places, key=lambda standing: standing.player):
        line = f"001 {numbers[one.player]:4} {'':4} {name(one.player)[:33]:33}"
        line = f"{line:79} {one.points:4.1f} {one.rank:4}"
        for entry in _entries(found, one.player):
            line += f"  {_trf_entry(entry, one.player, numbers)}"
        lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def _entries(found: Found, player: int) -> list[Entry]:
    """Return a player's boards in the order of the rounds, and the rounds without one."""
    entries: list[Entry] = []
    arena = found.tournament.settings.format == "arena"
    for one in found.tournament.rounds:
        boards = [board for board in one.boards if player in board.players]
        without: list[Entry] = [] if arena else ["bye" if player in one.byes else ""]
        entries += boards or without
    return entries


def _cell(board: Entry, player: int, rank: dict[int, int]) -> str:
    if not isinstance(board, Board):
        return board
    others = ",".join(str(rank[other]) for other in board.players if other != player)
    points = "" if board.points is None else _number(board.points_of(player))
    return f"{others} s{board.players.index(player) + 1} {points}".rstrip()


def _trf_entry(board: Entry, player: int, numbers: dict[int, int]) -> str:
    """Return a round of a player: opponent, colour, result."""
    if not isinstance(board, Board):
        # A bye gives a point; a round of a player who was not paired gives none.
        return "0000 - U" if board else "0000 - Z"
    seat = board.players.index(player)
    opponent = numbers[board.players[1 - seat]]
    if board.points is None:
        result = " "
    else:
        played = board.match is not None and board.absent is None
        own = board.points[seat]
        result = {1.0: "1" if played else "+", 0.0: "0" if played else "-"}.get(own, "=")
    return f"{opponent:4} {'wb'[seat]} {result}"


def _number(value: float) -> str:
    return f"{value:g}"


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([_safe(cell) for cell in row])
    return text.getvalue()


def _safe(cell: object) -> object:
    """Return a cell that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
