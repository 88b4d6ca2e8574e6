"""The site of the dispatch study, and changes to it from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.studies import run_study
from slotwise.studies.dispatch.replays import replay
from slotwise.studies.dispatch.sites import check_room, read_site, site_of
from slotwise.studies.dispatch.workloads import batch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return path

    return write


def test_the_default_site_is_eurora_as_the_study_describes_it() -> None:
    site = read_site()
    assert site.machine.count == 64 * 16
    assert site.machine.capacities.tolist() == [[16, 16 << 20, 2, 0], [16, 16 << 20, 0, 2]]
    # There are two debug nodes, and the night lasts from 20:00 to 08:00. The expected waits are
    # 30 s, 10 min, 4 h and 10 min.
    assert site.pbs.debug_nodes * len(site.machine.types) == 2
    assert site.pbs.night == (20 * 3600, 8 * 3600)
    assert [queue.expected_wait for queue in site.queues] == [30, 600, 14_400, 600]
    assert site.queues[1] == site.queues[3]
    assert [queue.night_only for queue in site.queues] == [False, False, True, False]


def test_values_of_a_file_replace_the_defaults(written) -> None:
    site = read_site(
        written('[pbs]\nnight = "18:30-06:00"\n\n[queue.debug]\nexpected_wait = "1m"\n')
    )
    assert site.pbs.night == (18 * 3600 + 1800, 6 * 3600)
    assert site.pbs.cycle == 60
    assert [queue.expected_wait for queue in site.queues] == [60, 600, 14_400, 600]
    assert site.machine == read_site().machine


def test_a_site_is_rebuilt_from_its_tables() -> None:
    assert site_of(read_site().to_dict()) == read_site()


def test_every_fault_is_reported_with_its_file_and_key(written) -> None:
    path = written(
        '[pbs]\nnight = "20:00"\ncycle = 0\ndebug_nodes = 32\nnigth = 1\n\n'
        "[queue.debug]\npriority = 1.5\nnight_only = 1\n"
    )
    with pytest.raises(sw.SiteError) as told:
        read_site(path)
    assert str(told.value).splitlines() == [
        f'{path}: pbs.night: \'20:00\' must be hours of the day from 00:00 to 24:00, such as '
        '"20:00-08:00"',
        f"{path}: pbs.cycle: 0 must be at least one second",
        f"{path}: pbs.nigth: unknown [pbs] key 'nigth'; did you mean 'night'? known names are: "
        "begin, night, cycle, debug_nodes, strict",
        f"{path}: queue.debug.priority: 1.5 must be a whole number from -1,000,000 to 1,000,000",
        f"{path}: queue.debug.night_only: 1 must be true or false",
        f"{path}: pbs.debug_nodes: 32 would leave other jobs no node of a type that has only 32; "
        "use at most 31",
    ]  # fmt: skip


def test_faults_of_all_tables_are_reported_at_once(written) -> None:
    path = written(
        "[polcy]\n[queue]\nfast = 3\ndebug = 3\n[pbs]\ncycle = 0\n"
        "[machine]\nnodes = [{ count = 0, cores = 16 }, { cores = 4, gpus = -1 }]\n"
    )
    with pytest.raises(sw.SiteError) as told:
        read_site(path)
    keys = [line.removeprefix(f"{path}: ").split(": ")[0] for line in str(told.value).splitlines()]
    assert keys == [
        "polcy", "queue.fast", "queue.debug", "machine.nodes[0].count", "machine.nodes[1].gpus",
        "machine.nodes[1].count", "pbs.cycle",
    ]  # fmt: skip
    # The machine is valid, but this study needs nodes. The message lists both faults.
    path = written("[machine]\nprocessors = 64\n[pbs]\ncycle = 0\n")
    with pytest.raises(
        sw.SiteError, match=r"machine: this study needs nodes.*\n.*pbs\.cycle: 0 must be"
    ):
        read_site(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[policy]\n", "policy: unknown table 'policy'; known names are: machine, pbs, queue"),
        ("pbs = 3\n", r"pbs: 3 must be a table, written \[pbs\]"),
        (
            "[queue.fast]\n",
            "queue.fast: unknown queue 'fast'; known names are: debug, parallel, longpar, other",
        ),
        ("queue.debug = 3\n", r"queue.debug: 3 must be a table, written \[queue.debug\]"),
        ("[machine]\nprocessors = 64\n", "machine: this study needs nodes; describe the"),
        (
            '[machine]\nnodes = [{count = 9, cores = 16}]\nplacement = "first-fit"\n',
            "machine.placement: 'first-fit' cannot be used in this study: .*; remove it",
        ),
        ("[pbs]\nbegin = 24\n[", "not TOML"),
        ('[pbs]\nbegin = "24:00"\n', "pbs.begin: '24:00' must be a time of day from 00:00"),
    ],
)
def test_files_of_other_sites_are_refused(written, text: str, told: str) -> None:
    with pytest.raises(sw.SiteError, match=told):
        read_site(written(text))


def test_a_tenth_of_the_machine_keeps_every_type_and_unreserved_nodes(written) -> None:
    small = read_site().a_tenth()
    assert [kind.count for kind in small.machine.types] == [3, 3]
    assert small.pbs.debug_nodes == 1
    few = read_site(
        written("[machine]\nnodes = [{count = 4, cores = 16}]\n\n[pbs]\ndebug_nodes = 3\n")
    ).a_tenth()
    assert [kind.count for kind in few.machine.types] == [1]
    assert few.pbs.debug_nodes == 0


def test_the_first_listed_type_of_nodes_wins_ties() -> None:
    # The first jobs without accelerators go to nodes of the first type.
    for name, resource in (("gpu", "gpus"), ("mic", "mics")):
        machine = read_site().with_first(name).machine
        assert machine.types[0].resources[resource] == 2
        trace = sw.generate("eurora", batch=1, seed=1)
        result = sw.simulate(trace, sw.Site(machine=machine))
        plain = (trace.demands.each["gpus"] == 0) & (trace.demands.each["mics"] == 0)
        first = next(int(i) for i in range(len(trace)) if plain[i] and result.start[i] == 0)
        assert result.places(first)[0].max() < 32
    with pytest.raises(ValueError, match="nodes_first='fpga': no node type has this name"):
        run_study("dispatch", quick=True, nodes_first="fpga")


def test_a_run_on_another_site_reports_it() -> None:
    found = run_study("dispatch", quick=True, work=0.02, workers=1, nodes_first="mic")
    assert any(note.startswith("The site differs from the study's own") for note in found.notes)
    assert any("(3 nodes of type mic and 3 nodes of type gpu)" in note for note in found.notes)


def test_a_replay_uses_its_site() -> None:
    tables = read_site().to_dict()
    tables["queue"]["longpar"]["night_only"] = False
    by_default, early = (replay(1, "PBS", 1, 40, 0.02, site) for site in (None, tables))
    assert max(by_default["start"]) >= 8 * 3600
    assert max(early["start"]) < 8 * 3600


def test_a_machine_too_small_for_a_job_of_the_batches_is_refused(written, tmp_path) -> None:
    path = written("[machine]\nnodes = [{count = 64, cores = 8, gpus = 2, mics = 2}]\n")
    trace = sw.generate("eurora", batch=1, seed=1)
    with pytest.raises(
        sw.SiteError,
        match=r"does not fit even on empty nodes \(a unit requests "
        r"1[026] cores",
    ):
        check_room(read_site(path), trace, "BATCH1 (seed 1)", str(path))
    with pytest.raises(
        sw.SiteError, match=r"mine\.toml: machine: job .* of BATCH1 \(seed 1\) does not fit"
    ):
        run_study("dispatch", batch=1, site=str(path), seeds=1)


def test_a_resource_that_no_node_has_is_reported_with_batch_and_file(written) -> None:
    path = written('[machine]\nnodes = [{count = 64, cores = 16, memory = "16GB", gpus = 2}]\n')
    site = read_site(path)
    told = r"mine\.toml: machine: job .* of BATCH1 \(seed 1\) does not fit .* mics?, and no node"
    with pytest.raises(sw.SiteError, match=told):
        run_study("dispatch", batch=1, site=str(path), seeds=1)
    part = batch(1, 1, 40, site.a_tenth().machine)
    assert len(part) == 40
    assert part.demands.each["mics"].max() == 0
    none = sw.Nodes([sw.NodeType(count=1, cores=1, memory=1)])
    with pytest.raises(sw.SiteError, match=r"no job of BATCH1 \(seed 1\) fits even on empty"):
        batch(1, 1, 40, none)
