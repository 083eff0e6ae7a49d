"""Decisions: which changes an action of a viewer leads to, or why it is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tavola.server.accounts.accounts import Account
from tavola.server.accounts.seat_tokens import hash_secret
from tavola.server.errors import RequestError
from tavola.server.schema.sanitize import fold, sanitize_line
from tavola.server.tournaments import rounds
from tavola.server.tournaments.log import (
    Change,
    Corrected,
    Described,
    Joined,
    Left,
    Returned,
    Turned,
)
from tavola.server.tournaments.settings import MAX_PLAYERS
from tavola.server.tournaments.store import Found, Person
from tavola.server.tournaments.tournament import Tournament
from tavola.server.tournaments.wire import (
    AddEngine,
    CorrectBoard,
    DescribeTournament,
    JoinTournament,
    LeaveTournament,
    ReturnToTournament,
    TournamentAction,
    TurnTournament,
)

MAX_ENGINES = 16
"""How many engines the organizer can add."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The account that is signed in, and the hashes of the secrets that were sent."""

    account: Account | None = None
    hashes: frozenset[str] = frozenset()

    def is_organizer(self, found: Found) -> bool:
        """Return whether the viewer is the organizer, of this tournament or of all."""
        if self.account is not None and self.account.organizer:
            return True
        by_account = self.account is not None and self.account.id == found.organizer
        return by_account or found.organizer_hash in self.hashes

    def player(self, found: Found) -> int | None:
        """Return the number of the viewer's player."""
        for person in found.people.values():
            if person.account is not None and self.account is not None:
                if person.account == self.account.id:
                    return person.number
            elif person.token_hash is not None and person.token_hash in self.hashes:
                return person.number
        return None


@dataclass(frozen=True, slots=True)
class Decision:
    """The changes of an action; `person`: a player who enters."""

    changes: Sequence[Change]
    person: Person | None = None


NOTHING = Decision(())


def decide(found: Found, action: TournamentAction, viewer: Viewer) -> Decision:
    """Return what an action changes.

    Raises:
        RequestError: With the reason; nothing has changed.
    """
    tournament = found.tournament
    match action:
        case JoinTournament():
            return _join(found, action, viewer)
        case LeaveTournament() | ReturnToTournament():
            return _leave_or_return(found, action, viewer)
    if not viewer.is_organizer(found):
        raise RequestError("not-organizer")
    match action:
        case DescribeTournament(name, description):
            line = sanitize_line(name)
            if not line:
                raise RequestError("tournament-name")
            return Decision([Described(line, description)])
        case AddEngine(level):
            engines = sum(player.level is not None for player in tournament.players.values())
            if engines >= MAX_ENGINES:
                raise RequestError("tournament-full", most=MAX_ENGINES)
            _check_entry(tournament)
            return Decision([Joined(rounds.next_number(tournament), level)])
        case CorrectBoard():
            return _correct(tournament, action)
        case TurnTournament(to):
            return _turn(found, to)


def permissions(found: Found, viewer: Viewer) -> tuple[str, ...]:
    """Return the names of the actions that a viewer can do now."""
    tournament, can = found.tournament, []
    number = viewer.player(found)
    player = None if number is None else tournament.players.get(number)
    if player is None and can_enter(tournament):
        can.append("join")
    if player is not None and tournament.status != "finished":
        if player.left is None:
            can.append("leave")
        elif player.left != "removed" and can_enter(tournament, again=True):
            can.append("return")
    if viewer.is_organizer(found):
        can += _organizer_permissions(tournament)
    return tuple(can)


def _organizer_permissions(tournament: Tournament) -> list[str]:
    can = ["describe"]
    if can_enter(tournament):
        can.append("engine")
    match tournament.status:
        case "open":
            if _has_enough_players(tournament):
                can.append("started")
        case "running":
            can += ["paused", "finished", "correct"]
            if _awaits_round(tournament):
                can.append("round")
        case "paused":
            can += ["resumed", "finished", "correct"]
        case "finished":
            can.append("correct")
    return can


def can_enter(tournament: Tournament, *, again: bool = False) -> bool:
    """Return whether players can enter now, or enter `again`."""
    settings = tournament.settings
    if tournament.status == "open":
        return len(tournament.players) < MAX_PLAYERS
    if tournament.status == "finished" or settings.format == "knockout":
        return False
    if again:
        return True
    fixed = settings.format in ("round-robin", "double-round-robin")
    return settings.late and not fixed and len(tournament.players) < MAX_PLAYERS


