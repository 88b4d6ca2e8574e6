"""The machine, queues and limits that a log shows, as a site file with the evidence."""
