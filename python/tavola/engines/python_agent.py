"""The client of Python agents: each runs in a process of its own, which speaks UGI."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tavola._core import Game, State
from tavola.engines.builtin import check_choice
from tavola.engines.engine import Choice, Limits
from tavola.engines.ugi_client import UgiEngine
from tavola.errors import EngineError, EngineFailed, Message, quoted

__all__ = ["PythonAgent"]

MOST_LISTED = 6


class PythonAgent(UgiEngine):
    """A class written in Python, with the method `choose(state)` that returns a token.

    Its process starts with the first game. If the agent raises an exception, does not answer in
    time or answers with an illegal action, the process is killed and `EngineFailed` is raised.
    The next game starts it again. Text that the agent prints goes to its standard error.

    Args:
        text: The specification of the engine.
        game: The game to play.
        target: `MODULE:CLASS` or `FILE.py:CLASS`.
        seconds: The maximum time for an action, in seconds.
        options: The keyword arguments of the class: JSON values, or else text.

    Raises:
        EngineError: If the target has another form, or the file does not exist.
    """

    SECONDS = 30.0

    def __init__(
        self,
        text: str,
        game: Game,
        *,
        target: str,
        seconds: float | None = None,
        options: Mapping[str, str],
    ) -> None:
        _check_target(text, target)
        seconds = self.SECONDS if seconds is None else seconds
        for name in options:
            if not name.isidentifier():
                raise EngineError(
                    text, Message("{name} is not the name of an argument", name=quoted(name))
                )
        given = msgspec.json.encode({name: _value(value) for name, value in options.items()})
        command = [sys.executable, "-m", "tavola.ugi.agent_process", target, given.decode()]
        super().__init__(
            text,
            game,
            command=shlex.join(command),
            limits=Limits(seconds=seconds),
            options={},
            patience=max(seconds, self.SECONDS),
        )
        self._overrun = 0.0

    def choose(self, state: State, *, limits: Limits | None = None, **options: Any) -> Choice:
        """Return the action that the agent answers. The agent has its own time limit.

        Raises:
            EngineFailed: If the agent fails; names its answer, the position and legal actions.
            ValueError: If no seat is to act.
        """
        check_choice(state)
        try:
            return super().choose(state, **options)
        except EngineFailed as error:
            legal = state.legal_actions
            context = Message(
                "expected one of the {count} legal actions, such as {legal}; position: {position}",
                count=len(legal),
                legal=", ".join(legal[:MOST_LISTED]),
                position=quoted(state.text),
            )
            reason = _translatable(error.reason)
            raise EngineFailed(self.text, reason, context, error.output) from None


def _check_target(text: str, target: str) -> None:
    """Check the form of a target, and that its file exists.

    Raises:
        EngineError: If it is wrong.
    """
    module, _, name = target.rpartition(":")
    is_file = module.endswith(".py")
    if not name.isidentifier() or not (is_file or all(map(str.isidentifier, module.split(".")))):
        raise EngineError(
            text,
            Message(
                "{target} is not MODULE:CLASS or FILE.py:CLASS, such as agents.py:Greedy",
                target=quoted(target),
            ),
        )
    if is_file and not Path(module).is_file():
        raise EngineError(text, Message("there is no file {file}", file=quoted(module)))


def _translatable(reason: str) -> str:
    """Return a reason of the agent's process as a message that can be translated."""
    verb, _, rest = reason.partition(" ")
    if verb == "answered":
        return Message("answered {answer}", answer=rest)
    if verb == "raised":
        return Message("raised {error}", error=rest)
    return reason


def _value(text: str) -> object:
    """Return the JSON value of a text, or else the text."""
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value
