"""What Tavola is measured by: speed against peers, strength against simple players."""
