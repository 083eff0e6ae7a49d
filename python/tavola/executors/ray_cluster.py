"""Runs tasks on the machines of a Ray cluster (extra `tavola[cluster]`)."""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Generic

from tavola._core import Stop
from tavola.custom.registry import register, registered
from tavola.errors import Message, TavolaError, quoted
from tavola.executors.executor import MAX_ATTEMPTS, Begin, C, Executor, G, Task

__all__ = ["ClusterError", "RayExecutor"]

CONNECT_SECONDS = 5.0
LEAVE_SECONDS = 5.0

LOCAL = ("localhost", "127.0.0.1", "::1")
"""The hosts for which Ray uses the address of this machine in its network."""

SETTINGS = b"\x04"
FRAME_HEADER = 9
HTTP_2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + SETTINGS + b"\0" * 5
"""The beginning of HTTP/2, the basis of gRPC. The server answers with a frame of settings."""

CLIENT = "ray://"
"""The prefix of the address of a Ray client server."""


class ClusterError(TavolaError):
    """A Ray cluster cannot be used.

    Attributes:
        address: The address of the cluster.
        reason: What is wrong, and what to do.
    """

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address = address
        self.reason = reason

    def __str__(self) -> str:
        return Message(
            "cannot use the Ray cluster at {address}: {reason}",
            address=quoted(self.address),
            reason=self.reason,
        )


class RayExecutor(Executor):
    """Runs tasks on the machines of a Ray cluster, one task per CPU.

    Every machine needs the same version of Tavola. If a machine or a process fails, its tasks run
    again on another one. A program that has called `ray.init` uses the cluster of that call.

    Args:
        address: `HOST:PORT` of the head node, if this machine is part of the cluster, or
            `ray://HOST:10001`.
        processes: The number of processes; the default is the number of CPUs of the cluster.

    Raises:
        ClusterError: If Ray is not installed, or the cluster cannot be reached.
    """

    def __init__(self, address: str, processes: int | None = None) -> None:
        self.address = address
        host, port = _parse(address)
        self._ray = ray = _import_ray(address)
        self._connected = not ray.is_initialized()
        with _handlers_restored():
            try:
                if self._connected:
                    # Ray itself would try for minutes.
                    host = ray.util.get_node_ip_address() if host in LOCAL else host
                    _check_server(address, host, port)
                    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
                cpus = int(ray.cluster_resources().get("CPU", 0))
            except ClusterError:
                raise
            except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
                self.close()
                raise ClusterError(address, " ".join(str(error).split())) from None
        if cpus == 0:
            self.close()
            raise ClusterError(address, Message("it has no CPUs"))
        self.processes = processes or cpus

    def run(self, begin: Begin[G, C], tasks: Iterable[tuple[int, G]]) -> Generator[C]:
        """Run tasks on the cluster.

        Args:
            begin: The set-up of every process.
            tasks: The tasks with their numbers.

        Yields:
            The results, in the order in which the tasks end.

        Raises:
            WorkerProcessDied: If three processes exit during the same task.
            TavolaError: If a task raises it.
            ClusterError: If the machines of the cluster cannot start a worker.
        """
        crew = _Crew(self._ray, self.address, begin)
        left = (Task(number, task) for number, task in tasks)
        waiting = deque(itertools.islice(left, self.processes))
        try:
            for _ in waiting:
                crew.hire()
            while waiting or crew.running:
                while waiting and crew.idle:
                    crew.give(waiting.popleft())
                for task, result in crew.finished():
                    if result is _DIED:
                        task.survive()
                        waiting.append(task)
                        continue
                    if (following := next(left, None)) is not None:
                        waiting.append(following)
                    yield result
        finally:
            crew.leave()

    def close(self) -> None:
        """Disconnect from the cluster, unless the program was connected to it before."""
        if self._connected:
            self._ray.shutdown()


_DIED = object()
"""The answer of a worker that has died."""


