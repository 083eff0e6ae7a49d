"""A match to take away: as a record, and as what is needed to check its draws."""

from __future__ import annotations

import tavola
from tavola.server.errors import Refused
from tavola.server.matches import Match
from tavola.server.wire import Draw, Draws


def record(match: Match) -> str:
    """The match as a record: tags, turns, actions; what was taken back is not in it."""
    header, over = match.header, match.status == "over"
    tags = {
        "Game": header.game,
        "Options": " ".join(f"{name}={value}" for name, value in header.options.items()),
        "Rules": str(header.rules_version),
    }
    for number, seat in enumerate(header.seats):
        tags[f"Seat{number}"] = seat.name or seat.engine or seat.kind
    if over:
        tags["Result"] = " ".join(f"{value:g}" for value in match.result().returns)
    tags |= match.urn.tags(over=over)
    line, turn = [], 0
    for played, _ in match.line:
        begins = played.turn != turn
        turn = played.turn
        line.append(tavola.Step(token=played.token, turn=turn if begins else None))
    return tavola.Record(tags=tuple(tags.items()), line=tuple(line)).text


def draws(match: Match) -> Draws:
    """All that is needed to check the draws of a match.

    Raises:
        Refused: `no-commitment`; `not-revealed`, as the seed is a secret while the match goes on.
    """
    told = match.urn.told(over=match.status == "over")
    if told is None:
        raise Refused("no-commitment")
    if told.seed is None or told.contributions is None:
        raise Refused("not-revealed")
    return Draws(
        told.commitment,
        told.seed,
        told.contributions,
        tuple(
            Draw(place, played.token, _weighed(before))
            for place, (played, before) in enumerate(match.line)
            if played.seat == tavola.CHANCE
        ),
    )


def _weighed(state: tavola.State) -> tuple[tuple[str, str], ...]:
    return tuple((token, str(weight)) for token, weight in state.chance_outcomes)
