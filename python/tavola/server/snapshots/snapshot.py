"""Snapshots of a match: what a viewer may see of it, built by allow-list, and its record."""

from __future__ import annotations

import functools
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

import tavola
from tavola import view as views
from tavola.options_text import options_text
from tavola.record import numbered
from tavola.server.matches import player_requests
from tavola.server.matches.chance import DrawSource
from tavola.server.matches.match import Match
from tavola.server.matches.open_request import Request
from tavola.server.matches.seating import Seating
from tavola.server.matches.series import SeriesScore
from tavola.server.matches.time_control import TurnTime
from tavola.server.matches.undo import undo_permission
from tavola.server.schema.event_list import EventList
from tavola.server.schema.responses import (
    ChanceInfo,
    ClockState,
    CommonState,
    DeclinedRequest,
    EncodedView,
    MatchResult,
    MatchSummary,
    Permissions,
    RequestState,
    SeatInfo,
    Snapshot,
)


def clock_state(match: Match, elapsed: float, *, is_running: bool) -> ClockState | None:
    """Return the clock's state this many seconds after the last event."""
    if match.remaining_time is None:
        return None
    timed, running = match.timed_turn, match.running_turn
    each = not isinstance(match.remaining_time.time, TurnTime)
    left = [
        match.remaining_time.left(seat)
        if seat in match.persons and (each or (timed is not None and seat == timed[0]))
        else None
        for seat in range(len(match.seats))
    ]
    if running is not None:
        left[running[0]] = match.remaining_time.left(running[0]) - max(elapsed, 0.0)
    return ClockState(
        match.remaining_time.time,
        tuple(None if seconds is None else max(seconds, 0.0) for seconds in left),
        running[0] if running is not None and is_running else None,
    )


class SnapshotParts(Struct, frozen=True, gc=False):
    """A match as a viewer may see it: what all see alike, and what is the viewer's own."""

    common: CommonState
    seats: tuple[SeatInfo, ...]
    view: EncodedView
    can: Permissions

    @property
    def snapshot(self) -> Snapshot:
        """Return the complete snapshot for sending."""
        return Snapshot(**asdict(self.common), seats=self.seats, view=self.view, can=self.can)


def full_snapshot(match: Match, held: frozenset[int], clock: ClockState | None = None) -> Snapshot:
    """Return the complete snapshot for the holder of these seats."""
    return snapshot_parts(match, held, common_state(match, clock)).snapshot


def common_state(match: Match, clock: ClockState | None = None) -> CommonState:
    """Return the part of a snapshot that all viewers share."""
    header, status, asked = match.header, match.status, match.request
    return CommonState(
        match=header.id,
        game=header.game,
        options=header.options,
        rules_version=header.rules_version,
        seq=match.seq,
        confirm=header.confirm,
        status=status,
        acting=match.acting,
        result=match_result(match) if status == "over" else None,
        log=_event_list(match),
        clock=clock,
        request=None if asked is None else _request_state(asked),
        declined=None
        if match.declined_request is None
        else DeclinedRequest(*match.declined_request),
        paused=match.paused is not None,
        next=match.next_match,
        series=_series(match),
        chance=_chance_info(match.draw_source, over=status == "over"),
        rated=header.rated,
        tournament=header.tournament,
    )


def _series(match: Match) -> SeriesScore | None:
    """Return the score of the series with this match, if a game before it counts."""
    score = match.score_before
    if score is None or not score.games:
        return None
    return score.after(match_result(match).winners) if counts(match) else score


def _chance_info(source: DrawSource, *, over: bool) -> ChanceInfo | None:
    """Return what all viewers may know of the draws."""
    if source.commitment is None:
        return None
    return ChanceInfo(
        source.commitment,
        tuple(sorted(source.awaited)),
        seed=source.seed if over else None,
        contributions=source.contributions if over else None,
    )


_infos = WeakKeyDictionary[Seating, dict[frozenset[int], tuple[SeatInfo, ...]]]()
"""The seats as their viewers see them, until a seat changes."""


def seat_infos(seating: Seating, mine: frozenset[int] = frozenset()) -> tuple[SeatInfo, ...]:
    """Return the seats as the holder of some of them sees them."""
    infos = _infos.setdefault(seating, {})
    if mine not in infos:
        infos[mine] = tuple(
            SeatInfo(
                number,
                seat.kind,
                seat.name,
                number in mine,
                seat.seconds,
                seat.level,
                seat.is_open,
                seat.member,
                seat.deleted,
                seat.agent,
                None if rating is None else rating.value,
                rating is not None and rating.provisional,
                seat.bot,
            )
            for number, (seat, rating) in enumerate(
                zip(seating.seats, seating.ratings, strict=True)
            )
        )
    return infos[mine]


def _request_state(request: Request) -> RequestState:
    return RequestState(request.what, request.seat, tuple(sorted(request.waiting)))


def snapshot_parts(
    match: Match,
    viewer: frozenset[int],
    common: CommonState,
    prepared_view: EncodedView | None = None,
) -> SnapshotParts:
    """Return the match as the holder of these seats may see it.

    Args:
        match: The match.
        viewer: The seats.
        common: What all see alike.
        prepared_view: Their view, if it is there already.
    """
    held = viewer & match.seating.persons
    return SnapshotParts(
        common,
        seat_infos(match.seating, held),
        position_view(match, viewer) if prepared_view is None else prepared_view,
        _permissions(match, held, gone=viewer & match.replaced),
    )


