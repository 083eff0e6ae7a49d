"""Pictures of a match: what a viewer may see of it, built by allow-list, and its record."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

import tavola
from tavola.server.matches import requests
from tavola.server.matches.match import Match
from tavola.server.matches.requests import Request
from tavola.server.schema.event_list import Log
from tavola.server.schema.requests import TurnTime
from tavola.server.schema.responses import (
    Asked,
    Can,
    Common,
    Declined,
    Face,
    Result,
    Seat,
    Snapshot,
    Standing,
    WrittenView,
)


def face(match: Match, ran: float, *, runs: bool) -> Face | None:
    """What the clock shows when it has run so many seconds since the last event."""
    if match.times is None:
        return None
    timed, running = match.timed, match.running
    each = not isinstance(match.times.time, TurnTime)
    left = [
        match.times.left(seat)
        if seat in match.persons and (each or (timed is not None and seat == timed[0]))
        else None
        for seat in range(len(match.seats))
    ]
    if running is not None:
        left[running[0]] = match.times.left(running[0]) - max(ran, 0.0)
    return Face(
        match.times.time,
        tuple(None if seconds is None else max(seconds, 0.0) for seconds in left),
        running[0] if running is not None and runs else None,
    )


class Picture(Struct, frozen=True, gc=False):
    """A match as a viewer may see it: what all see alike, and what is the viewer's own."""

    common: Common
    seats: tuple[Seat, ...]
    view: WrittenView
    can: Can

    @property
    def snapshot(self) -> Snapshot:
        """The picture as it is told whole."""
        return Snapshot(**asdict(self.common), seats=self.seats, view=self.view, can=self.can)


def snapshot(match: Match, held: frozenset[int], clock: Face | None = None) -> Snapshot:
    """The match as the holder of these seats may see it, as it is told whole."""
    return picture(match, held, common(match, clock)).snapshot


def common(match: Match, clock: Face | None = None) -> Common:
    """What all viewers of the match see alike."""
    header, status, asked = match.header, match.status, match.request
    return Common(
        match=header.id,
        game=header.game,
        options=header.options,
        rules_version=header.rules_version,
        seq=match.seq,
        confirm=header.confirm,
        status=status,
        acting=match.acting,
        result=result(match) if status == "over" else None,
        log=_log(match),
        clock=clock,
        request=None if asked is None else _asked(asked),
        declined=None if match.declined is None else Declined(*match.declined),
        paused=match.paused is not None,
        next=match.next,
        chance=match.urn.told(over=status == "over"),
        rated=header.rated,
    )


def _asked(request: Request) -> Asked:
    return Asked(request.what, request.seat, tuple(sorted(request.waits)))


def picture(
    match: Match, viewer: frozenset[int], alike: Common, seen: WrittenView | None = None
) -> Picture:
    """The match as the holder of these seats may see it, of whom engines may play on for some.

    Args:
        match: The match.
        viewer: The seats.
        alike: What all see alike.
        seen: Their view, if it is there already.
    """
    held = viewer & match.sitting.persons
    return Picture(
        alike,
        match.sitting.shown(held),
        view(match, viewer) if seen is None else seen,
        _can(match, held, gone=viewer & match.replaced),
    )


def view(match: Match, viewer: frozenset[int]) -> WrittenView:
    """The position as the holder of these seats may see it, who may be to choose an action."""
    held = viewer & match.sitting.persons
    choosing = match.status == "playing" and match.acting in held and not match.paused
    return _view(match, held, with_actions=choosing)


def _can(match: Match, held: frozenset[int], *, gone: frozenset[int]) -> Can:
    """What the holder of these seats may do, besides acting; of the seats `gone` engines play."""
    back = match.taking_back(held)
    ask = requests.possible(match, held, undo=back == "ask-for-undo")
    barred = requests.barred(match, held)
    if match.status == "over":
        return Can(undo=False, drawn=False, confirm=False, resign=False, ask=ask, barred=barred)
    confirming = match.status == "confirming" and not match.paused
    return Can(
        undo=back == "free" and not match.paused,
        drawn=back == "nothing-to-undo" and match.has_acted(held),
        confirm=confirming and match.acting in held,
        resign=bool(held),
        ask=ask,
        barred=barred,
        back=tuple(sorted(gone)) if gone else (),
    )


def standing(match: Match, held: frozenset[int]) -> Standing:
    """How the match stands, in short."""
    return Standing(
        match=match.header.id,
        game=match.header.game,
        seq=match.seq,
        seats=match.sitting.shown(held & match.persons),
        status=match.status,
        acting=match.acting,
        since=match.latest or match.header.created,
        winners=result(match).winners if match.status == "over" else None,
        rated=match.header.rated,
    )


def then(match: Match, held: frozenset[int]) -> Snapshot:
    """Another position of a match, to look at, with what could be done there."""
    shown = msgspec.structs.replace(
        snapshot(match, held),
        view=_view(match, held, with_actions=True),
        can=Can(undo=False, drawn=False, confirm=False, resign=False),
        request=None,
    )
    # Its steps are those of the match that is kept: who looks at all of them leaves no views there.
    match.scene.rest()
    return shown


def _view(match: Match, held: frozenset[int], *, with_actions: bool) -> WrittenView:
    if match.state.is_public:
        # One view serves all: they look on with the seat that confirms, or as spectators.
        viewer = match.acting if match.status == "confirming" else None
    else:
        viewer = match.acting if match.acting in held else min(held, default=None)
    return match.scene.view(viewer, with_actions=with_actions)


def _log(match: Match) -> Log:
    """The actions in force; those before the last two turns without their events.

    What was logged last has its events in any case: chance may answer over several turns.
    """
    steps = match.steps
    if not steps:
        return Log(steps, 0)
    last = steps[-1]
    brief = last.opened
    if brief and steps[brief - 1].turn == last.turn - 1:
        brief = steps[brief - 1].opened
    acted = len(steps) - 1
    while acted and steps[acted].seat == tavola.CHANCE:
        acted -= 1
    return Log(steps, min(brief, acted))


def result(match: Match) -> Result:
    """How a match that is over has ended."""
    if match.ended is not None:
        return match.ended.result(len(match.seats))
    outcome = match.scene.outcome
    assert outcome is not None, "the game is over"
    return Result(outcome.winners, outcome.returns, outcome.reason, outcome.text, None)


def record(match: Match) -> str:
    """The match as a record: tags, turns, actions; what was taken back is not in it."""
    tags = {
        "Game": match.header.game,
        "Options": " ".join(f"{name}={value}" for name, value in match.header.options.items()),
        "Rules": str(match.header.rules_version),
    }
    for number, seat in enumerate(match.seats):
        tags[f"Seat{number}"] = seat.name or seat.engine or seat.kind
    over = match.status == "over"
    if over:
        tags["Result"] = " ".join(f"{value:g}" for value in result(match).returns)
    tags |= match.urn.tags(over=over)
    line, turn = [], 0
    for step in match.steps:
        begins = step.turn != turn
        turn = step.turn
        line.append(tavola.Step(token=step.token, turn=turn if begins else None))
    return tavola.Record(tags=tuple(tags.items()), line=tuple(line)).text
