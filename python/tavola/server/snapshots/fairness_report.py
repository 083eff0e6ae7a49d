"""The data for checking a finished match's draws: see `docs/explanation/fairness.md`."""

from __future__ import annotations

import tavola
from tavola.server.errors import RequestError
from tavola.server.matches.match import Match
from tavola.server.schema.responses import FairnessReport, RandomEvent


def fairness_report(match: Match) -> FairnessReport:
    """Return the random draws of a match and all that they are computed from.

    Raises:
        RequestError: `no-commitment`; `not-revealed`, as the seed is secret until the match is
            over.
    """
    source = match.draw_source
    if source.commitment is None or source.seed is None:
        raise RequestError("no-commitment")
    if match.status != "over":
        raise RequestError("not-revealed")
    draws = tuple(
        RandomEvent(ply, entry.token, _outcome_weights(match.position_after(ply).state))
        for ply, entry in enumerate(match.history)
        if entry.seat == tavola.CHANCE
    )
    return FairnessReport(source.commitment, source.seed, source.contributions, draws)


def _outcome_weights(state: tavola.State) -> tuple[tuple[str, str], ...]:
    return tuple((token, str(weight)) for token, weight in state.chance_outcomes)
