"""Command-line errors: one message, an exit code, no partial output."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def one_message(ended: Any, code: int, *words: str) -> None:
    assert ended.code == code, ended.err
    assert ended.out == ""
    assert ended.err.startswith("slotwise: error: ")
    assert "Traceback" not in ended.err
    for word in words:
        assert word in ended.err


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 20)


def _cut_gzip(path: Path) -> None:
    whole = gzip.compress(b"1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n" * 5000)
    path.write_bytes(whole[: len(whole) // 2])


def _overflow(path: Path) -> None:
    path.write_text(f"1 0 -1 {10**19} 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n")


def _only_comments(path: Path) -> None:
    path.write_text("; MaxProcs: 8\n; nothing else\n")


def _nothing_usable(path: Path) -> None:
    path.write_text("; MaxProcs: 8\n1 0 -1 -1 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n")


def _all_too_wide(path: Path) -> None:
    path.write_text("; MaxProcs: 2\n1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n")


def _text(path: Path) -> None:
    path.write_text("these are not jobs\nat all\n")


@pytest.mark.parametrize(
    "make",
    [_empty, _binary, _cut_gzip, _overflow, _only_comments, _nothing_usable, _all_too_wide, _text],
)
@pytest.mark.parametrize("verb", ["run", "compare"])
def test_a_trace_that_cannot_be_replayed_is_refused_with_3(
    slotwise: Any, tmp_path: Path, make: Callable[[Path], None], verb: str
) -> None:
    path = tmp_path / "bad.swf.gz"
    make(path)
    more = ["--processors", "2", "--backfill", "none,easy"] if verb == "compare" else []
    one_message(slotwise(verb, path, *more), 3, "bad.swf.gz")


@pytest.mark.parametrize("verb", ["run", "info"])
def test_a_missing_file_and_a_folder_are_refused_with_3(
    slotwise: Any, tmp_path: Path, verb: str
) -> None:
    one_message(slotwise(verb, "nowhere.swf"), 3, "nowhere.swf", "No such file")
    one_message(slotwise(verb, tmp_path), 3, str(tmp_path), "directory")


def test_a_missing_machine_size_is_reported_with_the_remedy(slotwise: Any, tmp_path: Path) -> None:
    path = tmp_path / "headless.swf"
    path.write_text("1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n")
    one_message(slotwise("run", path), 2, "--processors N", "[machine] processors = N")
    assert slotwise("run", path, "--processors", 4).code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--order", "fcsf"], ["unknown order 'fcsf'", "did you mean 'fcfs'?", "smallest"]),
        (["--backfill", "esay"], ["unknown backfill 'esay'", "did you mean 'easy'?", "first-fit"]),
        (["--preset", "pys"], ["unknown preset 'pys'", "did you mean 'pyss'?", "as-logged"]),
        (["--estimates", "exakt"], ["unknown estimates 'exakt'", "user-history"]),
        (["--passes", "sometimes"], ["unknown passes 'sometimes'", "per-instant"]),
        (["--passes", "0s"], ["at least 1 s"]),
        (["--processors", "0"], ["--processors: 0 must lie between 1"]),
        (["--processors", "many"], ["--processors: 'many' must be a whole number"]),
        (["--depth", "0", "--backfill", "relaxed"], ["--depth"]),
        (["--relaxation", "-1", "--backfill", "relaxed"], ["--relaxation", "at least 0"]),
        (["--set", "policy.dpeth=4"], ["unknown [policy] key", "dpeth", "did you mean 'depth'?"]),
        (["--set", "pools.a=4"], ["unknown table 'pools'", "machine, policy"]),
        (["--set", "depth"], ["--set depth", "policy.depth=4"]),
        (["--threshold", "0"], ["--threshold 0", "at least 1"]),
        (["--trim", "0.6,0.6"], ["--trim", "trim less"]),
        (["--trim", "half"], ["--trim half", "0.05,0.05"]),
        (["--ordre", "fcfs"], ["--ordre", "--order"]),
        (["--site", "nowhere.toml"], ["nowhere.toml", "no such site file"]),
    ],
)
def test_wrong_options_end_with_2_naming_value_rule_and_remedy(
    slotwise: Any, log: Path, options: list[str], words: list[str]
) -> None:
    one_message(slotwise("run", log, *options), 2, *words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--preset", "pyss", "--passes", "per-instant"], ["contradicts preset 'pyss'"]),
        (["--preset", "as-logged", "--backfill", "easy"], ["contradicts preset 'as-logged'"]),
        (["--preset", "as-logged", "--order", "sjf"], ["ignores order"]),
        (["--depth", "4", "--backfill", "easy"], ["ignores depth"]),
        (["--relaxation", "0.3"], ["backfill 'easy' ignores", "relaxed"]),
        (["--backfill-order", "sjf", "--backfill", "none"], ["ignores backfill_order"]),
        (["--strict-end", "--backfill", "first-fit"], ["ignores strict_end"]),
        (["--order", "sjf", "--set", "policy.order=ljf"], ["contradict each other"]),
        (["--processors", "4", "--set", "machine.processors=8"], ["contradict each other"]),
    ],
)
def test_contradictory_options_are_refused_with_2(
    slotwise: Any, log: Path, options: list[str], words: list[str]
) -> None:
    one_message(slotwise("run", log, *options), 2, *words)


def test_a_job_interrupted_again_and_again_ends_with_1(slotwise: Any, log: Path) -> None:
    # Job 1 requests 120 s and runs for 100 s; no gap between interruptions lasts 100 s.
    settings = ["--set", "crashes.law=exponential", "--set", "crashes.mean=1s"]
    ended = slotwise("run", log, *settings)
    one_message(ended, 1, "was interrupted 10000 times and would never end", "set requeue to never")


def test_a_preset_contradicts_a_site_file_that_has_a_policy(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "site.toml").write_text('[policy]\norder = "sjf"\n')
    ended = slotwise("run", log, "--site", "site.toml", "--preset", "pyss")
    one_message(ended, 2, "--preset", "[policy] table of site.toml")


def test_fields_that_a_preset_leaves_open_may_be_chosen(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--preset", "pyss", "--backfill", "none", "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["site"]["policy"]["backfill"] == "none"


@pytest.mark.parametrize(
    ("option", "name", "words"),
    [
        ("--jobs", "no/where/jobs.csv", ["no folder 'no/where'"]),
        ("--report", "no/where/page.html", ["no folder 'no/where'"]),
        ("--jobs", "log.swf/jobs.csv", ["is a file, not a folder"]),
        ("--jobs", "folder", ["is a folder"]),
        ("--report", "folder", ["is a folder"]),
        ("--jobs", "jobs.xls", [".csv, .parquet, .swf, .swf.gz"]),
        ("--jobs", "jobs", [".csv, .parquet"]),
        ("--report", "page.pdf", [".html"]),
        ("--jobs", "log.swf", ["would overwrite"]),
    ],
)
def test_outputs_are_checked_before_the_trace_is_read(
    slotwise: Any, log: Path, tmp_path: Path, option: str, name: str, words: list[str]
) -> None:
    (tmp_path / "folder").mkdir()
    before = log.read_bytes()
    one_message(slotwise("run", "log.swf", option, name), 2, *words)
    # If the trace were read first, the message would name the missing trace.
    if "log.swf" not in name:
        log.unlink()
        one_message(slotwise("run", "log.swf", option, name), 2, *words)
    else:
        assert log.read_bytes() == before


def test_a_read_only_file_is_not_replaced(
    slotwise: Any, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jobs.csv").write_text("mine")
    # Root may write anywhere, so the test makes `os.access` report that CSV files are read-only.
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith(".csv"))
    one_message(slotwise("run", log, "--jobs", "jobs.csv"), 2, "is not writable")
    assert (tmp_path / "jobs.csv").read_text() == "mine"


def test_a_failed_write_leaves_only_the_old_file(
    slotwise: Any, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jobs.csv").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "jobs.csv")

    monkeypatch.setattr("slotwise.result.job_files.write_csv", full)
    one_message(slotwise("run", log, "--jobs", "jobs.csv"), 1, "No space left")
    assert (tmp_path / "jobs.csv").read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["jobs.csv", "log.swf"]


def test_parquet_without_pyarrow_names_the_extra_before_the_replay(
    slotwise: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    ended = slotwise("run", "absent.swf", "--jobs", "jobs.parquet")
    one_message(ended, 2, "pip install 'slotwise[parquet]'")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_the_command_names_it(missing: str, log: Path) -> None:
    block = f"import sys; sys.modules[{missing!r}] = None; "
    call = f"from slotwise.cli import main; sys.exit(main(['run', {str(log)!r}]))"
    ended = subprocess.run(
        [sys.executable, "-c", block + call], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "pip install 'slotwise[cli]'" in ended.stderr
    assert missing in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("repair", ["repaired", "rejected"])
def test_strict_refuses_repairs_and_rejected_jobs_with_3(
    slotwise: Any, tmp_path: Path, repair: str
) -> None:
    jobs = {
        "repaired": "1 0 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n",
        "rejected": "1 0 -1 10 9 -1 -1 9 20 -1 1 1 1 -1 1 -1 -1 -1\n",
    }
    path = tmp_path / "log.swf"
    path.write_text("; MaxProcs: 8\n1 0 -1 10 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1\n" + jobs[repair])
    assert slotwise("run", path).code == 0
    one_message(slotwise("run", path, "--strict"), 3, "log.swf:3")


NODES = """[machine]
nodes = [{ count = 2, cores = 4, gpus = 1 }, { count = 2, cores = 4, mics = 1 }]
"""
ASKED = "submit,run_time,processors,units,unit_cores,unit_gpus,unit_mics\n"


@pytest.mark.parametrize(
    ("row", "arguments", "code", "words"),
    [
        ("0,10,5,1,5,0,0", [], 3, "a unit requests 5 cores, and no node has more than 4"),
        ("0,10,1,1,1,1,1", [], 3, "and no single node has all of that"),
        (
            "0,10,1,1,1,-1,0",
            [],
            3,
            "asked.csv: unit_gpus is -1 in row 1; a demand must not be negative",
        ),
        (
            "0,10,1,1,1,0,0\n0,10,1,1,1,,0",
            [],
            3,
            "row 2; a demand must not be negative (an empty field",
        ),
        (
            "0,10,1,1,1,2.0,0\n0,10,1,1,1,0.5,0",
            [],
            3,
            "asked.csv: unit_gpus is 0.5 in row 2; it must be a whole number: correct it",
        ),
        ("0,10,1,1,1,1e300,0", [], 3, "unit_gpus is 1e+300 in row 1; it must be at most"),
        (
            "0,10,5,1,5,0,0\n0,10,1,1,1,0,0",
            ["--strict"],
            3,
            "(jobs that do not fit: 1); leave --strict out",
        ),
    ],
)
def test_jobs_that_fit_no_node_are_reported_and_nothing_is_written(
    slotwise: Any, tmp_path: Path, row: str, arguments: list[str], code: int, words: str
) -> None:
    (tmp_path / "asked.csv").write_text(ASKED + row + "\n")
    (tmp_path / "site.toml").write_text(NODES)
    ended = slotwise(
        "run", "asked.csv", "--site", "site.toml", "--jobs", "jobs.csv", "--json", *arguments
    )
    one_message(ended, code, words)
    assert not (tmp_path / "jobs.csv").exists()


def test_strict_counts_jobs_wider_than_the_machine_given(slotwise: Any, fitting_log: Path) -> None:
    ended = slotwise("run", fitting_log, "--strict", "--processors", "4")
    one_message(ended, 3, "fitting.swf:2", "job 1 needs 8 processors")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["at least two"]),
        (["--backfill", "easy"], ["at least two"]),
        (["--backfill", "easy,easy"], ["listed twice"]),
        (["--backfill", "easy,esay"], ["did you mean 'easy'?"]),
        (["--backfill", "none,easy", "--policy", "sjf"], ["must be key=value"]),
        (["--backfill", "none,easy", "--fail-if", "mean_wait"], ["mean_wait:+5%"]),
        (["--backfill", "none,easy", "--fail-if", "mean_weit:+5%"], ["did you mean 'mean_wait'?"]),
        (["a.toml", "b.toml"], ["a.toml", "no such site file"]),
    ],
)
def test_impossible_comparisons_end_with_2(
    slotwise: Any, log: Path, arguments: list[str], words: list[str]
) -> None:
    one_message(slotwise("compare", log, *arguments), 2, *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lublim", "x.swf"], ["lublim", "lublin"]),
        (["lublin", "x.swf", "--jobs", "0"], ["--jobs 0", "whole number"]),
        (["lublin", "x.swf", "--load", "lots"], ["--load 'lots'"]),
        (["lublin", "no/x.swf"], ["no folder"]),
        (["lublin", "x.txt"], [".swf.gz"]),
    ],
)
def test_impossible_workloads_end_with_2(
    slotwise: Any, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    one_message(slotwise("generate", *arguments), 2, *words)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_verb_lists_the_known_ones(slotwise: Any) -> None:
    one_message(slotwise("rnu"), 2, "'rnu'", "did you mean 'run'?", "compare", "convert")


@pytest.mark.parametrize("arguments", [[], ["generate"]])
def test_no_verb_lists_the_verbs_and_ends_with_2(slotwise: Any, arguments: list[str]) -> None:
    ended = slotwise(*arguments)
    assert ended.code == 2
    assert "Usage" in ended.out
    assert "No command given. Commands: " in ended.err


def test_converting_a_file_onto_itself_is_refused(slotwise: Any, log: Path) -> None:
    before = log.read_bytes()
    one_message(slotwise("convert", log, "log.swf"), 2, "would overwrite")
    assert log.read_bytes() == before


def test_a_fault_of_the_program_is_reported_without_a_traceback(
    slotwise: Any, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("slotwise.cli.replays.simulate", broken)
    one_message(slotwise("run", log), 1, "unforeseen", "SLOTWISE_DEBUG=1")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that takes no file")
def test_a_folder_that_takes_no_file_is_refused_with_2(slotwise: Any, log: Path) -> None:
    # No file can be created in /proc, whatever its mode bits say.
    for verb in (["run", log, "--jobs"], ["convert", log]):
        ended = slotwise(*verb, "/proc/x.csv")
        one_message(ended, 2, "/proc/x.csv", "choose another folder")
        assert ".slotwise." not in ended.err
        assert ".part" not in ended.err
    one_message(slotwise("run", log, "--report", "/proc/x.html"), 2, "--report /proc/x.html")
