"""Docstrings agree with the signatures they describe."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "python" / "tavola"


def _documented(docstring: str, section: str = "Args:") -> list[str]:
    """List the names in a section of a docstring."""
    lines = docstring.splitlines()
    if section not in [line.strip() for line in lines]:
        return []
    start = next(i for i, line in enumerate(lines) if line.strip() == section)
    names = []
    first_indent = None
    for line in lines[start + 1 :]:
        if not line.strip():
            break
        indent = len(line) - len(line.lstrip())
        first_indent = indent if first_indent is None else first_indent
        if indent == first_indent:
            names.extend(re.findall(r"\w+", line.split(":")[0].split("(")[0]))
    return names


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """List the names of a function's parameters."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return {one.arg for one in named}


def _accepted(node: ast.AST) -> set[str] | None:
    """List the names a docstring may document, or None when they are inherited."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _parameters(node)
    assert isinstance(node, ast.ClassDef)
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and member.name in ("__init__", "__new__"):
            return _parameters(member)
    fields = {
        member.target.id
        for member in node.body
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
    }
    return None if node.bases and not fields else fields


@pytest.mark.long
def test_every_documented_parameter_exists() -> None:
    """An ``Args`` section names only parameters of its function or class."""
    unknown = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            accepted = _accepted(node)
            if accepted is None:
                continue
            for name in _documented(ast.get_docstring(node) or ""):
                if name not in accepted:
                    unknown.append(f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}: {name}")
    assert not unknown, "\n".join(unknown)


def _attributes(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> set[str]:
    """List the fields, properties and assigned attributes of a class and of its bases."""
    names = set()
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                names.add(name)
            case ast.FunctionDef(name=name):
                names.add(name)
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and base.id != node.name:
            names |= _attributes(classes[base.id], classes)
    return names


@pytest.mark.long
def test_every_documented_attribute_exists() -> None:
    """An ``Attributes`` section names only attributes of its class."""
    found = {
        path: [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ClassDef)
        ]
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    classes = {node.name: node for nodes in found.values() for node in nodes}
    unknown = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}: {name}"
        for path, nodes in found.items()
        for node in nodes
        for name in _documented(ast.get_docstring(node) or "", "Attributes:")
        if name not in _attributes(node, classes)
    ]
    assert not unknown, "\n".join(unknown)
