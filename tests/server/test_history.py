"""Histories and registers: whatever follows from one, it stays as it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tavola.server.wire.history import History, Register

GROWTH = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9)), max_size=30)


@given(growth=GROWTH)
def test_a_history_stays_as_it_is_whoever_follows_from_it(growth: list[tuple[int, int]]) -> None:
    grown: list[tuple[History[int], list[int]]] = [(History[int](), [])]
    for item, (where, kept) in enumerate(growth):
        history, had = grown[where % len(grown)]
        grown.append((history.added(item), [*had, item]))
        grown.append((history.first(kept), had[:kept]))
    for history, had in grown:
        assert (list(history), len(history), bool(history)) == (had, len(had), bool(had))
        assert [history[place] for place in range(-len(had), len(had))] == had + had
        assert (history[2:], history[:-1]) == (had[2:], had[:-1])
        for other, others in grown:
            same = [one == another for one, another in zip(had, others, strict=False)]
            assert history.shared(other) == ([*same, False].index(False))


@given(growth=GROWTH)
def test_a_register_stays_as_it_is_whoever_follows_from_it(growth: list[tuple[int, int]]) -> None:
    grown: list[tuple[Register[int], dict[str, int]]] = [(Register[int](), {})]
    for item, (where, name) in enumerate(growth):
        register, had = grown[where % len(grown)]
        if str(name) not in had:
            grown.append((register.added(str(name), item), {**had, str(name): item}))
    for register, had in grown:
        assert {name: register.get(name) for name in map(str, range(10))} == {
            name: had.get(name) for name in map(str, range(10))
        }


def test_to_go_on_copies_nothing() -> None:
    history, register = History[int](), Register[int]()
    items, named = history._items, register._items
    for number in range(50):
        history, register = history.added(number), register.added(str(number), number)
    assert history._items is items
    assert register._items is named
