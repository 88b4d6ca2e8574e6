"""The policy of a site from a ``slurm.conf``: the preset with the centre's settings."""

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
    assert "[policy] is the slurm preset with the defaults of Slurm 25.11" in comments
    assert "bf_continue has no effect, because the cycles of a replay take no time." in comments


@pytest.mark.parametrize(("microseconds", "is_told"), [(999_999, True), (1_000_000, False)])
def test_the_header_names_a_least_interval_below_one_second(
    tmp_path: Path, microseconds: int, is_told: bool
) -> None:
    text = f"SchedulerParameters=sched_min_interval={microseconds}\n"
    policy, comments = described(tmp_path, text)
    assert policy == sw.Policy.preset("slurm", version="25.11", sched_min_interval=microseconds)
    told = "sched_min_interval has no effect, because it is below one second."
    assert (told in comments) is is_told


def test_a_former_name_of_a_parameter_is_read(tmp_path: Path) -> None:
    # The recorded run of 500 jobs sets max_job_bf, the former name of bf_max_job_test.
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
    assert "the defaults of Slurm 22.05" in comments


def test_ignored_settings_are_named_with_the_reason(tmp_path: Path) -> None:
    _, comments = described(
        tmp_path,
        "SchedulerParameters=bf_yield_interval=1000000,max_rpc_cnt=150,bf_max_job_assoc=60,"
        "bf_licenses,no_env_cache\nSelectTypeParameters=CR_Core,CR_LLN,NONE\n"
        "PriorityWeightFairshare=10\nPriorityFlags=CALCULATE_RUNNING,MAX_TRES\n"
        "PriorityUsageResetPeriod=NOW\n",
    )
    told = comments[comments.index("Ignored (") :]
    assert told.startswith(
        "Ignored (they may change when or where jobs start): bf_max_job_assoc=60, "
        "SelectTypeParameters=CR_LLN."
    )
    for sentence in (
        "Ignored (they may change priorities): PriorityFlags=MAX_TRES.",
        "Ignored (a replay has no licences, reservations, heterogeneous jobs or preemption): "
        "bf_licenses.",
        "Ignored (scheduling takes no time in a replay): bf_yield_interval=1000000, "
        "max_rpc_cnt=150.",
        "Ignored (no effect on when the jobs in a log start): no_env_cache, "
        "PriorityUsageResetPeriod=NOW, PriorityFlags=CALCULATE_RUNNING.",
    ):
        assert sentence in told
    assert "Fair Tree is not supported" in comments


def test_a_misspelt_weight_is_not_known(tmp_path: Path) -> None:
    policy, comments = described(tmp_path, "PriorityWieghtAge=5\nPriorityTeir=3\n")
    assert policy == sw.Policy.preset("slurm", version="25.11")
    assert (
        "Left out (not known to Slotwise): PriorityWieghtAge (did you mean PriorityWeightAge?), "
        "PriorityTeir"
    ) in comments


def test_settings_that_may_change_starts_and_unknown_keys_are_counted(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "SchedulerParameters=bf_max_job_assoc=60,bf_licenses,bf_yield_sleep=1\n"
        "NodeName=n1 CPUs=4 RealMemroy=5\nPartitionName=a Nodes=n1 Curious=1\n"
    )
    found = describe_site(tmp_path / "slurm.conf", version="25.11")
    assert found.n_ignored == 2
    assert found.unknown == ("RealMemroy (did you mean RealMemory?)", "Curious")
    plain = describe_site(tmp_path / "slurm.conf")
    assert (plain.n_ignored, plain.unknown) == (0, found.unknown)


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


def test_nodes_are_in_the_order_of_their_names(tmp_path: Path) -> None:
    # Slurm orders nodes by name, not by line, as the `node_order` recording shows.
    path = tmp_path / "slurm.conf"
    path.write_text(
        "NodeName=n[9-10],n2 CPUs=4 Weight=9\nNodeName=n08,n[3-4] CPUs=4\nNodeName=a1 CPUs=8\n"
        "PartitionName=x Nodes=ALL\n"
    )
    machine = describe_site(path, version="25.11").site.machine
    assert isinstance(machine, sw.Nodes)
    assert machine.names == ("a1", "n08", "n2", "n3", "n4", "n9", "n10")
    assert [(kind.hosts, kind.weight) for kind in machine.types] == [
        ("a1", 1), ("n08", 1), ("n2", 9), ("n[3-4]", 1), ("n[9-10]", 9)
    ]  # fmt: skip
    # Without a version, the policy is not `slurm` and ignores node weights, so the site lists the
    # nodes with the lowest weights first.
    machine = describe_site(path).site.machine
    assert isinstance(machine, sw.Nodes)
    assert machine.names == ("n08", "n3", "n4", "a1", "n9", "n10", "n2")


