"""Print the notes of a release from CHANGELOG.md, after checking that the version is ready.

scripts/release_notes.py 0.2.0
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def notes(changelog: str, version: str) -> str:
    r"""Return the section of a version.

    Raises:
        SystemExit: If there is no such section, or it is empty.

    >>> notes("# Changes\n\n## Unreleased\n\n## 1.2.0\n\n- New.\n\n## 1.1.0\n", "1.2.0")
    '- New.'
    """
    found = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    text = "" if found is None else found[1].strip()
    if not text:
        raise SystemExit(f"CHANGELOG.md has no section '## {version}'. Rename '## Unreleased'.")
    return text


def main() -> None:
    """Print the notes of the version that the argument names."""
    version = sys.argv[1]
    built = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    built_version = built["workspace"]["package"]["version"]
    if version != built_version:
        raise SystemExit(f"The tag is {version}, but Cargo.toml says {built_version}.")
    print(notes((ROOT / "CHANGELOG.md").read_text("utf-8"), version))


if __name__ == "__main__":
    main()
