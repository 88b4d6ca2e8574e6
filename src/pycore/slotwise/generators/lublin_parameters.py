"""The published parameters of Lublin and Feitelson's model, and their scaling to a machine."""

from __future__ import annotations

import math
from dataclasses import dataclass

# The longest run time (45 h) and the longest gap between arrivals (5 days), as the natural log of
# seconds. The run time is from the authors' program.
LONGEST_RUN = 12.0
LONGEST_GAP = 13.0

# Processors of the machine for which the job sizes were published.
FITTED_MACHINE = 128


@dataclass(frozen=True)
class Parameters:
    """One column of the paper's table of parameters, with the names used there.

    `uhi` and `umed` are subtracted from log2 of the machine's processors.
    """

    serial: float
    pow2: float
    ulow: float
    umed: float
    uhi: float
    uprob: float
    a1: float
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    aarr: float
    barr: float
    anum: float
    bnum: float
    arar: float


# The parameters in the paper, for a machine of 2**7 nodes. The values are those in the authors'
# program (lublin99.c, Parallel Workloads Archive).
PARAMETERS = {
    "batch": Parameters(
        serial=0.2927, pow2=0.6686, ulow=1.2, umed=2.0, uhi=0.0, uprob=0.875,
        a1=6.57, b1=0.823, a2=639.1, b2=0.0156, pa=-0.003, pb=0.6986,
        aarr=6.0415, barr=0.8531, anum=6.1271, bnum=5.2740, arar=1.0519,
    ),
    "interactive": Parameters(
        serial=0.1541, pow2=0.625, ulow=1.0, umed=4.0, uhi=1.5, uprob=0.705,
        a1=3.8351, b1=0.6605, a2=7.073, b2=0.6856, pa=-0.0118, pb=0.9156,
        aarr=6.5510, barr=0.6621, anum=8.9186, bnum=3.6680, arar=0.9797,
    ),
    "all": Parameters(
        serial=0.244, pow2=0.576, ulow=0.8, umed=2.5, uhi=0.0, uprob=0.86,
        a1=4.2, b1=0.94, a2=312.0, b2=0.03, pa=-0.0054, pb=0.78,
        aarr=10.2303, barr=0.4871, anum=8.1737, bnum=3.9631, arar=1.0225,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Sizes:
    """Bounds of the two-stage uniform distribution of log2 processors."""

    low: float
    medium: float
    high: float
    small: float


def size_bounds(known: Parameters, processors: int, scaled: bool) -> Sizes:
    """Return the size distribution for a machine.

    The paper gives ranges for the parameters that depend on the machine: UMed 1.5 to 3.5 below UHi,
    UProb 0.7 to 0.95. With `scaled`, UMed and UProb change linearly with log2 of the processors.
    They have the fitted values at 128 processors. At 2**15 processors, each reaches the end of
    its range that gives smaller jobs. Jobs on a larger machine thus take a smaller share of it.
    """
    machine = math.log2(processors)
    large = min(max((machine - math.log2(FITTED_MACHINE)) / 8, 0.0), 1.0) if scaled else 0.0
    step, uprob = known.umed - known.uhi, known.uprob
    step += (3.5 - step) * large
    uprob += (0.95 - uprob) * large
    high = max(machine - known.uhi, 0.0)
    low = min(known.ulow, high)
    return Sizes(low, max(high - step, low), high, uprob)


def long_jobs_slope(known: Parameters, processors: int, scaled: bool) -> float:
    """Return how much one more processor changes the probability that a job is short.

    With `scaled`, processors are counted in 128ths of the machine. Without scaling, every job of
    more than 233 processors would be long, however large the machine.
    """
    return known.pa * (min(1.0, FITTED_MACHINE / processors) if scaled else 1.0)
