"""Runs the tests of every kind through make, and ends with one line that counts them.

    scripts/run_tests.py "test-python test-e2e" "test-rust test-web test-postgresql"

Each argument is a lane. Lanes run side by side: one computes while another waits. The kinds of a
lane run one after the other. The first lane shows its output as it comes, the others show that of
each kind at its end.

A kind that fails does not stop the others. A kind that could not run, such as one that did not
compile, counts as one failed test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

# The lines in which cargo, pytest and Vitest count tests.
SUMMARY = re.compile(
    r"test result: .*"
    r"|=*\s*\d+ (?:passed|failed|skipped|deselected|errors?|warnings?)\b.* in [\d.]+s.*"
    r"|\s*Tests  .*"
)
COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|ignored)\b")
NAMES = {"error": "failed", "errors": "failed", "ignored": "skipped"}
COLOUR = re.compile(r"\x1b\[[\d;]*m")


def count(line: str) -> Counter[str]:
    """Return the numbers of tests passed, failed and skipped that a line of a test runner reports.

    >>> dict(count("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"))
    {'passed': 12, 'failed': 0, 'skipped': 1}
    >>> dict(count("1 failed, 7 passed, 2 errors, 30 deselected in 12.3s"))
    {'failed': 3, 'passed': 7}
    >>> dict(count("      Tests  1 failed | 278 passed | 3 skipped (282)"))
    {'failed': 1, 'passed': 278, 'skipped': 3}
    >>> dict(count("Expected 3 passed actions"))
    {}
    """
    counts: Counter[str] = Counter()
    line = COLOUR.sub("", line).rstrip()
    if SUMMARY.fullmatch(line):
        for number, name in COUNT.findall(line):
            counts[NAMES.get(name, name)] += int(number)
    return counts


def run(target: str, show: Callable[[str], None]) -> Counter[str]:
    """Run the tests of a kind, show each line that they print, and return their counts."""
    counts: Counter[str] = Counter()
    began = time.monotonic()
    command = [os.environ.get("MAKE", "make"), "--no-print-directory", target]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            show(line)
            counts += count(line)
    if process.returncode != 0 and counts["failed"] == 0:
        counts["failed"] = 1
    outcome = f"{counts['failed']} failed" if counts["failed"] else "passed"
    show(f"{target}: {outcome}, {time.monotonic() - began:.0f} s\n")
    return counts


def run_lanes(first: list[str], *others: list[str]) -> dict[str, Counter[str]]:
    """Run lanes side by side, and return the counts of each kind."""
    printing = threading.Lock()

    def show(text: str) -> None:
        with printing:
            print(text, end="", flush=True)

    def run_beside(targets: list[str]) -> dict[str, Counter[str]]:
        found = {}
        for target in targets:
            lines: list[str] = []
            found[target] = run(target, lines.append)
            show("".join(lines))
        return found

    with ThreadPoolExecutor(max(1, len(others))) as pool:
        beside = [pool.submit(run_beside, lane) for lane in others]
        found = {target: run(target, show) for target in first}
    for lane in beside:
        found |= lane.result()
    return found


def main() -> int:
    """Run the lanes named by the arguments, and return the exit status."""
    found = run_lanes(*(lane.split() for lane in sys.argv[1:]))
    total = sum(found.values(), Counter[str]())
    failed = [target for target, counts in found.items() if counts["failed"]]
    if failed:
        print(f"\nFailed: {', '.join(failed)}")
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
