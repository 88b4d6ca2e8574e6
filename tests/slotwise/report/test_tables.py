"""The parts of a report that are plain HTML."""

from __future__ import annotations

import math

import pytest

import slotwise as sw
from slotwise.report.tables import facts_html, metrics_html, notes_html
from slotwise.site.summary import describe, policy_text


def test_one_result_shows_no_comparison() -> None:
    html = metrics_html([{"mean_wait": 60.0}], ["easy"])
    assert "<caption>Wait</caption>" in html
    assert "0:01:00" in html
    assert "<small>" not in html


def test_several_results_have_columns_with_changes_and_best_marks() -> None:
    html = metrics_html([{"mean_wait": 200.0}, {"mean_wait": 100.0}], ["none", "easy"])
    assert '<th scope="col">none</th><th scope="col">easy' in html
    assert '<td class="best" title="100 s">0:01:40<i>*</i> <small>−50 %</small></td>' in html


def test_the_best_utilisation_is_the_highest() -> None:
    html = metrics_html([{"utilisation": 0.5}, {"utilisation": 0.75}], ["a", "b"])
    assert '<td class="best" title="0.75">75.00 %' in html


@pytest.mark.parametrize("name", ["n_killed", "energy_use"])
def test_no_value_is_best_without_a_known_direction(name: str) -> None:
    assert 'class="best"' not in metrics_html([{name: 1.0}, {name: 2.0}], ["a", "b"])


def test_values_that_read_the_same_are_equally_good() -> None:
    html = metrics_html([{"utilisation": 0.70001}, {"utilisation": 0.70002}], ["a", "b"])
    assert 'class="best"' not in html


def test_nothing_is_marked_if_columns_are_of_different_jobs() -> None:
    html = metrics_html([{"mean_wait": 1.0}, {"mean_wait": 60.0}], ["a", "b"], mark_best=False)
    assert "0:01:00" in html
    assert "best" not in html
    # The second machine is too small for the second job.
    trace = sw.Trace.from_columns([0, 0], [10, 10], [1, 4])
    results = [sw.simulate(trace, sw.Site(machine=size)) for size in (4, 2)]
    notes = notes_html(results, [result.metrics() for result in results], 10)
    assert notes.startswith("No best values are marked, because the same jobs did not start")


def test_a_metric_without_a_value_is_a_dash() -> None:
    assert ">-" in metrics_html([{"mean_wait": math.nan}, {"mean_wait": 1.0}], ["a", "b"])


def test_unlisted_metrics_are_shown_too() -> None:
    assert "energy use" in metrics_html([{"mean_wait": 1.0, "energy_use": 5.0}], ["a"])


def test_a_policy_is_described_by_its_changes_from_the_default() -> None:
    assert policy_text(sw.Policy()) == "order fcfs, backfill easy"
    policy = sw.Policy("sjf", "none", kill_at_limit=False)
    assert policy_text(policy) == "order sjf, backfill none (kill_at_limit False)"


def test_a_report_and_the_command_line_describe_a_site_in_the_same_words() -> None:
    result = sw.simulate(
        sw.Trace.from_columns([0], [10], [1]), sw.Site(4, limits=sw.Limits(running=2))
    )
    assert describe(result.site) == "order fcfs, backfill easy, limits"
    assert f"<dt>Policy</dt><dd>{describe(result.site)}</dd>" in facts_html([result], ["a"], {})


def test_a_policy_of_slurm_is_its_preset_and_what_differs() -> None:
    assert policy_text(sw.Policy.preset("slurm-25.11")) == "preset slurm-25.11"
    assert policy_text(sw.Policy.preset("slurm-22.05")) == "preset slurm-22.05"
    order = {"name": "multifactor", "age": 1000, "max_age": 2 * 604800, "partition": 0}
    policy = sw.Policy.preset("slurm-25.11", order=order, bf_interval=60, bf_continue=True)
    assert policy_text(policy) == (
        "preset slurm-25.11 (order.age = 1000, order.max_age = 1209600, bf_interval = 60, "
        "bf_continue = true)"
    )
    assert policy_text(sw.Policy.preset("slurm-25.11", order="fcfs", limit_check=0)) == (
        "preset slurm-25.11 (order = fcfs, limit_check = 0)"
    )
