"""The routes of games."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIType, Operation, Parameter, Schema
from litestar.params import FromPath

from tavola import view as views
from tavola.server import games
from tavola.server.http.authentication import AnyRequest
from tavola.server.http.static_files import cached_json, cached_responses
from tavola.server.live.agents import Agents
from tavola.server.schema.responses import Preview, RulesPage
from tavola.server.snapshots import rules_page


@get(
    "/api/games",
    compressed=True,
    responses=cached_responses(tuple[games.GameSummary, ...]),
)
async def list_games(request: AnyRequest) -> Response[bytes]:
    """Return the list of games."""
    return cached_json(request, games.summaries_json())


@get(
    "/api/games/{game:str}",
    compressed=True,
    responses=cached_responses(games.GameInfo),
)
async def show_game(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    """Return a game with what its board needs."""
    return cached_json(request, games.info_json(game))


@get("/api/agents", sync_to_thread=False)
def list_agents(agents: NamedDependency[Agents]) -> tuple[str, ...]:
    """Return the names of the agents that the host added."""
    return agents.names


@get("/api/games/{game:str}/rules/{language:str}", sync_to_thread=True)
def rule_book(game: FromPath[str], language: FromPath[str]) -> RulesPage:
    """Return a game's rule book with its figures drawn."""
    return rules_page.render_page(game, language)


@dataclass
class _WithOptions(Operation):
    """A request whose query has options of its game, each by its name."""

    def __post_init__(self) -> None:
        text = Schema(type=OpenAPIType.STRING)
        options = Parameter(
            name="options",
            param_in="query",
            style="form",
            explode=True,
            description="Options of the game, such as `actions=3`",
            schema=Schema(type=OpenAPIType.OBJECT, additional_properties=text),
        )
        self.parameters = [*(self.parameters or ()), options]


@get("/api/games/{game:str}/preview", sync_to_thread=False, operation_class=_WithOptions)
def preview(request: AnyRequest, game: FromPath[str]) -> Preview:
    """Return the start position under the options of the query."""
    return Preview(views.view(games.load(game, dict(request.query_params)).start()))


@get("/api/games/{game:str}/cover", sync_to_thread=False)
def cover(game: FromPath[str]) -> Preview:
    """Return the position that pictures a game."""
    return Preview(views.view(games.cover(game)))


ROUTES = (list_games, show_game, list_agents, rule_book, preview, cover)
