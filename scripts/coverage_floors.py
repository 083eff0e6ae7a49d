"""Compares the measured coverage of Rust, Python and TypeScript with the floors, which only rise.

`make coverage` measures and runs this. A share of lines below its floor in `tests/coverage.json` is
an error. A share one point or more above it raises the floor in the file, which you commit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FLOORS = ROOT / "tests/coverage.json"
MEASURED = ROOT / "target/coverage"

# Each report, and where it has the percentage of lines.
REPORTS: dict[str, tuple[str, Callable[[Any], float]]] = {
    "rust": ("rust.json", lambda report: report["data"][0]["totals"]["lines"]["percent"]),
    "python": ("python.json", lambda report: report["totals"]["percent_covered"]),
    "typescript": ("web/coverage-summary.json", lambda report: report["total"]["lines"]["pct"]),
}


def measured(folder: Path) -> dict[str, float]:
    """Return the percentage of lines that the tests of each language run."""
    return {
        language: float(share(json.loads((folder / file).read_text("utf-8"))))
        for language, (file, share) in REPORTS.items()
    }


def compare(
    shares: dict[str, float], floors: dict[str, float]
) -> tuple[dict[str, float], list[str]]:
    """Return the floors after a measurement, and one line for each share below its floor.

    >>> compare({"rust": 91.4, "python": 80.2}, {"rust": 90, "python": 80})
    ({'rust': 91, 'python': 80}, [])
    >>> compare({"rust": 89.9}, {"rust": 90})
    ({'rust': 90}, ['rust: 89.9 % of lines, and the floor is 90 %'])
    """
    raised = {language: max(floors[language], int(share)) for language, share in shares.items()}
    faults = [
        f"{language}: {share:.1f} % of lines, and the floor is {floors[language]} %"
        for language, share in shares.items()
        if share < floors[language]
    ]
    return raised, faults


def main() -> int:
    """Print the coverage, raise the floors, and return 1 if a share is below its floor."""
    floors = json.loads(FLOORS.read_text("utf-8"))
    shares = measured(MEASURED)
    for language, share in shares.items():
        print(f"{language:10} {share:5.1f} % of lines")
    raised, faults = compare(shares, floors)
    if raised != floors:
        FLOORS.write_text(json.dumps(raised, indent=2) + "\n", "utf-8")
        print("The floors in tests/coverage.json are higher now: commit them.")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
