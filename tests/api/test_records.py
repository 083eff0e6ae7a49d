"""Records and matches."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola.messages import translated


def played(seed: int, **options: str | int) -> tavola.Match:
    rng = random.Random(seed)
    match = tavola.Match(tavola.load("potlatch", **options), seed=seed)
    while match.state.to_act is not None:
        match.play(rng.choice(match.state.legal_actions))
    return match


def test_a_match_keeps_its_record(tmp_path: Path) -> None:
    match = played(1, actions=3, layout="row")
    path = tmp_path / "game.txt"
    path.write_text(match.record, encoding="utf-8")
    marked = tmp_path / "marked.txt"
    marked.write_text(match.record, encoding="utf-8-sig")
    for source in (match.record, path, str(path), marked):
        (record,) = tavola.read_records(source)
        assert record.game == match.game
        assert record.actions == match.actions
        assert record.tag("Result") in ("1 -1", "-1 1", "0 0")
        assert list(record.states())[-1] == match.state
        assert record.text == match.record


def test_turn_numbers_follow_the_turns() -> None:
    match = tavola.Match(tavola.load("potlatch"))
    match.play("Pnw").play("Pw").play("Pne")
    (record,) = tavola.read_records(match.record)
    assert [step.turn for step in record.line] == [1, None, 2]
    assert record.tag("Result") is None


@pytest.mark.parametrize("name", tavola.games())
def test_turn_numbers_are_those_of_the_states(name: str) -> None:
    rng = random.Random(3)
    match = tavola.Match(tavola.load(name), seed=3)
    while match.state.to_act is not None and len(match.actions) < 200:
        match.play(rng.choice(match.state.legal_actions))
    (record,) = tavola.read_records(match.record)
    known = [step.turn for step in record.line]
    turns = [state.turn for state in match.states]
    assert known == [
        turn if place == 0 or turn != turns[place - 1] else None
        for place, turn in enumerate(turns[:-1])
    ]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_match_is_copied_with_its_chance(copied: Callable[[tavola.Match], tavola.Match]) -> None:
    match = tavola.Match(tavola.load("montana"), seed=3)
    other = copied(match)
    while match.state.to_act is not None:
        match.play(match.state.legal_actions[0])
    assert len(other.actions) < len(match.actions)
    while other.state.to_act is not None:
        other.play(other.state.legal_actions[0])
    assert (other.actions, other.states) == (match.actions, match.states)


def test_a_match_may_start_anywhere() -> None:
    position = tavola.load("potlatch").start().play_all("Pnw Pw").text
    match = tavola.Match(tavola.load("potlatch"), position=position).play("Pne")
    (record,) = tavola.read_records(match.record)
    assert record.tag("Position") == position
    assert list(record.states())[-1] == match.state
    with pytest.raises(tavola.PositionError):
        tavola.Match(tavola.load("potlatch"), position="nowhere")


def test_undo_takes_back_one_action() -> None:
    match = tavola.Match(tavola.load("potlatch"))
    with pytest.raises(IndexError):
        match.undo()
    before = match.state
    match.play("Pnw").undo()
    assert match.state == before
    assert match.actions == ()
    with pytest.raises(tavola.IllegalAction):
        match.play("Pe")
    assert match.actions == ()


def test_comments_and_variations_are_read() -> None:
    text = '[Game "potlatch"]\n{first} 1. Pnw {good} (Pne {or so} Pe) Pw\n'
    (record,) = tavola.read_records(text)
    assert record.comments == ("first",)
    assert record.line[0].comments == ("good",)
    assert [step.token for step in record.line[0].variations[0].line] == ["Pne", "Pe"]
    assert tavola.read_records(record.text) == (record,)


ODD = """

[Game "potlatch"] [Event "\\"]\\\\"]
[Round
"1"]
{[Options "no tag"] of two
lines} 1. Pnw {[Rules "none either"]} Pw

