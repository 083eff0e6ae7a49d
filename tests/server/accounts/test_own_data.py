"""Every table that stores something of an account: in its export, and empty after its deletion."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from tavola.server.moderation import account_acts
from tavola.server.outbox import destinations
from tavola.server.outbox.destinations import Accepted
from tavola.server.schema.notifications import EmailOptions, NewDestination
from tavola.server.storage.tables import metadata
from tests.server.databases import transaction
from tests.server.live_server import PERSON, Json, LiveServer, wait_until
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

EXPORTED = {
    "accounts": "account",
    "api_tokens": "tokens",
    "audit_log": "moderation",
    "destinations": "destinations",
    "outbox": "notifications",
    "puzzle_days": "puzzles",
    "puzzle_results": "puzzles",
    "ratings": "account",
    "relations": "people",
    "results": "results",
    "seats": "matches",
    "sessions": "sessions",
    "tournament_players": "tournaments",
    "tournaments": "tournaments",
}
"""By table with accounts: where the export has its rows."""

PSEUDONYMOUS = {"results"}
"""Tables in which the id of a deleted account stays: the ratings of others follow from them."""


def tables_with(server: LiveServer, account: str) -> set[str]:
    """Return the tables in which an account's id occurs, in any column."""
    with transaction(server.database) as connection:
        return {
            table.name
            for table in metadata.sorted_tables
            if any(account in str(row) for row in connection.execute(table.select()))
        }


def add_destination(server: LiveServer, account: str) -> None:
    """Stores a destination, as with a channel that the host has switched on."""
    with transaction(server.database) as connection:
        hook = NewDestination(channel="webhook", address="https://example.com", kinds=("turn",))
        destinations.add(connection, account, hook, Accepted(secret="secret"), "en")
        mail = NewDestination(channel="email", address="ada@example.org", kinds=("turn",))
        email = EmailOptions(zone="Asia/Tokyo", quiet=(22, 7))
        destinations.add(connection, account, mail, Accepted(secret="secret", email=email), "en")


def mute(server: LiveServer, name: str) -> None:
    """Does an act of the host on an account."""
    with transaction(server.database) as connection:
        account_acts.mute(connection, name, 1)


def id_of(server: LiveServer, name: str) -> str:
    with transaction(server.database) as connection:
        accounts = metadata.tables["accounts"]
        wanted = sa.select(accounts.c.id).where(accounts.c.name == name)
        return str(connection.execute(wanted).scalar_one())


def use_everything(ada: AccountPlayer, bob: AccountPlayer) -> None:
    """Does all that stores something of Ada's account."""
    made = ada.begin(seats=[PERSON, {"kind": "link"}], rated=True)
    told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
    assert bob.http.post(f"/api/matches/{made['match']}/seats", json=told).is_success
    for who, token in ((ada, "Pnw"), (ada, "Pw"), (bob, "Pne"), (bob, "Pnw")):
        who.do(made["match"], "play", token)
    bob.do(made["match"], "resign")
    settings = {"name": "Evening", "game": "potlatch", "format": "swiss"}
    evening = ada.http.post("/api/tournaments", json={"settings": settings}).json()["tournament"]
    joined = ada.http.post(f"/api/tournaments/{evening}/actions", json={"do": "join"})
    assert joined.status_code == 200, joined.text
    follow = {"name": bob.name, "kind": "follow"}
    assert ada.http.post("/api/people/relation", json=follow).is_success
    (puzzle, *_) = ada.http.get("/api/puzzles").json()
    solved = f"{puzzle['game']}/{puzzle['puzzles'][0]['id']}"
    me = ada.me()
    assert me is not None
    progress = {"results": {solved: 1}, "days": [me["created"][:10]]}
    assert ada.http.post("/api/account/puzzles", json=progress).is_success
    wanted = {"name": "Script", "scopes": ["read"], "days": None, "password": PASSWORD}
    assert ada.http.post("/api/account/tokens", json=wanted).is_success


def test_every_table_with_accounts_is_exported_and_deleted(server: LiveServer) -> None:
    declared = {table.name for table in metadata.sorted_tables if "account" in table.columns}
    assert declared <= set(EXPORTED)
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        account = id_of(server, ada.name)
        add_destination(server, account)
        use_everything(ada, bob)
        mute(server, ada.name)
        wait_until(lambda: tables_with(server, account) == set(EXPORTED))
        exported: Json = ada.http.get("/api/account/export").json()
        assert [part for part in set(EXPORTED.values()) if not exported[part]] == []
        assert "ada@example.org" in [one["address"] for one in exported["destinations"]]
        assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).is_success
        assert tables_with(server, account) == PSEUDONYMOUS
