"""The examples in the documentation of the compiled module, which stands in its stub."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest

import tavola
from tavola import _core

STUB = Path(tavola.__file__).with_name("_core.pyi")


def examples() -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    found = []
    for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            text = ast.get_docstring(node) or ""
            name = getattr(node, "name", "module")
            test = parser.get_doctest(text, dict(vars(_core)), name, str(STUB), 0)
            if test.examples:
                found.append(test)
    return found


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_says_the_truth(example: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example).failed == 0


def test_there_are_examples() -> None:
    assert len(examples()) >= 4


def test_everything_public_is_documented() -> None:
    for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            overload = any("overload" in ast.dump(mark) for mark in node.decorator_list)
            assert overload or ast.get_docstring(node), f"{node.name} has no docstring"
