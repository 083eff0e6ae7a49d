"""Test sizes by profile: `quick` for `make test`, `ci` for every push, `nightly` for deep runs.

The environment variable `TAVOLA_TEST_PROFILE` selects the profile; the default is `quick`.
"""

from __future__ import annotations

import os
from typing import Literal, TypeVar

from hypothesis import HealthCheck, settings

__all__ = ["PROFILE", "by_profile", "examples", "load_hypothesis_profile"]

Profile = Literal["quick", "ci", "nightly"]

T = TypeVar("T")

SCALE: dict[Profile, float] = {"quick": 0.25, "ci": 1.0, "nightly": 10.0}
"""The number of examples, relative to `ci`."""

HYPOTHESIS_EXAMPLES = 100


def _profile() -> Profile:
    given = os.environ.get("TAVOLA_TEST_PROFILE", "quick")
    if given not in SCALE:
        raise ValueError(f"TAVOLA_TEST_PROFILE must be one of {', '.join(SCALE)}, not {given!r}")
    return given


PROFILE: Profile = _profile()
"""The selected profile."""


def by_profile(*, quick: T, ci: T, nightly: T) -> T:
    """Returns the value for the selected profile."""
    return {"quick": quick, "ci": ci, "nightly": nightly}[PROFILE]


def examples(ci: int) -> int:
    """Returns a number of examples, scaled from that of `ci`, at least 1."""
    return max(1, round(ci * SCALE[PROFILE]))


def load_hypothesis_profile() -> None:
    """Registers and loads the Hypothesis profile, without a time limit for an example."""
    settings.register_profile(
        PROFILE,
        settings.default,
        deadline=None,
        max_examples=examples(HYPOTHESIS_EXAMPLES),
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile(PROFILE)
