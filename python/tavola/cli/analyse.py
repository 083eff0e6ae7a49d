"""`tavola analyse`: what the positions and actions of a record were worth."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

import tavola
from tavola.analysis import Action, Position, Study, StudyError, analyse, annotate, read_study
from tavola.analysis.annotate import certainty, seat_names
from tavola.atomic_write import rewrite
from tavola.cli.errors import UsageError, writable
from tavola.cli.exit_codes import INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import followed
from tavola.cli.records import chosen
from tavola.cli.signals import interrupt_on_termination

SHOWN = 6
"""How many actions of a variation are shown."""

STYLES = {"best": None, "good": None, "mistake": "yellow", "blunder": "red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be analysed, with what, and where the result goes.

    Attributes:
        path: The file with the record; "-" for standard input.
        number: Which of its records, counted from 1.
        seconds: How long to think about a position.
        nodes: How many nodes to look at.
        threads: How many threads think; all cores if None.
        seed: What all random choices follow from.
        json: Where the study goes as JSON; "-" for standard output, instead of the tables.
        record: Where the record with comments goes; "-" likewise.
    """

    path: str
    number: int
    seconds: float | None
    nodes: int | None
    threads: int | None
    seed: int
    json: str | None
    record: str | None


def run(words: Translator, wanted: Wanted) -> int:
    """Analyses, and tells of it; after Ctrl-C of as much as has been found out.

    Returns:
        The exit status.

    Raises:
        UsageError: If the record is missing or invalid, or a file cannot be written.
    """
    record = _record(words, wanted)
    _look_at_files(words, wanted)
    with interrupt_on_termination():
        study, interrupted = _think(words, wanted, record)
    if study is not None:
        _tell(words, wanted, record, study)
    if interrupted:
        note = words("analyse.nothing")
        if study is not None:
            note = words("analyse.interrupted", done=len(study.actions))
            if wanted.json not in (None, "-"):
                note = words.join_sentences(note, words("analyse.resume", file=wanted.json))
        _notes().print(note, style="yellow")
    return INTERRUPTED if interrupted else 0


def _notes() -> Console:
    return Console(stderr=True, highlight=False, markup=False)


def _record(words: Translator, wanted: Wanted) -> tavola.Record:
    """The record that is meant, replayed once so that a fault is told before any work."""
    record = chosen(words, wanted.path, wanted.number)
    try:
        for _ in record.states():
            pass
    except tavola.TavolaError as error:
        raise UsageError(words, "bad-record", file=wanted.path, detail=error) from None
    return record


def _look_at_files(words: Translator, wanted: Wanted) -> None:
    """Refuses, before any work, what cannot be written or would take the place of another."""
    named = [name for name in (wanted.json, wanted.record) if name is not None]
    if len(named) == 2 and Path(named[0]).resolve() == Path(named[1]).resolve():
        raise UsageError(words, "same-file", file=named[0])
    for name in named:
        if name == "-":
            continue
        path = Path(name)
        if wanted.path != "-" and path.exists() and path.samefile(wanted.path):
            raise UsageError(words, "own-record", file=name)
        writable(words, path)


def _think(words: Translator, wanted: Wanted, record: tavola.Record) -> tuple[Study | None, bool]:
    """The study as far as it came, and whether it was interrupted."""
    study = _begun(words, wanted, record)
    if study is not None:
        _notes().print(words("analyse.going-on", done=len(study.actions)), style="dim")
    thinking = words("analyse.thinking")
    done = 0 if study is None else len(study.positions)
    with followed(_notes(), thinking, total=len(record.actions) + 1, done=done) as tell:
        try:
            for so_far in analyse(
                record,
                seconds=wanted.seconds,
                nodes=wanted.nodes,
                threads=wanted.threads,
                seed=wanted.seed,
                resume=study,
            ):
                study = so_far
                tell(len(study.positions), thinking)
        except KeyboardInterrupt:
            return study, True
    return study, False


def _begun(words: Translator, wanted: Wanted, record: tavola.Record) -> Study | None:
    """What an interrupted run has left in the file that the study goes to, if it can be used.

    Raises:
        UsageError: If the file holds something that is not to be lost: no study, or one that can be
            gone on with, but not by this command.
    """
    if wanted.json in (None, "-"):
        return None
    path = Path(wanted.json)
    if not path.is_file() or path.stat().st_size == 0:
        return None
    try:
        study = read_study(path)
    except (OSError, UnicodeDecodeError, StudyError) as error:
        raise UsageError(words, "no-study", file=wanted.json, detail=error) from None
    if study.complete:
        return None
    try:
        analyse(
            record,
            seconds=wanted.seconds,
            nodes=wanted.nodes,
            threads=wanted.threads,
            seed=wanted.seed,
            resume=study,
        )
    except StudyError as error:
        raise UsageError(words, "other-study", file=wanted.json, detail=error) from None
    return study


