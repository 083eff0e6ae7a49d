"""A child process is heard to its end."""

import threading
import time

from tavola.child_process import ChildProcess


def test_what_it_said_last_is_read_after_its_end() -> None:
    """A traceback is longer than the reader is quick."""
    errors: list[bytes] = []
    done = threading.Event()

    def on_line(line: bytes | None) -> None:
        if line is not None:
            done.set()

    def on_error_line(line: bytes | None) -> None:
        if line is not None:
            time.sleep(0.002)
            errors.append(line.strip())

    script = "for i in 1 2 3 4 5 6 7 8; do echo $i >&2; done; echo done; sleep 60"
    child = ChildProcess(["sh", "-c", script], on_line, on_error_line)
    assert done.wait(10)
    child.close()
    assert errors == [str(number).encode() for number in range(1, 9)]
