"""Random crash times, drawn by inversion.

Each draw uses the upper 53 bits of a number from Vigna's SplitMix64
(https://prng.di.unimi.it/splitmix64.c). Logarithms are computed to forty digits.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.sites.values import Crashes

MASK = (1 << 64) - 1


def splitmix64(seed: int) -> Iterator[int]:
    state = seed & MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def gaps(crashes: Crashes) -> Iterator[int]:
    """Yield the times between successive crashes, rounded up to seconds."""
    assert crashes.mean is not None
    for bits in splitmix64(crashes.seed):
        with localcontext() as context:
            context.prec = 40
            u = Decimal(bits >> 11) / Decimal(1 << 53)
            gap = -(1 - u).ln()
            if crashes.law == "weibull" and gap > 0:
                gap = gap ** (1 / Decimal(crashes.shape))
            yield max(1, math.ceil(gap * Decimal(crashes.mean)))


def crash_times(crashes: Crashes, first_submit: int) -> Iterator[int]:
    """Return the instants of all crashes; the series is endless if they are random."""
    if crashes.law is None:
        yield from sorted(set(crashes.times))
        return
    works_from = first_submit
    for gap in gaps(crashes):
        yield works_from + gap
        works_from += gap + crashes.repair
