"""The actions in force of a match, each as the log of a snapshot tells it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

import tavola
from tavola.server.matches.log import Event
from tavola.server.wire.logs import Entry
from tavola.server.wire.scenes import NOTHING, Scene
from tavola.server.wire.told import Played

_write = msgspec.json.Encoder().encode


class Step(Entry, frozen=True, gc=False):
    """An action in force.

    Attributes:
        seat: Whose it was; -1: chance's.
        turn: The number of the turn that it belongs to.
        token: The action.
        scene: The position that it led to.
        draws: How many of the actions up to it are chance's.
        stay: How many of them stay because chance has answered.
        acted: The seats that took one of them.
    """

    seat: int
    turn: int
    token: str
    scene: Scene
    draws: int
    stay: int
    acted: frozenset[int]

    @property
    def state(self) -> tavola.State:
        """The position that it led to."""
        return self.scene.state


def play(event: Event, before: Scene, steps: Sequence[Step], *, planned: bool = False) -> Step:
    """The action of an event, played.

    Args:
        event: The event.
        before: The position before.
        steps: The actions that led there.
        planned: Whether the seat had planned it.

    Raises:
        IllegalAction: It cannot be played in the position before.
    """
    token, turn = event.token or "", before.state.turn
    done, text = before.state.deed_json(token)
    drawn = event.seat == tavola.CHANCE
    # No view of what chance could do: it has no actions to choose from, whose labels could be read.
    label = None if drawn else before.label(token)
    if label is None:
        label = Raw(text or b'{"key":%b}' % _write(f"action.{token}"))
    played = Played(
        seq=event.seq,
        seat=event.seat,
        turn=turn,
        token=token,
        label=label,
        events=Raw(done),
        late=event.kind == "late",
        planned=planned,
    )
    after = before.after(token)
    before.rest()
    acted = steps[-1].acted if steps else frozenset[int]()
    return Step(
        seat=event.seat,
        turn=turn,
        token=token,
        scene=after,
        draws=draws(steps) + drawn,
        stay=len(steps) + 1 if drawn else stay(steps),
        acted=acted if drawn or event.seat in acted else acted | {event.seat},
        full=Raw(_write(played)),
        brief=Raw(_write(msgspec.structs.replace(played, events=NOTHING))),
    )


def draws(steps: Sequence[Step]) -> int:
    """How many of these actions are chance's."""
    return steps[-1].draws if steps else 0


def stay(steps: Sequence[Step]) -> int:
    """How many of these actions stay because chance has answered."""
    return steps[-1].stay if steps else 0
