"""Jobs that exceed a limit of their partition; Slurm leaves such jobs pending forever."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

CONF = """\
NodeName=n[1-2] CPUs=4
PartitionName=batch Nodes=ALL Default=YES
PartitionName=debug Nodes=ALL MaxTime=10
"""
# The partition debug allows 10 minutes; jobs 2 and 3 request 30.
LOG = """\
JobID|User|Account|Partition|Submit|Start|End|State|NCPUS|NNodes|TimelimitRaw
1|ann|a|debug|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T00:05:00|COMPLETED|4|1|10
2|ann|a|debug|2024-03-01T00:00:10|2024-03-01T00:10:00|2024-03-01T00:15:00|COMPLETED|4|1|30
3|bob|a|debug|2024-03-01T00:00:20|2024-03-01T00:10:00|2024-03-01T00:15:00|COMPLETED|8|2|30
4|bob|a|batch|2024-03-01T00:00:30|2024-03-01T00:10:00|2024-03-01T00:15:00|COMPLETED|8|2|90
"""
TIME = "it requests 00:30:00, but queue debug allows 00:10:00 (PartitionTimeLimit)"


@pytest.fixture
def files(tmp_path: Path, slotwise: Any) -> Path:
    (tmp_path / "slurm.conf").write_text(CONF)
    (tmp_path / "jobs.txt").write_text(LOG)
    made = slotwise("site", "from-slurm", "slurm.conf", "--slurm-version", "25.11")
    (tmp_path / "site.toml").write_text(made.out)
    return tmp_path


def test_site_check_counts_the_jobs_that_never_start(slotwise: Any, files: Path) -> None:
    words = ("site", "check", "site.toml", "--trace", "jobs.txt")
    shown = " ".join(slotwise(*words).out.split())
    never = "keep 2 of the log's 4 jobs pending forever, because enforce_part_limits is no"
    assert f"{never}; the first is job 2: {TIME}" in shown
    assert "The other 2 jobs in the log can run." in shown
    found = json.loads(slotwise(*words, "--json").out)
    assert found["never_start"] == {"PartitionTimeLimit": 2}


def test_run_counts_the_jobs_that_never_start_and_says_why(slotwise: Any, files: Path) -> None:
    shown = " ".join(slotwise("run", "jobs.txt", "--site", "site.toml").out.split())
    assert f"2 jobs left pending forever by a partition limit (first job 2: {TIME})" in shown


def test_explain_names_the_limit(slotwise: Any, files: Path) -> None:
    ended = slotwise("explain", "jobs.txt", "2", "--site", "site.toml")
    assert ended.code == 2
    assert f"job 2 never starts: {TIME}" in " ".join(ended.err.split())
    assert "copy.copy" not in ended.err


ENFORCED = ("--set", "policy.enforce_part_limits=all")


def test_site_check_counts_the_jobs_that_enforced_limits_reject(slotwise: Any, files: Path) -> None:
    words = ("site", "check", "site.toml", "--trace", "jobs.txt", *ENFORCED)
    found = json.loads(slotwise(*words, "--json").out)
    assert found["never_start"] == {}
    assert found["rejected"] == {"limit": 2}
    shown = " ".join(slotwise(*words).out.split())
    assert "2: beyond a limit on single jobs; the first is job 2" in shown
    assert TIME in shown


def test_run_and_explain_name_the_limit_that_rejects_a_job(slotwise: Any, files: Path) -> None:
    enforced = re.sub(
        "(?m)^preset.*",
        '\\g<0>\nenforce_part_limits = "all"',
        files.joinpath("site.toml").read_text(),
    )
    (files / "site.toml").write_text(enforced)
    shown = " ".join(slotwise("run", "jobs.txt", "--site", "site.toml").out.split())
    assert f"2 jobs rejected as beyond a limit on single jobs (first job 2: {TIME})" in shown
    ended = slotwise("explain", "jobs.txt", "2", "--site", "site.toml")
    assert ended.code == 2
    assert f"job 2 never started (rejected: {TIME})" in " ".join(ended.err.split())


def test_a_job_above_the_nodes_of_its_partition_is_named() -> None:
    nodes = sw.Nodes([sw.NodeType(hosts="n[1-2]", cores=1)], whole_nodes=True)
    queue = sw.Queue("thin", trace_queues=[1], nodes_per_job=(1, 1))
    policy = sw.Policy.preset("slurm", version="22.05")
    trace = sw.Trace.from_columns([0, 0], [60, 60], [2, 1], [60, 60], queue=[1, 1])
    result = sw.simulate(trace, sw.Site(machine=nodes, policy=policy, queues=[queue]))
    assert result.start.tolist() == [-1, 0]
    with pytest.raises(ValueError, match=r"more nodes than the 1 node .*PartitionNodeLimit"):
        result.explain(int(trace.job_id[0]))


def test_a_default_request_counts(files: Path) -> None:
    # The job requests no time, so it gets the queue's default of an hour; the limit is 10 minutes.
    site = sw.Site.from_toml(files / "site.toml")
    queue = site.queues[1].replace(default_walltime="1h")
    trace = sw.Trace.from_columns([0], [60], [4], queue=[1])
    assert (trace.has_request == 0).all()
    site = site.replace(queues=[queue.replace(trace_queues=[1])])
    with pytest.warns(sw.SiteWarning, match="no time limit for 1 of 1 jobs"):
        result = sw.simulate(trace, site)
    assert result.start.tolist() == [-1]
    with pytest.raises(ValueError, match=r"it requests 01:00:00, but queue debug allows 00:10:00"):
        result.explain(int(trace.job_id[0]))
