"""Queues of a site from partitions, outages from events, and why keys are ignored."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import DescribedSite, describe_site
from slotwise.formats.slurm_site.left_out import reason_of
from slotwise.formats.slurm_site.numbers import time_limit

if TYPE_CHECKING:
    from pathlib import Path

NODES = "NodeName=n[1-4] CPUs=2 Feature=ib\nNodeName=g[1-2] CPUs=2 Feature=ib,v100\n"
HEADER = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n"


def described(tmp_path: Path, conf: str, events: str = "") -> DescribedSite:
    (tmp_path / "slurm.conf").write_text(NODES + conf)
    (tmp_path / "events.txt").write_text(events)
    return describe_site(
        tmp_path / "slurm.conf", events=tmp_path / "events.txt" if events else None
    )


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90 * 60),
        ("1:30", 2 * 60),  # rounded up to minutes, as Slurm does
        ("0:30", 60),
        ("24:00:00", 86400),
        ("1-12", 36 * 3600),
        ("1-12:30", 36 * 3600 + 1800),
        ("1-12:30:01", 36 * 3600 + 1860),
        ("INFINITE", None),
        ("unlimited", None),
        ("-1", None),
    ],
)
def test_times_are_read_in_all_six_forms(text: str, seconds: int | None) -> None:
    assert time_limit("MaxTime", text) == seconds


@pytest.mark.parametrize("text", ["", "1d", "1-", "1:2:3:4", "1-2:3:4:5", "-2", "1.5", "٣"])
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"MaxTime=.* must be a time in Slurm's form"):
        time_limit("MaxTime", text)


def test_a_partition_is_a_queue_with_its_nodes_bounds_and_tier(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "PartitionName=debug Nodes=n[1-2],g1 MaxTime=30 DefaultTime=10 MinNodes=0 MaxNodes=2 "
        "PriorityTier=5\nPartitionName=all Nodes=ALL\n",
    )
    debug, every = made.site.queues
    assert (debug.name, debug.nodes, debug.walltime) == ("debug", ("n[1-2],g1",), (0, 1800))
    assert (debug.default_walltime, debug.nodes_per_job, debug.priority) == (600, (1, 2), 5)
    assert (every.nodes, every.walltime, every.default_walltime) == ((), (0, None), None)
    assert (every.nodes_per_job, every.priority) == ((1, None), 1)


def test_the_default_partition_comes_first_and_queues_have_the_names_of_partitions(
    tmp_path: Path,
) -> None:
    made = described(
        tmp_path, "PartitionName=a Nodes=n1\nPartitionName=b Nodes=n1,n2 Default=YES\n"
    )
    assert [(queue.name, queue.trace_queues) for queue in made.site.queues] == [
        ("b", ("b",)), ("a", ("a",)),
    ]  # fmt: skip
    assert not any("trace_queues" in comment for comment in made.comments)


@pytest.mark.filterwarnings("ignore:the log's queue 'x' is in no trace_queues")
def test_jobs_without_a_partition_go_where_the_remark_says(tmp_path: Path) -> None:
    # A partition without bounds takes only jobs that name it; one with MaxTime also takes others.
    jobs = sw.Trace.from_columns([0] * 3, [60] * 3, [1] * 3, queue=["a", "b", "x"])
    for bounds, state in (("", sw.State.REJECTED), (" MaxTime=1-0", sw.State.COMPLETED)):
        made = described(
            tmp_path, f"PartitionName=a Nodes=ALL Default=YES{bounds}\nPartitionName=b Nodes=ALL\n"
        )
        assert any(
            "If there is no such queue, the job is rejected" in comment for comment in made.comments
        )
        result = sw.simulate(jobs, made.site)
        assert [sw.State(int(each)) for each in result.state[:2]] == [sw.State.COMPLETED] * 2
        assert sw.State(int(result.state[2])) == state


def test_equal_tiers_leave_the_priority_out(tmp_path: Path) -> None:
    conf = (
        "PartitionName=DEFAULT PriorityTier=9\nPartitionName=a Nodes=n1\nPartitionName=b Nodes=n2\n"
    )
    assert [queue.priority for queue in described(tmp_path, conf).site.queues] == [0, 0]


def test_defaults_of_partitions_hold_below_and_add_up(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "PartitionName=DEFAULT Nodes=n1 MaxTime=60 DefaultTime=30\nPartitionName=a\n"
        "PartitionName=DEFAULT Priority=7\nPartitionName=b MaxTime=20\n",
    )
    first, second = made.site.queues
    assert (first.nodes, first.walltime, first.priority) == (("n1",), (0, 3600), 1)
    assert (second.walltime, second.priority) == ((0, 1200), 7)
    assert (first.default_walltime, second.default_walltime) == (1800, 1200)
    assert "In b, DefaultTime exceeds MaxTime; here, MaxTime is used instead." in made.comments


def test_a_time_limit_is_the_default_where_there_is_no_other(tmp_path: Path) -> None:
    made = described(tmp_path, "PartitionName=a Nodes=n1 MaxTime=1:00:00 DefaultTime=INFINITE\n")
    assert made.site.queues[0].default_walltime == 3600


def test_a_cluster_with_default_times_replays(tmp_path: Path) -> None:
    # There is one node of 2 cores. The first job requests no time and ends at 10. With the default
    # of half an hour, the second job, which needs the whole node, has its reservation at 1800. The
    # third job, of 100 s, starts before that.
    made = described(tmp_path, "PartitionName=a Nodes=n1 MaxTime=60 DefaultTime=30\n")
    trace = sw.Trace.from_columns(
        [0, 1, 2], [10, 5, 100], [1, 2, 1], [-1, 5, 100], partition=["a", "a", "a"]
    )
    assert sw.simulate(trace, made.site).start.tolist() == [0, 102, 2]


def test_sets_of_nodes_are_resolved(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "NodeSet=fast Feature=v100\nNodeSet=few Nodes=n[1-2]\nPartitionName=p Nodes=fast,few,n4\n",
    )
    assert made.site.queues[0].nodes == ("n4", "feature:v100", "n[1-2]")


def test_closed_partitions_are_open_and_named(tmp_path: Path) -> None:
    made = described(tmp_path, "PartitionName=a Nodes=n1 State=DOWN\nPartitionName=b Nodes=n1\n")
    assert len(made.site.queues) == 2
    assert "Open in this site, though slurm.conf closes them: a (DOWN)." in made.comments


def test_events_of_nodes_are_outages(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "ClusterName=c\n",
        HEADER
        + "c||2024-01-01T00:00:00|2024-01-02T00:00:00||Cluster registered TRES|\n"
        + "c|n2|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN*|fan | 2|root\n"
        + "c|n1|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|fan|root\n"
        + "c|n3|1709712000|Unknown|IDLE+DRAIN|café|root\n"
        + "c|n3|2024-03-07T08:00:00|2024-03-07T08:00:00|DOWN||root\n"
        + "c|old[1-6]|2024-03-07T08:00:00|Unknown|DOWN||root\n"
        + "d|n1|2024-03-07T08:00:00|Unknown|DOWN||root\n",
    )
    first, second = sorted(made.site.outages, key=lambda outage: outage.mode, reverse=True)
    assert (first.start, first.duration) == (datetime(2024, 3, 6, 8), 7200)
    assert (first.nodes, first.mode) == (("n[1-2]",), "sudden")
    # 1709712000 is 2024-03-06 08:00 UTC; an open outage lasts 3650 days.
    assert (second.start, second.duration) == (datetime(2024, 3, 6, 8, tzinfo=UTC), 3650 * 86400)
    assert (second.nodes, second.mode) == (("n3",), "drain")
    told = " ".join(made.comments)
    assert "1 outage had no end and lasts 3650 days here" in told
    assert "Left out: 1 event of zero length." in told
    assert "Left out: 1 event of the whole cluster." in told
    assert "Left out: the events of 6 nodes that the machine does not have (old1, old2" in told
    assert "Left out: 1 event of other clusters (d)." in told


def test_events_may_be_written_with_p_in_latin_1_and_without_reasons(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(NODES)
    (tmp_path / "events.txt").write_bytes(
        b"NodeName|Start|End|State|Reason|\r\n"
        b"n1|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|caf\xe9|\r\n\r\n"
    )
    made = describe_site(tmp_path / "slurm.conf", events=tmp_path / "events.txt")
    assert [outage.nodes for outage in made.site.outages] == [("n1",)]
    (tmp_path / "events.txt").write_text("NodeName|TimeStart|TimeEnd|State\n")
    assert describe_site(tmp_path / "slurm.conf", events=tmp_path / "events.txt").site.outages == ()


def test_every_key_left_out_is_named_with_its_reason(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "SlurmUser=root\nPriorityWeightAge=5\nWhatIsThis=1\nDefMemPerCPU=2\nclustername=c\n"
        "DownNodes=n1 State=DOWN\nnot a key\n"
        "NodeName=m CPUs=1 TmpDisk=5 NodeAddr=m0 Oddity=3\n"
        "PartitionName=p Nodes=m AllowAccounts=a,b QOS=q Shared=NO Curious=1\n",
    )
    for told in (
        "Left out of the nodes (disk space is not counted): TmpDisk.",
        "Left out of the nodes (addresses have no effect on a schedule): NodeAddr.",
        "Left out of the nodes (not known to Slotwise): Oddity.",
        "Left out of the partitions (jobs in a log were already admitted): AllowAccounts.",
        "Left out of the partitions (a job's demands determine what it shares): Shared.",
        "Left out of the partitions (not known to Slotwise): Curious.",
        "Left out (rules of Slurm's scheduler; choose order and backfill in [policy]): "
        "PriorityWeightAge.",
        "Left out (settings of Slurm's daemons, which have no effect on when jobs start): "
        "SlurmUser.",
        "Left out (not known to Slotwise): WhatIsThis.",
        f"Left out (lines that are not KEY=VALUE): {tmp_path}/slurm.conf:9.",
    ):
        assert told in made.comments
    assert sum("QOS" in comment for comment in made.comments) == 1


@pytest.mark.parametrize(
    ("scope", "key", "reason"),
    [
        ("", "SCHEDULERPARAMETERS", "rules of Slurm's scheduler"),
        ("", "StateSaveLocation", "settings of Slurm's daemons"),
        ("partition", "State", "every queue of a site is open"),
        ("gres", "Cores", "a device's place within a node"),
        ("gres", "Nonsense", "not known to Slotwise"),
    ],
)
def test_a_reason_is_found_in_whatever_case(scope: str, key: str, reason: str) -> None:
    assert reason_of(scope, key).startswith(reason)


@pytest.mark.parametrize("version", [None, "25.11"])
def test_shared_cores_are_left_out_with_their_reason(tmp_path: Path, version: str | None) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=n CPUs=4\nPartitionName=DEFAULT Nodes=n OverSubscribe=YES\n"
        "PartitionName=p OverSubscribe=FORCE:4\nPartitionName=q Shared=YES:2\nPartitionName=r\n"
    )
    found = describe_site(tmp_path / "slurm.conf", version=version)
    assert [comment for comment in found.comments if "OverSubscribe" in comment] == [
        "Left out of the partitions (a replay never gives a core to two jobs at the same time): "
        "OverSubscribe=YES, OverSubscribe=FORCE:4, Shared=YES:2."
    ]
