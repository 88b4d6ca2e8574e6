"""Faults in slurm.conf, gres.conf and events: all reported, each with its file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "NodeName|TimeStart|TimeEnd|State|Reason\n"


def faults_of(tmp_path: Path, conf: str, gres: str = "", events: str | bytes = "") -> str:
    """Return the error message, with paths relative to the folder."""
    (tmp_path / "slurm.conf").write_text(conf)
    (tmp_path / "gres.conf").write_text(gres)
    data = events.encode() if isinstance(events, str) else events
    (tmp_path / "events.txt").write_bytes(data)
    with pytest.raises(sw.SiteError) as raised:
        describe_site(
            tmp_path / "slurm.conf",
            tmp_path / "gres.conf" if gres else None,
            tmp_path / "events.txt" if events else None,
        )
    return str(raised.value).replace(f"{tmp_path}/", "")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("NodeName=m[5-1] CPUs=4", "[5-1] runs backwards; write [1-5]"),
        ("NodeName=m[1- CPUs=4", "m[1- has an unmatched bracket"),
        ("NodeName=m[1-9/0] CPUs=4", "[1-9/0] has a step of 0"),
        ("NodeName=m[0-99999999] CPUs=4", "it lists 100,000,000 nodes, but at most 999,999"),
        ("NodeName= CPUs=4", "NodeName= contains no node name"),
        ("NodeName m CPUs=4", "'NodeName m CPUs=4' is not KEY=VALUE"),
        ("NodeName=m CPUs=4 oops", "'oops' is not KEY=VALUE"),
        (
            "NodeName=n CPUs=4",
            "node 'n' is already defined in slurm.conf:1; list each node only once",
        ),
        (
            "NodeName=m,m CPUs=4",
            "node 'm' is already defined in this line; list each node only once",
        ),
        ("NodeName=m CPUs=four", "CPUs=four must be a whole number"),
        ("NodeName=m CPUs=0", "CPUs=0 must be a whole number of at most 12 digits, at least 1"),
        ("NodeName=m CPUs=999999999999", "a node of 999,999,999,999 CPUs exceeds Slurm's limit of"),
        ("NodeName=m Weight=999999999999", "Weight=999999999999 must be a whole number from 0 to "),
        ("PartitionName=q Nodes=n MaxNodes=999999999999", "MaxNodes=999999999999 must be a whole"),
        ("NodeName=m Sockets=0", "Sockets, CoresPerSocket and ThreadsPerCore must be at least 1"),
        ("NodeName=m CPUs=4 CoreSpecCount=4", "CoreSpecCount=4 leaves none of the 4 CPUs for jobs"),
        (
            "NodeName=m CPUs=4 RealMemory=10 MemSpecLimit=10",
            "MemSpecLimit=10 leaves none of RealMemory=10 for jobs",
        ),
        ("NodeName=m RealMemory=" + "9" * 12, "memory: "),
        (
            "NodeName=m Gres=gpu:a:b:2",
            "Gres=gpu:a:b:2 must consist of a name, optionally a type, and a count",
        ),
        ("NodeName=m Gres=gpu:2x", "count '2x' must be a whole number, such as 4, 2K or 7T"),
        ("NodeName=m Feature=a&b", "features[0]: 'a&b' must be a name without spaces"),
        ("PartitionName= Nodes=n", "PartitionName= is empty"),
        (
            "PartitionName=p Nodes=n",
            "partition 'p' is already defined in slurm.conf:2; define it only once",
        ),
        (
            "PartitionName=q Nodes=n,x[1-3]",
            "no NodeName line defines the node 'x1' or 2 other nodes in the list",
        ),
        ("PartitionName=q Nodes=n[3-2]", "[3-2] runs backwards"),
        ("PartitionName=q Nodes=n[1-9999999]", "this line lists 9,999,999 nodes"),
        ("PartitionName=q Nodes=n MaxTime=1d", "MaxTime=1d must be a time in Slurm's form"),
        ("PartitionName=q Nodes=n MaxTime=0", "MaxTime=0 lets no job run"),
        ("PartitionName=q Nodes=n DefaultTime=x", "DefaultTime=x must be a time"),
        ("PartitionName=q Nodes=n MinNodes=2 MaxNodes=1", "MaxNodes=1 is below MinNodes=2"),
        ("PartitionName=q Nodes=n MinNodes=2", "2 is more than the 1 node of the queue"),
        ("PartitionName=q Nodes=n MaxNodes=-2", "MaxNodes=-2 must be a whole number"),
        ("PartitionName=q Nodes=n PriorityTier=high", "PriorityTier=high must be a whole number"),
        ("PartitionName=q Nodes=n bad", "'bad' is not KEY=VALUE"),
        ("PartitionName=q Nodes=n OverSubscribe=SOMETIMES", "OverSubscribe=SOMETIMES must be NO, "),
        ("PartitionName=q Nodes=n Shared=FORCE:x", "OverSubscribe=FORCE:x must be NO, EXCLUSIVE"),
        ("PartitionName=q Nodes=n State=bogus", "State=bogus must be UP, DOWN, DRAIN or INACTIVE"),
        ("NodeName=m CPUs=4 Procs=8", "Procs=8 contradicts CPUs=4 on the same line; remove one"),
        ("NodeSet=s", "NodeSet=s has neither Nodes= nor Feature="),
        ("NodeSet= Nodes=n", "NodeSet= is empty; give the node set a name"),
        ("Nodes=n", "PartitionName= is missing"),
        ("Include gone.conf", "Include gone.conf: cannot be read (No such file"),
    ],
)
def test_a_wrong_line_of_slurm_conf_is_named(tmp_path: Path, line: str, told: str) -> None:
    message = faults_of(tmp_path, f"NodeName=n CPUs=4\nPartitionName=p Nodes=ALL\n{line}\n")
    assert message.startswith("slurm.conf:3: ")
    assert told in message
    assert "\n" not in message


def test_a_node_set_is_defined_only_once(tmp_path: Path) -> None:
    conf = "NodeName=n CPUs=4\nNodeSet=s Nodes=n\nNodeSet=s Nodes=n\nPartitionName=p Nodes=s\n"
    assert faults_of(tmp_path, conf) == (
        "slurm.conf:3: NodeSet=s is already defined; choose another name"
    )


def test_a_repeated_key_hides_no_missing_node(tmp_path: Path) -> None:
    conf = "NodeName=n CPUs=4 CPUs=8 CPUs=8\nPartitionName=p Nodes=n State=UP State=up Nodes=m\n"
    assert faults_of(tmp_path, conf).split("\n") == [
        "slurm.conf:1: CPUs=8 contradicts CPUs=4 on the same line; remove one of the two",
        "slurm.conf:2: Nodes=m contradicts Nodes=n on the same line; remove one of the two",
        "slurm.conf:2: no NodeName line defines the node 'm'; correct the list, or add the line",
    ]


def test_a_repeated_node_hides_no_other_fault(tmp_path: Path) -> None:
    conf = (
        "NodeName=n[1-4] CPUs=4\nNodeName=n[3-5] CPUs=4 RealMemory=abc Weight=-1\n"
        "NodeName=n1,n2 CPUs=0\nPartitionName=p Nodes=n[1-6]\nPartitionName=q Nodes=m\n"
    )
    assert [line.split(" must")[0] for line in faults_of(tmp_path, conf).split("\n")] == [
        "slurm.conf:2: node 'n3' is already defined in slurm.conf:1, like 1 other node of this "
        "line; list each node only once",
        "slurm.conf:2: RealMemory=abc",
        "slurm.conf:2: Weight=-1",
        "slurm.conf:3: node 'n1' is already defined in slurm.conf:1, like 1 other node of this "
        "line; list each node only once",
        "slurm.conf:3: CPUs=0",
        "slurm.conf:4: no NodeName line defines the node 'n6'; correct the list, or add the line",
        "slurm.conf:5: no NodeName line defines the node 'm'; correct the list, or add the line",
    ]
    whole = "NodeName=n[1-2] CPUs=4\nNodeName=n[1-2] CPUs=4\nNodeName=m,m CPUs=4\n"
    assert [line.split(":")[1] for line in faults_of(tmp_path, whole).split("\n")] == ["2", "3"]


def test_an_unknown_feature_of_a_set_of_nodes_is_named(tmp_path: Path) -> None:
    conf = "NodeName=n CPUs=4 Feature=a\nNodeSet=s Feature=b\nPartitionName=p Nodes=s\n"
    assert faults_of(tmp_path, conf) == "slurm.conf:3: no node has the feature b"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Nodename=g1 Type=v100", "gres.conf:1: Name= is missing; write, for example, Name=gpu"),
        ("NodeName=g1 Name= Count=2", "gres.conf:1: Name= is empty; write, for example, Name=gpu"),
        ("NodeName=g1 Name=gpu Count=two", "gres.conf:1: Count: count 'two' must be a whole"),
        ("NodeName=g[1- Name=gpu", "gres.conf:1: g[1- has an unmatched bracket"),
        ("Name=gpu File=/dev/nvidia[1-0]", "gres.conf:1: [1-0] runs backwards"),
        ("Name gpu", "gres.conf:1: 'Name gpu' is not KEY=VALUE"),
        (
            "NodeName=g1 Name=gpu File=/dev/nvidia0",
            "gres.conf:1: node g1 has 2 gpu in slurm.conf and 1 here, and Slurm drains such a node",
        ),
    ],
)
def test_a_wrong_line_of_gres_conf_is_named(tmp_path: Path, line: str, told: str) -> None:
    message = faults_of(tmp_path, "NodeName=g[1-2] CPUs=4 Gres=gpu:2\n", gres=f"{line}\n")
    assert message.startswith(told)
    assert "\n" not in message


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ("n|x\n", "events.txt:1: 'n|x' is not a header with NodeName, TimeStart, TimeEnd and St"),
        ("\n", "events.txt: the file is empty; write it with TZ=UTC sacctmgr -P show events"),
        (HEADER + "n|2024-01-01T00:00:00|2024\n", "events.txt:2: the line has 3 cells"),
        (HEADER + "n|soon|Unknown|DOWN|\n", "events.txt:2: 'soon' must be a date and time such as "
            "2024-"),
        (HEADER + "n|2024-02-30T00:00:00|Unknown|DOWN|\n", "events.txt:2: '2024-02-30T00:00:00'"),
        (
            HEADER + "n|2024-01-01T02:00:00|2024-01-01T01:00:00|DOWN|\n",
            "events.txt:2: the event ends at 2024-01-01T01:00:00, before its start 2024-01-01T02",
        ),
        (
            HEADER + "n|2024-01-01T02:00:00Z|2024-01-01T03:00:00|DOWN|\n",
            "events.txt:2: only one of 2024-01-01T02:00:00Z and 2024-01-01T03:00:00 has a zone",
        ),
        (HEADER + "n[2-1]|2024-01-01T02:00:00|Unknown|DOWN|\n", "events.txt:2: [2-1] runs backw"),
        (HEADER.encode() + b"n\0|x|y|z|\n", "events.txt:2: the line is not text"),
        (b"\x1f\x8b", "events.txt: cannot be read: the gzip data"),
        (
            "Cluster|" + HEADER
            + "a|n|2024-01-01T00:00:00|Unknown|DOWN|\nb|n|2024-01-01T00:00:00|Unknown|DOWN|\n",
            "events.txt: the file contains events from several clusters (a, b), but slurm.conf "
                "has no ClusterName",
        ),
    ],
)  # fmt: skip
def test_wrong_events_are_named(tmp_path: Path, events: str | bytes, told: str) -> None:
    message = faults_of(tmp_path, "NodeName=n CPUs=4\n", events=events)
    assert message.startswith(told)
    assert "\n" not in message


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "more.conf").write_text("NodeName=m CPUs=x\n")
    conf = (
        "NodeName=n CPUs=y\nInclude more.conf\nInclude gone.conf\nNodeName=g Gres=gpu:2 CPUs=1\n"
        "PartitionName=p Nodes=z MaxTime=1x\n"
    )
    events = HEADER + "g|soon|Unknown|DOWN|\n"
    message = faults_of(tmp_path, conf, "NodeName=g Name=gpu Count=1\n", events)
    assert [line.split(" ")[0] for line in message.splitlines()] == [
        "slurm.conf:1:", "more.conf:1:", "slurm.conf:3:", "slurm.conf:5:", "gres.conf:1:",
        "events.txt:2:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("NodeName=n1 CPUs=x", "slurm.conf:1: CPUs=x must be"),
        ("NodeName=n[1- CPUs=4", "slurm.conf:1: n[1- has an unmatched bracket"),
        ("Include gone.conf", "slurm.conf:1: Include gone.conf: cannot be read"),
        ("NodeName=n1 CPUs=4 and more", "slurm.conf:1: 'and more' is not KEY=VALUE"),
    ],
)
def test_nodes_of_a_line_that_was_not_read_are_no_second_fault(
    tmp_path: Path, line: str, told: str
) -> None:
    message = faults_of(tmp_path, f"{line}\nPartitionName=p Nodes=n1\n")
    assert message.startswith(told)
    assert "\n" not in message


def test_every_wrong_number_of_a_line_is_named(tmp_path: Path) -> None:
    message = faults_of(tmp_path, "NodeName=n CPUs=x RealMemory=y\nPartitionName=p Nodes=z\n")
    assert [line.split(" ")[:2] for line in message.splitlines()] == [
        ["slurm.conf:1:", "CPUs=x"], ["slurm.conf:1:", "RealMemory=y"], ["slurm.conf:2:", "no"],
    ]  # fmt: skip


def test_many_faults_are_cut_with_their_number(tmp_path: Path) -> None:
    # Each of the 103 lines has a wrong number, and all but the first define the node again: 205
    # faults in total.
    lines = faults_of(tmp_path, "NodeName=n CPUs=x\n" * 103).splitlines()
    assert len(lines) == 101
    assert lines[-1] == "and 105 more faults; correct those above first"


@pytest.mark.parametrize(
    ("conf", "told"),
    [
        (
            "ClusterName=c\n",
            "slurm.conf: the file has no NodeName line; use the cluster's slurm.conf",
        ),
        (
            "NodeName=DEFAULT CPUs=4\n",
            "slurm.conf: the file has no NodeName line; use the cluster's slurm.conf",
        ),
    ],
)
def test_a_file_without_nodes_is_refused(tmp_path: Path, conf: str, told: str) -> None:
    assert faults_of(tmp_path, conf) == told


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError, match=r"no\.conf: cannot be read \(No such file.*check the"):
        describe_site(tmp_path / "no.conf")


def test_a_fault_of_default_partitions_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(
        "NodeName=n1 CPUs=4\nPartitionName=DEFAULT MaxTime=abc\nPartitionName=a Nodes=n1\n"
        "PartitionName=b Nodes=n1\n"
    )
    with pytest.raises(sw.SiteError) as caught:
        describe_site(path)
    assert str(caught.value).count("MaxTime=abc") == 1
    assert f"{path}:2: MaxTime=abc" in str(caught.value)


def test_a_key_that_gres_conf_repeats_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=g1 CPUs=4 Gres=gpu:4\nPartitionName=a Nodes=g1\n"
    )
    (tmp_path / "gres.conf").write_text("NodeName=g1 Name=gpu Count=4 Count=2\n")
    with pytest.raises(sw.SiteError, match=r"gres.conf:1: Count=2 contradicts Count=4"):
        describe_site(tmp_path / "slurm.conf", gres=tmp_path / "gres.conf")
