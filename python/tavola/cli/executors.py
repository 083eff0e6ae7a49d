"""Parses where games run: in processes on this machine, or on a Ray cluster."""

from __future__ import annotations

from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.executors import ClusterError, Executor, ProcessExecutor, RayExecutor


def open_executor(
    translate: Translator,
    *,
    jobs: int | None,
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
        UsageError: If the cluster cannot be used.
    """
    if cluster is None:
        return ProcessExecutor(jobs or default)
    try:
        return RayExecutor(cluster, jobs)
    except ClusterError as error:
        raise UsageError(translate, "cluster", detail=error) from None
