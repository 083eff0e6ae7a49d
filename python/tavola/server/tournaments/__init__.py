"""Tournaments: event logs that create ordinary matches."""
