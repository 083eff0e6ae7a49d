"""`python -m tavola.ugi.agent_process TARGET OPTIONS`: the process of a Python agent."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from tavola.ugi.server import private_streams, serve

__all__ = ["AgentNotLoaded", "load_agent", "main"]


class AgentNotLoaded(Exception):
    """The agent cannot be created; the message says why."""


def load_agent(target: str, options: dict[str, Any]) -> Any:
    """Create an agent.

    Args:
        target: `MODULE:CLASS` or `FILE.py:CLASS`.
        options: The keyword arguments of the class.

    Raises:
        AgentNotLoaded: If the module, the class or its method `choose` does not exist, or its code
            raises an exception.
    """
    name, _, attribute = target.rpartition(":")
    try:
        module = _from_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
    except (Exception, SystemExit) as error:
        traceback.print_exc(file=sys.stderr)
        raise AgentNotLoaded(f"cannot import {name}: {type(error).__name__}: {error}") from None
    found = getattr(module, attribute, None)
    if not isinstance(found, type):
        classes = ", ".join(key for key, value in vars(module).items() if _is_agent(value))
        raise AgentNotLoaded(f"{name} has no class {attribute}; its agents: {classes or 'none'}")
    if not _is_agent(found):
        raise AgentNotLoaded(f"{attribute} has no method choose(state) that returns a token")
    try:
        return found(**options)
    except (Exception, SystemExit) as error:
        traceback.print_exc(file=sys.stderr)
        given = ", ".join(f"{key}={value!r}" for key, value in options.items())
        what = f"{attribute}({given}) raised {type(error).__name__}: {error}"
        raise AgentNotLoaded(what) from None


def _is_agent(value: object) -> bool:
    return isinstance(value, type) and callable(getattr(value, "choose", None))


def _from_file(path: Path) -> ModuleType:
    """Import a file. It may import its neighbours."""
    sys.path.insert(0, str(path.resolve().parent))
    name = path.stem
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def main(arguments: list[str]) -> int:
    """Run the process until the client closes it.

    Args:
        arguments: The target, and the options as JSON.

    Returns:
        The exit code.
    """
    target, options = arguments
    with private_streams() as streams:
        try:
            agent = load_agent(target, msgspec.json.decode(options))
        except AgentNotLoaded as error:
            # The client reports the last line.
            print(" ".join(str(error).split()), file=sys.stderr, flush=True)
            return 1
        return serve(agent, streams=streams)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
