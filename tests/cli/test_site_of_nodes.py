"""`slotwise site check` of a machine with nodes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

NODES = """
[machine]
nodes = [
    { count = 2, cores = 8, memory = "16GB", gpus = 2, name = "gpu" },
    { count = 1, cores = 16, memory = "500MB", mics = 1 },
]
"""
ASKED = """\
submit,run_time,processors,job_id,units,unit_cores,unit_memory,unit_gpus,unit_mics
0,10,8,11,1,8,0,2,0
1,10,32,12,1,32,0,0,0
2,10,4,13,1,4,0,1,1
3,10,12,14,3,4,0,2,0
4,10,20,15,1,20,0,0,0
5,10,4,16,2,2,2097152,0,1
6,10,64,17,2,32,0,0,0
"""

WITH_FEATURES = """
[machine]
nodes = [
    { count = 2, cores = 8, features = ["ib"] },
    { count = 4, cores = 16 },
]
"""
WITH_RULES = """\
submit,run_time,processors,job_id,units,unit_cores,unit_constraint,unit_per_node,unit_nodes
0,10,16,11,2,8,ib,0,0
1,10,12,12,1,12,ib,0,0
3,10,4,14,4,1,ib,1,0
4,10,7,15,7,1,,0,7
"""


def test_the_reasons_of_rejections_follow_constraints_and_rules_of_nodes(
    slotwise: Any, tmp_path: Path
) -> None:
    (tmp_path / "nodes.toml").write_text(WITH_FEATURES)
    (tmp_path / "asked.csv").write_text(WITH_RULES)
    # Two nodes of 8 cores each have the feature ib. Job 12 requests 12 cores on one of them, and
    # job 14 one unit on each of four. Job 15 could run on any of the six nodes, but requests seven.
    ended = slotwise("site", "check", "nodes.toml", "--trace", "asked.csv")
    out = " ".join(ended.out.split())
    for told in (
        "1: a unit requests more cores than any node has (job 12: a unit requests 12 cores, and "
        "no node with 'ib' has more than 8)",
        "1: it has more units than fit on the empty machine (job 14:",
        "1: it requests more nodes than have room for one of its units (job 15: it requests 7 "
        "nodes, but only 6",
    ):
        assert told in out
    shown = " ".join(slotwise("run", "asked.csv", "--site", "nodes.toml").out.split())
    assert "too large for the nodes (job 12: a unit requests 12 cores, and no node with" in shown


def test_check_shows_node_types_and_the_jobs_that_never_run_there(
    slotwise: Any, tmp_path: Path
) -> None:
    (tmp_path / "nodes.toml").write_text(NODES)
    (tmp_path / "asked.csv").write_text(ASKED)
    ended = slotwise("site", "check", "nodes.toml", "--trace", "asked.csv")
    assert ended.code == 0, ended.err
    out = " ".join(ended.out.split())
    assert "machine 3 nodes with 32 cores in total" in out
    assert "gpu 2 8 16 GB 2" in out
    assert "type 1 1 16 500 MB 1" in out
    # Jobs 12, 15 and 17 request 32, 20 and 32 cores per node, and no node has more than 16. Job 13
    # requests a GPU together with a MIC, job 16 requests 2 GB together with a MIC, and job 14 two
    # GPUs on three nodes.
    for told in (
        "Rejected jobs (of 7 in the log):",
        "3: a unit requests more cores than any node has (jobs 12, 15, 17; the first: a unit "
        "requests "
        "32 cores, and no node has more than 16)",
        "1: no single node has the gpus and mics that a unit requests (job 13: a unit requests 4 "
        "cores, 1 gpu, 1 mic, and no single node has all of that)",
        "1: no single node has the memory and mics that a unit requests (job 16:",
        "1: it has more units than fit on the empty machine (job 14: it has 3 units, but the "
        "empty machine has room for 2 of them)",
    ):
        assert told in out
    data = json.loads(slotwise("site", "check", "nodes.toml", "--trace", "asked.csv", "--json").out)
    assert data["rejected"] == {"too_large": 6}
    assert data["lacking"][0]["examples"] == [12, 15, 17]
    metrics = json.loads(slotwise("run", "asked.csv", "--site", "nodes.toml", "--json").out)
    assert metrics["metrics"]["n_rejected"] == 6


def test_check_warns_of_requests_that_a_replay_would_refuse(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "nodes.toml").write_text("[machine]\nnodes = [{ count = 1, cores = 16, gpus = 2 }]")
    (tmp_path / "asked.csv").write_text(ASKED)
    ended = slotwise("site", "check", "nodes.toml", "--trace", "asked.csv")
    assert "a unit requests mics, and no node has any (jobs 13, 16;" in " ".join(ended.out.split())
    told = "Note: this log cannot be replayed: its jobs request mics"
    assert told in " ".join(ended.out.split())
    assert slotwise("run", "asked.csv", "--site", "nodes.toml").code == 2


def test_check_notes_nodes_that_several_outages_name(slotwise: Any, tmp_path: Path) -> None:
    path = tmp_path / "nodes.toml"
    path.write_text("""
