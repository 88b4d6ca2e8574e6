"""Table 2: the thesis's weights and ours, and the significance of the gain."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from slotwise.advice.weights.formula import Weights
from slotwise.advice.weights.outcomes import evaluate
from slotwise.advice.weights.search import Search
from slotwise.advice.weights.tuning import PLACES, tune
from slotwise.studies.priority import paper as thesis
from slotwise.studies.priority.findings import findings
from slotwise.studies.priority.sites import study_site
from slotwise.studies.row import Row, mean_of, spread_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotwise.studies.run import StudyRun
    from slotwise.trace import Trace

QUICK_GRID = {"cores": (0, 1, 5), "queue_time": (1, 5, 9), "expansion": (10, 50, 100, 150)}
WAYS = ("grid", "tpe", "cma-es", "front")
FRONT = ("utilisation", "mean_wait")
GAIN = {
    "train": "on the searched weeks",
    "held_out": "on the held-out weeks",
    "low": "bootstrap, 2.5 %",
    "high": "bootstrap, 97.5 %",
    "core_hours": "core hours per week",
    "jobs": "average jobs per week",
}
PAPER_GAIN = {
    "train": thesis.GAIN,
    "core_hours": thesis.GAIN_CORE_HOURS,
    "jobs": thesis.GAIN_JOBS,
}


def tuning_rows(
    run: StudyRun, traces: Sequence[Trace], site: str, trials: int, *, is_kraken: bool
) -> list[Row]:
    """Return the rows; the searches and the grid use only the first log."""
    beside_thesis = is_kraken and site == "thesis"
    rows = _thesis_weights(run, traces, site, beside_thesis=beside_thesis)
    for how in WAYS:
        found = run.cell(
            f"weights by {how}",
            partial(_tuned, traces[0], run.workers),
            inputs=traces[0].replay_hash,
            site=site,
            how=how,
            trials=0 if how == "grid" else trials,
            quick=run.quick,
        )
        if how == "front":
            run.picture("pareto-front", partial(_front_picture, found["points"]))
        else:
            rows += _best_rows(how, found["best"])
        rows += _gain_rows(how, found["best"], beside_thesis=beside_thesis)
        for verdict in findings(how, found["best"]):
            run.note(verdict)
    return rows


def _thesis_weights(
    run: StudyRun, traces: Sequence[Trace], site: str, *, beside_thesis: bool
) -> list[Row]:
    """Replay each log under the weights of Table 2."""
    cells = [
        run.cell(
            "the thesis's weights",
            partial(_replayed, trace, run.workers),
            inputs=trace.replay_hash,
            site=site,
        )
        for trace in traces
    ]
    rows = []
    for place, (number, utilisation, c, q, x) in enumerate(thesis.TABLE_2):
        first, every, wait = ([cell[place][k] for cell in cells] for k in range(3))
        keys = {"run": number, "cores": c, "queue_time": q, "expansion": x}
        more = {"all_weeks": mean_of(every), "mean_wait": mean_of(wait)}
        paper = utilisation if beside_thesis else None
        rows.append(Row("2", keys, mean_of(first), spread_of(first), paper, more))
    return rows


def _replayed(trace: Trace, workers: int, site: str) -> list[list[float]]:
    """Return utilisation (first week, all weeks) and mean wait under each set of weights."""
    sets = [Weights(float(q), float(x), float(c)) for _, _, c, q, x in thesis.TABLE_2]
    found = evaluate(trace, study_site(site, trace), sets, workers=workers)
    return [
        [
            outcome.value("utilisation", [0]),
            outcome.value("utilisation", range(len(outcome))),
            outcome.value("mean_wait", range(len(outcome))),
        ]
        for outcome in found
    ]


def _tuned(
    trace: Trace, workers: int, site: str, how: str, trials: int, quick: bool
) -> dict[str, Any]:
    asked = Search(
        FRONT if how == "front" else ("utilisation",),
        sampler="cma-es" if how == "cma-es" else "tpe",
        trials=trials or 1,
    )
    tuned = tune(
        trace,
        study_site(site, trace),
        asked,
        grid=how == "grid",
        sets=QUICK_GRID if quick else None,
        workers=workers,
    )
    return {"best": tuned.to_dict(), "points": tuned.points()}


def _front_picture(points: dict[str, Any]) -> Any:
    from slotwise.studies.priority.figures import front_picture

    return front_picture(**points)


def _best_rows(how: str, best: dict[str, Any]) -> list[Row]:
    rows = []
    # Only the ten best settings are listed, even if more are tied with the tenth.
    for place, each in enumerate(best["top"]["utilisation"][:PLACES], 1):
        keys: dict[str, Any] = {"by": how, "place": place} | {
            name: each[name] for name in ("rank", "cores", "queue_time", "expansion")
        }
        alike = sum(other["rank"] == each["rank"] for other in best["top"]["utilisation"])
        rows.append(Row("2, ours", keys, each["utilisation"], more={"tied": alike}))
    return rows


def _gain_rows(how: str, best: dict[str, Any], *, beside_thesis: bool) -> list[Row]:
    rows = []
    for gain in best["gain"]:
        papers = PAPER_GAIN if beside_thesis and gain["objective"] == "utilisation" else {}
        keys = {"by": how, "objective": gain["objective"]}
        rows += [
            Row("gain", {**keys, "what": what}, gain[name], paper=papers.get(name))
            for name, what in GAIN.items()
        ]
    return rows
