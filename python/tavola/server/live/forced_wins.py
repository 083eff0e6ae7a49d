"""Forced wins: a proof search of one second per position."""

from __future__ import annotations

import asyncio

import tavola
from tavola.server.matches.match import Match
from tavola.server.schema import games
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import ForcedWin, ForcedWinReport

MAX_PLIES = 6
SECONDS = 1.0


class ForcedWins:
    """The forced-win search of a match, cached for each position."""

    def __init__(self) -> None:
        self._report: ForcedWinReport | None = None

    async def find(self, match: Match) -> ForcedWinReport:
        """Search for a forced win for at most a second, in a thread.

        Raises:
            RequestError: `no-proofs`, `rated-proofs`.
        """
        if not games.info(match.header.game).proofs:
            raise RequestError("no-proofs", game=match.header.game)
        if match.header.rated and match.status != "over":
            raise RequestError("rated-proofs")
        if self._report is None or self._report.seq != match.seq:
            self._report = await _find_forced_win(match.state, match.seq)
        return self._report


async def _find_forced_win(state: tavola.State, seq: int) -> ForcedWinReport:
    stop = tavola.Stop()
    loop = asyncio.get_running_loop()
    bell = loop.call_later(SECONDS, stop.set)
    try:
        plies, proof = await loop.run_in_executor(None, _prove, state, stop)
    finally:
        bell.cancel()
        stop.set()
    forced = ForcedWin(proof.winner, proof.plies) if proof else None
    return ForcedWinReport(seq=seq, plies=plies, proof=forced)


def _prove(state: tavola.State, stop: tavola.Stop) -> tuple[int, tavola.Proof | None]:
    """Look further and further; return how far it looked to the end, and what it found."""
    looked = 0
    for plies in range(1, MAX_PLIES + 1):
        proof = tavola.prove(state, plies, stop=stop)
        if proof is not None:
            return plies, proof
        if stop.is_set():
            break
        looked = plies
    return looked, None
