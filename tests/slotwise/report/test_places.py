"""Positions of jobs on the page, which follow the jobs' nodes if the machine has nodes."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

import slotwise as sw
from slotwise.report import write_report
from slotwise.report.columns import unpack

# Job 0 runs until 10 on the first node, and job 1 until 30 on the second. At 20, job 2 takes nodes
# 0 and 2.
LOG = sw.Trace.from_columns([0, 0, 20], [10, 30, 10], [2, 2, 3], max_processors=8)


def page_run(result: sw.Result, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the page's facts about its only run, and the columns of the run."""
    write_report(result, path / "page.html")
    html = (path / "page.html").read_text()
    scripts = dict(re.findall(r'<script type="[^"]+" id="([^"]+)">(.*?)</script>', html, re.S))
    run = json.loads(scripts["page"])["runs"][0]
    return run, unpack({"columns": run["columns"], "data": scripts["data-run-0"]})


def test_on_a_torus_jobs_are_drawn_on_the_processors_of_their_nodes(tmp_path: Path) -> None:
    torus = sw.Torus((2, 2), order="row", processors_per_node=2)
    run, columns = page_run(sw.simulate(LOG, sw.Site(machine=torus)), tmp_path)
    assert columns["pieces"].tolist() == [1, 1, 2]
    assert columns["first"].tolist() == [0, 2, 0, 4]
    assert columns["count"].tolist() == [2]  # no count is stored for a job's last piece
    assert run["extent"] == 8


def test_the_cells_of_a_torus_are_those_of_its_slices(tmp_path: Path) -> None:
    torus = sw.Torus((2, 1, 3, 2))
    run, columns = page_run(sw.simulate(LOG, sw.Site(machine=torus)), tmp_path)
    said = {name: run["torus"][name] for name in ("slices", "rows", "columns", "each", "order")}
    assert said == {"slices": 2, "rows": 3, "columns": 2, "each": 1, "order": "hilbert"}
    # Cells are numbered by slices along the first axis, then rows, then columns, as in NumPy.
    nodes = torus.coordinates(np.arange(12))
    assert columns["cell"].tolist() == np.ravel_multi_index(tuple(nodes.T), (2, 1, 3, 2)).tolist()


def test_processors_without_places_have_no_torus_on_the_page(tmp_path: Path) -> None:
    run, columns = page_run(sw.simulate(LOG), tmp_path)
    assert run["torus"] is None
    assert len(columns["cell"]) == 0


def test_on_nodes_jobs_are_drawn_on_cores_of_their_nodes(tmp_path: Path) -> None:
    # Two nodes of 4 cores and one of 8. The first job has three units of 3 cores, one per node. The
    # second, with 2 units of 1 core, fills both small nodes. The third has 5 cores of the large
    # node, beside the 3 of the first job.
    machine = sw.Nodes([sw.NodeType(2, 4), sw.NodeType(1, 8, name="fat")], "first-fit")
    trace = sw.Trace.from_columns([0, 1, 2], [30, 30, 30], [9, 2, 5]).with_demands(
        sw.Demands([3, 2, 1], cores=[3, 1, 5])
    )
    result = sw.simulate(trace, sw.Site(machine=machine))
    assert [result.nodes(row).tolist() for row in range(3)] == [[[0, 3]], [[0, 2]], [[2, 3]]]
    run, columns = page_run(result, tmp_path)
    assert run["nodes"] == [
        {"cores": 4, "nodes": "node[1-2]"},
        {"cores": 8, "nodes": "fat1"},
    ]
    assert run["extent"] == 16
    assert columns["pieces"].tolist() == [3, 2, 1]
    assert columns["first"].tolist() == [0, 4, 8, 3, 7, 11]
    assert columns["count"].tolist() == [3, 3, 1]  # no count is stored for a job's last piece


def test_jobs_on_nodes_never_share_a_core_at_a_time(tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    units, cores = draw.integers(1, 9, 300), draw.integers(0, 5, 300)
    cores[:250] += 1
    machine = sw.Nodes([sw.NodeType(8, 8, gpus=2), sw.NodeType(4, 16)])
    run = draw.integers(0, 900, 300)
    submit = np.sort(draw.integers(0, 9000, 300))
    keep = cores > 0
    trace = sw.Trace.from_columns(submit[keep], run[keep], (units * cores)[keep]).with_demands(
        sw.Demands(units[keep], cores=cores[keep])
    )
    result = sw.simulate(trace, sw.Site(machine=machine))
    _, columns = page_run(result, tmp_path)
    job = np.repeat(np.arange(len(trace)), columns["pieces"])
    is_last = np.append(job[1:] != job[:-1], True)
    length = np.empty(len(job), dtype=np.int64)
    length[~is_last] = columns["count"]
    length[is_last] = 0
    length[is_last] = trace.processors[job[is_last]] - np.bincount(job, length)[job[is_last]]
    node_of = np.repeat(np.arange(12), [8] * 8 + [16] * 4)
    for row in range(len(trace)):
        mine = np.flatnonzero(job == row)
        on = {int(n) for k in mine for n in node_of[columns["first"][k] :][: length[k]]}
        assert on == set(result.places(row)[0].tolist())
    for core in range(0, 128, 5):
        has = (columns["first"] <= core) & (core < columns["first"] + length)
        stays = sorted((result.start[j], result.end[j]) for j in job[has] if trace.run_time[j])
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(stays))


def test_jobs_of_whole_nodes_are_drawn_on_all_their_cores(tmp_path: Path) -> None:
    # Three nodes of 4 cores. The first job requests 5 processors and has two nodes, and the second
    # job has one.
    machine = sw.Nodes([sw.NodeType(3, 4)], "first-fit", whole_nodes=True)
    trace = sw.Trace.from_columns([0, 1], [30, 30], [5, 1])
    _, columns = page_run(sw.simulate(trace, sw.Site(machine)), tmp_path)
    assert columns["pieces"].tolist() == [2, 1]
    assert columns["first"].tolist() == [0, 4, 8]
    assert columns["count"].tolist() == [4]
