"""Watching: the public matches that are being played now, and a channel of each game."""
