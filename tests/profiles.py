"""The size of tests: `quick` in `make test`, `ci` in `make test-long`, `nightly` for hours."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

PROFILES = ("quick", "ci", "nightly")
VARIABLE = "TAVOLA_TEST_PROFILE"
PROFILE = os.environ.get(VARIABLE, PROFILES[0])

if PROFILE not in PROFILES:
    raise ValueError(f"{VARIABLE}={PROFILE}: expected one of {', '.join(PROFILES)}")


def sized(quick: int, ci: int, nightly: int) -> int:
    """Return the number that belongs to the profile of this run."""
    return {"quick": quick, "ci": ci, "nightly": nightly}[PROFILE]


def examples(ci: int) -> int:
    """Return how many examples a property test tries, given its number in CI."""
    return sized(max(5, ci // 4), ci, ci * 20)


def first_quick(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Return values for `parametrize`: the first ones for every run, the others for long tests."""
    kept = list(values)
    return kept[:quick] + [pytest.param(value, marks=pytest.mark.long) for value in kept[quick:]]
