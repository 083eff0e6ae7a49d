"""The folder of a training run: every file is written completely or not at all."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from tavola.atomic_write import atomic_write
from tavola.errors import Message, TavolaError
from tavola.train.history import RoundReport
from tavola.train.plan import Plan

if sys.platform != "win32":
    import fcntl

__all__ = ["RunFolder", "RunFolderError"]

_T = TypeVar("_T")


class RunFolderError(TavolaError):
    """The folder of a run cannot be used: a file is damaged, or another process uses it."""


class RunFolder:
    """The files of a run.

    - `plan.json`: the settings.
    - `history.json`: the finished rounds. A round counts as finished once it is listed there.
    - `samples/N.npz`: the samples of round N.
    - `learning/N.npz`: the state of the optimizer after round N.
    - `networks/N.net`: the networks that passed the gate, after round N.
    - `best.net`: the newest of them.
    - `index.html`: the page that shows the progress.

    Attributes:
        path: The path of the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def page(self) -> Path:
        """The path of the page."""
        return self.path / "index.html"

    @property
    def best(self) -> Path:
        """The path of the best network."""
        return self.path / "best.net"

    def network(self, number: int) -> Path:
        """Return the path of the network of a round."""
        return self.path / "networks" / f"{number:05}.net"

    def samples(self, number: int) -> Path:
        """Return the path of the samples of a round."""
        return self.path / "samples" / f"{number:05}.npz"

    def learning(self, number: int) -> Path:
        """Return the path of the optimizer's state after a round."""
        return self.path / "learning" / f"{number:05}.npz"

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Make the folder and lock it during the block. Windows does not support the lock.

        Yields:
            None, while the folder is locked.

        Raises:
            RunFolderError: If another process has locked it.
            OSError: If it cannot be written.
        """
        for name in ("samples", "learning", "networks"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("ab") as file:
            if sys.platform != "win32":
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    fault = Message("another `tavola` command is writing to it")
                    raise self._wrong(self.path, fault) from None
            yield

    def plan(self) -> Plan | None:
        """Return the plan of a begun run, or `None`.

        Raises:
            RunFolderError: If the file is damaged.
            OSError: If the file cannot be read.
        """
        path = self.path / "plan.json"
        return self._read(path, Plan) if path.exists() else None

    def agree(self, plan: Plan) -> None:
        """Write the plan of a new run, or check that of a begun one.

        Raises:
            RunFolderError: If the plan is not that of the run, or the file is damaged.
            OSError: If the file cannot be read or written.
        """
        path, begun = self.path / "plan.json", self.plan()
        if begun is None:
            atomic_write(path, msgspec.json.format(msgspec.json.encode(plan)) + b"\n")
            return
        for name in Plan.__struct_fields__:
            old, new = getattr(begun, name), getattr(plan, name)
            if old != new:
                fault = Message(
                    "the run has {name} {old}, not {new}; choose another folder",
                    name=name,
                    old=old,
                    new=new,
                )
                raise self._wrong(path, fault)

    def history(self) -> list[RoundReport]:
        """Return the finished rounds.

        Raises:
            RunFolderError: If the file is damaged.
            OSError: If the file cannot be read.
        """
        path = self.path / "history.json"
        return self._read(path, list[RoundReport]) if path.exists() else []

    def write_history(self, history: list[RoundReport]) -> None:
        """Write the finished rounds.

        Raises:
            OSError: If the file cannot be written.
        """
        atomic_write(self.path / "history.json", msgspec.json.encode(history) + b"\n")

    def damaged(self, path: Path, error: Exception) -> RunFolderError:
        """Return the error of a damaged file."""
        return self._wrong(path, Message("the file is damaged: {error}", error=error))

    def outdated(self) -> RunFolderError:
        """Return the error of a run whose features the game's evaluation no longer has."""
        fault = Message("the game's evaluation has other features now; choose another folder")
        return self._wrong(self.path / "plan.json", fault)

    def prune(self, first: int, newest: int) -> None:
        """Delete samples that are no longer needed, old states, and what a crash left behind.

        Args:
            first: The first round whose samples are needed.
            newest: The newest finished round.
        """
        for path in self.path.rglob(".*"):
            path.unlink()
        for folder, needed in (("samples", first), ("learning", newest)):
            for path in (self.path / folder).glob("*.npz"):
                if int(path.stem) < needed:
                    path.unlink()

    def _read(self, path: Path, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except msgspec.DecodeError as error:
            raise self.damaged(path, error) from None

    def _wrong(self, path: Path, fault: str) -> RunFolderError:
        return RunFolderError(Message("{path}: {fault}", path=path, fault=fault))
