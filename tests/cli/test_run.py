"""``slotwise run``: its tables, JSON and files."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path


def metrics_of(ended: Any) -> dict[str, float]:
    return dict(json.loads(ended.out)["metrics"])


def test_json_has_the_four_keys_of_the_contract_and_nothing_else_on_stdout(
    slotwise: Any, log: Path
) -> None:
    ended = slotwise("run", log, "--json")
    assert ended.code == 0
    data = json.loads(ended.out)
    assert set(data) == {"metrics", "site", "trace", "seconds"}
    assert data["site"] == {
        "machine": {"processors": 8},
        "policy": {"order": "fcfs", "backfill": "easy"},
    }
    assert data["trace"]["jobs"] == 10
    assert ended.err == ""


def test_figures_equal_those_of_the_python_interface(slotwise: Any, log: Path) -> None:
    expected = sw.simulate(sw.read_swf(log)).metrics()
    got = metrics_of(slotwise("run", log, "--json"))
    assert got == {name: value if value == value else None for name, value in expected.items()}


def test_tables_state_threshold_denominator_and_what_was_left_out(slotwise: Any, log: Path) -> None:
    out = " ".join(slotwise("run", log).out.split())
    assert "max(run, 10 s)" in out
    assert "Utilisation refers to 8 processors" in out
    assert "not trimmed" in out
    assert "Left out of the means: 1 job rejected as too large for the machine" in out


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_screen(
    slotwise: Any, log: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (
        ("run", log),
        ("info", log),
        ("policies",),
        ("compare", log, "--backfill", "none,first-fit,easy,relaxed", "--order", "fcfs,sjf"),
    ):
        ended = slotwise(*arguments)
        assert ended.code == 0
        assert max(len(line) for line in ended.out.splitlines()) <= columns, arguments[0]


def test_an_option_overrides_the_site_file(slotwise: Any, log: Path, tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[machine]\nprocessors = 16\n[policy]\norder = "sjf"\nbackfill = "none"\n')
    data = json.loads(slotwise("run", log, "--site", site, "--order", "lifo", "--json").out)
    assert data["site"]["policy"] == {"order": "lifo", "backfill": "none"}
    assert data["site"]["machine"]["processors"] == 16
    assert data["metrics"]["n_rejected"] == 0


def test_another_backfill_drops_the_parameters_of_the_file_s(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[policy]\nbackfill = "relaxed"\nrelaxation = 0.2\n')
    data = json.loads(slotwise("run", log, "--site", site, "--backfill", "easy", "--json").out)
    assert data["site"]["policy"] == {"order": "fcfs", "backfill": "easy"}


def test_set_gives_any_value_of_a_site_file(slotwise: Any, log: Path) -> None:
    ended = slotwise(
        "run", log, "--set", "policy.order=sjf", "--set", "machine.processors=16", "--json"
    )
    site = json.loads(ended.out)["site"]
    assert site["policy"]["order"] == "sjf"
    assert site["machine"]["processors"] == 16


def test_threshold_and_trim_reach_the_metrics(slotwise: Any, log: Path) -> None:
    metrics = metrics_of(slotwise("run", log, "--threshold", 60, "--trim", "15,0", "--json"))
    assert metrics["threshold"] == 60
    # Trimming the first 15 s leaves out the jobs submitted at 0 and 10.
    assert metrics["n_trimmed"] == 2


def test_jobs_as_csv_have_batsim_s_columns(slotwise: Any, log: Path, tmp_path: Path) -> None:
    assert slotwise("run", log, "--jobs", "jobs.csv").code == 0
    with (tmp_path / "jobs.csv").open() as file:
        rows = list(csv.DictReader(file))
    # Names and order of the columns are as in https://batsim.readthedocs.io, output-jobs.
    assert list(rows[0])[:17] == [
        "job_id", "workload_name", "profile", "submission_time", "requested_number_of_resources",
        "requested_time", "success", "final_state", "starting_time", "execution_time",
        "finish_time", "waiting_time", "turnaround_time", "stretch", "allocated_resources",
        "consumed_energy", "metadata",
    ]  # fmt: skip
    # Job 1 holds the whole machine, 8 processors, from 0 to 100.
    first = rows[0]
    assert (first["starting_time"], first["finish_time"], first["execution_time"]) == (
        "0", "100", "100",
    )  # fmt: skip
    assert (first["success"], first["final_state"]) == ("1", "COMPLETED_SUCCESSFULLY")
    assert first["allocated_resources"] == "0-7"
    assert float(first["stretch"]) == 1.0
    assert rows[5]["final_state"] == "REJECTED"
    assert rows[5]["starting_time"] == rows[5]["waiting_time"] == "-1"
    assert rows[5]["allocated_resources"] == ""
    # Job 8 requests 80 s but runs for 90 s.
    assert rows[7]["final_state"] == "COMPLETED_WALLTIME_REACHED"
    assert (rows[7]["profile"], rows[7]["execution_time"]) == ("90", "80")


def test_processors_of_jobs_in_the_csv_are_never_shared(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    assert slotwise("run", log, "--jobs", "jobs.csv").code == 0
    with (tmp_path / "jobs.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["starting_time"] != "-1"]
    held: dict[tuple[int, int], str] = {}
    for row in rows:
        used = [
            processor
            for part in row["allocated_resources"].split()
            for low, _, high in [part.partition("-")]
            for processor in range(int(low), int(high or low) + 1)
        ]
        assert len(used) == int(row["requested_number_of_resources"])
        for second in range(int(row["starting_time"]), int(row["finish_time"])):
            for processor in used:
                assert held.setdefault((processor, second), row["job_id"]) == row["job_id"]


def test_jobs_as_parquet_hold_the_columns_of_the_result(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert slotwise("run", log, "--jobs", "jobs.parquet").code == 0
    table = parquet.read_table(tmp_path / "jobs.parquet")
    result = sw.simulate(sw.read_swf(log))
    assert table.column_names == result.jobs.column_names
    assert table["start"].to_pylist() == [t if t >= 0 else None for t in result.start.tolist()]


@pytest.mark.parametrize("name", ["jobs.swf", "jobs.swf.gz"])
def test_jobs_as_swf_replay_as_logged_to_the_same_schedule(
    slotwise: Any, fitting_log: Path, tmp_path: Path, name: str
) -> None:
    assert slotwise("run", fitting_log, "--backfill", "none", "--jobs", name).code == 0
    before = sw.simulate(sw.read_swf(fitting_log), sw.Site(policy=sw.Policy(backfill="none")))
    again = sw.simulate(sw.read_swf(tmp_path / name), sw.Site(policy=sw.Policy.preset("as-logged")))
    assert again.start.tolist() == before.start.tolist()


def test_report_is_one_html_page(slotwise: Any, log: Path, tmp_path: Path) -> None:
    ended = slotwise("run", log, "--report", "out.html")
    assert ended.code == 0
    assert "Report written to out.html" in ended.out
    assert (tmp_path / "out.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_strict_accepts_a_log_without_faults(slotwise: Any, fitting_log: Path) -> None:
    assert slotwise("run", fitting_log, "--strict").code == 0


def test_every_field_of_a_policy_has_an_option() -> None:
    import dataclasses

    from slotwise.cli.options import policy_options

    fields = [field.name for field in dataclasses.fields(sw.Policy)]
    assert sorted(option.field for option in policy_options()) == sorted(fields)


def test_an_option_completes_the_names_that_its_field_accepts() -> None:
    import dataclasses

    from slotwise.cli.options import policy_options, preset_option

    accepted = {
        field.name: re.findall(r"'([^']+)'", field.type)
        for field in dataclasses.fields(sw.Policy)
        if str(field.type).startswith("Literal")
    }
    completed = {option.field: option.complete for option in policy_options() if option.complete}
    assert {"event_order", "ending_now", "compression", "promises", "reserve"} <= accepted.keys()
    assert {name: completed[name]() for name in accepted} == accepted
    presets = preset_option().complete
    assert presets is not None
    assert "slurm-22.05" in presets()


def test_every_policy_option_reaches_the_site(slotwise: Any, log: Path) -> None:
    from slotwise.cli.options import policy_options

    values = {
        "order": ("sjf", []),
        "backfill": ("none", []),
        "depth": ("4", ["--backfill", "depth"]),
        "relaxation": ("0.25", ["--backfill", "relaxed"]),
        "backfill_order": ("sjf", []),
        "estimates": ("exact", []),
        "passes": ("30s", []),
        "event_order": ("arrivals-first", ["--passes", "per-event"]),
        "waiting_estimates": ("exact", []),
        "ending_now": ("free", []),
        "compression": ("every-end", ["--backfill", "conservative"]),
        "promises": ("per-arrival", ["--backfill", "conservative"]),
        "allocation": (
            "least-spread",
            ["--set", "machine.torus=[64, 2]", "--backfill", "easy"],
        ),
        "reserve": (
            "nodes",
            ["--set", "machine.nodes=[{count = 64, cores = 2}]", "--backfill", "easy"],
        ),
        "window": ("7", ["--backfill", "window"]),
        "solver": ("greedy", ["--backfill", "window"]),
        "slots": ("all", ["--backfill", "window"]),
        "refill": ("false", ["--backfill", "window"]),
        "beyond_window": (None, ["--backfill", "window"]),
        "age_limit": ("3600", ["--backfill", "window"]),
    }
    for option in policy_options():
        value, needed = values.get(option.field, (None, []))
        backfill = needed[-1] if "--backfill" in needed else "easy"
        if backfill not in [info.name for info in sw.backfills()]:
            continue
        given = [option.flag] if value is None else [option.flag, value]
        ended = slotwise("run", log, *given, *needed, "--json")
        assert ended.code == 0, (option.flag, ended.err)
        got = json.loads(ended.out)["site"]["policy"][option.field]
        assert str(got).lower() == (
            value if value is not None else str(not option.switches_off).lower()
        )


def test_pictures_of_a_torus_are_written(slotwise: Any, log: Path, tmp_path: Path) -> None:
    (tmp_path / "torus.toml").write_text("[machine]\ntorus = [8, 16, 16]\n")
    ended = slotwise("run", log, "--site", "torus.toml", "--pictures", "seen")
    assert ended.code == 0, ended.err
    assert "Pictures written to seen" in ended.out
    assert {path.name for path in (tmp_path / "seen").iterdir()} == {
        f"{name}.{suffix}"
        for name in ("nodes", "occupancy", "occupancy-near")
        for suffix in ("png", "svg")
    }


def test_pictures_of_processors_without_places_are_refused(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--pictures", "seen")
    assert ended.code == 2
    assert "--pictures: the processors of this machine have no positions" in ended.err


def test_waits_and_utilisation_come_first_and_slowdowns_last(slotwise: Any, log: Path) -> None:
    out = slotwise("run", log).out
    places = [out.index(f"\n {label} ") for label in ("wait", "utilisation", "bounded slowdown")]
    assert places == sorted(places)
    explained = out.index("Bounded slowdown floor = 1 + wait / max(run, 10 s)")
    assert out.index("\n bounded slowdown floor ") < explained < out.index("Utilisation refers to")


def test_wide_adds_metrics_and_columns_chooses_them(slotwise: Any, log: Path) -> None:
    assert "area-weighted wait" not in slotwise("run", log).out
    assert "area-weighted wait" in slotwise("run", log, "--wide").out
    out = slotwise("run", log, "--columns", "max_wait,fragmentation").out
    rows = [line.split() for line in out[out.index("───") :].splitlines()[1:3]]
    assert rows[0][:2] == ["max", "wait"]
    assert rows[1] == ["fragmentation", "-"]  # fragmentation is undefined without nodes


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("--columns", "mean_wai"), "unknown metric 'mean_wai'; did you mean 'mean_wait'?"),
        (("--columns", "mean_wait,"), "must be metric names separated by commas"),
        (("--columns", "mean_wait,mean_wait"), "'mean_wait' is listed twice; remove one"),
        (
            ("--columns", "mean_wait", "--json"),
            "--json prints every metric; use only one of the two options",
        ),
        (
            ("--columns", "mean_wait", "--wide"),
            "--wide prints every metric; use only one of the two options",
        ),
    ],
)
def test_impossible_columns_are_usage_errors(
    slotwise: Any, log: Path, typed: tuple[str, ...], message: str
) -> None:
    ended = slotwise("run", log, *typed)
    assert ended.code == 2
    assert message in ended.err


def test_a_backfill_of_many_parameters_has_no_options_and_takes_settings(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(
        '[policy]\npreset = "slurm-22.05"\n'
        '[[machine.nodes]]\nname = "n"\nhosts = "n[1-8]"\ncores = 1\n'
    )
    shown = slotwise("run", "--help").out
    assert "--window" in shown
    assert "--bf-" not in shown
    assert "--select-type" not in shown
    ended = slotwise("run", log, "--site", site, "--set", "policy.bf_max_job_test=7", "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["site"]["policy"]["backfill"]["bf_max_job_test"] == 7
    wrong = slotwise("run", log, "--site", site, "--set", "policy.bf_max_job_tests=7")
    assert wrong.code == 2
    assert "bf_max_job_test" in wrong.err


@pytest.mark.parametrize(
    "removing", [["policy="], ["policy.order=", "policy.backfill="], ["policy=", "policy.order="]]
)
def test_a_preset_replaces_a_policy_that_the_command_line_removes(
    slotwise: Any, log: Path, tmp_path: Path, removing: list[str]
) -> None:
    (tmp_path / "site.toml").write_text('[policy]\norder = "sjf"\nbackfill = "none"\n')
    words = ["run", log, "--site", "site.toml", "--preset", "pyss"]
    removed = slotwise(*words, *(f"--set={each}" for each in removing), "--json")
    assert removed.code == 0, removed.err
    alone = slotwise("run", log, "--preset", "pyss", "--json")
    policies = [json.loads(ended.out)["site"]["policy"] for ended in (removed, alone)]
    assert policies[0] == policies[1]
    kept = slotwise(*words, "--set=policy.order=")
    assert kept.code == 2
    assert "or remove the table, for example with --set policy=" in kept.err
