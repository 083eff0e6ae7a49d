"""Pairings by format: pure functions."""
