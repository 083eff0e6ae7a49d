"""The UGI client: runs external engines (docs/reference/ugi.md)."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from tavola._core import Game, State, Stop
from tavola.engines.engine import Choice, Engine, Info, Limits
from tavola.engines.engine_process import (
    MAX_QUEUED_LINES,
    EngineProcess,
    ProcessEnded,
    defer_signals,
    split_command,
)
from tavola.engines.ugi_messages import go_line, position_line, read_info
from tavola.errors import EngineError, EngineFailed, IllegalAction, Message, quoted

__all__ = ["UgiEngine"]

GLANCE = 0.05
STOP_SECONDS = 2.0

ERROR = "info string error:"
"""The beginning of the line with which an engine reports an error."""


class UgiEngine(Engine):
    """An external engine that speaks UGI.

    The first game starts its process. If the process exits, does not answer in time or plays an
    illegal action, it is killed and `EngineFailed` is raised. The next game starts it again.

    Args:
        text: The specification of the engine.
        game: The game to play.
        command: The command line of the engine.
        limits: The limits for one action.
        options: Options of the engine, which are set before the first game.
        patience: The tolerance beyond a time limit, and the time for other answers, in seconds.
    """

    PATIENCE = 30.0

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        command: str,
        limits: Limits,
        options: Mapping[str, str],
        patience: float | None = None,
    ) -> None:
        super().__init__(text)
        try:
            split_command(command)
        except ValueError:
            fault = Message("the command has an unclosed quotation mark")
            raise EngineError(text, fault) from None
        self._game = game
        self._command = command
        self._limits = limits
        self._options = options
        self._patience = self._overrun = self.PATIENCE if patience is None else patience
        self._program: EngineProcess | None = None
        self._offered: dict[str, str] = {}
        self.name = ""

    def __getstate__(self) -> dict[str, object]:
        """Return what a copy needs. It starts a process of its own."""
        return {**self.__dict__, "_program": None}

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Start a new game, and the process if it does not run."""
        with self._or_ended(stop) as program:
            if "seed" in self._offered and "seed" not in {name.lower() for name in self._options}:
                self._set(program, "Seed", str(seed))
            program.send("uginewgame")
            self._ready(program, stop)

    def choose(
        self,
        state: State,
        *,
        moves: Sequence[str] | None = None,
        limits: Limits | None = None,
        stop: Stop | None = None,
        tell: Callable[[Choice], None] | None = None,
    ) -> Choice:
        """Return the action that the engine answers."""
        used = self._limits if limits is None else limits
        with self._or_ended(stop) as program:
            known = moves is not None
            program.send(position_line(None if known else state.text, moves or ()))
            # Skip remaining output of the last search.
            self._ready(program, stop)
            program.send(go_line(used))
            token, info = self._answer(program, state, used, stop, tell)
            try:
                state.play(token)
            except IllegalAction as error:
                reason = Message(
                    "sent {token}, which is illegal: {reason}",
                    token=quoted(token),
                    reason=error.reason,
                )
                raise EngineFailed(self.text, reason) from None
        return Choice(token=token, info=info)

    def close(self) -> None:
        """End the process."""
        if self._program is not None:
            with contextlib.suppress(ProcessEnded):
                self._program.send("quit")
            self._program.close(patience=1.0)
            self._program = None

    @contextlib.contextmanager
    def _or_ended(self, stop: Stop | None) -> Iterator[EngineProcess]:
        """Yield the process, started if it does not run, and kill it if the block fails."""
        try:
            if self._program is None:
                self._start(stop)
            assert self._program is not None
            yield self._program
        except BaseException as error:
            output = ""
            if self._program is not None:
                self._program.close()
                output = self._program.output
                self._program = None
            if isinstance(error, ProcessEnded):
                raise EngineFailed(self.text, str(error), output=output) from None
            if isinstance(error, EngineFailed):
                raise EngineFailed(self.text, error.reason, output=output) from None
            raise

    def _start(self, stop: Stop | None) -> None:
        """Start the process and set the game and the options.

        Raises:
            ProcessEnded: If the process cannot be started, or exits.
            EngineFailed: If it does not speak UGI, or does not offer the game or an option.
        """
        with defer_signals():  # until `close` can end the process
            program = self._program = EngineProcess(self._command)
        program.send("ugi")
        self._offered = {}
        for words in self._until(program, "ugiok", stop):
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                self._offered[name.lower()] = " ".join(words)
        self._choose_game(program)
        for name, value in self._options.items():
            self._set(program, name, value)
        self._ready(program, stop)

    def _choose_game(self, program: EngineProcess) -> None:
        """Set the game and its options; an engine without an option `Game` plays only one game."""
        defaults = _defaults(self._game)
        if "game" in self._offered:
            self._set(program, "Game", self._game.name)
        for name, value in self._game.options.items():
            option = f"{self._game.name}.{name}"
            if option.lower() in self._offered:
                self._set(program, option, str(value))
            elif value != defaults[name]:
                raise EngineFailed(self.text, _lacks(option))

    def _set(self, program: EngineProcess, name: str, value: str) -> None:
        if name.lower() not in self._offered:
            raise EngineFailed(self.text, _lacks(name))
        offered = self._offered[name.lower()].split()
        values = [value for word, value in itertools.pairwise(offered) if word == "var"]
        if "combo" in offered and value not in values:
            reason = Message(
                "does not offer {value} for the option {name}, only {values}",
                name=name,
                value=value,
                values=", ".join(values),
            )
            raise EngineFailed(self.text, reason)
        program.send(f"setoption name {name} value {value}")

    def _ready(self, program: EngineProcess, stop: Stop | None) -> None:
        """Wait until the engine has processed all commands."""
        program.send("isready")
        for _ in self._until(program, "readyok", stop):
            pass

    def _until(self, program: EngineProcess, last: str, stop: Stop | None) -> Iterator[list[str]]:
        """Yield the words of each line before an expected line."""
        wait = _Wait(self._patience, stop)
        for line in wait.heard(program):
            if line == last:
                return
            if line is not None:
                yield line.split()
        reason = Message(
            "did not send {last} within {seconds} s", last=last, seconds=f"{wait.taken:.1f}"
        )
        raise EngineFailed(self.text, reason)

    def _answer(
        self,
        program: EngineProcess,
        state: State,
        limits: Limits,
        stop: Stop | None,
        tell: Callable[[Choice], None] | None,
    ) -> tuple[str, Info]:
        """Return the action that the engine answers, and its last report."""
        info, stop_sent, reported = Info(), False, ""
        # A search without limits ends when it is stopped.
        forever = limits == Limits()
        wait = _Wait(None if forever else (limits.seconds or 0.0) + self._overrun, stop)
        for line in wait.heard(program):
            if wait.is_stopped and not stop_sent:
                program.send("stop")
                stop_sent = True
            if line is None:
                continue
            words = line.split()
            if line.startswith(ERROR):
                reported = line.removeprefix(ERROR).strip()
            if words[:1] == ["info"]:
                info = read_info(line, seats=state.game.seats) or info
                if tell is not None and info.variation:
                    tell(Choice(token=info.variation[0], info=info))
            if words[:1] == ["bestmove"]:
                if len(words) < 2:
                    raise EngineFailed(self.text, Message("sent bestmove without an action"))
                if words[1] == "none" and reported:
                    raise EngineFailed(self.text, reported)
                return words[1], msgspec.structs.replace(info, seconds=wait.taken)
        reason = Message("did not answer within {seconds} s", seconds=f"{wait.taken:.1f}")
        if limits.seconds is not None:
            reason = Message(
                "{late} (its limit was {limit} s)", late=reason, limit=f"{limits.seconds:g}"
            )
        raise EngineFailed(self.text, reason)


