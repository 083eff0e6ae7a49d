"""The exit codes of the commands. Success is 0."""

FAILED = 1
"""The command failed."""

USAGE_ERROR = 2
"""The arguments are wrong."""

INTERRUPTED = 130
"""Ctrl-C or a termination signal ended the command."""
