"""Work of each command."""