def test_partitions_keep_their_tier_and_factor(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(
        "NodeName=a[1-2] CPUs=4\n"
        "PartitionName=x Nodes=ALL PriorityTier=4 PriorityJobFactor=7 OverSubscribe=EXCLUSIVE\n"
    )
    queue = describe_site(path, version="25.11").site.queues[0]
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
    with pytest.raises(sw.SiteError, match="does not support outages yet; use only one of the two"):
        describe_site(path, events=tmp_path / "events.txt", version="25.11")


def test_a_version_without_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(NODES)
    with pytest.raises(sw.SiteError, match=r"version '19\.05' of Slurm is not known; use"):
        describe_site(path, version="19.05")


@pytest.mark.parametrize(
    ("version", "n_faults"),
    [("24.05", 3), ("19.05", 4), ("new", 3)],  # CR_Core is a fault before 23.11
)
def test_a_version_without_rules_is_refused_with_the_faults_of_the_file(
    tmp_path: Path, version: str, n_faults: int
) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(
        "SchedulerParameters=bf_intervall=3\nSelectTypeParameters=CR_Core\n" + NODES
        + "PartitionName=b Nodes=n[4-5]\n"
    )  # fmt: skip
    with pytest.raises(sw.SiteError) as raised:
        describe_site(path, version=version)
    lines = str(raised.value).splitlines()
    assert len(lines) == n_faults
    assert lines[0].startswith(f"version '{version}' of Slurm is not known; use")
    assert lines[1].startswith(f"{path}:1: SchedulerParameters: unknown parameter")
    assert lines[-1].startswith(f"{path}:5: no NodeName line defines the node 'n5'")


def test_select_types_contradict_each_other_without_a_line_for_the_first(tmp_path: Path) -> None:
    # slurm.conf(5): the default is select/linear up to 23.02, and select/cons_tres from 23.11.
    text = "SelectTypeParameters=CR_Core_Memory\nPriorityWeightAge=-5\n"
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, text, "22.05")
    conf = tmp_path / "slurm.conf"
    assert str(raised.value).splitlines()[0] == (
        f"{conf}:1: SelectTypeParameters=CR_Core_Memory contradicts SelectType=select/linear (the "
        "default of Slurm 22.05, as there is no SelectType line), which allocates whole nodes; "
        "write CR_Memory, or SelectType=select/cons_tres"
    )
    assert f"{conf}:2: PriorityWeightAge=-5" in str(raised.value)
    policy, _ = described(tmp_path, "SelectTypeParameters=CR_Core_Memory\n")
    assert policy == sw.Policy.preset("slurm", version="25.11")
    policy, _ = described(tmp_path, "SelectTypeParameters=CR_Memory\n", "22.05")
    assert policy == sw.Policy.preset("slurm", version="22.05")


@pytest.mark.parametrize("sign", [" = ", "= ", " =", "\t=\t", "=="])
def test_blanks_round_the_equals_sign_are_read(tmp_path: Path, sign: str) -> None:
    # slurm.conf(5) allows blanks around the first "="; here the value contains another "=".
    policy, comments = described(tmp_path, f"SchedulerParameters{sign}bf_interval=60,defer\n")
    assert policy == sw.Policy.preset("slurm", version="25.11", bf_interval=60, defer=True)
    assert "not known" not in comments


