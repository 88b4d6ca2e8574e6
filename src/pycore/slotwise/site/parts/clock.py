"""The machine's clock, which converts seconds of the trace to dates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from slotwise.site.parts import readers
from slotwise.site.parts.part import SitePart
from slotwise.site.parts.times import date_of, offset_of

if TYPE_CHECKING:
    from datetime import date, datetime, timedelta


@dataclass(frozen=True, slots=True)
class Clock(SitePart):
    """The date of time 0 and the offset of the machine's clock, for traces that do not state them.

    Parameters
    ----------
    start : date, optional
        Date of the trace's time 0, if its header has no UnixStartTime.
    utc_offset : str or timedelta, optional
        Offset of the machine's clock, fixed for the whole replay, such as ``"-05:00"``. Default:
        the offset in `start`, if it has one; otherwise the header's zone at UnixStartTime, or UTC.

    Raises
    ------
    SiteError
        For invalid fields; the message names all of them.
    """

    start: str | date | datetime | None = None
    utc_offset: str | timedelta | None = None

    READERS: ClassVar = {
        "start": readers.optional(date_of),
        "utc_offset": readers.optional(offset_of),
    }
