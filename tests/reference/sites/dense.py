"""Dense cases: absences that overlap, and checkpoints, on sites with pools and without."""

from __future__ import annotations

from random import Random

from reference.sites.drawing import SiteCase, draw_case

# Features beside the absences; half of them bring pools.
BESIDE = (
    (),
    ("pools",),
    ("queues",),
    ("pools", "queues", "limits"),
    (),
    ("spanning", "starvation"),
    ("reservations",),
    ("pools", "reservations"),
    ("dependencies",),
    ("thresholds",),
    ("hours",),
    ("pools", "hours", "dependencies"),
)


def dense_case(seed: int) -> SiteCase:
    """Draw the case of a seed; of twelve in a row six have pools."""
    return draw_case(Random(seed), "absences", *BESIDE[seed % len(BESIDE)])
