"""The work of `tavola admin`."""
