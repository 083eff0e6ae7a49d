"""Copy the docstrings of the built core into `python/tavola/_core.pyi`.

The doc comments in `crates/py` are the only source of the docstrings. The stub is the only source
of the type annotations, and `mypy.stubtest` compares it with the module.

Usage: `make stub`, or with `--check` to report a stub that is not current.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

from tavola import _core

STUB = Path(__file__).parents[1] / "python/tavola/_core.pyi"


def docstring(value: object) -> str:
    """Return the docstring of an object of the built core, without common indentation."""
    return inspect.cleandoc(value.__doc__ or "")


def current(stub: str) -> str:
    """Return the stub with the docstrings of the built core.

    Args:
        stub: The source of the stub.
    """
    tree = ast.parse(stub)
    lines = stub.splitlines()
    replacements = [_replacement(tree, 1, docstring(_core), 0, lines)]
    for node in tree.body:
        value = getattr(_core, getattr(node, "name", ""), None)
        if isinstance(node, ast.ClassDef):
            replacements.append(_definition(node, value, 0, lines))
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    replacements.append(
                        _definition(member, getattr(value, member.name, None), 4, lines)
                    )
        elif isinstance(node, ast.FunctionDef):
            replacements.append(_definition(node, value, 0, lines))
    for first, end, text in sorted(replacements, reverse=True):
        lines[first:end] = text
    return "\n".join(lines) + "\n"


_Replacement = tuple[int, int, list[str]]
"""First line, end line and new lines, with line numbers from 0."""


def _definition(
    node: ast.ClassDef | ast.FunctionDef, value: object, indent: int, lines: list[str]
) -> _Replacement:
    """Replace the docstring of a class or function, or its body `...`."""
    return _replacement(node, node.body[0].lineno, docstring(value), indent + 4, lines)


def _replacement(
    node: ast.Module | ast.ClassDef | ast.FunctionDef,
    line: int,
    text: str,
    indent: int,
    lines: list[str],
) -> _Replacement:
    pad = " " * indent
    first, *others = text.splitlines() or [""]
    quoted = [f'{pad}"""{first}', *(f"{pad}{other}".rstrip() for other in others)]
    if others:
        quoted.append(f'{pad}"""')
    else:
        quoted[0] += '"""'
    body = node.body[0]
    constant = isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant)
    assert isinstance(body, ast.Expr), f"line {line} has no docstring and no `...`"
    assert constant, f"line {line} has no docstring and no `...`"
    assert body.end_lineno is not None
    header = lines[body.lineno - 1][: body.col_offset].rstrip()
    return body.lineno - 1, body.end_lineno, ([header] if header else []) + quoted


def main() -> int:
    """Write the stub, or check it."""
    stub = STUB.read_text(encoding="utf-8")
    wanted = current(stub)
    if "--check" in sys.argv[1:]:
        if wanted != stub:
            print(f"{STUB.name} is not current: run `make stub`", file=sys.stderr)
        return int(wanted != stub)
    STUB.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
