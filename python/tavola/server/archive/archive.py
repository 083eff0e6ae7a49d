"""Finds games and positions in the archive."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import sqlalchemy as sa
from msgspec import Raw, json

import tavola
from tavola._core import LazyView
from tavola.archive import ArchiveError, Positions, Result, positions
from tavola.archive import archive as archive_of
from tavola.archive.archive import MOST_SEATS
from tavola.archive.tally import Tally, tallies
from tavola.options_text import options_text
from tavola.server.accounts import seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.archive.query import PAGE_SIZE, Query
from tavola.server.errors import RequestError
from tavola.server.live.finished_matches import finished, kind_of, played, position_key
from tavola.server.matches.log import Header
from tavola.server.matches.seating import Seating
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.archive import ArchivedGame, ArchivePage, Explored, PlayedAction
from tavola.server.schema.responses import SeatInfo
from tavola.server.schema.sanitize import fold
from tavola.server.snapshots.snapshot import seat_infos
from tavola.server.storage.database import Database, load_headers
from tavola.server.storage.tables import matches, seats

__all__ = ["Archive"]

MOST_ACTIONS = 200
"""The greatest number of actions that the explorer lists."""

MOST_NUMBER = 2**32 - 1
"""The greatest number of an engine game."""

SLOW_SECONDS = 0.02
"""How long a count takes at least that is cached."""

COUNTED_SECONDS = 60.0
"""How long it is cached."""

CACHED_COUNTS = 256
"""How many are cached."""


class Archive:
    """The archive of a server.

    Args:
        database: The database of the matches.
        work: The queue in which searches wait for their turns.
    """

    def __init__(self, database: Database, work: WorkQueue) -> None:
        self._database = database
        self._work = work
        self._counts = Counts()

    async def explore(self, state: tavola.State, client: str) -> Explored:
        """Return what was played in a position: in engine games, and on this server.

        Args:
            state: The position.
            client: The address that asks.

        Raises:
            RequestError: `bad-archive`, `analysis-limit`, `busy`.
        """
        key = _key(state)
        async with self._work.turn(client):
            own, server = await self._database.read(
                lambda connection: _results(connection, key), self._work.in_turn
            )
            return await self._work.in_turn(partial(_explored, state, own, server))

    async def search(self, query: Query, account: Account | None, client: str) -> ArchivePage:
        """Return a page of games.

        Args:
            query: What to find.
            account: Who asks: their own matches are found in any case.
            client: The address that asks.

        Raises:
            RequestError: `bad-archive`, `unknown-page`, `analysis-limit`, `busy`.
        """
        async with self._work.turn(client):
            if query.source == "server":
                return await self._database.read(
                    lambda connection: _server_page(connection, query, account, self._counts),
                    self._work.in_turn,
                )
            return await self._work.in_turn(partial(_engine_page, query))

    async def record(self, game: tavola.Game, number: int, client: str) -> str:
        """Return an engine game as a record.

        Raises:
            RequestError: `unknown-archived`, `bad-archive`, `analysis-limit`, `busy`.
        """
        return await self._work.run(client, partial(_record, game, number))


class Counts:
    """The numbers of games that slow searches found, for a while."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, count: Callable[[], int]) -> int:
        """Return a count, a cached one if it was slow and is not old.

        Args:
            key: What is counted.
            count: Counts it.
        """
        began = time.monotonic()
        with self._lock:
            until, known = self._known.get(key, (began, 0))
        if until > began:
            return known
        found = count()
        now = time.monotonic()
        if now - began >= SLOW_SECONDS:
            with self._lock:
                self._known[key] = now + COUNTED_SECONDS, found
                if len(self._known) > CACHED_COUNTS:
                    self._known.popitem(last=False)
        return found


def _explored(state: tavola.State, own: Sequence[Result], server: int) -> Explored:
    """Return what was played in a position, with these results on this server."""
    known = _known(state.game)
    results: list[Result] = []
    engines = 0
    if known is not None:
        results, engines = list(known.results(state)), len(known.games(state))
    found = tallies([*results, *own], state.game.seats)[:MOST_ACTIONS]
    return Explored(
        seat=state.to_act,
        server=server,
        engines=engines,
        has_engines=known is not None,
        actions=_actions(state, found),
    )


