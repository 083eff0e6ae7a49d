"""Executors: tasks such as games, in processes on this machine or on a Ray cluster."""

from tavola.executors.executor import Begin, Executor, WorkerProcessDied
from tavola.executors.ordered import run_in_order
from tavola.executors.processes import ProcessExecutor
from tavola.executors.ray_cluster import ClusterError, RayExecutor

__all__ = [
    "Begin",
    "ClusterError",
    "Executor",
    "ProcessExecutor",
    "RayExecutor",
    "WorkerProcessDied",
    "run_in_order",
]
