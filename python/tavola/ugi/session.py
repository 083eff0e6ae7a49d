"""A UGI session: it executes commands, or answers them with errors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from tavola import _core
from tavola._core import CHANCE
from tavola.engines import Engine, Limits, engine
from tavola.engines.spec import KINDS
from tavola.errors import TavolaError, quoted
from tavola.ugi.options import Options
from tavola.ugi.search_task import SearchTask

__all__ = ["Session"]

LONGEST_TIME = 10**9
MOVES_LEFT = 20
"""The expected number of remaining actions, by which an engine divides its time."""


class _InvalidCommand(TavolaError):
    """A command is invalid; the message says why."""


class Session:
    """A session with one client. Only one thread may call `hear`.

    Args:
        write: Writes an output line. One thread at a time calls it.
        served: The only engine of the session. Default: the options choose among all engines.
    """

    def __init__(self, write: Callable[[str], None], served: Engine | None = None) -> None:
        self._out = write
        self._served = served
        self._lock = threading.Lock()
        self._options = Options(choose_engine=served is None)
        self._state = self._options.game().start()
        self._engine: Engine | None = None
        self._search: SearchTask | None = None
        # The handler of each command, and whether it is allowed during a search.
        self._commands: Mapping[str, tuple[Callable[[Sequence[str]], None], bool]] = {
            "ugi": (self._introduce, True),
            "isready": (lambda words: self._write("readyok"), True),
            "setoption": (self._set_option, False),
            "uginewgame": (self._new_game, False),
            "position": (self._set_position, False),
            "go": (self._go, False),
            "stop": (self._stop, True),
            "query": (self._query, True),
        }

    def hear(self, line: str) -> bool:
        """Execute a command. An invalid one changes nothing and is answered with an error.

        Returns:
            Whether to continue; False after `quit`.
        """
        words = line.split()
        if words[:1] == ["quit"]:
            return False
        if words:
            try:
                self._execute(words)
            except TavolaError as error:
                self._write(f"info string error: {' '.join(str(error).split())}")
        return True

    def refuse(self, reason: str) -> None:
        """Answer an unreadable line with an error."""
        self._write(f"info string error: {reason}")

    def close(self) -> None:
        """End a running search and the engine."""
        self._stop([])
        self._forget()
        if self._served is not None:
            self._served.close()

    def _write(self, line: str) -> None:
        with self._lock:
            self._out(line)

    def _execute(self, words: Sequence[str]) -> None:
        if words[0] not in self._commands:
            valid = ", ".join([*self._commands, "quit"])
            raise _InvalidCommand(f"there is no command {quoted(words[0])}; there are {valid}")
        command, while_thinking = self._commands[words[0]]
        if not while_thinking and self._search is not None and not self._search.is_over:
            raise _InvalidCommand(f"{words[0]} cannot come while an engine thinks; say stop first")
        command(words[1:])

    def _introduce(self, words: Sequence[str]) -> None:
        from tavola import __version__

        if self._served is None:
            self._write(f"id name Tavola {__version__}")
            self._write("id author the Tavola contributors")
        else:
            self._write(f"id name {self._served.text}")
        for option in self._options.offered.values():
            self._write(option.line)
        self._write("ugiok")

    def _set_option(self, words: Sequence[str]) -> None:
        if len(words) < 4 or words[0] != "name" or "value" not in words[2:]:
            raise _InvalidCommand("setoption is written: setoption name NAME value VALUE")
        at = words.index("value", 2)
        known = self._options.set(" ".join(words[1:at]), " ".join(words[at + 1 :]))
        game = self._options.game()
        if game != self._state.game:
            self._state = game.start()
        if known != "MultiPV":
            self._forget()

    def _new_game(self, words: Sequence[str]) -> None:
        self._state = self._options.game().start()
        self._forget()

    def _forget(self) -> None:
        if self._engine is not None and self._engine is not self._served:
            self._engine.close()
        self._engine = None

    def _set_position(self, words: Sequence[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        game = self._state.game
        match words[:at]:
            case ["startpos"]:
                state = game.start()
            case ["fen", *text] if text:
                state = game.parse(" ".join(text))
            case _:
                raise _InvalidCommand(
                    "position is written: position startpos|fen TEXT [moves ACTION ...]"
                )
        for token in words[at + 1 :]:
            state = state.play(token)
        self._state = state

    def _go(self, words: Sequence[str]) -> None:
        seat = self._state.to_act
        limits = _limits(words, seat)
        level = self._served is None and self._options["Level"] != "0"
        kind = None if self._served is not None or level else self._options["Engine"]
        if limits.depth is not None and kind is not None and "depth" not in KINDS[kind]:
            raise _InvalidCommand(f"the engine {kind} does not support a limit of depth")
        if seat is None or seat == CHANCE:
            self._write("info string no seat is to act")
            self._write("bestmove none")
            return
        if self._engine is None:
            self._engine = self._make()
        self._search = SearchTask(
            self._engine,
            self._state,
            limits=limits,
            own=level,
            lines=1 if self._served is not None else int(self._options["MultiPV"]),
            write=self._write,
        )

    def _make(self) -> Engine:
        if self._served is not None:
            self._served.new_game(int(self._options["Seed"]))
            return self._served
        kind, level, seed = (self._options[name] for name in ("Engine", "Level", "Seed"))
        settings = [f"seed={seed}"]
        if kind != "random":
            settings.append(f"threads={self._options['Threads']}")
        name = f"{kind}:{','.join(settings)}" if level == "0" else f"level:{level}"
        player = engine(name, self._state.game)
        player.new_game(int(seed))
        return player

    def _stop(self, words: Sequence[str]) -> None:
        if self._search is not None:
            self._search.stop()
            self._search = None

    def _query(self, words: Sequence[str]) -> None:
        state = self._state
        answers: Mapping[str, Callable[[], str]] = {
            "gameover": lambda: _bool(state.to_act is None),
            "result": lambda: _result(state),
            "turn": lambda: _turn(state),
            "legal": lambda: " ".join(state.legal_actions),
            "chance": lambda: " ".join(f"{token}:{n}" for token, n in state.chance_outcomes),
            "fen": lambda: state.text,
            **{f"p{seat + 1}turn": _is_turn_of(state, seat) for seat in range(state.game.seats)},
        }
        if len(words) != 1 or words[0] not in answers:
            given = quoted(" ".join(words))
            raise _InvalidCommand(f"there is no question {given}; there are {', '.join(answers)}")
        self._write(f"response {answers[words[0]]()}".rstrip())


def _limits(words: Sequence[str], seat: int | None) -> Limits:
    """Parse the limits of a line `go ...`.

    Raises:
        _InvalidCommand: If the line is invalid.
    """
    given: dict[str, int] = {}
    clocks = {f"p{number}{kind}" for number in range(1, 5) for kind in ("time", "inc")}
    rest = list(words)
    if rest == ["infinite"]:
        rest = []
    while rest:
        name, value = rest[0], rest[1] if len(rest) > 1 else ""
        if name not in {"movetime", "nodes", "depth"} | clocks or name in given:
            valid = "movetime, nodes, depth, p1time, p1inc, p2time, ..., or infinite alone"
            raise _InvalidCommand(f"go does not understand {quoted(name)} here; it takes {valid}")
        least = 0 if name in clocks else 1
        plain = value.isascii() and value.isdigit() and len(value) <= 10
        if not (plain and least <= int(value) <= LONGEST_TIME):
            valid = f"a whole number from {least} to {LONGEST_TIME}"
            raise _InvalidCommand(f"go {name} cannot be {quoted(value)}; it is {valid}")
        given[name] = int(value)
        del rest[:2]
    seconds = _seconds(given, seat)
    return Limits(seconds=seconds, nodes=given.get("nodes"), depth=given.get("depth"))


def _seconds(given: Mapping[str, int], seat: int | None) -> float | None:
    """Return the time for the search: the given one, or a part of the remaining time."""
    times = [given["movetime"] / 1000] if "movetime" in given else []
    if given.keys() - {"movetime", "nodes", "depth"} and seat is not None and seat != CHANCE:
        if (left := given.get(f"p{seat + 1}time")) is None:
            raise _InvalidCommand(f"go has a clock, but no p{seat + 1}time for the seat to act")
        share = left / MOVES_LEFT + 0.8 * given.get(f"p{seat + 1}inc", 0)
        times.append(max(1.0, min(share, 0.8 * left)) / 1000)
    return min(times) if times else None


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _is_turn_of(state: _core.State, seat: int) -> Callable[[], str]:
    return lambda: _bool(state.to_act == seat)


def _turn(state: _core.State) -> str:
    if state.to_act is None:
        return "none"
    return "chance" if state.to_act == CHANCE else f"p{state.to_act + 1}"


def _result(state: _core.State) -> str:
    if state.outcome is None:
        return "none"
    return " ".join(f"p{seat + 1}win" for seat in state.outcome.winners) or "draw"
