"""Queue configurations written as input for batch systems: PBS ``qmgr`` and ``slurm.conf``."""

from __future__ import annotations

from dataclasses import replace

import pytest

import slotwise as sw
from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.batch_lines import (
    hms,
    qmgr_lines,
    slurm_lines,
    unique_words,
)
from slotwise.advice.queue_design.layout import Layout, Part, Partition
from slotwise.advice.queue_design.parameters import DAY
from slotwise.formats.slurm_times import written_time


def test_walltimes_are_written_in_the_form_of_each_system() -> None:
    assert hms(3 * DAY + 61) == "72:01:01"
    assert written_time(3 * DAY + 61) == "3-00:01:01"
    assert written_time(7200) == "02:00:00"


def test_qmgr_has_a_routing_queue_for_a_split_queue(layout: Layout) -> None:
    lines = qmgr_lines(layout)
    assert "create queue small queue_type = Route" in lines
    assert 'set queue small route_destinations = "small_1,small_2"' in lines
    assert "set queue small_2 resources_min.ncpus = 241" in lines
    assert "set queue small72 resources_min.walltime = 24:00:01" in lines
    assert "set queue small72 resources_max.walltime = 72:00:00" in lines
    # The soft limit is the queue's own processors; the hard limit includes the common pool.
    assert 'set queue medium max_run_res_soft.ncpus = "[o:PBS_ALL=16000]"' in lines
    assert 'set queue medium max_run_res.ncpus = "[o:PBS_ALL=19232]"' in lines
    assert 'set queue large max_run_res.ncpus = "[o:PBS_ALL=32000]"' in lines
    made = [line.split()[2] for line in lines if line.startswith("create queue")]
    assert len(made) == len(set(made)) == 7
    # idqueue has priority 1 and small72 has 3; the merged queue gets the higher priority.
    assert "set queue idqueue Priority = 3" in lines
    assert "set queue small72 Priority = 3" in lines


def test_no_two_names_are_written_the_same() -> None:
    assert unique_words(["a", "a-1", "a_1", "a.1"]) == ["a", "a_1_2", "a_1", "a_1_3"]
    # The first two names would both be written as small_2.
    assert unique_words(["small~2", "small.2", "small_2_2"]) == [
        "small_2",
        "small_2_3",
        "small_2_2",
    ]
    assert unique_words(["x", "x"]) == ["x", "x_2"]


def test_names_of_queues_and_parts_that_would_collide_are_numbered(serc: sw.Trace) -> None:
    # The parts of `small` would be small_1 and small_2, but other queues have these names.
    site = sw.Site(
        35_232,
        queues=[
            sw.Queue("small", processors=(1, 240), walltime=(0, DAY), priority=1),
            sw.Queue("small_1", processors=(1, 240), walltime=(DAY, 2 * DAY), priority=2),
            sw.Queue("small-1", processors=(241, 8208), walltime=(0, DAY), priority=3),
        ],
    )
    known = Base.of(site, serc)
    layout = Layout(
        known,
        (
            Partition("small~2", (Part(0, 1, 120, 0, DAY),), 5000),
            Partition("small.2", (Part(0, 121, 240, 0, DAY),), 5000),
            Partition("small_1", (Part.whole(known, 1),), 5000),
            Partition("small-1", (Part.whole(known, 2),), 20_232),
        ),
    )
    lines = qmgr_lines(layout)
    assert [line.split()[2] for line in lines if line.startswith("create queue")] == [
        "small", "small_1_3", "small_2", "small_1", "small_1_2",
    ]  # fmt: skip
    assert 'set queue small route_destinations = "small_1_3,small_2"' in lines
    assert [line for line in lines if line.startswith("# small")] == [
        "# small_1_2 is queue small-1",
        "# small_1_3 is part 1 of queue small",
    ]
    slurm = slurm_lines(layout)
    assert [line.split()[0] for line in slurm if line.startswith("Partition")] == [
        f"PartitionName={name}" for name in ("small_2", "small_2_2", "small_1", "small_1_2")
    ]
    assert slurm[1:4] == [
        "# small_2 is small~2", "# small_2_2 is small.2", "# small_1_2 is small-1",
    ]  # fmt: skip


