"""Write the tables of docs/reference/observations.md: `python scripts/observation_tables.py`."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import msgspec
import numpy as np

import tavola
from tavola import _core

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "observations.md"

FIGURES = {
    "potlatch": ("tile", 0),
    "proteus": ("face_up", 12),
    "passtally": ("level", 30),
    "montana": ("hex", 60),
}
"""For each game the plane of its figure, and the number of random actions before it."""


def written(page: str) -> str:
    """Return the page with new tables."""
    for name in tavola.games():
        if name in FIGURES:
            body = f"<!-- {name} -->\n{section(name)}<!-- end -->"
            page = re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _: body, page, flags=re.S)  # noqa: B023
    return page


def section(name: str) -> str:
    """Return the shapes, a figure and the planes of a game."""
    game = tavola.load(name)
    rows = [
        f"| `{plane.name}` | {plane.kind} | {plane.high} | {plane.about} |"
        for plane in game.observation_space.planes
    ]
    return "\n".join(
        [
            *shapes(name),
            "",
            *figure(game, *FIGURES[name]),
            "",
            "| Plane | Kind | `high` | Meaning |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def shapes(name: str) -> list[str]:
    """Return a table of the shapes and the numbers of actions and symmetries by options."""
    options = msgspec.json.decode(_core.describe(name))["options"]
    names = [option["name"] for option in options]
    found: dict[tuple[object, ...], list[dict[str, str]]] = {}
    for values in itertools.product(*(option["values"] for option in options)):
        chosen = dict(zip(names, values, strict=True))
        game = tavola.load(name, **chosen)
        space = game.observation_space
        shape = space.shape(), space.shape("flat"), game.action_count, len(game.symmetries)
        found.setdefault(shape, []).append(chosen)
    lines = ["| Options | `planes` | `flat` | Actions | Symmetries |", "|---|---|---|---|---|"]
    for (planes, flat, actions, symmetries), choices in found.items():
        # Only the options that all these choices share, and others do not have.
        shared = [
            f"`{key}={choices[0][key]}`"
            for key in names
            if len(found) > 1 and len({choice[key] for choice in choices}) == 1
        ]
        lines.append(
            f"| {', '.join(shared) or 'all'} | {planes} | {flat} | {actions} | {symmetries} |"
        )
    return lines


def figure(game: tavola.Game, plane: str, actions: int) -> list[str]:
    """Return one plane after random actions as text, a dot for 0."""
    rng, match = random.Random(1), tavola.Match(game, seed=1)
    for _ in range(actions):
        match.play(rng.choice(match.state.legal_actions))
    place = [one.name for one in game.observation_space.planes].index(plane)
    values = match.state.observation(dtype=np.uint8)[place]
    when = "at the start" if actions == 0 else f"after {actions} actions of a random game"
    return [
        f"The plane `{plane}` {when}:",
        "",
        "```text",
        *(" ".join(str(value) if value else "." for value in row) for row in values),
        "```",
    ]


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
