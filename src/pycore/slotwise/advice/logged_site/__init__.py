"""The machine, queues and limits inferred from a log, as a site file with the evidence."""
