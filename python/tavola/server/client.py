"""The built browser client: its files, held in memory, compressed once."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
_TEXT = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")


@dataclass(frozen=True)
class Asset:
    """A file of the client.

    Attributes:
        body: Its bytes.
        media_type: What it is.
        cache: Its `Cache-Control`.
    """

    body: bytes
    media_type: str
    cache: str

    @cached_property
    def etag(self) -> str:
        """A name for just these bytes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:20]}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The bytes, gzipped, where that is worth while."""
        if len(self.body) < 1024 or not self.media_type.startswith(_TEXT):
            return None
        return gzip.compress(self.body, 9, mtime=0)


class Client:
    """The files of the client's folder, by path; empty if it has not been built."""

    def __init__(self, folder: Path) -> None:
        # Only what is listed here is ever opened, whatever path is asked for.
        self._files = {
            file.relative_to(folder).as_posix(): file
            for file in folder.rglob("*")
            if file.is_file()
        }
        self._assets: dict[str, Asset] = {}

    def find(self, path: str) -> Asset | None:
        """A file by its path in the folder."""
        if path not in self._assets and path in self._files:
            self._assets[path] = _read(self._files[path], hashed=path.startswith("assets/"))
        return self._assets.get(path)

    def page(self) -> Asset | None:
        """The page that every address of the client's own leads to."""
        return self.find("index.html")


def _read(file: Path, *, hashed: bool) -> Asset:
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if media_type.startswith("text/") or media_type.endswith("javascript"):
        media_type += "; charset=utf-8"
    forever = hashed and _HASHED.search(file.name)
    cache = "public, max-age=31536000, immutable" if forever else "no-cache"
    return Asset(file.read_bytes(), media_type, cache)