def _known(game: tavola.Game) -> Positions | None:
    """Return the positions of the engine games; the first call takes a second or two."""
    try:
        return positions(game)
    except ArchiveError as error:
        raise RequestError("bad-archive", game=game.name, detail=str(error)) from error


def _record(game: tavola.Game, number: int) -> str:
    try:
        known = archive_of(game.name)
        if known is not None and 0 <= number <= MOST_NUMBER:
            place = int(np.searchsorted(known.numbers, number))
            if place < len(known) and known.numbers[place] == number:
                return known.record(place).text
    except ArchiveError as error:
        raise RequestError("bad-archive", game=game.name, detail=str(error)) from error
    raise RequestError("unknown-archived", game=game.name, number=number)


def _key(state: tavola.State) -> str:
    game = state.game
    return position_key(kind_of(game.name, game.rules_version, game.options), f"{state.key:016x}")


def _winners(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(MOST_SEATS) if mask >> seat & 1)


def _results(connection: sa.Connection, key: str) -> tuple[list[Result], int]:
    """Return the results of a position on this server, and the number of its games."""
    here = played.c.key == key
    rows = connection.execute(
        sa.select(played.c.token, played.c.winners, sa.func.count())
        .where(here, played.c.token.is_not(None))
        .group_by(played.c.token, played.c.winners)
    ).all()
    count = connection.execute(
        sa.select(sa.func.count(played.c.match.distinct())).where(here)
    ).scalar_one()
    found = [
        Result(token=token, winners=_winners(mask), count=number) for token, mask, number in rows
    ]
    return found, count


def _actions(state: tavola.State, found: Sequence[Tally]) -> tuple[PlayedAction, ...]:
    """Return the actions in words. Two positions may have one key by accident: skip others."""
    chance = state.to_act == tavola.CHANCE
    legal = frozenset(
        (token for token, _ in state.chance_outcomes) if chance else state.legal_actions
    )
    view = None if chance else state.lazy_view(None)
    return tuple(_action(state, view, tally) for tally in found if tally.token in legal)


def _action(state: tavola.State, view: LazyView | None, tally: Tally) -> PlayedAction:
    token = tally.token
    lazy = state.lazy_events(token)
    label = lazy.text_json() if view is None else view.label_json(token)
    label = label or lazy.text_json() or json.encode({"key": f"action.{token}"})
    return PlayedAction(
        token=token,
        label=Raw(label),
        move=Raw(lazy.move_json() or b"null"),
        count=tally.count,
        won=tally.won,
        drawn=tally.drawn,
        shares=tally.shares,
    )


def _engine_page(query: Query) -> ArchivePage:
    """Return a page of engine games."""
    known = _known(query.game)
    if known is None:
        return ArchivePage((), 0, None)
    archive = known.archive
    wanted = np.ones(len(archive), np.bool_)
    if query.state is not None:
        wanted[:] = False
        wanted[known.games(query.state)] = True
    if query.player:
        text = fold(query.player)
        fitting = [place for place, one in enumerate(archive.engines) if text in fold(one)]
        wanted &= np.isin(archive.players, fitting).any(axis=1)
    if query.winner is not None:
        wanted &= archive.won == 0 if query.winner < 0 else archive.won >> query.winner & 1 == 1
    wanted &= archive.lengths >= query.shortest
    if query.longest is not None:
        wanted &= archive.lengths <= query.longest
    (found,) = np.nonzero(wanted)
    if not ((query.after.isascii() and query.after.isdigit()) or query.after == ""):
        raise RequestError("unknown-page", after=query.after)
    after = min(int(query.after or 0), MOST_NUMBER)
    shown = found[np.searchsorted(archive.numbers[found], after, "right") :][: PAGE_SIZE + 1]
    rows = [_engine_game(known, int(place), query) for place in shown[:PAGE_SIZE]]
    return ArchivePage(tuple(rows), len(found), rows[-1].id if len(shown) > PAGE_SIZE else None)


def _engine_game(positions: Positions, place: int, query: Query) -> ArchivedGame:
    archive = positions.archive
    engines = [archive.engines[engine] for engine in archive.players[place]]
    return ArchivedGame(
        id=str(archive.numbers[place]),
        options=options_text(archive.options),
        seats=tuple(_engine_seat(seat, text) for seat, text in enumerate(engines)),
        winners=archive.winners(place),
        reason="",
        length=int(archive.lengths[place]),
        ended=None,
        ply=None if query.state is None else positions.first_ply(query.state, place),
    )


