"""`slotwise site`, site files with all tables, and --set at any depth."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw
from slotwise.cli.settings import parse_setting, with_settings
from slotwise.terminal.exits import UsageError

if TYPE_CHECKING:
    from pathlib import Path

SITE = """\
[machine]
processors = 8
[policy]
order = "priority"
[[pool]]
name = "batch"
processors = 6
[[queue]]
name = "small"
processors = [1, 4]
[[queue]]
name = "wide"
processors = [5, 6]
walltime = ["0", "24:00:00"]
[limits]
running_per_user = 5
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(SITE)
    return path


def test_check_summarises_a_valid_site(slotwise: Any, site: Path) -> None:
    ended = slotwise("site", "check", site)
    assert ended.code == 0
    for words in ("8 processors", "idle (in no pool)", "2 processors", "running per user 5"):
        assert words in ended.out
    assert "small" in ended.out
    assert "1 to 4" in ended.out
    assert "up to 24:00:00" in ended.out
    assert "rules" not in ended.out


def test_check_shows_the_rules_of_queues_and_readable_durations(slotwise: Any, site: Path) -> None:
    rules = 'running_per_user = 2\nhours = "20:00-08:00"\nstarvation = "3d"\norder = "sjf"\n'
    site.write_text(
        SITE.replace("[limits]", rules + "[limits]")
        + '[crashes]\nlaw = "exponential"\nmean = "5d"\n[clock]\nstart = 2024-01-01\n'
    )
    ended = slotwise("site", "check", site)
    shown = " ".join(ended.out.split())
    assert "law exponential, mean 5d" in shown
    data = json.loads(slotwise("site", "check", site, "--json").out)
    assert data["site"]["queue"][1]["running_per_user"] == 2
    for words in ("order sjf", "running per user 2", "starvation 3d", "20:00-08:00"):
        assert words in shown[shown.index("Other settings of wide: ") :]
    assert "…" not in ended.out


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        (
            "torus = [4, 2]\nprocessors_per_node = 8",
            ["torus 4×2: 8 nodes of 8 processors", "hilbert; consecutive nodes are neighbours"],
        ),
        (
            # A row of 4 nodes is a ring: its last node is 1 link away from its first, which is 1
            # link away from the start of the next row. So each of the 3 steps between rows is 2
            # links long.
            "torus = [4, 4]\norder = 'row'",
            [
                "row; 3 of 15 steps are longer than one link: 3 of length 2",
                "links after 2 steps",
            ],
        ),
        ("torus = [1]", ["torus 1: 1 node of 1 processor", "consecutive nodes are neighbours"]),
    ],
)
def test_check_describes_the_node_order_of_a_torus(
    slotwise: Any, tmp_path: Path, machine: str, words: list[str]
) -> None:
    (tmp_path / "torus.toml").write_text(f"[machine]\n{machine}\n[placement]\nalpha = 0.3\n")
    ended = slotwise("site", "check", "torus.toml")
    assert ended.code == 0
    for told in (*words, "placement", "alpha 0.3"):
        assert told in ended.out


