"""Whatever arrives, the answer is coded, and a match changes by legal commands only."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.profiles import examples
from tests.server.factories import ANYTHING
from tests.server.live_server import LiveServer, Player, error_of

QUICK = settings(
    max_examples=examples(60),
    # How fast examples are found depends on the schema and on what else the machine does.
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.filter_too_much,
        HealthCheck.too_slow,
    ],
)

PROMISED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

VISIBLE = st.characters(codec="latin-1", categories=("L", "N", "P", "S"))

COMMAND = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=70) | ANYTHING,
        "seq": st.integers(-1, 2) | ANYTHING,
        "seat": st.integers(-1, 3) | ANYTHING,
        "do": st.sampled_from(["undo", "confirm", "cheat"]) | ANYTHING,
        "token": st.text(max_size=12) | ANYTHING,
    },
)


@pytest.fixture(scope="module")
def guest(server: LiveServer) -> Player:
    return server.create_match()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_the_api_answers_whatever_its_schema_allows(server: LiveServer) -> None:
    schema = schemathesis.openapi.from_url(f"{server.address}/api/schema/openapi.json")
    operations: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]
    assert len(operations) >= 16
    for operation in operations:

        @settings(QUICK, max_examples=examples(15))
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            answer = case.call()
            assert "Traceback" not in answer.text
            if answer.status_code >= 400:
                assert answer.json()["code"]
            case.validate_response(answer, checks=PROMISED)

        ask()


@QUICK
@given(body=st.binary(max_size=200) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_any_body(server: LiveServer, guest: Player, body: bytes) -> None:
    for path in ("/api/matches", f"{guest.url}/commands"):
        answer = server.http.post(path, content=body, headers=guest.headers)
        status, _ = error_of(answer)
        assert status in (400, 422)


@QUICK
@given(command=COMMAND)
def test_any_command(guest: Player, command: dict[str, Any]) -> None:
    before = guest.snapshot()
    answer = guest.server.http.post(
        f"{guest.url}/commands", content=json.dumps(command), headers=guest.headers
    )
    status, _ = error_of(answer)
    assert 400 <= status < 500
    assert guest.snapshot() == before


@QUICK
@given(token=st.text(max_size=30))
def test_any_token(guest: Player, token: str) -> None:
    before = guest.snapshot()
    if token in {action["token"] for action in before["view"]["actions"]}:
        return
    code = "invalid" if "\0" in token else "illegal"
    assert error_of(guest.request("play", token=token)) == (422, code)
    assert guest.snapshot() == before


@QUICK
@given(value=st.text(VISIBLE, max_size=60) | st.text("ajen;q=0.,*- ", max_size=30))
def test_any_header(server: LiveServer, guest: Player, value: str) -> None:
    for name in ("accept-language", "authorization", "if-none-match", "accept-encoding"):
        sent = {name.encode(): value.strip().encode("latin-1")}
        answer = server.http.get(guest.url, headers=sent)
        assert answer.status_code in (200, 401), answer.text
