"""``slotwise advise`` and the subcommands of ``slotwise study priority``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.cli import main
from slotwise.studies.priority import Failures, RefundedJob, best_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kraken") / "log.swf"
    trace = sw.generate("lublin", n_jobs=900, processors=128, duration="15d", load=0.9, seed=2)
    sw.write_swf(trace, path)
    return path


def printed(capsys: Capture, *arguments: str) -> Any:
    assert main(arguments) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: Capture, code: int, *arguments: str) -> str:
    assert main(arguments) == code
    return capsys.readouterr().err


def test_advise_prints_the_cheapest_shape_first(log: Path, capsys: Capture) -> None:
    given = ["--cores", "64,8", "--walltime", "2h,30m", "--draws", "5"]
    plain = printed(capsys, "advise", "--state", f"{log}@400000", *given, "--json")
    assert [(s["cores"], s["walltime"]) for s in plain["shapes"]] == [
        (8, 1800), (8, 7200), (64, 1800), (64, 7200)
    ]  # fmt: skip
    assert main(["advise", "--state", f"{log}@2024-01-05T15:06:40", *given]) == 0
    out = capsys.readouterr().out
    assert "Waits over 5 draws:" in out
    assert "hours" in out


def test_advise_explains_equal_rows(tmp_path: Path, capsys: Capture) -> None:
    # All 8 processors are busy until 1000 and no job waits, so a new job of any walltime starts
    # then.
    path = tmp_path / "full.swf"
    trace = sw.Trace.from_columns(
        [0, 5000], [1000, 10], [8, 1], requested_time=[1000, 10], max_processors=8
    )
    sw.write_swf(trace, path)
    given = ["--state", f"{path}@500", "--cores", "8", "--draws", "2", "--walltime"]
    assert main(["advise", *given, "1h,2h"]) == 0
    assert "if the shorter walltime does not fit into an earlier gap" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["advise", *given, "1h"]) == 0
    assert "shorter walltime" not in capsys.readouterr().out


def test_advise_takes_a_site_and_the_later_jobs(log: Path, tmp_path: Path, capsys: Capture) -> None:
    site = tmp_path / "site.toml"
    site.write_text(
        '[machine]\nprocessors = 128\n[policy]\norder = "priority"\n'
        "[limits]\nrunning_per_user = 2\n"
    )
    given = ["--cores", "128", "--walltime", "1h", "--draws", "5", "--json", "--user", "3"]
    state = ["--state", f"{log}@400000", "--site", str(site)]
    alone = printed(capsys, "advise", *state, *given)
    crowd = printed(capsys, "advise", *state, *given, "--arrivals")
    assert crowd["arrivals"]
    assert crowd["shapes"][0]["mean_wait"] >= alone["shapes"][0]["mean_wait"]


SACCT = """JobID|User|Partition|Submit|Start|End|State|NCPUS|TimelimitRaw
1|ann|cpu|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T01:00:00|COMPLETED|8|120
2|bob|gpu|2024-03-01T00:10:00|2024-03-01T00:10:00|2024-03-01T01:00:00|COMPLETED|2|120
3|bob|gpu|2024-03-01T02:00:00|2024-03-01T02:00:00|2024-03-01T03:00:00|COMPLETED|2|120
"""
QUEUES = """\
[machine]
nodes = [{ count = 2, cores = 4, name = "c" }, { count = 1, cores = 4, name = "g", gpus = 2 }]
[[queue]]
name = "main"
walltime = ["0s", "1d"]
trace_queues = ["cpu"]
nodes = "type:c"
[[queue]]
name = "accelerated"
walltime = ["0s", "2h"]
trace_queues = ["gpu"]
nodes = "type:g"
[[named_limit]]
users = ["bob"]
running = 1
"""


@pytest.fixture
def sacct(tmp_path: Path) -> list[str]:
    """Write a log with two partitions, and a site file; return the arguments that name both."""
    (tmp_path / "jobs.txt").write_text(SACCT)
    (tmp_path / "site.toml").write_text(QUEUES)
    state = f"{tmp_path / 'jobs.txt'}@2024-03-01T00:30:00"
    return ["--state", state, "--site", str(tmp_path / "site.toml"), "--draws", "2"]


def test_advise_submits_to_a_queue_of_the_log(sacct: list[str], capsys: Capture) -> None:
    given = [*sacct, "--cores", "2", "--walltime", "1h,4h"]
    chosen: dict[str, list[tuple[str, bool]]] = {}
    for name in ("cpu", "gpu", ""):
        option = ["--partition", name] if name else []
        shapes = printed(capsys, "advise", *given, "--json", *option)["shapes"]
        chosen[name] = [(each["queue"], each["median_wait"] == 0) for each in shapes]
        assert [each["reject_reason"] for each in shapes] == ["none", "none"]
    # All cores of the nodes in `main` are in use, and two cores of the node in `accelerated` are
    # idle. Jobs from `gpu` go to `accelerated`, and all others to `main`, whatever their walltime.
    assert chosen["cpu"] == chosen[""] == [("main", False), ("main", False)]
    assert chosen["gpu"] == [("accelerated", True), ("accelerated", True)]
    assert main(["advise", *given, "--queue", "gpu"]) == 0
    out = capsys.readouterr().out
    assert "Queue of the job: accelerated." in out
    assert "The job requests cores only, on any nodes of the queue." in out


def test_advise_takes_the_name_of_a_user(sacct: list[str], capsys: Capture) -> None:
    given = [*sacct, "--cores", "1", "--walltime", "1h", "--partition", "gpu", "--json"]
    waits = [
        printed(capsys, "advise", *given, "--user", user)["shapes"][0]["median_wait"] == 0
        for user in ("ann", "bob")
    ]
    assert waits == [True, False]
    wrong = refused(capsys, 2, "advise", *given, "--user", "eve")
    assert "--user eve: the log has no user with this name; it has ann, bob: correct" in wrong
    for name in ("fat", "1"):
        wrong = refused(capsys, 2, "advise", *given[:-3], "--queue", name)
        assert f"--queue {name}: the log has no queue or partition with this name; it has" in wrong


def test_advise_explains_why_a_shape_never_starts(sacct: list[str], capsys: Capture) -> None:
    assert main(["advise", *sacct, "--cores", "2,10", "--walltime", "1h,2d"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "never" in out
    assert (
        "Never starts: 2 cores for 2d 00:00:00, 10 cores for 2d 00:00:00, because the queues "
        "accept at most 24:00:00."
    ) in out
    assert (
        "Never starts: 10 cores for 1:00:00, because a job of this shape is too large for the "
        "machine, or for the nodes or pools of the queue."
    ) in out
    assert "shorter walltime" not in out


def test_advise_needs_a_site_if_the_log_states_no_size(sacct: list[str], capsys: Capture) -> None:
    shape = ["--cores", "2", "--walltime", "1h"]
    wrong = refused(capsys, 2, "advise", *sacct[:2], *shape)
    assert "jobs.txt does not state the size of the machine; pass a site file" in wrong
    assert "--processors" not in wrong


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"--state": "log.swf"}, 2, "--state log.swf must be LOG@TIME"),
        ({"--state": "{log}@never"}, 2, "'never' is not a time"),
        ({"--state": "{log}@9999999999"}, 3, "choose a time after "),
        ({"--state": "nowhere.swf@5"}, 3, "cannot be read"),
        ({"--cores": "8,x"}, 2, "--cores x must be a whole number"),
        ({"--cores": "129"}, 2, "a job of 129 cores never starts"),
        ({"--walltime": "soon"}, 2, "--walltime soon"),
        ({"--walltime": "0"}, 2, "--walltime 0"),
        ({"--draws": "0"}, 2, "--draws 0"),
        ({"--seed": "-1"}, 2, "--seed -1"),
        ({"--user": "me"}, 2, "--user me"),
    ],
)
def test_advise_refuses_impossible_options(
    log: Path, capsys: Capture, change: dict[str, str], code: int, message: str
) -> None:
    given = {"--state": f"{log}@400000", "--cores": "8", "--walltime": "1h"}
    given |= {name: value.format(log=log) for name, value in change.items()}
    words = [word for pair in given.items() for word in pair]
    assert message in refused(capsys, code, "advise", *words)


def test_tune_prints_a_table_and_a_verdict(log: Path, capsys: Capture) -> None:
    given = ["--trials", "16", "--objective", "mean_wait", "--site", "strict"]
    assert main(["study", "priority", "tune", str(log), *given]) == 0
    out = " ".join(capsys.readouterr().out.split())  # line breaks depend on the log's path
    assert "Best weights for mean wait" in out
    assert "h in the weeks used in the search" in out
    assert "in the held-out weeks" in out


def test_tune_gives_no_figures_for_missing_weeks(log: Path, capsys: Capture) -> None:
    given = ["--trials", "16", "--hold-out", "0"]
    assert main(["study", "priority", "tune", str(log), *given]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "nan" not in out
    assert "held out." in out  # the line with the numbers of weeks
    assert "in the held-out weeks" not in out


def test_tune_resumes_from_its_journal_and_draws_the_front(
    log: Path, tmp_path: Path, capsys: Capture
) -> None:
    journal, out = tmp_path / "search.log", tmp_path / "pictures"
    given = ["--trials", "16", "--objective", "mean_wait,utilisation", "--journal", str(journal)]
    command = ["study", "priority", "tune", str(log), *given, "--out", str(out), "--json"]
    first = printed(capsys, *command)
    assert first["front"]
    assert (out / "pareto-front.png").stat().st_size > 5000
    assert printed(capsys, *command) == first


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--objective", "speed"], 2, "unknown objective 'speed'"),
        (["--sampler", "random"], 2, "--sampler random: choose one of: tpe, cma-es, grid"),
        (["--sampler", "grid", "--journal", "x"], 2, "use only one"),
        (["--site", "titan"], 2, "unknown site 'titan'"),
        (["--trials", "none"], 2, "--trials none"),
        (["--hold-out", "2"], 2, "hold_out is 2: the log has 2 whole weeks"),
        (["--out", "."], 2, "--out draws the Pareto front of several objectives"),
    ],
)
def test_tune_refuses_impossible_options(
    log: Path, capsys: Capture, options: list[str], code: int, message: str
) -> None:
    assert message in refused(capsys, code, "study", "priority", "tune", str(log), *options)


def test_tune_refuses_a_log_of_less_than_a_week(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "short.swf"
    sw.write_swf(sw.generate("lublin", n_jobs=50, processors=64, duration="3d", load=None), path)
    assert "covers less than a week" in refused(capsys, 3, "study", "priority", "tune", str(path))


def test_figures_are_drawn_for_any_log(log: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "figures"
    assert main(["study", "priority", "figures", str(log), "--out", str(out)]) == 0
    names = {path.stem for path in out.glob("*.png")}
    assert names == {"figures-1-and-3", "figure-2", "figure-4", "figure-5", "figures-12-and-13"}
    assert "The log has no start times" in capsys.readouterr().out


def test_checkpoint_gives_its_best_time_and_a_verdict(capsys: Capture) -> None:
    command = ["study", "priority", "checkpoint", "--hours", "24", "--cost", "0.5"]
    plain = printed(capsys, *command, "--shape", "0.7", "--scale", "24", "--json")
    advice = best_checkpoint(RefundedJob(24, 0.5), Failures(0.7, 24))
    assert plain["worth_it"]
    assert plain["checkpoint"] == advice.checkpoint
    assert main([*command, "--shape", "1", "--scale", "1e6"]) == 0
    assert capsys.readouterr().out.startswith("Do not write a checkpoint: ")
    assert main([*command[:3], "--hours", "5", "--shape", "1", "--scale", "10"]) == 0
    assert "Do not write a checkpoint: the refund" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--shape", "-1"], "shape is -1.0"),
        (["--scale", "soon"], "--scale soon must be a number"),
        (["--hours", "nan"], "--hours nan"),
        (["--nodes", "1.5"], "--nodes 1.5 must be a whole number"),
        (["--nodes", "0"], "nodes is 0"),
    ],
)
def test_checkpoint_refuses_impossible_options(
    capsys: Capture, options: list[str], message: str
) -> None:
    given = {"--hours": "24", "--shape": "1", "--scale": "24"} | {options[0]: options[1]}
    words = [word for pair in given.items() for word in pair]
    assert message in refused(capsys, 2, "study", "priority", "checkpoint", *words)


@pytest.mark.parametrize("verb", ["tune", "figures"])
def test_pictures_go_into_a_folder(verb: str, log: Path, tmp_path: Path, capsys: Capture) -> None:
    command = ["study", "priority", verb, str(log), "--out"]
    assert "is a file; choose a folder" in refused(capsys, 2, *command, str(log))
    missing = tmp_path / "no" / "where"
    assert "create it first" in refused(capsys, 2, *command, str(missing))
