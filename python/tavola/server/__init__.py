"""The server: matches kept for good, told to every viewer. See `docs/server.md` for what it says."""
