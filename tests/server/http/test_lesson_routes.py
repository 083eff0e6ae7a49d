"""Lessons over HTTP: the list, positions with their answers, reasons, previews, errors."""

from __future__ import annotations

import pytest

import tavola
from tavola.lessons import lessons
from tavola.puzzles import puzzle_lessons
from tests.server.live_server import LiveServer, error_of

GAME = next(game for game in tavola.games() if lessons(game))
LESSON = lessons(GAME)[0]
STEP = f"/api/games/{GAME}/lessons/{LESSON.id}/0"
SOLUTION = LESSON.steps[0].accept[0].split()


def test_the_list_has_every_game_and_no_solution(server: LiveServer) -> None:
    answer = server.http.get("/api/lessons")
    assert [known["game"] for known in answer.json()] == list(tavola.games())
    (known,) = (known["lessons"] for known in answer.json() if known["game"] == GAME)
    assert [lesson["id"] for lesson in known] == [lesson.id for lesson in lessons(GAME)]
    assert set(known[0]["steps"][0]) == {"task", "seat"}
    again = server.http.get("/api/lessons", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_complete_lessons_and_puzzles_are_for_clients_that_judge(server: LiveServer) -> None:
    sent = server.http.get(f"/api/games/{GAME}/lessons").json()
    assert [lesson["id"] for lesson in sent] == [lesson.id for lesson in lessons(GAME)]
    assert sent[0]["steps"][0]["accept"] == list(LESSON.steps[0].accept)
    answer = server.http.get(f"/api/games/{GAME}/puzzles")
    assert {puzzle["id"] for puzzle in answer.json()} == set(puzzle_lessons(GAME))
    again = server.http.get(answer.url, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert error_of(server.http.get("/api/games/chess/puzzles")) == (404, "unknown-game")


def test_a_step_is_played_and_answered(server: LiveServer) -> None:
    begun = server.http.get(STEP).json()
    assert (begun["status"], begun["log"], begun["text"]) == ("playing", [], None)
    assert begun["hint"] == SOLUTION[0]
    assert begun["view"]["actions"]
    solved = server.http.get(STEP, params={"line": SOLUTION}).json()
    assert solved["status"] == "done"
    assert solved["text"] == LESSON.steps[0].done
    assert solved["view"]["actions"] == []
    assert [entry["token"] for entry in solved["log"]][: len(SOLUTION)] == SOLUTION
    assert all(entry["label"]["key"] for entry in solved["log"])


def test_reasons_and_previews(server: LiveServer) -> None:
    rejected = LESSON.steps[0].rejected[0]
    told = server.http.get(f"{STEP}/explain", params={"touched": list(rejected.touch)}).json()
    assert told["refusal"]["text"]["key"] == rejected.reason
    assert server.http.get(f"{STEP}/prospect", params={"token": SOLUTION[0]}).status_code == 200


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        (f"/api/games/chess/lessons/{LESSON.id}/0", (404, "unknown-game")),
        (f"/api/games/{GAME}/lessons/none/0", (404, "unknown-lesson")),
        (f"/api/games/{GAME}/lessons/{LESSON.id}/99", (404, "unknown-step")),
        (f"{STEP}?line=nonsense", (422, "illegal")),
        (f"{STEP}/prospect?token=nonsense", (422, "illegal")),
        (f"{STEP}/prospect", (422, "invalid")),
        (f"{STEP}/explain?touched=nowhere", (422, "unknown-cell")),
    ],
)
def test_errors_are_named(server: LiveServer, path: str, refusal: tuple[int, str]) -> None:
    assert error_of(server.http.get(path)) == refusal
