"""Columns of a result that name queues and pools."""

from __future__ import annotations

import json

import pytest

import slotwise as sw
from slotwise.result.manifest import seeds_of

# Five jobs on pools of 4 and 2 processors. The first and fourth go to "wide" in pool "big", the
# second and third to "narrow" in "little". The fifth is too long for both queues.
SITE = sw.Site(
    6,
    pools=[sw.Pool("big", 4), sw.Pool("little", 2)],
    queues=[
        sw.Queue("narrow", processors=(1, 2), walltime=(0, 100), pools=["little"]),
        sw.Queue("wide", processors=(3, None), walltime=(0, 100), pools=["big"]),
    ],
)
TRACE = sw.Trace.from_columns(
    [0, 0, 0, 0, 0], [50, 50, 50, 50, 500], [4, 2, 1, 5, 1], queue=[8, 9, 9, 8, 9], max_processors=6
)
TOO_LARGE, NO_QUEUE = sw.RejectReason.TOO_LARGE, sw.RejectReason.NO_QUEUE


@pytest.fixture(scope="module")
def result() -> sw.Result:
    return sw.simulate(TRACE, SITE)


def test_every_job_has_its_queue_pool_and_reason(result: sw.Result) -> None:
    assert result.queue_names == ("narrow", "wide")
    assert result.pool_names == ("big", "little")
    assert result.queue[:3].tolist() == [1, 0, 0]
    assert result.queue[4] == -1
    assert result.pool.tolist() == [0, 1, 1, -1, -1]
    assert result.reject_reason.tolist() == [0, 0, 0, TOO_LARGE, NO_QUEUE]
    assert result.rejections() == {TOO_LARGE: 1, NO_QUEUE: 1}
    assert result.start.tolist() == [0, 0, 50, -1, -1]


def test_a_site_without_queues_and_pools_has_one_of_each() -> None:
    plain = sw.simulate(TRACE, sw.Site(4))
    assert (plain.queue_names, plain.pool_names) == (("default",), ("machine",))
    assert plain.queue.tolist() == plain.pool.tolist() == [0, 0, 0, -1, 0]
    assert plain.reject_reason.tolist() == [0, 0, 0, TOO_LARGE, 0]
    assert plain.queue.flags.writeable is False


def test_metrics_by_queue_use_the_queues_of_the_site(result: sw.Result) -> None:
    by_queue = result.metrics_by("queue")
    assert list(by_queue)[:2] == ["narrow", "wide"]
    assert by_queue["narrow"]["mean_wait"] == 25  # the mean of 0 and 50 s
    assert by_queue[None]["n_jobs"] >= 1
    assert list(result.metrics_by("pool")) == ["big", "little", None]
    assert list(sw.simulate(TRACE, sw.Site(6)).metrics_by("queue")) == [8, 9]


def test_the_table_of_jobs_names_queue_pool_and_reason(result: sw.Result) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(result.jobs).to_pydict()
    assert table["site_queue"][:3] == ["wide", "narrow", "narrow"]
    assert table["pool"] == ["big", "little", "little", None, None]
    assert table["reject_reason"] == ["none", "none", "none", "too_large", "no_queue"]
    assert table["queue"] == [8, 9, 9, 8, 9]


def test_a_manifest_is_json_and_names_the_machine_of_the_header() -> None:
    site = SITE.replace(machine=None)
    manifest = sw.simulate(TRACE, site).manifest
    assert json.loads(json.dumps(manifest))["site"] == SITE.to_dict()
    drawn = sw.Crashes(law="exponential", mean="30d", seed=7)
    assert seeds_of(sw.Site(crashes=drawn)) == {"crashes": 7}


def test_a_site_that_rejects_every_job_says_how_many_and_why() -> None:
    trace = sw.Trace.from_columns([0, 0, 1], [5, 5, 50], [2, 9, 3], user=[1, 1, 1])
    site = sw.Site(
        10,
        queues=[sw.Queue("q", processors=(1, 8))],
        limits=sw.Limits(processors_per_user=2),
        maintenance=[sw.Maintenance(0, 5, every=9)],
    )
    words = (
        "none of the 3 jobs can ever start: 1 not accepted by any queue, 1 beyond a limit on "
        "single jobs, 1 longer than the time between two maintenance windows; relax"
    )
    with pytest.raises(sw.SiteError, match=words):
        sw.simulate(trace, site)
