"""The instants at which ``usage_reset``, a parameter of the ``multifactor`` order, clears usage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from slotwise.site.dates import dates_of

if TYPE_CHECKING:
    from slotwise.replay.replay_data import ReplayData

_MONTHS = {"monthly": 1, "quarterly": 3, "yearly": 12}
_LONG_AGO = -(2**62)


def last_reset(data: ReplayData, period: str, now: int) -> int:
    """Return the last reset at or before `now`, or a very early time if there was none."""
    dates = dates_of(data.trace, data.site.clock)
    if period == "none" or dates is None:
        return _LONG_AGO
    epoch = dates.epoch + dates.offset  # on the local clock
    local = datetime.fromtimestamp(now + epoch, UTC)
    day = local.replace(hour=0, minute=0, second=0, microsecond=0)
    if period == "weekly":  # the reset is on Sunday
        day -= timedelta(days=(day.weekday() + 1) % 7)
    elif period in _MONTHS:
        months = _MONTHS[period]
        day = day.replace(day=1, month=(day.month - 1) // months * months + 1)
    return int(day.timestamp()) - epoch
