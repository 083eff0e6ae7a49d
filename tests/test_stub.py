"""The examples in the compiled module's documentation, which stands in its stub."""

import ast
import doctest
from pathlib import Path

import pytest

import tavola

STUB = Path(tavola.__file__).with_name("_core.pyi")
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef


def examples() -> list[doctest.DocTest]:
    """Every docstring of the stub that has examples."""
    parser = doctest.DocTestParser()
    found = []
    for node in ast.walk(ast.parse(STUB.read_text("utf-8"))):
        if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node)):
            name = getattr(node, "name", "module")
            found.append(parser.get_doctest(docstring, vars(tavola).copy(), name, str(STUB), 0))
    return [test for test in found if test.examples]


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_an_example_says_the_truth(test: doctest.DocTest) -> None:
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert said == []


def test_there_are_examples() -> None:
    assert {"load", "play", "perft"} <= {test.name for test in examples()}
