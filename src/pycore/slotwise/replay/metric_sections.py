"""The sections of metrics in terminal and report tables, in order of importance.

`metric_format` assigns metrics to sections. A metric without a section is shown last, under
"Others".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slotwise.replay.metric_format import FAMILIES, STATISTICS, label_of, names_in

if TYPE_CHECKING:
    from collections.abc import Iterable


class Section(NamedTuple):
    """Metrics under one heading.

    Attributes
    ----------
    title : str
    keys : tuple of str
    family : str
        The quantity whose `STATISTICS` are listed, such as ``wait``; empty for other metrics.
    is_main : bool
        False for metrics that comparisons show only on request.
    note : str
        An explanation next to the metrics; ``{threshold}`` is the threshold of bounded slowdowns.
    """

    title: str
    keys: tuple[str, ...]
    family: str = ""
    is_main: bool = True
    note: str = ""


def _of_family(family: str, *, is_main: bool = True, note: str = "") -> Section:
    """Return the section for the statistics of a per-job quantity, such as ``wait``."""
    keys = tuple(f"{statistic}_{family}" for statistic in STATISTICS)
    return Section(label_of(family).capitalize(), keys, family, is_main, note)


def _of(title: str, *, is_main: bool = True) -> Section:
    """Return the section of the metrics that `metric_format` lists under a title."""
    return Section(title, names_in(title), is_main=is_main)


_PLACED = (
    _of_family(
        "eligible_wait",
        note="Eligible waits, response times and slowdowns are measured from the time at which "
        "each job became eligible; the others are measured from its submit time.",
    ),
    _of_family("wait"),
    _of("Machine"),
    _of("Queue"),
    _of("Jobs"),
    _of("Attempts"),
    _of("Nodes"),
    _of_family("eligible_response", is_main=False),
    _of_family("eligible_slowdown", is_main=False),
    _of_family("eligible_bounded_slowdown", is_main=False),
    _of_family("eligible_bounded_slowdown_floor", is_main=False),
    _of_family("eligible_per_processor_bounded_slowdown", is_main=False),
    _of_family(
        "bounded_slowdown",
        note="Bounded slowdown = max(1, (wait + run) / max(run, {threshold} s)).",
    ),
    _of_family("response", is_main=False),
    _of_family("slowdown", is_main=False, note="Slowdown = max(1, (wait + run) / max(run, 1 s))."),
    _of_family(
        "bounded_slowdown_floor",
        is_main=False,
        note="Bounded slowdown floor = 1 + wait / max(run, {threshold} s): shorter runs count as "
        "{threshold} s throughout.",
    ),
    _of_family(
        "per_processor_bounded_slowdown",
        is_main=False,
        note="Per-processor bounded slowdown = max(1, (wait + run) / (processors x max(run, "
        "{threshold} s))).",
    ),
    _of("Weighted by area", is_main=False),
    _of("Processors", is_main=False),
)
_FURTHER = [name for name in FAMILIES if name not in {section.family for section in _PLACED}]

SECTIONS = (*_PLACED, *(_of_family(family, is_main=False) for family in _FURTHER))
"""Sections in order of display: waits, the machine, slowdowns, then all other per-job figures."""

SHARE = "utilisation_of_"
"""Prefix of metrics that are busy shares of a resource; they are in the Machine section."""

CONTEXT = frozenset(
    ("threshold", "processors", "window_begin", "window_end", "n_dropped", "n_trimmed")
)
"""Figures stated in notes instead of rows, such as the number of jobs left out."""

KNOWN = (*(key for section in SECTIONS for key in section.keys), *sorted(CONTEXT))
"""All metrics that a replay can have, in the order of `SECTIONS`."""


def sections_of(names: Iterable[str], *, is_main: bool | None = None) -> list[Section]:
    """Return the sections with only the given metrics; a last one holds metrics without a section.

    Parameters
    ----------
    names : iterable of str
        Metrics of one or several replays.
    is_main : bool, optional
        Return only main sections, or only the others. Default: all.
    """
    present = dict.fromkeys(names)
    further = [key for key in present if key not in set(KNOWN)]
    shares = tuple(key for key in further if key.startswith(SHARE))
    others = Section("Others", tuple(k for k in further if k not in shares), is_main=False)
    listed = [
        section._replace(keys=section.keys + shares) if section.title == "Machine" else section
        for section in SECTIONS
    ]
    kept = [
        section._replace(keys=tuple(key for key in section.keys if key in present))
        for section in (*listed, others)
        if is_main is None or section.is_main == is_main
    ]
    return [section for section in kept if section.keys]


def counted_from(names: Iterable[str], wait_from: str | None) -> list[str]:
    """Leave out waits, response times and slowdowns that are not measured from `wait_from`.

    Parameters
    ----------
    names : iterable of str
        Metrics of a replay.
    wait_from : {"submit", "eligible", None}
        None keeps all. If no metric is measured from the eligible time, nothing is left out.
    """
    kept = [*names]
    by_eligible = {
        f"{statistic}_{family}"
        for family in FAMILIES
        if family.startswith("eligible_")
        for statistic in STATISTICS
    }
    by_eligible |= {name for name in names_in("Weighted by area") if "eligible" in name}
    if wait_from is None or by_eligible.isdisjoint(kept):
        return kept
    by_submit = {name.replace("eligible_", "") for name in by_eligible}
    left_out = by_eligible if wait_from == "submit" else by_submit
    return [name for name in kept if name not in left_out]


def notes_of(names: Iterable[str], threshold: float) -> list[str]:
    """Return the notes of the sections that contain the named metrics, such as formulas."""
    shown = set(names)
    return [
        section.note.format(threshold=f"{threshold:.0f}")
        for section in SECTIONS
        if section.note and shown & set(section.keys)
    ]