def position_view(match: Match, viewer: frozenset[int]) -> EncodedView:
    """Return the position as the holder of these seats may see it."""
    held = viewer & match.seating.persons
    choosing = match.status == "playing" and match.acting in held and not match.paused
    return _encoded_view(match, held, with_actions=choosing)


def _permissions(match: Match, held: frozenset[int], *, gone: frozenset[int]) -> Permissions:
    """Return what the holder of these seats may do; engines play for the seats in `gone`."""
    back = undo_permission(match, held)
    ask = player_requests.available(match, held, undo=back == "ask-for-undo")
    blocked = player_requests.blocked(match, held)
    if match.status == "over":
        return Permissions(
            undo=False, drawn=False, confirm=False, resign=False, ask=ask, blocked=blocked
        )
    confirming = match.status == "confirming" and not match.paused
    return Permissions(
        undo=back == "free" and not match.paused,
        drawn=back == "nothing-to-undo" and match.core.has_acted(held),
        confirm=confirming and match.acting in held,
        resign=bool(held),
        ask=ask,
        if_away=player_requests.about_absent(match, held),
        blocked=blocked,
        reclaimable=tuple(sorted(gone)) if gone else (),
    )


def match_summary(match: Match, held: frozenset[int]) -> MatchSummary:
    """Return the summary of a match, as lists have it: without ratings."""
    seats = seat_infos(match.seating, held & match.persons)
    result = match_result(match) if match.status == "over" else None
    return MatchSummary(
        match=match.header.id,
        game=match.header.game,
        seq=match.seq,
        seats=tuple(msgspec.structs.replace(s, rating=None, provisional=False) for s in seats),
        status=match.status,
        acting=match.acting,
        since=match.last_event_at or match.header.created,
        winners=None if result is None else result.winners,
        rated=match.header.rated,
        reason=None if result is None else result.reason,
    )


def position_snapshot(match: Match, held: frozenset[int]) -> Snapshot:
    """Return another position of a match, with its legal actions."""
    shown = msgspec.structs.replace(
        full_snapshot(match, held),
        view=_encoded_view(match, held, with_actions=True),
        can=Permissions(undo=False, drawn=False, confirm=False, resign=False),
        request=None,
    )
    # The history belongs to the original match: its views must not stay in memory.
    match.position.drop_views()
    return shown


@functools.lru_cache(maxsize=64)
def _is_same_for_all(game: tavola.Game) -> bool:
    """Whether all seats have the same view of a public game; some show each its own board."""
    start = game.start()
    first = views.view(start, 0)
    return all(views.view(start, seat) == first for seat in range(1, game.seats))


def _encoded_view(match: Match, held: frozenset[int], *, with_actions: bool) -> EncodedView:
    if match.state.is_public and _is_same_for_all(match.state.game):
        # One view serves all: they look on with the seat that confirms, or as spectators.
        viewer = match.acting if match.status == "confirming" else None
    else:
        viewer = match.acting if match.acting in held else min(held, default=None)
    return match.position.view(viewer, with_actions=with_actions)


def _event_list(match: Match) -> EventList:
    """Return the actions in force; those before the last two turns without their events.

    The last entry has its events in any case: chance may answer over several turns.
    """
    steps = match.history
    if not steps:
        return EventList(steps, 0)
    brief = match.core.turn_start(len(steps) - 1)
    if brief and steps[brief - 1].turn == steps[-1].turn - 1:
        brief = match.core.turn_start(brief - 1)
    acted = len(steps) - 1
    while acted and steps[acted].seat == tavola.CHANCE:
        acted -= 1
    return EventList(steps, min(brief, acted))


def match_result(match: Match) -> MatchResult:
    """Return the result of a finished match."""
    core, outcome = match.core, match.core.outcome
    assert outcome is not None, "the game is over"
    shown = match.position.outcome if core.termination is None else None
    return MatchResult(
        outcome.winners,
        outcome.returns(len(match.seats)),
        outcome.reason,
        None if shown is None else shown.text,
        core.loser,
    )


def counts(match: Match) -> bool:
    """Return whether a match has ended and counts: it was played, and not aborted."""
    return (
        match.status == "over" and bool(match.history) and match_result(match).reason != "aborted"
    )


def record_text(match: Match) -> str:
    """Return the match as a record: tags, turns, actions; undone actions are omitted."""
    tags = {
        "Game": match.header.game,
        "Options": options_text(match.header.options),
        "Rules": str(match.header.rules_version),
    }
    for number, seat in enumerate(match.seats):
        tags[f"Seat{number}"] = seat.name or seat.engine or seat.kind
    over = match.status == "over"
    if over:
        tags["Result"] = " ".join(f"{value:g}" for value in match_result(match).returns)
    tags |= match.draw_source.record_tags(over=over)
    history = match.history
    line = numbered((step.turn for step in history), (step.token for step in history))
    return tavola.Record(tags=tuple(tags.items()), line=line).text
