"""The public run of 500 jobs, from its record and the rest of what its authors published."""
