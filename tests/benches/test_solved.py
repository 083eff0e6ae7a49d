"""The positions that grade engines by proofs."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
import pytest

import tavola
from benches import labelled_games
from benches.solved import DEEPEST, cases, grade, read, table

GAME = tavola.load("potlatch")


def test_a_strong_engine_keeps_proven_results() -> None:
    known = list(islice(cases(GAME, 1), 12))
    assert {one.kind for one in known} <= {"win", "defence"}
    for one in known:
        assert one.plies > 1
        kept = {token: one.keeps(token) for token in one.state.legal_actions}
        assert any(kept.values())
        if one.kind == "defence":
            assert not all(kept.values())
    found = {name: grade(name, known, GAME) for name in ("tree:nodes=2000", "random:seed=1")}
    rows = table(found).splitlines()
    assert rows[2].startswith("| tree:nodes=2000 | ")
    strong, weak = (sum(map(sum, one.values())) for one in found.values())
    assert strong > weak


def test_an_action_that_gives_a_win_away_does_not_keep_it() -> None:
    for win in (one for one in cases(GAME, 2) if one.kind == "win"):
        gifts = [token for token in win.state.legal_actions if not win.keeps(token)]
        if gifts:
            break
    proof = tavola.prove(win.state, DEEPEST)
    assert proof is not None
    assert (proof.winner, proof.plies) == (win.state.to_act, win.plies)
    after = win.state.play(gifts[0])
    proof = tavola.prove(after, DEEPEST)
    assert proof is None or proof.winner != win.state.to_act


def test_the_cases_of_a_solved_endgame_agree_with_proofs() -> None:
    game = tavola.load("proteus")
    known = read(game, Path("games/proteus/tests/endgame.json"))
    assert len({one.column for one in known}) == 6
    for one in (one for one in known if one.column == "Win in 3 to 5"):
        proof = tavola.prove(one.state, 5)
        assert proof is not None
        assert proof.winner == one.state.to_act
    found = {name: grade(name, known, game) for name in ("tree:nodes=100", "random:seed=1")}
    strong, weak = (sum(map(sum, one.values())) for one in found.values())
    assert strong > weak


def test_labelled_games_become_cases() -> None:
    # Of the second action 80 alternatives lose in 4, and one leaves a draw.
    game = tavola.load("proteus")
    state = game.start()
    content = bytearray()
    for label in (b"", bytes([labelled_games.OPEN] + [3] * 80)):
        action = int(state.legal_ids[0])
        content += bytes([action, len(label)]) + label
        state = state.play_id(action)
    content = bytearray((2).to_bytes(2, "little")) + content
    (one,) = labelled_games.positions(game, bytes(content))
    assert one.plies == labelled_games.OPEN
    assert labelled_games.kind(one) == "Draw by 1 action"


def test_a_damaged_file_of_cases_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text('[{"position": 3}]')
    with pytest.raises(msgspec.ValidationError):
        read(tavola.load("proteus"), path)
