"""The data for checking a finished match's draws: see `docs/explanation/fairness.md`."""

from __future__ import annotations

import tavola
from tavola.server.matches.match import Match
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import FairnessReport, RandomEvent


def fairness_report(match: Match) -> FairnessReport:
    """Return the random draws of a match and all that they are computed from.

    Raises:
        RequestError: `no-commitment`; `not-revealed`, as the seed is secret until the match is
            over.
    """
    told = match.draw_source.info(over=match.status == "over")
    if told is None:
        raise RequestError("no-commitment")
    if told.seed is None or told.contributions is None:
        raise RequestError("not-revealed")
    made = tuple(
        RandomEvent(ply, step.token, _outcome_weights(match.position_after(ply).state))
        for ply, step in enumerate(match.history)
        if step.seat == tavola.CHANCE
    )
    return FairnessReport(told.commitment, told.seed, told.contributions, made)


def _outcome_weights(state: tavola.State) -> tuple[tuple[str, str], ...]:
    return tuple((token, str(weight)) for token, weight in state.chance_outcomes)
