"""Changes to this study's own choices, one at a time, for the sensitivity run."""

from __future__ import annotations

from typing import Any

AS_PRINTED = "sizes adjacent as printed"
"""The variation for which the comparison with the paper is repeated."""

VARIATIONS: dict[str, dict[str, Any]] = {
    "band 1.5": {"band": 1.5},
    "band 4": {"band": 4.0},
    AS_PRINTED: {"adjacency": 0},
    "priorities 5 to 1": {"priorities": (5.0, 4.0, 3.0, 2.0, 1.0)},
    "priorities 1, 2, 4, 8, 16": {"priorities": (1.0, 2.0, 4.0, 8.0, 16.0)},
    "half the limits on running jobs": {
        "running": {"idqueue": 10, "small": 12, "small72": 7, "medium": 3, "large": 1}
    },
    "twice the limits on running jobs": {
        "running": {"idqueue": 40, "small": 48, "small72": 28, "medium": 10, "large": 2}
    },
    "half the threshold": {"threshold_share": 0.25},
    "twice the threshold": {"threshold_share": 1.0},
    "another slack": {"slack": 0.25},
}
"""Changes to `Parameters`, by name."""


def variations_for(n_queues: int) -> dict[str, dict[str, Any]]:
    """Return the variations that apply to a site with this number of queues."""
    return {
        name: change
        for name, change in VARIATIONS.items()
        if len(change.get("priorities", ())) in (0, n_queues)
    }


NOT_DECIDING = frozenset({"running", "classes", "partitions", "slowdown"})
"""Parameters used only by strategies that are the same in every month."""
