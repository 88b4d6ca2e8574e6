"""``--by`` and ``--wait-from``: checks before the replay, and notes after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slotwise.cli.shared_options import GROUPINGS, WAIT_FROM
from slotwise.replay.eligible_metrics import has_eligible
from slotwise.site.names import unknown_name
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from slotwise.result import Result


def check_grouping(by: str | None) -> None:
    """Refuse an unknown grouping.

    Raises
    ------
    UsageError
    """
    if by is not None and by not in GROUPINGS:
        raise UsageError(f"--by: {unknown_name('grouping', by, GROUPINGS)}")


def check_wait_from(wait_from: str | None) -> None:
    """Refuse any time except ``submit`` and ``eligible``.

    Raises
    ------
    UsageError
    """
    if wait_from is not None and wait_from not in WAIT_FROM:
        raise UsageError(f"--wait-from: {unknown_name('time', wait_from, WAIT_FROM)}")


def wait_notes(result: Result, wait_from: str | None) -> list[str]:
    """Return a note if ``--wait-from eligible`` had no effect on how waits are measured."""
    if wait_from != "eligible" or has_eligible(result.trace):
        return []
    return [
        "Waits are measured from the submit time, because no job in the log became eligible later."
    ]
