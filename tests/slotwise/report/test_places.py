"""Where the page draws jobs: on their nodes on a torus."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

import slotwise as sw
from slotwise.report import write_report
from slotwise.report.columns import unpack

# Job 0 runs to 10 on the first node, job 1 to 30 on the second; at 20 job 2 takes nodes 0 and 2.
LOG = sw.Trace.from_columns([0, 0, 20], [10, 30, 10], [2, 2, 3], max_processors=8)


def page_run(result: sw.Result, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the page says of its one run, and the run's columns."""
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
    assert columns["count"].tolist() == [2]  # of all pieces but the last of each job
    assert run["extent"] == 8


def test_the_cells_of_a_torus_are_those_of_its_slices(tmp_path: Path) -> None:
    torus = sw.Torus((2, 1, 3, 2))
    run, columns = page_run(sw.simulate(LOG, sw.Site(machine=torus)), tmp_path)
    said = {name: run["torus"][name] for name in ("slices", "rows", "columns", "each", "order")}
    assert said == {"slices": 2, "rows": 3, "columns": 2, "each": 1, "order": "hilbert"}
    # Slices along the first axis, then rows, then columns: the index of NumPy.
    nodes = torus.coordinates(np.arange(12))
    assert columns["cell"].tolist() == np.ravel_multi_index(tuple(nodes.T), (2, 1, 3, 2)).tolist()


def test_processors_without_places_have_no_torus_on_the_page(tmp_path: Path) -> None:
    run, columns = page_run(sw.simulate(LOG), tmp_path)
    assert run["torus"] is None
    assert len(columns["cell"]) == 0
