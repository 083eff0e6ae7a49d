"""Agents by name: the values `NAME=ENGINE` of `tavola serve --engine`."""

from __future__ import annotations

from collections.abc import Iterable

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.engines.python_agent import PythonAgent
from tavola.errors import EngineError, EngineFailed

MAX_NAME = 40


def parse_agents(translate: Translator, given: Iterable[str]) -> dict[str, str]:
    """Parse agents, and check that they can play.

    Args:
        translate: The language of messages.
        given: The texts `NAME=ENGINE`.

    Returns:
        The engine specification of each name.

    Raises:
        UsageError: If a text has another form, a name is given twice, or an agent cannot start.
    """
    agents: dict[str, str] = {}
    for text in given:
        name, equals, specification = text.partition("=")
        if not equals or not _is_name(name):
            raise UsageError(
                translate,
                "bad-value",
                name="--engine",
                given=text,
                valid=translate("valid.agent", most=MAX_NAME),
            )
        if name in agents:
            raise UsageError(translate, "agent-twice", name=name)
        try:
            check_agent(specification)
        except (EngineError, EngineFailed) as error:
            raise UsageError(translate, "agent", name=name, detail=error) from None
        agents[name] = specification
    return agents


def check_agent(specification: str) -> None:
    """Check an engine specification; start an agent in Python once, to see that it loads.

    Raises:
        EngineError: If it is not a specification of an engine of any game.
        EngineFailed: If the agent does not load.
    """
    fault: EngineError | None = None
    for game in tavola.games():
        try:
            with tavola.engine(specification, tavola.load(game)) as engine:
                if isinstance(engine, PythonAgent):
                    engine.new_game()
                return
        except EngineError as error:
            fault = fault or error
    if fault is not None:
        raise fault


def _is_name(name: str) -> bool:
    """Return whether a text can be the name of an agent: without a colon, as engines have."""
    return 0 < len(name) <= MAX_NAME and name.isprintable() and ":" not in name
