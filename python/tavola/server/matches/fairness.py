"""What is needed to check the draws of a finished match: see `docs/explanation/fairness.md`."""

from __future__ import annotations

import tavola
from tavola.server.matches.match import Match
from tavola.server.schema.errors import Refused
from tavola.server.schema.responses import Draw, Draws


def draws(match: Match) -> Draws:
    """Everything that the draws of a match follow from, with the draws.

    Raises:
        Refused: `no-commitment`; `not-revealed`, as the seed is a secret while the match goes on.
    """
    told = match.urn.told(over=match.status == "over")
    if told is None:
        raise Refused("no-commitment")
    if told.seed is None or told.contributions is None:
        raise Refused("not-revealed")
    made = tuple(
        Draw(place, step.token, _weighed(match.scene_after(place).state))
        for place, step in enumerate(match.steps)
        if step.seat == tavola.CHANCE
    )
    return Draws(told.commitment, told.seed, told.contributions, made)


def _weighed(state: tavola.State) -> tuple[tuple[str, str], ...]:
    return tuple((token, str(weight)) for token, weight in state.chance_outcomes)
