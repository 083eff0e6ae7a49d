"""The command line: `tavola serve`, `play`, `games`, `rules`, `match`, `ugi`, `perft`, ..."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Runs the command line and leaves with its exit status."""
    from tavola.cli.app import run

    sys.exit(run(sys.argv[1:]))
