"""`tavola analyse`: analyses a game record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

import tavola
from tavola.analysis import (
    Action,
    AnalysisError,
    GameAnalysis,
    Position,
    analyse,
    annotate,
    read_analysis,
)
from tavola.analysis.annotate import describe_forced_result, seat_names
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError, check_writable, engine_errors
from tavola.cli.exit_codes import INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.records import read_record
from tavola.cli.signals import interrupt_on_termination
from tavola.cli.tables import print_table

SHOWN = 6
"""The number of actions of a variation in the tables."""

STYLES = {"best": None, "good": None, "mistake": "yellow", "blunder": "red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The arguments of the command.

    Attributes:
        path: The file with the record; "-" for standard input.
        number: The number of the record in the file, from 1.
        seconds: The time for each position, in seconds.
        nodes: The number of nodes for each position.
        threads: The number of threads; None for all cores.
        seed: The random seed.
        engine: The engine: "classic", "net" or "net:file=PATH"; None for the best of the game.
        json: The output file of the analysis as JSON; "-" for standard output.
        record: The output file of the annotated record; "-" for standard output.
    """

    path: str
    number: int
    seconds: float | None
    nodes: int | None
    threads: int | None
    seed: int
    engine: str | None
    json: str | None
    record: str | None


def run(translate: Translator, arguments: Arguments) -> int:
    """Analyse a record and print the result. After Ctrl-C it prints the result so far.

    Returns:
        The exit code.

    Raises:
        UsageError: If the record is missing or invalid, or a file cannot be written.
    """
    record = _record(translate, arguments)
    _check_files(translate, arguments)
    with interrupt_on_termination():
        study, interrupted = _analyse(translate, arguments, record)
    if study is not None:
        _output(translate, arguments, record, study)
    if interrupted:
        note = translate("analyse.nothing")
        if study is not None:
            note = translate("analyse.interrupted", done=len(study.actions))
            if arguments.json not in (None, "-"):
                note = translate.join_sentences(
                    note, translate("analyse.resume", file=arguments.json)
                )
        _notes().print(note, style="yellow")
    return INTERRUPTED if interrupted else 0


def _notes() -> Console:
    return Console(stderr=True, highlight=False, markup=False)


def _record(translate: Translator, arguments: Arguments) -> tavola.Record:
    """Read the record and replay it once, so that errors appear before the analysis."""
    record = read_record(translate, arguments.path, arguments.number)
    try:
        for _ in record.states():
            pass
    except tavola.TavolaError as error:
        raise UsageError(translate, "bad-record", file=arguments.path, detail=error) from None
    return record


def _check_files(translate: Translator, arguments: Arguments) -> None:
    """Reject output files that cannot be written or would overwrite the input."""
    named = [name for name in (arguments.json, arguments.record) if name is not None]
    if len(named) == 2 and Path(named[0]).resolve() == Path(named[1]).resolve():
        raise UsageError(translate, "same-file", file=named[0])
    for name in named:
        if name == "-":
            continue
        path = Path(name)
        if arguments.path != "-" and path.exists() and path.samefile(arguments.path):
            raise UsageError(translate, "same-as-input", file=name)
        check_writable(translate, path)


def _analyse(
    translate: Translator,
    arguments: Arguments,
    record: tavola.Record,
) -> tuple[GameAnalysis | None, bool]:
    """Return the analysis so far, and whether it was interrupted."""
    study = _unfinished(translate, arguments, record)
    if study is not None:
        _notes().print(translate("analyse.resuming", done=len(study.actions)), style="dim")
    thinking = translate("analyse.thinking")
    done = 0 if study is None else len(study.positions)
    with show_progress(_notes(), thinking, total=len(record.actions) + 1, done=done) as tell:
        try:
            for so_far in _begin(translate, arguments, record, study):
                study = so_far
                tell(len(study.positions), thinking)
        except KeyboardInterrupt:
            return study, True
    return study, False


def _begin(
    translate: Translator,
    arguments: Arguments,
    record: tavola.Record,
    resume: GameAnalysis | None,
) -> Iterator[GameAnalysis]:
    """Start an analysis.

    Raises:
        UsageError: If there is no such engine or network.
        AnalysisError: If the unfinished analysis has other settings.
    """
    with engine_errors(translate):
        return analyse(
            record,
            seconds=arguments.seconds,
            nodes=arguments.nodes,
            threads=arguments.threads,
            seed=arguments.seed,
            engine=arguments.engine,
            resume=resume,
        )