def _engine_seat(seat: int, text: str) -> SeatInfo:
    """Return the seat of an engine: with its level, or with its specification as its name."""
    _, is_level, number = text.partition("level:")
    if is_level and number.isdigit():
        return SeatInfo(seat, "engine", "", yours=False, level=int(number))
    return SeatInfo(seat, "engine", text, yours=False)


def _server_page(
    connection: sa.Connection, query: Query, account: Account | None, counts: Counts
) -> ArchivePage:
    """Return a page of this server's matches."""
    conditions = list(_conditions(query, account))
    number = sa.select(sa.func.count()).select_from(finished).where(*conditions)
    latest = finished.c.ended.desc(), finished.c.match
    if query.after:
        ended, _, match = query.after.partition(" ")
        if not match:
            raise RequestError("unknown-page", after=query.after)
        same = (finished.c.ended == ended) & (finished.c.match > match)
        conditions.append((finished.c.ended < ended) | same)
    rows = connection.execute(
        finished.select().where(*conditions).order_by(*latest).limit(PAGE_SIZE + 1)
    ).all()
    shown = rows[:PAGE_SIZE]
    count = len(rows)
    if query.after or len(rows) > len(shown):
        asked = replace(query, after=""), None if account is None else account.id
        # A cached count may be older than the list.
        count = max(count, counts.get(asked, lambda: connection.execute(number).scalar_one()))
    ids = [row.match for row in shown]
    found = connection.execute(matches.select().where(matches.c.id.in_(ids))).all()
    headers = {header.id: header for header in load_headers(connection, found)}
    plies = _plies(connection, query, ids)
    listed = tuple(
        server_game(headers[row.match], row, plies.get(row.match), account) for row in shown
    )
    last = shown[-1] if len(rows) > PAGE_SIZE else None
    return ArchivePage(listed, count, None if last is None else f"{last.ended} {last.match}")


def _conditions(query: Query, account: Account | None) -> Iterable[sa.ColumnElement[bool]]:
    game = query.game
    kind = kind_of(game.name, game.rules_version, game.options)
    yield finished.c.game == game.name if query.any_options else finished.c.kind == kind
    here = seats.c.match == finished.c.match
    if account is None:
        yield finished.c.listed
    else:
        own = sa.exists().where(here, seats.c.account == account.id)
        yield finished.c.listed | own
    if query.player:
        player = fold(query.player)
        named = seats.c.folded.contains(player, autoescape=True)
        level = player.removeprefix("level:")
        if level.isascii() and level.isdigit() and len(level) < 3:
            named |= seats.c.level == int(level)
        yield sa.exists().where(here, named)
    if query.winner is not None:
        won = finished.c.winners
        yield won == 0 if query.winner < 0 else won.bitwise_and(1 << query.winner) != 0
    yield finished.c.length >= query.shortest
    if query.longest is not None:
        yield finished.c.length <= query.longest
    if query.state is not None:
        yield finished.c.match.in_(
            sa.select(played.c.match).where(played.c.key == _key(query.state))
        )


def _plies(connection: sa.Connection, query: Query, ids: list[str]) -> dict[str, int]:
    """Return after how many actions the position occurs in each match."""
    if query.state is None:
        return {}
    rows = connection.execute(
        sa.select(played.c.match, sa.func.min(played.c.ply).label("ply"))
        .where(played.c.key == _key(query.state), played.c.match.in_(ids))
        .group_by(played.c.match)
    )
    return {row.match: row.ply for row in rows}


def server_game(
    header: Header, row: sa.Row[Any], ply: int | None, account: Account | None
) -> ArchivedGame:
    """Return a match of this server from its row in `finished`."""
    own = frozenset() if account is None else seat_tokens.account_seats(header, account)
    return ArchivedGame(
        id=header.id,
        options=options_text(header.options),
        seats=seat_infos(Seating(header.seats, frozenset()), own),
        winners=_winners(row.winners),
        reason=row.reason,
        length=row.length,
        ended=row.ended,
        ply=ply,
    )