def test_check_reports_all_faults_of_an_invalid_site(slotwise: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(
        SITE.replace("processors = 6", "processors = 9")
        + "[[queue]]\nname = 'small'\nwaltime = ['1h']\n[[maintenance]]\nstart = 0\n"
        + "duration = '8d'\nevery = '7d'\n[limit]\n"
    )
    ended = slotwise("site", "check", "bad.toml")
    assert (ended.code, ended.out) == (2, "")
    end = len(SITE.splitlines())
    for line, words in (
        (3, "queue[2].waltime: unknown [[queue]] key 'waltime'; did you mean 'walltime'?"),
        (8, "limit: unknown table 'limit'; did you mean 'limits'?"),
        (6, "maintenance[0].duration: 8d is longer than the period"),
    ):
        assert f"bad.toml:{end + line}: {words}" in ended.err
    assert "Traceback" not in ended.err


def test_check_counts_the_jobs_of_a_log_by_queue_and_those_rejected(
    slotwise: Any, site: Path, log: Path
) -> None:
    # Three of the ten jobs in conftest fit no queue; they request 8, 16 and 8 processors. The job
    # on 6 processors joins queue wide, and the six jobs on at most 4 join queue small.
    ended = slotwise("site", "check", site, "--trace", log, "--json")
    data = json.loads(ended.out)
    assert data["queues"] == {"small": 6, "wide": 1}
    assert data["rejected"] == {"no_queue": 3}
    assert data["site"]["queue"][0] == {"name": "small", "processors": [1, 4]}
    shown = slotwise("site", "check", site, "--trace", log)
    assert (
        "3: not accepted by any queue; the first is job 1, which requests 8 processors for 00:02:00"
        in shown.out
    )


def test_check_reports_parts_without_effect_within_the_log(
    slotwise: Any, site: Path, log: Path
) -> None:
    # The ten jobs in conftest are submitted within 90 s, depend on no preceding job, and are not in
    # queue 7. The test removes their groups, so that a limit per group has no effect either.
    log.write_text(log.read_text().replace(" 1 -1 1 -1 -1 -1\n", " -1 -1 1 -1 -1 -1\n"))
    site.write_text(
        "dependencies = true\n"
        + SITE.replace("running_per_user", "running_per_group")
        + '[[queue]]\nname = "mapped"\ntrace_queues = [7]\n'
        "[[maintenance]]\nstart = 10\nduration = 1\nevery = 20\n"
        "[[maintenance]]\nstart = 2030-01-01\nduration = 60\n"
        "[[reservation]]\nname = 'r'\nstart = 5\nduration = 5\nprocessors = 1\nusers = [99]\n"
        "[crashes]\ntimes = [999999]\n[clock]\nstart = 2020-01-01\n"
    )
    data = json.loads(slotwise("site", "check", site, "--trace", log, "--json").out)
    assert data["calendar"]["maintenance[0]"] > 1
    assert data["calendar"] | {"maintenance[0]": 0} == {
        "maintenance[0]": 0, "maintenance[1]": 0, "reservation[0]": 1, "crashes": 0
    }  # fmt: skip
    assert [note.partition(":")[0] for note in data["notes"]] == [
        "maintenance[1], crashes",
        "limits.running_per_group",
        "reservation[0]",
        "queue[2].trace_queues",
        "dependencies",
    ]
    assert "from 2020-01-01 00:00 UTC (0 s) to 2020-01-01" in data["notes"][0]
    shown = slotwise("site", "check", site, "--trace", log).out
    assert "in the log: never" in shown
    assert "Note: maintenance[1], crashes: never in effect during the log" in shown
    without = json.loads(slotwise("site", "check", site, "--json").out)
    assert without.keys() == {"site"}


def test_show_prints_a_file_that_reads_back(slotwise: Any, site: Path) -> None:
    ended = slotwise("site", "show", site, "--set", "queue.wide.priority=2")
    assert ended.code == 0
    data = tomllib.loads(ended.out)
    assert data["queue"][1] == {
        "name": "wide", "processors": [5, 6], "walltime": ["0s", "24:00:00"], "priority": 2.0
    }  # fmt: skip


def test_show_defaults_prints_a_file_of_the_default_site(
    slotwise: Any, site: Path, log: Path
) -> None:
    ended = slotwise("site", "show", "--defaults")
    assert ended.code == 0
    assert tomllib.loads(ended.out)["policy"]["backfill"] == "easy"
    saved = site.with_name("saved.toml")
    saved.write_text(ended.out)
    assert slotwise("site", "show", saved).out == slotwise("site", "show").out
    plain = json.loads(slotwise("run", log, "--json").out)
    of_file = json.loads(slotwise("run", log, "--site", saved, "--json").out)
    assert (of_file["site"], of_file["metrics"]) == (plain["site"], plain["metrics"])
    for backfill in (info.name for info in sw.backfills() if info.name != "as-logged"):
        saved.write_text(ended.out.replace('backfill = "easy"', f'backfill = "{backfill}"'))
        assert slotwise("site", "check", saved).err == ""
    assert slotwise("site", "show", site, "--defaults").code == 2


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("policy.depth=4", ("policy", "depth"), 4),
        ("policy.order.cores = 0", ("policy", "order", "cores"), 0),
        ("queue[0].priority=3", ("queue", 0, "priority"), 3),
        ("queue.small.walltime=['1h', '2h']", ("queue", "small", "walltime"), ["1h", "2h"]),
        ('queue."a.b".order=sjf', ("queue", "a.b", "order"), "sjf"),
        ("queue.my jobs.running=1", ("queue", "my jobs", "running"), 1),
        ("dependencies=true", ("dependencies",), True),
    ],
)
def test_settings_have_a_key_and_a_value(setting: str, key: Any, value: Any) -> None:
    assert parse_setting(setting) == (key, value)


