"""Rows with facts about the logs, and with the data of Figures 2, 4, 5, 12 and 13."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from slotwise.advice.weights.outcomes import WEEK
from slotwise.advice.weights.tuning import mean_job_of
from slotwise.studies.priority import paper as thesis
from slotwise.studies.priority.log_figures import figures_of
from slotwise.studies.priority.replays import site_facts
from slotwise.studies.priority.sites import SITES
from slotwise.studies.row import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.priority.log_classes import Class
    from slotwise.studies.run import StudyRun
    from slotwise.trace import Trace


def log_rows(run: StudyRun, traces: Sequence[Trace], *, is_kraken: bool) -> list[Row]:
    """Return facts about the logs (one log per seed), and the first log's figures."""
    return [*_facts(run, traces, is_kraken=is_kraken), *_figures(run, traces[0])]


def _facts(run: StudyRun, traces: Sequence[Trace], *, is_kraken: bool) -> list[Row]:
    week = [float((t.submit - t.submit[0] < WEEK).sum()) for t in traces]
    two = [float((t.submit - t.submit[0] < 2 * WEEK).sum()) for t in traces]
    span = [(int(t.submit[-1]) - int(t.submit[0])) / WEEK for t in traces]

    def row(what: str, values: Sequence[float], paper: float | None = None, site: str = "-") -> Row:
        keys = {"what": what, "site": site}
        return Row.of_seeds("log", keys, values, paper if is_kraken else None)

    mean_week = [len(t) / s for t, s in zip(traces, span, strict=True)]
    rows = [
        row("jobs per week", mean_week),
        row("jobs in the first week", week, thesis.JOBS_A_WEEK),
        row("jobs in the first two weeks", two, thesis.JOBS_OF_TWO_WEEKS),
        row("mean core hours per job", [mean_job_of(t) for t in traces], thesis.JOB_CORE_HOURS),
    ]
    papers = {
        ("thesis", "utilisation_first_week"): thesis.TABLE_2[0][1],
        ("thesis", "in_system_first_week"): thesis.JOBS_IN_SYSTEM,
    }
    for name in SITES:
        found = [
            run.cell(
                f"replaying under site {name}",
                partial(site_facts, trace),
                inputs=trace.replay_hash,
                site=name,
            )
            for trace in traces
        ]
        for what in found[0]:
            paper = papers.get((name, what))
            values = [each[what] for each in found]
            rows.append(row(what.replace("_", " "), values, paper, site=name))
    return rows


def _figures(run: StudyRun, trace: Trace) -> list[Row]:
    figures = figures_of(trace)
    if not figures.logged:
        run.note(
            "The log has no start times: Figures 2, 4 and 12 show a replay under the kraken site "
            "instead of a logged schedule."
        )
    for name, draw in figures.pictures().items():
        run.picture(name, draw)
    rows = [
        *_class_rows("figure 2", "cores", figures.by_cores),
        *_class_rows("figure 4", "requested", figures.by_request),
        *_class_rows("figure 5", "run", figures.errors),
    ]
    for table, usage in (("figure 12", figures.real), ("figure 13", figures.simulated)):
        share = 100 * usage.hourly(0, 24 * figures.days, figures.days) / usage.machine
        rows += [Row(table, {"day": d}, float(s)) for d, s in enumerate(share, 1)]
    return rows


def _class_rows(table: str, key: str, classes: Sequence[Class]) -> list[Row]:
    return [
        Row(table, {key: c.label}, c.mean, more={"median": c.median, "jobs": c.jobs})
        for c in classes
        if c.jobs
    ]
