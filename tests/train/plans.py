"""A plan so small that a round takes a part of a second."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import tavola
from tavola.train.plan import Plan

TINY = Plan(
    game="potlatch",
    options={"actions": 2, "layout": "triangle"},
    rules_version=1,
    hidden=8,
    second=4,
    games=6,
    together=4,
    nodes=8,
    fast_nodes=2,
    teacher_rounds=1,
    teacher_nodes=16,
    batch=16,
    gate_every=2,
    gate_nodes=4,
    gate_games=4,
    anchor_nodes=4,
    anchor_games=2,
)

READING = replace(
    TINY, features=tavola.load("potlatch", actions=2, layout="triangle").weights, looks=True
)
"""The same with a network that reads the evaluation and looks."""


def tiny(**changes: Any) -> Plan:
    """The small plan with some changes."""
    return replace(TINY, **changes)
