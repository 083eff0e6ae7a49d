"""Settings of all tests."""

from __future__ import annotations

import signal

from tests.profiles import PROFILE, load_hypothesis_profile

# In the background of a shell SIGINT is ignored, and child processes inherit that. The tests of
# Ctrl-C need the default handler.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

load_hypothesis_profile()


def pytest_report_header() -> str:
    """Names the profile in the header of every run."""
    return f"profile: {PROFILE} (TAVOLA_TEST_PROFILE)"
