"""Docstrings: every public name has one, the stub repeats those of the core, and examples run."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import GetSetDescriptorType, ModuleType

import pytest

import tavola
from tavola import _core

ROOT = Path(__file__).parents[2]


MEMBERS = (property, classmethod, staticmethod, GetSetDescriptorType)


def public_names(owner: ModuleType | type, path: str) -> Iterator[tuple[str, object]]:
    """Yield every public function, class and member that can be reached from an owner."""
    names = owner.__all__ if isinstance(owner, ModuleType) else vars(owner)
    for name in sorted(names):  # processes that share the tests need one order
        value = getattr(owner, name) if isinstance(owner, ModuleType) else vars(owner)[name]
        here = f"{path}.{name}"
        if name.startswith("_") or inspect.ismemberdescriptor(value):
            continue  # a member descriptor is a field: the class describes its fields
        if inspect.isclass(value):
            yield here, value
            for base in value.__mro__:
                if base.__module__.split(".")[0] == "tavola":
                    yield from public_names(base, here)
        elif callable(value) or isinstance(value, MEMBERS):
            yield here, value


NAMES = dict(public_names(tavola, "tavola")) | dict(public_names(_core, "_core"))


def examples() -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    tests = (
        parser.get_doctest(value.__doc__ or "", dict(vars(_core)), name, None, 0)
        for name, value in NAMES.items()
        if name.startswith("_core.")
    )
    return [test for test in tests if test.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_gives_its_output(example: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example).failed == 0


def test_the_core_has_examples() -> None:
    assert len(examples()) >= 15


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_a_docstring_at_runtime(name: str) -> None:
    docstring = inspect.cleandoc(NAMES[name].__doc__ or "")
    assert docstring, f"{name} has no docstring"
    summary, _, rest = docstring.partition("\n")
    assert summary.endswith((".", "?")), f"{name}: {summary}"
    assert not rest or rest.startswith("\n"), f"{name}: a blank line must follow the summary"


def test_the_stub_has_the_docstrings_of_the_core() -> None:
    spec = importlib.util.spec_from_file_location("stub", ROOT / "scripts/stub.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    stub = script.STUB.read_text(encoding="utf-8")
    assert script.current(stub) == stub, "run `make stub`"
