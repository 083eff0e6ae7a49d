"""How often the levels of a game keep a proven result.

The cases are positions of games between low levels that a proof decides, for games of two seats
without chance. In a *win*, the seat to act wins by force within `DEEPEST` actions. In a *defence*,
nothing is forced, but some actions lose by force. A level keeps the result if it still has a forced
win after its action, or does not choose a losing action.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import tavola
from tavola import Game, State

DEEPEST = 9
"""The number of actions within which a proof finds a win."""

PLAYER = 3
"""The level that plays the games. It makes mistakes, so that wins and defences arise."""

SAMPLED = 0.2
"""The part of the positions that are examined."""


@dataclass(frozen=True)
class Case:
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

    def keeps(self, token: str) -> bool:
        """Return whether an action keeps the result. A win may take two actions more."""
        if self.kind == "defence":
            return token not in self.losing
        after = self.state.play(token)
        if after.outcome is not None:
            return self.state.to_act in after.outcome.winners
        proof = tavola.prove(after, DEEPEST + 1)
        return proof is not None and proof.winner == self.state.to_act


def case(state: State) -> Case | None:
    """Return the case of a position, or `None` without a proven result.

    Wins by this action and losses by the next one do not count: there every level plays well.
    """
    proof = tavola.prove(state, DEEPEST)
    if proof is not None:
        won = proof.winner == state.to_act and proof.plies > 1
        return Case(state, "win", proof.plies) if won else None
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
    return Case(state, "defence", min(losses.values()), frozenset(losses))


def cases(game: Game, seed: int) -> Iterator[Case]:
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


def grade(specification: str, known: list[Case], game: Game) -> dict[tuple[str, int], list[bool]]:
    """Return for each kind and even number of actions whether an engine keeps the results.

    The next odd number counts as the even one.
    """
    kept: dict[tuple[str, int], list[bool]] = defaultdict(list)
    with tavola.engine(specification, game) as engine:
        for number, one in enumerate(known):
            engine.new_game(number)
            kept[one.kind, one.plies // 2 * 2].append(one.keeps(engine.choose(one.state).token))
    return kept


def table(kept: dict[str, dict[tuple[str, int], list[bool]]]) -> str:
    """Return a table in Markdown: a row for each engine, a column for each kind of case."""
    counts = {kind: len(found) for kind, found in sorted(next(iter(kept.values())).items())}
    heads = [
        f"{kind} in {plies} or {plies + 1} ({count})" for (kind, plies), count in counts.items()
    ]
    lines = [f"| Engine | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, found in kept.items():
        shares = [f"{sum(found[kind]) / count:.0%}" for kind, count in counts.items()]
        lines.append(f"| {name} | {' | '.join(shares)} |")
    return "\n".join(lines)
