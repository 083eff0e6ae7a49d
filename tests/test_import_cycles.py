"""No module imports itself through others: Python, every Rust crate, and the web client."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.module_graph import cycles, python_graph, rust_graph, web_graph

ROOT = Path(__file__).parent.parent
CRATES = sorted(
    path.parent for path in [*ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("games/*/Cargo.toml")]
)


@pytest.mark.long
def test_python_modules_have_no_cycle() -> None:
    found = cycles(python_graph(ROOT / "python/tavola"))
    assert found == []


@pytest.mark.long
def test_python_folders_import_from_below_only() -> None:
    """The folders are listed, and stand in the order of their imports, in `architecture.md`."""
    table = (ROOT / "docs/explanation/architecture.md").read_text(encoding="utf-8")
    order = re.findall(r"^\| `python/tavola/(\w+)/`", table, re.MULTILINE)
    package = ROOT / "python/tavola"
    assert sorted(order) == sorted(path.parent.name for path in package.glob("*/__init__.py"))
    above = [
        (module, target)
        for module, targets in python_graph(package).items()
        for target in targets
        if (here := _folder(module)) in order
        and (there := _folder(target)) in order
        and order.index(there) < order.index(here)
    ]
    assert above == []


def _folder(module: str) -> str:
    return [*module.split("."), ""][1]


@pytest.mark.parametrize("crate", CRATES, ids=lambda crate: crate.name)
def test_rust_modules_have_no_cycle(crate: Path) -> None:
    found = cycles(rust_graph(crate))
    assert found == []


def test_web_modules_have_no_cycle() -> None:
    graph = web_graph(ROOT / "web/src")
    assert sum(map(len, graph.values())) > 100, "the imports are not recognized any more"
    found = cycles(graph)
    assert found == []


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_a_cycle_of_python_modules_is_found(tmp_path: Path) -> None:
    package = write(
        tmp_path / "shop",
        {
            "__init__.py": "from shop.a import A\n",
            "a.py": "import shop.b\n\nclass A: ...\n",
            "b.py": "def late():\n    from shop import c\n",
            "c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import A\n",
            "d.py": "from shop.a import A\n",
        },
    )
    assert cycles(python_graph(package)) == [("shop.a", "shop.b", "shop.c")]


def test_a_cycle_of_rust_modules_is_found(tmp_path: Path) -> None:
    crate = write(
        tmp_path,
        {
            "src/lib.rs": "mod a;\nmod b;\nmod c;\npub use c::Third;\n",
            "src/a.rs": "use crate::{b::Second, other};\n// use crate::d::Fourth;\n",
            "src/b.rs": "use super::Third;\n",
            "src/c/mod.rs": "pub struct Third(pub crate::a::First);\nmod d;\n",
            "src/c/d.rs": "use crate::a::First;\n#[cfg(test)]\nmod tests { use crate::c::D; }\n",
        },
    )
    assert cycles(rust_graph(crate)) == [("crate::a", "crate::b", "crate::c")]


def test_a_cycle_of_web_modules_is_found(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        {
            "a.ts": "import type { B } from './b';\n",
            "b.ts": "export * from './parts/C.svelte';\n",
            "parts/C.svelte": "<script>\n  const a = await import('../a');\n</script>\n",
            "d.ts": "// import './a';\nimport './b';\n",
        },
    )
    assert cycles(web_graph(source)) == [("a.ts", "b.ts", "parts/C.svelte")]
