"""What whoever runs the server sees and sets: its journal, its meters, its limits."""
