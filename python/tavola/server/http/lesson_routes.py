"""The routes of lessons and puzzles. The server keeps nothing: a request names the actions."""

from __future__ import annotations

import msgspec
from litestar import Response, get
from litestar.params import FromPath
from msgspec import Raw

import tavola
from tavola import view as views
from tavola.lessons import Attempt, Lesson, Played, attempt, load_game
from tavola.server.errors import illegal_action
from tavola.server.http.authentication import AnyRequest
from tavola.server.http.position_query import ActionToken, Rotation, TouchedCells, TriedActions
from tavola.server.http.static_files import cached_json, cached_responses
from tavola.server.schema.event_list import ActionEntry
from tavola.server.schema.lessons import (
    GameLessons,
    GamePuzzles,
    LessonInfo,
    LessonPosition,
    find_lesson,
    game_lessons_json,
    game_puzzles_json,
    lessons_json,
    puzzle_info,
    puzzles_json,
)
from tavola.server.schema.responses import Explanation
from tavola.server.snapshots.explain import explain_cells
from tavola.view import Prospect


@get(
    "/api/lessons",
    compressed=True,
    responses=cached_responses(tuple[GameLessons, ...]),
)
async def list_lessons(request: AnyRequest) -> Response[bytes]:
    """Return the lessons of every game."""
    return cached_json(request, lessons_json())


@get(
    "/api/puzzles",
    compressed=True,
    responses=cached_responses(tuple[GamePuzzles, ...]),
)
async def list_puzzles(request: AnyRequest) -> Response[bytes]:
    """Return the puzzles of every game, without positions and solutions."""
    return cached_json(request, puzzles_json())


@get(
    "/api/games/{game:str}/lessons",
    compressed=True,
    responses=cached_responses(tuple[Lesson, ...]),
)
async def list_game_lessons(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    """Return the lessons of a game with their positions and solutions."""
    return cached_json(request, game_lessons_json(game))


@get(
    "/api/games/{game:str}/puzzles",
    compressed=True,
    responses=cached_responses(tuple[Lesson, ...]),
)
async def list_game_puzzles(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    """Return the puzzles of a game as lessons, with their positions and solutions."""
    return cached_json(request, game_puzzles_json(game))


@get("/api/games/{game:str}/puzzles/{puzzle:str}", sync_to_thread=True)
def get_puzzle(game: FromPath[str], puzzle: FromPath[str]) -> LessonInfo:
    """Return a puzzle as a lesson, whose id the routes of lessons accept."""
    return puzzle_info(game, puzzle)


@get("/api/games/{game:str}/lessons/{lesson:str}/{step:int}", sync_to_thread=True)
def get_lesson_position(
    game: FromPath[str], lesson: FromPath[str], step: FromPath[int], line: TriedActions = None
) -> LessonPosition:
    """Return a step of a lesson after actions of the player, and whether they solve the task."""
    tried = _attempt(game, lesson, step, line)
    seat = find_lesson(game, lesson, step).steps[step].seat
    view = tried.state.lazy_view(seat)
    return LessonPosition(
        status=tried.status,
        seat=seat,
        acting=None if tried.state.to_act == tavola.CHANCE else tried.state.to_act,
        view=view if tried.status == "playing" else view.without_actions(),
        log=tuple(_entry(number, played) for number, played in enumerate(tried.played, 1)),
        text=tried.text,
        hint=tried.hint,
    )


@get("/api/games/{game:str}/lessons/{lesson:str}/{step:int}/explain", sync_to_thread=True)
def explain_in_lesson(
    game: FromPath[str],
    lesson: FromPath[str],
    step: FromPath[int],
    touched: TouchedCells = None,
    turn: Rotation = None,
    line: TriedActions = None,
) -> Explanation:
    """Return why no action is possible with these cells and this rotation of the piece."""
    return explain_cells(_attempt(game, lesson, step, line).state, touched or [], turn)


@get("/api/games/{game:str}/lessons/{lesson:str}/{step:int}/prospect", sync_to_thread=True)
def get_lesson_prospect(
    game: FromPath[str],
    lesson: FromPath[str],
    step: FromPath[int],
    token: ActionToken,
    line: TriedActions = None,
) -> Prospect:
    """Return what an action would do."""
    state = _attempt(game, lesson, step, line).state
    try:
        return views.prospect(state, token)
    except tavola.IllegalAction as error:
        raise illegal_action(state, error) from None


def _attempt(game: str, lesson: str, step: int, line: list[str] | None) -> Attempt:
    """Return the judged try.

    Raises:
        RequestError: As `find_lesson`; `illegal`.
    """
    found = find_lesson(game, lesson, step)
    try:
        return attempt(game, found, step, line or [])
    except tavola.IllegalAction as error:
        state = load_game(game, found).parse(error.position)
        raise illegal_action(state, error) from None


def _entry(number: int, played: Played) -> ActionEntry:
    """Return an action as it is sent."""
    before, token = played.before, played.token
    lazy = before.lazy_events(token)
    drawn = played.seat == tavola.CHANCE
    label = lazy.text_json() if drawn else before.lazy_view(None).label_json(token)
    label = label or lazy.text_json() or msgspec.json.encode({"key": f"action.{token}"})
    return ActionEntry(
        seq=number,
        seat=played.seat,
        turn=before.turn,
        token=token,
        label=Raw(label),
        move=Raw(lazy.move_json() or b"null"),
        events=Raw(lazy.events_json()),
        late=False,
        planned=False,
    )


ROUTES = (
    list_lessons,
    list_puzzles,
    list_game_lessons,
    list_game_puzzles,
    get_puzzle,
    get_lesson_position,
    explain_in_lesson,
    get_lesson_prospect,
)
