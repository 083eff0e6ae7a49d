"""Glicko-2, for matches of two seats.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (2022). The comments name its steps, and
a test checks its worked example.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from tavola.ratings.rating import Rating

START = Rating(value=1500.0, deviation=350.0, volatility=0.06)

TAU = 0.5
"""The constant that limits changes of the volatility."""

SCALE = 173.7178
CLOSE_ENOUGH = 1e-6


def update(
    player: Rating, results: Sequence[tuple[Rating, float]], *, elapsed: float = 1.0
) -> Rating:
    """Update the rating of a player after some matches.

    Args:
        player: The rating before the matches.
        results: For each match, the rating of the opponent before it and the score of the player:
            1, 0.5 or 0.
        elapsed: The number of rating periods during which the deviation grew.

    Returns:
        The new rating.
    """
    phi = player.deviation / SCALE  # step 2
    sigma = player.volatility
    if results:
        mu = (player.value - START.value) / SCALE
        information, surprise = 0.0, 0.0  # step 3, and the sum of step 4
        for opponent, score in results:
            g = 1.0 / math.sqrt(1.0 + 3.0 * (opponent.deviation / SCALE / math.pi) ** 2)
            expected = 1.0 / (1.0 + math.exp(-g * (player.value - opponent.value) / SCALE))
            information += g * g * expected * (1.0 - expected)
            surprise += g * (score - expected)
        v = 1.0 / information
        sigma = _volatility(sigma, phi, v, v * surprise)
        grown = math.sqrt(phi * phi + elapsed * sigma * sigma)  # step 6
        phi = 1.0 / math.sqrt(1.0 / (grown * grown) + 1.0 / v)  # step 7
        mu += phi * phi * surprise
        player = replace(player, value=START.value + mu * SCALE, volatility=sigma)
    else:
        phi = math.sqrt(phi * phi + elapsed * sigma * sigma)
    return replace(player, deviation=min(phi * SCALE, START.deviation))  # step 8


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5: the new volatility, by the Illinois variant of false position."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        spread = phi * phi + v + e
        return e * (delta * delta - spread) / (2.0 * spread * spread) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        high = a - TAU
        while f(high) < 0.0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CLOSE_ENOUGH:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = f(between)
        if f_between * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = between, f_between
    return math.exp(low / 2.0)
