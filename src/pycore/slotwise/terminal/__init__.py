"""Screen, tables, exit codes and logs: what every command of the terminal shares."""
