"""An archive: many games of one kind in one compact file, `games/<game>/archive.bin`.

An action is stored as its rank among the legal actions of its position, in the order of their ids.
A random event is stored as its rank in `State.chance_outcomes`. So a game needs no text.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from tavola import _core
from tavola._core import CHANCE, Game, State
from tavola.errors import Message, TavolaError, shortened
from tavola.options_text import options_text
from tavola.record import Record, numbered

__all__ = ["Archive", "ArchiveError", "PlayedGame", "archive", "parse", "rank", "token_of"]

MAGIC = b"Tavola archive 1\n"
LONGEST_HEADER = 64 * 1024
MOST_POSITIONS = 50_000_000
"""The greatest number of positions of a file. It bounds the memory that reading needs."""
MOST_RANKS = 2**16
MOST_SEATS = 16


class ArchiveError(TavolaError):
    """A file is not an archive, is damaged, or belongs to other rules."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played, as an archive stores it.

    Attributes:
        number: The number of the game, from 1.
        engines: The index of the engine by seat.
        winners: The seats that won; empty for a draw.
        choices: The rank of each action and random event.
    """

    number: int
    engines: tuple[int, ...]
    winners: tuple[int, ...]
    choices: tuple[int, ...]


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file after its mark."""

    game: str
    options: dict[str, str]
    rules_version: int
    seats: int
    engines: tuple[str, ...]
    seed: int
    plies: int
    games: int
    choices: int
    checksum: int


