"""Tests of the Live page."""
