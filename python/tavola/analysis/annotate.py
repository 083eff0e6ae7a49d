"""Annotates a record: adds the results of an analysis as comments and variations."""

from __future__ import annotations

import msgspec

from tavola import _core
from tavola import view as views
from tavola.analysis.types import Action, ForcedResult, GameAnalysis, Position
from tavola.language import Language
from tavola.messages import Messages
from tavola.record import Record, Step, Variation

__all__ = ["annotate", "describe_forced_result", "seat_names"]


def annotate(record: Record, study: GameAnalysis, *, language: Language = "en") -> Record:
    """Add the values of an analysis as comments, and better actions as variations.

    Existing comments and variations remain, before the added ones.

    Args:
        record: The analysed record.
        study: The analysis, of the whole record or of its beginning.
        language: The language of the comments.

    Returns:
        The annotated record.
    """
    names = seat_names(record.game, language)
    line = list(record.line)
    for place, action in enumerate(study.actions):
        before, after = study.positions[place], study.positions[place + 1]
        comment = "; ".join(
            [_shares(after), *_certain(after, names, language), *_judged(action, language)]
        )
        step = record.line[place]
        line[place] = msgspec.structs.replace(
            step,
            comments=(*step.comments, comment),
            variations=(*step.variations, *_better(action, before)),
        )
    comments = (*record.comments, _shares(study.positions[0]))
    return msgspec.structs.replace(record, comments=comments, line=tuple(line))


def seat_names(game: _core.Game, language: Language) -> tuple[str, ...]:
    """Return the names of the seats in a language."""
    seats = views.view(game.start()).seats
    return tuple(
        _core.say(game.name, language, msgspec.json.encode(seat.name).decode()) for seat in seats
    )


def describe_forced_result(result: ForcedResult, names: tuple[str, ...], language: Language) -> str:
    """Describe a forced result in a language."""
    phrase = Messages("tavola.analysis", language)
    if not result.winners:
        return phrase("draw")
    if len(result.winners) > 1:
        winners = ", ".join(names[seat] for seat in result.winners)
        return phrase("shared", winners=winners)
    winner = names[result.winners[0]]
    if result.actions is None:
        return phrase("win", winner=winner)
    if result.turns is None:
        return phrase("win-in", winner=winner, actions=result.actions)
    return phrase("win-in-turns", winner=winner, actions=result.actions, turns=result.turns)


def _shares(position: Position) -> str:
    return " / ".join(f"{share:.0%}" for share in position.shares)


def _certain(position: Position, names: tuple[str, ...], language: Language) -> list[str]:
    if position.certain is None or position.to_act is None:
        return []
    return [describe_forced_result(position.certain, names, language)]


def _judged(action: Action, language: Language) -> list[str]:
    phrase = Messages("tavola.analysis", language)
    if action.grade is None:
        luck = " / ".join(f"{gained:+z.1%}" for gained in action.effect)
        return [phrase("luck", luck=luck)]
    if action.grade in ("mistake", "blunder"):
        return [phrase(action.grade, cost=f"{action.cost:.0%}", best=action.best)]
    return []


def _better(action: Action, before: Position) -> list[Variation]:
    if action.grade not in ("mistake", "blunder"):
        return []
    line = next(line for line in before.lines if line.action == action.best)
    return [Variation(line=tuple(Step(token=token) for token in line.variation))]
