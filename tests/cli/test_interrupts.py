"""What ends a long command as Ctrl-C does, and what does not."""

from __future__ import annotations

import signal
import sys

import pytest

from tavola.cli.interrupts import ended_as_by_ctrl_c

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_it_ends_the_work_and_later_what_it_did_before(name: str) -> None:
    number = signal.Signals[name]
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), ended_as_by_ctrl_c():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_who_is_not_to_end_with_the_terminal_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # As `nohup` does.
    try:
        with ended_as_by_ctrl_c():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
