"""The positions that grade engines by proofs."""

from __future__ import annotations

from itertools import islice

import tavola
from benches.solved import DEEPEST, cases, grade, table

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
