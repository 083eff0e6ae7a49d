"""Requests, responses, validation, errors and locale of the server's API."""
