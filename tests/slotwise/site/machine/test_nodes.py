"""The class `Nodes`: arguments that it accepts and refuses, and the nodes that jobs get."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import numpy as np
import pytest

import slotwise as sw
from slotwise.site.machine.nodes import kilobytes

if TYPE_CHECKING:
    from pathlib import Path

EURORA = sw.Nodes(
    [
        sw.NodeType(count=32, cores=16, memory="16GB", gpus=2),
        sw.NodeType(count=32, cores=16, memory="16GB", mics=2),
    ]
)


def one_job(units: int = 1, cores: int = 1, **others: int) -> sw.Trace:
    demands = sw.Demands([units], cores=[cores], **{name: [v] for name, v in others.items()})
    return sw.Trace.from_columns([0], [10], demands.processors).with_demands(demands)


def test_a_machine_counts_cores_and_numbers_nodes_by_type() -> None:
    assert EURORA.count == 1024
    assert EURORA.n_nodes == 64
    assert EURORA.resources == ("cores", "memory", "gpus", "mics")
    # 16 GB is 16 x 1024 x 1024 KB.
    assert EURORA.capacities.tolist() == [[16, 16777216, 2, 0], [16, 16777216, 0, 2]]
    assert EURORA.type_of.tolist() == [0] * 32 + [1] * 32


@pytest.mark.parametrize(
    ("units", "each", "lacks"),
    [
        (32, {"cores": 16, "gpus": 2, "memory": 1}, ""),
        (1, {"cores": 17}, "a unit requests 17 cores, and no node has more than 16"),
        (1, {"cores": 1, "licences": 1}, "a unit requests 1 licences, and no node has any"),
        (
            1,
            {"cores": 1, "memory": 0, "gpus": 1, "mics": 1},
            "a unit requests 1 core, 1 gpu, 1 mic, and no single node has all of that",
        ),
        # Two units of 8 cores and a GPU on each of 32 nodes.
        (65, {"cores": 8, "gpus": 1}, "it has 65 units, but the empty machine has room for 64"),
    ],
)
def test_what_a_machine_lacks_for_a_job_is_told(
    units: int, each: dict[str, int], lacks: str
) -> None:
    told = EURORA.what_lacks(units, each)
    assert told.startswith(lacks)
    assert bool(told) == bool(lacks)
    if "licences" not in each:
        row = [each.get(name, 0) for name in EURORA.resources]
        assert EURORA._core.can_ever_hold(units, row) == (not lacks)


def test_memory_that_is_not_counted_is_never_lacked() -> None:
    assert sw.Nodes([sw.NodeType(count=1, cores=4)]).what_lacks(4, {"cores": 1, "memory": 9}) == ""


def test_further_resources_have_names_of_their_own() -> None:
    nodes = sw.Nodes([sw.NodeType(count=1, cores=4, licences=2)])
    site = sw.Site(machine=nodes, policy=sw.Policy(backfill="none"))
    asked = sw.Demands([1, 1], cores=[1, 1], licences=[2, 1])
    trace = sw.Trace.from_columns([0, 0], [10, 10], [1, 1]).with_demands(asked)
    assert sw.simulate(trace, site).start.tolist() == [0, 10]


@pytest.mark.parametrize(
    ("given", "kb"), [(5, 5), ("5KB", 5), ("2MB", 2048), ("16gb", 16 << 20), ("1TB", 1 << 30)]
)
def test_memory_is_kb_or_a_text(given: int | str, kb: int) -> None:
    assert kilobytes(given) == kb


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: sw.NodeType(count=0, cores=4),
            "NodeType: count: 0: a machine must have at least one",
        ),
        (lambda: sw.NodeType(count=1, cores=0), "cores: 0 must be a whole number from 1 to"),
        (
            lambda: sw.NodeType(count=1, cores=4, gpus=-1),
            "gpus: -1 must be a whole number from 0 to",
        ),
        (lambda: sw.NodeType(count=1, cores=4, memory="16 bytes"), "memory: '16 bytes' must be"),
        (
            lambda: sw.NodeType(count=3_000_000_000, cores=1),
            "count: 3000000000: a machine must have at least one node of each type, and at most "
            "1,000,000",
        ),
        (
            lambda: sw.Nodes([sw.NodeType(10**6, 1), sw.NodeType(1, 1)]),
            "the machine has 1,000,001 nodes; it may have at most 1,000,000",
        ),
        (
            lambda: sw.Nodes([sw.NodeType(count=2, cores=2**30)]),
            "the nodes have 2,147,483,648 cores in total; at most 2,147,483,647",
        ),
        # 1024 TB is 2**40 KB.
        (
            lambda: sw.NodeType(count=1, cores=1, memory="1024TB"),
            "memory: '1024TB' must be .* below 1024 TB",
        ),
        (lambda: sw.NodeType(1, 1, memory="9" * 5000 + "TB"), "memory: '999.* below 1024 TB"),
        (lambda: sw.NodeType(1, 1, memory=1 << 40), "memory: 1099511627776 must be"),
        (lambda: sw.Nodes([]), r"pass a list of NodeType"),
        (lambda: sw.Nodes([sw.NodeType(1, 4)], "worst-fit"), "unknown placement 'worst-fit'"),
    ],
)
def test_what_is_no_machine_is_refused(make: object, message: str) -> None:
    with pytest.raises(sw.SiteError, match=message):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("job", "lacks"),
    [
        ({"cores": 17}, "a unit requests 17 cores, and no node has more than 16"),
        (
            {"gpus": 1, "mics": 1},
            "a unit requests 1 core, 1 gpu, 1 mic, and no single node has all of that",
        ),
        # 32 nodes of 2 GPUs and 16 cores have enough GPUs for 64 units, but cores for only 32.
        (
            {"units": 33, "cores": 16, "gpus": 1},
            "it has 33 units, but the empty machine has room for 32 of them",
        ),
    ],
)
def test_a_trace_without_room_on_the_nodes_is_refused(job: dict[str, int], lacks: str) -> None:
    with pytest.raises(sw.TraceError) as refused:
        sw.simulate(one_job(**job), sw.Site(machine=EURORA))
    assert str(refused.value) == (
        f"the only job does not fit on the nodes ({lacks}); "
        "correct the jobs' requests in the trace, or add suitable nodes to the machine"
    )


def test_a_job_without_room_is_rejected_beside_others() -> None:
    asked = sw.Demands([1, 1], cores=[16, 16], gpus=[3, 2])
    trace = sw.Trace.from_columns([0, 0], [10, 10], [16, 16]).with_demands(asked)
    result = sw.simulate(trace, sw.Site(machine=EURORA))
    assert result.start.tolist() == [-1, 0]
    assert result.state.tolist() == [sw.State.REJECTED, sw.State.COMPLETED]
    assert result.reject_reason[0] == sw.RejectReason.TOO_LARGE
    assert result.places(0)[0].tolist() == []


def test_a_resource_no_node_has_is_named() -> None:
    message = r"row 0 .* requests 1 fpgas, and no node has any: .*cores.* fpgas to a node type"
    with pytest.raises(sw.SiteError, match=message):
        sw.simulate(one_job(fpgas=1), sw.Site(machine=EURORA))


def test_a_job_that_asks_no_gpu_avoids_gpu_nodes() -> None:
    plain = sw.simulate(one_job(cores=4), sw.Site(machine=EURORA))
    # Each node type has its own kind of accelerator, and the job requests neither. In a tie, the
    # node number decides, so the job goes to a GPU node.
    assert plain.places(0)[0].tolist() == [0]
    few = sw.Nodes([sw.NodeType(count=1, cores=4, gpus=1), sw.NodeType(count=3, cores=4)])
    assert sw.simulate(one_job(cores=4), sw.Site(machine=few)).places(0)[0].tolist() == [1]
    by_number = sw.Nodes(few.types, "first-fit")
    assert sw.simulate(one_job(cores=4), sw.Site(machine=by_number)).places(0)[0].tolist() == [0]


def test_of_types_equally_scarce_the_one_listed_first_is_taken() -> None:
    gpu = sw.NodeType(count=2, cores=4, gpus=1)
    mic = sw.NodeType(count=2, cores=4, mics=1)
    plain = sw.Trace.from_columns(submit=[0], run_time=[10], processors=[4])
    asked = plain.with_demands(sw.Demands([1], cores=[4]))
    for types, first in (((gpu, mic), "gpus"), ((mic, gpu), "mics")):
        nodes = sw.Nodes(types)
        (node,), _ = sw.simulate(asked, sw.Site(machine=nodes)).places(0)
        assert node == 0
        assert nodes.capacities[nodes.type_of[node]][nodes.resources.index(first)] == 1
    # With one GPU node fewer than MIC nodes, GPUs are scarcer and are left for other jobs, although
    # GPU nodes are listed first.
    scarce = sw.Nodes([sw.NodeType(count=1, cores=4, gpus=1), mic])
    assert sw.simulate(asked, sw.Site(machine=scarce)).places(0)[0].tolist() == [1]


def test_best_fit_takes_the_node_that_keeps_least() -> None:
    nodes = sw.Nodes([sw.NodeType(count=1, cores=8), sw.NodeType(count=1, cores=4)], "best-fit")
    # Taking 3 of 4 cores leaves a quarter; taking 3 of 8 leaves five eighths.
    assert sw.simulate(one_job(cores=3), sw.Site(machine=nodes)).places(0)[0].tolist() == [1]


def test_units_share_a_node() -> None:
    node, units = sw.simulate(one_job(units=5, cores=8), sw.Site(machine=EURORA)).places(0)
    assert node.tolist() == [0, 1, 2]
    assert units.tolist() == [2, 2, 1]


def test_a_trace_without_demands_takes_cores_wherever_they_are() -> None:
    trace = sw.Trace.from_columns([0], [10], [20], requested_memory=[1 << 20])
    node, units = sw.simulate(trace, sw.Site(machine=EURORA)).places(0)
    assert (node.tolist(), units.tolist()) == ([0, 1], [16, 4])


def test_the_nodes_of_a_job_are_intervals_too() -> None:
    # The first job takes node 1, so the second gets nodes on both sides of it.
    asked = sw.Demands([1, 3, 1], cores=[4, 4, 5], gpus=[1, 0, 0])
    trace = sw.Trace.from_columns([0, 0, 0], [10, 10, 10], [4, 12, 5]).with_demands(asked)
    plain, with_gpu = sw.NodeType(count=1, cores=4), sw.NodeType(count=1, cores=4, gpus=1)
    machine = sw.Nodes([plain, with_gpu, sw.NodeType(count=3, cores=4)], "first-fit")
    result = sw.simulate(trace, sw.Site(machine=machine))
    assert result.nodes(0).tolist() == [[1, 2]]
    assert result.nodes(1).tolist() == [[0, 1], [2, 4]]
    assert result.nodes(2).tolist() == []
    assert result.nodes(2).shape == (0, 2)


def test_processors_have_no_places() -> None:
    trace = sw.Trace.from_columns([0], [10], [20])
    with pytest.raises(ValueError, match="requires a machine with nodes"):
        sw.simulate(trace, sw.Site(32)).places(0)


def test_switches_that_are_not_for_nodes_are_refused() -> None:
    site = sw.Site(machine=EURORA, policy=sw.Policy(strict_end=True))
    with pytest.raises(sw.SiteError, match="strict_end must be false"):
        sw.simulate(one_job(), site)


@pytest.mark.parametrize(
    "policy",
    [
        sw.Policy(backfill="relaxed"),
        sw.Policy(estimates="user-history"),
        sw.Policy(kill_at_limit=False),
    ],
)
def test_policies_of_processors_are_for_nodes_too(policy: sw.Policy) -> None:
    site = sw.Site(machine=EURORA, policy=policy, limits=sw.Limits(running=5))
    assert sw.simulate(one_job(), site).start.tolist() == [0]
    simulation = sw.Simulation(one_job(), site)
    simulation.run()
    assert simulation.result().start.tolist() == [0]


def test_sites_of_nodes_are_values_and_files(tmp_path: Path) -> None:
    site = sw.Site(machine=sw.Nodes(EURORA.types, "best-fit"), policy=sw.Policy(backfill="depth"))
    site.to_toml(tmp_path / "site.toml")
    assert sw.Site.from_toml(tmp_path / "site.toml") == site
    assert pickle.loads(pickle.dumps(site)) == site
    assert hash(site) == hash(pickle.loads(pickle.dumps(site)))


def faults_of(path: Path, document: str) -> str:
    """Write a site file with faults, and return the message from reading it."""
    path.write_text(document)
    with pytest.raises(sw.SiteError) as wrong:
        sw.Site.from_toml(path)
    return str(wrong.value)


def test_faults_of_nodes_in_a_file_are_told_with_their_place(tmp_path: Path) -> None:
    text = faults_of(
        tmp_path / "site.toml",
        "[machine]\nprocessors = 4\n"
        "nodes = [{ count = 1, cores = 4 }, { count = 0 }, { count = 1, cores = 4, gpus = -2 }]\n",
    )
    assert "machine.processors: it is given together with nodes" in text
    assert "machine.nodes[1].count: 0: a machine must have at least one node of each type" in text
    assert "machine.nodes[1].cores: the value is missing; a node type is written as" in text
    assert "machine.nodes[2].gpus: -2 must be" in text


def test_amounts_too_large_in_a_file_are_told_with_their_place(tmp_path: Path) -> None:
    text = faults_of(
        tmp_path / "site.toml",
        "[machine]\nnodes = [{ count = 3000000000, cores = 1 }, "
        '{ count = 1, cores = 1, memory = "99999999999999TB" }]\n',
    )
    assert "machine.nodes[0].count: 3000000000: a machine must have" in text
    assert "machine.nodes[1].memory: '99999999999999TB' must be" in text


def test_results_on_nodes_are_pickled_whole() -> None:
    result = sw.simulate(one_job(units=5, cores=8), sw.Site(machine=EURORA))
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.places(0)[1], result.places(0)[1])
    assert result.manifest["site"]["machine"]["nodes"][0]["gpus"] == 2


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: sw.Demands([1, 1], gpus=[1, 1]), "demands are given for gpus, but every"),
        (lambda: sw.Demands([1]), "demands are given for nothing, but every"),
        (
            lambda: sw.Demands([1], cores=[1], gpus=np.array([2**63], dtype=np.uint64)),
            r"gpus\[0\] is 9223372036854775808; it must be at most",
        ),
        (lambda: sw.Demands([2**31], cores=[1]), r"units\[0\] is 2147483648; it must be at most"),
        (
            lambda: sw.Demands([2**16], cores=[2**16]),
            "job 0 requests 65536 units of 65536 cores; a job",
        ),
    ],
)
def test_demands_that_cannot_be_counted_are_refused(make: object, told: str) -> None:
    with pytest.raises(sw.TraceError, match=told):
        make()  # type: ignore[operator]


def test_a_single_type_of_nodes_is_told_to_be_put_in_a_list() -> None:
    with pytest.raises(
        sw.SiteError,
        match=r"pass a list of types, such as "
        r"Nodes\(\[NodeType\(count=1",
    ):
        sw.Nodes(sw.NodeType(count=1, cores=4))  # type: ignore[arg-type]
    with pytest.raises(sw.SiteError, match=r"Nodes\(\[4\]\): pass a list of NodeType"):
        sw.Nodes(4)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("units", "each", "told"),
    [
        (1, {}, "cores: 0 must be a whole number, at least 1"),
        (0, {"cores": 1}, "units: 0 must be a whole number, at least 1"),
        (1, {"cores": 1, "gpus": -1}, "gpus: -1 must be a whole number, at least 0"),
    ],
)
def test_what_a_job_lacks_is_told_of_whole_amounts(
    units: int, each: dict[str, int], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        EURORA.what_lacks(units, each)
