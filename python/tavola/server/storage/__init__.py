"""The database: matches and their logs, written by one thread."""
