"""Logging, metrics and rate limits."""
