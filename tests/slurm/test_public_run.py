"""The public run of 500 jobs on a real Slurm, as far as its record allows.

The record has starts, ends and nodes. It has neither cycles nor priorities nor the usage before the
run, and its nodes depend on a topology. So no step can be judged, but the resources of nodes can
be.
"""

from __future__ import annotations

import csv
import datetime
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from reference.slurm.conf import hosts, read_conf
from reference.slurm.node_sets import members
from slotwise.formats.slurm_site import describe_site

if TYPE_CHECKING:
    from pathlib import Path


def test_no_node_gives_more_than_it_has(shared_traces: Path) -> None:
    folder = shared_traces / "formats" / "slurm-real-micro"
    machine, parameters = read_conf(folder / "slurm.conf")
    # The doubled "=" of SchedulerParameters is accepted; there are ten nodes of twelve cores.
    assert (parameters.bf_max_job_user, parameters.bf_window) == (20, 4320 * 60)
    assert [node.cpus for node in machine.nodes] == [12] * 10
    assert (machine.shares, machine.counts_memory) == (True, True)
    assert members(machine.partitions["debug"].nodes) == [0, 1]
    has = {node.name: {"cpus": node.cpus, "gpus": node.gpus} for node in machine.nodes}
    changes = []
    with (folder / "slurm_acct.out").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="|"):
            nodes = hosts(row["NodeList"])
            gpus = int(row["ReqGRES"].removeprefix("gpu:") or 0)
            used = {"cpus": int(row["NCPUS"]) // len(nodes), "gpus": gpus}
            for node in nodes:
                changes.append((_instant(row["Start"]), 1, node, used))
                changes.append((_instant(row["End"]), -1, node, used))
    in_use = {name: Counter() for name in has}
    for _, sign, node, used in sorted(changes, key=lambda change: change[:2]):
        for name, amount in used.items():
            in_use[node][name] += sign * amount
            assert in_use[node][name] <= has[node][name], (node, name)


@pytest.mark.filterwarnings("ignore:policy.order.qos 20000")  # every job has the same QOS
@pytest.mark.filterwarnings("ignore:.*the log has no queue or partition 'debug'")
def test_a_free_replay_waits_about_as_long_as_the_run(shared_traces: Path) -> None:
    # The replay waits 3.3 % less; the record lacks the usage before the run, which decides the
    # priorities of the first jobs.
    folder = shared_traces / "formats" / "slurm-real-micro"
    site = describe_site(folder / "slurm.conf", version="22.05").site
    trace = sw.read_trace(folder / "slurm_acct.out")
    wait = sw.simulate(trace, site).metrics()["mean_wait"]
    assert round(float(trace.wait.mean())) == 12_301
    assert abs(wait / trace.wait.mean() - 1) < 0.04


def _instant(text: str) -> float:
    return datetime.datetime.fromisoformat(text).timestamp()