class _Crew(Generic[G, C]):
    """The workers of a run.

    Args:
        ray: The module.
        address: The address of the cluster, for errors.
        begin: The set-up of every worker.
    """

    def __init__(self, ray: Any, address: str, begin: Begin[G, C]) -> None:
        self._ray = ray
        self._address = address
        # A worker answers `work` while `leave` is called.
        self._worker = ray.remote(num_cpus=1, max_concurrency=2, max_restarts=0)(_Worker)
        self._begin = begin
        self._games = _pickled(ray.cloudpickle, registered())
        self._starting: dict[Any, Any] = {}
        self._running: dict[Any, tuple[Any, Task[G]]] = {}
        self._failed_starts = 0
        self.idle: list[Any] = []

    @property
    def running(self) -> bool:
        """Whether a task runs."""
        return bool(self._running)

    def hire(self) -> None:
        """Start a worker. It is idle after it has started, which takes a free CPU."""
        from tavola import __version__

        worker = self._worker.remote()
        expected = self._address, __version__
        starting = worker.start.remote(self._begin, self._games, str(Path.cwd()), expected)
        self._starting[starting] = worker

    def give(self, task: Task[G]) -> None:
        """Send a task to an idle worker."""
        worker = self.idle.pop()
        self._running[worker.work.remote(task.task)] = worker, task

    def finished(self) -> Iterator[tuple[Task[G], Any]]:
        """Wait for an answer; yield the finished task with its result, or with `_DIED`.

        Raises:
            ClusterError: If no worker can be started.
            TavolaError: If the task raised it.
        """
        (first, *_), _ = self._ray.wait([*self._running, *self._starting], num_returns=1)
        errors = self._ray.exceptions
        try:
            result, detail = self._ray.get(first), ""
        except (errors.RayActorError, errors.WorkerCrashedError, errors.OutOfMemoryError) as error:
            result, detail = _DIED, " ".join(str(error).split())
        if isinstance(result, TavolaError):
            raise result
        if first in self._starting:
            self._on_started(self._starting.pop(first), result, detail)
            return
        worker, task = self._running.pop(first)
        if result is _DIED:
            self.hire()
        else:
            self.idle.append(worker)
        yield task, result

    def _on_started(self, worker: Any, result: Any, detail: str) -> None:
        if result is not _DIED:
            self._failed_starts = 0
            self.idle.append(worker)
            return
        self._failed_starts += 1
        if self._failed_starts < MAX_ATTEMPTS:
            self.hire()
        elif not (self.idle or self._running or self._starting):
            reason = Message(
                "its machines cannot start a worker; check that Tavola is installed on each: "
                "{detail}",
                detail=detail,
            )
            raise ClusterError(self._address, reason)

    def leave(self) -> None:
        """Stop the running tasks and end the workers."""
        running = (worker for worker, _ in self._running.values())
        workers = [*self.idle, *running, *self._starting.values()]
        if workers and self._ray.is_initialized():
            # Otherwise the programs of their engines would outlive killed workers.
            leaving = [worker.leave.remote() for worker in workers]
            self._ray.wait(leaving, num_returns=len(leaving), timeout=LEAVE_SECONDS)
            for worker in workers:
                self._ray.kill(worker)


class _Worker:
    """A process of the cluster. Its methods run in threads."""

    def __init__(self) -> None:
        self._stop = Stop()
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._run: Callable[[Any], Any] | None = None

    def start(
        self, begin: Begin[Any, Any], games: bytes, folder: str, expected: tuple[str, str]
    ) -> TavolaError | None:
        """Set up the process.

        Args:
            begin: The set-up.
            games: The pickled classes of games in Python.
            folder: The current folder of the command, used if this machine has it too.
            expected: The address of the cluster, and the version of Tavola that it needs.

        Returns:
            The error of the set-up, if there is one.
        """
        from tavola import __version__

        address, version = expected
        if __version__ != version:
            reason = Message(
                "the machine {host} has Tavola {theirs}, but this one has {version}",
                host=socket.gethostname(),
                theirs=__version__,
                version=version,
            )
            return ClusterError(address, reason)
        with contextlib.suppress(OSError):
            os.chdir(folder)
        with self._lock:
            if self._stop.is_set():  # `leave` came first
                return None
            try:
                for rules in pickle.loads(games):
                    register(rules)
                self._run = self._stack.enter_context(begin(self._stop))
            except TavolaError as error:
                return error
        return None

    def work(self, task: Any) -> Any:
        """Return the result of a task, or the error that it raised."""
        assert self._run is not None
        with self._lock:
            try:
                return self._run(task)
            except TavolaError as error:
                return error

    def leave(self) -> None:
        """Stop the running task, and clean up after it."""
        self._stop.set()
        with self._lock:
            self._stack.close()


def _pickled(cloudpickle: Any, games: tuple[type, ...]) -> bytes:
    """Return the pickled classes of games, with the code of their modules."""
    names = {rules.__module__ for rules in games} - {"__main__"}
    modules = [sys.modules[name] for name in names if name in sys.modules]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        pickled: bytes = cloudpickle.dumps(games)
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)
    return pickled


def _import_ray(address: str) -> Any:
    """Import Ray.

    Raises:
        ClusterError: If it is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        reason = Message("Ray is not installed; install it: pip install tavola[cluster]")
        raise ClusterError(address, reason) from None
    return ray


def _parse(address: str) -> tuple[str, int]:
    """Return the host and the port of an address.

    Raises:
        ClusterError: If the text is not an address.
    """
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and host and port.isascii() and port.isdigit() and int(port) < 65536):
        reason = Message("its address has the form HOST:PORT or ray://HOST:PORT")
        raise ClusterError(address, reason)
    return host.strip("[]"), int(port)


def _check_server(address: str, host: str, port: int) -> None:
    """Check that a server that speaks gRPC, as Ray does, listens at an address.

    Raises:
        ClusterError: If there is none.
    """
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS) as connection:
            if os.environ.get("RAY_USE_TLS", "0") not in ("", "0"):
                return
            connection.settimeout(CONNECT_SECONDS)
            connection.sendall(HTTP_2_PREFACE)
            answer = connection.recv(FRAME_HEADER)
    except TimeoutError:
        answer = b""
    except OSError as error:
        reason = Message(
            "no connection to {host}:{port} ({error}); start the head node: "
            "ray start --head --port={port}",
            host=host,
            port=port,
            error=error.strerror or error,
        )
        raise ClusterError(address, reason) from None
    if answer[3:4] != SETTINGS:
        raise ClusterError(address, Message("the program at this address is not Ray"))


@contextlib.contextmanager
def _handlers_restored() -> Iterator[None]:
    """Restore the signal handlers that Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
