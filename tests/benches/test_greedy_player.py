"""The greedy player is worth beating."""

import random
from collections.abc import Mapping
from typing import Any

import tavola
from benches.greedy_player import Greedy
from benches.strength import OPTIONS, Player, Random


def played(options: Mapping[str, Any], players: list[Player]) -> tavola.State:
    state = tavola.load("potlatch", **options).start()
    while state.to_act is not None:
        state = state.play(players[state.to_act].choose(state))
    return state


def test_it_beats_a_random_player_from_either_seat() -> None:
    won = 0
    for number in range(12):
        seat = number % 2
        players: list[Player] = [Random(number), Random(number)]
        players[seat] = Greedy(number)
        outcome = played(OPTIONS["potlatch"][number // 2], players).outcome
        assert outcome is not None
        won += outcome.winners == (seat,)
    assert won >= 10


def test_it_wins_at_once_where_its_turn_can() -> None:
    rng = random.Random(7)
    found = 0
    while found < 5:
        state = tavola.load("potlatch").start()
        while state.to_act is not None:
            seat = state.to_act
            ends = [
                after
                for first in state.legal_actions
                for second in state.play(first).legal_actions
                if (after := state.play(first).play(second)).outcome is not None
                and after.outcome.winners == (seat,)
            ]
            if ends:
                greedy = Greedy(1)
                state = state.play(greedy.choose(state))
                if state.to_act is not None:
                    state = state.play(greedy.choose(state))
                assert state.outcome is not None
                assert state.outcome.winners == (seat,)
                found += 1
                break
            for _ in range(2):
                if state.to_act == seat:
                    state = state.play(rng.choice(state.legal_actions))
