"""Loads a match by replaying its log."""

from __future__ import annotations

import structlog

from tavola.server.matches.match import CorruptLog, Match
from tavola.server.schema.errors import RequestError
from tavola.server.storage.database import Database

_log = structlog.get_logger("tavola.matches")


async def load_match(database: Database, match_id: str) -> Match:
    """Load a match from its log.

    Raises:
        RequestError: `unknown-match`, `rules-changed`; `game-missing` if the game is written in
            Python and not loaded; `damaged` if the log does not lead to the stored positions.
    """
    stored = await database.load(match_id)
    if stored is None:
        raise RequestError("unknown-match", match=match_id)
    header, log = stored
    try:
        match = Match(header)
        for event in log:
            match.apply(event)
    except RequestError as error:
        if error.code != "unknown-game":
            raise
        raise RequestError("game-missing", game=header.game) from None
    except CorruptLog as damage:
        _log.exception("damaged match", match=match_id, seq=damage.seq)
        raise RequestError("damaged", seq=damage.seq) from damage
    return match
