"""The whole queue study, run on one month."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from slotwise.advice.queue_design.parameters import Parameters
from slotwise.errors import MissingExtraError
from slotwise.studies import run_study
from slotwise.studies.queues import sites
from slotwise.studies.queues.findings import findings
from slotwise.studies.queues.paper import CLAIMS, LEFT_OUT
from slotwise.studies.queues.rows import claim_rows, figure_rows, month_rows
from slotwise.studies.queues.sites import STRATEGIES
from slotwise.studies.queues.variations import VARIATIONS, variations_for

if TYPE_CHECKING:
    from pathlib import Path

FIGURES = [f"figure {k}" for k in (1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cells")


@pytest.fixture(scope="module")
def result(folder: Path) -> Any:
    return run_study("queues", quick=True, months=1, cache=folder)


def test_every_figure_and_table_has_rows(result: Any) -> None:
    assert {row.table for row in result.rows} == {"claims", "months", "programs", *FIGURES}
    strategies = {row.keys["strategy"] for row in result.table("months")}
    assert strategies == set(STRATEGIES)
    assert all(row.ours >= 0 for row in result.table("figure 7"))
    used = [row.ours for name in (8, 11, 13) for row in result.table(f"figure {name}")]
    assert all(0 < u <= 1 for u in used)


def test_no_strategy_leaves_a_job_out(result: Any) -> None:
    assert not any("fit no partition" in note for note in result.notes)


def test_finished_cells_are_not_computed_again(
    result: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from slotwise.studies.queues import study

    def refuse(*_arguments: Any) -> Any:
        raise AssertionError("computed again")

    monkeypatch.setattr(study, "decide", refuse)
    monkeypatch.setattr(study, "evaluate", refuse)
    again = run_study("queues", quick=True, months=1, cache=folder)
    assert again.rows == result.rows


def test_every_picture_is_drawn(result: Any) -> None:
    drawn = {name: draw() for name, draw in result.pictures.items()}
    assert set(drawn) == {*(f.replace(" ", "-") for f in FIGURES), "all-strategies"}
    for figure in drawn.values():
        assert figure.axes
        assert all(axes.get_ylabel() for axes in figure.axes)
        assert figure.axes[-1].get_xlabel()


def test_jobs_can_be_carried_from_month_to_month(folder: Path) -> None:
    result = run_study("queues", quick=True, months=1, carry=True, cache=folder)
    carried = {row.keys["strategy"] for row in result.table("months")}
    assert carried == set(STRATEGIES)
    # The first month begins empty, so its waits are those of the usual evaluation.
    usual = run_study("queues", quick=True, months=1, cache=folder)
    assert [r.ours for r in result.table("figure 7")] == pytest.approx(
        [r.ours for r in usual.table("figure 7")]
    )
    assert [r.ours for r in result.table("figure 12")] == pytest.approx(
        [r.ours for r in usual.table("figure 12")]
    )


def months(**waits: list[float]) -> dict[str, Any]:
    """Return results for December and January with these waits in hours."""
    return {
        month: {
            name: {"wait": 3600 * values[k], "slowdown": 2.0, "utilisation": 0.5}
            for name, values in waits.items()
        }
        for k, month in enumerate(("2015-12", LEFT_OUT))
    }


def test_reductions_are_averaged_with_and_without_january() -> None:
    # In the first month, jobs wait 6 h under nlp and 8 h under static, 25 % less; in the second, 9
    # h and 6 h, 50 % more. The mean reduction is −12.5 %, and the best is 25 %. In total, jobs wait
    # 15 h instead of 14 h.
    seed = months(nlp=[6, 9], static=[8, 6])
    rows = claim_rows([seed])
    found = {
        (r.keys["months"], r.keys["measure"]): (r.ours, r.paper)
        for r in rows
        if (r.keys["better"], r.keys["than"]) == ("nlp", "static")
    }
    assert found == {
        ("all", "mean"): (-12.5, None),
        ("all", "most"): (25.0, None),
        ("without January", "mean"): (25.0, 16.0),
        ("without January", "most"): (25.0, 44.0),
    }
    of_all = [r.more["of_all"] for r in rows if r.keys["measure"] == "mean"]
    assert of_all[0] == pytest.approx(100 * (1 - 15 / 14))


def test_seeds_become_means_with_spread() -> None:
    seeds = [months(nlp=[6, 9], static=[8, 6]), months(nlp=[4, 9], static=[8, 6])]
    (row,) = [r for r in figure_rows(seeds) if r.table == "figure 7"
              and r.keys == {"month": "2015-12", "strategy": "nlp"}]  # fmt: skip
    assert (row.ours, row.spread) == (5.0, pytest.approx(2**0.5))
    means = {r.keys["month"]: r.ours for r in month_rows(seeds)
             if (r.keys["strategy"], r.keys["metric"]) == ("nlp", "wait")}  # fmt: skip
    assert means == {"2015-12": 5.0, LEFT_OUT: 9.0, "mean": 7.0, "mean without January": 5.0}


def decided(partitions: int, common: int, predicted: float) -> dict[str, Any]:
    return {
        "reconfigure": {"partitions": {str(k): 50 for k in range(partitions)}},
        "hybrid": {"partitions": {"a": 100 - common}, "common": common},
        "program": {"predicted": predicted, "replayed": 1.0},
    }


def test_the_conclusion_compares_with_the_paper_and_describes_the_queues() -> None:
    # January is left out. Jobs wait 4 h under hybrid, 50 % less than the 8 h under static (paper:
    # 46 %), and 9 h under nlp. Under reconfigure, they wait 5 h, 44 % less than under nlp (paper:
    # 12 %) and 37.5 % less than under static (paper: 24 %).
    waits = {"static": [8, 8], "nlp": [9, 7], "reconfigure": [5, 5], "hybrid": [4, 6]}
    told = list(findings([months(**waits)], [[decided(1, 10, 1.02), decided(2, 30, 0.9)]], True))
    assert told[0] == "About as in the paper: wait, hybrid over static 50 % (paper: 46)."
    assert told[1] == (
        "Larger effect than in the paper: wait, reconfigure over nlp 44 % (paper: 12); "
        "wait, reconfigure over static 38 % (paper: 24)."
    )
    assert told[2].startswith("Opposite to the paper: wait, nlp over static -12 % (paper: 16); ")
    assert told[3].startswith(
        "Splits and merges leave 1.5 queues on average, and only one queue in 1 of 2"
    )
    # The mean of 4/5 and 6/5 is 1.
    assert told[4].startswith("The common pool is 20 % of the machine on average. It changes the "
                              "mean wait by +0 %")  # fmt: skip
    assert "with an error of at most 10 %" in told[5]
    assert "in 1 of 2 cases" in told[5]
    real = list(findings([months(**waits)], [[decided(2, 0, 1.0)] * 2], False))
    assert len(real) == 3
    assert "and only one queue in 0 of 2 months." in real[0]
    assert real[1].startswith("No common pool could be carved off")


def test_the_sensitivity_run_changes_one_choice_at_a_time() -> None:
    for change in VARIATIONS.values():
        assert len(change) == 1
        (name,) = change
        assert getattr(Parameters(), name) != change[name]
    assert set(VARIATIONS) - set(variations_for(4)) == {
        "priorities 5 to 1", "priorities 1, 2, 4, 8, 16",
    }  # fmt: skip
    assert variations_for(5) == VARIATIONS


def test_every_percentage_of_the_paper_is_compared() -> None:
    # Percentages in section IV.B: 16/44, 12/26, 12/59, 24, 46/74, 55/83, 50 (twice: two kinds of
    # MQB), 39, 35, 12, 3 to 4, up to 8.
    printed = sorted(x for c in CLAIMS for x in (c.mean, c.most) if x is not None)
    assert printed == [3.5, 8, 12, 12, 12, 16, 24, 26, 35, 39, 44, 46, 50, 50, 55, 59, 74, 83]


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'slotwise\[study\]'"):
        run_study("queues", quick=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workload": "cray"}, "not a file; use serc, curie, blue or the path"),
        ({"months": 9}, "months=9: use a number from 1 to 8"),
        ({"workload": "blue", "load": 0.5}, "load=0.5: only the serc workload can be generated at"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run_study("queues", quick=True, **options)


def test_carried_jobs_keep_their_processors_and_their_place_in_the_queue(serc: Any) -> None:
    import slotwise as sw
    from slotwise.advice.queue_design.history import months_of
    from slotwise.studies.queues.carry import carried_jobs, carrying
    from slotwise.studies.queues.sites import table_i

    first, second = months_of(serc)[:2]
    shared = table_i().replace(queues=[q.replace(spanning=False) for q in table_i().queues])
    whole = serc[(serc.submit >= first.begin) & (serc.submit < second.end)]
    one = sw.simulate(first.of(serc), shared)
    left = carried_jobs(one, shared, first.end, None)
    assert len(left.running) > 0
    jobs, site = carrying(second.of(serc), shared, left, second.begin)
    two = sw.simulate(jobs, site)
    assert len(jobs) == len(second.of(serc)) + len(left.waiting)
    assert (two.start[two.start >= 0] >= second.begin).all()
    # At no time are more processors busy than the machine has, counting those of carried jobs.
    busy = left.processors[left.end > second.begin].sum()
    at_begin = two.start == second.begin
    assert busy + jobs.processors[at_begin].sum() <= 35_232
    assert len(sites.STRATEGIES) == 9
    assert len(whole) == len(first.of(serc)) + len(second.of(serc))
