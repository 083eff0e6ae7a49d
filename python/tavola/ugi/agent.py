"""Agents: objects that choose actions, as engines for the UGI session."""

from __future__ import annotations

import contextlib
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

from tavola._core import Game, State, Stop
from tavola.engines import Choice, Engine
from tavola.errors import EngineFailed, quoted, shortened

__all__ = ["AgentEngine", "check_agent"]


def check_agent(agent: Any) -> None:
    """Check that an object is an agent.

    Raises:
        TypeError: If it has no method `choose`, or is a class.
    """
    if isinstance(agent, type):
        raise TypeError(f"an agent is an object, not a class: pass {agent.__name__}()")
    if not callable(getattr(agent, "choose", None)):
        raise TypeError(f"{type(agent).__name__} has no method choose(state) that returns a token")


class AgentEngine(Engine):
    """An agent as an engine.

    Args:
        agent: An object with `choose(state) -> token`, and perhaps `new_game(game, seat)` and
            `close()`.

    Raises:
        TypeError: If it has no method `choose`.
    """

    def __init__(self, agent: Any) -> None:
        check_agent(agent)
        super().__init__(type(agent).__name__)
        self._agent = agent
        self._begun: Game | None = None

    def new_game(self, seed: int = 0, *, stop: Stop | None = None) -> None:
        """Start a new game, and seed the module `random`, and NumPy if the agent uses it."""
        self._begun = None
        random.seed(seed)
        if (numpy := sys.modules.get("numpy")) is not None:
            numpy.random.seed(seed % 2**32)

    def choose(self, state: State, **_: object) -> Choice:
        """Return the action that the agent chooses.

        Raises:
            EngineFailed: If the agent raises an exception, or its answer is not a legal action.
        """
        if self._begun != state.game:
            self._begun = state.game
            if hasattr(self._agent, "new_game"):
                self._call(self._agent.new_game, state.game, state.to_act)
        answer = self._call(self._agent.choose, state)
        if not isinstance(answer, str) or answer not in state.legal_actions:
            raise EngineFailed(self.text, f"answered {quoted_answer(answer)}")
        return Choice(token=answer)

    def close(self) -> None:
        """Close the agent, if it has a method for it."""
        if hasattr(self._agent, "close"):
            with contextlib.suppress(Exception):
                self._agent.close()

    def _call(self, method: Callable[..., Any], *arguments: object) -> Any:
        """Call a method of the agent; print the traceback of an exception.

        Raises:
            EngineFailed: If it raises an exception.
        """
        try:
            return method(*arguments)
        except (Exception, SystemExit) as error:
            traceback.print_exc(file=sys.stderr)
            where = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            raise EngineFailed(
                self.text, f"raised {what} ({where.filename}, line {where.lineno})"
            ) from None


def quoted_answer(answer: object) -> str:
    """Return the text of an answer for a message, shortened."""
    if isinstance(answer, str):
        return quoted(answer)
    try:
        shown = repr(answer)
    except Exception:
        shown = "an object without a text"
    return f"{shortened(shown)} ({type(answer).__name__})"
