"""`tavola match`: runs a match between engines and measures their strength."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.errors import UsageError, check_writable, engine_errors
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import deferred_interrupts, interrupt_on_termination
from tavola.cli.tables import print_table
from tavola.errors import shortened
from tavola.executors import ClusterError, Executor, WorkerProcessDied
from tavola.server import games as server_games
from tavola.tournament import (
    GameResult,
    Pairing,
    ResultsFile,
    ResultsFileError,
    Row,
    Schedule,
    Sprt,
    Standings,
    play_games,
)


class EngineMatch:
    """A match between engines.

    Args:
        translate: The language of messages.
        engines: The specifications of the engines.
        game: The name of the game.
        options: The options of the game.
        games: The number of games.
        plies: The number of random actions of each opening.
        executor: Runs the games.
        seed: The random seed.
        records: The results file.
        summary: The output file of the standings as JSON, `-` for standard output.
        sprt: The sequential test that may end the match.
        resume: Whether to resume the match of the results file.

    Attributes:
        standings: The standings of the games so far.

    Raises:
        UsageError: If an engine, the number of engines or the output file is wrong.
        RequestError: For an unknown game, option or value.
    """

    def __init__(
        self,
        translate: Translator,
        engines: Sequence[str],
        *,
        game: str,
        options: dict[str, str],
        games: int,
        plies: int,
        executor: Executor,
        seed: int,
        records: Path | None,
        summary: str | None,
        sprt: Sprt | None,
        resume: bool,
    ) -> None:
        self._translate = translate
        self._executor = executor
        self._summary = summary
        self._shown = Console(stderr=True, highlight=False)
        loaded = server_games.load(game, options)
        parties = len(engines)
        if resume and records is None:
            raise UsageError(translate, "resume-needs-records")
        if not 2 <= parties <= loaded.seats:
            raise UsageError(translate, "engines", count=parties, seats=loaded.seats)
        self._schedule = Schedule(
            game=loaded.name,
            options=loaded.options,
            engines=tuple(engines),
            games=games + -games % parties,
            plies=plies,
            seed=seed,
        )
        if summary not in (None, "-"):
            check_writable(translate, Path(summary))
        self._try_engines(loaded)
        self.standings = Standings(self._schedule, sprt)
        self._results_file = None if records is None else ResultsFile(records)
        self._done: set[int] = set()
        self._resume = resume

    def run(self, *, show: bool = True) -> int:
        """Play until all games are finished, the test is decided, or the user interrupts it.

        Args:
            show: Whether to print the standings.

        Returns:
            The exit code.

        Raises:
            UsageError: If the results file is invalid or of another match.
        """
        with contextlib.ExitStack() as claims:
            if self._results_file is not None:
                self._claim(self._results_file, claims)
            status = self._play_on()
        if show:
            self._output()
        if status and self._results_file is not None:
            self._shown.print(self._translate("match.resume"), style="dim")
        return status

    def _play_on(self) -> int:
        """Play the remaining games, and print the reason of an early end.

        Returns:
            The exit code.
        """
        pairings = (
            pairing for pairing in self._schedule.pairings() if pairing.number not in self._done
        )
        try:
            if not self.standings.over:
                with interrupt_on_termination():
                    self._play(pairings)
        except KeyboardInterrupt:
            return INTERRUPTED
        except (ClusterError, WorkerProcessDied) as error:
            self._shown.print(
                self._translate("match.died", detail=error), style="red", markup=False
            )
            return FAILED
        except UsageError as fault:
            self._shown.print(str(fault), style="red", markup=False)
            return FAILED
        return 0

    def _try_engines(self, game: tavola.Game) -> None:
        """Start every engine once, before the first game.

        Raises:
            UsageError: If an engine cannot be started.
        """
        for text in dict.fromkeys(self._schedule.engines):
            # A signal must not leave an engine process behind.
            with (
                engine_errors(self._translate),
                interrupt_on_termination(),
                tavola.engine(text, game) as engine,
            ):
                engine.new_game()

    def _claim(self, ledger: ResultsFile, claims: contextlib.ExitStack) -> None:
        """Lock the results file and read its games.

        Raises:
            UsageError: If the file is invalid or of another match.
        """
        path = ledger.path
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                # Reading a device might never end.
                detail = self._translate("why.not-a-regular-file")
                raise UsageError(self._translate, "cannot-write", file=path, detail=detail)
            if not self._resume and path.is_file() and path.stat().st_size:
                raise UsageError(self._translate, "records-exist", path=path)
            path.parent.mkdir(parents=True, exist_ok=True)
            claims.enter_context(ledger.claimed())
            games = ledger.read(self._schedule)
        except ResultsFileError as error:
            raise UsageError(self._translate, "records", detail=error) from None
        except OSError as error:
            raise UsageError(self._translate, "cannot-write", file=path, detail=error) from None
        self.standings.add_all(games)
        self._done = {played.number for played in games}

    def _play(self, pairings: Iterable[Pairing]) -> None:
        standing = self.standings
        playing = play_games(self._schedule, pairings, self._executor)
        following = show_progress(
            self._shown, self._score(), total=self._schedule.games, done=standing.games
        )
        with following as tell, contextlib.closing(playing):
            for played in playing:
                with deferred_interrupts():  # the file and the standings hold the same games
                    standing.add(played)
                    self._keep(played)
                if played.forfeit is not None:
                    line = self._translate(
                        "match.forfeit", number=played.number, ending=played.ending
                    )
                    line = shortened(" ".join(line.split()))
                    self._shown.print(line, style="yellow", markup=False)
                tell(standing.games, self._score())
                if standing.over:
                    return

    def _keep(self, played: GameResult) -> None:
        """Append a game to the results file.

        Raises:
            UsageError: If the file cannot be written.
        """
        if self._results_file is not None:
            try:
                self._results_file.append(played)
            except OSError as error:
                file = self._results_file.path
                raise UsageError(self._translate, "cannot-write", file=file, detail=error) from None

    def _score(self) -> str:
        """Return the score in one line."""
        rows = self.standings.rows()
        first = rows[0]
        if len(rows) == 2:
            score = f"+{first.wins} ={first.draws} -{first.losses}"
        else:
            score = " : ".join(f"{row.share * row.games:.4g}" for row in rows)
        parts = [score, f"Elo {format_elo(first)}"]
        if self.standings.sprt is not None:
            low, high = self.standings.sprt.bounds
            parts.append(f"LLR {self.standings.llr:+.2f} ({low:.2f}, {high:.2f})")
        return "  ".join(parts)

    def _output(self) -> None:
        """Write the file first, because the terminal may be closed, and print the standings."""
        try:
            self._write()
        finally:
            self._show()

    def _write(self) -> None:
        """Write the standings as JSON, if an output file is given.

        Raises:
            UsageError: If the file cannot be written.
        """
        if self._summary == "-":
            print(self.standings.summary().decode(), end="")
        elif self._summary is not None:
            try:
                Path(self._summary).write_bytes(self.standings.summary())
            except OSError as error:
                file = self._summary
                raise UsageError(self._translate, "cannot-write", file=file, detail=error) from None

    def _show(self) -> None:
        """Print the standings."""
        translate, standing = self._translate, self.standings
        rows = standing.rows()
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(translate("match.engine"), overflow="fold")
        for column in ("wins", "draws", "losses", "share", "elo", "pace"):
            table.add_column(translate(f"match.{column}"), justify="right", no_wrap=True)
        for row in rows:
            pace = "-" if row.seconds is None else f"{row.seconds:.3f}"
            table.add_row(
                row.engine,
                *(str(count) for count in (row.wins, row.draws, row.losses)),
                f"{100 * row.share:.1f} %" if row.games else "-",
                format_elo(row),
                pace,
            )
        # If the JSON goes to standard output, the table goes to standard error.
        out = Console(highlight=False, markup=False, stderr=self._summary == "-")
        print_table(table, out)
        count = rows[0].games
        groups = "  ".join(f"{score}: {number}" for score, number in rows[0].groups.items())
        out.print(translate("match.groups", games=count, size=len(rows), groups=groups or "-"))
        if (lengths := standing.lengths) is not None:
            seat = standing.first_seat
            out.print(
                translate(
                    "match.first-seat",
                    share=f"{100 * seat.value:.1f}",
                    low=f"{100 * seat.low:.1f}",
                    high=f"{100 * seat.high:.1f}",
                )
            )
            out.print(
                translate(
                    "match.lengths",
                    mean=f"{lengths.mean:.1f}",
                    median=f"{lengths.median:g}",
                    shortest=lengths.shortest,
                    longest=lengths.longest,
                )
            )
        if forfeits := sum(row.forfeits for row in rows):
            out.print(translate("match.forfeits", count=forfeits))
        if standing.sprt is not None:
            test = standing.sprt
            verdict = {True: "accepted", False: "rejected", None: "open"}[standing.verdict]
            low, high = test.bounds
            out.print(
                translate(
                    "match.sprt",
                    low=f"{test.elo0:g}",
                    high=f"{test.elo1:g}",
                    llr=f"{standing.llr:.2f}",
                    bounds=f"{low:.2f}, {high:.2f}",
                    verdict=translate(f"match.{verdict}"),
                )
            )


def parse_sprt(translate: Translator, given: str) -> Sprt:
    """Parse the sequential test `ELO0,ELO1`.

    Raises:
        UsageError: If the text is not two numbers with the lower one first.
    """
    try:
        low, high = (float(number) for number in given.split(","))
    except ValueError:
        low = high = 0.0
    if not -1000.0 <= low < high <= 1000.0:
        raise UsageError(
            translate, "bad-value", name="--sprt", given=given, valid=translate("valid.sprt")
        )
    return Sprt(elo0=low, elo1=high)


def format_elo(row: Row) -> str:
    """Return the Elo difference of a row with its interval."""
    return f"{_difference(row.elo, row.games, above=row.share > 0.5)} [{_interval(row)}]"


def _interval(row: Row) -> str:
    low, high = row.elo_interval
    return f"{_difference(low, 1, above=False)}, {_difference(high, 1, above=True)}"


def _difference(elo: float | None, games: int, *, above: bool) -> str:
    if games == 0:
        return "-"
    if elo is None:
        return "+∞" if above else "-∞"
    return f"{elo:+z.0f}"
