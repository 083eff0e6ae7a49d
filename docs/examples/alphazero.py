"""A small AlphaZero: a network learns a game from its own games, in NumPy alone.

Usage: python docs/examples/alphazero.py --game potlatch --minutes 15
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tavola

Floats = NDArray[np.float32]
REPLAY = 60_000
"""The number of positions that the replay buffer keeps."""
BATCH = 256
"""The number of positions in one step of the optimizer."""
FREE_ACTIONS = 10
"""The number of actions at the start of a match that are drawn from the policy."""


def softmax(logits: Floats) -> Floats:
    """Return the probabilities of each row of logits."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


class Network:
    """Two hidden layers, with a policy over the action ids and a share for each seat.

    The shares start with the seat to act, as the observation is that of this seat.
    """

    def __init__(self, game: tavola.Game, rng: np.random.Generator, hidden: int = 128) -> None:
        self.game = game
        sizes = (int(np.prod(game.observation_space.shape())), hidden, hidden)
        outputs = game.action_count + game.seats
        self.parameters: list[Floats] = []
        for rows, columns in zip(sizes, (*sizes[1:], outputs), strict=True):
            weights = rng.normal(0, np.sqrt(2 / rows), (rows, columns))
            self.parameters += [weights.astype(np.float32), np.zeros(columns, np.float32)]
        self.parameters[-2] *= 0.1
        self.means = [np.zeros_like(one) for one in self.parameters]
        self.squares = [np.zeros_like(one) for one in self.parameters]
        self.steps = 0

    def forward(
        self, inputs: Floats, masks: NDArray[np.bool_]
    ) -> tuple[list[Floats], Floats, Floats]:
        """Return the inputs of the layers, the policy and the shares from the seat to act on."""
        layers = [inputs.reshape(len(inputs), -1)]
        for place in (0, 2):
            weights, bias = self.parameters[place : place + 2]
            layers.append(np.maximum(layers[-1] @ weights + bias, 0))
        outputs = layers[-1] @ self.parameters[4] + self.parameters[5]
        actions = self.game.action_count
        logits = np.where(masks, outputs[:, :actions], np.float32(-1e9))
        return layers, softmax(logits), softmax(outputs[:, actions:])

    def __call__(self, batch: tavola.LeafBatch) -> tuple[Floats, Floats]:
        """Evaluate the leaves of a search."""
        _, policy, relative = self.forward(batch.observations, batch.masks)
        return policy, turned(relative, -batch.to_act)

    def train(
        self, inputs: Floats, masks: NDArray[np.bool_], policy: Floats, shares: Floats
    ) -> float:
        """Make one step of Adam towards targets. Return the loss, a sum of two cross entropies."""
        layers, own_policy, own_shares = self.forward(inputs, masks)
        gradient = np.concatenate([own_policy - policy, own_shares - shares], axis=1)
        gradient /= np.float32(len(inputs))
        gradients: list[Floats] = []
        for place in (4, 2, 0):
            layer = layers[place // 2]
            gradients = [layer.T @ gradient, gradient.sum(axis=0), *gradients]
            gradient = (gradient @ self.parameters[place].T) * (layer > 0)
        self.steps += 1
        scale = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        updates = zip(self.parameters, gradients, self.means, self.squares, strict=True)
        for parameter, slope, mean, square in updates:
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            parameter -= (
                np.float32(1e-3 * scale) * mean / (np.sqrt(square) + 1e-8) + 1e-7 * parameter
            )
        logs = (policy * np.log(own_policy + 1e-9)).sum() + (
            shares * np.log(own_shares + 1e-9)
        ).sum()
        return -float(logs) / len(inputs)


def turned(shares: Floats, by: NDArray[np.int32]) -> Floats:
    """Return rows of shares that start `by` seats later: after -to_act they start at seat 0."""
    seats = shares.shape[1]
    places = (np.arange(seats) + by[:, None]) % seats
    return np.take_along_axis(shares, places, axis=1)


class Sample(NamedTuple):
    """A position of a match with its targets."""

    observation: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    policy: Floats
    seat: int


class Replay:
    """The newest positions of finished matches."""

    def __init__(self, game: tavola.Game) -> None:
        self.game, self.symmetries, self.count = game, game.symmetries, 0
        self.high = np.asarray(game.observation_space.high(), np.float32)
        self.observations = np.zeros((REPLAY, *game.observation_space.shape()), np.uint8)
        self.masks = np.zeros((REPLAY, game.action_count), bool)
        self.policies = np.zeros((REPLAY, game.action_count), np.float32)
        self.shares = np.zeros((REPLAY, game.seats), np.float32)

    def add(self, samples: Sequence[Sample], shares: Floats) -> None:
        """Add the positions of a match that ended with these shares."""
        for sample in samples:
            place = self.count % REPLAY
            self.observations[place] = sample.observation
            self.masks[place], self.policies[place] = sample.mask, sample.policy
            self.shares[place] = np.roll(shares, -sample.seat)
            self.count += 1

    def batch(self, rng: np.random.Generator) -> tuple[Floats, NDArray[np.bool_], Floats, Floats]:
        """Return a random batch, after a random symmetry."""
        places = rng.integers(min(self.count, REPLAY), size=BATCH)
        symmetry = self.symmetries[rng.integers(len(self.symmetries))]
        observations = symmetry.observation(self.observations[places]).astype(np.float32)
        policies = symmetry.policy(self.policies[places])
        masks = symmetry.policy(self.masks[places])
        return observations / self.high, masks, policies, self.shares[places]


def after_chance(state: tavola.State, rng: np.random.Generator) -> tavola.State:
    """Return the next position in which a seat acts, or the game is over."""
    while state.to_act == tavola.CHANCE:
        state = state.play(state.sample_chance(rng))
    return state


def shares_of(state: tavola.State) -> Floats:
    """Return the share of each seat of a finished game, from 0 to 1 with sum 1."""
    seats = state.game.seats
    return np.array([(each * (seats - 1) + 1) / seats for each in state.returns or ()], np.float32)


class SelfPlay:
    """Matches of the network against itself, all one action further at each step."""

    def __init__(self, game: tavola.Game, matches: int, rng: np.random.Generator) -> None:
        self.game, self.rng, self.finished = game, rng, 0
        self.states = [after_chance(game.start(), rng) for _ in range(matches)]
        self.samples: list[list[Sample]] = [[] for _ in self.states]

    def step(self, network: Network, replay: Replay, nodes: int) -> None:
        """Search every match, play an action in each, and keep the matches that end."""
        seed = int(self.rng.integers(2**32))
        policies, _ = tavola.search_batch(
            self.states, nodes, evaluate=network, batch=256, noise=(0.8, 0.25), seed=seed
        )
        for number, (state, policy) in enumerate(zip(self.states, policies, strict=True)):
            samples, seat = self.samples[number], int(state.to_act or 0)
            samples.append(Sample(state.observation(dtype=np.uint8), state.mask(), policy, seat))
            weights = policy.astype(float)
            free = len(samples) <= FREE_ACTIONS
            action = (
                self.rng.choice(len(weights), p=weights / weights.sum())
                if free
                else policy.argmax()
            )
            state = after_chance(state.play_id(int(action)), self.rng)
            if state.is_terminal:
                replay.add(samples, shares_of(state))
                self.finished += 1
                self.samples[number] = []
                state = after_chance(self.game.start(), self.rng)
            self.states[number] = state


def score(
    network: Network, opponent: str, games: int, nodes: int, rng: np.random.Generator
) -> float:
    """Return the mean share of the network's search against an engine, in each seat in turn."""
    game, total = network.game, 0.0
    with tavola.engine(opponent, game) as engine:  # one for all games, as each has a fixed seed
        for number in range(games):
            state, seat = after_chance(game.start(), rng), number % game.seats
            while not state.is_terminal:
                if state.to_act == seat:
                    seed = int(rng.integers(2**32))
                    found = tavola.search(state, nodes=nodes, evaluate=network, batch=8, seed=seed)
                    state = state.play(str(found.best))
                else:
                    state = state.play(str(engine.choose(state).token))
                state = after_chance(state, rng)
            total += float(shares_of(state)[seat])
    return total / games


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Train a network, and return its score against each engine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="potlatch")
    parser.add_argument("--minutes", type=float, default=15.0, help="the time of training")
    parser.add_argument("--matches", type=int, default=64, help="the number of matches at once")
    parser.add_argument("--nodes", type=int, default=64, help="the simulations of each action")
    parser.add_argument("--opponents", nargs="*", default=["level:2"], help="engines of the tests")
    parser.add_argument("--games", type=int, default=100, help="the number of test games")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    game = tavola.load(options.game)
    network, replay = Network(game, rng), Replay(game)
    matches = SelfPlay(game, options.matches, rng)
    began = reported = time.monotonic()
    losses: list[float] = []
    while (now := time.monotonic()) < began + 60 * options.minutes:
        matches.step(network, replay, options.nodes)
        if replay.count >= min(10 * BATCH, REPLAY):
            losses += [
                network.train(*replay.batch(rng)) for _ in range(max(1, options.matches // 32))
            ]
        if losses and now > reported + 30:
            print(
                f"{now - began:4.0f} s  {matches.finished:6} games  loss {np.mean(losses):.3f}",
                flush=True,
            )
            reported, losses = now, []
    scores = {}
    for opponent in options.opponents:
        scores[opponent] = score(network, opponent, options.games, 2 * options.nodes, rng)
        print(f"{options.games} games against {opponent}: score {scores[opponent]:.2f}")
    return scores


if __name__ == "__main__":
    main()
