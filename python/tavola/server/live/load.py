"""Matches as their logs have them."""

from __future__ import annotations

import structlog

from tavola.server.matches.match import Damaged, Match
from tavola.server.schema.errors import Refused
from tavola.server.storage.database import Store

_log = structlog.get_logger("tavola.tables")


async def replay(store: Store, match_id: str) -> Match:
    """A match from its log.

    Raises:
        Refused: `unknown-match`, `rules-changed`; `damaged` if the log does not come to what was
            stored with it.
    """
    stored = await store.load(match_id)
    if stored is None:
        raise Refused("unknown-match", match=match_id)
    header, log = stored
    try:
        match = Match(header)
        for event in log:
            match.apply(event)
    except Damaged as damage:
        _log.exception("damaged match", match=match_id, seq=damage.seq)
        raise Refused("damaged", seq=damage.seq) from damage
    return match
