"""One address in front of several servers, as a balancer is: for tests, and no more than TCP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count


class Proxy:
    """Passes each connection on to the next server that takes it.

    Args:
        ports: Where the servers are, on this machine.
    """

    def __init__(self, ports: list[int]) -> None:
        self._ports = ports
        self._next = count()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Takes no more connections, and ends those that there are."""
        _end(self._listening)
        self._threads[0].join()
        for end in self._ends:
            _end(end)
        for thread in self._threads[1:]:
            thread.join()
        for each in (self._listening, *self._ends):
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self._ends.append(near)
            far = self._connect()
            if far is None:
                _end(near)
                continue
            self._ends.append(far)
            for one, other in ((near, far), (far, near)):
                passing = threading.Thread(target=_pass_on, args=(one, other))
                self._threads.append(passing)
                passing.start()

    def _connect(self) -> socket.socket | None:
        first = next(self._next)
        for number in range(len(self._ports)):
            port = self._ports[(first + number) % len(self._ports)]
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", port))
        return None


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    _end(one)
    _end(other)


def _end(one: socket.socket) -> None:
    """Wake the thread that waits for a socket."""
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(ports: list[int]) -> Iterator[Proxy]:
    running = Proxy(ports)
    try:
        yield running
    finally:
        running.close()