[Game "potlatch"][Options "actions"]
[Game1 "x"]
1. Pnw
"""
"""Two records in unusual formatting; the second one has an error in line 9."""


def test_faults_of_tags_name_their_lines(tmp_path: Path) -> None:
    first, second = tavola.read_records(ODD)
    assert (first.places, second.places) == ((3, 3, 4), (9, 9, 10))
    assert first.tag("Event") == '"]\\'
    with pytest.raises(tavola.RecordError, match='line 9: expected name=value, found "actions"'):
        _ = second.game
    # Where else it stands, it is the same record; what was not read has the lines of its own text.
    (own,) = tavola.read_records(second.text)
    assert own.places == (1, 2, 3)
    assert (own, hash(own)) == (second, hash(second)) != (first, hash(first))
    made = tavola.Record(tags=second.tags, line=(tavola.Step(token="Pnw", turn=1),))
    assert (made, hash(made)) == (second, hash(second))
    with pytest.raises(tavola.RecordError, match="line 2: "):
        _ = made.game
    with pytest.raises(tavola.RecordError, match="line 2: there is no tag Game"):
        _ = tavola.read_records('\n[Event "x"]\n\n1. Pnw\n')[0].game


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('[Event "no game"]\n1. Pnw', tavola.RecordError),
        ('[Game "ludo"]\n', tavola.UnknownGame),
        ('[Game "potlatch"]\n[Options "actions=9"]\n', tavola.OptionError),
        ('[Game "potlatch"]\n[Options "actions"]\n', tavola.RecordError),
        ('[Game "potlatch"]\n[Position "x"]\n', tavola.PositionError),
        ('[Game "potlatch"]\n1. Pe\n', tavola.IllegalAction),
        ('[Game "potlatch"\n', tavola.RecordError),
    ],
)
def test_a_record_that_cannot_be_replayed_says_why(text: str, error: type[Exception]) -> None:
    def replay() -> None:
        for record in tavola.read_records(text):
            list(record.states())

    with pytest.raises(error):
        replay()


@pytest.mark.parametrize("told", ["-1 1", "0 0", "1", "1 -1 0", "1-0", "1/0 -1", "nan -1", "*"])
def test_a_result_that_the_actions_contradict_is_refused(told: str) -> None:
    match = played(1)
    ended = " ".join(f"{value:g}" for value in match.state.returns or ())
    assert ended == "1 -1"
    (record,) = tavola.read_records(match.record)
    for same in (record, *tavola.read_records(match.record.replace('"1 -1"', '"2/2 -1.0"'))):
        assert list(same.states())[-1] == match.state
    (other,) = tavola.read_records(match.record.replace('"1 -1"', f'"{told}"'))
    line = match.record[: match.record.index("[Result")].count("\n") + 1
    with pytest.raises(tavola.RecordError, match=f"line {line}: the tag Result is"):
        list(other.states())


@pytest.mark.parametrize(
    ("told", "returns"),
    [
        ("1 -1", (1.0, -1.0)),
        ("-1/2 1 -0.5", (-0.5, 1.0, -0.5)),
        ("", None),
        ("1-0", None),
        ("1/0 1", None),
        (f"{10**400}/1 1", None),
    ],
)
def test_a_result_is_read_in_decimals_and_fractions(
    told: str, returns: tuple[float, ...] | None
) -> None:
    (record,) = tavola.read_records(f'[Game "potlatch"]\n[Result "{told}"]\n')
    assert record.returns == returns


def test_the_result_of_a_game_that_goes_on_is_not_for_the_actions_to_tell() -> None:
    (record,) = tavola.read_records('[Game "potlatch"]\n[Result "-1 1"]\n1. Pnw\n')
    assert len(list(record.states())) == 2


def test_what_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    text = played(1).record
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    limit = len(text) - 1
    for source in (path, str(path), text):
        assert len(tavola.read_records(source, largest=limit + 1)) == 1
        with pytest.raises(tavola.TooLarge, match=f"more than {limit:,} characters") as told:
            tavola.read_records(source, largest=limit)
        assert told.value.limit == limit


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="reads what has no end")
def test_what_has_no_end_is_refused() -> None:
    with pytest.raises(tavola.TooLarge, match="more than 64,000,000 characters"):
        tavola.read_records("/dev/zero")


def test_no_records_in_no_text() -> None:
    assert tavola.read_records("") == ()


@given(st.text())
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        records = tavola.read_records("[" + text)
    except tavola.RecordError as error:
        fault = error
    else:
        assert records
        return
    assert fault.line >= 1
    assert fault.fault


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Pne", "{a b}", "(Pw {c} Pe)", "3.", "\n", "*x", "{", ")", "["])
        ),
        max_size=12,
    )
)
def test_what_is_read_is_written_the_same(parts: list[tuple[str]]) -> None:
    text = '[Game "potlatch"]\n' + " ".join(part for (part,) in parts)
    try:
        records = tavola.read_records(text)
    except tavola.RecordError:
        return
    assert tavola.read_records("\n".join(record.text for record in records)) == records


def test_an_illegal_action_of_a_record_is_named_with_its_place() -> None:
    text = (
        '[Game "potlatch"]\n\n[Event "first"]\n1. Pnw\n\n[Game "potlatch"]\n'
        "{(in) a comment}\n1. Pnw {1. Pe} (Pne\nPe) 2.\n  Pe9 Pw\n"
    )
    _, record = tavola.read_records(text)
    with pytest.raises(
        tavola.IllegalAction, match=r"^line 10, column 3, action 2: 'Pe9'"
    ) as caught:
        list(record.states())
    copied = pickle.loads(pickle.dumps(caught.value))
    assert copied.place == (10, 3, 2)
    assert translated(copied, "ja").startswith("10行 3文字目（2アクション目）：'Pe9' は合法手では")
    # An action that was not read has its place in the record's own text.
    made = msgspec.structs.replace(record, line=(tavola.Step(token="Pzz"),))
    with pytest.raises(tavola.IllegalAction, match=r"^line 3, column 18, action 1: 'Pzz'"):
        list(made.states())


WRITTEN = st.text(
    st.one_of(st.sampled_from(' \n\r\t{}()[]"\\.1*\ufeff'), st.characters(codec="utf-8")),
    max_size=6,
)


def lines_of(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[tavola.Step, ...]]:
    """Lines of a record whose tokens and comments are such texts."""
    comments = st.lists(texts, max_size=2).map(tuple)
    tokens = st.one_of(st.sampled_from(["Pne", "*x", "2:n"]), texts)
    turns = st.none() | st.integers(0, 2**32 - 1)

    def line(variations: st.SearchStrategy[tuple[tavola.Variation, ...]]) -> st.SearchStrategy:
        step = st.builds(
            tavola.Step, token=tokens, turn=turns, comments=comments, variations=variations
        )
        return st.lists(step, max_size=3).map(tuple)

    inner = st.builds(tavola.Variation, line=line(st.just(())), comments=comments)
    return line(st.lists(inner, max_size=2).map(tuple))


@given(
    st.lists(st.tuples(st.sampled_from(["Event", "Round", "é", ""]), WRITTEN), max_size=2),
    lines_of(WRITTEN) | lines_of(st.just("Pe")),
)
def test_what_is_written_reads_back_equal_or_is_refused(
    tags: list[tuple[str, str]], line: tuple[tavola.Step, ...]
) -> None:
    record = tavola.Record(tags=(("Game", "potlatch"), *tags), line=line, comments=("a  \n\nb",))
    try:
        text = record.text
    except tavola.RecordError:
        return
    assert tavola.read_records(text + "\ufeff" + text) == (record, record)


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ({"tags": ()}, "must begin with tags"),
        ({"tags": (("Event", "a\nb"),)}, "tag Event contains a line break"),
        ({"comments": ("a } b",)}, r'a comment cannot contain .*: "a \} b"'),
        ({"line": (tavola.Step(token=""),)}, '"" is not an action'),
        ({"line": (tavola.Step(token="a b"),)}, '"a b" is not an action'),
        ({"line": (tavola.Step(token="12."),)}, r'"12\." is not an action'),
    ],
)
def test_what_would_not_read_back_is_not_written(part: dict[str, Any], fault: str) -> None:
    record = msgspec.structs.replace(tavola.Record(tags=(("Game", "potlatch"),)), **part)
    with pytest.raises(tavola.RecordError, match=fault) as caught:
        _ = record.text
    assert caught.value.line == 0
    assert translated(caught.value, "ja").startswith("棋譜を書き出せません。")


def nested(depth: int) -> tavola.Record:
    line = (tavola.Step(token="Pe"),)
    for _ in range(depth):
        line = (tavola.Step(token="Pe", variations=(tavola.Variation(line=line),)),)
    return tavola.Record(tags=(("Game", "potlatch"),), line=line)


def test_variations_are_written_as_deep_as_they_are_read() -> None:
    assert tavola.read_records(nested(64).text) == (nested(64),)
    for deep in (65, 20_000):
        with pytest.raises(tavola.RecordError, match="deeper than 64"):
            _ = nested(deep).text
