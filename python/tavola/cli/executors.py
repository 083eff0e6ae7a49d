"""Parses where games run: in processes on this machine, or on a Ray cluster."""

from __future__ import annotations

from tavola.cli.errors import UsageError, parse_whole_number
from tavola.cli.locales import Translator
from tavola.executors import ClusterError, Executor, ProcessExecutor, RayExecutor

__all__ = ["MAX_PROCESSES", "open_executor"]

MAX_PROCESSES = 1024


def open_executor(
    translate: Translator,
    *,
    processes: str | None,
    cluster: str | None,
    name: str = "--processes",
    default: int = 1,
) -> Executor:
    """Return the executor of `--processes` and `--cluster`.

    Args:
        translate: The language of messages.
        processes: The given number of processes; the default is the CPUs of the cluster,
            or `default`.
        cluster: The address of a Ray cluster; `None` for this machine.
        name: The name of the option `processes`.
        default: The number of processes on this machine if none is given.

    Raises:
        UsageError: If the number is invalid, or the cluster cannot be used.
    """
    count = None
    if processes is not None:
        count = parse_whole_number(translate, name, processes, 1, MAX_PROCESSES)
    if cluster is None:
        return ProcessExecutor(count or default)
    try:
        return RayExecutor(cluster, count)
    except ClusterError as error:
        raise UsageError(translate, "cluster", detail=error) from None
