"""Write the tables and figures of docs/reference/observations.md.

Run `python scripts/observation_tables.py`.
"""

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

IMAGES = PAGE.parents[1] / "images" / "observations"

FIGURES = {
    "potlatch": (16, ("tile", "chips_1", "chips_2", "opponent_pawn")),
    "proteus": (12, ("tile_red", "tile_square", "face_up", "own_square")),
    "passtally": (30, ("level", "straight", "joined_east", "own_marker_west")),
    "montana": (60, ("plain", "lake", "cost_grain", "own_settlement")),
}
"""For each game the number of random actions before its figure, and the planes to show."""

WIDTH, GAP, LEFT = 720, 16, 400
"""The width of a figure, the gap between its parts, and the width of the position, in pixels."""


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
            f"![{caption(name)}](../images/observations/{name}.svg)",
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


def position(name: str) -> tavola.State:
    """Return the position of the figure of a game."""
    rng, match = random.Random(1), tavola.Match(tavola.load(name), seed=1)
    for _ in range(FIGURES[name][0]):
        match.play(rng.choice(match.state.legal_actions))
    return match.state


def caption(name: str) -> str:
    """Return the description of the figure of a game."""
    actions, planes = FIGURES[name]
    *first, last = (f"`{plane}`" for plane in planes)
    seen = f"and the planes {', '.join(first)} and {last} of the seat to act"
    return f"A position after {actions} actions of a random game, {seen}"


def figure(name: str) -> str:
    """Return the figure of a game as SVG: a position, with some of its planes beside it."""
    state = position(name)
    picture = state.picture(width=LEFT).svg()
    box = re.match(r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    assert box is not None, "a picture has its size"
    height = LEFT * float(box[2]) / float(box[1])
    # Inside of another picture, its size and place are attributes.
    inner = re.sub(r' width="\d+"', f' width="{LEFT}" height="{height:.0f}"', picture, count=1)
    values = state.observation(dtype=np.uint8)
    names = [plane.name for plane in state.game.observation_space.planes]
    columns, width = 2, (WIDTH - LEFT - 2 * GAP) / 2
    parts, bottom = [], 0.0
    for number, plane in enumerate(FIGURES[name][1]):
        row, column = divmod(number, columns)
        left = LEFT + GAP + column * (width + GAP)
        grid, depth = plane_figure(plane, values[names.index(plane)], width)
        parts.append(f'<g transform="translate({left:.1f} {row * (depth + GAP):.1f})">{grid}</g>')
        bottom = row * (depth + GAP) + depth
    height = max(height, bottom) + 2 * GAP
    title = caption(name).replace("`", "")
    body = "\n".join([inner, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 2 * GAP} {height:.0f}" '
        f'role="img" aria-label="{title}" font-family="system-ui, sans-serif">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#fffdf8"/>\n'
        f'<g transform="translate({GAP} {GAP})">\n{body}\n</g>\n</svg>\n'
    )


def plane_figure(name: str, values: np.ndarray, width: float) -> tuple[str, float]:
    """Return a plane as a grid of shaded numbers, and its height."""
    rows, columns = values.shape
    size, top = width / columns, 18
    most = max(int(values.max()), 1)
    parts = [f'<text y="12" font-size="12" font-weight="600" fill="#211f1b">{name}</text>']
    for (row, column), value in np.ndenumerate(values):
        x, y, share = column * size, top + row * size, int(value) / most
        shade = f"rgb({235 - 203 * share:.0f} {232 - 150 * share:.0f} {225 - 80 * share:.0f})"
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{size - 0.6:.1f}" height="{size - 0.6:.1f}" '
            f'fill="{shade}"/>'
        )
        if value:
            colour = "#ffffff" if share > 0.45 else "#211f1b"
            parts.append(
                f'<text x="{x + size / 2:.1f}" y="{y + size * 0.7:.1f}" text-anchor="middle" '
                f'font-size="{min(size * 0.6, 14):.1f}" fill="{colour}">{value}</text>'
            )
    return "".join(parts), top + rows * size


def main() -> None:
    """Write the page and its figures."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in FIGURES:
        (IMAGES / f"{name}.svg").write_text(figure(name), encoding="utf-8")


if __name__ == "__main__":
    main()