def test_a_parameter_after_a_blank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError, match=r"slurm\.conf:1: bf_window=90 .*without spaces"):
        described(tmp_path, "SchedulerParameters=bf_interval=60, bf_window=90\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "SchedulerParameters=bf_continue=maybe",
            "1: SchedulerParameters: bf_continue=maybe must be",
        ),
        (
            "SchedulerParameters=bf_interval=45,bf_interval=60",
            "1: SchedulerParameters: bf_interval=60 contradicts bf_interval=45; remove one",
        ),
        (
            "SchedulerParameters=max_job_bf=4,bf_max_job_test=5",
            "1: SchedulerParameters: bf_max_job_te",
        ),
        ("EnforcePartLimits=MAYBE", "1: EnforcePartLimits=MAYBE must be ALL, ANY or NO"),
        ("PriorityFavorSmall=MAYBE", "1: PriorityFavorSmall=MAYBE must be YES or NO"),
        (
            "SelectType=select/linear\nSelectType=select/cons_tres",
            "2: SelectType=select/cons_tres contradicts {conf}:1, which has select/linear; remove "
            "one of the two lines",
        ),
        (
            "PriorityWeightAge=999999999999",
            "1: PriorityWeightAge=999999999999 must be a whole number from 0 to 4,294,967,295",
        ),
        ("OverTimeLimit=70000", "1: OverTimeLimit=70000 must be a whole number from 0 to 65,533"),
        ("KillWait=99999999999", "1: KillWait=99999999999 must be a whole number from 0 to 65,533"),
        ("CompleteWait=70000", "1: CompleteWait=70000 must be a whole number from 0 to 65,533"),
        ("PriorityCalcPeriod=999999-0", "1: PriorityCalcPeriod=999999-0 must be at least a minute"),
        ("PriorityMaxAge=0", "1: PriorityMaxAge=0 must be above 0"),
        (
            "FairShareDampeningFactor=0",
            "1: FairShareDampeningFactor=0 must be a whole number from 1 to 65,535",
        ),
        (
            "SchedulerParameters=bf_interval=10801",
            "1: SchedulerParameters: bf_interval=10801 must be a whole number from 1 to 10,800, "
            "or -1 for no backfill",
        ),
        (
            "SchedulerParameters=bf_min_age_reserve=9999999",
            "1: SchedulerParameters: bf_min_age_reserve=9999999 must be a whole number from 0 to "
            "2,592,000",
        ),
        (
            "PriorityWeightFairshare=1\nPriorityDecayHalfLife=0",
            "2: PriorityDecayHalfLife=0 (usage without decay) needs PriorityUsageResetPeriod, as "
            "in Slurm; set it, for example to WEEKLY or NONE",
        ),
        (
            "PriorityUsageResetPeriod=WEEKY",
            "1: PriorityUsageResetPeriod=WEEKY: unknown value 'weeky'; did you mean 'weekly'?",
        ),
        (
            "PriorityDecayHalfLife=INFINITE",
            "1: PriorityDecayHalfLife=INFINITE must be a time such as 7-0",
        ),
        (
            "PriorityWeightAssoc=-1",
            "1: PriorityWeightAssoc=-1 must be a whole number from 0 to 4,294,967,295",
        ),
        (
            "PriorityWeightTRES=CPU=many",
            "1: PriorityWeightTRES=CPU=many must be a TRES and a number, such as CPU=1000",
        ),
        (
            "PriorityWeightTRES=CPU=1,CPUS=10",
            "1: PriorityWeightTRES=CPUS=10: unknown TRES 'CPUS'; slurm.conf(5) lists cpu, mem",
        ),
        (
            "PriorityWeightTRES=CPU=1G",
            "1: PriorityWeightTRES=CPU=1G must be a TRES and a number",
        ),
    ],
)
def test_a_value_that_slurm_or_a_replay_refuses_is_named(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, f"{text}\n")
    message = str(raised.value)
    conf = tmp_path / "slurm.conf"
    assert message.startswith(f"{conf}:{told.format(conf=conf)}")
    assert "\n" not in message


def test_weights_of_qos_association_and_tres_are_read(tmp_path: Path) -> None:
    policy, comments = described(
        tmp_path,
        "PriorityWeightQOS=1000\nPriorityWeightAssoc=500\nPriorityUsageResetPeriod=MONTHLY\n"
        "PriorityDecayHalfLife=0\nPriorityWeightFairshare=10\n"
        "PriorityWeightTRES=CPU=1000,Mem=-20.5,Node=7\n",
    )
    assert (
        policy.order
        == sw.Policy(
            order={
                "name": "multifactor",
                "qos": 1000,
                "association": 500,
                "fairshare": 10,
                "half_life": 0,
                "usage_reset": "monthly",
                "tres": {"cores": 1000, "memory": -20.5, "nodes": 7},
            }
        ).order
    )
    assert "The weight qos has no effect without the priority of each QOS" in comments
    assert "add association_priority to order in [policy]" in comments
    assert "usage_reset needs the date of the log's time 0" in comments


def test_tres_that_the_machine_does_not_count_are_named(tmp_path: Path) -> None:
    # Slurm divides a memory weight by 1024 if it is written with G.
    policy, comments = described(
        tmp_path,
        "PriorityWeightTRES=Mem=512G,GRES/gpu=3000,License/matlab=50,billing=1,GRES/gpu:a100=2\n",
    )
    expected = {"name": "multifactor", "tres": {"memory": 0.5}}
    assert policy.order == sw.Policy(order=expected).order
    for entry in ("GRES/gpu=3000", "License/matlab=50", "billing=1", "GRES/gpu:a100=2"):
        assert f"PriorityWeightTRES={entry}" in comments.split("does not count these")[1]


