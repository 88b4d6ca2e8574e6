"""Arguments and options of each command."""
