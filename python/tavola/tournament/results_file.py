"""The results file of a match between engines: the records of its games as they end."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tavola._core import Outcome
from tavola.errors import Message, RecordError, TavolaError
from tavola.record import Record, read_records
from tavola.tournament.game import GameResult, tags
from tavola.tournament.schedule import Schedule

if sys.platform != "win32":
    import fcntl

__all__ = ["ResultsFile", "ResultsFileError"]


class ResultsFileError(TavolaError):
    """The file does not contain games of this match, or another process uses it.

    Attributes:
        path: The path of the file.
        fault: What is wrong.
    """

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(path, fault)
        self.path = path
        self.fault = fault

    def __str__(self) -> str:
        return Message("{path}: {fault}", path=self.path, fault=self.fault)


class ResultsFile:
    """The records of a match between engines, in the order in which the games ended.

    Attributes:
        path: The path of the file, which the first game creates.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Lock the file for this process during the block. Windows does not support the lock.

        Yields:
            None, while the file is locked.

        Raises:
            ResultsFileError: If another process has locked the file.
            OSError: If the file cannot be written.
        """
        with self.path.open("ab") as file:
            if sys.platform != "win32":
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    fault = Message("another `tavola` command is writing to it")
                    raise ResultsFileError(self.path, fault) from None
            yield

    def append(self, played: GameResult) -> None:
        """Append the record of a game and sync the file to the disk.

        Raises:
            OSError: If the record was not written completely. The next `read` removes the part that
                was written.
        """
        with self.path.open("ab") as file:
            file.write(f"{played.record.rstrip()}\n\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def read(self, schedule: Schedule) -> list[GameResult]:
        """Read the games of the file, and remove a last record that was not written completely.

        Args:
            schedule: The schedule of the match.

        Returns:
            The results, without the usage of the engines.

        Raises:
            ResultsFileError: If a record is damaged or of another schedule. The file is unchanged.
            OSError: If the file cannot be read.
        """
        if not self.path.exists():
            return []
        text = self.path.read_bytes()
        # A record begins with a tag after an empty line; the actions follow another empty line.
        begins = [found.start() for found in re.finditer(rb"(?:\A|(?<=\n\n))\[", text)]
        if text and begins[:1] != [0]:
            raise ResultsFileError(self.path, Message("is not a file of records"))
        games: dict[int, GameResult] = {}
        line, counted = 1, 0
        for begin, end in zip(begins, [*begins, len(text)][1:], strict=True):
            record = _complete_record(schedule, text[begin:end])
            if record is None and end == len(text) and _is_begun(schedule, text[begin:]):
                with self.path.open("r+b") as file:
                    file.truncate(begin)
                break
            line, counted = line + text.count(b"\n", counted, begin), begin
            if record is None:
                fault = Message("the record at line {line} is damaged", line=line)
                raise ResultsFileError(self.path, fault)
            played = self._result(schedule, record, line)
            if played.number in games:
                fault = Message(
                    "the record at line {line} repeats round {number}",
                    line=line,
                    number=played.number,
                )
                raise ResultsFileError(self.path, fault)
            games[played.number] = played
        return list(games.values())

    def _result(self, schedule: Schedule, record: Record, line: int) -> GameResult:
        given = record.tag("Round") or "?"
        number = int(given) if given.isdecimal() and len(given) < 10 else 0
        if not 1 <= number <= schedule.games:
            fault = Message(
                "the record at line {line} is of round {given}, but the match has {games}",
                line=line,
                given=given,
                games=schedule.games,
            )
            raise ResultsFileError(self.path, fault)
        # Files of old versions have no tag Rules, and can be resumed too.
        rules = record.tag("Rules") and str(schedule.load().rules_version)
        for name, value in (*tags(schedule, number), ("Rules", rules)):
            if (actual := record.tag(name)) != value:
                fault = Message(
                    "the record at line {line} has {name} {found}, but this match has {value}",
                    line=line,
                    name=name,
                    found=repr(actual),
                    value=repr(value),
                )
                raise ResultsFileError(self.path, fault)
        returns = record.returns or ()
        # A record may round the returns: who won is exact.
        winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
        return GameResult(
            number=number,
            shares=Outcome(winners, "").shares(len(returns)),
            ending=record.tag("Termination") or "",
            forfeit=_forfeit(record),
            record=record.text,
        )


def _complete_record(schedule: Schedule, text: bytes) -> Record | None:
    """Return the record of a text; `None` if it is damaged or incomplete."""
    seats = schedule.load().seats
    try:
        (record,) = read_records(text.decode())
    except (RecordError, ValueError):
        return None
    complete = record.tag("Actions") == str(len(record.line)) and text.endswith(b"\n\n")
    has_returns = len(record.returns or ()) == seats
    return (
        record if complete and has_returns and _forfeit(record) in (None, *range(seats)) else None
    )


def _is_begun(schedule: Schedule, text: bytes) -> bool:
    """Return whether a text is the beginning of a record of the schedule."""
    rounds = range(1, schedule.games + 1)
    heads = (Record(tags=tags(schedule, number)).text.rstrip().encode() for number in rounds)
    return any(head.startswith(text) or text.startswith(head) for head in heads)


def _forfeit(record: Record) -> int | None:
    """Return the seat that lost because its engine failed, or None."""
    forfeit = re.match(r"seat (\d+) forfeits: ", record.tag("Termination") or "")
    return None if forfeit is None else int(forfeit[1])
