"""Ctrl-C ends a test as it ends a program, also where `make test` runs in the background.

A shell lets the jobs of its background ignore SIGINT, and their children inherit that.
"""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
