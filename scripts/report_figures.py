#!/usr/bin/env python3
"""Copy figures from the page of a report into SVG files for the documentation.

`python scripts/report_figures.py PAGE FOLDER NAME...` writes the figures of these names, such as
`seats` and `course`, with the page's light colours. A file has the names of the page and figure.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path


def figure(page: str, name: str) -> str:
    """Return a figure of a page as an SVG file.

    Args:
        page: The page of a report.
        name: The name of the figure.

    Raises:
        KeyError: If the page has no such figure.
    """
    figures: list[str] = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    found = next((svg for svg in figures if f'id="{name}-' in svg), None)
    if found is None:
        raise KeyError(f"the page has no figure {name}")
    light = page[page.index(":root") : page.index("@media")]
    for variable, colour in re.findall(r"(--[\w-]+): (#\w+);", light):
        found = found.replace(f"var({variable})", colour)
    found = found.replace(' role="img" aria-hidden="true"', "")
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', found)
    assert box is not None
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{box[1]}" height="{box[2]}" '
        'font-family="system-ui, sans-serif" '
    )
    return found.replace("<svg ", head, 1) + "\n"


def main() -> None:
    """Write the figures."""
    page, folder, *names = sys.argv[1:]
    text = Path(page).read_text("utf-8")
    for name in names:
        path = Path(folder) / f"{Path(page).stem}-{name}.svg"
        path.write_text(figure(text, name), "utf-8")
        print(path)


if __name__ == "__main__":
    main()
