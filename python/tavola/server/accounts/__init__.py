"""Accounts, passwords, seat tokens and ratings."""