@pytest.mark.parametrize(
    "setting", ["policy.depth", "=4", "policy..depth=4", "queue[a].x=1", "a.=1"]
)
def test_a_setting_of_another_form_is_refused(setting: str) -> None:
    with pytest.raises(UsageError, match="must be key=value"):
        parse_setting(setting)


def test_settings_reach_any_depth() -> None:
    document = tomllib.loads(SITE)
    written = {
        ("policy", "order", "cores"): ("a", 0),
        ("queue", "wide", "priority"): ("b", 3),
        ("queue", 0, "priority"): ("c", 2),
        ("limits", "running_per_user"): ("d", 7),
        ("interruption", "requeue"): ("e", "never"),
    }
    tables, places = with_settings(document, written)
    assert tables["policy"] == {"order": {"name": "priority", "cores": 0}}
    assert [queue.get("priority") for queue in tables["queue"]] == [2, 3]
    assert tables["limits"] == {"running_per_user": 7}
    assert tables["interruption"] == {"requeue": "never"}
    assert places["queue", 1, "priority"] == "b"
    assert document == tomllib.loads(SITE)


@pytest.mark.parametrize("setting", ["limits.running_per_user=none", "limits.running_per_user="])
def test_a_setting_removes_a_limit_of_the_file(slotwise: Any, site: Path, setting: str) -> None:
    ended = slotwise("site", "show", site, "--set", setting)
    assert "limits" not in tomllib.loads(ended.out)


def test_a_setting_without_a_value_removes_the_value_of_the_file(slotwise: Any, site: Path) -> None:
    written = ["queue.wide.walltime=", "policy.order=", "limits=", "pool=", "queue.small.order="]
    ended = slotwise("site", "show", site, *(part for key in written for part in ("--set", key)))
    assert tomllib.loads(ended.out) == {
        "machine": {"processors": 8},
        "policy": {"order": "fcfs", "backfill": "easy"},
        "queue": [
            {"name": "small", "processors": [1, 4]},
            {"name": "wide", "processors": [5, 6]},
        ],
    }


def test_a_key_without_a_default_cannot_be_removed(slotwise: Any, site: Path) -> None:
    ended = slotwise("site", "show", site, "--set", "queue.small.name=")
    assert ended.code == 2
    assert "--set queue.small.name=: the value is missing; every [[queue]] needs it" in ended.err
    ended = slotwise("site", "show", site, "--set", "queue[1]=")
    assert ended.code == 2
    fault = "an entry in a list has no default; set the whole list instead, with queue=LIST"
    assert f"--set queue[1]=: {fault}" in ended.err


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("queue.smal.priority=1", ["unknown queue 'smal'", "did you mean 'small'"]),
        ("queue[2].priority=1", ["no queue[2]", "numbered from 0"]),
        ("outage.x.pool=1", ["the site has no outage", "[[outage]]"]),
        ("outage[0].pool=1", ["the site has no outage", "[[outage]]"]),
        ("limits.runing=", ["--set limits.runing=: unknown limits key 'runing'", "'running'"]),
        ("limit=", ["--set limit=: unknown table 'limit'", "did you mean 'limits'"]),
        ("queue.small.runing=", ["unknown queue key 'runing'"]),
        ("limits[0].running=1", ["'limits' is not a list"]),
        ("machine.processors.x=1", ["machine.processors is 8, which has no keys"]),
        ("queue.small.priority=high", ["--set queue.small.priority=high: 'high' must be a number"]),
        ("policy.order.coers=0", ["--set policy.order.coers=0", "did you mean 'cores'"]),
        ("limits.running=0", ["--set limits.running=0", "at least 1"]),
        ("queue[1].order.cores=0", ["needs a named order", "also set queue[1].order.name"]),
    ],
)
def test_an_impossible_setting_is_named_with_the_possible_ones(
    slotwise: Any, site: Path, log: Path, setting: str, words: list[str]
) -> None:
    ended = slotwise("run", log, "--site", site, "--set", setting)
    assert ended.code == 2
    for word in words:
        assert word in ended.err


