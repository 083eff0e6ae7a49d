"""Ratings per game: what rated matches came to, counted as they end.

Each result is written in the transaction that ends its match, and updates the ratings there. Every
rated match counts once, even if the server crashes. The ratings follow from the results alone, in
the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from statistics import fmean
from typing import Any, Literal

import sqlalchemy as sa

from tavola.ratings import Rating, rate, start
from tavola.server import games
from tavola.server.accounts.accounts import Account, accounts
from tavola.server.accounts.seat_tokens import LEVEL_PREFIX
from tavola.server.matches.log import Header, now
from tavola.server.matches.seating import SeatRating
from tavola.server.schema.accounts import (
    AccountRating,
    LeaderboardRow,
    Leaderboards,
    OwnResult,
    RatingChange,
)
from tavola.server.storage.database import Database, Statement
from tavola.server.storage.tables import metadata, seats

Field = Literal["two", "several"]

PERIOD_DAYS = 5
"""Days of a rating period, after which a deviation grows by one step."""

ESTABLISHED_DEVIATION: dict[Field, float] = {"two": 110.0, "several": 300.0}
"""With a greater deviation a rating is not yet worth a place among the others."""

LEADERBOARD_LENGTH = 200
"""How long a ranking list is at most."""

results = sa.Table(
    "results",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("matches.id"), nullable=False, unique=True),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    # By seat: {"player", "returns", "before", "after"}.
    sa.Column("seats", sa.JSON, nullable=False),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("field", sa.String(16), primary_key=True),
    sa.Column("player", sa.String(32), primary_key=True),
    sa.Column("rating", sa.Float, nullable=False),
    sa.Column("deviation", sa.Float, nullable=False),
    sa.Column("volatility", sa.Float, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)


def record_result(
    match: str, game: str, players: Sequence[str], returns: Sequence[float]
) -> Statement:
    """Return the statement that stores a rated match's result, in the transaction of its end.

    Args:
        match: The match.
        game: Its game.
        players: By seat: an account's id, or `level:N`. A level may sit at several seats.
        returns: By seat.
    """
    field = _field(len(players))

    def count(connection: sa.Connection) -> None:
        if connection.dialect.name == "postgresql":
            # Servers take turns, so each one continues from the latest ratings.
            connection.execute(sa.text("LOCK TABLE results IN SHARE ROW EXCLUSIVE MODE"))
        at = now()
        here = sa.and_(
            ratings.c.game == game, ratings.c.field == field, ratings.c.player.in_(players)
        )
        by_player = {
            row.player: row for row in connection.execute(ratings.select().where(here)).all()
        }
        before = [_rating(by_player.get(player), len(players)) for player in players]
        elapsed = [
            rating_periods(by_player[player].at, at) if player in by_player else 0.0
            for player in players
        ]
        after = rate(before, returns, elapsed)
        connection.execute(
            results.insert().values(
                match=match,
                game=game,
                at=at,
                seats=[
                    {
                        "player": player,
                        "returns": returned,
                        "before": old.value,
                        "after": new.value,
                    }
                    for player, returned, old, new in zip(
                        players, returns, before, after, strict=True
                    )
                ],
            )
        )
        connection.execute(ratings.delete().where(here))
        connection.execute(
            ratings.insert(),
            [
                {
                    "game": game,
                    "field": field,
                    "player": player,
                    "rating": rating.value,
                    "deviation": rating.deviation,
                    "volatility": rating.volatility,
                    "matches": 1 + (by_player[player].matches if player in by_player else 0),
                    "at": at,
                }
                for player, rating in average_by_player(players, after).items()
            ],
        )

    return count


def average_by_player(players: Sequence[str], after: Sequence[Rating]) -> dict[str, Rating]:
    """Return each player's rating: of an engine on several seats, the average."""
    return {
        player: Rating(
            value=fmean(rating.value for rating in own),
            deviation=fmean(rating.deviation for rating in own),
            volatility=fmean(rating.volatility for rating in own),
        )
        for player in dict.fromkeys(players)
        if (own := [rating for who, rating in zip(players, after, strict=True) if who == player])
    }


def rating_periods(before: str, at: str) -> float:
    """Return the number of rating periods between two times."""
    passed = datetime.fromisoformat(at) - datetime.fromisoformat(before)
    return max(passed.total_seconds(), 0.0) / (PERIOD_DAYS * 86_400)


def delete_ratings(connection: sa.Connection, account: str) -> None:
    """Take an account off every list. The results stay: others' ratings follow from them."""
    connection.execute(ratings.delete().where(ratings.c.player == account))


