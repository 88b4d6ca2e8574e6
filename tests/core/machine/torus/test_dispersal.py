"""Torus distances between the nodes of a job, and their effect on its run time."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import slotwise as sw
from reference.torus import pairwise_distances, permutation, runs
from reference.workloads import boxes
from slotwise import _core


def result_on(torus: sw.Torus, nodes: list[int], **placement: float) -> sw.Result:
    """Replay one job of 100 s that a dispatcher places on these nodes."""
    trace = sw.Trace.from_columns([0], [100], [len(nodes) * torus.processors_per_node], [10_000])
    policy = sw.External(lambda queue, machine: [(queue.job_id[0], nodes)] if len(queue) else None)
    effect = sw.PlacementEffect(**placement)
    return sw.simulate(trace, sw.Site(machine=torus, policy=policy, placement=effect))


@st.composite
def sets_of_nodes(draw: st.DrawFn) -> tuple[sw.Torus, list[int]]:
    """Draw a torus, and some of its nodes: consecutive ones, or up to twelve scattered ones."""
    shape = draw(boxes(longest=7, most_nodes=2401))
    torus = sw.Torus(shape, order=draw(st.sampled_from(("row", "snake"))))
    if draw(st.booleans()):
        begin = draw(st.integers(0, torus.nodes - 1))
        return torus, list(range(begin, draw(st.integers(begin + 1, torus.nodes))))
    some = st.sets(st.integers(0, torus.nodes - 1), min_size=1, max_size=12)
    return torus, sorted(draw(some))


@settings(max_examples=80, deadline=None)
@given(sets_of_nodes())
def test_distances_are_those_of_all_pairs(drawn: tuple[sw.Torus, list[int]]) -> None:
    torus, nodes = drawn
    result = result_on(torus, nodes)
    apart = pairwise_distances(torus.shape, torus.coordinates(nodes).tolist()) or [0]
    assert result.coordinates(0).tolist() == torus.coordinates(nodes).tolist()
    assert result.jobs["pieces"][0] == len(runs(nodes)) == len(result.nodes(0))
    assert result.jobs["mean_distance"][0] == pytest.approx(fmean(apart), rel=1e-12)
    assert result.jobs["max_distance"][0] == max(apart)


def test_a_job_is_slowed_by_its_dispersal() -> None:
    """On a ring of 8, nodes 0 and 4 are 4 apart, and adjacent nodes are 1 apart.

    Of the seven distances from a node to the others, 1, 2 and 3 occur twice and 4 occurs once.
    Their mean is (2·(1 + 2 + 3) + 4) / 7 = 16/7. Dispersal is (4 - 1) / (16/7 - 1) = 7/3, and with
    a gamma of 0.3 the job of 100 s runs for 100 · (1 + 0.7) = 170 s.
    """
    torus = sw.Torus((8,), order="row")
    assert result_on(torus, [0, 4], gamma=0.3).end[0] == 170
    assert result_on(torus, [7, 0], gamma=0.3).end[0] == 100  # neighbours on the ring
    assert result_on(torus, [5], gamma=0.3).end[0] == 100
    assert result_on(torus, list(range(8)), gamma=0.3).end[0] == 100  # the only set of 8 nodes


def test_no_more_than_the_limit_is_run_whatever_the_slowdown() -> None:
    trace = sw.Trace.from_columns([0], [100], [2], [120])
    policy = sw.External(lambda queue, machine: [(queue.job_id[0], [0, 4])] if len(queue) else None)
    site = sw.Site(
        machine=sw.Torus((8,), order="row"),
        policy=policy,
        placement=sw.PlacementEffect(gamma=0.3),
    )
    result = sw.simulate(trace, site)
    assert result.end[0] == 120
    assert result.state[0] == sw.State.KILLED


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 200), st.integers(0, 2**64 - 1))
def test_sensitive_jobs_are_the_first_of_one_permutation(n_jobs: int, seed: int) -> None:
    order = permutation(seed, n_jobs)
    for beta in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0):
        chosen = np.flatnonzero(_core.sensitive_jobs(beta, seed, n_jobs)).tolist()
        assert chosen == sorted(order[: math.floor(beta * n_jobs + 0.5)])


def test_every_job_is_sensitive_as_often_as_any_other() -> None:
    """For each of 2000 seeds, 10 of 40 jobs are sensitive, so each job is sensitive about 500
    times.

    The standard deviation is sqrt(2000 · 1/4 · 3/4) = 19.4; the tolerance is 5 times as large.
    """
    drawn = sum(_core.sensitive_jobs(0.25, seed, 40).astype(int) for seed in range(2000))
    assert sum(drawn) == 2000 * 10
    assert max(abs(drawn - 500)) < 97
