"""Writes files completely or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

__all__ = ["atomic_write"]


def atomic_write(path: Path, content: bytes) -> None:
    """Replace the content of a file. If writing fails, the old content remains.

    A device or a pipe, which cannot be replaced, is written directly.

    Args:
        path: The path of the file, which need not exist.
        content: The new content.

    Raises:
        OSError: If the file cannot be written.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
