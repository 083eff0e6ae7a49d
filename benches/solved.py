"""How often the levels of a game keep a known result, in games of two seats without chance.

Proofs find cases in games between low levels. In a *win*, the seat to act wins by force within
`DEEPEST` actions. In a *defence*, nothing is forced, but some actions lose by force. A level keeps
the result if it still has a forced win after its action, or does not choose a losing action.

A game whose end is solved has a file of cases with all actions that keep the result: `read`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

import tavola
from tavola import Game, State

DEEPEST = 9
"""The number of actions within which a proof finds a win."""

PLAYER = 3
"""The level that plays the games. It makes mistakes, so that wins and defences arise."""

SAMPLED = 0.2
"""The part of the positions that are examined."""


class Case(Protocol):
    """A position with a known result."""

    @property
    def state(self) -> State:
        """The position."""

    @property
    def column(self) -> str:
        """The head of its column in the table."""

    def keeps(self, token: str) -> bool:
        """Return whether an action keeps the result."""


class SolvedCase(msgspec.Struct, frozen=True):
    """A position of a solved endgame.

    Attributes:
        state: The position; in a file of cases its text.
        column: A win or a draw, and how hard it is to keep.
        keeping: The actions that keep it.
    """

    state: State = msgspec.field(name="position")
    column: str = msgspec.field(name="kind")
    keeping: frozenset[str]

    def keeps(self, token: str) -> bool:
        """Return whether an action keeps the result."""
        return token in self.keeping


@dataclass(frozen=True)
class ProvenCase:
    """A position with a proven result.

    Attributes:
        state: The position.
        kind: "win" or "defence".
        plies: The number of actions of the shortest win, or of the quickest loss.
        losing: The losing actions of a defence.
    """

    state: State
    kind: str
    plies: int
    losing: frozenset[str] = frozenset()

    @property
    def column(self) -> str:
        """The head of its column: the next odd number of actions counts as the even one."""
        plies = self.plies // 2 * 2
        return f"{self.kind} in {plies} or {plies + 1}"

    def keeps(self, token: str) -> bool:
        """Return whether an action keeps the result. A win may take two actions more."""
        if self.kind == "defence":
            return token not in self.losing
        after = self.state.play(token)
        if after.outcome is not None:
            return self.state.to_act in after.outcome.winners
        proof = tavola.prove(after, DEEPEST + 1)
        return proof is not None and proof.winner == self.state.to_act


def case(state: State) -> ProvenCase | None:
    """Return the case of a position, or `None` without a proven result.

    Wins by this action and losses by the next one do not count: there every level plays well.
    """
    proof = tavola.prove(state, DEEPEST)
    if proof is not None:
        won = proof.winner == state.to_act and proof.plies > 1
        return ProvenCase(state, "win", proof.plies) if won else None
    losses = {}
    after = {token: state.play(token) for token in state.legal_actions}
    if any(tavola.prove(one, 1) is not None for one in after.values()):
        return None
    for token, reached in after.items():
        proof = tavola.prove(reached, DEEPEST - 2)
        if proof is not None and proof.winner != state.to_act:
            losses[token] = proof.plies + 1
    if not losses or len(losses) == len(after):
        return None
    return ProvenCase(state, "defence", min(losses.values()), frozenset(losses))


def cases(game: Game, seed: int) -> Iterator[ProvenCase]:
    """Play games without end, and yield their cases."""
    rng = random.Random(seed)
    with tavola.engine(f"level:{PLAYER}", game) as player:
        while True:
            player.new_game(rng.getrandbits(60))
            state = game.start()
            for _ in range(rng.randrange(6)):
                state = state.play(rng.choice(state.legal_actions))
            while state.to_act is not None:
                if rng.random() < SAMPLED and (found := case(state)) is not None:
                    yield found
                state = state.play(player.choose(state).token)


def read(game: Game, path: Path) -> list[SolvedCase]:
    """Return the cases of a file.

    Raises:
        ValueError: If the file is damaged, or a position is not one of the game.
    """
    return msgspec.json.decode(
        path.read_bytes(), type=list[SolvedCase], dec_hook=lambda _, text: game.parse(text)
    )


def line(case: SolvedCase) -> str:
    """Return a case as a line of JSON."""
    encoded = msgspec.json.encode(case, order="sorted", enc_hook=lambda state: state.text)
    return encoded.decode()


def grade(specification: str, known: Sequence[Case], game: Game) -> dict[str, list[bool]]:
    """Return for each column whether an engine keeps the results."""
    kept: dict[str, list[bool]] = defaultdict(list)
    with tavola.engine(specification, game) as engine:
        for number, one in enumerate(known):
            engine.new_game(number)
            kept[one.column].append(one.keeps(engine.choose(one.state).token))
    return kept


def table(kept: dict[str, dict[str, list[bool]]]) -> str:
    """Return a table in Markdown: a row for each engine, a column for each kind of case."""
    counts = {column: len(found) for column, found in next(iter(kept.values())).items()}
    heads = [f"{column} ({count})" for column, count in counts.items()]
    lines = [f"| Engine | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, found in kept.items():
        shares = [f"{sum(found[kind]) / count:.0%}" for kind, count in counts.items()]
        lines.append(f"| {name} | {' | '.join(shares)} |")
    return "\n".join(lines)
