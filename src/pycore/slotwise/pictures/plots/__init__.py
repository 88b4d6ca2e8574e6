"""Charts of schedules, one kind per module, on matplotlib Axes."""
