"""Replays: a game as a page with a slider, or as an animated picture.

>>> import tavola
>>> match = tavola.Match(tavola.load("potlatch")).play("Pnw").play("Pw")
>>> match.replay()
<Replay of potlatch, 3 positions>
"""

from tavola.replay.replay import Frame, Replay, Shares

__all__ = ["Frame", "Replay", "Shares"]
