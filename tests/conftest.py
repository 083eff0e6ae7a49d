"""Settings for all tests. No test fails because the machine is busy."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

import tavola
from tavola.custom import unregister
from tests.profiles import examples

# Ctrl-C ends a test even where `make test` runs in the background: a shell lets background jobs
# ignore SIGINT, and their children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

GAMES = tavola.games()
"""The games of every test."""

# The time that an example takes depends on the machine more than on the code.
settings.register_profile(
    "tavola",
    settings.default,
    max_examples=examples(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tavola")


@pytest.fixture(autouse=True)
def games_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the Python games that other tests or fixtures registered."""
    monkeypatch.setenv("TAVOLA_GAMES", "")
    for name in set(tavola.games()) - set(GAMES):
        unregister(name)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """English, wide, no colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark property tests as `sized`: `make nightly` repeats them with more examples."""
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.sized)
