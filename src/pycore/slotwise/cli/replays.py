"""The replays that commands run, with a progress bar, and the metrics of these replays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.simulation import simulate
from slotwise.terminal import screen
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from slotwise.result import Result
    from slotwise.site import Site
    from slotwise.trace import Trace


def replay(trace: Trace, site: Site, label: str) -> Result:
    """Replay a trace; on a terminal, show a progress bar with the label."""
    with screen.progress(label) as advance:
        return simulate(trace, site, progress=advance)


def measured(result: Result, threshold: int, trim: tuple[float, float]) -> dict[str, float]:
    """Compute the metrics; trimming the whole span is a usage error."""
    try:
        return result.metrics(threshold=threshold, trim=trim)
    except ValueError as fault:
        raise UsageError(f"--trim: {fault}") from None
