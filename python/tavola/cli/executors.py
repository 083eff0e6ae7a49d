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
    jobs: str | None,
    cluster: str | None,
    default: int | None = 1,
) -> Executor:
    """Return the executor of `--jobs` and `--cluster`.

    Args:
        translate: The language of messages.
        jobs: The given number of games in parallel; the default is the CPUs of the cluster,
            or `default`.
        cluster: The address of a Ray cluster; `None` for this machine.
        default: The number of games in parallel on this machine if none is given; `None` is a
            process for each processor.

    Raises:
        UsageError: If the number is invalid, or the cluster cannot be used.
    """
    count = None
    if jobs is not None:
        count = parse_whole_number(translate, "--jobs", jobs, 1, MAX_PROCESSES)
    if cluster is None:
        return ProcessExecutor(count or default)
    try:
        return RayExecutor(cluster, count)
    except ClusterError as error:
        raise UsageError(translate, "cluster", detail=error) from None
