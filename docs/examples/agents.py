"""Agents: a greedy one, which looks one action ahead by random games."""

import random

import tavola


class Random:
    """Plays random legal actions."""

    def choose(self, state: tavola.State) -> str:
        """Return the token of an action."""
        return random.choice(state.legal_actions)


class Greedy:
    """Plays the action with the best mean return of a few random games.

    Args:
        games: The number of random games after each action.
    """

    def __init__(self, games: int = 8) -> None:
        self.games = games

    def choose(self, state: tavola.State) -> str:
        """Return the token of the best action."""
        seat = state.to_act
        assert seat is not None
        return max(state.legal_actions, key=lambda token: self.value(state.play(token), seat))

    def value(self, state: tavola.State, seat: int) -> float:
        """Return the mean return of a seat."""
        return sum(self.rollout(state, seat) for _ in range(self.games)) / self.games

    def rollout(self, state: tavola.State, seat: int) -> float:
        """Play a random game; return the return of a seat."""
        while state.returns is None:
            if state.to_act == tavola.CHANCE:
                tokens, weights = zip(*state.chance_outcomes)
                (token,) = random.choices(tokens, weights)
            else:
                token = random.choice(state.legal_actions)
            state = state.play(token)
        return state.returns[seat]
