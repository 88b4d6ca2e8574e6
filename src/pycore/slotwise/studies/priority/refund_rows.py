"""Rows on refunds: equations 7 to 9 and their replays, best checkpoints, machine crashes."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from slotwise.advice.checkpoints import best_checkpoint, daly, young
from slotwise.advice.refunds import REFUND, Failures, RefundedJob, expected_loss
from slotwise.advice.weights.tuning import mean_job_of
from slotwise.studies.priority.replays import crash_report, sampled_loss
from slotwise.studies.priority.sites import study_site
from slotwise.studies.row import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.run import StudyRun
    from slotwise.trace import Trace

LAWS = ((0.7, 24.0), (1.0, 24.0), (1.5, 24.0), (0.7, 168.0))
"""Shape and scale (hours) of the time to a crash; the thesis states neither."""
JOBS = ((24.0, 0.5, 1), (12.0, 0.25, 4), (24.0, 0.1, 64))
"""Hours per job, hours per checkpoint, and nodes."""
CRASHES, CRASH_CHECKPOINT = (0.7, 72.0), 0.1
"""Shape and scale (hours) of the time between crashes, and hours per checkpoint."""
SAMPLE = 20_000


def refund_rows(run: StudyRun, trace: Trace) -> list[Row]:
    """Return the rows; `trace` is a log of the machine for which crashes are simulated."""
    failures = [Failures(*law) for law in LAWS]

    def picture() -> Any:
        from slotwise.studies.priority.figures import loss_curves

        return loss_curves(RefundedJob(*JOBS[0]), failures)

    run.picture("checkpoints", picture)
    run.picture("checkpoint-or-not", _map)
    jobs = 4_000 if run.quick else SAMPLE
    laws = LAWS[:2] if run.quick else LAWS
    cells = [
        {"hours": h, "checkpoint_hours": c, "nodes": n, "shape": shape, "scale": scale,
         "equation": equation, "jobs": jobs, "seed": 1}
        for h, c, n in (JOBS[:2] if run.quick else JOBS)
        for shape, scale in laws
        for equation in ("7", "8", "9")
    ]  # fmt: skip
    found = run.map("crashes by the engine", _sampled, cells)
    rows = []
    for cell, (ours, mean, error) in zip(cells, found, strict=True):
        keys: dict[str, Any] = {
            k: cell[k] for k in ("equation", "hours", "nodes", "shape", "scale")
        }
        more = {"by_engine": mean, "standard_error": error}
        rows.append(Row("eqs. 7-9", keys, ours, more=more))
    return [*rows, *_checkpoint_rows(failures), *_crash_rows(run, trace)]


def _map() -> Any:
    from slotwise.studies.priority.figures import checkpoint_map

    return checkpoint_map((0.7, 1.0, 2.0), 0.5, REFUND)


def _sampled(
    hours: float,
    checkpoint_hours: float,
    nodes: int,
    shape: float,
    scale: float,
    equation: str,
    jobs: int,
    seed: int,
) -> Sequence[float]:
    """Return the result of the closed form, and the engine's mean and standard error, in hours."""
    job, failures = RefundedJob(hours, checkpoint_hours, nodes), Failures(shape, scale)
    done = None
    if equation == "8":
        # Complete the checkpoint when the refunded hours end or, if that is too early for it,
        # slightly after the earliest possible time.
        done = max(job.refunded, 1.1 * checkpoint_hours)
    elif equation == "9":
        done = max(best_checkpoint(job, failures).checkpoint, hours / 2)
    sampled = sampled_loss(job, failures, done, jobs=jobs, seed=seed)
    return expected_loss(job, failures, done), sampled.mean, sampled.error


def _checkpoint_rows(failures: Sequence[Failures]) -> list[Row]:
    rows = []
    for hours, cost, nodes in JOBS:
        for law in failures:
            advice = best_checkpoint(RefundedJob(hours, cost, nodes), law)
            keys = {"hours": hours, "nodes": nodes, "shape": law.shape, "scale": law.scale}
            more = {
                "worth_it": advice.worth_it,
                "saved": advice.loss_without - advice.loss_with,
                "young": young(cost, law),
                "daly": daly(cost, law),
            }
            rows.append(Row("checkpoint", keys, advice.checkpoint, more=more))
    return rows


def _crash_rows(run: StudyRun, trace: Trace) -> list[Row]:
    law = Failures(*CRASHES)
    work = mean_job_of(trace) * len(trace)
    rows = []
    for name, every in (("from the start", None), ("checkpoint", daly(CRASH_CHECKPOINT, law))):
        found = run.cell(
            "a machine that crashes",
            partial(_crashed, trace),
            inputs=trace.replay_hash,
            every=every,
            shape=law.shape,
            scale=law.scale,
        )
        keys: dict[str, Any] = {"requeued": name, "shape": law.shape, "scale": law.scale}
        rows.append(Row("crashes", keys, 100 * found["lost"] / work, more=found))
    return rows


def _crashed(trace: Trace, every: float | None, shape: float, scale: float) -> dict[str, Any]:
    report = crash_report(
        trace,
        study_site("strict", trace),
        Failures(shape, scale),
        seed=1,
        checkpoint_every=every,
        checkpoint_hours=0.0 if every is None else CRASH_CHECKPOINT,
    )
    return asdict(report)
