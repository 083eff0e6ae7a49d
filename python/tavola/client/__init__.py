"""A client of Tavola servers for programs: challenges, events, games and chat.

`Client` blocks, `AsyncClient` does not; they have the same methods. Both sign in with an API token,
repeat what a lost connection interrupts, and raise `ServerError` for what the server rejects.
"""

from tavola.client.async_client import AsyncClient
from tavola.client.errors import ServerError, Unreachable
from tavola.client.game import Game, NewGame, WaitingGame
from tavola.client.sync_client import Client
from tavola.server.schema.account_stream import (
    AccountMessage,
    AccountStateMessage,
    GameEndMessage,
    GameStartMessage,
    GameTurnMessage,
    NotificationMessage,
)

__all__ = [
    "AccountMessage",
    "AccountStateMessage",
    "AsyncClient",
    "Client",
    "Game",
    "GameEndMessage",
    "GameStartMessage",
    "GameTurnMessage",
    "NewGame",
    "NotificationMessage",
    "ServerError",
    "Unreachable",
    "WaitingGame",
]
