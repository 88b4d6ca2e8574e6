"""Parts of a site: the forms that their fields may have, and values that are refused."""

from __future__ import annotations

import pickle
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.site.parts.times import hours_of, instant_of, offset_of, seconds_of, written_duration

DAY = 86400


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (0, 0),
        (90, 90),
        (90.0, 90),
        (np.int64(7), 7),
        ("90", 90),
        ("90s", 90),
        ("30m", 1800),
        ("1.5h", 5400),
        ("7 d", 7 * DAY),
        ("2w", 14 * DAY),
        ("24:00:00", DAY),
        ("00:00:01", 1),
        ("1-12:00:00", DAY + DAY // 2),
        (timedelta(hours=2), 7200),
        (np.timedelta64(3, "m"), 180),
    ],
)
def test_durations_have_many_forms(written: Any, seconds: int) -> None:
    assert seconds_of(written) == seconds


@pytest.mark.parametrize(
    "written",
    [
        -1,
        0.5,
        "0.5s",
        "12:00",
        "1:60:00",
        "1-24:00:00",
        "soon",
        "",
        True,
        None,
        float("nan"),
        2**60,
    ],
)
def test_what_is_no_duration_is_refused(written: Any) -> None:
    with pytest.raises(ValueError, match=r"must|lie"):
        seconds_of(written)


@pytest.mark.parametrize("seconds", [0, 59, 60, 3600, DAY, 2 * DAY, 360_001, 7**9])
def test_a_written_duration_reads_back(seconds: int) -> None:
    assert seconds_of(written_duration(seconds)) == seconds


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        (17, 17),
        ("17", 17),
        ("2010-10-13T08:00:00", datetime(2010, 10, 13, 8)),
        ("2010-10-13 08:00", datetime(2010, 10, 13, 8)),
        ("2010-10-13", datetime(2010, 10, 13)),
        (date(2010, 10, 13), datetime(2010, 10, 13)),
        ("2010-10-13T08:00:00-05:00", datetime.fromisoformat("2010-10-13T13:00:00+00:00")),
    ],
)
def test_instants_are_dates_or_seconds_of_the_trace(written: Any, instant: Any) -> None:
    assert instant_of(written) == instant


@pytest.mark.parametrize("written", ["Wednesday", -1, 1.5, "2010-13-01", "2010-10-13T08:00:00.5"])
def test_what_is_no_instant_is_refused(written: Any) -> None:
    with pytest.raises(ValueError, match=r"must"):
        instant_of(written)


def test_hours_of_the_day_are_written_one_way() -> None:
    assert hours_of("8:00-20:00") == ("08:00-20:00",)
    assert hours_of(["22:00 - 06:30", "12:00-24:00"]) == ("22:00-06:30", "12:00-24:00")
    for wrong in ("8-20", "25:00-26:00", "24:00-08:00", "08:00-08:00", "08:00", 8):
        with pytest.raises(ValueError, match=r"hours|no time"):
            hours_of(wrong)


def test_offsets_from_utc_are_written_one_way() -> None:
    assert offset_of("-0500") == offset_of(timedelta(hours=-5)) == "-05:00"
    assert offset_of("Z") == "+00:00"
    for wrong in ("EST", timedelta(seconds=90)):
        with pytest.raises(ValueError, match="offset"):
            offset_of(wrong)


def test_a_part_written_in_two_ways_is_one_value() -> None:
    one = sw.Queue("small", processors=[24, 1032], walltime=["0", "24:00:00"], starvation="1d")
    other = sw.Queue("small", (24, 1032), (0, timedelta(days=1)), starvation=DAY)
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.replace(priority=1).priority == 1
    assert one.to_dict() == {
        "name": "small",
        "processors": [24, 1032],
        "walltime": [0, DAY],
        "starvation": DAY,
    }


def test_a_range_without_a_second_end_has_no_bound() -> None:
    assert sw.Queue("q", processors=[24], walltime=["1h"]).processors == (24, None)
    assert sw.Queue("q", walltime=("1h", None)).to_dict() == {"name": "q", "walltime": [3600]}


