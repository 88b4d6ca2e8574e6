"""Node types from slurm.conf and jobs from events files, on clusters whose nodes differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.formats.slurm_events import asked_features

if TYPE_CHECKING:
    from pathlib import Path

CONF = """\
ClusterName=small
NodeName=DEFAULT RealMemory=1000 Sockets=2 CoresPerSocket=4 Weight=60
NodeName=n[01-03] Feature=CPU-A,OPA
NodeName=g[1,4] Gres=gpu:v100:2 Feature=CPU-B Weight=190
NodeName=DEFAULT RealMemory=4000 Sockets=1 CoresPerSocket=4
NodeName=b1 Feature=CPU-B Weight=160
PartitionName=DEFAULT State=UP
PartitionName=all Nodes=n[01-03],b1
PartitionName=debug Nodes=g[1,4]
"""
LINE = (
    "-dt 10.50 -e submit_batch_job | -sim-walltime 84.00 --uid=ann -J jobid_00007 -N 2 -n 6 "
    "-t 1-02:03:04 -q normal -p all --mem=2G --constraint=CPU-B pseudo.job\n"
)


def conf(tmp_path: Path) -> sw.Nodes:
    (tmp_path / "slurm.conf").write_text(CONF)
    return sw.read_slurm_nodes(tmp_path / "slurm.conf")


def test_a_nice_value_is_read(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    options = ("", " --nice", " --nice=-7", " --nice=+30")
    lines = [LINE.replace("-p all", f"-p all{option}") for option in options]
    (tmp_path / "x.events").write_text("".join(lines))
    # sbatch(1): "With no adjustment value the scheduling priority is decreased by 100."
    assert sw.read_slurm_events(tmp_path / "x.events", nodes).nice.tolist() == [0, 100, -7, 30]
    (tmp_path / "x.events").write_text(LINE.replace("-p all", "-p all --nice=2147483646"))
    with pytest.raises(sw.TraceError, match="--nice=2147483646 must be a whole number from"):
        sw.read_slurm_events(tmp_path / "x.events", nodes)


def test_a_node_table_gives_types_by_weight(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    # Weights 60, 160, 190; RealMemory is in MB.
    assert [(t.count, t.resources["cores"]) for t in nodes.types] == [(3, 8), (1, 4), (2, 8)]
    assert dict(nodes.types[1].resources) == {
        "cores": 4, "memory": 4000 * 1024, "all": 1000, "CPU-B": 4,
    }  # fmt: skip
    assert nodes.types[2].resources["gpus"] == 2
    assert "all" not in nodes.types[2].resources
    assert nodes.types[2].resources["debug"] == 1000


def test_an_event_is_a_job_of_units(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(LINE + LINE.replace("-p all", "-p all --exclusive"))
    trace = sw.read_slurm_events(tmp_path / "x.events", nodes)
    demands = trace.demands
    assert demands is not None
    assert trace.submit.tolist() == [11, 11]  # 10.5, rounded half up
    assert trace.requested_time.tolist() == [86400 + 2 * 3600 + 3 * 60 + 4] * 2
    assert trace.job_id.tolist() == [7, 7]
    assert demands.units.tolist() == [2, 2]
    each = {name: column.tolist() for name, column in demands.each.items()}
    assert each == {
        "cores": [3, 3], "memory": [2 << 20] * 2, "gpus": [0, 0], "all": [1, 1000],
        "debug": [0, 0], "CPU-A": [0, 0], "CPU-B": [3, 3],
    }  # fmt: skip


def test_faults_name_the_line(tmp_path: Path) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(LINE + "-dt 3 -e submit_batch_job\n")
    with pytest.raises(
        sw.TraceError, match=r"x\.events:2: this is not a readable submit_batch_job event"
    ):
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    (tmp_path / "x.events").write_text(LINE.replace("CPU-B", "CPU-Z"))
    with pytest.raises(sw.TraceError, match="the feature CPU-Z is not a resource"):
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    with pytest.raises(sw.TraceError, match="cannot be read"):
        sw.read_slurm_events(tmp_path / "none.events", nodes)
    (tmp_path / "empty.conf").write_text("ClusterName=x\n")
    with pytest.raises(sw.SiteError, match="has no NodeName line"):
        sw.read_slurm_nodes(tmp_path / "empty.conf")


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("30", 1800), ("30:15", 1815), ("1:02:03", 3723), ("2-3", 183600), ("2-3:30", 185400),
        ("2-3:30:05", 185405),
    ],
)  # fmt: skip
def test_times_have_the_six_forms_of_sbatch(tmp_path: Path, written: str, seconds: int) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(LINE.replace("1-02:03:04", written))
    trace = sw.read_slurm_events(tmp_path / "x.events", nodes)
    assert trace.requested_time.tolist() == [seconds]


def test_events_of_the_regression_tests_of_the_simulator(tmp_path: Path) -> None:
    line = (
        "-dt 5 -e submit_batch_job | -jid  1001 -sim-walltime -1 --uid=ann -t 00:07:00 -n 7 "
        "--ntasks-per-node=4 -A physics --constraint=CPU-A|CPU-B pseudo.job\n"
    )
    (tmp_path / "slurm.conf").write_text(CONF)
    (tmp_path / "x.events").write_text(line + LINE)
    features = asked_features(tmp_path / "x.events")
    assert features == ["CPU-A|CPU-B", "CPU-B"]
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf", features)
    # Every node has the feature CPU-A or CPU-B.
    assert [t.resources["CPU-A|CPU-B"] for t in nodes.types] == [8, 4, 8]
    trace = sw.read_slurm_events(tmp_path / "x.events", nodes)
    assert trace.demands is not None
    assert trace.job_id.tolist() == [1001, 7]
    assert trace.run_time.tolist() == [420, 84]  # the first runs to its limit
    assert trace.demands.units.tolist() == [2, 2]  # 7 tasks, 4 per node
    assert trace.demands.each["cores"].tolist() == [4, 3]
    assert trace.demands.each["CPU-A|CPU-B"].tolist() == [4, 0]
    assert trace.queue.tolist() == [-1, 1]
    assert trace.names("user") == ["ann", "ann"]
    assert trace.names("queue") == ["", "normal"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (LINE.replace("-N 2", "-N 0"), "-N 0 must be a whole number, at least 1"),
        (LINE.replace("-dt 10.50", "-dt inf"), "inf must be a number of seconds, at least 0"),
        (LINE.replace("-dt 10.50", "-dt -3"), "-3 must be a number of seconds, at least 0"),
        (LINE.replace("-n 6", ""), "-n is missing"),
        (LINE.replace("--mem=2G", "--mem=-2G"), "-2G"),
    ],
)
def test_a_wrong_value_of_an_event_is_named(tmp_path: Path, line: str, told: str) -> None:
    nodes = conf(tmp_path)
    (tmp_path / "x.events").write_text(line)
    with pytest.raises(sw.TraceError, match="is not a readable submit_batch_job event") as raised:
        sw.read_slurm_events(tmp_path / "x.events", nodes)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    ("conf", "told"),
    [
        (CONF.replace("RealMemory=1000", "RealMemory=lots"), r"slurm\.conf:3: cannot be read"),
        (CONF.replace("n[01-03] ", "n[01-xx] "), r"slurm\.conf:3: cannot be read"),
        (CONF.replace("PartitionName=all ", ""), r"slurm\.conf:8: cannot be read"),
        (CONF.replace("CoresPerSocket=4 Weight", "CoresPerSocket=0 Weight"), "cores: 0 must be"),
    ],
)
def test_a_wrong_line_of_a_node_table_is_named(tmp_path: Path, conf: str, told: str) -> None:
    (tmp_path / "slurm.conf").write_text(conf)
    with pytest.raises(sw.SiteError, match=told):
        sw.read_slurm_nodes(tmp_path / "slurm.conf")


def test_a_partition_may_come_before_its_nodes_or_name_all(tmp_path: Path) -> None:
    *others, partition, _ = CONF.splitlines()
    (tmp_path / "slurm.conf").write_text(
        "\n".join([partition, *others, "PartitionName=whole Nodes=ALL"])
    )
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert [t.resources.get("all", 0) for t in nodes.types] == [1000, 1000, 0]
    assert [t.resources.get("whole", 0) for t in nodes.types] == [1000, 1000, 1000]


def test_the_heterogeneous_workload_fits_its_cluster(shared_traces: Path) -> None:
    folder = shared_traces / "heterogeneous"
    nodes = sw.read_slurm_nodes(folder / "medium_cluster__slurm.conf")
    # "COMPUTE NODES (totally 217 nodes)": 87 + 2 nodes of 32 cores, 8 + 96 + 24 of 40 cores.
    assert nodes.n_nodes == 217
    assert nodes.count == 89 * 32 + 128 * 40
    trace = sw.read_slurm_events(folder / "ub-medium-5k.events.gz", nodes)
    demands = trace.demands
    assert demands is not None
    assert len(trace) == 5000
    # 72 jobs request gpu:2 and 16 request gpu:1; each of their lines repeats the option.
    assert sorted(set(demands.each["gpus"].tolist())) == [0, 1, 2]
    each = demands.on(nodes)
    assert all(
        nodes._core.can_ever_hold(int(units), row.tolist())
        for units, row in zip(demands.units, each, strict=True)
    )


def asks(tmp_path: Path, words: str, features: list[str] | None = None) -> dict[str, int]:
    """Return the nonzero demands per unit of a job with 4 tasks on one node."""
    (tmp_path / "slurm.conf").write_text(CONF.replace("CPU-B Weight=190", "CPU-B,V100 Weight=190"))
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf", features)
    (tmp_path / "x.events").write_text(
        "-dt 1 -e submit_batch_job | -sim-walltime 9 --uid=ann -J jobid_1 -N 1 -n 4 -t 0:01:00 "
        f"-q normal {words} pseudo.job --words=of the script\n"
    )
    demands = sw.read_slurm_events(tmp_path / "x.events", nodes).demands
    assert demands is not None
    return {name: int(column[0]) for name, column in demands.each.items() if column[0]}


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("-p debug --mem=1G --gres=gpu:2", {"gpus": 2}),
        ("-p debug --mem=1G --gres gpu:2", {"gpus": 2}),
        ("-p debug --mem=1G --gres=gpu", {"gpus": 1}),
        ("-p debug --mem 1024", {}),  # in MB without a unit
        ("--partition=debug --mem=1G --constraint CPU-B", {"CPU-B": 4}),
        ("-p debug --mem=1G --exclusive=user", {"debug": 1000}),
    ],
)
def test_requests_are_read_as_sbatch_takes_them(
    tmp_path: Path, words: str, asked: dict[str, int]
) -> None:
    expected = {"cores": 4, "memory": 1 << 20, "debug": 1}
    assert asks(tmp_path, words) == expected | asked


def test_cores_a_task_and_memory_a_core_are_multiplied(tmp_path: Path) -> None:
    # 4 tasks of 2 cores, with 1 GB for each of the 8 cores.
    for words in ("-c 2", "--cpus-per-task=2"):
        asked = asks(tmp_path, f"-p all {words} --mem-per-cpu=1G")
        assert (asked["cores"], asked["memory"]) == (8, 8 << 20)


def test_a_type_of_gpus_is_counted_where_it_is_asked(tmp_path: Path) -> None:
    asked = asks(tmp_path, "-p debug --gres=gpu:v100:2", ["gpu:v100"])
    assert (asked["gpus"], asked["gpu:v100"]) == (2, 2)
    assert asked_features(tmp_path / "x.events") == ["gpu:v100"]
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf", ["gpu:v100", "gpu:k40"])
    assert nodes.types[2].resources["gpu:v100"] == 2
    assert "gpu:k40" not in nodes.resources


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "-p nosuch",
            "partition nosuch has no nodes; the nodes have the resources cores, memory",
        ),
        ("-p debug --gres=gpu:k40:2", "the feature gpu:k40 is not a resource of the nodes"),
        ("-p debug --gres=license:2", "gres license:2 must be gpu, gpu:2, gpu:v100 or gpu:v100:2"),
        ("-p debug --gres=gpu:1,fpga:1", "gres gpu:1,fpga:1 must be"),
        ("-p debug --constraint A100", "the feature A100 is not a resource of the nodes"),
        ("-p debug --mem=1G --mem-per-cpu=1G", "cannot be combined; use only one"),
        ("-p debug --mem=0", "--mem=0 must be an amount above 0, such as 4G or 500M"),
        ("-p debug -c 0", "-c 0 must be a whole number, at least 1"),
        ("-p debug --exclusive=mcs", "--exclusive=mcs is not known"),
        ("-p debug --gpus=2", "--gpus=2 is not a known option; known options are"),
    ],
)
def test_requests_that_cannot_be_kept_are_refused(tmp_path: Path, words: str, told: str) -> None:
    with pytest.raises(
        sw.TraceError, match=r"x\.events:1: this is not a readable submit_batch_job"
    ) as raised:
        asks(tmp_path, words)
    assert told in str(raised.value)


def test_any_feature_is_counted_where_it_is_asked(tmp_path: Path) -> None:
    for words in ("--constraint=V100", "--constraint V100", "-C V100"):
        assert asks(tmp_path, f"-p debug --mem=1G {words}", ["V100"])["V100"] == 4
        assert asked_features(tmp_path / "x.events") == ["V100"]
    with pytest.raises(sw.TraceError, match=r"read the nodes with features=\['V100'\]"):
        asks(tmp_path, "-p debug --constraint=V100")


def test_types_of_gpus_of_a_node_add_up(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(CONF.replace("gpu:v100:2", "gpu:v100:2,gpu:k40,nic:1"))
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert nodes.types[2].resources["gpus"] == 3


def test_features_beyond_seven_resources_are_counted_on_demand(shared_traces: Path) -> None:
    conf = shared_traces / "heterogeneous" / "medium_cluster__slurm.conf"
    # The two CPU features are on 128 and 89 nodes. With V100 (8 nodes) and P100 (2 nodes) as well,
    # there would be more than seven resources, the limit.
    assert sw.read_slurm_nodes(conf).resources == (
        "cores", "memory", "general-compute", "CPU-Gold-6130", "CPU-Gold-6230", "gpus", "debug",
    )  # fmt: skip
    assert "V100" in sw.read_slurm_nodes(conf, ["V100"]).resources


@pytest.mark.parametrize(
    ("node", "cores"),
    [
        ("Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 CPUs=32", 16),
        ("CPUs=32", 32),
        ("CPUs=32 ThreadsPerCore=2", 16),
        ("CPUs=32 CoresPerSocket=8", 32),  # four sockets, since 32 / 8 = 4
        ("Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 16),
        ("cpus=32", 32),  # keys are case-insensitive
        ("Sockets=2 \\\n CoresPerSocket=8", 16),  # continues on the next line
        ("", 1),
    ],
)
def test_cores_are_counted_as_slurm_does(tmp_path: Path, node: str, cores: int) -> None:
    (tmp_path / "slurm.conf").write_text(f"NodeName=n1 {node}\nPartitionName=p Nodes=ALL\n")
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert nodes.types[0].resources == {"cores": cores, "p": 1000}


def test_defaults_add_up_and_those_of_partitions_have_nodes(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=DEFAULT CPUs=8 RealMemory=1000\nNodeName=DEFAULT RealMemory=2000\n"
        "NodeName=n1\nPartitionName=DEFAULT Nodes=n1\nPartitionName=p MaxTime=1\n"
    )
    kind = sw.read_slurm_nodes(tmp_path / "slurm.conf").types[0]
    assert kind.resources == {"cores": 8, "memory": 2000 << 10, "p": 1000}


@pytest.mark.parametrize("name", ["cores", "gpus", "name", "units", "count"])
def test_a_partition_may_have_the_name_of_a_resource(tmp_path: Path, name: str) -> None:
    (tmp_path / "slurm.conf").write_text(f"NodeName=n1 CPUs=4\nPartitionName={name} Nodes=n1\n")
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    assert nodes.types[0].resources == {"cores": 4, f"partition:{name}": 1000}


def test_jobs_of_a_partition_named_as_a_resource_ask_for_the_partition(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=n1 CPUs=4 RealMemory=8000 Gres=gpu:2\nPartitionName=gpus Nodes=n1\n"
    )
    nodes = sw.read_slurm_nodes(tmp_path / "slurm.conf")
    (tmp_path / "log.events").write_text(
        "-dt 1 -e submit_batch_job | -sim-walltime 9 --uid=ann -J jobid_1 -N 1 -n 2 -t 0:01:00 "
        "-q normal -p gpus --mem=1G --gres=gpu:1 pseudo.job\n"
    )
    demands = sw.read_slurm_events(tmp_path / "log.events", nodes).demands
    assert demands is not None
    each = {name: int(column[0]) for name, column in demands.each.items() if column[0]}
    assert each == {"cores": 2, "memory": 1 << 20, "partition:gpus": 1, "gpus": 1}


def test_a_feature_with_the_name_of_a_partition_is_never_counted(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(
        "NodeName=n1 CPUs=4 Feature=p\nNodeName=n2 CPUs=4\nPartitionName=p Nodes=ALL\n"
    )
    kind = sw.read_slurm_nodes(tmp_path / "slurm.conf").types[0]
    assert kind.resources == {"cores": 4, "p": 1000}
    with pytest.raises(sw.SiteError, match="the feature p has the same name as another resource"):
        sw.read_slurm_nodes(tmp_path / "slurm.conf", ["p"])
