"""Matches in memory: commands one at a time, clocks, engines and chat."""
