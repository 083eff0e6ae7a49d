"""Measurements: speed against peers, strength against simple players."""