@dataclass(frozen=True, eq=False)
class Archive:
    """Games of one kind: equal game, options and rules.

    Attributes:
        game: The name of the game.
        options: All options of the game.
        rules_version: The version of the rules.
        engines: The specifications of the engines that played.
        seed: The random seed of the games.
        plies: The maximum number of random actions at the start of a game.
        numbers: The number of each game, ascending: uint32, shape (games,).
        players: The index of the engine by seat: uint8, shape (games, seats).
        won: Which seats won, one bit each: uint16, shape (games,).
        lengths: The number of actions and random events of each game: uint32, shape (games,).
        choices: The ranks of all games, one after the other: uint16.
    """

    game: str
    options: Mapping[str, str]
    rules_version: int
    engines: tuple[str, ...]
    seed: int
    plies: int
    numbers: NDArray[np.uint32] = field(repr=False)
    players: NDArray[np.uint8] = field(repr=False)
    won: NDArray[np.uint16] = field(repr=False)
    lengths: NDArray[np.uint32] = field(repr=False)
    choices: NDArray[np.uint16] = field(repr=False)

    def __len__(self) -> int:
        return len(self.numbers)

    def load(self) -> Game:
        """Return the game with the options of the archive.

        Raises:
            ArchiveError: If the game, its options or its rules are unknown here.
        """
        try:
            game = _core.load(self.game, **self.options)
        except TavolaError as error:
            raise ArchiveError(str(error)) from error
        if game.rules_version != self.rules_version:
            raise ArchiveError(
                Message(
                    "the games follow version {version} of the rules of {game}, which now has "
                    "version {current}; make the archive again",
                    version=self.rules_version,
                    game=self.game,
                    current=game.rules_version,
                )
            )
        return game

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The index in `choices` of the first action of each game, and the end of the last."""
        return np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))

    def winners(self, place: int) -> tuple[int, ...]:
        """Return the seats that won a game; empty for a draw.

        Args:
            place: The index of the game in the archive.
        """
        return tuple(seat for seat in range(MOST_SEATS) if self.won[place] >> seat & 1)

    def actions(self, place: int) -> Iterator[tuple[State, str]]:
        """Yield the states of a game before each action or random event, with its token.

        Args:
            place: The index of the game in the archive.

        Raises:
            ArchiveError: If the game cannot be replayed.
        """
        state = self.load().start()
        for choice in self.choices[self.starts[place] : self.starts[place + 1]].tolist():
            token = token_of(state, choice)
            if token is None:
                raise ArchiveError(
                    Message(
                        "game {number} cannot be replayed; make the archive again",
                        number=int(self.numbers[place]),
                    )
                )
            yield state, token
            state = state.play(token)

    def record(self, place: int) -> Record:
        """Return a game as a record.

        Args:
            place: The index of the game in the archive.

        Raises:
            ArchiveError: If the game cannot be replayed.
        """
        played = list(self.actions(place))
        state = played[-1][0].play(played[-1][1]) if played else self.load().start()
        tags = [
            ("Game", self.game),
            ("Options", options_text(self.options)),
            ("Rules", str(self.rules_version)),
            ("Round", str(self.numbers[place])),
            *(
                (f"Seat{seat}", self.engines[engine])
                for seat, engine in enumerate(self.players[place])
            ),
        ]
        if state.returns is not None:
            tags.append(("Result", " ".join(f"{value:.6g}" for value in state.returns)))
        line = numbered((before.turn for before, _ in played), (token for _, token in played))
        return Record(tags=tuple(tags), line=line)

    def games(self) -> Iterator[PlayedGame]:
        """Yield all games in the order of their numbers."""
        for place in range(len(self)):
            first, last = self.starts[place], self.starts[place + 1]
            yield PlayedGame(
                number=int(self.numbers[place]),
                engines=tuple(self.players[place].tolist()),
                winners=self.winners(place),
                choices=tuple(self.choices[first:last].tolist()),
            )

    def dump(self) -> bytes:
        """Return the file of the archive."""
        body = b"".join(
            (
                self.numbers.astype("<u4").tobytes(),
                self.players.tobytes(),
                self.won.astype("<u2").tobytes(),
                self.lengths.astype("<u4").tobytes(),
                # The high bytes are zero in most games and need no room on their own.
                (self.choices & 0xFF).astype(np.uint8).tobytes(),
                (self.choices >> 8).astype(np.uint8).tobytes(),
            )
        )
        header = _Header(
            game=self.game,
            options=dict(self.options),
            rules_version=self.rules_version,
            seats=self.players.shape[1],
            engines=self.engines,
            seed=self.seed,
            plies=self.plies,
            games=len(self),
            choices=len(self.choices),
            checksum=zlib.crc32(body),
        )
        return MAGIC + msgspec.json.encode(header) + b"\n" + zlib.compress(body, 9)


def rank(state: State, token: str) -> int:
    """Return the rank of a legal action or random event in its position."""
    if state.to_act == CHANCE:
        return next(place for place, (one, _) in enumerate(state.chance_outcomes) if one == token)
    return int(np.searchsorted(state.legal_ids, state.game.actions.index(token)))


def token_of(state: State, choice: int) -> str | None:
    """Return the action or random event of a rank; `None` if the position has fewer."""
    if state.to_act == CHANCE:
        outcomes = state.chance_outcomes
        return outcomes[choice][0] if choice < len(outcomes) else None
    ids = state.legal_ids
    return state.game.actions[int(ids[choice])] if choice < len(ids) else None


def parse(data: bytes) -> Archive:
    """Read the file of an archive.

    Args:
        data: The content of the file.

    Raises:
        ArchiveError: If it is not an archive, is cut off or damaged.
    """
    if not data.startswith(MAGIC):
        raise ArchiveError(Message("not an archive of games"))
    end = data.find(b"\n", len(MAGIC), len(MAGIC) + LONGEST_HEADER)
    if end < 0:
        raise ArchiveError(Message("the archive is damaged: its header has no end"))
    try:
        header = msgspec.json.decode(data[len(MAGIC) : end], type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        fault = shortened(str(error))
        raise ArchiveError(
            Message("the archive is damaged: its header is wrong ({fault})", fault=fault)
        ) from error
    if not (
        0 <= header.games <= header.choices <= MOST_POSITIONS and 1 <= header.seats <= MOST_SEATS
    ):
        raise ArchiveError(Message("the archive is damaged: its header has impossible numbers"))
    size = header.games * (4 + header.seats + 2 + 4) + 2 * header.choices
    body = _inflated(data[end + 1 :], size)
    if len(body) != size or zlib.crc32(body) != header.checksum:
        raise ArchiveError(Message("the archive is damaged: its games do not match the checksum"))
    count, at = header.games, 0

    def take(dtype: str, number: int) -> NDArray[np.generic]:
        nonlocal at
        found = np.frombuffer(body, dtype, number, at)
        at += found.nbytes
        return found

    numbers = take("<u4", count).astype(np.uint32)
    players = take("u1", count * header.seats).astype(np.uint8).reshape(count, header.seats)
    won = take("<u2", count).astype(np.uint16)
    lengths = take("<u4", count).astype(np.uint32)
    low = take("u1", header.choices).astype(np.uint16)
    choices = (take("u1", header.choices).astype(np.uint16) << 8) | low
    if lengths.sum(dtype=np.uint64) != header.choices or (
        count and int(players.max()) >= len(header.engines)
    ):
        raise ArchiveError(Message("the archive is damaged: its header has impossible numbers"))
    return Archive(
        game=header.game,
        options=header.options,
        rules_version=header.rules_version,
        engines=header.engines,
        seed=header.seed,
        plies=header.plies,
        numbers=numbers,
        players=players,
        won=won,
        lengths=lengths,
        choices=choices.astype(np.uint16),
    )


def _inflated(packed: bytes, size: int) -> bytes:
    """Decompress at most one byte more than expected."""
    stream = zlib.decompressobj()
    try:
        return stream.decompress(packed, size + 1)
    except zlib.error as error:
        raise ArchiveError(Message("the archive is damaged: it cannot be unpacked")) from error


def archive(game: str) -> Archive | None:
    """Return the archive that a game contains: engine games with its default options.

    Args:
        game: The name of the game.

    Returns:
        The archive; `None` if the game has none.

    Raises:
        tavola.UnknownGame: If there is no such game.
        ArchiveError: If the archive follows other rules than the game.

    >>> archive("potlatch").game
    'potlatch'
    """
    return _archive(game, _core._registrations())


@cache
def _archive(game: str, registrations: int) -> Archive | None:
    data = _core._archive(game)
    return parse(data) if data else None
