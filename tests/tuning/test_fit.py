"""Weights fitted to self-play: reproducible, and better than guessed weights."""

from __future__ import annotations

import json
import math
import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavola
from tavola.cli.app import run
from tavola.executors import Executor, ProcessExecutor, WorkerProcessDied
from tavola.tuning import (
    Sample,
    SelfPlay,
    WeightsError,
    WeightSet,
    fit,
    loss,
    play_games,
    write_weights,
)

GUESSED: dict[str, dict[str, float]] = json.loads(
    (Path(__file__).parent / "guessed_weights.json").read_bytes()
)
"""The weights that the games had before any were fitted."""

SETS = [
    (game, one["options"])
    for game in tavola.games()
    for one in json.loads(Path("games", game, "weights.json").read_bytes())["sets"]
]


def samples(games: SelfPlay, executor: Executor | None = None) -> list[Sample]:
    """All positions of some games."""
    return [sample for kept in play_games(games, executor=executor) for sample in kept]


def other_games(name: str, options: dict[str, str], count: int) -> list[Sample]:
    """Positions of games other than those that the weights were fitted to."""
    return samples(
        SelfPlay(
            game=name,
            options={**options},
            engine="auto:nodes=30",
            count=count,
            seed=20_001,
            samples=24,
        )
    )


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), SETS)
def test_fitted_weights_foresee_more_than_equal_shares(name: str, options: dict[str, str]) -> None:
    game = tavola.load(name, **options)
    count = {"potlatch": 40, "proteus": 10}.get(name, 4)  # the shortest games, and the longest
    assert loss(other_games(name, options, count), game.weights) < math.log(game.seats)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "options"), SETS)
def test_fitted_weights_foresee_more_than_a_guess(name: str, options: dict[str, str]) -> None:
    # In few games it is luck which of two foresees more.
    found = other_games(name, options, 1000)
    assert loss(found, tavola.load(name, **options).weights) < loss(found, GUESSED[name])


def test_the_same_seed_gives_the_same_games_whatever_the_processes() -> None:
    games = SelfPlay(game="potlatch", engine="tree:nodes=10", count=6, seed=3)
    one = samples(games)
    assert one == samples(games, ProcessExecutor(2))
    assert one != samples(msgspec.structs.replace(games, seed=4))
    assert {sample.number for sample in one} == set(range(6))
    assert all(sum(sample.shares) == 1.0 for sample in one)


def test_weights_are_found_again() -> None:
    """Positions in which one feature decides: it gets all the weight."""
    game = tavola.load("potlatch")
    names = list(game.weights)
    decisive = names.index("stacks_1")

    def sample(number: int, stack: float, share: float) -> Sample:
        features = [0.0] * len(names)
        features[decisive] = stack
        other = (0.0,) * len(names)
        return Sample(number=number, features=(tuple(features), other), shares=(share, 1.0 - share))

    # With the stack three games of four are won.
    found = fit(game, [sample(n, 1.0, float(n % 4 > 0)) for n in range(4000)])
    assert found.weights["stacks_1"] == pytest.approx(math.log(3), abs=0.05)
    assert all(weight == 0.0 for name, weight in found.weights.items() if name != "stacks_1")
    assert found.fitted < found.equal == pytest.approx(math.log(2), abs=1e-4)
    (low, high) = found.bins
    assert low.predicted == pytest.approx(low.actual, abs=0.02)
    assert high.predicted == pytest.approx(high.actual, abs=0.02)


def test_what_a_state_tells() -> None:
    for name in tavola.games():
        game = tavola.load(name)
        state = game.start()
        while state.to_act is not None:
            assert set(state.features) == set(game.weights)
            assert all(len(values) == game.seats for values in state.features.values())
            standings = [
                sum(
                    game.weights[feature] * values[seat]
                    for feature, values in state.features.items()
                )
                for seat in range(game.seats)
            ]
            odds = [math.exp(standing - max(standings)) for standing in standings]
            assert state.estimate == pytest.approx([odd / sum(odds) for odd in odds], abs=1e-4)
            if state.to_act == tavola.CHANCE:
                state = state.play(state.chance_outcomes[0][0])
            else:
                state = state.play(state.legal_actions[len(state.text) % len(state.legal_actions)])
        assert state.features == {}
        assert state.outcome is not None
        for seat, share in enumerate(state.estimate):
            assert (share > 0.0) is (seat in (state.outcome.winners or range(game.seats)))


