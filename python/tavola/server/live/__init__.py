"""Matches that are open now: one command at a time, decided, stored and told."""