[machine]
nodes = [{ name = "gpu", hosts = "gpu[01-04]", cores = 8 }]
[limits.total]
cores = 16
nodes = 3
[[outage]]
start = 0
duration = 10
nodes = "gpu[01-03]"
[[maintenance]]
start = 5
duration = 10
nodes = ["gpu[02-04]"]
""")
    ended = slotwise("site", "check", path)
    assert ended.code == 0
    assert (
        "maintenance[0], outage[0]: all include gpu[02-03]; these nodes are unavailable"
        in " ".join(ended.out.split())
    )
    assert "total 16 cores and 3 nodes" in ended.out
    assert "nodes gpu[02-04]" in ended.out
    ended = slotwise("site", "check", path, "--json")
    assert len(json.loads(ended.out)["notes"]) == 1


def test_jobs_are_routed_to_queues_on_nodes(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text(
        "submit,run_time,processors,queue\n0,10,2,1\n5,10,2,2\n6,10,9,2\n", encoding="utf-8"
    )
    (tmp_path / "c.toml").write_text(
        '[machine]\nnodes = [{ name = "thin", count = 2, cores = 4 }]\n'
        '[[queue]]\nname = "short"\ntrace_queues = [1]\nnodes = ["thin1"]\n'
        '[[queue]]\nname = "long"\ntrace_queues = [2]\n',
        encoding="utf-8",
    )
    found = json.loads(slotwise("site", "check", "c.toml", "--trace", "jobs.csv", "--json").out)
    # The third job requests 9 cores on a node with 8.
    assert found["queues"] == {"short": 1, "long": 2}
    assert found["rejected"] == {"too_large": 1}


def test_check_counts_the_calendar_of_nodes(slotwise: Any, tmp_path: Path) -> None:
    # The log lasts from 0 to 110. Maintenance begins at 10, 60 and 110; the outage comes later.
    (tmp_path / "c.toml").write_text(
        "[machine]\nnodes = [{ count = 2, cores = 4 }]\n"
        "[[maintenance]]\nstart = 10\nduration = 5\nevery = 50\n"
        '[[outage]]\nstart = 500\nduration = 5\nnodes = ["node1"]\n'
    )
    (tmp_path / "jobs.csv").write_text("submit,run_time,processors\n0,10,2\n100,10,2\n")
    ended = slotwise("site", "check", "c.toml", "--trace", "jobs.csv", "--json")
    found = json.loads(ended.out)
    assert found["calendar"] == {"maintenance[0]": 3, "outage[0]": 0}
    assert [note.partition(":")[0] for note in found["notes"]] == ["outage[0]"]


def test_check_counts_jobs_that_fit_no_node_of_their_constraint(
    slotwise: Any, tmp_path: Path
) -> None:
    # Nodes with the feature have 2 cores; the second job requests 4.
    (tmp_path / "c.toml").write_text(
        '[machine]\nnodes = [{ count = 1, cores = 2, features = ["fast"] }, '
        "{ count = 1, cores = 4 }]\n"
    )
    (tmp_path / "jobs.csv").write_text(
        "submit,run_time,processors,units,unit_cores,unit_constraint\n"
        "0,10,2,1,2,fast\n1,10,4,1,4,fast\n"
    )
    found = json.loads(slotwise("site", "check", "c.toml", "--trace", "jobs.csv", "--json").out)
    run = json.loads(slotwise("run", "jobs.csv", "--site", "c.toml", "--json").out)
    assert run["metrics"]["n_rejected"] == 1
    assert found["rejected"] == {"too_large": 1}


def test_requested_memory_does_not_count_on_whole_nodes(slotwise: Any, tmp_path: Path) -> None:
    # The job takes a whole node of 100 MB, but requests 1 GB per processor.
    (tmp_path / "c.toml").write_text(
        '[machine]\nwhole_nodes = true\nnodes = [{ count = 2, cores = 4, memory = "100MB" }]\n'
    )
    (tmp_path / "jobs.csv").write_text(
        "submit,run_time,processors,requested_memory\n0,10,2,1048576\n"
    )
    found = json.loads(slotwise("site", "check", "c.toml", "--trace", "jobs.csv", "--json").out)
    assert found["lacking"] == []
    assert slotwise("run", "jobs.csv", "--site", "c.toml", "--strict").code == 0


QUEUES = """
[machine]
nodes = [
    { count = 2, cores = 8, gpus = 4, name = "gpu" },
    { count = 2, cores = 8, name = "cpu" },
]