def test_without_a_common_pool_a_partition_is_a_hard_limit(layout: Layout) -> None:
    lines = qmgr_lines(replace(layout, hybrid=False))
    assert 'set queue medium max_run_res.ncpus = "[o:PBS_ALL=16000]"' in lines
    assert not any("soft" in line for line in lines)


def test_a_bound_that_no_job_requests_is_not_written(serc: sw.Trace) -> None:
    # Curie's log has requests of 2³¹ − 1 s.
    site = sw.Site(
        35_232,
        queues=[
            sw.Queue("few", processors=(1, 240), walltime=(0, DAY)),
            sw.Queue("many", processors=(241, 8208), walltime=(0, 2**31 - 1)),
        ],
    )
    open_ended = Base.of(site, serc)
    layout = Layout.of_base(open_ended, (17_000, 18_232))
    assert [line for line in qmgr_lines(layout) if "resources_max.walltime" in line] == [
        "set queue few resources_max.walltime = 24:00:00"
    ]
    few, many = (line for line in slurm_lines(layout) if line.startswith("PartitionName"))
    assert " MaxTime=1-00:00:00 " in few
    assert " MaxTime=UNLIMITED " in many


def test_slurm_partitions_have_their_own_nodes_and_the_common_ones(layout: Layout) -> None:
    head, unsaid, *lines = slurm_lines(layout, 32)
    assert unsaid.startswith("# no equivalent here: starvation (queues: ")
    lines = [head, *lines]
    assert lines[2:4] == [
        "# idqueue: 8 to 256 processors, up to 02:00:00",
        "# small72: 24 to 1032 processors, above 1-00:00:00 up to 3-00:00:00",
    ]
    # 8000, 4000, 4000, 16000 and 3232 processors are 250, 125, 125, 500 and 101 nodes of 32.
    assert lines[4] == (
        "PartitionName=mixed Nodes=node[1-250],node[1001-1101] MinNodes=1 MaxNodes=33 "
        "MaxTime=3-00:00:00 PriorityTier=3 State=UP"
    )
    assert lines[-1] == (
        "PartitionName=large Nodes=node[1-250],node[251-375],node[376-500],node[501-1000] "
        "MinNodes=257 MaxNodes=713 MaxTime=1-00:00:00 PriorityTier=5 State=UP"
    )


def test_a_partition_has_whole_nodes_for_its_largest_job(base: Base) -> None:
    # The largest job of idqueue, 256 processors, needs 11 nodes of 24; its share is 259 · 1468 /
    # 35,232 = 10.8. The 4320 processors of `small` are 180 nodes. Of the other 1277 nodes,
    # `small72` takes 12 % (153.2) and `medium` takes 88 % (1123.8).
    layout = Layout.of_base(base, (259, 4320, 3676, 26_977))
    nodes = [line.split()[1] for line in slurm_lines(layout, 24) if line.startswith("Partition")]
    assert nodes[:4] == [
        "Nodes=node[1-11]", "Nodes=node[12-191]", "Nodes=node[192-344]", "Nodes=node[345-1468]",
    ]  # fmt: skip


def test_node_sizes_that_do_not_suit_the_machine_are_refused(layout: Layout) -> None:
    with pytest.raises(
        ValueError, match=r"cores=5000: the machine's 35232 processors .* use a divisor"
    ):
        slurm_lines(layout, 5000)
    # Each node has half of the cores, so the machine has two nodes for four partitions.
    with pytest.raises(ValueError, match="need 4 whole nodes in total, but the machine has 2"):
        slurm_lines(layout, 17_616)