def _unfinished(
    translate: Translator,
    arguments: Arguments,
    record: tavola.Record,
) -> GameAnalysis | None:
    """Read the unfinished analysis of an interrupted run from the output file.

    Raises:
        UsageError: If the file is not an analysis, or an unfinished one with other settings. Then
            it must not be overwritten.
    """
    if arguments.json in (None, "-"):
        return None
    path = Path(arguments.json)
    if not path.is_file() or path.stat().st_size == 0:
        return None
    try:
        study = read_analysis(path)
    except (OSError, UnicodeDecodeError, AnalysisError) as error:
        raise UsageError(translate, "not-an-analysis", file=arguments.json, detail=error) from None
    if study.complete:
        return None
    try:
        _begin(translate, arguments, record, study)
    except AnalysisError as error:
        raise UsageError(translate, "other-analysis", file=arguments.json, detail=error) from None
    return study


def _output(
    translate: Translator, arguments: Arguments, record: tavola.Record, study: GameAnalysis
) -> None:
    """Write the files and print the tables; each output even if another one fails."""

    def comment(path: str) -> None:
        _write(translate, path, annotate(record, study, language=translate.language).text)

    with ExitStack() as outputs:  # Runs in reverse: files first, because the terminal may be gone.
        if "-" not in (arguments.json, arguments.record):
            outputs.callback(_Report(translate, record, study).show)
        if arguments.record is not None:
            outputs.callback(comment, arguments.record)
        if arguments.json is not None:
            outputs.callback(_write, translate, arguments.json, study.json + "\n")


def _write(translate: Translator, path: str, text: str) -> None:
    if path == "-":
        print(text, end="")
        return
    try:
        atomic_write(Path(path), text.encode())
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=path, detail=error) from None


class _Report:
    """Prints an analysis as tables.

    Args:
        translate: The language.
        record: The analysed record.
        study: The analysis.
    """

    def __init__(self, translate: Translator, record: tavola.Record, study: GameAnalysis) -> None:
        self._translate = translate
        self._study = study
        self._names = seat_names(record.game, translate.language)
        self._console = Console(highlight=False, markup=False)

    def show(self) -> None:
        print_table(self._actions(), self._console)
        last = self._study.positions[-1]
        if self._study.complete and last.lines and last.to_act not in (None, tavola.CHANCE):
            line = " ".join(last.lines[0].variation[:SHOWN])
            self._console.print(
                self._translate("analyse.next", seat=self._seat(last.to_act), line=line)
            )
        self._console.print()
        print_table(self._balances(), self._console)
        if self._study.decisive:
            self._console.print()
            print_table(self._decisive(), self._console)

    def _seat(self, seat: int) -> str:
        return self._translate("analyse.chance") if seat == tavola.CHANCE else self._names[seat]

    def _actions(self) -> Table:
        table = _table()
        table.add_column(self._translate("analyse.turn"), justify="right")
        table.add_column(self._translate("analyse.seat"))
        table.add_column(self._translate("analyse.action"), no_wrap=True)
        for name in self._names:
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column(self._translate("analyse.remark"), overflow="fold")
        first, *others = self._study.positions
        table.add_row(
            "",
            "",
            self._translate("analyse.start"),
            *self._worth(first.shares),
            "  ".join(self._uncertain(first)),
        )
        for action, after in zip(self._study.actions, others, strict=True):
            remarks = self._uncertain(after) + self._judged(action)
            if after.certain is not None and after.to_act is not None:
                remarks.append(
                    describe_forced_result(after.certain, self._names, self._translate.language)
                )
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
            return [self._translate("analyse.luck-was", luck=luck)]
        if action.cost < 0.005:
            return []
        message = self._translate(
            f"analyse.{action.grade}", cost=f"{action.cost:.0%}", best=action.best
        )
        return [message]

    def _balances(self) -> Table:
        table = _table(title=self._translate("analyse.balance"))
        table.add_column(self._translate("analyse.seat"))
        for column in ("start", "luck", "own", "others", "unforeseen", "end"):
            table.add_column(self._translate(f"analyse.{column}"), justify="right")
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
        table = _table(title=self._translate("analyse.decisive"), show_header=False)
        for column in range(4):
            table.add_column(no_wrap=column < 3, overflow="fold")
        for place in self._study.decisive:
            action = self._study.actions[place]
            before, after = self._study.positions[place : place + 2]
            gains = [b - a for a, b in zip(before.shares, after.shares, strict=True)]
            most = max(range(len(gains)), key=lambda seat: abs(gains[seat]))
            swing = f"{self._names[most]} {before.shares[most]:.0%} → {after.shares[most]:.0%}"
            better = ""
            if action.cost > 0.0:
                best = next(line for line in before.lines if line.action == action.best)
                line = " ".join(best.variation[:SHOWN])
                better = self._translate("analyse.better", line=line)
            table.add_row(
                self._translate("analyse.at", turn=action.turn, seat=self._seat(action.seat)),
                action.token,
                swing,
                better,
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
