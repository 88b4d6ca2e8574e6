"""The public run of 500 jobs, from its record and the other files that its authors published."""
