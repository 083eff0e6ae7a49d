"""The next round of a tournament: which boards, and who has none."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations

from tavola.server.tournaments.log import (
    Change,
    Joined,
    Paired,
    PairedBoard,
    Points,
    Replayed,
    Turned,
)
from tavola.server.tournaments.pairing import arena, groups, knockout, round_robin
from tavola.server.tournaments.standings import standings
from tavola.server.tournaments.tournament import Board, Tournament

NewId = Callable[[], str]
"""Creates the id of a match."""


def placement_points(ranking: tuple[float, ...]) -> Points:
    """Return the points of the seats: the last one has 0, equals share theirs.

    Args:
        ranking: By seat, higher is better.

    >>> placement_points((9, 2, 5, 2))
    (3.0, 0.5, 2.0, 0.5)
    """
    return tuple(
        float(
            sum(other < own for other in ranking)
            + Fraction(sum(other == own for other in ranking) - 1, 2)
        )
        for own in ranking
    )


def forfeit_points(players: tuple[int, ...], absent: frozenset[int]) -> Points:
    """Return the points of a board at which players are absent."""
    return placement_points(tuple(0.0 if player in absent else 1.0 for player in players))


def last_round(tournament: Tournament) -> int | None:
    """Return the number of rounds; `None` for an arena, which ends by time."""
    settings = tournament.settings
    match settings.format:
        case "arena":
            return None
        case "knockout":
            return max(1, (len(tournament.players) - 1).bit_length())
        case "round-robin" | "double-round-robin":
            double = settings.format == "double-round-robin"
            return round_robin.round_count(len(tournament.players), double=double)
    return settings.rounds


def start_changes(tournament: Tournament) -> list[Change]:
    """Return what the start of a tournament changes: an engine may make a round robin even."""
    settings = tournament.settings
    changes: list[Change] = [Turned("started")]
    circle = settings.format in ("round-robin", "double-round-robin")
    if circle and settings.fill is not None and len(tournament.players) % 2:
        changes.append(Joined(next_number(tournament), settings.fill, filler=True))
    return changes


def next_number(tournament: Tournament, taken: int = 0) -> int:
    """Return the number of a new player."""
    return max([taken, *tournament.players], default=0) + 1


def is_arena_over(tournament: Tournament, now: datetime) -> bool:
    """Return whether an arena pairs no more."""
    assert tournament.started is not None, "it runs"
    minutes = timedelta(minutes=tournament.settings.minutes)
    return now >= datetime.fromisoformat(tournament.started) + minutes


def next_changes(
    tournament: Tournament, now: datetime, new_id: NewId, chance: random.Random
) -> list[Change]:
    """Return what is due in a running tournament: a round, a board played again, or the end.

    Args:
        tournament: The tournament; its results are up to date.
        now: The time.
        new_id: Creates the id of a match.
        chance: Orders equals.
    """
    if tournament.settings.format == "arena":
        return _arena_changes(tournament, now, new_id)
    if replays := _replays(tournament, new_id):
        return replays
    if tournament.open_boards():
        return []
    last = last_round(tournament)
    if last is not None and len(tournament.rounds) >= last:
        return [Turned("finished")]
    return next_round(tournament, new_id, chance)


def next_round(tournament: Tournament, new_id: NewId, chance: random.Random) -> list[Change]:
    """Return the changes that begin the next round; without new pairs, those of the end."""
    match tournament.settings.format:
        case "swiss" | "tables":
            return _group_round(tournament, new_id, chance)
        case "knockout":
            return _knockout_round(tournament, new_id)
    return _circle_round(tournament, new_id)


def _board(tournament: Tournament, players: tuple[int, ...], new_id: NewId) -> PairedBoard:
    """Return a new board; it is decided without a match if a player has left."""
    left = {player.number for player in tournament.players.values() if player.left is not None}
    absent = left.intersection(players)
    if absent:
        return PairedBoard(players, None, forfeit_points(players, frozenset(absent)))
    return PairedBoard(players, new_id())


def _group_round(tournament: Tournament, new_id: NewId, chance: random.Random) -> list[Change]:
    size, fill = tournament.size, tournament.settings.fill
    points = tournament.points()
    playing = {player.number for player in tournament.active}
    order = [one.player for one in standings(tournament) if one.player in playing]
    changes: list[Change] = []
    missing = -len(order) % size
    history = tournament.history()
    if fill is not None and order:
        there = [player.number for player in tournament.fillers if player.left is None][:missing]
        while len(there) < missing:
            number = next_number(tournament, max(there, default=0))
            changes.append(Joined(number, fill, filler=True))
            there.append(number)
            points[number] = 0.0
        order += there
        # Engines that fill seats sit at different tables.
        history.met.update(combinations(sorted(there), 2))
    if len(order) < size:
        return [Turned("finished")]
    found = groups.form_groups(order, size, history, points, chance)
    if found is None:
        return [Turned("finished")]
    formed, byes = found
    # The leaders play at the first boards.
    formed.sort(key=lambda group: -max(points[player] for player in group))
    boards = tuple(_board(tournament, group, new_id) for group in formed)
    return [*changes, Paired(boards, byes)]


def _circle_round(tournament: Tournament, new_id: NewId) -> list[Change]:
    pairs, alone = round_robin.round_pairs(sorted(tournament.players), len(tournament.rounds))
    boards = tuple(_board(tournament, pair, new_id) for pair in pairs)
    # The bye of an odd circle gives no points: every player has one.
    return [Paired(boards)] if alone is not None or boards else [Turned("finished")]


def _knockout_round(tournament: Tournament, new_id: NewId) -> list[Change]:
    players = sorted(tournament.players)  # the first seed first
    if not tournament.rounds:
        pairs, byes = knockout.first_round(players)
        boards = tuple(_board(tournament, pair, new_id) for pair in pairs)
        return [Paired(_decided(boards), byes)]
    lost = {player for board in tournament.boards() for player in _losers(board)}
    pairs = knockout.next_round(players, frozenset(players) - lost)
    balanced = [_by_seats(tournament, pair) for pair in pairs]
    boards = tuple(_board(tournament, pair, new_id) for pair in balanced)
    return [Paired(_decided(boards))] if boards else [Turned("finished")]


def _decided(boards: tuple[PairedBoard, ...]) -> tuple[PairedBoard, ...]:
    """Return boards of a knockout: if both players are absent, the first one wins."""
    return tuple(
        PairedBoard(board.players, None, (1.0, 0.0))
        if board.points is not None and board.points[0] == board.points[1]
        else board
        for board in boards
    )


def _by_seats(tournament: Tournament, pair: tuple[int, int]) -> tuple[int, int]:
    """Return a pair so that the one who sat first less often does now."""
    seats = tournament.history().seats
    ahead = [seats[player][0] - seats[player][1] for player in pair]
    return pair if ahead[0] <= ahead[1] else (pair[1], pair[0])


def _losers(board: Board) -> list[int]:
    points = board.points or ()
    return [player for player, own in zip(board.players, points, strict=False) if own < max(points)]


def _replays(tournament: Tournament, new_id: NewId) -> list[Change]:
    """Return the drawn boards of a knockout, to be played again in exchanged seats."""
    if tournament.settings.format != "knockout" or not tournament.rounds:
        return []
    return [
        Replayed(board.round, board.number, board.players[::-1], new_id())
        for board in tournament.rounds[-1].boards
        if board.points is not None and board.points[0] == board.points[1]
    ]


def _arena_changes(tournament: Tournament, now: datetime, new_id: NewId) -> list[Change]:
    busy = {player for board in tournament.open_boards() for player in board.players}
    if is_arena_over(tournament, now):
        return [] if busy else [Turned("finished")]
    active = {player.number for player in tournament.active}
    free = [one.player for one in standings(tournament) if one.player in active - busy]
    fill = tournament.settings.fill
    changes: list[Change] = []
    # Players who have just ended wait for others who end soon, unless all are paired.
    pairs = arena.pair_free(free, tournament.history())
    alone = [player for player in free if not any(player in pair for pair in pairs)]
    if fill is not None and alone and not busy:
        filler = next((one.number for one in tournament.fillers), None)
        if filler is None:
            filler = next_number(tournament)
            changes.append(Joined(filler, fill, filler=True))
        pairs.append((alone[0], filler))
    if not pairs:
        return []
    return [*changes, Paired(tuple(_board(tournament, pair, new_id) for pair in pairs))]
