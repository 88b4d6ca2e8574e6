"""The policy of a site from a ``slurm.conf``: the preset with the settings of the centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pathlib import Path

NODES = "NodeName=n[1-4] CPUs=4 RealMemory=8000\nPartitionName=a Nodes=ALL\n"


def described(tmp_path: Path, text: str, version: str = "25.11") -> tuple[sw.Policy, str]:
    path = tmp_path / "slurm.conf"
    path.write_text(text + NODES)
    found = describe_site(path, version=version)
    return found.site.policy, "\n".join(found.comments)


def test_the_settings_of_the_centre_are_those_of_the_preset(tmp_path: Path) -> None:
    policy, comments = described(
        tmp_path,
        "SchedulerParameters==bf_max_job_user=20,bf_window=4320,bf_interval=60,bf_continue,defer\n"
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
        "PriorityType=priority/multifactor\nPriorityWeightAge=50000\nPriorityMaxAge=0-5\n"
        "PriorityWeightJobSize=200000\nPriorityFavorSmall=YES\nPriorityCalcPeriod=10\n"
        "OverTimeLimit=2\nEnforcePartLimits=ALL\n",
    )
    order = {
        "name": "multifactor", "age": 50000, "max_age": 5 * 3600, "job_size": 200000,
        "favor_small": 1,
    }  # fmt: skip
    expected = sw.Policy.preset(
        "slurm", version="25.11", order=order, bf_max_job_user=20, bf_window=4320, bf_interval=60,
        bf_continue=True, defer=True, priority_calc_period=600, over_time_limit=2,
        enforce_part_limits="all",
    )  # fmt: skip
    assert policy == expected
    assert "[policy] is the preset slurm with the defaults of 25.11" in comments


def test_a_former_name_of_a_parameter_is_read(tmp_path: Path) -> None:
    # The recorded run of 500 jobs has max_job_bf, which was renamed bf_max_job_test.
    policy, comments = described(
        tmp_path, "SchedulerParameters=max_job_bf=1200,bf_node_space_size=700\nKillWait=90\n"
    )
    assert policy == sw.Policy.preset(
        "slurm", version="25.11", bf_max_job_test=1200, bf_node_space_size=700, kill_wait=90
    )
    assert "KillWait" not in comments


def test_a_version_gives_its_defaults(tmp_path: Path) -> None:
    policy, comments = described(tmp_path, "", "22.05")
    assert policy == sw.Policy.preset("slurm", version="22.05")
    assert "the defaults of 22.05" in comments


def test_settings_that_are_never_read_are_named(tmp_path: Path) -> None:
    _, comments = described(
        tmp_path,
        "SchedulerParameters=bf_yield_interval=1000000,max_rpc_cnt=150\n"
        "PriorityWeightQOS=1000\nPriorityWeightFairshare=10\nPriorityFlags=CALCULATE_RUNNING\n",
    )
    for setting in (
        "bf_yield_interval=1000000", "max_rpc_cnt=150", "PriorityWeightQOS=1000",
        "PriorityFlags=CALCULATE_RUNNING",
    ):  # fmt: skip
        assert setting in comments.split("Ignored: ")[1]
    assert "Fair Tree is not replayed" in comments


def test_faults_name_file_and_line_all_at_once(tmp_path: Path) -> None:
    text = (
        "SchedulerParameters=bf_intervall=3,bf_window=x\n"
        "SelectType=select/linear\nSelectTypeParameters=CR_Core\nPriorityWeightAge=-5\n"
    )
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, text)
    lines = str(raised.value).splitlines()
    conf = tmp_path / "slurm.conf"
    assert [line.split(": ")[0] for line in lines] == [
        f"{conf}:1", f"{conf}:1", f"{conf}:3", f"{conf}:4"
    ]  # fmt: skip
    assert "bf_intervall" in lines[0]
    assert "bf_interval" in lines[0].split("bf_intervall", 1)[1]
    assert "contradicts SelectType=select/linear" in lines[2]
    assert "PriorityWeightAge=-5 must be a whole number" in lines[3]


def test_nodes_keep_their_order_and_partitions_their_tier_and_factor(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(
        "NodeName=b[1-2] CPUs=4 Weight=9\nNodeName=a[1-2] CPUs=4\n"
        "PartitionName=x Nodes=ALL PriorityTier=4 PriorityJobFactor=7 OverSubscribe=EXCLUSIVE\n"
    )
    site = describe_site(path, version="25.11").site
    assert isinstance(site.machine, sw.Nodes)
    assert site.machine.names == ("b1", "b2", "a1", "a2")
    assert [kind.weight for kind in site.machine.types] == [9, 1]
    queue = site.queues[0]
    assert (queue.tier, queue.priority, queue.exclusive) == (4, 7, True)


def test_without_a_version_the_policy_keeps_its_defaults(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("SchedulerParameters=bf_interval=60\n" + NODES)
    found = describe_site(path)
    assert found.site.policy == sw.Policy()
    assert (found.site.queues[0].tier, found.site.queues[0].priority) == (1, 0)
    assert any("SchedulerParameters" in comment for comment in found.comments)


def test_events_are_refused_under_a_version(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(NODES)
    with pytest.raises(sw.SiteError, match="replays no outages yet; leave one of the two out"):
        describe_site(path, events=tmp_path / "events.txt", version="25.11")


def test_a_version_without_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(NODES)
    with pytest.raises(sw.SiteError, match=r"version '19\.05': known versions of Slurm are"):
        describe_site(path, version="19.05")
