"""Unusual or hostile Slurm node tables: sizes are bounded, and each refusal gives the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.site.machine.hostlist import expanded, number_of_hosts

if TYPE_CHECKING:
    from pathlib import Path


def read(tmp_path: Path, text: str) -> sw.Nodes:
    (tmp_path / "slurm.conf").write_text(text, encoding="utf-8")
    return sw.read_slurm_nodes(tmp_path / "slurm.conf")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n[1-2]", {"n1", "n2"}),
        ("n[01-02],g3", {"n01", "n02", "g3"}),
        ("n[1-2]r[0-1]", {"n1r0", "n1r1", "n2r0", "n2r1"}),
        ("n[1-2]-ib", {"n1-ib", "n2-ib"}),
        ("[7-8]", {"7", "8"}),
        ("n[9-10]", {"n9", "n10"}),
        ("", set()),
    ],
)
def test_node_lists_are_expanded(text: str, names: set[str]) -> None:
    assert set(expanded(text, 10)) == names
    assert number_of_hosts(text) == len(names)


def test_nodes_of_a_range_are_counted_before_expansion() -> None:
    assert number_of_hosts("n[1-99999999999]r[0-9]") == 999_999_999_990
    with pytest.raises(ValueError, match="it lists 11 nodes, but at most 10"):
        expanded("n[0-10]", 10)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("NodeName=n[5-1] CPUs=4", "[5-1] runs backwards; write [1-5]"),
        ("NodeName=n[1-99999999999] CPUs=4", "lists 99,999,999,999 nodes, but at most 999,99"),
        ("NodeName=n[1-x] CPUs=4", "[1-x] must be a number or a range"),
        ("NodeName=n[] CPUs=4", "[] must be a number or a range"),
        ("NodeName=n[1-2 CPUs=4", "has an unmatched bracket"),
        ("NodeName=n1]2 CPUs=4", "has an unmatched bracket"),
        ("NodeName= CPUs=4", "NodeName= contains no node name"),
        ("NodeName=m CPUs=1_0", "CPUs=1_0 must be a whole number"),
        ("NodeName=m CPUs=\u0664", "must be a whole number"),
        ("NodeName=m RealMemory=" + "9" * 5000, "must be a whole number of at most 18 digits"),
        ("NodeName=m RealMemory=" + "9" * 18, "memory: "),
        ("NodeName=m Sockets=-2", "cores: -2 must be"),
        ("PartitionName=q Nodes=n[3-2]", "[3-2] runs backwards"),
        ("PartitionName=q Nodes=n[1-9999999]", "this partition lists 9,999,999 nodes"),
        ("Nodes=n", "PartitionName= is missing"),
    ],
)
def test_a_line_that_cannot_be_kept_is_refused_with_its_number(
    tmp_path: Path, line: str, told: str
) -> None:
    with pytest.raises(sw.SiteError) as raised:
        read(tmp_path, f"NodeName=n CPUs=4\nPartitionName=p Nodes=ALL\n{line}\n")
    assert f"{tmp_path / 'slurm.conf'}:3: " in str(raised.value)
    assert told in str(raised.value)
    assert "set_int_max_str_digits" not in str(raised.value)  # Python's own message


def test_partitions_together_name_a_bounded_number_of_nodes(tmp_path: Path) -> None:
    # Eleven different lists of 1,000,000 names each: line 12 exceeds ten million.
    lists = [f"PartitionName=p{i} Nodes=m{i}[1-1000000]\n" for i in range(11)]
    with pytest.raises(
        sw.SiteError, match=r"slurm\.conf:12: .*all partitions together list 11,000,000"
    ):
        read(tmp_path, "NodeName=n CPUs=4\n" + "".join(lists))


def test_a_partition_accepts_a_product_of_ranges(tmp_path: Path) -> None:
    nodes = read(
        tmp_path,
        "NodeName=n[1-2]r[0-3] CPUs=4\nNodeName=m[1-2]-ib CPUs=2\nPartitionName=p Nodes=m2-ib\n"
        "PartitionName=q Nodes=n2r[0-1]\n",
    )
    assert [(t.count, t.resources) for t in nodes.types] == [
        (8, {"cores": 4, "q": 1000}), (2, {"cores": 2, "p": 1000}),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["self", "queue", "user", "submit"])
def test_a_partition_may_have_the_name_of_a_column_of_jobs(tmp_path: Path, name: str) -> None:
    nodes = read(tmp_path, f"NodeName=n CPUs=4\nPartitionName={name} Nodes=ALL\n")
    (tmp_path / "x.events").write_text(
        "-dt 7 -e submit_batch_job | -sim-walltime 9 --uid=ann -J jobid_1 -N 1 -n 4 -t 0:01:00 "
        f"-q normal -p {name} --exclusive\n"
    )
    trace = sw.read_slurm_events(tmp_path / "x.events", nodes)
    assert trace.demands is not None
    assert trace.demands.each[name].tolist() == [1000]
    assert (trace.submit.tolist(), trace.user.tolist(), trace.queue.tolist()) == ([7], [1], [1])


def test_included_files_are_read_in_place_of_their_line(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "nodes.conf").write_text(
        "NodeName=n[1-3] RealMemory=1\ninclude more.conf"
    )
    (tmp_path / "more.conf").write_text("NodeName=m CPUs=2\n")
    nodes = read(
        tmp_path,
        "NodeName=DEFAULT CPUs=8\nInclude parts/nodes.conf\n"
        f"Include {tmp_path / 'more.conf'} # again\nPartitionName=p Nodes=ALL\n",
    )
    assert [(t.count, t.resources["cores"]) for t in nodes.types] == [(3, 8), (1, 2), (1, 2)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "slurm.conf:2: Include other.conf: cannot be read (No such file"),
        (b"\nNodeName=n[5-1]\n", "other.conf:2: cannot be read ([5-1] runs backwards"),
        (b"Include other.conf\n", "includes itself"),
        (b"Include slurm.conf\n", "includes itself"),
        (b"\xff\xfe", "slurm.conf:2: Include other.conf: the file is not UTF-8 text"),
    ],
)
def test_an_included_file_that_cannot_be_read_is_named(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    if content is not None:
        (tmp_path / "other.conf").write_bytes(content)
    with pytest.raises(sw.SiteError) as raised:
        read(tmp_path, "NodeName=n CPUs=4\nInclude other.conf\n")
    assert told in str(raised.value)


def test_blanks_round_the_equals_sign_are_read(tmp_path: Path) -> None:
    nodes = read(tmp_path, "NodeName = n[1-2] CPUs= 4 Gres =gpu:2\nPartitionName = p Nodes = ALL\n")
    assert [(t.count, t.resources) for t in nodes.types] == [
        (2, {"cores": 4, "gpus": 2, "p": 1000}),
    ]  # fmt: skip
