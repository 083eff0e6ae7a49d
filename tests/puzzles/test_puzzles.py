"""The puzzles of every game: solutions, wrong turns, uniqueness, texts, and faults of files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from statistics import median_low
from typing import Any

import pytest
from msgspec.structs import replace

import tavola
from tavola.lessons import Words, attempt, start
from tavola.puzzles import (
    THEMES,
    Puzzle,
    PuzzleError,
    PuzzleFile,
    lesson,
    parse,
    puzzle_file,
    puzzle_lessons,
)
from tavola.puzzles.check import check, judgement_fault
from tavola.puzzles.generate import MOST_EASY
from tavola.puzzles.rating import with_least_levels
from tests.profiles import PROFILE, sized

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
GAMES = tavola.games()
each_game = pytest.mark.parametrize("game", GAMES)


def sample(game: str, count: int) -> list[Puzzle]:
    """Some puzzles of a game, the same in every run."""
    puzzles = puzzle_file(game).puzzles
    return Random(1).sample(puzzles, min(count, len(puzzles)))


@each_game
def test_a_game_has_enough_puzzles_of_several_levels(game: str) -> None:
    puzzles = puzzle_file(game).puzzles
    assert len(puzzles) >= 200
    assert len({puzzle.position for puzzle in puzzles}) > 0.9 * len(puzzles)
    assert len({puzzle.level for puzzle in puzzles}) >= 4
    assert all(puzzle.wrong for puzzle in puzzles)


@each_game
def test_few_puzzles_are_easy(game: str) -> None:
    levels = [puzzle.level for puzzle in puzzle_file(game).puzzles]
    assert levels.count(1) <= MOST_EASY * len(levels)


@each_game
def test_no_puzzle_with_replies_is_easier_than_a_win_in_one_turn(game: str) -> None:
    puzzles = puzzle_file(game).puzzles
    wins = [puzzle.level for puzzle in puzzles if puzzle.theme == "win-1"]
    others = [puzzle for puzzle in puzzles if puzzle.theme in THEMES and puzzle.theme != "win-1"]
    assert min(puzzle.level for puzzle in others) >= median_low(wins)


def test_only_levels_below_that_of_a_win_in_one_turn_are_raised() -> None:
    known = puzzle_file("potlatch").puzzles[0]
    given = [("win-1", 1), ("win-1", 3), ("win-1", 3), ("save", 1), ("best", 4), ("points", 1)]
    raised = with_least_levels([replace(known, theme=theme, level=n) for theme, n in given])
    assert [puzzle.level for puzzle in raised] == [1, 3, 3, 3, 4, 1]
    alone = [replace(known, theme="save", level=1)]
    assert with_least_levels(alone) == tuple(alone)


def test_a_cost_decides_between_turns_that_reach_as_far() -> None:
    costed = [(game, goal) for game in GAMES for goal in puzzle_file(game).goals if goal.cost]
    assert costed
    for game, goal in costed:
        puzzles = [one for one in puzzle_file(game).puzzles if one.theme == goal.id]
        assert len(puzzles) >= 20
        for puzzle in puzzles:
            aim, cost = puzzle.aim, puzzle.value
            assert aim is not None
            assert aim >= goal.gain
            assert cost is not None
            assert all(one.value is not None and one.value > cost for one in puzzle.wrong)
            task = lesson(puzzle, goal).steps[0].task
            assert str(aim) in task["en"]
            assert str(aim) in task["ja"]
        (puzzle, *_) = puzzles
        for fields in ({"value": (puzzle.value or 0) - 1}, {"aim": (puzzle.aim or 0) - 1}):
            assert "a turn reaches" in str(check(game, replace(puzzle, **fields), goal, 1))
        # The next cheapest turn is not the solution.
        (wrong, *_) = puzzle.wrong
        other = replace(puzzle, play=wrong.play, value=wrong.value, wrong=())
        assert "a turn reaches" in str(check(game, other, goal, 1))


@each_game
def test_solutions_are_judged_right_and_wrong_turns_wrong(game: str) -> None:
    file = puzzle_file(game)
    for puzzle in sample(game, sized(25, 10_000, 10_000)):
        assert judgement_fault(game, puzzle, file.goal(puzzle.theme)) is None, puzzle.id


@each_game
def test_a_sample_is_confirmed_as_unique(game: str) -> None:
    file = puzzle_file(game)
    quick = [puzzle for puzzle in sample(game, 60) if puzzle.nodes == 0][:3]
    for puzzle in quick if PROFILE == "quick" else sample(game, sized(3, 20, 10_000)):
        assert check(game, puzzle, file.goal(puzzle.theme), 11) is None, puzzle.id


@each_game
def test_all_orders_of_a_solution_are_accepted_and_the_hints_lead_to_it(game: str) -> None:
    for puzzle in sample(game, 10):
        one = puzzle_lessons(game)[f"puzzle-{puzzle.id}"]
        solution = puzzle.play.split()
        for count in range(len(solution)):
            begun = attempt(game, one, 0, solution[:count])
            assert (begun.status, begun.hint) == ("playing", solution[count])
        first = start(game, one, 0)
        for order in (solution[::-1], solution[1:] + solution[:1]):
            try:
                same = first.play_all(" ".join(order)) == first.play_all(puzzle.play)
            except tavola.IllegalAction:
                continue
            if same:
                assert attempt(game, one, 0, order).status == "done"


def texts(game: str) -> Iterator[Words]:
    for one in puzzle_lessons(game).values():
        yield one.title
        for step in one.steps:
            yield from (step.task, step.done, *(wrong.why for wrong in step.wrong))
            if step.otherwise is not None:
                yield step.otherwise


@each_game
def test_texts_exist_in_both_languages_without_open_parameters(game: str) -> None:
    for words in texts(game):
        assert not JAPANESE.search(words["en"]), words["en"]
        assert JAPANESE.search(words["ja"]), words["ja"]
        assert not re.search(r"\{|None", words["en"] + words["ja"]), words


def whole(**fields: Any) -> str:
    """A file with one puzzle."""
    puzzle = {
        "id": "0a1b2c",
        "theme": THEMES[0],
        "level": 1,
        "position": "nonsense",
        "seat": 0,
        "play": "none",
        **fields,
    }
    return json.dumps({"goals": [], "puzzles": [puzzle]})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "not a file of puzzles: .*truncated"),
        ("[]", "Expected `object`, got `array`"),
        (b"\xff", "not a file of puzzles"),
        (whole(colour="red"), "unknown field `colour`"),
        (whole(level="1"), r"Expected `int`, got `str` - at `\$.puzzles\[0\].level`"),
        (whole(level=9), "puzzle 0a1b2c: level 9 is not from 1 to 8"),
        (whole(id="Q"), "'Q': its id is not six hexadecimal digits"),
        (whole(theme="luck"), "unknown theme 'luck'; themes: win-1, "),
    ],
)
def test_faults_of_the_format_are_named(text: str | bytes, fault: str) -> None:
    with pytest.raises(PuzzleError, match=fault):
        parse(text)


def test_two_puzzles_with_one_id_are_an_error() -> None:
    file = parse(whole())
    twice = PuzzleFile(puzzles=(*file.puzzles, *file.puzzles))
    with pytest.raises(PuzzleError, match="two puzzles have the id 0a1b2c"):
        parse(twice.dump())


def test_a_file_is_written_as_it_was_read() -> None:
    for game in GAMES:
        file = puzzle_file(game)
        assert parse(file.dump()) == file


def test_wrong_puzzles_are_not_confirmed() -> None:
    game = next(game for game in GAMES if not tavola.load(game).has_chance)
    puzzle = next(one for one in puzzle_file(game).puzzles if one.theme == "win-1")
    (wrong, *_) = puzzle.wrong
    swapped = replace(puzzle, play=wrong.play, wrong=(replace(wrong, play=puzzle.play, reply=""),))
    assert check(game, swapped, None, 1) is not None
    assert "is wrong" not in (check(game, puzzle, None, 1) or "")
    for fields in ({"position": "nonsense"}, {"play": "nonsense"}, {"seat": 1 - puzzle.seat}):
        assert check(game, replace(puzzle, **fields), None, 1) is not None, fields
    assert lesson(puzzle, None).steps[0].whole
