"""A grid file for sweeps of the log of ten jobs: six points."""

GRID = """
trace = "log.swf"
[grid]
"policy.backfill" = ["none", "easy", "first-fit"]
"policy.order" = ["fcfs", "sjf"]
"""
