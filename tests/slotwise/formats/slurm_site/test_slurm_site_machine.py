"""Node types of a site from NodeName lines and gres.conf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_site import DescribedSite, describe_site

if TYPE_CHECKING:
    from pathlib import Path


def described(tmp_path: Path, conf: str, gres: str = "") -> DescribedSite:
    (tmp_path / "slurm.conf").write_text(conf)
    (tmp_path / "gres.conf").write_text(gres)
    return describe_site(tmp_path / "slurm.conf", tmp_path / "gres.conf" if gres else None)


def machine(tmp_path: Path, conf: str, gres: str = "") -> sw.Nodes:
    made = described(tmp_path, conf, gres).site.machine
    assert isinstance(made, sw.Nodes)
    return made


@pytest.mark.parametrize(
    ("node", "cpus"),
    [
        ("CPUs=8", 8),
        ("Procs=8", 8),  # the spelling of older files
        ("", 1),
        ("Sockets=2 CoresPerSocket=8", 16),
        ("Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", 32),  # sacct counts threads
        ("CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", 16),  # one job per core
        ("CPUs=20 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2", 32),  # all 32 threads count
        ("Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16),
        ("CPUs=8 Sockets=2", 8),
        # Reserving a core takes away both of its threads: 32 - 3 * 2.
        ("Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 CoreSpecCount=3", 26),
        ("CPUs=16 CoreSpecCount=3", 13),
    ],
)
def test_cores_are_the_cpus_of_slurm(tmp_path: Path, node: str, cpus: int) -> None:
    assert machine(tmp_path, f"NodeName=n {node}\n").types[0].resources["cores"] == cpus


def test_a_line_is_a_type_with_its_names_memory_gpus_and_features(tmp_path: Path) -> None:
    nodes = machine(
        tmp_path,
        "NodeName=g[01-02],g5 CPUs=64 RealMemory=1000 MemSpecLimit=24 "
        "Gres=gpu:a100:4(S:0-1),nvme:2K Feature=ib,fast\n",
    )
    # Memory is in KB: (1000 - 24) MB * 1024. 2K means 2 * 1024.
    assert nodes.types[0].to_dict() == {
        "hosts": "g[01-02],g5", "cores": 64, "memory": 999_424, "gpus": 4, "nvme": 2048,
        "name": "g", "features": ["ib", "fast", "a100"],
    }  # fmt: skip
    assert nodes.names == ("g01", "g02", "g5")


def test_types_stand_by_weight_and_first_fit_takes_the_lightest(tmp_path: Path) -> None:
    nodes = machine(
        tmp_path,
        "NodeName=DEFAULT CPUs=4 Weight=20\nNodeName=a1\nNodeName=b1 Weight=5\nNodeName=c1\n",
    )
    assert nodes.names == ("b1", "a1", "c1")
    assert nodes.placement == "first-fit"


def test_defaults_hold_for_the_lines_below_and_add_up(tmp_path: Path) -> None:
    nodes = machine(
        tmp_path,
        "NodeName=DEFAULT CPUs=4 Feature=x\nNodeName=a\nNodeName=DEFAULT RealMemory=1\n"
        "NodeName=b\nNodeName=c CPUs=8\n",
    )
    assert [kind.resources for kind in nodes.types] == [
        {"cores": 4}, {"cores": 4, "memory": 1024}, {"cores": 8, "memory": 1024},
    ]  # fmt: skip
    assert [kind.features for kind in nodes.types] == [("x",)] * 3


@pytest.mark.parametrize(
    ("hosts", "names"),
    [
        ("n[1-3]", "n1 n2 n3"),
        ("n[08-10]", "n08 n09 n10"),
        ("n[8-10]", "n8 n9 n10"),
        ("n[1-5/2],m", "n1 n3 n5 m"),
        ("r[1-2]n[0-1]-ib", "r1n0-ib r1n1-ib r2n0-ib r2n1-ib"),
        ("n[2,1]", "n2 n1"),
        ("n[8-010]", "n8 n9 n10"),  # site files refuse ranges whose ends differ in length
    ],
)
def test_lists_of_nodes_are_read_as_clustershell_reads_them(
    tmp_path: Path, hosts: str, names: str
) -> None:
    nodes = machine(tmp_path, f"NodeName={hosts} CPUs=1\n")
    assert " ".join(nodes.names) == names


def test_included_files_quotes_blanks_and_doubled_signs_are_read(tmp_path: Path) -> None:
    (tmp_path / "nodes.conf").write_text('NodeName = n1 CPUs==4 Gres="gpu:2" Reason="a fan"\n')
    (tmp_path / "more.conf").write_text("nodename=n2 cpus=2 \\\n  Feature=a # b\n")
    nodes = machine(
        tmp_path,
        "\ufeffSchedulerParameters==bf_window=4320\nInclude nodes.conf\n"
        f"include {tmp_path}/more.conf\n",
    )
    assert [kind.resources for kind in nodes.types] == [{"cores": 4, "gpus": 2}, {"cores": 2}]
    assert nodes.features == ("a",)


def test_an_included_file_may_be_copied_beside_the_slurm_conf(tmp_path: Path) -> None:
    (tmp_path / "nodes.conf").write_text("NodeName=n[1-2] CPUs=4\n")
    nodes = machine(tmp_path, "Include /etc/slurm/of-a-centre/nodes.conf\n")
    assert nodes.names == ("n1", "n2")


def test_gres_conf_names_types_and_parts_a_line(tmp_path: Path) -> None:
    nodes = machine(
        tmp_path,
        "NodeName=g[1-4] CPUs=8 Gres=gpu:2\n",
        "AutoDetect=off\nNodeName=g[1,3] Name=gpu Type=v100 File=/dev/nvidia[0-1]\n"
        "NodeName=g[2,4] Name=gpu Type=a100 Count=2\n",
    )
    assert [(kind.hosts, kind.features, kind.resources["gpus"]) for kind in nodes.types] == [
        ("g[1,3]", ("v100",), 2), ("g[2,4]", ("a100",), 2),
    ]  # fmt: skip


def test_gpus_of_two_types_in_a_node_are_counted_together(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "NodeName=g1 CPUs=8 Gres=gpu:3\n",
        "Name=gpu Type=v100 File=/dev/nvidia[0-1]\nName=gpu Type=a100 File=/dev/nvidia2\n",
    )
    kind = made.site.machine.types[0]
    assert kind.resources["gpus"] == 3
    assert kind.features == ("a100", "v100")
    assert "GPUs of several types in the same node are counted together: g1." in made.comments


def test_devices_that_slurm_finds_by_itself_need_no_line(tmp_path: Path) -> None:
    conf = "NodeName=g1 CPUs=8 Gres=gpu:2\n"
    gres = "AutoDetect=nvml\nNodeName=g1 Name=gpu Type=v100 File=/dev/nvidia0\n"
    assert machine(tmp_path, conf, gres).types[0].resources["gpus"] == 2


def test_devices_of_unknown_nodes_are_left_out_and_named(tmp_path: Path) -> None:
    made = described(tmp_path, "NodeName=n CPUs=8\n", "NodeName=x[1-7] Name=gpu Count=2\n")
    told = "devices in gres.conf on nodes that the machine does not have (x1, x2, x3, x4,"
    assert any(told in comment and "x5 and 2 more" in comment for comment in made.comments)


@pytest.mark.parametrize(
    ("settings", "counted"),
    [
        ("", True),
        ("SelectTypeParameters=CR_Core_Memory,CR_LLN\n", True),
        ("SelectTypeParameters=CR_CPU\n", False),
    ],
)
def test_memory_is_counted_as_slurm_counts_it(tmp_path: Path, settings: str, counted: bool) -> None:
    made = described(tmp_path, f"{settings}NodeName=n CPUs=2 RealMemory=100\n")
    assert ("memory" in made.site.machine.resources) is counted
    told = "Memory is not counted, because SelectTypeParameters=CR_CPU does not include it."
    assert (told in made.comments) is not counted


def test_select_linear_gives_jobs_whole_nodes(tmp_path: Path) -> None:
    conf = "SelectType=select/linear\nNodeName=n[1-2] CPUs=2\n"
    assert machine(tmp_path, conf).whole_nodes
    made = described(tmp_path, conf + "NodeName=m CPUs=4\n")
    assert not made.site.machine.whole_nodes
    assert any("requires nodes with the same number of cores" in each for each in made.comments)


@pytest.mark.parametrize(("version", "whole"), [("22.05", True), ("25.11", False), (None, False)])
def test_without_a_select_type_the_default_of_the_version_applies(
    tmp_path: Path, version: str | None, whole: bool
) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("NodeName=n[1-2] CPUs=2\nPartitionName=p Nodes=ALL\n")
    site = describe_site(path, version=version).site
    assert isinstance(site.machine, sw.Nodes)
    assert site.machine.whole_nodes is whole


def test_nodes_that_do_not_exist_yet_are_left_out(tmp_path: Path) -> None:
    made = described(
        tmp_path,
        "NodeName=n[1-2] CPUs=2\nNodeName=f[1-2] CPUs=2 State=FUTURE\n"
        "NodeName=d CPUs=2 State=DOWN\nPartitionName=p Nodes=n[1-2],f1\n"
        "PartitionName=q Nodes=f[1-2]\n",
    )
    assert made.site.machine.names == ("n1", "n2", "d")
    assert [(queue.name, queue.nodes) for queue in made.site.queues] == [("p", ("n[1-2]",))]
    told = " ".join(made.comments)
    assert "Left out, because they do not exist yet (State=FUTURE): 2 nodes (f1, f2)." in told
    assert (
        "In service in this site, although slurm.conf gives them another initial state: d (DOWN)."
        in told
    )
    assert "Left out: partitions without nodes (q)." in told
    assert "Idle, because they are in no partition: d." in told


def test_all_resources_are_counted_but_shares_of_gpus_and_reserved_words(tmp_path: Path) -> None:
    gres = ",".join(["gpu:1", "shard:8", "count:2", *(f"r{i}:1" for i in range(5))])
    made = described(tmp_path, f"NodeName=n CPUs=2 RealMemory=1 Gres={gres},lic:no_consume:4\n")
    assert made.site.machine.resources == ("cores", "memory", "gpus", *(f"r{i}" for i in range(5)))
    told = " ".join(made.comments)
    assert "Gres=shard" in told
    assert "a keyword of site files): Gres=count." in told
    assert "jobs share the resource without limit): Gres=lic:no_consume." in told


@pytest.mark.parametrize(
    ("count", "amount"), [("3k", 3 << 10), ("2M", 2 << 20), ("7G", 7 << 30), ("1023G", 1023 << 30)]
)
def test_a_count_may_have_a_suffix(tmp_path: Path, count: str, amount: int) -> None:
    assert machine(tmp_path, f"NodeName=n CPUs=2 Gres=nvme:{count}\n").types[0].resources == {
        "cores": 2, "nvme": amount,
    }  # fmt: skip


@pytest.mark.parametrize("count", ["7T", "1P", "999999999999p"])
def test_a_count_beyond_the_amounts_of_a_node_is_left_out(tmp_path: Path, count: str) -> None:
    made = described(tmp_path, f"NodeName=n CPUs=2 Gres=gpu:1,nvme:{count},bb:no_consume:{count}\n")
    assert made.site.machine.resources == ("cores", "gpus")
    told = " ".join(made.comments)
    assert f"(a node can have at most 2^40 - 1 of a resource): Gres=nvme:{count}." in told
    assert "jobs share the resource without limit): Gres=bb:no_consume." in told


@pytest.mark.parametrize(
    ("hosts", "name"),
    [("h100-[01-16]", "h100"), ("n[1-12]", "n"), ("r1-node[1-4]", "r1-node"), ("login01", "login")],
)
def test_a_type_is_named_after_what_its_node_names_have_in_common(
    tmp_path: Path, hosts: str, name: str
) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(f"NodeName={hosts} CPUs=4\nPartitionName=a Nodes=ALL\n")
    machine = describe_site(path).site.machine
    assert isinstance(machine, sw.Nodes)
    assert [each.name for each in machine.types] == [name]


def test_autodetect_and_other_types_in_gres_conf_are_remarked_on(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=g[1-2] CPUs=4 Gres=gpu:h100:4\nPartitionName=a Nodes=ALL\n"
    )
    (tmp_path / "gres.conf").write_text(
        "AutoDetect=nvml\nName=gpu Type=a100 NodeName=g[1-2] Count=4\n"
    )
    found = describe_site(tmp_path / "slurm.conf", gres=tmp_path / "gres.conf")
    remarks = " ".join(found.comments)
    assert "AutoDetect in gres.conf is ignored" in remarks
    assert "name different types of devices on nodes such as g1; the types in slurm.conf" in remarks
    assert isinstance(found.site.machine, sw.Nodes)
    assert found.site.machine.types[0].features == ("h100",)
