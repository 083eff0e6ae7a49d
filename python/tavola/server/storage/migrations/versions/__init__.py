"""One change of the schema per file."""
