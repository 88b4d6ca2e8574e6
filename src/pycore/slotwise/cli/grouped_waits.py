"""``--by``: waits by group of jobs, as tables and as JSON."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from slotwise.replay.eligible_metrics import has_eligible
from slotwise.result.group_changes import changes_by
from slotwise.result.group_tables import changes_table, waits_table
from slotwise.result.job_groups import JobGroups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.result import Result
    from slotwise.text_table import TextTable


class GroupedWaits:
    """Waits by group of jobs in one or more replays of a trace; the first is the baseline.

    Jobs are grouped by their queues in the first replay, so that a group has the same jobs in every
    replay.
    """

    def __init__(
        self,
        results: dict[str, Result],
        by: str,
        threshold: int,
        trim: tuple[float, float],
        wait_from: str | None = None,
    ) -> None:
        self._results = results
        self._baseline, first = next(iter(results.items()))
        self._groups = JobGroups.of(first, by)
        self._from_eligible = wait_from == "eligible" and has_eligible(first.trace)
        self._metrics = {
            name: self._groups.metrics(result, threshold, trim, wait_from)
            for name, result in results.items()
        }
        self._changes = {
            name: changes_by(self._groups, first, result, from_eligible=self._from_eligible)
            for name, result in results.items()
            if name != self._baseline
        }

    def tables(self, *, whole: bool = False, columns: Sequence[str] = ()) -> list[TextTable]:
        """Lay out the baseline, then the winners and losers in every other replay.

        `columns` selects the metrics that are shown for the baseline.
        """
        baseline = self._metrics[self._baseline]
        waits = waits_table(self._groups, baseline, whole=whole, columns=columns)
        if self._changes:
            waits = replace(waits, title=f"{waits.title}: {self._baseline}")
        tables = [waits] + [
            changes_table(self._groups.by, changes, self._baseline, name, whole=whole)
            for name, changes in self._changes.items()
        ]
        if not self._from_eligible:
            return tables
        return [replace(table, title=f"{table.title}, from the eligible time") for table in tables]

    def as_json(self, name: str) -> dict[str, Any]:
        """Return every group of one replay, with its difference from the baseline."""
        changes = self._changes.get(name)
        return {
            "by": self._groups.by,
            "groups": [
                {
                    "label": label,
                    "metrics": self._metrics[name][i],
                    "wait_against_first": (
                        None
                        if changes is None
                        else asdict(changes[i].paired) | {"outcome": changes[i].outcome or None}
                    ),
                }
                for i, label in enumerate(self._groups.labels)
            ],
        }