def test_site_factors_of_a_plugin_are_named(tmp_path: Path) -> None:
    _, comments = described(
        tmp_path, "PrioritySiteFactorPlugin=site_factor/x\nPrioritySiteFactorParameters=y\n"
    )
    assert "add them to the log as a site_factor column" in comments
    assert "PrioritySiteFactorPlugin, PrioritySiteFactorParameters" in comments


def test_weights_have_no_effect_under_priority_basic(tmp_path: Path) -> None:
    policy, _ = described(tmp_path, "PriorityType=priority/basic\nPriorityWeightTRES=CPU=5\n")
    assert policy.order == "fcfs"


def test_a_wrong_priority_type_hides_no_other_fault(tmp_path: Path) -> None:
    text = "PriorityType=foo\nPriorityWeightAge=-1\nKillWait=999999999\nPriorityFavorSmall=x\n"
    text += "PartitionName=b Nodes=z1 MaxTime=x PriorityTier=999999999999\n"
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, text)
    places = [line.split(": ")[0].rsplit(":")[-1] for line in str(raised.value).splitlines()]
    # Line 5 has two wrong values and a node that no line defines.
    assert sorted(places) == ["1", "2", "3", "4", "5", "5", "5"]
    assert "no NodeName line defines the node 'z1'" in str(raised.value)


def test_minus_one_turns_backfill_off_as_in_slurm(tmp_path: Path) -> None:
    # slurm.conf(5): "A setting of -1 will disable the backfill scheduling loop."
    policy, _ = described(tmp_path, "SchedulerParameters=bf_interval=-1\n")
    assert policy == sw.Policy.preset("slurm", version="25.11", bf_interval=0)


def test_no_decay_matters_only_to_the_fair_share(tmp_path: Path) -> None:
    policy, comments = described(tmp_path, "PriorityDecayHalfLife=0\nPriorityWeightAge=5\n")
    assert policy == sw.Policy.preset(
        "slurm", version="25.11", order={"name": "multifactor", "age": 5}
    )
    assert "the jobs in a log start): PriorityDecayHalfLife=0." in comments


def test_an_unknown_parameter_has_a_short_message(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, "SchedulerParameters=bf_intervall=3\n")
    told = str(raised.value)
    assert "'bf_intervall'; did you mean 'bf_interval', " in told
    assert len(told) < 300 + len(str(tmp_path))


def test_a_version_without_rules_blames_no_line(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError) as raised:
        described(tmp_path, "SchedulerParameters=bf_interval=3\n", "24.05")
    assert str(raised.value).startswith("version '24.05' of Slurm")


def test_a_complete_wait_is_remarked_as_it_needs_an_epilog(tmp_path: Path) -> None:
    policy, comments = described(tmp_path, "CompleteWait=32\n")
    assert policy == sw.Policy.preset("slurm", version="25.11", complete_wait=32)
    assert "CompleteWait has no effect unless [policy] has epilog_time" in comments


def test_several_epilogs_and_equal_parameters_are_accepted(tmp_path: Path) -> None:
    text = "Epilog=/a\nEpilog=/b\nSchedulerParameters=bf_continue,bf_continue=1,bf_interval=30\n"
    policy, _ = described(tmp_path, text)
    assert policy == sw.Policy.preset(
        "slurm", version="25.11", bf_interval=30, bf_continue=True, has_epilog=True
    )


def test_settings_outside_the_schedulers_are_counted_unless_they_are_off(tmp_path: Path) -> None:
    # Seven ignored settings are counted: Topology, CompleteWait, QOS, the closed partition, the
    # DOWN node, mps and MaxJobs.
    (tmp_path / "slurm.conf").write_text(
        "PreemptType=preempt/none\nTopologyPlugin=topology/tree\nCompleteWait=30\n"
        "AccountingStorageEnforce=0\nNodeName=n1 CPUs=4 State=DOWN Gres=mps:100 TmpDisk=5\n"
        "PartitionName=a Nodes=n1 QOS=long State=DRAIN\n"
    )
    (tmp_path / "dump").write_text("Parent - 'root'\nAccount - 'bio':MaxJobs=5\n")
    found = describe_site(tmp_path / "slurm.conf", version="25.11", accounts=tmp_path / "dump")
    assert found.n_ignored == 7


def test_an_unknown_epilog_key_has_a_suggestion(tmp_path: Path) -> None:
    _, comments = described(tmp_path, "Epilg=/bin/true\n")
    assert "Epilg (did you mean Epilog?)" in comments
