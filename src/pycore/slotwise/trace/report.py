"""Report on reading a log: lines repaired, dropped and rejected, by reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slotwise._core import fault_infos

if TYPE_CHECKING:
    from collections.abc import Iterable

_INFOS = {name: (kind, rule) for name, kind, rule in fault_infos()}
KINDS = ("repaired", "dropped", "rejected", "note")


@dataclass(frozen=True)
class ReadingFault:
    """One reason and how often it occurred.

    Attributes
    ----------
    reason : str
        Its name, such as ``"negative_run_time"``.
    kind : str
        ``"repaired"`` (the job is used, a value was replaced), ``"dropped"`` (the line is not part
        of the trace), ``"rejected"`` (the job is part of the trace but cannot run on the header's
        machine) or ``"note"`` (information, not a fault).
    rule : str
        The action taken, and its reason.
    count : int
        Number of lines, or of rows if the trace was not read from a file.
    lines : tuple of int
        Numbers of the first ten of these lines, counted from 1; empty without a file.
    example : str
        Text of the first of these lines in the file; may be empty.
    """

    reason: str
    kind: str
    rule: str
    count: int
    lines: tuple[int, ...]
    example: str = ""


def make_fault(
    reason: str, count: int, lines: Iterable[int] = (), example: str = ""
) -> ReadingFault:
    """Create a fault; look up its kind and rule by its reason."""
    kind, rule = _INFOS[reason]
    return ReadingFault(
        reason, kind, rule, count, tuple(line for line in lines if line > 0), example
    )


class TraceReport:
    """Counts of lines repaired, dropped and rejected while reading a trace, by reason.

    Attributes
    ----------
    repaired, dropped, rejected, notes : dict of str to int
        How often each reason occurred; reasons that did not occur are left out.
    total_repaired, total_dropped, total_rejected : int
        The sums of these counts; a line can be repaired in more than one way.
    """

    def __init__(self, faults: Iterable[ReadingFault] = ()) -> None:
        order = list(_INFOS)
        self._faults = tuple(sorted(faults, key=lambda fault: order.index(fault.reason)))
        self.repaired = self._counts("repaired")
        self.dropped = self._counts("dropped")
        self.rejected = self._counts("rejected")
        self.notes = self._counts("note")
        self.total_repaired = sum(self.repaired.values())
        self.total_dropped = sum(self.dropped.values())
        self.total_rejected = sum(self.rejected.values())

    def _counts(self, kind: str) -> dict[str, int]:
        return {fault.reason: fault.count for fault in self._faults if fault.kind == kind}

    def faults(self, kind: str | None = None) -> list[ReadingFault]:
        """List the faults that occurred.

        Parameters
        ----------
        kind : str, optional
            Only this kind: ``"repaired"``, ``"dropped"``, ``"rejected"`` or ``"note"``.

        Raises
        ------
        ValueError
            For an unknown kind.
        """
        if kind is not None and kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r}; known names are: {', '.join(KINDS)}")
        return [fault for fault in self._faults if kind in (None, fault.kind)]

    def to_dict(self) -> dict[str, dict[str, int]]:
        """Return the counts as plain data, for JSON."""
        return {
            "repaired": dict(self.repaired),
            "dropped": dict(self.dropped),
            "rejected": dict(self.rejected),
            "notes": dict(self.notes),
        }

    def __eq__(self, other: object) -> bool:
        return self._faults == other._faults if isinstance(other, TraceReport) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._faults)

    def __bool__(self) -> bool:
        return bool(self._faults)

    def __repr__(self) -> str:
        return (
            f"TraceReport(repaired={self.repaired}, dropped={self.dropped}, "
            f"rejected={self.rejected}, notes={self.notes})"
        )

    def __str__(self) -> str:
        if not self._faults:
            return "nothing repaired, dropped or rejected"
        rows = []
        for fault in self._faults:
            text = f"{fault.kind:<8}  {fault.count:>9,}  {fault.reason}: {fault.rule}"
            if fault.lines:
                more = ", …" if fault.count > len(fault.lines) else ""
                shown = ", ".join(map(str, fault.lines))
                text += f" (line{'s' if len(fault.lines) > 1 else ''} {shown}{more})"
            rows.append(text)
        return "\n".join(rows)
