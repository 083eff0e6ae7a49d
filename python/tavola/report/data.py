"""The data of a report: one row per game and one per action, from the records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tavola._core import CHANCE, State
from tavola.record import Record, read_records
from tavola.report.plan import Series
from tavola.tournament import GameResult

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Action", "PlayedGame", "Value", "action_table", "game_table", "replay"]

Value = tuple[float, ...]
"""The expected share of the win by seat, 1 in sum."""

_VALUE = re.compile(r"value ((?:[01]\.\d+ ?)+)")
_LUCK = re.compile(r"luck ((?:-?[01]\.\d+ ?)+)")


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a seat in a game.

    Attributes:
        seat: The seat that acted.
        turn: The number of the turn, from 1.
        token: The token of the action.
        kind: The key of its label without `action.`, such as `move-pawn`.
        parts: The named parts of its label, such as a cell or a piece: a text, or JSON.
        legal: The number of legal actions.
        random: Whether it belongs to the random opening.
        value: The value of the position before the action, if it was searched.
        chance: The number of chance outcomes after the action.
        luck: The change of the value by these chance outcomes, if it was searched.
    """

    seat: int
    turn: int
    token: str
    kind: str
    parts: tuple[tuple[str, str], ...]
    legal: int
    random: bool
    value: Value | None
    chance: int
    luck: Value | None


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game.

    Attributes:
        number: The number of the game in its series, from 1.
        group: The number of its group, from 0: all games from one opening.
        lineup: The specification of the engine by seat.
        shares: The share of the win by seat, 1 in sum.
        ending: The reason of the end, a code of the game's own.
        turns: The number of turns.
        actions: The actions of the seats, in their order.
    """

    number: int
    group: int
    lineup: tuple[str, ...]
    shares: Value
    ending: str
    turns: int
    actions: tuple[Action, ...]

    @property
    def winner(self) -> int | None:
        """The seat that won alone, or `None`."""
        best = max(self.shares)
        return self.shares.index(best) if self.shares.count(best) == 1 else None

    @property
    def values(self) -> list[Value]:
        """The values of the searched positions in their order."""
        return [action.value for action in self.actions if action.value is not None]


def replay(series: Series, played: Iterable[GameResult]) -> list[PlayedGame]:
    """Replay the games of a series.

    Args:
        series: The series.
        played: Its results.

    Returns:
        The games by their numbers.
    """
    return [_replay(series, result) for result in sorted(played, key=lambda result: result.number)]


def _replay(series: Series, result: GameResult) -> PlayedGame:
    (record,) = read_records(result.record, largest=len(result.record))
    schedule = series.schedule
    lineup = schedule.lineup(result.number)
    actions = list(_actions(record, schedule.plies))
    return PlayedGame(
        number=result.number,
        group=(result.number - 1) // len(schedule.engines),
        lineup=tuple(schedule.engines[place] for place in lineup),
        shares=result.shares,
        ending=result.ending,
        turns=actions[-1].turn if actions else 0,
        actions=tuple(actions),
    )


def _actions(record: Record, opening: int) -> Iterator[Action]:
    """Yield the actions of a record; the first ones belong to the opening."""
    states = list(record.states())
    waiting: dict[str, Any] | None = None
    count = 0
    for state, step in zip(states, record.line, strict=False):
        if state.to_act == CHANCE:
            if waiting is not None:
                waiting["chance"] += 1
                if (luck := _numbers(_LUCK, step.comments)) is not None:
                    waiting["luck"] = _sum(waiting["luck"], luck)
            continue
        if waiting is not None:
            yield Action(**waiting)
        assert state.to_act is not None
        kind, parts = _label(state, step.token)
        waiting = {
            "seat": state.to_act,
            "turn": state.turn,
            "token": step.token,
            "kind": kind,
            "parts": parts,
            "legal": len(state.legal_actions),
            "random": count < opening,
            "value": _numbers(_VALUE, step.comments),
            "chance": 0,
            "luck": None,
        }
        count += 1
    if waiting is not None:
        yield Action(**waiting)


def _label(state: State, token: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the kind of an action and the named parts of its label."""
    encoded = state.lazy_view(None).label_json(token)
    if encoded is None:
        return "action", ()
    label = msgspec.json.decode(encoded)
    parts = {
        name: json.dumps(_any_seat(part), sort_keys=True) if isinstance(part, dict) else str(part)
        for name, part in label.get("params", {}).items()
    }
    return label["key"].removeprefix("action."), tuple(parts.items())


def _any_seat(part: Any) -> Any:
    """Return a part of a label without its owner, so that the pieces of all seats are equal."""
    if not isinstance(part, dict):
        return part
    if re.fullmatch(r"seat\.\d+", part.get("key", "")):
        return "…"
    return {name: _any_seat(value) for name, value in part.items()}


def _numbers(form: re.Pattern[str], comments: Sequence[str]) -> Value | None:
    """Return the numbers of the first comment of a form."""
    for comment in comments:
        if found := form.search(comment):
            return tuple(map(float, found[1].split()))
    return None


def _sum(before: Value | None, more: Value) -> Value:
    return more if before is None else tuple(map(sum, zip(before, more, strict=True)))


def game_table(settings: Sequence[Sequence[PlayedGame]]) -> pa.Table:
    """Return one row per game.

    Args:
        settings: The games of each setting.

    Returns:
        A table with the columns `setting`, `game`, `group`, `engines`, `shares`, `winner`,
        `ending`, `actions`, `chance`, `turns`.
    """
    import pyarrow as pa

    rows = [
        {
            "setting": number,
            "game": game.number,
            "group": game.group,
            "engines": list(game.lineup),
            "shares": list(game.shares),
            "winner": game.winner,
            "ending": game.ending,
            "actions": len(game.actions),
            "chance": sum(action.chance for action in game.actions),
            "turns": game.turns,
        }
        for number, games in enumerate(settings)
        for game in games
    ]
    schema = pa.schema(
        [
            ("setting", pa.int32()),
            ("game", pa.int32()),
            ("group", pa.int32()),
            ("engines", pa.list_(pa.string())),
            ("shares", pa.list_(pa.float64())),
            ("winner", pa.int32()),
            ("ending", pa.string()),
            ("actions", pa.int32()),
            ("chance", pa.int32()),
            ("turns", pa.int32()),
        ]
    )
    return pa.Table.from_pylist(rows, schema=schema)


def action_table(settings: Sequence[Sequence[PlayedGame]]) -> pa.Table:
    """Return one row per action of a seat.

    Args:
        settings: The games of each setting.

    Returns:
        A table with the columns `setting`, `game`, `ply`, and the attributes of `Action`.
    """
    import pyarrow as pa

    schema = pa.schema(
        [
            ("setting", pa.int32()),
            ("game", pa.int32()),
            ("ply", pa.int32()),
            ("seat", pa.int32()),
            ("turn", pa.int32()),
            ("token", pa.string()),
            ("kind", pa.string()),
            ("parts", pa.map_(pa.string(), pa.string())),
            ("legal", pa.int32()),
            ("random", pa.bool_()),
            ("value", pa.list_(pa.float64())),
            ("chance", pa.int32()),
            ("luck", pa.list_(pa.float64())),
        ]
    )
    columns: dict[str, list[Any]] = {field.name: [] for field in schema}
    for number, games in enumerate(settings):
        for game in games:
            for ply, action in enumerate(game.actions, start=1):
                row = {"setting": number, "game": game.number, "ply": ply}
                for name, values in columns.items():
                    values.append(row[name] if name in row else getattr(action, name))
    return pa.table(columns, schema=schema)
