"""Archives of played games, and what was played in a position.

>>> import tavola.archive
>>> games = tavola.archive.archive("potlatch")
>>> games.record(0).tag("Game")
'potlatch'
"""

from tavola.archive.archive import Archive, ArchiveError, PlayedGame, archive, parse

__all__ = ["Archive", "ArchiveError", "PlayedGame", "archive", "parse"]
