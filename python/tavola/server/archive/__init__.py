"""The archive of the server: finished matches and their positions."""
