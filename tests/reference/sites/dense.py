"""Draws cases with overlapping downtimes and checkpoints, on sites with and without pools."""

from __future__ import annotations

from random import Random

from reference.sites.drawing import SiteCase, draw_case

# Features in addition to downtimes; half of the entries add pools.
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
    """Draw the case for a seed; half of the seeds give sites with pools."""
    return draw_case(Random(seed), "absences", *BESIDE[seed % len(BESIDE)])
