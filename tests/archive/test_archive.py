"""Archives: made, continued, read again, replayed; damaged and foreign files; the explorer."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola import _core
from tavola.archive import Archive, ArchiveError, Positions, archive, explore, parse, positions
from tavola.archive.archive import MAGIC
from tavola.archive.make import Plan, collect, play_games
from tavola.cli.app import run
from tavola.executors import ProcessExecutor

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]
WEB = Path(tavola.__file__).with_name("web")
GAMES = [game for game in tavola.games() if _core._archive(game)]
CALM = next(game for game in GAMES if not tavola.load(game).has_chance)


@pytest.fixture(scope="module")
def plan() -> Plan:
    engines = ("tree:nodes=8", "tree:nodes=20,blunders=0.5")
    return Plan.of(tavola.load(CALM), engines=engines, count=12, seed=5)


@pytest.fixture(scope="module")
def small(plan: Plan) -> Archive:
    with ProcessExecutor(1) as executor:
        return collect(plan, [one for one in play_games(plan, frozenset(), executor) if one])


def test_games_are_written_and_read(small: Archive, plan: Plan) -> None:
    again = parse(small.dump())
    assert list(again.games()) == list(small.games())
    assert plan.matches(again)
    assert len(again) == 12
    assert {engine for one in again.games() for engine in one.engines} == {0, 1}


def test_every_game_is_replayed_to_its_end(small: Archive) -> None:
    for place in range(len(small)):
        match = tavola.Match.from_record(small.record(place))
        assert match.state.outcome is not None
        assert match.state.outcome.winners == small.winners(place)
        assert len(match.actions) == small.lengths[place]


def test_equal_plans_give_equal_files_in_parts_too(small: Archive, plan: Plan) -> None:
    known = list(small.games())[3:7]
    with ProcessExecutor(2) as executor:
        numbers = frozenset(one.number for one in known)
        new = [one for one in play_games(plan, numbers, executor) if one]
    assert len(new) == 8
    assert collect(plan, [*new, *known]).dump() == small.dump()


@pytest.mark.long
def test_the_command_makes_and_continues_a_file(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "games.bin"
    command = ["archive", CALM, "--engine", "tree:nodes=8", "--out", str(path), "-j", "1"]
    assert run([*command, "--games", "2"]) == 0
    two = parse(path.read_bytes())
    assert run([*command, "--games", "3"]) == 0
    three = parse(path.read_bytes())
    assert list(three.games())[:2] == list(two.games())
    assert f"Games in {path}: 3." in capsys.readouterr().out
    assert run([*command, "--games", "3", "--seed", "1"]) == 2
    assert "games of another plan" in capsys.readouterr().err
    path.write_bytes(b"nonsense")
    assert run([*command, "--games", "3"]) == 2
    assert "not an archive of games" in capsys.readouterr().err
    assert path.read_bytes() == b"nonsense"


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda data: b"", "not an archive"),
        (lambda data: b"PNG" + data, "not an archive"),
        (lambda data: data[:30], "header has no end"),
        (lambda data: data.replace(b'"seats":', b'"seat":'), "header is wrong"),
        (lambda data: data.replace(b'"seats":2', b'"seats":99'), "impossible numbers"),
        (lambda data: data.replace(b'"games":12', b'"games":11'), "checksum"),
        (lambda data: data[:-40], "checksum"),
        (lambda data: data[:-9] + b"\0" * 9, "damaged"),
        (lambda data: data[: data.index(b"}\n") + 2] + b"\xff" * 40, "cannot be unpacked"),
    ],
)
def test_damaged_files_are_refused(small: Archive, damage: object, fault: str) -> None:
    assert callable(damage)
    with pytest.raises(ArchiveError, match=fault):
        parse(damage(small.dump()))


@given(cut=st.integers(0, 400), byte=st.integers(0, 255))
def test_any_changed_byte_is_noticed_or_harmless(small: Archive, cut: int, byte: int) -> None:
    data = bytearray(small.dump())
    data[cut % len(data)] = byte
    try:
        read = parse(bytes(data))
        Positions.of(read)
    except ArchiveError:
        return
    # A field of the header that says nothing about the games, such as the seed.
    assert list(read.games()) == list(small.games())


def test_other_rules_are_refused(small: Archive) -> None:
    old = small.dump().replace(b'"rules_version":', b'"rules_version":9')
    with pytest.raises(ArchiveError, match="make the archive again"):
        parse(old).load()


def test_impossible_games_are_refused(small: Archive) -> None:
    wrong = np.full_like(small.choices, 60_000)
    broken = parse(replace(small, choices=wrong).dump())
    with pytest.raises(ArchiveError, match="cannot be replayed"):
        Positions.of(broken)
    with pytest.raises(ArchiveError, match="cannot be replayed"):
        broken.record(0)


def test_the_explorer_counts_what_was_played(small: Archive) -> None:
    known = Positions.of(small)
    for place in (0, 5, 11):
        steps = list(small.actions(place))
        for state, _ in steps[:: max(1, len(steps) // 6)]:
            assert explore(state, known) == counted(small, state)
            assert place in known.games(state)
            assert known.first_ply(state, place) <= len(steps)
    end = steps[-1][0].play(steps[-1][1])
    assert explore(end, known).actions == ()
    assert explore(end, known).games >= 1


def counted(games: Archive, wanted: tavola.State) -> object:
    """The explorer again, game by game, without an index."""
    found: dict[str, list[int]] = {}
    seen = set()
    for place in range(len(games)):
        played = {token for state, token in games.actions(place) if state == wanted}
        for token in played:
            seen.add(place)
            found.setdefault(token, []).append(place)
    rows = []
    for token, places in found.items():
        won = [sum(seat in games.winners(place) for place in places) for seat in (0, 1)]
        drawn = sum(not games.winners(place) for place in places)
        shares = tuple((one + drawn / 2) / len(places) for one in won)
        rows.append((token, len(places), tuple(won), drawn, shares))
    rows.sort(key=lambda row: (-row[1], row[0]))
    from tavola.archive import Explored, Tally

    actions = tuple(
        Tally(token=token, count=count, won=won, drawn=drawn, shares=shares)
        for token, count, won, drawn, shares in rows
    )
    return Explored(games=len(seen), actions=actions)


def test_transpositions_are_one_position(small: Archive) -> None:
    known = Positions.of(small)
    _, counts = np.unique(known.keys, return_counts=True)
    assert counts.max() >= len(small)
    assert (np.diff(known.keys.astype(object)) >= 0).all()


def test_another_game_is_refused(small: Archive) -> None:
    other = next(game for game in tavola.games() if game != CALM)
    with pytest.raises(ValueError, match="another game"):
        explore(tavola.load(other).start(), small)


def test_the_command_explores(tmp_path: Path, small: Archive, capsys: Out) -> None:
    path = tmp_path / "games.bin"
    path.write_bytes(small.dump())
    assert run(["explore", CALM, "--archive", str(path), "--games", "2"]) == 0
    shown = capsys.readouterr().out
    assert "Games with this position: 12." in shown
    assert "Game 1:" in shown
    assert "Game 3:" not in shown
    first = next(iter(small.actions(0)))[1]
    assert run(["explore", CALM, first, "--archive", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] >= 1
    assert run(["explore", CALM, "nonsense", "--archive", str(path)]) == 2
    assert "nonsense" in capsys.readouterr().err
    assert run(["explore", CALM, "--position", "x", "--archive", str(path)]) == 2


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_ten_thousand_games(name: str) -> None:
    found = archive(name)
    assert found is not None
    assert len(found) >= 10_000
    assert len(_core._archive(name)) < 5_000_000
    game = tavola.load(name)
    assert found.load() == game
    known = positions(game)
    assert known is not None
    start = explore(game.start())
    assert start.games == len(found)
    assert sum(action.count for action in start.actions) == len(found)
    for place in random.Random(name).sample(range(len(found)), 5):
        match = tavola.Match.from_record(found.record(place))
        assert match.state.outcome is not None
        assert match.state.outcome.winners == found.winners(place)
        assert place in known.games(match.states[len(match.states) // 2])


def test_games_without_an_archive_have_no_statistics() -> None:
    game = tavola.load(CALM)
    name, values = next(iter(game.options.items()))
    options = json.loads(_core.describe(CALM))["options"]
    other = next(
        value
        for option in options
        if option["name"] == name
        for value in option["values"]
        if str(value) != str(values)
    )
    assert explore(tavola.load(CALM, **{name: other}).start()).games == 0


def test_importing_tavola_reads_no_archive() -> None:
    code = "import sys, tavola; print([name for name in sys.modules if 'archive' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_browsers_core_contains_no_archive() -> None:
    # A server without the module has no analysis board.
    assert not any(MAGIC in path.read_bytes() for path in WEB.glob("*.wasm"))
