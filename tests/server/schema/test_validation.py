"""The faults of a request have a code, a place and words, in both languages."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.server.errors import RequestError
from tavola.server.http.match_socket import _decode as socket_decoder
from tavola.server.matches.command import Command
from tavola.server.schema.errors import VALIDATION_FAULTS, message_for
from tavola.server.schema.requests import NewMatch, TakeSeat, decode
from tavola.server.schema.validation import LONGEST_PARAM, invalid_request

GAME = {"game": "potlatch", "seats": []}
COMMAND = {"id": "a", "seq": 0, "seat": 0, "do": "play"}


def complaint(text: str | bytes, expected: Any) -> RequestError:
    with pytest.raises(RequestError) as caught:
        decode(text, msgspec.json.Decoder(expected))
    return caught.value


@pytest.mark.parametrize(
    ("sent", "expected", "params"),
    [
        ([], NewMatch, {"path": "$", "fault": "kind", "expected": ["object"]}),
        ({}, NewMatch, {"path": "$", "fault": "missing", "field": "game"}),
        (GAME | {"more": 1}, NewMatch, {"path": "$", "fault": "unknown-field", "field": "more"}),
        (
            GAME | {"options": {"a": [2]}},
            NewMatch,
            {"path": "$.options[...]", "fault": "kind", "expected": ["int", "str"]},
        ),
        (
            GAME | {"seats": [{"kind": "cat"}]},
            NewMatch,
            {"path": "$.seats[0].kind", "fault": "unknown-value", "value": "cat"},
        ),
        (
            GAME | {"seats": [{"kind": "link"}] * 17},
            NewMatch,
            {"path": "$.seats", "fault": "longest", "limit": "16"},
        ),
        (
            GAME | {"seats": [{"kind": "engine", "seconds": 1, "level": 1}]},
            NewMatch,
            {"path": "$.seats[0]", "fault": "one-engine"},
        ),
        (
            GAME | {"time": {"kind": "turn", "seconds": 0}},
            NewMatch,
            {"path": "$.time.seconds", "fault": "least", "limit": "1"},
        ),
        (
            COMMAND | {"seat": 16},
            Command,
            {"path": "$.seat", "fault": "most", "limit": "15"},
        ),
        (COMMAND | {"id": ""}, Command, {"path": "$.id", "fault": "shortest", "limit": "1"}),
        (
            COMMAND | {"do": "cheat"},
            Command,
            {"path": "$.do", "fault": "unknown-value", "value": "cheat"},
        ),
        (
            {"token": "x"},
            TakeSeat,
            {"path": "$.token", "fault": "form", "form": "^[A-Za-z0-9_-]{43}$"},
        ),
    ],
)
def test_what_was_expected_where(sent: Any, expected: Any, params: dict[str, Any]) -> None:
    refused = complaint(json.dumps(sent), expected)
    assert (refused.code, refused.params) == ("invalid", params)


def test_what_is_nested_too_deeply_or_too_large() -> None:
    # Before the type of a seat is found, whatever comes first is read.
    deep = '{"game": "a", "seats": [{"x": ' + "[" * 60_000
    # From 3.14 on Python limits the bytes of the stack, which reach to the end of this text.
    faults = {"path": "$", "fault": "too-deep"}, {"byte": len(deep)}
    assert complaint(deep, NewMatch).params in faults
    large = json.dumps(COMMAND).replace('"seq": 0', '"seq": 1e400')
    assert complaint(large, Command).params == {"path": "$.seq", "fault": "range"}


@pytest.mark.parametrize(
    ("text", "byte"),
    [(b"", 0), (b"{", 1), (b"\xff", 0), (b'{"id":"\xff"}', 7), ('{"id": "a" 1}', 11)],
)
def test_where_json_ends(text: str | bytes, byte: int) -> None:
    refused = complaint(text, dict[str, str])
    assert (refused.code, refused.params) == ("malformed", {"byte": byte})


def test_no_text_holds_a_nul() -> None:
    refused = complaint(json.dumps(COMMAND | {"id": "a\\\0"}), Command)
    assert (refused.code, refused.params) == ("invalid", {"path": "$", "fault": "nul"})
    # How one is written may be said.
    assert decode(json.dumps(COMMAND | {"id": "\\u0000"}), msgspec.json.Decoder(Command)).id


@pytest.mark.parametrize("fault", sorted(VALIDATION_FAULTS))
def test_every_fault_has_words_in_both_languages(fault: str) -> None:
    params = {"path": "$.x", "fault": fault, "expected": ["int", "null"]}
    params |= {"field": "f", "value": "v", "limit": "3", "form": "^a$"}
    english, japanese = (message_for("invalid", params, language) for language in ("en", "ja"))
    assert english.startswith("Invalid request at $.x: ")
    assert not japanese.replace("リクエストの $.x が正しくありません", "").isascii()
    assert "{" not in english + japanese


def test_in_words() -> None:
    refused = complaint(json.dumps(GAME | {"options": {"a": [2]}}), NewMatch)
    assert message_for(refused.code, refused.params, "en") == (
        "Invalid request at $.options[...]: a whole number or a text is expected."
    )
    assert message_for(refused.code, refused.params, "ja") == (
        "リクエストの $.options[...] が正しくありません（整数か文字列を指定してください）。"
    )
    nothing = {"token": "Pnw", "valid": ()}
    assert message_for("illegal", nothing, "en").endswith("Actions: none.")
    assert message_for("illegal", nothing, "ja").endswith("できるアクション：なし。")


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


KINDS = ["hello", "command", "analyse", "ping", "echo", "say", "report", "dance"]
FIELDS = ["id", "seq", "seat", "do", "token", "tokens", "language", "ply", "number", "text"]


@given(
    kind=st.sampled_from(KINDS),
    fields=st.dictionaries(st.sampled_from([*FIELDS, "line", "more"]), VALUE),
)
def test_every_complaint_about_a_message_is_understood(kind: str, fields: dict[str, Any]) -> None:
    fault = None
    try:
        decode(json.dumps({"type": kind} | fields), socket_decoder)
    except RequestError as refused:
        fault = refused.params.get("fault")
    assert fault != "other"


def test_what_is_not_understood_is_not_repeated() -> None:
    refused = invalid_request("Something new in `English` - at `$.x`")
    assert refused.params == {"path": "$.x", "fault": "other"}


def test_a_place_is_at_the_end_of_a_message() -> None:
    """Whatever a client sends is repeated in the message, and must not be taken for the place."""
    trick = " - at `key` in ` ` - at `$.a` " * 2000
    refused = invalid_request(f"Object contains unknown field `{trick}` - at `$.seats[0]`")
    assert refused.params["path"] == "$.seats[0]"
    assert refused.params["fault"] == "unknown-field"
    assert len(refused.params["field"]) == LONGEST_PARAM
