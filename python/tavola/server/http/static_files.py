"""The built browser client: its files, held in memory, compressed once, and their route."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath

from tavola.language import LANGUAGES
from tavola.page_template import render
from tavola.server.errors import RequestError
from tavola.server.http.authentication import AnyRequest
from tavola.server.schema.errors import message_for

_HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
_TYPES = {".wasm": "application/wasm", ".webmanifest": "application/manifest+json"}
"""Types that the tables of some systems lack."""

_COMPRESSIBLE = (
    "text/",
    "application/javascript",
    "application/json",
    "application/manifest",
    "application/wasm",
    "image/svg",
)


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
        if len(self.body) < 1024 or not self.media_type.startswith(_COMPRESSIBLE):
            return None
        return gzip.compress(self.body, 9, mtime=0)


class StaticFiles:
    """The files of the client's folder, by path; empty if it has not been built."""

    def __init__(self, folder: Path) -> None:
        # Only listed files can be opened, whatever the requested path.
        self._files = {
            file.relative_to(folder).as_posix(): file
            for file in folder.rglob("*")
            if file.is_file()
        }
        # `make play` compiles it while the server runs already.
        self._files["core.wasm"] = folder / "core.wasm"
        self._assets: dict[str, Asset] = {}

    def find(self, path: str) -> Asset | None:
        """Return a file by its path in the folder."""
        if path not in self._assets and path in self._files:
            with suppress(FileNotFoundError):
                self._assets[path] = _read(self._files[path], hashed=path.startswith("assets/"))
        return self._assets.get(path)

    def index(self) -> Asset | None:
        """Return the page that serves every address of the client."""
        return self.find("index.html")

    @cached_property
    def _preloads(self) -> dict[str, list[str]]:
        listed = self.find("preloads.json")
        return json.loads(listed.body) if listed else {}

    def preload_header(self, path: str, game: str | None = None) -> str:
        """Return the `Link` header of a page: what it needs after its first script.

        Args:
            path: The path of its address.
            game: The game whose board it shows; None if it is unknown.
        """
        page = PurePosixPath(path.strip("/"))
        scripts = next((found for at, found in self._preloads.items() if page.match(at)), [])
        links = [f"</{script}>; rel=modulepreload" for script in scripts]
        if game is not None:
            links.append(f"</api/games/{game}>; rel=preload; as=fetch; crossorigin")
        return ", ".join(links)


def cached_responses(kind: Any, media_type: str = MediaType.JSON) -> dict[int, ResponseSpec]:
    """Return the description of what `cached_response` returns: its type, and its media type."""
    found = ResponseSpec(
        kind, generate_examples=False, media_type=media_type, description="The content"
    )
    return {200: found, 304: ResponseSpec(None, description="The client has it already")}


def cached_response(request: AnyRequest, asset: Asset) -> Response[bytes]:
    """Return the bytes, compressed where possible, or nothing if the client has them."""
    headers = {"cache-control": asset.cache, "etag": asset.etag, "vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    body = asset.body
    accepted = "gzip" in request.headers.get("accept-encoding", "")
    if accepted and asset.compressed is not None:
        body = asset.compressed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=asset.media_type, headers=headers)


@lru_cache(maxsize=128)
def _json_asset(body: bytes) -> Asset:
    return Asset(body, "application/json", "no-cache")


def cached_json(request: AnyRequest, body: bytes) -> Response[bytes]:
    """Return JSON that many ask for: it is compressed once, and sent only if it has changed."""
    return cached_response(request, _json_asset(body))


# The router finds `path` only where no other route has the same beginning.
@get(
    ["/", "/match", "/puzzles", "/{path:path}"],
    include_in_schema=False,
    sync_to_thread=False,
    compressed=True,
)
def client_file(
    request: AnyRequest, static_files: NamedDependency[StaticFiles], path: FromPath[str] = ""
) -> Response[bytes]:
    """Return a file of the browser client; its page for every address of its own."""
    path = path.strip("/")
    asset = static_files.find(path)
    if asset is None:
        first = path.split("/")[0]
        # The names of people may have dots.
        file = first != "@" and "." in path.rsplit("/", 1)[-1]
        if first in ("api", "assets") or file:
            raise RequestError("not-found", path=f"/{path}"[:200])
        asset = static_files.index()
        if asset is not None:
            return page_response(request, asset, static_files.preload_header(path))
    if asset is None:
        return not_built_page()
    return cached_response(request, asset)


def page_response(request: AnyRequest, page: Asset, preloads: str) -> Response[bytes]:
    """Return a page of the client, with the `Link` header of what it needs."""
    response = cached_response(request, page)
    if preloads:
        response.headers["link"] = preloads
    return response


def not_built_page() -> Response[bytes]:
    """Return the page for a client that is not built, which occurs only in a source checkout."""
    lines = [message_for("no-client", {}, language) for language in LANGUAGES]
    page = render("server/http/not_built.html", lines=lines)
    return Response(page.encode(), status_code=503, media_type=MediaType.HTML)


def _read(file: Path, *, hashed: bool) -> Asset:
    media_type = (
        _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    )
    forever = hashed and _HASHED.search(file.name)
    cache = "public, max-age=31536000, immutable" if forever else "no-cache"
    return Asset(file.read_bytes(), media_type, cache)
