"""The bot of `client_bot.py` with asyncio: it plays all its games side by side.

python async_client_bot.py https://games.example TOKEN 'https://games.example/match/ID#take=...'
"""

import asyncio
import random
import sys

from tavola.client import AsyncClient, Game


async def choose(game: Game) -> str:
    """Returns the action to play. A strategy that computes long can wait for its threads here."""
    return random.choice(game.state.legal_actions)


async def main(address: str, token: str, *links: str) -> None:
    """Takes the seats, and plays for ever."""
    async with AsyncClient(address, token) as client:
        for link in links:
            await client.accept(link)
        await client.run(choose)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
