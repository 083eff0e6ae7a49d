"""Finished matches, thought about again by processes of their own."""
