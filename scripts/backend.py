"""Maturin's build backend, except that it refuses to forget the web client in a wheel.

Used by `pip wheel .` and its like through `build-system` in pyproject.toml (PEP 517). An editable
install reads the client from the working tree, so it may be made before the client is built.
`pip install . --config-settings client=none` installs the Python package without Node: the command
line and the Python API work as ever, and `tavola serve` has no pages.
"""

from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

CLIENT = Path("python/tavola/web/index.html")


def build_wheel(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Build a wheel with the web client inside, unless the settings say `client=none`."""
    if (settings or {}).get("client") != "none":
        _require_client()
    return str(maturin.build_wheel(directory, settings, metadata))


def build_sdist(directory: str, settings: Any = None) -> str:
    """Build a source archive with the built web client inside."""
    _require_client()
    return str(maturin.build_sdist(directory, settings))


def _require_client() -> None:
    if not CLIENT.is_file():
        raise SystemExit(
            f"The web client is not built ({CLIENT} is missing), and a wheel without it would "
            "serve no page. Build it with `make web`, or omit it: --config-settings client=none"
        )
