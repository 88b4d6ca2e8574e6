"""``slotwise site from-slurm``: the sites that it prints, and the files that it rejects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

CONF = """\
ClusterName=kestrel
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters==bf_window=4320
Include nodes.conf
PartitionName=DEFAULT State=UP DefaultTime=1:00:00
PartitionName=debug Nodes=n[01-02],gpu1 MaxTime=30 MaxNodes=2 PriorityTier=10
PartitionName=batch Nodes=ALL MaxTime=2-0 Default=YES
"""
NODES = """\
NodeName=DEFAULT CPUs=32 RealMemory=64000 Feature=ib
NodeName=gpu[1-2] Gres=gpu:4 Weight=50 TmpDisk=100
NodeName=n[01-04]
"""
GRES = "NodeName=gpu[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
EVENTS = """\
Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
kestrel|n01|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|fan|root
kestrel|n02|2024-03-06T08:00:00|2024-03-06T10:00:00|DOWN|fan|root
"""
WORDS = ("site", "from-slurm", "slurm.conf", "gres.conf", "--events", "events.txt")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "slurm.conf").write_text(CONF)
    (tmp_path / "nodes.conf").write_text(NODES)
    (tmp_path / "gres.conf").write_text(GRES)
    (tmp_path / "events.txt").write_text(EVENTS)
    return tmp_path


def test_a_printed_site_is_valid_and_matches_the_slurm_files(slotwise: Any, files: Path) -> None:
    ended = slotwise(*WORDS)
    assert ended.code == 0, ended.err
    (files / "made.toml").write_text(ended.out)
    checked = slotwise("site", "check", "made.toml", "--json")
    assert checked.code == 0, checked.err
    site = json.loads(checked.out)["site"]
    # 64,000 MB is 65,536,000 KB; the GPU nodes come last because of their higher Weight.
    assert site["machine"] == {
        "nodes": [
            {"hosts": "n[01-04]", "cores": 32, "memory": 65_536_000, "name": "n",
             "features": ["ib"]},
            {"hosts": "gpu[1-2]", "cores": 32, "memory": 65_536_000, "gpus": 4, "name": "gpu",
             "features": ["ib", "a100"]},
        ],
        "placement": "first-fit",
        "logged_nodes": True,
    }  # fmt: skip
    assert [queue["name"] for queue in site["queue"]] == ["batch", "debug"]
    assert site["queue"][1]["nodes"] == ["n[01-02],gpu1"]
    assert site["outage"][0]["nodes"] == ["n[01-02]"]
    assert sw.Site.from_toml(files / "made.toml").to_toml() == ended.out.partition("\n\n")[2]


def test_comments_at_the_top_name_ignored_settings(slotwise: Any, files: Path) -> None:
    out = slotwise(*WORDS).out
    head = [line for line in out.splitlines() if line.startswith("#")]
    assert out.startswith("\n".join(head))
    assert max(map(len, head)) <= 100
    told = " ".join(line.removeprefix("#").strip() for line in head)
    assert "Left out of the nodes (disk space is not counted): TmpDisk." in told
    assert "choose order and backfill in [policy]): SchedulerParameters." in told


def test_a_warning_counts_ignored_settings_and_names_unknown_keys(
    slotwise: Any, files: Path
) -> None:
    assert slotwise("site", "from-slurm", "slurm.conf").err == ""
    conf = CONF.replace("bf_window=4320", "bf_window=4320,bf_licenses") + "PriorityWieghtAge=5\n"
    (files / "slurm.conf").write_text(conf)
    assert slotwise("site", "from-slurm", "slurm.conf").err == (
        "slotwise: warning: 1 setting that may affect when jobs start is ignored; 1 key is "
        "unknown and ignored: PriorityWieghtAge (did you mean PriorityWeightAge?); the comments at "
        "the top of the site list all of them\n"
    )


def printed_policy(slotwise: Any, files: Path, *words: str) -> tuple[sw.Policy, str]:
    ended = slotwise("site", "from-slurm", "slurm.conf", *words)
    assert ended.code == 0, ended.err
    (files / "made.toml").write_text(ended.out)
    return sw.Site.from_toml(files / "made.toml").policy, " ".join(ended.out.split("\n#  "))


def test_the_policy_is_the_preset_of_the_newest_version_with_the_settings_of_the_file(
    slotwise: Any, files: Path
) -> None:
    policy, text = printed_policy(slotwise, files)
    # SelectType=select/cons_tres is the default of Slurm 25.11; == is read as =.
    assert policy == sw.Policy.preset("slurm", version="25.11", bf_window=4320)
    assert "The version of Slurm is assumed to be 25.11;" in text
    named, named_text = printed_policy(slotwise, files, "--slurm-version", "22.05")
    expected = sw.Policy.preset("slurm", version="22.05", bf_window=4320, select_type="cons_tres")
    assert named == expected
    assert "assumed" not in named_text


@pytest.mark.parametrize(
    ("patch", "release"), [("25.11.1", "25.11"), ("22.05.8-2", "22.05"), ("25.11.0-0rc1", "25.11")]
)
def test_a_patch_release_has_the_rules_of_its_release(
    slotwise: Any, files: Path, patch: str, release: str
) -> None:
    policy, text = printed_policy(slotwise, files, "--slurm-version", patch)
    assert policy == printed_policy(slotwise, files, "--slurm-version", release)[0]
    assert f"The rules of Slurm {release} apply to its patch release {patch}." in text
    refused = slotwise("site", "from-slurm", "slurm.conf", "--slurm-version", "23.11.4")
    assert refused.code == 2
    assert "version '23.11.4' of Slurm is not known; use" in refused.err


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        (("--slurm-version", "none"), "choose order and backfill in [policy]"),
        (("--events", "events.txt"), "The slurm preset does not support outages"),
    ],
)
def test_the_policy_has_its_defaults_without_a_version_and_with_outages(
    slotwise: Any, files: Path, words: tuple[str, ...], remark: str
) -> None:
    policy, text = printed_policy(slotwise, files, *words)
    assert policy == sw.Policy()
    assert remark in text


def test_settings_that_the_preset_refuses_can_be_left_out(slotwise: Any, files: Path) -> None:
    (files / "slurm.conf").write_text(CONF + "OverTimeLimit=UNLIMITED\n")
    refused = slotwise("site", "from-slurm", "slurm.conf")
    assert (refused.code, refused.out) == (2, "")
    assert "slurm.conf:9: OverTimeLimit=UNLIMITED is not supported" in refused.err
    assert "--slurm-version none to leave out the settings of Slurm's" in refused.err
    assert printed_policy(slotwise, files, "--slurm-version", "none")[0] == sw.Policy()


def test_a_refusal_prints_no_site(slotwise: Any, files: Path) -> None:
    (files / "nodes.conf").write_text(NODES + "NodeName=x[2-1]\n")
    (files / "events.txt").write_text(EVENTS + "kestrel|n01|now|Unknown|DOWN||\n")
    ended = slotwise(*WORDS)
    assert ended.code == 2
    assert ended.out == ""
    assert "nodes.conf:4: [2-1] runs backwards" in ended.err
    assert "events.txt:4: 'now' must be a date and time" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no.conf",), "no.conf: cannot be read (No such file"),
        (("slurm.conf", "no.conf"), "no.conf: cannot be read (No such file"),
        (("slurm.conf", "--events", "no.txt"), "no.txt: cannot be read (No such file"),
        (("slurm.conf", "--events", "slurm.conf"), "slurm.conf:1: 'ClusterName=kestrel' is not a"),
        (("slurm.conf", "slurm.conf"), "slurm.conf:1: Name= is missing"),
        (
            ("slurm.conf", "gres.conf", "--trace", "x.events"),
            "GRES.conf gres.conf cannot be combined with --trace",
        ),
        (
            ("slurm.conf", "--events", "events.txt", "--trace", "x.events"),
            "--events events.txt cannot be combined with --trace",
        ),
    ],
)
def test_wrong_files_are_refused_with_a_message(
    slotwise: Any, files: Path, words: tuple[str, ...], told: str
) -> None:
    ended = slotwise("site", "from-slurm", *words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_control_characters_of_a_file_do_not_break_the_site(slotwise: Any, files: Path) -> None:
    (files / "odd\x1bname.conf").write_text("NodeName=n CPUs=1\nPartitionName=a\x07b Nodes=n\n")
    ended = slotwise("site", "from-slurm", "odd\x1bname.conf")
    assert ended.code == 0, ended.err
    assert "\x1b" not in ended.out
    (files / "made.toml").write_text(ended.out)
    assert sw.Site.from_toml(files / "made.toml").queues[0].name == "a\x07b"


def test_the_files_of_real_clusters_become_valid_sites(
    slotwise: Any, tmp_path: Path, shared_traces: Path
) -> None:
    found = sorted(shared_traces.rglob("*slurm.conf"))
    for conf in found:
        gres = [str(path) for path in conf.parent.glob("*gres.conf")]
        ended = slotwise("site", "from-slurm", str(conf), *gres)
        assert ended.code == 0, ended.err
        (tmp_path / "made.toml").write_text(ended.out)
        assert slotwise("site", "check", "made.toml").code == 0
        assert "not known" not in ended.out
    assert found


@pytest.mark.parametrize("version", ["22.05", "25.11"])
def test_a_site_under_slurm_names_the_preset_and_what_differs(
    slotwise: Any, files: Path, version: str
) -> None:
    out = slotwise("site", "from-slurm", "slurm.conf", "--slurm-version", version).out
    # The bf_window in slurm.conf is not the default of either version. Its SelectType is the
    # default of 25.11, but not of 22.05.
    policy = out.partition("[policy]\n")[2].partition("\n\n")[0].splitlines()
    changed = ['select_type = "cons_tres"'] if version == "22.05" else []
    assert policy == [f'preset = "slurm-{version}"', *sorted([*changed, "bf_window = 4320"])[::-1]]
    assert f"defaults of Slurm {version}" in out.partition("[machine]")[0]
    (files / "made.toml").write_text(out)
    assert sw.Site.from_toml(files / "made.toml").policy == sw.Policy.preset(
        "slurm", version=version, select_type="cons_tres", bf_window=4320
    )


def test_another_backfill_keeps_the_order_of_a_preset_of_slurm(slotwise: Any, files: Path) -> None:
    order = {"name": "multifactor", "age": 1000}
    (files / "slurm.conf").write_text(CONF + "PriorityWeightAge=1000\n")
    out = slotwise("site", "from-slurm", "slurm.conf", "--slurm-version", "25.11").out
    (files / "made.toml").write_text(out)
    changed = slotwise("site", "check", "made.toml", "--set", "policy.backfill=easy", "--json")
    assert changed.code == 0, changed.err
    assert json.loads(changed.out)["site"]["policy"] == {"order": order, "backfill": "easy"}


def test_the_command_line_sets_another_version_of_slurm(slotwise: Any, files: Path) -> None:
    out = slotwise("site", "from-slurm", "slurm.conf", "--slurm-version", "25.11").out
    (files / "made.toml").write_text(out)

    def policy_under(preset: str) -> Any:
        option = f"policy.preset={preset}"
        return slotwise("site", "check", "made.toml", "--set", option, "--json")

    changed = policy_under("slurm-22.05")
    assert changed.code == 0, changed.err
    written = json.loads(changed.out)["site"]["policy"]
    own = sw.Site.from_toml(files / "made.toml").policy._preset_dict("slurm-25.11")
    assert written == sw.Policy.from_dict({**own, "preset": "slurm-22.05"}).to_dict()
    refused = policy_under("cqsim")
    assert refused.code != 0
    assert "both choose the policy; leave out the option, or remove the table" in refused.err


DUMP = """\
Cluster - 'kestrel':Fairshare=1:QOS='normal'
Parent - 'root'
Account - 'bio':Description='biology':Fairshare=3
Parent - 'bio'
User - 'ann':DefaultAccount='bio':Fairshare=2
User - 'bob':DefaultAccount='bio':Fairshare=1
"""
FAIR = """\
PriorityType=priority/multifactor
PriorityFlags=NO_FAIR_TREE
PriorityWeightFairshare=1000
NodeName=n[1-4] CPUs=8 RealMemory=16000
PartitionName=batch Nodes=ALL
"""


def test_accounts_become_the_shares_of_a_site(slotwise: Any, files: Path) -> None:
    (files / "slurm.conf").write_text(FAIR)
    (files / "dump.txt").write_text(DUMP)
    ended = slotwise("site", "from-slurm", "slurm.conf", "--accounts", "dump.txt")
    assert ended.code == 0, ended.err
    (files / "made.toml").write_text(ended.out)
    order = sw.Site.from_toml(files / "made.toml").policy.order
    assert not isinstance(order, str)
    assert order.to_dict()["shares"] == {"bio": 3, "bio/ann": 2, "bio/bob": 1}


def test_every_wrong_line_of_the_accounts_is_named(slotwise: Any, files: Path) -> None:
    (files / "slurm.conf").write_text(FAIR)
    (files / "dump.txt").write_text(DUMP.replace("=3", "=-3") + "Chairs - 'ann'\n")
    ended = slotwise("site", "from-slurm", "slurm.conf", "--accounts", "dump.txt")
    assert (ended.code, ended.out) == (2, "")
    assert "dump.txt:3: Fairshare=-3 must be a whole number from 0 to 2,147,483,646" in ended.err
    assert "dump.txt:7: 'Chairs - 'ann'' is neither a line from sacctmgr dump" in ended.err
    missing = slotwise("site", "from-slurm", "slurm.conf", "--accounts", "none.txt")
    assert missing.code == 2
    assert "none.txt: cannot be read" in missing.err


def test_check_shows_the_tiers_of_partitions(slotwise: Any, files: Path) -> None:
    (files / "centre.toml").write_text(slotwise("site", "from-slurm", "slurm.conf").out)
    out = slotwise("site", "check", "centre.toml").out
    flat = " ".join(out.split())
    assert "queue processors walltime priority tier nodes" in flat
    assert " debug any up to 00:30:00 1 10 n[01-02],gpu1 " in flat
    assert " batch any up to 2d 1 1 " in flat
    # A column "trace queues" would only repeat the names of the queues.
    assert "Jobs in a queue or partition of the log go to the queue of the same name" in flat
    assert "trace queues" not in flat
    assert "tier 10" not in flat


def test_files_the_wrong_way_round_are_one_error(slotwise: Any, files: Path) -> None:
    ended = slotwise("site", "from-slurm", "gres.conf", "slurm.conf")
    assert ended.code == 2
    assert ended.err == (
        "slotwise: error: slurm.conf is a slurm.conf, but it is given as the gres.conf; pass the "
        "slurm.conf first: from-slurm slurm.conf gres.conf\n"
    )
    assert slotwise("site", "from-slurm", "slurm.conf", "gres.conf").code == 0
