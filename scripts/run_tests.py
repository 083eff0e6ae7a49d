"""Runs the tests of every kind through make, and ends with one line that counts them.

    scripts/run_tests.py test-rust test-python ...

A kind that fails does not stop the others. A kind that could not run, such as one that did not
compile, counts as one failed test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter

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


def run(target: str) -> Counter[str]:
    """Run the tests of a kind, show what they print, and return their counts."""
    counts: Counter[str] = Counter()
    command = [os.environ.get("MAKE", "make"), "--no-print-directory", target]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            counts += count(line)
    if process.returncode != 0 and counts["failed"] == 0:
        counts["failed"] = 1
    return counts


def main() -> int:
    """Run the kinds of tests named by the arguments, and return the exit status."""
    total: Counter[str] = Counter()
    failed = []
    for target in sys.argv[1:]:
        counts = run(target)
        total += counts
        if counts["failed"]:
            failed.append(target)
    if failed:
        print(f"\nFailed: {', '.join(failed)}")
    print(f"\n{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
