"""Tests of games written in Python."""
