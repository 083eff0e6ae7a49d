"""The command line: `tavola serve`, `play`, `games`, `rules`, `match`, `ugi`, `perft`, ..."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from threading import Timer
from types import FrameType

from tavola.cli.exit_codes import INTERRUPTED


def main() -> int:
    """Run the command line.

    Before the command begins and after its end, Ctrl-C ends the process immediately and without a
    traceback.

    Returns:
        The exit code.
    """
    _on_ctrl_c(_leave)
    for stream in (sys.stdout, sys.stderr):
        # A terminal of another encoding shows a question mark for what it lacks.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    from tavola.cli.app import run

    status = INTERRUPTED
    sys.unraisablehook = _interrupt_again
    with suppress(KeyboardInterrupt):
        _on_ctrl_c(signal.default_int_handler)
        status = run(sys.argv[1:])
    _on_ctrl_c(_leave)
    return status


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Interrupt the command again if a callback, as of the garbage collector, swallowed Ctrl-C."""
    if lost.exc_type is KeyboardInterrupt and sys.platform != "win32":
        # The kernel gives it to the main thread, and wakes that.
        Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(lost)


def _on_ctrl_c(handler: Callable[[int, FrameType | None], None]) -> None:
    """Install a handler, unless the process ignores Ctrl-C, as in the background of a script."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, handler)
