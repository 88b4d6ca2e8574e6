"""Sort keys written as expressions: their values, and the position and cause of each error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference.expressions import evaluate
from reference.jobs import Job
from reference.orders import columns
from reference.usage import exp2

# Two jobs at time 100. The first was submitted at 40 and requests 30 s on 4 processors. The second
# was submitted at 90 and requests 3600 s on 16 processors.
TRACE = sw.Trace.from_columns(
    [40, 90], [9, 9], [4, 16], [30, 3600], user=[7, 8], group=[1, 2], queue=[3, 4],
    requested_memory=[512, 1024],
)  # fmt: skip
NOW = 100


def keys(key: str, **arguments: Any) -> list[float]:
    order = {"name": "expression", "key": key}
    found: list[float] = sw.scores(TRACE, order, NOW, **arguments).tolist()
    return found


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "-(submit) + 100*processors/ max(requested_time, 60)",
            [-40 + 400 / 60, -90 + 1600 / 3600],
        ),
        ("wait", [60, 10]),
        ("now - submit == wait", [1, 1]),
        ("area", [120, 57600]),
        ("2 + 3 * 4 ^ 2 ** 0.5", [2 + 3 * 4**2**0.5] * 2),  # 2 ** 0.5 is evaluated first
        ("-2 ^ 2", [-4, -4]),
        ("2 ^ -1", [0.5, 0.5]),
        ("- - 3 - -wait", [63, 13]),
        ("wait > 20 ? processors : -processors", [4, -16]),
        ("wait > 20 ? 1 : wait > 5 ? 2 : 3", [1, 2]),
        ("where(user == 7 and not (group == 2), 1, 0)", [1, 0]),
        ("user == 8 or wait >= 60", [1, 1]),
        ("processors != 4", [0, 1]),
        ("min(wait, 20, processors) + max(1, 2, wait)", [64, 20]),
        ("abs(submit - 50) + floor(wait / 7) + ceil(wait / 7)", [10 + 8 + 9, 40 + 1 + 2]),
        ("sqrt(processors) * log2(processors)", [4, 16]),
        ("log10(10 ^ 3) + log(1)", [3, 3]),
        ("now % 86400 % 7 - (-5 % 3)", [1, 1]),  # % takes the sign of the divisor, as in Python
        ("requested_memory / 512 + queue", [4, 6]),
        ("executable + partition", [-2, -2]),  # columns missing from the trace
        ("job_id + requested_processors", [5, 18]),
        ("1e3 + .5 + 2.", [1002.5, 1002.5]),
        ("1 / 0 - 5", [math.inf, math.inf]),
    ],
)
def test_an_expression_computes(key: str, expected: list[float]) -> None:
    assert keys(key) == expected


@pytest.mark.parametrize("x", [-1021.5, -1022.001, -1050.0, -1060.3, -1073.9, -1074.5, -1075.1])
def test_powers_below_the_normal_doubles_are_rounded_once(x: float) -> None:
    assert keys(f"2 ^ {x}") == [exp2(x)] * 2


def test_an_expression_may_weigh_the_priority_of_queues() -> None:
    assert keys("queue_priority * 10 + wait", queue_priority=[2, 3]) == [80, 40]
    assert keys("queue_priority") == [0, 0]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (
            "wait + procesors",
            r"character 8: unknown name 'procesors'; known names are: now, submit, wait",
        ),
        ("exp(wait)", r"character 1: unknown function 'exp'; .* functions: abs, ceil"),
        ("run_time", r"character 1: 'run_time' is not yet known while a job waits"),
        ("wait +", "character 7: expected a number, a name or '\\(', found end of the key"),
        ("(wait", "character 6: expected '\\)', found end of the key"),
        ("wait wait", "character 6: unexpected 'w'"),
        ("wait + é", "character 8: an expression cannot contain 'é'"),
        ("wait = 3", "character 6: unexpected '='"),
        ("1 < wait < 3", "comparisons cannot be chained"),
        ("abs(1, 2)", "character 1: abs takes 1 value$"),
        ("max(1)", "character 1: max takes 2 values or more"),
        ("where(1, 2)", "character 1: where takes 3 values"),
        ("wait ? 1", "expected ':'"),
        ("1e999", "this is not a valid double-precision number"),
        ("3x", "unexpected 'x' after a number"),
        ("__import__('os')", "unknown function '__import__'"),
        ("(" * 300 + "1" + ")" * 300, "nested more than 200 levels deep"),
        ("1+" * 6000 + "1", "the key has 12001 characters; it may have at most 10000"),
        ("", "must be text"),
        (3, "must be text"),
    ],
)
def test_a_wrong_expression_is_refused_with_its_place(key: Any, words: str) -> None:
    with pytest.raises(sw.SiteError, match=words):
        sw.Policy(order={"name": "expression", "key": key})


def test_a_key_that_is_no_number_names_the_policy_and_the_job() -> None:
    words = (
        r"order expression '0 / \(wait - 10\)' gives job 2 \(position 1 in the trace\) the key NaN"
    )
    with pytest.raises(sw.ReplayError, match=words):
        keys("0 / (wait - 10)")
    # In a replay, the key of job 3 is 0 / 0 when job 1 ends, because job 3 has then waited 10 s.
    trace = sw.Trace.from_columns([0, 5, 90], [100, 9, 9], [4, 4, 4])
    order = {"name": "expression", "key": "0 / (wait - 10)"}
    site = sw.Site(sw.Processors(4), sw.Policy(order=order))
    with pytest.raises(sw.ReplayError, match=r"gives job 3 .* the key NaN at 100 s"):
        sw.simulate(trace, site)
    assert sw.simulate(trace, sw.Site(sw.Processors(4))).start.tolist() == [0, 100, 109]


def test_an_expression_that_never_changes_is_ranked_once() -> None:
    """Expressions without `now` or `wait` give the same schedule as the equivalent order."""
    order = {"name": "expression", "key": "-requested_time * processors"}
    rng = np.random.default_rng(5)
    run = rng.integers(1, 900, 400)
    trace = sw.Trace.from_columns(
        np.cumsum(rng.integers(0, 40, 400)), run, rng.integers(1, 17, 400), run + 50,
        max_processors=16,
    )  # fmt: skip
    for backfill in ("easy", "conservative", "replan"):
        found = sw.simulate(trace, sw.Site(policy=sw.Policy(order=order, backfill=backfill)))
        same = sw.simulate(trace, sw.Site(policy=sw.Policy(order="saf", backfill=backfill)))
        assert found.start.tolist() == same.start.tolist()


NAMES = ("wait", "processors", "requested_time", "area", "submit", "now", "user")


def expressions() -> st.SearchStrategy[str]:
    numbers = st.sampled_from(("0", "1", "2.5", "60", "1e-3", "0.1"))
    return st.recursive(
        st.one_of(st.sampled_from(NAMES), numbers),
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(tuple("+-*/^")), inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(("<", "<=", "==", "!=")), inner),
            st.builds("{}({}, {})".format, st.sampled_from(("min", "max")), inner, inner),
            st.builds("(-{})".format, inner),
            st.builds("abs({})".format, inner),
            st.builds("log2(abs({}) + 1)".format, inner),
            st.builds("sqrt(abs({}))".format, inner),
            st.builds("where({}, {}, {})".format, inner, inner, inner),
        ),
        max_leaves=12,
    )


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(key=expressions())
def test_any_expression_gives_what_the_oracle_gives(key: str) -> None:
    """Score more jobs than one block holds; their number is not a multiple of the block size."""
    jobs = [Job(i, 3 * i, 1, i % 11 * 7, i % 5 + 1, i % 3) for i in range(300)]
    trace = sw.Trace.from_columns(
        [job.submit for job in jobs],
        [1] * len(jobs),
        [job.processors for job in jobs],
        [job.requested_time or 1 for job in jobs],
        user=[job.user for job in jobs],
    )
    try:
        expected = [evaluate(key, columns(job, 5000)) for job in jobs]
    except OverflowError:
        return
    order = {"name": "expression", "key": key}
    if any(value != value for value in expected):
        with pytest.raises(sw.ReplayError, match="the key NaN"):
            sw.scores(trace, order, 5000)
    else:
        assert sw.scores(trace, order, 5000).tolist() == expected
