"""Instants at which PriorityUsageResetPeriod clears usage, on the local clock."""

from __future__ import annotations

import datetime

DAY = datetime.timedelta(days=1)


def next_reset(period: str, after: datetime.datetime) -> datetime.datetime | None:
    """Return the first reset after an instant; None if the period is NONE."""
    midnight = after.replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "DAILY":
        return midnight + DAY
    if period == "WEEKLY":  # on Sundays; weekday() is 0 on Mondays
        return midnight + DAY * (7 - (midnight.weekday() + 1) % 7)
    months = {"MONTHLY": 1, "QUARTERLY": 3, "YEARLY": 12}.get(period)
    if months is None:
        return None
    first = midnight.replace(day=1)
    ahead = (first.month - 1) // months * months + months
    return first.replace(year=first.year + ahead // 12, month=ahead % 12 + 1)
