"""`tavola match`: engines play each other, and the score says how strong they are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.errors import UsageError, writable
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import followed
from tavola.cli.signals import interrupt_on_termination
from tavola.errors import shortened
from tavola.executor import WorkerProcessDied
from tavola.server.schema import games as known
from tavola.tournament import (
    GameResult,
    Pairing,
    ResultsFile,
    ResultsFileError,
    Row,
    Schedule,
    Sprt,
    Standings,
    results,
)


class Contest:
    """A contest between engines.

    Args:
        words: What to speak.
        engines: The engines' names.
        game: The game's name.
        options: Its options.
        games: How many games.
        plies: With how many random actions each begins.
        processes: How many games at the same time.
        seed: What everything random follows from.
        records: The file for the records.
        summary: The file for the standing as JSON, `-` for standard output.
        sprt: The test that ends the contest early.
        resume: Whether to go on with the records that the file holds.

    Raises:
        UsageError: If an engine, the number of engines or the file for the standing is wrong.
        Refused: For an unknown game, option or value.
    """

    def __init__(
        self,
        words: Translator,
        engines: Sequence[str],
        *,
        game: str,
        options: dict[str, str],
        games: int,
        plies: int,
        processes: int,
        seed: int,
        records: Path | None,
        summary: str | None,
        sprt: Sprt | None,
        resume: bool,
    ) -> None:
        self._words = words
        self._processes = processes
        self._summary = summary
        self._shown = Console(stderr=True, highlight=False)
        loaded = known.load(game, options)
        parties = len(engines)
        if resume and records is None:
            raise UsageError(words, "resume-what")
        if not 2 <= parties <= loaded.seats:
            raise UsageError(words, "engines", count=parties, seats=loaded.seats)
        self._plan = Schedule(
            game=loaded.name,
            options=loaded.options,
            engines=tuple(engines),
            games=games + -games % parties,
            plies=plies,
            seed=seed,
        )
        if summary not in (None, "-"):
            writable(words, Path(summary))
        self._try_engines(loaded)
        self._standing = Standings(self._plan, sprt)
        self._ledger = None if records is None else ResultsFile(records)
        self._done: set[int] = set()
        self._resume = resume

    def run(self) -> int:
        """Plays until all games are played, the test is decided, or somebody ends it.

        Returns:
            The exit status.

        Raises:
            UsageError: If the file of records is wrong, or another contest's.
        """
        with contextlib.ExitStack() as claims:
            if self._ledger is not None:
                self._claim(self._ledger, claims)
            status = self._play_on()
        self._tell()
        if status and self._ledger is not None:
            self._shown.print(self._words("match.resume"), style="dim")
        return status

    def _play_on(self) -> int:
        """Plays the games that are left; says why it ends before the last of them.

        Returns:
            The exit status.
        """
        pairings = (
            pairing for pairing in self._plan.pairings() if pairing.number not in self._done
        )
        try:
            if not self._standing.over:
                with interrupt_on_termination():
                    self._play(pairings)
        except KeyboardInterrupt:
            return INTERRUPTED
        except WorkerProcessDied as error:
            self._shown.print(self._words("match.died", detail=error), style="red")
            return FAILED
        except UsageError as fault:
            self._shown.print(str(fault), style="red", markup=False)
            return FAILED
        return 0

    def _try_engines(self, game: tavola.Game) -> None:
        """Starts every engine once, before any game.

        Raises:
            UsageError: If one cannot be.
        """
        for text in dict.fromkeys(self._plan.engines):
            try:
                # However it is ended meanwhile, no program is left behind.
                with interrupt_on_termination(), tavola.engine(text, game) as engine:
                    engine.new_game()
            except (tavola.EngineError, tavola.EngineFailed) as error:
                raise UsageError(self._words, "engine", detail=error) from None

    def _claim(self, ledger: ResultsFile, claims: contextlib.ExitStack) -> None:
        """Has the file of records for itself alone, and takes over the games that it holds.

        Raises:
            UsageError: If it is wrong, or another contest's.
        """
        path = ledger.path
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                # A device, say, which could be read without end.
                detail = self._words("why.no-plain-file")
                raise UsageError(self._words, "cannot-write", file=path, detail=detail)
            if not self._resume and path.is_file() and path.stat().st_size:
                raise UsageError(self._words, "records-there", path=path)
            path.parent.mkdir(parents=True, exist_ok=True)
            claims.enter_context(ledger.claimed())
            games = ledger.read(self._plan)
        except ResultsFileError as error:
            raise UsageError(self._words, "records", detail=error) from None
        except OSError as error:
            raise UsageError(self._words, "cannot-write", file=path, detail=error) from None
        self._standing.add_all(games)
        self._done = {played.number for played in games}

    def _play(self, pairings: Iterable[Pairing]) -> None:
        standing = self._standing
        playing = results(self._plan, pairings, self._processes)
        following = followed(
            self._shown, self._score(), total=self._plan.games, done=standing.games
        )
        with following as tell, contextlib.closing(playing):
            for played in playing:
                # Whoever is interrupted is most likely so while the record goes to the disk.
                standing.add(played)
                self._keep(played)
                if played.forfeit is not None:
                    line = self._words("match.forfeit", number=played.number, ending=played.ending)
                    line = shortened(" ".join(line.split()))
                    self._shown.print(line, style="yellow", markup=False)
                tell(standing.games, self._score())
                if standing.over:
                    return

    def _keep(self, played: GameResult) -> None:
        """Adds a game to the file of records.

        Raises:
            UsageError: If it cannot be written.
        """
        if self._ledger is not None:
            try:
                self._ledger.append(played)
            except OSError as error:
                file = self._ledger.path
                raise UsageError(self._words, "cannot-write", file=file, detail=error) from None

    def _score(self) -> str:
        """The score in a line."""
        rows = self._standing.rows()
        first = rows[0]
        if len(rows) == 2:
            score = f"+{first.wins} ={first.draws} -{first.losses}"
        else:
            score = " : ".join(f"{row.share * row.games:.4g}" for row in rows)
        parts = [score, f"Elo {_elo(first)}"]
        if self._standing.sprt is not None:
            low, high = self._standing.sprt.bounds
            parts.append(f"LLR {self._standing.llr:+.2f} ({low:.2f}, {high:.2f})")
        return "  ".join(parts)

    def _tell(self) -> None:
        """Tells the standing; first to the file, as nobody may be at the terminal any more."""
        try:
            self._write()
        finally:
            self._show()

    def _write(self) -> None:
        """Writes the standing as JSON, if that is wanted.

        Raises:
            UsageError: If it cannot be written.
        """
        if self._summary == "-":
            print(self._standing.summary().decode(), end="")
        elif self._summary is not None:
            try:
                Path(self._summary).write_bytes(self._standing.summary())
            except OSError as error:
                file = self._summary
                raise UsageError(self._words, "cannot-write", file=file, detail=error) from None

    def _show(self) -> None:
        """Prints the standing."""
        words, standing = self._words, self._standing
        rows = standing.rows()
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(words("match.engine"), overflow="fold")
        for column in ("wins", "draws", "losses", "share", "elo", "pace"):
            table.add_column(words(f"match.{column}"), justify="right", no_wrap=True)
        for row in rows:
            pace = "-" if row.seconds is None else f"{row.seconds:.3f}"
            table.add_row(
                row.engine,
                *(str(count) for count in (row.wins, row.draws, row.losses)),
                f"{100 * row.share:.1f} %" if row.games else "-",
                _elo(row),
                pace,
            )
        # The table is for people: it leaves standard output to the JSON that goes there.
        out = Console(highlight=False, markup=False, stderr=self._summary == "-")
        out.print(table)
        count = rows[0].games
        groups = "  ".join(f"{score}: {number}" for score, number in rows[0].groups.items())
        out.print(words("match.groups", games=count, size=len(rows), groups=groups or "-"))
        if forfeits := sum(row.forfeits for row in rows):
            out.print(words("match.forfeits", count=forfeits))
        if standing.sprt is not None:
            test = standing.sprt
            verdict = {True: "accepted", False: "refused", None: "open"}[standing.verdict]
            low, high = test.bounds
            out.print(
                words(
                    "match.sprt",
                    low=f"{test.elo0:g}",
                    high=f"{test.elo1:g}",
                    llr=f"{standing.llr:.2f}",
                    bounds=f"{low:.2f}, {high:.2f}",
                    verdict=words(f"match.{verdict}"),
                )
            )


def test(words: Translator, given: str) -> Sprt:
    """The sequential test of `ELO0,ELO1`.

    Raises:
        UsageError: If it is not two numbers, the first the lower.
    """
    try:
        low, high = (float(number) for number in given.split(","))
    except ValueError:
        low = high = 0.0
    if not -1000.0 <= low < high <= 1000.0:
        raise UsageError(words, "bad-value", name="--sprt", given=given, valid=words("valid.sprt"))
    return Sprt(elo0=low, elo1=high)


def _elo(row: Row) -> str:
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