def _tell(words: Translator, wanted: Wanted, record: tavola.Record, study: Study) -> None:
    """Writes the study and the record, and shows the tables: each, even if another cannot be."""

    def comment(path: str) -> None:
        _write(words, path, annotate(record, study, language=words.language).text)

    with ExitStack() as outputs:  # The last first: nobody may be there any more to read the tables.
        if "-" not in (wanted.json, wanted.record):
            outputs.callback(_Report(words, record, study).show)
        if wanted.record is not None:
            outputs.callback(comment, wanted.record)
        if wanted.json is not None:
            outputs.callback(_write, words, wanted.json, study.json + "\n")


def _write(words: Translator, path: str, text: str) -> None:
    if path == "-":
        print(text, end="")
        return
    try:
        rewrite(Path(path), text.encode())
    except OSError as error:
        raise UsageError(words, "cannot-write", file=path, detail=error) from None


class _Report:
    """The study as tables.

    Args:
        words: What to speak.
        record: What was studied.
        study: What was found.
    """

    def __init__(self, words: Translator, record: tavola.Record, study: Study) -> None:
        self._words = words
        self._study = study
        self._names = seat_names(record.game, words.language)
        self._console = Console(highlight=False, markup=False)

    def show(self) -> None:
        self._console.print(self._actions())
        last = self._study.positions[-1]
        if self._study.complete and last.lines and last.to_act not in (None, tavola.CHANCE):
            line = " ".join(last.lines[0].variation[:SHOWN])
            self._console.print(
                self._words("analyse.next", seat=self._seat(last.to_act), line=line)
            )
        self._console.print()
        self._console.print(self._balances())
        if self._study.decisive:
            self._console.print()
            self._console.print(self._decisive())

    def _seat(self, seat: int) -> str:
        return self._words("analyse.chance") if seat == tavola.CHANCE else self._names[seat]

    def _actions(self) -> Table:
        table = _table()
        table.add_column(self._words("analyse.turn"), justify="right")
        table.add_column(self._words("analyse.seat"))
        table.add_column(self._words("analyse.action"), no_wrap=True)
        for name in self._names:
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column(self._words("analyse.remark"), overflow="fold")
        first, *others = self._study.positions
        table.add_row(
            "",
            "",
            self._words("analyse.start"),
            *self._worth(first.shares),
            "  ".join(self._uncertain(first)),
        )
        for action, after in zip(self._study.actions, others, strict=True):
            remarks = self._uncertain(after) + self._judged(action)
            if after.certain is not None and after.to_act is not None:
                remarks.append(certainty(after.certain, self._names, self._words.language))
            table.add_row(
                str(action.turn) if action.seat != tavola.CHANCE else "",
                self._seat(action.seat),
                action.token,
                *self._worth(after.shares),
                "  ".join(remarks),
                style=STYLES.get(action.grade or "best"),
            )
        return table

    def _worth(self, shares: tuple[float, ...]) -> list[str]:
        return [f"{share:.0%}" for share in shares]

    def _uncertain(self, position: Position) -> list[str]:
        margin = max(position.margins)
        return [f"±{margin:.0%}"] if margin >= 0.005 else []

    def _judged(self, action: Action) -> list[str]:
        if action.grade is None:
            if max(map(abs, action.effect)) < 0.005:
                return []
            luck = " / ".join(f"{gained:+z.0%}" for gained in action.effect)
            return [self._words("analyse.luck-was", luck=luck)]
        if action.cost < 0.005:
            return []
        words = self._words(f"analyse.{action.grade}", cost=f"{action.cost:.0%}", best=action.best)
        return [words]

    def _balances(self) -> Table:
        table = _table(title=self._words("analyse.balance"))
        table.add_column(self._words("analyse.seat"))
        for column in ("start", "luck", "own", "others", "unforeseen", "end"):
            table.add_column(self._words(f"analyse.{column}"), justify="right")
        for balance in self._study.balances:
            table.add_row(
                self._names[balance.seat],
                f"{balance.start:.1%}",
                f"{balance.luck:+z.1%}",
                f"{balance.own:+z.1%}",
                f"{balance.others:+z.1%}",
                f"{balance.unforeseen:+z.1%}",
                f"{balance.end:.1%}",
            )
        return table

    def _decisive(self) -> Table:
        table = _table(title=self._words("analyse.decisive"), show_header=False)
        for column in range(4):
            table.add_column(no_wrap=column < 3, overflow="fold")
        for place in self._study.decisive:
            action = self._study.actions[place]
            before, after = self._study.positions[place : place + 2]
            gains = [b - a for a, b in zip(before.shares, after.shares, strict=True)]
            most = max(range(len(gains)), key=lambda seat: abs(gains[seat]))
            swing = f"{self._names[most]} {before.shares[most]:.0%} → {after.shares[most]:.0%}"
            told = ""
            if action.cost > 0.0:
                best = next(line for line in before.lines if line.action == action.best)
                line = " ".join(best.variation[:SHOWN])
                told = self._words("analyse.better", line=line)
            table.add_row(
                self._words("analyse.at", turn=action.turn, seat=self._seat(action.seat)),
                action.token,
                swing,
                told,
            )
        return table


def _table(*, title: str | None = None, show_header: bool = True) -> Table:
    return Table(
        box=None,
        pad_edge=False,
        header_style="bold",
        title=title,
        title_justify="left",
        title_style="bold",
        show_header=show_header,
    )
