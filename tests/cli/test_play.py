"""A game in the terminal: input, drawing, undo and the end."""

from __future__ import annotations

import builtins
import io
import time
from pathlib import Path

import pytest

from tavola.cli.app import run

AGENTS = Path(__file__).parents[1] / "engines" / "python_agents.py"

Out = pytest.CaptureFixture[str]

GAME = ["Pnw", "Pw", "Pne", "Pe", "Pse", "Pse", "Cw"]


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: Out, typed: list[str], *options: str
) -> tuple[int, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    status = run(["play", "potlatch", *options])
    return status, capsys.readouterr().out


def test_a_whole_game_by_tokens(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    status, said = play(monkeypatch, capsys, GAME)
    assert status == 0
    assert "Red wins." in said.rstrip().splitlines()[-2:]


@pytest.mark.long
def test_a_whole_game_by_numbers(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    import tavola

    state, numbers = tavola.load("potlatch").start(), []
    for token in GAME:
        numbers.append(str(state.legal_actions.index(token) + 1))
        state = state.play(token)
    _, by_numbers = play(monkeypatch, capsys, numbers)
    _, by_tokens = play(monkeypatch, capsys, [token.lower() for token in GAME])
    assert by_numbers == by_tokens
    assert "Red wins." in by_numbers


def test_the_board_is_drawn(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    _, said = play(monkeypatch, capsys, ["q"])
    lines = [line.rstrip() for line in said.splitlines()]
    row = next(number for number, line in enumerate(lines) if "[  0,0  ]" in line)
    # Red stands on 0,0, Blue on 1,0 beside it; 0,1 lies half a cell to the right, below.
    red, blue = (lines[row].index(f"[  {cell}  ]") for cell in ("0,0", "1,0"))
    assert blue == red + 10
    assert lines[row + 1][red:blue] == "[   R   ] "
    assert lines[row + 1][blue:].startswith("[   B   ]")
    assert lines[row + 3].index("[ 0,1*  ]") == red + 5
    assert "> ● Red   ● Stacks: 0/3" in lines
    assert "1  Pne  Place a tile on hex 1,-1 and move pawn there" in lines
    assert said.rstrip().endswith("Game abandoned.")


def test_a_plain_terminal_gets_plain_glyphs(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setattr("rich.console.Console.encoding", "ascii")
    _, said = play(monkeypatch, capsys, ["Pnw", "Pw", "q"])
    board = [line for line in said.splitlines() if line.startswith((" ", "[")) and "[" in line]
    assert board
    assert all(line.isascii() for line in board)


def test_refusals_say_why_and_change_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    _, said = play(monkeypatch, capsys, ["Pe", "dance", "0", "99", "[red]", "", "s", "q"])
    assert "Occupied by the other pawn. (rule 7)" in said
    for given in ("dance", "0", "99", "[red]"):
        assert f"“{given}” is neither an action nor a number from 1 to 5." in said
    assert "1. " not in said.split("[Options")[1]


def test_undo_and_the_other_commands(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    typed = ["u", "Pnw", "u", "u", "Pse", "?", "a", "b", "p", "s", "r", "n", "r", "y"]
    status, said = play(monkeypatch, capsys, typed)
    assert status == 0
    assert said.count("Nothing to undo.") == 2
    assert said.count("Undone.") == 1
    assert "q   quit" in said
    assert "0,0:0;1,0:0;0,1:0 0,1;1,0 R 1 0,0;0,1 1 0 -" in said
    assert "1. Pse" in said
    assert "Red resigns." in said


def test_an_engine_answers_and_is_taken_back_with_the_action_before(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    options = ("--engine", "1", "--seconds", "0.02", "--seed", "4")
    _, said = play(monkeypatch, capsys, ["Pnw", "Pw", "s", "u", "s", "q"], *options)
    first, second = said.split('[Options "actions=2 layout=triangle"]')[1:]
    assert "1. Pnw Pw 2. " in first
    assert "1. Pnw\n" in second
    assert "Blue (engine)" in said


def test_the_marks_on_the_board_are_explained(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    _, before = play(monkeypatch, capsys, ["q"])
    _, after = play(monkeypatch, capsys, ["Pse", "q"])
    assert "^ gains a chip when the run ends" not in before
    assert "^ gains a chip when the run ends  ' visited this turn" in after


def test_two_engines_play_alone(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    options = ("--engine", "0", "--engine", "1", "--seconds", "0.01", "--lang", "ja")
    status, said = play(monkeypatch, capsys, [], *options)
    assert status == 0
    assert "の勝ち。" in said or "引き分け。" in said


def test_a_person_plays_against_an_agent(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    options = ("--engine", f"1=python:{AGENTS}:First")
    _, said = play(monkeypatch, capsys, ["Pnw", "Pw", "s", "q"], *options)
    assert "1. Pnw Pw 2. " in said
    assert "Blue (First)" in said


def test_an_agent_that_fails_may_try_again(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    options = ("--engine", f"1=python:{AGENTS}:Raises", "--lang", "ja")
    status, said = play(monkeypatch, capsys, ["Pnw", "Pw", "", "q"], *options)
    assert status == 0
    assert said.count("例外が起きました") == 2
    assert said.count('raise KeyError("no idea")') == 2


def test_a_wrong_engine_is_named(capsys: Out) -> None:
    for given, words in (("1=level:9", "levels: 1 to 8"), ("5=level:1", "5"), ("1=x", "engines:")):
        assert run(["play", "potlatch", "--engine", given]) == 2
        assert words in capsys.readouterr().err


def test_the_end_of_the_input_leaves_the_game(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    status, said = play(monkeypatch, capsys, ["Pnw"])
    assert status == 0
    assert "Game abandoned." in said


def test_ctrl_c_leaves_with_130(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    assert run(["play", "potlatch"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.long
def test_when_the_time_of_a_turn_is_up_the_rest_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    lines = iter(["Pnw", "", "q"])

    def answer(_: object = "") -> str:
        """One action, a long thought, and the player leaves."""
        line = next(lines)
        if not line:
            time.sleep(30)
        return line

    monkeypatch.setattr(builtins, "input", answer)
    assert run(["play", "potlatch", "--turn", "2"]) == 0
    said = capsys.readouterr().out
    before, _, after = said.partition("Time's up")
    assert (before.count("Red>"), before.count("Blue>")) == (2, 0)
    assert (after.count("Red>"), after.count("Blue>")) == (0, 1)