[limits]
per_user = { gpus = 4 }

[[queue]]
name = "cpu"
trace_queues = ["c"]
processors = [1, 8]
nodes = ["type:cpu"]

[[queue]]
name = "gpu"
trace_queues = ["g"]
nodes = ["type:gpu"]
"""
QUEUED = """\
submit,run_time,processors,job_id,queue,user,units,unit_cores,unit_gpus
0,10,8,1,g,1,1,8,4
1,10,8,2,c,1,1,8,1
2,10,16,3,g,1,2,8,4
3,10,16,4,x,1,2,8,0
4,10,9,5,g,1,1,9,0
"""


def test_check_counts_rejections_by_queue_on_nodes(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "queues.toml").write_text(QUEUES)
    (tmp_path / "queued.csv").write_text(QUEUED)
    ended = slotwise("site", "check", "queues.toml", "--trace", "queued.csv")
    assert ended.code == 0, ended.err
    out = " ".join(ended.out.split())
    for told in (
        "Rejected jobs (of 5 in the log):",
        # This job requests 9 cores on one node, but each node has at most 8.
        "1: a unit requests more cores than any node has (job 5:",
        # This job requests a GPU on the nodes of the cpu queue.
        "1: too large for the machine, or for the nodes or pools of the queue; the first is job 2, "
        "which requests 8 processors for 10s: it does not fit on the nodes of queue cpu",
        "1: not accepted by any queue; the first is job 4, which requests 16 processors",
        "1: beyond a limit on single jobs; the first is job 3, which requests 16 processors "
        "for 10s: it requests 8 gpus, but limits.per_user allows 4 gpus",
        # The log's queues are shown in a separate column.
        "queue processors walltime priority trace queues nodes",
        " cpu 1 to 8 any 0 c type:cpu ",
        " gpu any any 0 g only type:gpu ",
    ):
        assert told in out
    run = slotwise("run", "queued.csv", "--site", "queues.toml", "--by", "queue", "--wide")
    printed = " ".join(run.out.split())
    assert (
        "beyond a limit on single jobs (first job 3: it requests 8 gpus, but limits.per_user "
        "allows 4" in printed
    )
    table = run.out.partition("Waits by queue")[2].splitlines()
    assert table[2].split()[-3:] == ["utilisation", "of", "gpus"]
    # One job of the gpu queue uses 4 of the 8 GPUs throughout; the queue's other two are rejected.
    row = next(line.split() for line in table if line.startswith(" gpu"))
    assert row[:3] == ["gpu", "1", "2"]
    assert row[-2:] == ["50.00", "%"]


def test_a_log_without_gpus_has_no_share_of_gpus(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "nodes.toml").write_text(NODES)
    (tmp_path / "cores.csv").write_text("submit,run_time,processors\n0,10,4\n")
    out = slotwise("run", "cores.csv", "--site", "nodes.toml").out
    assert "utilisation" in out
    assert "utilisation of gpus" not in out
