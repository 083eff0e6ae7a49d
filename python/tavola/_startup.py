"""Ends the command `tavola` without a traceback on Ctrl-C while the package is imported.

`tavola.cli.main` installs its own handlers, but Python imports this package before it.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def exit_on_ctrl_c() -> None:
    """Make Ctrl-C end the process, if this process runs the command `tavola`."""
    if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)


def _is_command() -> bool:
    arguments = sys.orig_argv[1:3]
    script = os.path.basename(arguments[0]) if arguments else ""  # noqa: PTH119 (a fast import)
    return script in ("tavola", "tavola.exe") or arguments == ["-m", "tavola"]


def _exit(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


exit_on_ctrl_c()
