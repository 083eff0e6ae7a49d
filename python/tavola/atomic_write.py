"""Files that get another content."""

from __future__ import annotations

from pathlib import Path

__all__ = ["rewrite"]


def rewrite(path: Path, content: bytes) -> None:
    """Writes a file anew; if not all of it can be written, what it held before stays.

    Raises:
        OSError: If it cannot be written.
    """
    before = path.read_bytes() if path.is_file() else None
    try:
        path.write_bytes(content)
    except BaseException:
        if before is not None:
            path.write_bytes(before)
        raise
