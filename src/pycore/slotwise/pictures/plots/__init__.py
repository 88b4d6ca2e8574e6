"""Charts of schedules, drawn on matplotlib Axes."""
