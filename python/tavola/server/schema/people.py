"""Profiles and other people; see `docs/reference/people.md`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tavola.server.schema.archive import ArchivedGame

PersonName = Annotated[str, Meta(min_length=1, max_length=100)]

Relation = Literal["follow", "block"]


class RatingHistory(Struct, frozen=True):
    """A rating of a person, and what it was.

    Attributes:
        field: Matches of two seats, or of more.
        established: Whether the rating is certain enough for a rank.
        best: The highest value so far.
        points: Times and values, the oldest first.
    """

    game: str
    field: Literal["two", "several"]
    rating: float
    deviation: float
    matches: int
    established: bool
    best: float
    points: tuple[tuple[str, float], ...]


class Score(Struct, frozen=True):
    """How games ended for a person; the others of `played` were lost."""

    played: int
    won: int
    drawn: int


class SeatScore(Struct, frozen=True):
    """The score of a person at a seat of a game."""

    game: str
    seat: int
    score: Score


class OpponentScore(Struct, frozen=True, omit_defaults=True):
    """The score of a person against another, or against a level of the computer."""

    score: Score
    name: str | None = None
    level: int | None = None


class Trophy(Struct, frozen=True):
    """A finished tournament in which a person came among the first three."""

    tournament: str
    name: str
    game: str
    players: int
    place: int
    at: str


class Profile(Struct, frozen=True):
    """A person.

    Attributes:
        private: Whether the person shows nothing but the name; then the rest is empty for others.
        you: Whether it is the account that is signed in.
        relation: The relation of that account to the person.
        bot: Whether a program plays for the person.
        friend: Whether both follow each other.
        online: Of a friend, whether a page is open.
        playing: Of a friend, a game in progress that everyone may watch.
        versus: The score of the account that is signed in against the person.
    """

    name: str
    private: bool
    you: bool
    relation: Relation | None
    created: str | None = None
    bot: bool = False
    friend: bool = False
    online: bool = False
    playing: str | None = None
    ratings: tuple[RatingHistory, ...] = ()
    seats: tuple[SeatScore, ...] = ()
    opponents: tuple[OpponentScore, ...] = ()
    trophies: tuple[Trophy, ...] = ()
    versus: Score | None = None


class PersonGame(ArchivedGame, frozen=True):
    """A finished game of a person."""

    game: str


class PersonGames(Struct, frozen=True):
    """Finished games of a person, the latest first; `next`: the next page's `after`, or None."""

    games: tuple[PersonGame, ...]
    next: str | None


class RelationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Follow or block a person; None: neither."""

    name: PersonName
    kind: Relation | None


class Friend(Struct, frozen=True):
    """A person whom the account follows and who follows it; `playing`: a game to watch."""

    name: str
    online: bool
    playing: str | None
    game: str | None


class People(Struct, frozen=True):
    """The people of the account, by name.

    Attributes:
        private: Whether its profile shows nothing but the name.
        seen: When a page of it was last open, if another account follows it.
        friends: Those whom it follows and who follow it.
        following: The others whom it follows.
        followers: The others who follow it.
        blocked: Those whom it blocks.
    """

    private: bool
    seen: str | None
    friends: tuple[Friend, ...]
    following: tuple[str, ...]
    followers: tuple[str, ...]
    blocked: tuple[str, ...]


class ProfileSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Show nothing but the name, or everything."""

    private: bool
