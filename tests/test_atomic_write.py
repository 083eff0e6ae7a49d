"""A file is replaced completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tavola.atomic_write import atomic_write


def test_it_replaces_the_content_and_keeps_mode_and_link(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    atomic_write(link, b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_a_failure_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> None:
        raise OSError("disk full")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        atomic_write(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no /dev/null")
def test_a_device_is_written_and_not_replaced() -> None:
    atomic_write(Path("/dev/null"), b"new")
    assert Path("/dev/null").is_char_device()
