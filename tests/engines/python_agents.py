"""Agents in Python: correct ones, and all kinds of misbehaviour."""

from __future__ import annotations

import os
import random
import sys
import time
from typing import Any


class First:
    """Plays the legal action at a place, from 0."""

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def choose(self, state: Any) -> str:
        """Return the action."""
        return str(state.legal_actions[self.place])


class Random:
    """Plays random actions, and checks that its game was announced."""

    announced: Any = None

    def new_game(self, game: Any, seat: int) -> None:
        """Note the game and the seat."""
        self.announced = game, seat

    def choose(self, state: Any) -> str:
        """Return a random action."""
        assert self.announced[0] == state.game
        return str(random.choice(state.legal_actions))


class Prints:
    """Prints lines of the protocol, and reads from standard input."""

    def choose(self, state: Any) -> str:
        """Return the first action."""
        print("bestmove nonsense\nreadyok\n" * 1000)
        sys.stdin.read()
        os.write(1, b"bestmove nonsense\n")
        return str(state.legal_actions[0])


class Nonsense:
    """Answers with a value of JSON."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def choose(self, state: Any) -> Any:
        """Return the value."""
        return self.answer


class Raises:
    """Raises an exception."""

    def choose(self, state: Any) -> str:
        """Raise."""
        raise KeyError("no idea")


class Leaves:
    """Ends the interpreter."""

    def choose(self, state: Any) -> str:
        """End."""
        sys.exit("goodbye")


class Dies:
    """Ends the process."""

    def choose(self, state: Any) -> str:
        """End."""
        os._exit(3)


class Hangs:
    """Never answers."""

    def choose(self, state: Any) -> str:
        """Wait."""
        time.sleep(1000)
        return ""


class Closes:
    """Writes a file when it is closed."""

    def __init__(self, path: str) -> None:
        self.path = path

    def choose(self, state: Any) -> str:
        """Return the first action."""
        return str(state.legal_actions[0])

    def close(self) -> None:
        """Write the file."""
        with open(self.path, "w") as file:  # noqa: PTH123 - agents are plain code
            file.write("closed")


class Broken:
    """Cannot be created."""

    def __init__(self) -> None:
        raise RuntimeError("no weights")

    def choose(self, state: Any) -> str:
        """Return nothing."""
        return ""


class NoAgent:
    """Has no method choose."""
