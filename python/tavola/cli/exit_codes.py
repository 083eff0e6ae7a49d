"""The exit statuses of the commands, besides 0."""

FAILED = 1
"""What was asked for could not be done to its end."""

USAGE_ERROR = 2
"""The command is wrong."""

INTERRUPTED = 130
"""It was ended by Ctrl-C, or as by that."""
