"""Every public name of the package has a docstring at runtime, with its arguments and results."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import tavola

MODULES = [
    "tavola",
    "tavola.analysis",
    "tavola.atomic_write",
    "tavola.engines",
    "tavola.errors",
    "tavola.executors",
    "tavola.fairness",
    "tavola.picture",
    "tavola.raster",
    "tavola.ratings",
    "tavola.replay",
    "tavola.report.report",
    "tavola.tournament",
    "tavola.tuning",
    "tavola.ugi",
    "tavola.view",
]


def public_names(module: str) -> Iterator[tuple[str, Any]]:
    """Yields the public classes, their methods and the public functions of a module."""
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", [name for name in vars(loaded) if name[0].islower()])
    for name in names:
        value = getattr(loaded, name)
        if not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        if not value.__module__.startswith("tavola") or value.__module__ == "tavola._core":
            continue
        yield f"{module}.{name}", value
        if inspect.isclass(value):
            for member, found in vars(value).items():
                function = found.fget if isinstance(found, property) else found
                if member[0] != "_" and inspect.isfunction(function):
                    yield f"{module}.{name}.{member}", found


NAMES = dict(name for module in MODULES for name in public_names(module))


def missing(value: Any) -> list[str]:
    """Returns the sections that a docstring lacks."""
    doc = inspect.getdoc(value) or ""
    if not doc:
        return ["docstring"]
    if inspect.isclass(value):
        fields = issubclass(value, msgspec.Struct) and value.__struct_fields__
        own_init = "__init__" in vars(value) and len(inspect.signature(value).parameters) > 0
        documented = any(part in doc for part in ("Attributes:", "Args:"))
        documented |= "Args:" in (inspect.getdoc(value.__init__) or "")
        return [] if documented or not (fields or own_init) else ["Attributes or Args"]
    if isinstance(value, property):
        return []
    signature = inspect.signature(value)
    arguments = [name for name in signature.parameters if name != "self"]
    lacking = ["Args"] if len(arguments) > 1 and "Args:" not in doc else []
    lacking += [
        name
        for name in arguments
        if len(arguments) > 1 and f"{name}:" not in doc and f"`{name}`" not in doc
    ]
    first = doc.split()[0]
    returns = signature.return_annotation not in (None, "None", inspect.Signature.empty)
    if (
        returns
        and first not in ("Return", "Yield")
        and not ({"Returns:", "Yields:"} & set(doc.split()))
    ):
        lacking.append("Returns")
    return lacking


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_complete_docstring(name: str) -> None:
    assert missing(NAMES[name]) == []


def test_the_list_of_names_is_not_empty() -> None:
    assert len(NAMES) > 120
    assert {f"tavola.{name}" for name in ("verify", "Match", "engine")} <= set(NAMES)
    assert tavola.__doc__
