"""A bot with an account of its own that plays random actions in all its games.

    python client_bot.py https://games.example TOKEN 'https://games.example/match/ID#take=...'

TOKEN is an API token with the scopes read, play and challenge. The bot takes the seats of links.
"""

import random
import sys

from tavola.client import Client, Game


def choose(game: Game) -> str:
    """Returns the action to play. Put your own strategy here."""
    return random.choice(game.state.legal_actions)


def main(address: str, token: str, *links: str) -> None:
    """Takes the seats, and plays for ever."""
    with Client(address, token) as client:
        for link in links:
            client.accept(link)
        client.run(choose)


if __name__ == "__main__":
    main(*sys.argv[1:])
