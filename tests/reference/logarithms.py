"""Correctly rounded logarithms, computed to forty digits and then rounded once."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from functools import cache


@cache
def _log(x: float, base: int | None) -> float:
    if x <= 0 or math.isinf(x):
        return x if x > 0 else -math.inf if x == 0 else math.nan
    with localcontext() as context:
        context.prec = 40
        whole = Decimal(x).ln()
        return float(whole if base is None else whole / Decimal(base).ln())


def log10(x: float) -> float:
    return _log(x, 10)


def log2(x: float) -> float:
    return _log(x, 2)


def natural_log(x: float) -> float:
    return _log(x, None)
