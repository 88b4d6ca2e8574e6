"""Screen, tables, exit codes and input logs, shared by all commands."""
