"""The error for a framework that is not installed."""

from __future__ import annotations

__all__ = ["missing"]


def missing(framework: str, extra: str) -> ImportError:
    """Return the error for a framework that is not installed.

    Args:
        framework: The name of the framework.
        extra: The extra of Tavola that installs it.

    >>> print(missing("PettingZoo", "pettingzoo"))
    this needs PettingZoo; install it: pip install "tavola[pettingzoo]"
    """
    remedy = f'pip install "tavola[{extra}]"'
    return ImportError(f"this needs {framework}; install it: {remedy}", name=extra)