def test_a_file_keeps_the_weights_for_other_options(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    two = WeightSet(options={"players": "2"}, weights={"points": 1.0})
    three = WeightSet(options={"players": "3"}, weights={"points": 2.0})
    write_weights(path, three)
    write_weights(path, two)
    write_weights(path, msgspec.structs.replace(three, seed=5))
    sets = json.loads(path.read_bytes())["sets"]
    assert [(one["options"]["players"], one["seed"]) for one in sets] == [("2", 0), ("3", 5)]
    path.write_text("{}")
    with pytest.raises(WeightsError, match=r"weights\.json: .*sets"):
        write_weights(path, two)
    assert path.read_text() == "{}"


def test_the_command_writes_the_same_bytes_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / name for name in ("one.json", "two.json")]
    for file, processes in zip(files, "12", strict=True):
        command = ["fit", "proteus", "-n", "10", "--engine", "tree:nodes=10", "--seed", "2"]
        assert run([*command, "-j", processes, "--out", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    (one,) = json.loads(files[0].read_bytes())["sets"]
    assert one["games"] == 10
    assert set(one["weights"]) == set(tavola.load("proteus").weights)
    assert "equal shares" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--engine", "auto:seconds=1"], "must be limited by nodes only"),
        (["--engine", "auto:nodes=9,threads=2"], "must be limited by nodes only"),
        (["--engine", "deep:nodes=9"], 'unknown engine "deep"'),
        (["--games", "9"], "from 10 to 1000000000"),
        (["--out", "nowhere/weights.json"], "There is no folder for nowhere/weights.json"),
        (["--out", "games"], "Cannot write games"),
        # Before any game: there would be a thousand million.
        (["--out", "README.md", "--games", "1000000000"], "README.md: is not a file of weights"),
        (["-o", "actions=4"], "actions"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert run(["fit", "potlatch", "--lang", "en", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_where_there_is_no_terminal_lines_tell_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavola.cli.progress.LINE_EVERY_SECONDS", 0.0)
    command = ["fit", "potlatch", "-n", "10", "--engine", "tree:nodes=5", "--lang", "en"]
    assert run([*command, "--out", str(tmp_path / "weights.json")]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [f"{done}/10  Playing" for done in range(1, 11)]


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGTERM])
def test_who_is_broken_off_leaves_the_file_as_it_was(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    blow: signal.Signals,
) -> None:
    def interrupted(*given: Any, **more: Any) -> Iterator[Sequence[Sample]]:
        yield next(play_games(*given, **more))
        signal.raise_signal(blow)

    monkeypatch.setattr("tavola.cli.fit.play_games", interrupted)
    output = tmp_path / "weights.json"
    command = ["fit", "potlatch", "-n", "10", "--engine", "tree:nodes=5", "--lang", "en"]
    assert run([*command, "--out", str(output)]) == 130
    assert f"Interrupted: {output} is unchanged." in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize("processes", "12")
def test_an_engine_that_fails_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: str
) -> None:
    rogue = Path(__file__).parents[1] / "engines/misbehaving_engine.py"
    engine = f"ugi:nodes=3 -- {sys.executable} {rogue} crash"
    output = tmp_path / "weights.json"
    command = ["fit", "potlatch", "--engine", engine, "--out", str(output)]
    assert run([*command, "-j", processes]) == 2
    assert "exited with status 1" in capsys.readouterr().err
    assert not output.exists()


def test_a_process_that_dies_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def until_one_dies(*given: Any, **more: Any) -> Iterator[Sequence[Sample]]:
        yield next(play_games(*given, **more))
        raise WorkerProcessDied(2, -9)

    monkeypatch.setattr("tavola.cli.fit.play_games", until_one_dies)
    output = tmp_path / "weights.json"
    command = ["fit", "potlatch", "-n", "100000", "-j", "2", "--engine", "tree:nodes=5"]
    assert run([*command, "--lang", "en", "--out", str(output)]) == 1
    told = capsys.readouterr().err
    assert f"with status -9; {output} is unchanged." in told
    assert not output.exists()
    assert multiprocessing.active_children() == []
