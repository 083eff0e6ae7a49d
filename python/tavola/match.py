"""A match: a game in progress, with chance resolved from a seed, and its record."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast

from tavola._core import CHANCE, Game, MatchCore, State, _game, _whole
from tavola.errors import Message, RecordError
from tavola.options_text import options_text
from tavola.record import Record, numbered, read_records
from tavola.replay import Replay

if TYPE_CHECKING:
    import numpy as np

    Seed: TypeAlias = SupportsIndex | random.Random | np.random.Generator

__all__ = ["Match"]


def _generator(seed: Seed) -> random.Random | np.random.Generator:
    """Return a generator of random numbers, with a seed or as it is given."""
    if isinstance(seed, random.Random):
        return seed
    if hasattr(seed, "integers"):
        return cast("np.random.Generator", seed)
    return random.Random(_whole(seed, "seed"))


class Match:
    """A game in progress: plays actions, resolves chance, and writes the record.

    A match has no clock and no player names; those belong to the server.

    >>> import tavola
    >>> match = tavola.Match(tavola.load("potlatch"), seed=7)
    >>> match.play("Pnw").play("Pw").state.to_act
    1
    >>> match.undo().actions
    ('Pnw',)

    Attributes:
        game: The game.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        seed: Seed = 0,
        position: str | None = None,
    ) -> None:
        """Start a match.

        Args:
            game: The game, or its name for the default options.
            seed: The random seed of chance, from 0, or a random generator.
            position: The text of the start position. Default: the start of the game.

        Raises:
            PositionError: If `position` is not a position of the game.
            UnknownGame: If there is no game of this name.
            TypeError, ValueError: If the seed is not a whole number, or below 0.
        """
        self.game = game = _game(game)
        self._random = _generator(seed)
        self._position = position
        self._core = MatchCore(game.start() if position is None else game.parse(position))
        self._resolve_chance()

    @classmethod
    def from_record(cls, record: Record | str | Path, *, seed: Seed = 0) -> Match:
        """Return the match of a record, ready to be continued.

        Chance after the last action of the record is resolved from `seed`.

        Args:
            record: A record, its text, or the path of a file with one record.
            seed: The random seed of chance from here on, or a random generator.

        Returns:
            A new match with the game, the start position and the actions of the record.

        Raises:
            RecordError: If the text is not exactly one record, or its tags are wrong.
            IllegalAction: At an action that is illegal in its state.
            PositionError: If the tag `Position` is not a position.
            OSError: If the file cannot be read.

        >>> import tavola
        >>> match = tavola.Match(tavola.load("potlatch")).play("Pnw").play("Pw")
        >>> tavola.Match.from_record(match.record).states == match.states
        True
        """
        if not isinstance(record, Record):
            records = read_records(record)
            if len(records) != 1:
                fault = Message(
                    "expected one record, found {count}; choose one of read_records",
                    count=len(records),
                )
                raise RecordError(1, fault)
            record = records[0]
        match = cls.__new__(cls)
        match.game = record.game
        match._random = _generator(seed)
        match._position = record.tag("Position")
        states = record.states()
        match._core = MatchCore(next(states))
        for token, state in zip(record.actions, states, strict=True):
            match._core.append(token, state)
        match._resolve_chance()
        return match

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes with the actions and states in place of the core's match."""
        return {**self.__dict__, "_core": (self.actions, self.states)}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Restore a pickled match."""
        self.__dict__.update(attributes)
        actions, (start, *states) = attributes["_core"]
        self._core = MatchCore(start)
        for token, state in zip(actions, states, strict=True):
            self._core.append(token, state)

    def __repr__(self) -> str:
        return f"<Match of {self.game.name} actions={len(self._core)}: {self.state.text}>"

    @property
    def state(self) -> State:
        """The current state."""
        return self._core.state

    @property
    def states(self) -> tuple[State, ...]:
        """The states from the first to the current one, one more than `actions`."""
        return self._core.states

    @property
    def actions(self) -> tuple[str, ...]:
        """The tokens played so far, including chance outcomes."""
        return self._core.actions

    def play(self, token: str) -> Match:
        """Play an action of the seat to act and resolve the chance nodes after it.

        Args:
            token: The token of a legal action.

        Returns:
            The match itself.

        Raises:
            IllegalAction: If the action is illegal. The match is then unchanged.
        """
        self._append(token)
        self._resolve_chance()
        return self

    def undo(self) -> Match:
        """Undo the last action of a seat and the chance outcomes after it.

        The random generator is not rewound, so that chance may give other outcomes afterwards.

        Returns:
            The match itself.

        Raises:
            IndexError: If no seat has acted yet.
        """
        last = self._core.last_action_of(range(self.game.seats))
        if last is None:
            raise IndexError("no seat has acted yet, so there is nothing to undo")
        self._core.undo(last)
        return self

    def replay(
        self,
        *,
        seat: int | None = None,
        language: str = "en",
        first: int = 0,
        last: int | None = None,
    ) -> Replay:
        """Return the match so far as a replay, to watch or to save.

        Args:
            seat: The seat that sees the match; None for a spectator.
            language: Its code, such as "en".
            first: The number of actions before the first position.
            last: The number of actions before the last position; None for the end.

        Raises:
            ValueError: If there is no such seat, language or position.
        """
        return Replay(
            self.states, self.actions, seat=seat, language=language, first=first, last=last
        )

    def _repr_html_(self) -> str:
        return self.replay()._repr_html_()

    @property
    def record(self) -> str:
        """The record of the match so far, as text."""
        tags = [
            ("Game", self.game.name),
            ("Options", options_text(self.game.options)),
            ("Rules", str(self.game.rules_version)),
            ("Date", date.today().isoformat()),
        ]
        if self._position is not None:
            tags.append(("Position", self._position))
        if self.state.returns is not None:
            tags.append(("Result", " ".join(f"{value:.6g}" for value in self.state.returns)))
        turns = (state.turn for state in self.states)
        return Record(tags=tuple(tags), line=numbered(turns, self.actions)).text

    def _append(self, token: str) -> None:
        self._core.append(token, self._core.state.play(token))

    def _resolve_chance(self) -> None:
        while self._core.state.to_act == CHANCE:
            self._append(self._core.state.sample_chance(self._random))
