"""``generate``, ``convert``, ``info``, ``policies``, help, and the cost of imports."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.generators import models

if TYPE_CHECKING:
    from pathlib import Path

VERBS = ["run", "compare", "info", "policies", "convert", "generate"]


def test_a_generated_trace_equals_that_of_the_python_interface(
    slotwise: Any, tmp_path: Path
) -> None:
    ended = slotwise(
        "generate", "lublin", "x.swf", "--jobs", "500", "--processors", "64", "--load", "0.7",
        "--seed", "3",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert "500 jobs" in ended.out
    expected = sw.generate("lublin", n_jobs=500, processors=64, load=0.7, seed=3)
    assert sw.read_swf(tmp_path / "x.swf") == expected


def test_every_parameter_of_every_model_is_an_option_with_help(slotwise: Any) -> None:
    from slotwise.cli.keywords import model_flag_of as flag_of, parameter_help

    for model in models():
        out = slotwise("generate", model.name, "--help").out
        described = parameter_help(model.function)
        for name in model.parameters:
            assert flag_of(name) in out
            assert described[name]


def test_an_option_of_none_is_none(slotwise: Any, tmp_path: Path) -> None:
    assert slotwise("generate", "lublin", "x.swf", "--jobs", "50", "--load", "none").code == 0
    expected = sw.generate("lublin", n_jobs=50, load=None)
    assert sw.read_swf(tmp_path / "x.swf") == expected


@pytest.mark.parametrize("name", ["out.swf", "out.swf.gz"])
def test_converting_keeps_every_column(slotwise: Any, log: Path, tmp_path: Path, name: str) -> None:
    ended = slotwise("convert", log, name)
    assert ended.code == 0
    assert "10 jobs" in ended.out
    assert sw.read_swf(tmp_path / name) == sw.read_swf(log)


def test_converting_to_csv_writes_the_columns_by_name(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    assert slotwise("convert", log, "out.csv").code == 0
    with (tmp_path / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    trace = sw.read_swf(log)
    for name in ("submit", "run_time", "processors", "requested_time", "user", "wait"):
        assert [int(row[name]) for row in rows] == getattr(trace, name).tolist()


def test_converting_to_parquet_writes_the_same_columns(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert slotwise("convert", log, "out.parquet").code == 0
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table["submit"].to_pylist() == sw.read_swf(log).submit.tolist()


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_a_converted_log_replays_with_equal_starts(
    slotwise: Any, fitting_log: Path, name: str
) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    assert slotwise("convert", fitting_log, name).code == 0
    before = json.loads(slotwise("run", fitting_log, "--json").out)
    after = json.loads(slotwise("run", name, "--processors", 8, "--json").out)
    assert after["metrics"] == before["metrics"]
    assert after["trace"]["content_hash"] == before["trace"]["content_hash"]


def test_strict_refuses_a_repair_in_a_csv_file(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("submit,run_time,processors\n0,1.5,1\n")
    ended = slotwise("run", "log.csv", "--processors", 8, "--strict")
    assert ended.code == 3
    assert "log.csv" in ended.err


def test_info_describes_the_log(slotwise: Any, log: Path) -> None:
    data = json.loads(slotwise("info", log, "--json").out)
    assert data["jobs"] == 10
    assert data["processors"] == 8
    assert data["users"] == 2
    assert (data["first_submit"], data["last_submit"]) == (0, 90)
    # The jobs need 1930 processor-seconds, and 8 processors provide 720 in 90 s.
    assert data["load"] == pytest.approx(1930 / 720)
    assert data["report"]["rejected"] == {"wider_than_machine": 1}
    # One job in ten runs past its request.
    assert data["estimates"]["share_overrun"] == pytest.approx(0.1)
    shares = sum(share for row in data["classes"] for share in row["jobs"].values())
    assert shares == pytest.approx(1)


def test_info_shows_the_repairs_with_their_lines(slotwise: Any, log: Path) -> None:
    out = slotwise("info", log).out
    assert "Found while reading" in out
    # Job 6 is on line 7, after one line of header.
    assert "(line 7)" in out


def test_info_on_a_log_without_requests_reports_it(slotwise: Any, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("1 0 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n")
    out = slotwise("info", path).out
    assert "No job requests a time" in out
    assert "pass --processors N" in out


def test_policies_lists_both_registries_and_the_presets(slotwise: Any) -> None:
    data = json.loads(slotwise("policies", "--json").out)
    assert [o["name"] for o in data["orders"]] == [o.name for o in sw.orders()]
    assert [b["name"] for b in data["backfills"]] == [b.name for b in sw.backfills()]
    out = slotwise("policies").out
    for name in (*data["presets"], *(info.name for info in (*sw.orders(), *sw.backfills()))):
        assert name in out


def test_policies_list_every_option_of_a_window_as_typed(slotwise: Any) -> None:
    data = json.loads(slotwise("policies", "--json").out)
    (window,) = (info for info in data["backfills"] if info["name"] == "window")
    names = [parameter["name"] for parameter in window["parameters"]]
    assert names == ["window", "solver", "slots", "refill", "beyond_window", "age_limit"]
    assert set(names) <= {field.name for field in fields(sw.Policy)}
    assert "--age-limit:" in slotwise("policies").out


def test_version(slotwise: Any) -> None:
    assert slotwise("--version").out == f"slotwise {sw.__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(slotwise: Any, verb: str) -> None:
    ended = slotwise(verb, "--help")
    assert ended.code == 0
    assert "Usage" in ended.out


def test_completion_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise"],
        env={**os.environ, "_SLOTWISE_COMPLETE": "complete_bash",
             "COMP_WORDS": "slotwise run --order s", "COMP_CWORD": "3"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.stdout.split() == ["saf", "sjf", "smallest"]


def test_importing_slotwise_imports_only_numpy() -> None:
    code = (
        "import sys; import numpy; before = set(sys.modules); import slotwise;"
        "print('\\n'.join(sorted({m.partition('.')[0] for m in set(sys.modules) - before})))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    foreign = {
        name
        for name in ended.stdout.split()
        if name not in sys.stdlib_module_names and "cython" not in name
    }
    assert foreign <= {"slotwise", "numpy"}


def test_help_loads_neither_pyarrow_nor_the_report() -> None:
    code = (
        "import sys; from slotwise.cli import main; main(['--help']);"
        "print([m for m in sys.modules if m in ('pyarrow', 'slotwise.report')])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"


def test_output_outside_a_terminal_is_plain(log: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "slotwise", "run", str(log)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "\x1b" not in ended.stdout + ended.stderr
    assert ended.stderr == ""


def test_every_verb_writes_times_in_the_zone_of_the_log(slotwise: Any, log: Path) -> None:
    # The log starts on 1997-05-19 at 00:00 UTC, which is 02:00 in Stockholm.
    text = log.read_text()
    log.write_text(f"; UnixStartTime: 864000000\n; TimeZoneString: Europe/Stockholm\n{text}")
    out = slotwise("info", log).out
    assert "1997-05-19 02:00 to 1997-05-19 02:01 UTC+02:00, 0:01:30" in out
    assert "1997-05-19 02:00 UTC+02:00 (10 s)" in slotwise("explain", log, "2").out
    slotwise("run", log, "--report", log.with_name("page.html"))
    page = log.with_name("page.html").read_text()
    assert "1997-05-19 02:00 to 1997-05-19 02:01 UTC+02:00" in page
    assert '"zone":"UTC+02:00"' in page


def test_a_generated_csv_runs_on_its_own_machine(slotwise: Any) -> None:
    assert slotwise("generate", "lublin", "y.csv", "--jobs", "50", "--processors", "48").code == 0
    assert slotwise("generate", "lublin", "y.swf", "--jobs", "50", "--processors", "48").code == 0
    from_csv = json.loads(slotwise("run", "y.csv", "--json").out)
    assert from_csv["metrics"] == json.loads(slotwise("run", "y.swf", "--json").out)["metrics"]
    assert from_csv["site"]["machine"] == {"processors": 48}


def test_help_lists_verbs_in_the_order_of_need(slotwise: Any) -> None:
    lines = slotwise("--help").out.split("Commands", 1)[1].splitlines()
    words = [line.removeprefix("│ ") for line in lines]
    assert [word.split()[0] for word in words if word[:1].isalpha()] == [
        "run", "compare", "info", "formats", "convert", "generate", "explain", "advise", "sweep",
        "site", "study", "policies",
    ]  # fmt: skip


def test_gpus_that_swf_loses_are_warned_of(slotwise: Any, tmp_path: Path) -> None:
    asked = ("--jobs", "50", "--processors", "64", "--gpus", "8")
    ended = slotwise("generate", "lublin", "x.swf", *asked)
    assert (ended.code, "x.swf does not contain the jobs' GPUs" in ended.err) == (0, True)
    ended = slotwise("generate", "lublin", "x.csv", *asked)
    assert (ended.code, ended.err) == (0, "")
    assert (sw.read_csv(tmp_path / "x.csv").gpus > 0).any()


def test_a_misspelt_column_is_warned_of_on_one_line(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("submit,run_time,processors,unitz\n0,60,4,1\n")
    ended = slotwise("info", "x.csv")
    assert ended.code == 0
    assert ended.err == (
        "slotwise: warning: x.csv: column 'unitz' (nearest known name: 'units') is not read, "
        "because traces have no such column: rename or remove it\n"
    )


def test_names_of_formats_are_whole_in_a_narrow_terminal(
    slotwise: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = slotwise("formats").out
    for name in ("alibaba-gpu", "sacct-xdmod", "swf"):
        assert any(line.startswith(f"{name} ") for line in shown.splitlines())
