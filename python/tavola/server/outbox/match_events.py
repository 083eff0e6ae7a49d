"""The events of a match that absent players should hear of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from tavola.server.matches.log import Event, Header, format_time
from tavola.server.matches.match import Match
from tavola.server.matches.time_control import DAY, DaysTime
from tavola.server.outbox import events
from tavola.server.outbox.events import NewEvent, Person
from tavola.server.schema.notifications import Kind
from tavola.server.snapshots.presence import Presence
from tavola.server.storage.database import Database, Statement

WARNING_SHARE = 0.25
"""The share of a turn's time before whose end the player is warned."""

MAX_WARNING_SECONDS = DAY / 2
"""The longest time before the end at which the player is warned."""


class MatchEvents:
    """Finds what absent players of a match should hear of.

    Args:
        database: The database that stores the events.
        match: The id of the match.
        presence: Its viewers.
    """

    def __init__(self, database: Database, match: str, presence: Presence) -> None:
        self._database = database
        self._match = match
        self._presence = presence
        self._people: dict[int, Person] = {}

    def set_seats(self, header: Header, persons: frozenset[int]) -> None:
        """Set the players: the seats of the header without those that engines play for."""
        found = ((seat, events.person_of(header.seats[seat])) for seat in sorted(persons))
        self._people = {seat: person for seat, person in found if person is not None}
        if len(set(self._people.values())) < 2:
            # A player alone, or against engines, waits for no other person.
            self._people = {}

    def on_events_stored(
        self, before: Match, match: Match, new: Sequence[Event]
    ) -> list[Statement]:
        """Return what to write with new events of the match.

        Args:
            before: The match before them.
            match: The match as they leave it.
            new: The events.
        """
        if not self._people:
            return []
        acted = {event.seat for event in new if event.command is not None}
        absent = self._absent(acted)
        found: list[NewEvent] = []
        turn = (match.acting, match.core.turn)
        if match.status == "over":
            if before.status != "over":
                found += self._for_all(absent, "over", "")
        elif (
            match.acting in absent
            and not match.paused
            and turn != (before.acting, before.core.turn)
        ):
            found.append(NewEvent(absent[match.acting], "turn", self._match, self._match))
        if (request := match.request) is not None and request != before.request:
            asked = {seat: absent[seat] for seat in request.waiting if seat in absent}
            found += self._for_all(
                asked, "request", str(match.seq), seat=request.seat, detail=request.what[:64]
            )
        if match.next_match is not None and before.next_match is None:
            found += [
                NewEvent(person, "challenge", match.next_match, match.next_match, detail="rematch")
                for person in set(absent.values())
            ]
        statements = self._schedule_warning(match)
        present = self._present()
        if back := {self._people[seat] for seat in acted if seat in self._people} - present:
            # A bot that acts without a connection was there, too.
            statements.append(events.execute(events.returned(self._match, back)))
        return [*statements, events.add(found)] if found else statements

    def on_seat_taken(self, header: Header, seat: int) -> list[Statement]:
        """Return what to write when a player takes a seat of the match."""
        taken = events.person_of(header.seats[seat])
        found = (events.person_of(other) for other in header.seats)
        away = {person for person in found if person is not None} - self._present() - {taken}
        new = [
            NewEvent(person, "challenge", self._match, f"{self._match} {seat}", seat)
            for person in away
        ]
        return [events.add(new)] if new else []

    def on_chat(self, seat: int) -> list[Statement]:
        """Return what to write with a line of the chat from a seat."""
        author = self._people.get(seat)
        sender = None if author is None else author.account
        new = [
            event._replace(sender=sender)
            for event in self._for_all(self._absent({seat}), "chat", "", seat=seat)
        ]
        return [events.add(new)] if new else []

    async def on_return(self, held: frozenset[int]) -> None:
        """Mark the events of players who are back as read."""
        back = {self._people[seat] for seat in held if seat in self._people}
        if not back:
            return
        own = events.returned(self._match, back)
        assert own.whereclause is not None, "it updates some rows"
        waiting = sa.select(events.outbox.c.id).where(own.whereclause).limit(1)
        if await self._database.read(lambda connection: connection.execute(waiting).first()):
            await self._database.run(lambda connection: connection.execute(own))

    def _for_all(
        self,
        people: dict[int, Person],
        kind: Kind,
        once: str,
        *,
        seat: int | None = None,
        detail: str | None = None,
    ) -> list[NewEvent]:
        """Return an event for each of the people."""
        return [
            NewEvent(person, kind, self._match, f"{self._match} {once}".rstrip(), seat, detail)
            for person in dict.fromkeys(people.values())
        ]

    def _present(self) -> set[Person]:
        """Return the players who are connected."""
        seats = self._presence.present_seats()
        return {self._people[seat] for seat in seats if seat in self._people}

    def _absent(self, acted: set[int]) -> dict[int, Person]:
        """Return the players who are not connected and have not just acted, by seat."""
        here = self._present() | {self._people[seat] for seat in acted if seat in self._people}
        return {seat: person for seat, person in self._people.items() if person not in here}

    def _schedule_warning(self, match: Match) -> list[Statement]:
        """Return what schedules the warning that the time of the seat to act runs out."""
        time = match.header.time
        if not isinstance(time, DaysTime) or match.remaining_time is None:
            return []
        statements = [events.cancel_scheduled(self._match)]
        if match.running_turn is None or match.last_event_at is None:
            return statements
        seat, turn = match.running_turn
        warned = min(time.days * DAY * WARNING_SHARE, MAX_WARNING_SECONDS)
        wait = match.remaining_time.left(seat) - warned
        if seat not in self._people or wait <= 0:
            return statements
        due = datetime.fromisoformat(match.last_event_at) + timedelta(seconds=wait)
        once = f"{self._match} {turn}"
        warning = NewEvent(self._people[seat], "time", self._match, once, due=format_time(due))
        return [*statements, events.add([warning])]


def on_challenge(header: Header, free: int, invited: str, account: str) -> list[Statement]:
    """Return what to write with a new match to which an account invites another.

    Args:
        header: The match.
        free: The seat of the invitation.
        invited: The account that is invited.
        account: The account that invites it.
    """
    by = next((seat for seat, one in enumerate(header.seats) if one.account == account), None)
    detail = f"{events.INVITE}{free}"
    person = Person(invited, None)
    new = NewEvent(person, "challenge", header.id, header.id, by, detail, sender=account)
    return [events.add([new])]


def on_round(header: Header) -> list[Statement]:
    """Return what to write with a new match of a tournament, for all its players."""
    found = (events.person_of(seat) for seat in header.seats)
    people = dict.fromkeys(person for person in found if person is not None)
    new = [NewEvent(person, "round", header.id, header.id) for person in people]
    return [events.add(new)] if new else []
