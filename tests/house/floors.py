"""Floors of the core and of the package, from top to bottom; no include or import goes up."""

CORE = (
    "sweep",
    "metrics",
    "decisions",
    "engine",
    "planner",
    "queue",
    "admission",
    "estimates",
    "order",
    "availability",
    "replay",
    "site",
    "machine",
    "workload",
    "containers",
    "numeric",
    "",  # files at the root of the core
)

# Packages on one floor do not import one another.
PACKAGE = (
    ("cli",),
    ("studies",),
    ("terminal",),
    ("advice",),
    ("rl", "sweeps"),
    ("generators", "simulation"),
    ("executors",),
    ("result",),
    ("explain", "pictures", "report", "slurm"),
    ("formats",),
    ("replay",),
    ("site",),
    ("trace",),
    ("",),  # modules at the root of the package
)
