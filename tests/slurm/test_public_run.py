"""The public run of 500 jobs on a real Slurm.

Its record has starts, ends and nodes. Its authors also published the workload (jobs500.events),
which has the requests, and Slurm's counters (sdiag.csv), which show the cycles. If these files are
in the same folder as the record, the steps are judged as well.
"""

from __future__ import annotations

import csv
import datetime
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import slotwise as sw
from reference.slurm.conf import hosts, read_conf
from reference.slurm.node_sets import members
from slotwise.formats.slurm_site import describe_site
from slurm.public.hypotheses import Examined, Hypothesis, pairs_in_order
from slurm.public.record import PublicRun


def test_no_node_gives_more_than_it_has(shared_traces: Path) -> None:
    folder = shared_traces / "formats" / "slurm-real-micro"
    machine, parameters = read_conf(folder / "slurm.conf")
    # The doubled "=" of SchedulerParameters is accepted; there are ten nodes of twelve cores.
    assert (parameters.bf_max_job_user, parameters.bf_window) == (20, 4320 * 60)
    assert [node.cpus for node in machine.nodes] == [12] * 10
    assert (machine.shares, machine.counts_memory) == (True, True)
    assert members(machine.partitions["debug"].nodes) == [6, 7]  # n1 and n2, after b1, g1, m1-4
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
    # In the record, jobs request no features. The mean wait of the replay is 3.2 % below the
    # recorded one. It lies within the range of three runs of Slurm, 10,553 to 12,695 s (see the
    # last test). The exact value is pinned to show the effect of any changed rule.
    folder = shared_traces / "formats" / "slurm-real-micro"
    site = describe_site(folder / "slurm.conf", version="22.05").site
    trace = sw.read_trace(folder / "slurm_acct.out")
    wait = sw.simulate(trace, site).metrics()["mean_wait"]
    assert round(float(trace.wait.mean())) == 12_301
    assert round(wait) == 11_903


@pytest.mark.parametrize(
    ("given", "steps"),
    [
        (Hypothesis("all"), (59, 60, 362, 354, 364, 920, 937)),
        (Hypothesis("allocated nodes", asked_nodes=False), (50, 60, 272, 262, 364, 851, 937)),
        (Hypothesis("no switches", topology=False), (59, 60, 337, 322, 364, 890, 937)),
    ],
    ids=lambda value: value.name if isinstance(value, Hypothesis) else "",
)
def test_nearly_all_steps_of_the_run_are_explained(
    shared_traces: Path, given: Hypothesis, steps: tuple[int, ...]
) -> None:
    # The fields of `Steps`: explained and all starts of the main scheduler; backfilled starts that
    # are explained, explained on the recorded nodes, and all; explained and all cycles.
    folder = shared_traces / "formats" / "slurm-real-micro"
    workload, counters = folder / "jobs500.events", folder / "sdiag.csv"
    if not workload.exists() or not counters.exists():
        pytest.skip("jobs500.events and sdiag.csv of the run are not beside its record")
    assert tuple(Examined(PublicRun(folder, workload, counters), given).steps()) == steps


def test_runs_of_slurm_itself_share_at_most_91_percent_of_the_order_of_starts() -> None:
    # Three runs of the workload on the lab's Slurm 22.05 (slurm/public/lab_run.py).
    starts, waits = [], []
    for path in sorted((Path(__file__).parent / "public" / "runs").glob("*.csv")):
        with path.open(encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        assert len(rows) == 500
        starts.append({int(row["job"]): int(row["start"]) for row in rows})
        waits.append(round(sum(int(row["start"]) - int(row["submit"]) for row in rows) / 500))
    assert waits == [11_361, 12_695, 10_553]
    pairs = [pairs_in_order(one, other) for one, other in combinations(starts, 2)]
    assert [round(each, 3) for each in pairs] == [0.903, 0.910, 0.908]


def _instant(text: str) -> float:
    return datetime.datetime.fromisoformat(text).timestamp()
