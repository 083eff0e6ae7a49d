"""The engines of matches: those of the games, and the agents that the host added by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import tavola
from tavola.errors import EngineError, EngineFailed, GameFailed, Message, TavolaError, shortened
from tavola.language import LANGUAGES
from tavola.messages import translated
from tavola.server.errors import RequestError
from tavola.server.matches.log import AGENT
from tavola.server.schema.responses import EngineFailure

_FOLDER = re.compile(
    # Of a Python file and its line; in quotes; elsewhere.
    r"""[^\s()'"]*[/\\](?=[^\s()'"/\\]+,\ line\ \d+\))
    |(?<=['"])(?:[A-Za-z]:|~)?[/\\][^'"\n]*[/\\](?=[^'"/\\\n]*['"])
    |(?<![\w:/\\.])(?:[A-Za-z]:|~)?(?:[/\\]+[^\s()'"/\\]+)+[/\\]""",
    re.VERBOSE,
)
"""The folder of a file in the message of an exception, which players must not learn."""


class AgentMissing(TavolaError):
    """The host has not added an agent of this name.

    Attributes:
        agent: The name.
    """

    def __init__(self, agent: str) -> None:
        super().__init__(agent)
        self.agent = agent

    def __str__(self) -> str:
        return Message(
            "this server has no agent {agent}. Its host can add it: "
            "tavola serve --engine {agent}=ENGINE",
            agent=self.agent,
        )


class Agents:
    """Creates the engines of matches.

    Args:
        specifications: The agents of the host: engine specifications by name.
    """

    def __init__(self, specifications: Mapping[str, str]) -> None:
        self._specifications = dict(specifications)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the agents, in the order of the host."""
        return tuple(self._specifications)

    def check(self, wanted: Iterable[str | None]) -> None:
        """Check that the agents of a new match exist.

        Args:
            wanted: The agent of each seat; `None` for other players.

        Raises:
            RequestError: `unknown-agent`.
        """
        for agent in wanted:
            if agent is not None and agent not in self._specifications:
                raise RequestError("unknown-agent", agent=agent, valid=list(self.names))

    def create(self, engine: str, game: tavola.Game) -> tavola.Engine:
        """Create an engine.

        Args:
            engine: The engine of a seat (`Seat.engine`).
            game: The game to play.

        Raises:
            AgentMissing: If the host has not added this agent.
            EngineError: If the agent cannot play this game.
        """
        if not engine.startswith(AGENT):
            return tavola.engine(engine, game)
        agent = engine.removeprefix(AGENT)
        if agent not in self._specifications:
            raise AgentMissing(agent)
        return tavola.engine(self._specifications[agent], game)


def failure(seat: int, name: str, error: Exception) -> EngineFailure:
    """Return how the players learn that an engine failed.

    Args:
        seat: Its seat.
        name: The name of its player.
        error: The error.
    """
    match error:
        case AgentMissing():
            message: str = str(error)
        case EngineFailed():
            message = Message("the engine {engine} {reason}", engine=name, reason=error.reason)
        case EngineError():
            message = Message("{text} is not an engine: {fault}", text=name, fault=error.fault)
        case GameFailed():
            message = Message(
                "the rules of {game} failed: {what}", game=error.game, what=error.what
            )
        case _:
            message = Message("the engine {engine} {reason}", engine=name, reason=_INTERNAL)
    text: dict[str, str] = {
        language: _sentence(translated(message, language)) for language in LANGUAGES
    }
    return EngineFailure(seat, isinstance(error, AgentMissing), text)


_INTERNAL = Message("failed; the log of the server has the error")


def _sentence(text: str) -> str:
    """Return a text for players: without folders of the server, and not too long."""
    return shortened(_FOLDER.sub("", text[:1].upper() + text[1:]))