def _lacks(option: str) -> Message:
    return Message("does not offer the option {name}", name=option)


class _Wait:
    """The deadline for an answer: a time limit, or a short time after a stop.

    Args:
        seconds: The time limit in seconds; `None` for no limit.
        stop: Ends the search.
    """

    def __init__(self, seconds: float | None, stop: Stop | None) -> None:
        self._began = time.monotonic()
        self._end = float("inf") if seconds is None else self._began + seconds
        self._stop = stop
        self.is_stopped = False

    def heard(self, program: EngineProcess) -> Iterator[str | None]:
        """Yield the output lines until the deadline, and `None` regularly, to check for a stop.

        At the deadline it still yields the lines that are queued by then, and no more.
        """
        left = MAX_QUEUED_LINES
        while left > 0:
            line = program.receive(self._until)
            if time.monotonic() >= self._end:
                left = 0 if line is None else left - 1
            yield line

    @property
    def _until(self) -> float:
        """The time until which to wait for the next line."""
        now = time.monotonic()
        if not self.is_stopped and self._stop is not None and self._stop.is_set():
            self.is_stopped = True
            self._end = min(self._end, now + STOP_SECONDS)
        return min(self._end, now + GLANCE)

    @property
    def taken(self) -> float:
        """How many seconds it has been."""
        return time.monotonic() - self._began


def _defaults(game: Game) -> Mapping[str, str | int]:
    """Return the game's options at their defaults."""
    from tavola._core import load

    return load(game.name).options
