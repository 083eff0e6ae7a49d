"""Registers games written in Python in this process, from classes and from files."""

from __future__ import annotations

import importlib.util
import os
import sys
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from tavola import _core
from tavola.custom.description import board_json, check_class, describe, options_of
from tavola.errors import GameFailed, Message

__all__ = ["game_class", "load_environment", "load_file", "register", "registered", "unregister"]

FILES = "TAVOLA_GAMES"
"""The environment variable with the files that every process loads, separated as in `PATH`.

Worker processes inherit it, so that they know the games of their parent.
"""

C = TypeVar("C", bound=type)

MOST_COMBINATIONS = 64
"""The maximum number of combinations of options that are tried at registration."""

_loaded: dict[Path, tuple[int, type]] = {}
"""The files that were loaded: the time of their last change, and the class of their game."""

_registered: dict[str, type] = {}
"""The registered classes by name."""


def register(rules: C) -> C:
    """Register a game written in Python, under its `name`.

    A game of the same name that was registered before is replaced; its states stay valid.

    Args:
        rules: The class of the game. Its contract is `tavola.custom.GameRules`.

    Returns:
        The class, so that this function can be used as a decorator.

    Raises:
        GameFailed: If the class does not describe a game; names the attribute and what is valid.
    """
    check_class(rules)
    options = options_of(rules)
    name = str(rules.name)  # type: ignore[attr-defined]

    def create(given: dict[str, str]) -> tuple[Any, str]:
        chosen = {
            option: options[option][text] for option, text in given.items() if option in options
        }
        try:
            game = rules(**chosen)
            return game, board_json(game)
        except GameFailed:
            raise
        except Exception as error:
            arguments = ", ".join(f"{option}={value!r}" for option, value in chosen.items())
            part = f"{rules.__name__}({arguments})"
            said = f"{type(error).__name__}: {error}"
            what = Message("{part} raised {error}", part=part, error=said)
            raise GameFailed(name, what) from error

    combinations = islice(product(*options.values()), MOST_COMBINATIONS)
    instances = [create(dict(zip(options, values, strict=True)))[0] for values in combinations]
    description = describe(rules, instances)
    _core._register_game(msgspec.json.encode(description).decode(), create)
    _registered[name] = rules
    return rules


def registered() -> tuple[type, ...]:
    """Return the classes of the registered games."""
    return tuple(_registered.values())


def unregister(name: str) -> bool:
    """Remove a registered game from the list of games. Its states stay valid.

    Args:
        name: The name of the game.

    Returns:
        Whether there was such a game.
    """
    _registered.pop(name, None)
    return _core._unregister_game(name)


def game_class(path: str | Path) -> type:
    """Return the class of the game in a Python file, without registering it.

    Args:
        path: A Python file with one class of a game.

    Raises:
        GameFailed: As `load_file`.
    """
    file = Path(path).resolve()
    try:
        changed = file.stat().st_mtime_ns
    except OSError as error:
        raise GameFailed(
            str(path), Message("cannot be read: {error}", error=error.strerror)
        ) from None
    known = _loaded.get(file)
    if known is None or known[0] != changed:
        known = _loaded[file] = changed, _game_of(_module(file), file)
    return known[1]


def load_file(path: str | Path) -> str:
    """Register the game of a Python file, here and in the processes that this one starts.

    A file that was loaded before and has not changed is not loaded again.

    Args:
        path: A Python file with one class of a game.

    Returns:
        The name of the game.

    Raises:
        GameFailed: If there is no such file, its code fails, or it does not contain one game.
    """
    file = Path(path).resolve()
    rules = game_class(path)
    name = str(rules.name)  # type: ignore[attr-defined]
    if name not in _registered or _registered[name] is not rules:
        register(rules)
    files = [each for each in os.environ.get(FILES, "").split(os.pathsep) if each]
    if str(file) not in files:
        os.environ[FILES] = os.pathsep.join([*files, str(file)])
    return name


def load_environment() -> None:
    """Register the games of the files in the environment variable `TAVOLA_GAMES`.

    Raises:
        GameFailed: As `load_file`.
    """
    for file in os.environ.get(FILES, "").split(os.pathsep):
        if file:
            load_file(file)


def _module(file: Path) -> ModuleType:
    name = f"tavola_game_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise GameFailed(str(file), Message("is not a Python file"))
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    # Dataclasses look up their module while it is executed.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        said = f"{type(error).__name__}: {error}"
        raise GameFailed(str(file), Message("raised {error}", error=said)) from error
    return module


def _game_of(module: ModuleType, file: Path) -> type:
    """Return the one class of a module that describes a game."""
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and isinstance(getattr(value, "name", None), str)
        and callable(getattr(value, "start", None))
    ]
    if len(found) != 1:
        names = ", ".join(value.__name__ for value in found)
        raise GameFailed(
            str(file),
            Message(
                "contains {count} games ({names}); a file contains one",
                count=len(found),
                names=names,
            )
            if found
            else Message(
                "contains no game: a class with `name`, `seats`, `actions`, `start` and `parse`"
            ),
        )
    return found[0]
