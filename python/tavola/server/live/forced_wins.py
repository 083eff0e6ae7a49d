"""Forced wins: a proof search of one second per position."""

from __future__ import annotations

from functools import partial

import tavola
from tavola import _core
from tavola.server import games
from tavola.server.errors import RequestError
from tavola.server.matches.match import Match
from tavola.server.ops.single_flight import SingleFlight
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.advice import ForcedWin, ForcedWinReport

SECONDS = 1.0


class ForcedWins:
    """The forced-win search of a match, cached for each position.

    Args:
        work: The queue in which searches wait for their turns.
    """

    def __init__(self, work: WorkQueue) -> None:
        self._work = work
        self._running = SingleFlight[int, ForcedWinReport]()
        self._report: ForcedWinReport | None = None

    async def find(self, match: Match, client: str) -> ForcedWinReport:
        """Search for a forced win for at most a second, in a thread.

        Args:
            match: The match.
            client: The address that asks.

        Raises:
            RequestError: `no-proofs`, `rated-proofs`, `analysis-limit`, `busy`.
        """
        if not games.info(match.header.game).proofs:
            raise RequestError("no-proofs", game=match.header.game)
        if match.header.rated and match.status != "over":
            raise RequestError("rated-proofs")
        if self._report is None or self._report.seq != match.seq:
            search = partial(self._search, match.state, match.seq, client)
            self._report = await self._running.get(match.seq, search)
        return self._report

    async def _search(self, state: tavola.State, seq: int, client: str) -> ForcedWinReport:
        stop = tavola.Stop()
        work = partial(_core._prove_until, state, stop=stop)
        plies, proof = await self._work.run(client, work, seconds=SECONDS, stop=stop)
        forced = ForcedWin(proof.winner, proof.plies) if proof else None
        return ForcedWinReport(seq=seq, plies=plies, proof=forced)