def _check_entry(tournament: Tournament) -> None:
    if can_enter(tournament):
        return
    if len(tournament.players) >= MAX_PLAYERS:
        raise RequestError("tournament-full", most=MAX_PLAYERS)
    raise RequestError("no-entry")


def _join(found: Found, action: JoinTournament, viewer: Viewer) -> Decision:
    tournament, account = found.tournament, viewer.account
    if account is None and action.token is not None:
        viewer = Viewer(None, viewer.hashes | {hash_secret(action.token)})
    number = viewer.player(found)
    if number is not None:
        # The same player again, perhaps after a lost answer.
        player = tournament.players[number]
        return NOTHING if player.left is None else _again(tournament, number)
    _check_entry(tournament)
    if account is not None and account.bot:
        raise RequestError("bot-forbidden")
    number = rounds.next_number(tournament)
    if account is not None:
        person = Person(number, account.name, account.id)
    else:
        if not tournament.settings.guests:
            raise RequestError("signed-out")
        name = sanitize_line(action.name)
        if action.token is None or not name:
            raise RequestError("guest-name")
        person = Person(number, name, None, hash_secret(action.token))
    if any(fold(one.name) == fold(person.name) for one in found.people.values() if one.name):
        raise RequestError("name-taken", name=person.name)
    return Decision([Joined(number)], person)


def _again(tournament: Tournament, number: int) -> Decision:
    player = tournament.players[number]
    if player.left == "removed" or not can_enter(tournament, again=True):
        raise RequestError("no-entry")
    return Decision([Returned(number)])


def _leave_or_return(
    found: Found, action: LeaveTournament | ReturnToTournament, viewer: Viewer
) -> Decision:
    tournament, own = found.tournament, viewer.player(found)
    number = own if action.player is None else action.player
    if number is None:
        raise RequestError("not-a-player")
    if number != own and not viewer.is_organizer(found):
        raise RequestError("not-organizer")
    player = tournament.players.get(number)
    if player is None:
        raise RequestError("unknown-player", player=number)
    if tournament.status == "finished":
        raise RequestError("tournament-over")
    if isinstance(action, LeaveTournament):
        if player.left is not None:
            return NOTHING
        return Decision([Left(number, "withdrew" if number == own else "removed")])
    if player.left is None:
        return NOTHING
    if number != own and tournament.settings.format != "knockout":
        return Decision([Returned(number)])
    return _again(tournament, number)


def _correct(tournament: Tournament, action: CorrectBoard) -> Decision:
    board = tournament.board(action.round, action.board)
    if board is None:
        raise RequestError("unknown-board", round=action.round, board=action.board)
    if len(action.places) != len(board.players):
        raise RequestError("seat-count", needed=len(board.players), given=len(action.places))
    points = rounds.placement_points(tuple(-float(place) for place in action.places))
    if tournament.settings.format == "knockout":
        if points[0] == points[1]:
            raise RequestError("knockout-draw")
        if action.round < len(tournament.rounds):
            raise RequestError("round-over")
    return Decision([Corrected(action.round, action.board, points)])


def _turn(found: Found, to: str) -> Decision:
    tournament = found.tournament
    if to not in (*_organizer_permissions(tournament),):
        if tournament.status == "open" and to == "started":
            raise RequestError("too-few-players", needed=least_players(tournament))
        raise RequestError("not-now")
    match to:
        case "started":
            deleted = [
                Left(one.number, "withdrew")
                for one in found.people.values()
                if one.deleted and one.number in tournament.players
            ]
            return Decision([*deleted, *rounds.start_changes(tournament)])
        case "paused" | "resumed" | "finished":
            return Decision([Turned(to)])
    # The service pairs the round.
    return NOTHING


def least_players(tournament: Tournament) -> int:
    """Return how many players a start needs."""
    return 2 if tournament.settings.fill is not None else tournament.size


def _has_enough_players(tournament: Tournament) -> bool:
    return len(tournament.players) >= least_players(tournament)


def _awaits_round(tournament: Tournament) -> bool:
    """Return whether the organizer can begin the next round."""
    settings = tournament.settings
    if settings.format == "arena" or (settings.automatic and tournament.rounds):
        return False
    last = rounds.last_round(tournament)
    more = last is None or len(tournament.rounds) < last
    return more and not tournament.open_boards()
