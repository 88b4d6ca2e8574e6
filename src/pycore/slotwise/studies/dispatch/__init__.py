"""Study `dispatch`: proactive dispatching on nodes with several resources (EURORA)."""

from __future__ import annotations

from slotwise import extras
from slotwise._numbers import real, whole
from slotwise.studies import Row, StudyRun, study
from slotwise.studies.dispatch.paper import PAPER

BATCHES = (1, 2, 3)
"""The batches of Table 6."""

_HISTOGRAMS = [f"figure {2 * number}b" for number in BATCHES]


@study(
    "dispatch",
    paper=PAPER,
    seeds=3,
    quick_seeds=1,
    titles={
        "2": "the paper's example: makespan of the printed solution, and the optimum",
        "4": "queue times on BATCH1, seconds",
        "5": "mean load on BATCH1 over two hours",
        "waits by batch": "mean wait of each queue's jobs on the other batches, seconds",
        "load by batch": "the figures in Table 5, for the other batches",
        "cost": "CPU milliseconds, activations and solves of a replay",
        **dict.fromkeys(_HISTOGRAMS, "jobs by wait, as a multiple of the queue's expected wait"),
    },
    across={
        "4": "queue",
        "5": "figure",
        "waits by batch": "queue",
        "load by batch": "figure",
        "cost": "figure",
        **dict.fromkeys(_HISTOGRAMS, "wait"),
    },
)
def dispatch(
    run: StudyRun,
    *,
    work: float = 0.05,
    batch: int | None = None,
    site: str | None = None,
    nodes_first: str | None = None,
) -> list[Row]:
    """Proactive dispatching by constraint programming on EURORA, compared with PBS and heuristics.

    Parameters
    ----------
    work : float
        Limit on each CP-SAT solve, in CP-SAT's deterministic time; with 0.05, a solve takes 0.03 to
        1.2 s on one core.
    batch : {1, 2, 3}, optional
        Replay only this batch. Default: all three, or only the first with --quick.
    site : str, optional
        A file with your changes to the machine, the PBS rules or the expected waits; "slotwise
        study dispatch site" prints the defaults.
    nodes_first : str, optional
        Node type to list first, which wins ties: gpu or mic. Default: the site's first type,
        which is gpu unless you change it.
    """
    number = real(work)
    if number is None or not 0.001 <= number <= 3600:
        raise ValueError(f"work={work!r}: use a number from 0.001 to 3600; 0.05 is usual")
    if batch is not None and whole(batch) not in BATCHES:
        raise ValueError(f"batch={batch!r}: use 1, 2 or 3")
    from slotwise.studies.dispatch.rows import Tables
    from slotwise.studies.dispatch.sites import read_site

    extras.load("ortools.sat.python.cp_model")
    rules = read_site(site)
    if nodes_first is not None:
        rules = rules.with_first(nodes_first)
    chosen = BATCHES if batch is None else (batch,)
    batches = chosen[:1] if run.quick else chosen
    return Tables(run, number, batches, rules, "eurora.toml" if site is None else site).rows()
