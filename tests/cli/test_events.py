"""Events of the Slurm simulator on the command line, with a table of nodes."""

from __future__ import annotations

import gzip
import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

CONF = """\
NodeName=n[01-02] Sockets=1 CoresPerSocket=4 RealMemory=4000
NodeName=g1 Sockets=1 CoresPerSocket=4 RealMemory=4000 Gres=gpu:v100:2 Weight=9
PartitionName=all Nodes=ALL
"""
LINE = (
    "-dt {at} -e submit_batch_job | -sim-walltime 100.00 --uid=ann -J jobid_{job} -N 1 -n 4 "
    "-t 00:10:00 -q normal -p all --mem=2G{more} pseudo.job\n"
)
SITE = (
    "[machine]\nnodes = [{ count = 2, cores = 4, memory = '4GB', all = 1000 }, "
    "{ count = 1, cores = 4, memory = '4GB', gpus = 2, all = 1000 }]\n"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "slurm.conf").write_text(CONF)
    lines = [
        LINE.format(at="0.00", job=1, more=""),
        LINE.format(at="1.00", job=2, more=" --gres=gpu:1"),
        LINE.format(at="2.00", job=3, more=" --gres=gpu:2"),
    ]
    (tmp_path / "x.events.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return tmp_path


def test_events_are_replayed_on_their_nodes(slotwise: Any, files: Path) -> None:
    ended = slotwise("run", "x.events.gz", "--nodes", "slurm.conf", "--json", "--jobs", "j.csv")
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert told["site"]["machine"]["nodes"][1]["gpus"] == 2
    rows = (files / "j.csv").read_text().splitlines()
    starts = [line.split(",")[rows[0].split(",").index("starting_time")] for line in rows[1:]]
    # Jobs 2 and 3 need the only GPU node, which has 4 cores, so job 3 waits until job 2 ends.
    assert [float(start) for start in starts] == [0, 1, 101]


def test_a_comparison_uses_the_nodes_as_the_machine_of_every_column(
    slotwise: Any, files: Path
) -> None:
    ended = slotwise(
        "compare", "x.events.gz", "--nodes", "slurm.conf", "--backfill", "none,easy", "--json"
    )
    assert ended.code == 0, ended.err
    columns = json.loads(ended.out)["columns"]
    for column in columns:
        one = ("run", "x.events.gz", "--nodes", "slurm.conf", "--backfill", column["name"])
        told = json.loads(slotwise(*one, "--json").out)
        assert column["metrics"] == told["metrics"]
        assert column["site"] == told["site"]
    # A site that describes nodes needs no table; the events are read with the nodes of the site.
    (files / "nodes.toml").write_text(SITE)
    (files / "fits.toml").write_text(SITE + 'placement = "best-fit"\n')
    ended = slotwise("compare", "x.events.gz", "nodes.toml", "fits.toml", "--json")
    assert [c["metrics"]["n_started"] for c in json.loads(ended.out)["columns"]] == [3, 3]


def test_a_sweep_uses_the_nodes_as_the_machine_of_every_point(slotwise: Any, files: Path) -> None:
    (files / "grid.toml").write_text(
        'trace = "x.events.gz"\n[grid]\n"policy.backfill" = ["none", "easy"]\n'
    )
    by_option = slotwise("sweep", "grid.toml", "--nodes", "slurm.conf", "--json")
    assert by_option.code == 0, by_option.err
    rows = json.loads(by_option.out)["rows"]
    one = ("run", "x.events.gz", "--nodes", "slurm.conf", "--backfill", "easy", "--json")
    assert rows[1]["metrics"] == json.loads(slotwise(*one).out)["metrics"]
    grid = (files / "grid.toml").read_text()
    (files / "grid.toml").write_text('nodes = "slurm.conf"\n' + grid)
    by_file = json.loads(slotwise("sweep", "grid.toml", "--json").out)["rows"]
    assert [row["metrics"] for row in by_file] == [row["metrics"] for row in rows]


def test_explain_names_the_lacking_resource(slotwise: Any, files: Path) -> None:
    # Job 3 waits for g1 from 2 to 101, because job 2 holds all 4 cores and 1 of the 2 GPUs.
    words = ("explain", "x.events.gz", "3", "--nodes", "slurm.conf")
    told = json.loads(slotwise(*words, "--json").out)
    assert told["seconds"] == {"nodes": 99}
    assert told["resources"] == [
        {"resource": "cores", "seconds": 99, "missing": 1, "types": {"g1": 99}, "nodes": "g11"}
    ]
    assert told["blockers"] == [[2, 1, 4 * 99.0]]
    shown = " ".join(slotwise(*words).out.split())
    assert "nodes: not all its units fitted on the nodes 0:01:39 100.00 %" in shown
    assert "cores 0:01:39 1 g1 0:01:39" in shown


def test_info_counts_the_jobs_that_request_each_resource(slotwise: Any, files: Path) -> None:
    ended = slotwise("info", "x.events.gz", "--nodes", "slurm.conf")
    assert "cores 3, memory 3, all 3, gpus 2" in " ".join(ended.out.split())
    told = json.loads(slotwise("info", "x.events.gz", "--nodes", "slurm.conf", "--json").out)
    assert told["demands"] == {"cores": 3, "memory": 3, "all": 3, "gpus": 2}
    assert told["processors"] == 12


def test_a_converted_log_is_replayed_with_equal_starts(slotwise: Any, files: Path) -> None:
    ended = slotwise("convert", "x.events.gz", "x.csv", "--nodes", "slurm.conf")
    assert ended.code == 0
    assert ended.err == ""
    metrics = [
        json.loads(slotwise("run", name, "--nodes", "slurm.conf", "--json").out)["metrics"]
        for name in ("x.events.gz", "x.csv")
    ]
    assert metrics[0] == metrics[1]


def test_the_nodes_of_a_site_file_are_used_without_a_table(slotwise: Any, files: Path) -> None:
    (files / "site.toml").write_text(SITE)
    assert slotwise("run", "x.events.gz", "--site", "site.toml").code == 0
    checked = slotwise("site", "check", "site.toml", "--trace", "x.events.gz")
    assert "All 3 jobs in the log can run." in checked.out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ("run", "x.events.gz"),
            3,
            "x.events.gz: the file contains submit_batch_job events, which need",
        ),
        (("info", "x.events.gz"), 3, "pass --nodes slurm.conf"),
        (("explain", "x.events.gz", "1"), 3, "convert the file to .csv with slotwise convert"),
        (("compare", "x.events.gz", "site.toml", "--order", "sjf"), 2, "sjf has no machine"),
        (
            ("compare", "x.events.gz", "site.toml", "few.toml"),
            2,
            "few: its nodes have cores, all, but those of site have cores, memory, all, gpus",
        ),
        (
            ("run", "x.events.gz", "--nodes", "slurm.conf", "--processors", "4"),
            2,
            "--processors: it is given together with nodes, which describe the whole machine; "
            "leave one of the two out",
        ),
        (("run", "x.events.gz", "--nodes", "no.conf"), 2, "no.conf: cannot be read (No such file"),
        (("info", "x.events.gz", "--nodes", "x.events.gz"), 2, "not UTF-8 text; use the"),
        (
            ("run", "bad.events", "--nodes", "slurm.conf"),
            3,
            "bad.events:2: this is not a readable submit_batch_job",
        ),
        (("run", "cut.gz", "--nodes", "slurm.conf"), 3, "cut.gz: cannot be read"),
        (
            ("run", "wide.events", "--nodes", "slurm.conf"),
            3,
            "a unit requests 8 cores, and no node",
        ),
    ],
)
def test_unreadable_files_are_refused_with_a_message(
    slotwise: Any, files: Path, words: tuple[str, ...], code: int, told: str
) -> None:
    line = LINE.format(at="0.00", job=1, more="")
    (files / "bad.events").write_text(line + line.replace("-N 1", "-N 0"))
    (files / "site.toml").write_text(SITE)
    (files / "few.toml").write_text("[machine]\nnodes = [{ count = 3, cores = 4, all = 1000 }]\n")
    (files / "cut.gz").write_bytes((files / "x.events.gz").read_bytes()[:-12])
    (files / "wide.events").write_text(line.replace("-n 4", "-n 8"))
    ended = slotwise(*words)
    assert ended.code == code
    assert told in ended.err
    assert "Traceback" not in ended.err