@pytest.mark.parametrize(
    ("options", "first", "second", "key"),
    [
        (["--set policy.order.name=sjf", "--order saf"], 1, 0, "policy.order.name"),
        (["--set policy.order.name=sjf", "--set policy.order=saf"], 1, 0, "policy.order.name"),
        (["--set queue[0].priority=3", "--set queue.small.priority=5"], 0, 1, "queue[0].priority"),
        (["--set limits.running=3", "--set limits={running=4}"], 1, 0, "limits.running"),
        (["--set limits.running=3", "--set limits.running=4"], 0, 1, "limits.running"),
        (["--set policy.order=sjf", "--order saf"], 0, 1, "policy.order"),
        (["--set policy.kill_at_limit=true", "--no-kill-at-limit"], 0, 1, "policy.kill_at_limit"),
    ],
)
def test_two_values_for_one_key_are_refused_with_both_names(
    slotwise: Any, site: Path, log: Path, options: list[str], first: int, second: int, key: str
) -> None:
    ended = slotwise("run", log, "--site", site, *" ".join(options).split())
    assert ended.code == 2
    assert ended.err == (
        f"slotwise: error: {options[first]} and {options[second]} contradict each other: "
        f"both set {key}; remove one of them\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--order", "priority", "--set", "policy.order.cores=0"],
        ["--order", "priority", "--set", "policy.order.name=priority"],
        ["--set", "limits={running=4}", "--set", "limits.running_per_user=2"],
        ["--set", "limits={running=4}", "--set", "limits.running=4"],
        ["--set", "queue[0].priority=3", "--set", "queue.small.priority=3"],
    ],
)
def test_compatible_values_are_accepted(
    slotwise: Any, site: Path, log: Path, options: list[str]
) -> None:
    ended = slotwise("run", log, "--site", site, *options)
    assert (ended.code, ended.err) == (0, "")


def test_a_setting_corrects_a_file_before_the_check(slotwise: Any, site: Path) -> None:
    site.write_text(SITE.replace('"0", "24:00:00"', "0, 0.5").replace("[1, 4]", "[4, 1]"))
    mended = ["--set", 'queue[1].walltime=[0, "1h"]', "--set", "queue.small.processors=[1, 4]"]
    assert slotwise("site", "check", site, *mended).code == 0
    ended = slotwise("site", "check", site, *mended[:2], "--set", "limits.running=0")
    assert ended.code == 2
    line = 1 + site.read_text().splitlines().index("processors = [4, 1]")
    assert f"{site}:{line}: queue[0].processors: [4, 1] is reversed" in ended.err
    assert "--set limits.running=0" in ended.err
    assert "walltime" not in ended.err


@pytest.mark.parametrize("table", ["policy = 5", "queue = 5", "queue = [5]", "[queue]\nname = 'a'"])
def test_a_table_of_another_shape_is_reported_as_a_fault_of_the_file(
    slotwise: Any, site: Path, table: str
) -> None:
    site.write_text(f"{table}\n[machine]\nprocessors = 8\n")
    ended = slotwise("site", "check", site, "--set", "policy2.order=sjf")
    assert ended.code == 2
    name = "policy" if table.startswith("policy") else "queue"
    assert f"{site}:1: {name}" in ended.err
    assert "Traceback" not in ended.err
    assert slotwise("site", "check", site, "--set", f"{name}[0].order=sjf").code == 2


def test_settings_hold_for_every_column_of_a_comparison(
    slotwise: Any, site: Path, log: Path
) -> None:
    ended = slotwise(
        "compare", log, site, "--backfill", "none", "--set", "limits.running=2", "--json"
    )
    columns = json.loads(ended.out)["columns"]
    assert [column["site"]["limits"]["running"] for column in columns] == [2, 2]


def test_run_counts_rejected_jobs_by_reason_and_writes_the_pools_of_jobs(
    slotwise: Any, site: Path, log: Path, tmp_path: Path
) -> None:
    ended = slotwise("run", log, "--site", site, "--jobs", "jobs.csv")
    assert ended.code == 0, ended.err
    assert "3 jobs rejected as not accepted by any queue" in " ".join(ended.out.split())
    header, first, second, *_ = (tmp_path / "jobs.csv").read_text().splitlines()
    assert header.endswith(",site_queue,pool,reject_reason")
    assert first.endswith(",,,no_queue")
    assert second.endswith(",small,batch,")


def test_json_of_a_run_contains_its_site(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--set", "limits.running=3", "--json")
    replayed_by = json.loads(ended.out)["trace"]["replayed_by"]
    assert replayed_by["slotwise"] == sw.__version__
    assert replayed_by["python"]
