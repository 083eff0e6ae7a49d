"""The file of a contest: one record after another, written as the games end."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tavola.errors import Message, RecordError, TavolaError
from tavola.record import Record, read_records
from tavola.tournament.game import GameResult, shares, tags
from tavola.tournament.schedule import Schedule

if sys.platform != "win32":
    import fcntl

__all__ = ["ResultsFile", "ResultsFileError"]


class ResultsFileError(TavolaError):
    """The file holds something else than games of this contest, or is another's.

    Attributes:
        path: The file.
        fault: What it holds, or whose it is.
    """

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(path, fault)
        self.path = path
        self.fault = fault

    def __str__(self) -> str:
        return Message("{path}: {fault}", path=self.path, fault=self.fault)


class ResultsFile:
    """The records of a contest, in the order in which the games ended.

    Attributes:
        path: The file; it is made with the first game.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Has the file for this contest alone until it is left, or the process ends.

        On Windows nothing keeps others away.

        Raises:
            ResultsFileError: If another contest has it.
            OSError: If it cannot be written.
        """
        with self.path.open("ab") as file:
            if sys.platform != "win32":
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    fault = Message("another contest is adding to it")
                    raise ResultsFileError(self.path, fault) from None
            yield

    def append(self, played: GameResult) -> None:
        """Writes a game at the end, and sees it to the disk.

        Raises:
            OSError: If not all of it could be written; the beginning that was is cut away by
                whoever reads the file next.
        """
        with self.path.open("ab") as file:
            file.write(f"{played.record.rstrip()}\n\n".encode())
            file.flush()
            os.fsync(file.fileno())

    def read(self, plan: Schedule) -> list[GameResult]:
        """The games that the file holds.

        A last record of this plan that was cut off while it was written is cut away.

        Raises:
            ResultsFileError: If a record is damaged or of another schedule. The file is unchanged.
            OSError: If the file cannot be read.
        """
        if not self.path.exists():
            return []
        text = self.path.read_bytes()
        # A record begins after an empty line, with a tag; its own empty line stands before actions.
        begins = [found.start() for found in re.finditer(rb"(?:\A|(?<=\n\n))\[", text)]
        if text and begins[:1] != [0]:
            raise ResultsFileError(self.path, Message("is not a file of records"))
        games: dict[int, GameResult] = {}
        for begin, end in zip(begins, [*begins, len(text)][1:], strict=True):
            record = _whole(plan, text[begin:end])
            if record is None and end == len(text) and _is_begun(plan, text[begin:]):
                with self.path.open("r+b") as file:
                    file.truncate(begin)
                break
            line = text[:begin].count(b"\n") + 1
            if record is None:
                fault = Message("the record at line {line} is broken", line=line)
                raise ResultsFileError(self.path, fault)
            played = self._played(plan, record, line)
            if played.number in games:
                fault = Message(
                    "the record at line {line} is of round {number}, as one before",
                    line=line,
                    number=played.number,
                )
                raise ResultsFileError(self.path, fault)
            games[played.number] = played
        return list(games.values())

    def _played(self, plan: Schedule, record: Record, line: int) -> GameResult:
        given = record.tag("Round") or "?"
        number = int(given) if given.isdecimal() and len(given) < 10 else 0
        if not 1 <= number <= plan.games:
            fault = Message(
                "the record at line {line} is of round {given}, but there are {games}",
                line=line,
                given=given,
                games=plan.games,
            )
            raise ResultsFileError(self.path, fault)
        # Contests from before their records told the rules go on.
        rules = record.tag("Rules") and str(plan.load().rules_version)
        for name, value in (*tags(plan, number), ("Rules", rules)):
            if (told := record.tag(name)) != value:
                fault = Message(
                    "the record at line {line} has the {name} {told}, but now it is {value}",
                    line=line,
                    name=name,
                    told=repr(told),
                    value=repr(value),
                )
                raise ResultsFileError(self.path, fault)
        return GameResult(
            number=number,
            shares=shares(record.returns or ()),
            ending=record.tag("Termination") or "",
            forfeit=_forfeit(record),
            record=record.text,
        )


def _whole(plan: Schedule, text: bytes) -> Record | None:
    """The record in a text; `None` if it is broken or was not written to its end."""
    seats = plan.load().seats
    try:
        (record,) = read_records(text.decode())
    except (RecordError, ValueError):
        return None
    returns = record.returns or ()
    whole = record.tag("Actions") == str(len(record.line)) and text.endswith(b"\n\n")
    told = len(returns) == seats and all(map(math.isfinite, returns))
    return record if whole and told and _forfeit(record) in (None, *range(seats)) else None


def _is_begun(plan: Schedule, text: bytes) -> bool:
    """Whether a text is how a record of the plan begins, as far as it goes: nobody else's."""
    rounds = range(1, plan.games + 1)
    heads = (Record(tags=tags(plan, number)).text.rstrip().encode() for number in rounds)
    return any(head.startswith(text) or text.startswith(head) for head in heads)


def _forfeit(record: Record) -> int | None:
    """The seat that lost because its engine failed."""
    told = re.match(r"seat (\d+) forfeits: ", record.tag("Termination") or "")
    return None if told is None else int(told[1])