def test_a_node_table_is_written_as_a_site_that_reads_back(slotwise: Any, files: Path) -> None:
    ended = slotwise("site", "from-slurm", "slurm.conf", "--trace", "x.events.gz")
    assert ended.code == 0, ended.err
    (files / "made.toml").write_text(ended.out)
    assert slotwise("site", "check", "made.toml").code == 0
    site = sw.Site.from_toml(files / "made.toml")
    assert site.machine == sw.read_slurm_nodes(files / "slurm.conf")
    assert ended.out.endswith(site.to_toml())
    of_table = ("run", "x.events.gz", "--nodes", "slurm.conf", "--json")
    of_site = ("run", "x.events.gz", "--site", "made.toml", "--json")
    metrics = [json.loads(slotwise(*words).out)["metrics"] for words in (of_table, of_site)]
    assert metrics[0] == metrics[1]


def test_ignored_settings_of_a_table_are_named_once(slotwise: Any, files: Path) -> None:
    conf = (
        "NodeName=DEFAULT CPUs=4 RealMemory=4000 State=UNKNOWN Gres=fpga:1\n"
        "NodeName=n1 Feature=fast,red\nNodeName=n2 Feature=slow,red State=DOWN\n"
        "PartitionName=DEFAULT MaxTime=1:00:00\nSchedulerType=sched/backfill\nSlurmUser=root\n"
    )
    names = ["all", *(f"p{i}" for i in range(6))]
    parts = [f"PartitionName={name} Nodes={'ALL' if name == 'all' else 'n1'}\n" for name in names]
    (files / "many.conf").write_text(conf + "".join(parts))
    ended = slotwise("site", "from-slurm", "many.conf", "--trace", "x.events.gz")
    told = " ".join(line.removeprefix("#") for line in ended.out.splitlines() if line[:1] == "#")
    told = " ".join(told.split())
    # The seven resources are cores, memory and five partitions. Partitions beyond the limit are
    # dropped, the largest first; of equally large ones, the last first.
    uncounted = "(beyond the limit of seven resources, or the same on all nodes)"
    assert f"Ignored partitions {uncounted}: all, p5." in told
    assert f"Ignored features {uncounted}: fast, red, slow." in told
    unread = "(not read with --trace)"
    assert f"Ignored node settings {unread}: State, Gres=fpga." in told
    assert f"Ignored partition settings {unread}: MaxTime." in told
    assert f"Ignored scheduler settings {unread}: SchedulerType." in told
    assert "SlurmUser" not in told


def test_requested_features_replace_partitions(slotwise: Any, files: Path) -> None:
    line = LINE.format(at="0.00", job=1, more=" --constraint=fast")
    (files / "fast.events").write_text(line)
    parts = "".join(f"PartitionName=p{i} Nodes=n1\n" for i in range(6))
    (files / "many.conf").write_text(f"NodeName=n1 CPUs=4 Feature=fast\n{parts}")
    ended = slotwise("site", "from-slurm", "many.conf", "--trace", "fast.events")
    machine = tomllib.loads(ended.out)["machine"]
    assert machine["nodes"][0] == {
        "count": 1, "cores": 4, **{f"p{i}": 1000 for i in range(5)}, "fast": 4, "name": "n1",
    }  # fmt: skip
    refused = slotwise("site", "from-slurm", "many.conf", "--trace", "many.conf")
    assert refused.code == 2
    assert "has no submit_batch_job events" in refused.err