def seat_ratings(connection: sa.Connection, header: Header) -> tuple[SeatRating | None, ...]:
    """Return the ratings by seat of the accounts whose names a match shows.

    In a rated match also those of engine levels.
    """
    shown = [
        seat.account if seat.member else seat.engine if header.rated and seat.level else None
        for seat in header.seats
    ]
    players = {player for player in shown if player is not None}
    if not players:
        return (None,) * len(header.seats)
    field = _field(len(header.seats))
    here = sa.and_(
        ratings.c.game == header.game, ratings.c.field == field, ratings.c.player.in_(players)
    )
    by_player = {row.player: row for row in connection.execute(ratings.select().where(here))}

    def of_player(player: str | None) -> SeatRating | None:
        if player is None:
            return None
        rating = _rating(by_player.get(player), len(header.seats))
        return SeatRating(round(rating.value), rating.deviation > ESTABLISHED_DEVIATION[field])

    return tuple(map(of_player, shown))


class Ratings:
    """The ranking lists."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboards(self, game: str, account: Account | None) -> Leaderboards:
        """Return a game's lists: first the accounts with enough results, then the others.

        Raises:
            RequestError: `unknown-game`.
        """
        games.info(game)

        def read(connection: sa.Connection) -> list[Any]:
            listed = (
                sa.select(ratings, accounts.c.name)
                .join_from(ratings, accounts, ratings.c.player == accounts.c.id, isouter=True)
                # Levels have no account.
                .where(ratings.c.game == game, accounts.c.bot.is_not(sa.true()))
            )
            rows: list[Any] = []
            for field, sure in ESTABLISHED_DEVIATION.items():
                rows += connection.execute(
                    listed.where(ratings.c.field == field)
                    .order_by(ratings.c.deviation > sure, ratings.c.rating.desc(), ratings.c.player)
                    .limit(LEADERBOARD_LENGTH)
                )
            return rows

        rows = await self._database.run(read)
        return Leaderboards(
            *(
                tuple(_leaderboard_row(row, account) for row in rows if row.field == field)
                for field in ("two", "several")
            )
        )

    async def of_account(self, account: Account) -> tuple[AccountRating, ...]:
        """Return an account's ratings."""
        rows = await self._database.rows(
            ratings.select()
            .where(ratings.c.player == account.id)
            .order_by(ratings.c.game, ratings.c.field.desc())
        )
        return tuple(
            AccountRating(row.game, row.field, row.rating, row.deviation, row.matches)
            for row in rows
        )

    async def rating(self, game: str, seats: int, account: Account | None) -> Rating:
        """Return a player's rating in a game with this number of seats; a guest is a new player."""
        if account is None:
            return start(seats)
        here = sa.and_(
            ratings.c.game == game,
            ratings.c.field == _field(seats),
            ratings.c.player == account.id,
        )
        row = await self._database.read(
            lambda connection: connection.execute(ratings.select().where(here)).one_or_none()
        )
        return _rating(row, seats)

    async def results(self, account: Account) -> tuple[OwnResult, ...]:
        """Return how rated matches changed an account's ratings, the oldest first."""
        own = sa.select(seats.c.match).where(seats.c.account == account.id)
        rows = await self._database.rows(
            results.select().where(results.c.match.in_(own)).order_by(results.c.number)
        )
        return tuple(
            OwnResult(row.match, seat, row.at, one["before"], one["after"])
            for row in rows
            for seat, one in enumerate(row.seats)
            if one["player"] == account.id
        )

    async def changes(self, match: str) -> tuple[RatingChange, ...]:
        """Return how a match changed the ratings of its seats; empty if it did not count."""
        found = await self._database.scalar(
            sa.select(results.c.seats).where(results.c.match == match)
        )
        return tuple(
            RatingChange(seat, one["before"], one["after"]) for seat, one in enumerate(found or ())
        )


def _field(seats: int) -> Field:
    return "two" if seats == 2 else "several"


def _rating(row: Any, seats: int) -> Rating:
    if row is None:
        return start(seats)
    return Rating(value=row.rating, deviation=row.deviation, volatility=row.volatility)


def _leaderboard_row(row: Any, account: Account | None) -> LeaderboardRow:
    level = row.player.removeprefix(LEVEL_PREFIX) if row.player.startswith(LEVEL_PREFIX) else None
    return LeaderboardRow(
        rating=row.rating,
        deviation=row.deviation,
        matches=row.matches,
        established=row.deviation <= ESTABLISHED_DEVIATION[row.field],
        name=row.name,
        level=None if level is None else int(level),
        yours=account is not None and row.player == account.id,
    )
