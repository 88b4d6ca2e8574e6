"""Files of jobs and of machines, in and out."""
