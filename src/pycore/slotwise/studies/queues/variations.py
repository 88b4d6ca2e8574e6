"""Our own choices, changed one at a time, for the sensitivity run."""

from __future__ import annotations

from typing import Any

VARIATIONS: dict[str, dict[str, Any]] = {
    "band 1.5": {"band": 1.5},
    "band 4": {"band": 4.0},
    "sizes adjacent as printed": {"adjacency": 0},
    "half the running jobs": {
        "running": {"idqueue": 10, "small": 12, "small72": 7, "medium": 3, "large": 1}
    },
    "twice the running jobs": {
        "running": {"idqueue": 40, "small": 48, "small72": 28, "medium": 10, "large": 2}
    },
    "half the threshold": {"threshold_share": 0.25},
    "twice the threshold": {"threshold_share": 1.0},
    "another slack": {"slack": 0.25},
}
"""Changes of `Parameters` by name."""

NOT_DECIDING = frozenset({"running", "classes", "partitions", "slowdown"})
"""Parameters that only the strategies read which decide nothing by month."""
