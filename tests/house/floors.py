"""Layers of the core and of the package, from top to bottom; no file uses a higher layer."""

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

# Packages in the same layer do not import one another.
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
