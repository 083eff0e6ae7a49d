"""Promise 4: no message contains hidden information."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

import tavola
from tavola.server.matches import decisions
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event, Header, Seat
from tavola.server.matches.match import Match
from tavola.server.schema.responses import encode
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.snapshot import SnapshotParts
from tavola.server.snapshots.updates import CommonPatch, Update
from tests.fairness_records import OF_CHANCE, hexadecimal
from tests.profiles import examples


def header(game: tavola.Game, seed: str | None, *, contribute: bool) -> Header:
    return Header(
        id="m",
        game=game.name,
        options={name: str(value) for name, value in game.options.items()},
        rules_version=game.rules_version,
        confirm=False,
        start=game.start().text,
        seats=tuple(
            Seat(kind="person", name="", seconds=None, token_hash=secrets.token_hex(32))
            for _ in range(game.seats)
        ),
        seed=seed,
        contribute=contribute,
    )


def command(match: Match, do: str, seat: int, token: str | None) -> Command:
    return Command(id=f"c{match.seq}", seq=match.seq, seat=seat, do=do, token=token)  # type: ignore[arg-type]


def game_of(match: Match, rng: random.Random, actions: int) -> Iterator[Event]:
    """Play at random after every seat has contributed; yield each applied event."""
    all_seats = frozenset(range(len(match.header.seats)))
    waiting = sorted(match.draw_source.awaited)
    decided = decisions.opening_events(match)
    for _ in range(len(waiting) + actions + 1):
        for event in decided:
            match.apply(event)
            yield event
        if waiting:
            asked = command(match, "contribute", waiting.pop(), hexadecimal(rng))
        elif match.acting is None:
            return
        else:
            token = rng.choice(match.state.legal_actions)
            asked = command(match, "play", match.acting, token)
        decided = decisions.decide(match, asked, all_seats)


def shown(match: Match) -> list[SnapshotParts]:
    """Return the views of all possible viewers."""
    seats = range(len(match.header.seats))
    viewers = [frozenset[int](), *(frozenset({seat}) for seat in seats), frozenset(seats)]
    common = snapshot.common_state(match)
    return [snapshot.snapshot_parts(match, held, common) for held in viewers]


def told(match: Match) -> bytes:
    """Return everything that the server sends about a match, encoded."""
    snapshots = [picture.snapshot for picture in shown(match)]
    return encode([*snapshots, snapshot.record_text(match)])


def changes(match: Match, before: list[SnapshotParts], after: list[SnapshotParts]) -> bytes:
    """Return the patches of the last event for viewers that have the snapshot before."""
    news = CommonPatch(after[0].common)
    return b"".join(
        Update(news, one, other).patch_message for one, other in zip(before, after, strict=True)
    )


def without_commitment(match: Match, said: bytes) -> bytes:
    return (
        said.replace(match.draw_source.commitment.encode(), b"")
        if match.draw_source.commitment
        else said
    )


@settings(max_examples=examples(20))
@given(
    name=st.sampled_from(tavola.games()),
    rng=st.randoms(use_true_random=False),
    contribute=st.booleans(),
    actions=st.integers(0, 24),
)
def test_what_differs_only_in_what_is_unrevealed_looks_the_same(
    name: str, rng: random.Random, contribute: bool, actions: int
) -> None:
    """The same match twice, with other seeds, seat tokens and contributions."""
    game = tavola.load(name)
    one, other = (
        Match(
            header(
                game,
                hexadecimal(rng) if game.has_chance else None,
                contribute=contribute and game.has_chance,
            )
        )
        for _ in range(2)
    )
    matches = (one, other)
    for match in matches:
        assert (match.draw_source.commitment or "").encode() in told(match)
    assert without_commitment(one, told(one)) == without_commitment(other, told(other))
    seen = [shown(match) for match in matches]
    for event in game_of(one, rng, actions):
        if event.kind == "contribute":
            other.apply(msgspec.structs.replace(event, token=hexadecimal(rng)))
        else:
            other.apply(event)
        if one.status == "over":
            return
        now = [shown(match) for match in matches]
        said, likewise = (
            without_commitment(match, told(match) + changes(match, before, after))
            for match, before, after in zip(matches, seen, now, strict=True)
        )
        assert said == likewise
        seen = now
        for match in matches:
            hidden = [match.draw_source.seed, *match.draw_source.contributions]
            hidden += [seat.token_hash for seat in match.header.seats]
            for secret in filter(None, hidden):
                assert secret.encode() not in said


@settings(max_examples=examples(6))
@given(name=st.sampled_from(OF_CHANCE), rng=st.randoms(use_true_random=False))
def test_what_is_revealed_comes_with_the_end_and_not_before(name: str, rng: random.Random) -> None:
    match = Match(header(tavola.load(name), hexadecimal(rng), contribute=True))
    for _ in game_of(match, rng, 8):
        assert (match.draw_source.seed or "").encode() not in told(match)
    resign = command(match, "resign", 0, None)
    for event in decisions.decide(match, resign, frozenset({0})):
        match.apply(event)
    for secret in (match.draw_source.seed, *match.draw_source.contributions):
        assert secret is not None
        assert secret.encode() in told(match)
    # Looked back at, what could still come is as little told as it was then.
    shown = snapshot.position_snapshot(match.at_action(0), frozenset())
    assert shown.chance is not None
    assert shown.chance.seed is None