def test_a_queue_with_trace_queues_and_no_ranges_takes_no_others() -> None:
    assert not sw.Queue("q", trace_queues=[3]).has_ranges
    assert sw.Queue("q", trace_queues=[3], processors=(1, 8)).has_ranges
    assert sw.Queue("q").has_ranges


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sw.Pool("", 4), ["name"]),
        (lambda: sw.Pool("p", 0), ["processors", "from 1 to"]),
        (lambda: sw.Pool("p", 4, threshold=-1), ["threshold", "at least 0"]),
        (lambda: sw.Queue("q", processors=(8, 4)), ["[8, 4] is reversed", "[4, 8]"]),
        (lambda: sw.Queue("q", walltime=("2h", "1h")), ["walltime", "02:00:00", "swap"]),
        (
            lambda: sw.Queue("q", walltime=("1h", "1h")),
            ["contains no time", "; raise the second, or"],
        ),
        (lambda: sw.Queue("q", starvation=-1), ["starvation: -1 must last at least 1 second"]),
        (lambda: sw.Queue("q", starvation=0), ["starvation: 0 must last at least 1 second"]),
        (lambda: sw.Queue("q", running=0), ["running", "at least 1", "omit the key"]),
        (lambda: sw.Queue("q", order="sjff"), ["did you mean 'sjf'"]),
        (lambda: sw.Queue("q", priority=float("nan")), ["priority"]),
        (lambda: sw.Queue("q", hours="20-8"), ["hours", "20:00-08:00"]),
        (lambda: sw.Queue("q", pools=["a", "a"]), ["pools", "listed twice"]),
        (lambda: sw.Queue("q", processors=(9, 9), processors_in_use=8), ["processors_in_use", "9"]),
        (lambda: sw.Limits(running_per_user=0), ["running_per_user", "at least 1"]),
        (lambda: sw.Limits(lifted_when_idle=1), ["lifted_when_idle", "true or false"]),  # type: ignore[arg-type]
        (lambda: sw.Maintenance(0, "8h", every="8h"), ["08:00:00 is as long as the period"]),
        (lambda: sw.Maintenance(0, "8d", every="7d"), ["8d is longer than the period", "7d"]),
        (lambda: sw.Maintenance(0, 0), ["at least 1 second"]),
        (lambda: sw.Maintenance(0, 1, mode="sudden"), ["drain, kill"]),  # type: ignore[arg-type]
        (lambda: sw.Outage(0, 5, 1, every=4), ["longer than the period"]),
        (lambda: sw.Reservation("r", 0, 5, 1), ["users", "no user, group, account or qos"]),
        (lambda: sw.Crashes(law="weibull"), ["mean", "needs"]),
        (lambda: sw.Crashes(mean="1d"), ["mean", "set law"]),
        (
            lambda: sw.Crashes(times=[5], law="exponential", mean=9),
            ["times", "leave out times or law"],
        ),
        (lambda: sw.Crashes(law="exponential", mean=9, shape=2), ["shape", "weibull"]),
        (lambda: sw.Crashes(repair="1h"), ["repair", "only to crashes"]),
        (lambda: sw.Interruption("from-checkpoint"), ["checkpoint_every"]),
        (lambda: sw.Interruption(checkpoint_every=60), ["requeue 'from-start'", "from-checkpoint"]),
        (
            lambda: sw.Interruption("from-checkpoint", checkpoint_every=60, checkpoint_at=9),
            ["checkpoint_at", "leave one"],
        ),
        (lambda: sw.Clock(start=5), ["start", "date"]),  # type: ignore[arg-type]
    ],
)
def test_a_part_that_cannot_be_is_refused_with_value_rule_and_remedy(
    make: Any, words: list[str]
) -> None:
    with pytest.raises(sw.SiteError) as caught:
        make()
    (line,) = str(caught.value).splitlines()
    for word in words:
        assert word in line


def test_every_fault_of_a_part_is_told_at_once() -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.Queue("q", processors=0, walltime="x", running=0)  # type: ignore[arg-type]
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["processors", "walltime", "running"]
    assert all(line.startswith("Queue('q'): ") for line in lines)


def test_a_site_is_a_value() -> None:
    site = sw.Site(8, queues=[sw.Queue("a", processors=(1, 4)), sw.Queue("b")])
    same = sw.Site(sw.Processors(8), queues=(sw.Queue("a", (1, 4)), sw.Queue("b")), crashes=None)  # type: ignore[arg-type]
    assert site == same
    assert hash(site) == hash(same)
    assert pickle.loads(pickle.dumps(site)) == site
    assert site.replace(queues=()) == sw.Site(8)
    assert not site.is_plain
    assert sw.Site(8, clock=sw.Clock("2010-01-01")).is_plain


def test_a_policy_may_be_a_mapping() -> None:
    assert sw.Site(policy={"order": "sjf"}).policy == sw.Policy("sjf")  # type: ignore[arg-type]
    assert sw.Site(policy={"preset": "pyss"}).policy == sw.Policy.preset("pyss")  # type: ignore[arg-type]
    with pytest.raises(sw.SiteError, match="did you mean 'order'"):
        sw.Site(policy={"oder": "sjf"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"queues": ["small"]}, ["queue[0]", "pass a Queue"]),
        ({"limits": 5}, ["limits", "Limits(...)"]),
        ({"dependencies": 1}, ["dependencies", "true or false"]),
        ({"machine": "big"}, ["machine", "Processors(1152)"]),
    ],
)
def test_a_part_of_another_kind_is_refused(fields: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.Site(**fields)
    for word in words:
        assert word in str(caught.value)


def test_what_a_replay_keeps_repeats_it() -> None:
    trace = sw.generate("lublin", n_jobs=300, processors=64, seed=2)
    site = sw.Site(64, crashes=sw.Crashes()).replace(limits=sw.Limits(running_per_user=3))
    manifest = sw.simulate(trace, site).manifest
    assert manifest["slotwise"] == sw.__version__
    hashes = {"content_hash": trace.content_hash, "replay_hash": trace.replay_hash}
    assert manifest["trace"] == {"source": "", **hashes, "jobs": 300}
    assert manifest["site"] == site.to_dict()
    assert manifest["seeds"] == {}
