"""Site files: their values, and all their faults in one report."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import slotwise as sw
from slotwise.site.build import build
from slotwise.site.policy import policy_defaults
from slotwise.site.toml import schema as toml_schema

if TYPE_CHECKING:
    from pathlib import Path


PLACE = re.compile(r"(?P<path>[^:]+)(?::\d+)?: (?P<fault>.*)")


def site_of(tmp_path: Path, text: str) -> sw.Site:
    path = tmp_path / "site.toml"
    path.write_text(text)
    return sw.Site.from_toml(path)


def faults_of(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(sw.SiteError) as caught:
        site_of(tmp_path, text)
    found = [PLACE.match(line) for line in str(caught.value).splitlines()]
    assert all(each and each["path"] == str(tmp_path / "site.toml") for each in found)
    return [each["fault"] for each in found if each]


def test_a_site_file_is_read_without_any_further_library(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("[machine]\nprocessors = 8\n[[queue]]\nname = 'a'\n")
    code = (
        "import sys, numpy; before = set(sys.modules); import slotwise;"
        f"slotwise.Site.from_toml({str(path)!r});"
        "print('\\n'.join({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in ended.stdout.split() if "cython" not in name}
    assert loaded - sys.stdlib_module_names <= {"slotwise", "numpy"}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"machine": {"torus": [4, "b", "c"]}}, "machine.torus: 'b' must be a whole number"),
        ({"machine": {"torus": 4}}, "machine.torus: 4 must be a list of whole numbers"),
        ({"machine": {"processors": True}}, "machine.processors: true must be a whole number"),
        (
            {"machine": {"nodes": [3]}},
            "machine.nodes: 3 must be a list of tables, such as [{ count = 32, cores = 16 }]",
        ),
        ({"policy": {"backfill": 3}}, "policy.backfill: 3 must be a name, or a table with a name"),
        ({"policy": {"age_limit": 1.5}}, "policy.age_limit: 1.5 must be a whole number"),
        ({"policy": {"relaxation": True}}, "policy.relaxation: true must be a number"),
        ({"queue": [3]}, "queue[0]: 3 is not a table; write [[queue]]"),
        ({"dependencies": 1}, "dependencies: 1 must be true or false"),
    ],
)
def test_a_value_of_another_type_is_named_with_the_rule(
    document: dict[str, object], told: str
) -> None:
    assert [str(fault) for fault in toml_schema.shape_faults(document)] == [told]


def test_faults_follow_the_order_of_the_keys_with_unknown_ones_last() -> None:
    document = {
        "queues": [],
        "limits": {"runing": 1, "processors_in_use": 0, "running": 0},
        "policy": {"depth": "1", "order": 3},
    }
    assert [fault.key for fault in toml_schema.shape_faults(document)] == [
        ("policy", "order"),
        ("policy", "depth"),
        ("limits", "running"),
        ("limits", "processors_in_use"),
        ("limits", "runing"),
        ("queues",),
    ]


def test_missing_nodes_are_named_beside_a_wrong_policy(tmp_path: Path) -> None:
    text = (
        "[machine]\nnodes = [{ hosts = 'n[1-4]', cores = 4 }]\n[policy]\npreset = 'slurm-25.11'\n"
        "bf_interval = -7\n[[queue]]\nname = 'a'\nnodes = ['m1']\n"
        "[[queue]]\nname = 'b'\nnodes = ['n[1-9]']\ntrace_queues = ['b']\n"
    )
    assert faults_of(tmp_path, text) == [
        "policy.bf_interval: -7: it must be a whole number of seconds, -1 to 10800",
        "queue[0].nodes: there is no node 'm1'; the nodes are n1 to n4: use one of them, or add "
        "'m1' to the hosts of a node type",
        "queue[1].nodes: it lists 9 nodes, but the machine has 4; there is no node 'n[5-9]': "
        "shorten the list, or add nodes to the hosts of a node type",
    ]
    twice = text.replace("n[1-9]", "n[1-4],n[1-2]").replace("-7", "7").replace("m1", "n1")
    assert faults_of(tmp_path, twice) == [
        "queue[1].nodes: it lists 6 nodes, but the machine has 4, and names some nodes twice; list "
        "each node only once"
    ]
    many = text.replace("n[1-9]", "n[1-900000]").replace("-7", "7").replace("m1", "n1")
    assert faults_of(tmp_path, many) == [
        "queue[1].nodes: it lists 900,000 nodes, but the machine has 4; shorten the list"
    ]


def test_an_empty_file_is_the_default_site(tmp_path: Path) -> None:
    assert site_of(tmp_path, "") == sw.Site()


def test_a_file_and_the_same_site_in_python_are_equal(tmp_path: Path) -> None:
    text = """
        [machine]
        processors = 1152
        [policy]
        order = { name = "sjf" }
        backfill = "relaxed"
        relaxation = 1
        estimates = "user-history"
        passes = "5m"
        kill_at_limit = false
    """
    policy = sw.Policy(
        order="sjf", backfill="relaxed", relaxation=1, estimates="user-history", passes="5m",
        kill_at_limit=False,
    )  # fmt: skip
    assert site_of(tmp_path, text) == sw.Site(sw.Processors(1152), policy)


def test_what_a_site_prints_as_a_dict_builds_it_again() -> None:
    site = sw.Site(sw.Processors(8), sw.Policy(order="saf", backfill_order="sjf"))
    assert build(site.to_dict()) == site


def test_a_preset_may_be_changed_where_it_leaves_a_choice(tmp_path: Path) -> None:
    site = site_of(tmp_path, '[policy]\npreset = "pyss"\nbackfill = "none"\n')
    assert site.policy == sw.Policy.preset("pyss", backfill="none")


def test_a_file_takes_every_field_of_a_policy() -> None:
    fields = {field.name for field in dataclasses.fields(sw.Policy)}
    keys = set(toml_schema.known_keys("policy"))
    assert fields < keys
    assert keys == {*policy_defaults(), "preset"}


def test_every_fault_is_reported_at_once_with_its_place(tmp_path: Path) -> None:
    text = """
        [machine]
        procesors = 12
        processors = -3
        [policy]
        order = { nam = "sjf" }
        depth = 1.5
        kill_at_limit = 1
        backfill = "esay"
        [queues]
        small = 1
    """
    faults = faults_of(tmp_path, text)
    assert [fault.partition(":")[0] for fault in faults] == [
        "machine.procesors",
        "policy.depth",
        "policy.kill_at_limit",
        "queues",
        "machine.processors",
        "policy.order.name",
        "policy.backfill",
    ]
    assert "did you mean 'processors'?" in faults[0]
    assert "1.5 must be a whole number" in faults[1]
    assert "1 must be true or false" in faults[2]
    assert (
        "unknown table 'queues'; did you mean 'queue'? known names are: machine, policy"
        in faults[3]
    )
    assert "-3 must lie between 1 and" in faults[4]
    assert "did you mean 'easy'?" in faults[6]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("policy = 3", "is not a table; write [policy]"),
        ('[policy]\norder = { name = "sjf", weight = 2 }', "order 'sjf' has no parameters"),
        ("[policy]\norder = 3", "must be a name, or a table with a name"),
        ('[policy]\npreset = "pyss"\nending_now = "busy"', "contradicts preset 'pyss'"),
        ("[policy]\nrelaxation = 0.5", "backfill 'easy' ignores relaxation"),
        ("[policy]\nrelaxation = nan\nbackfill = 'relaxed'", "relaxation"),
    ],
)
def test_single_faults(tmp_path: Path, text: str, words: str) -> None:
    (fault,) = faults_of(tmp_path, text)
    assert words in fault


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[machine\n", "not TOML: .*line 1"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
    ],
)
def test_files_that_are_no_toml(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "site.toml"
    path.write_bytes(content)
    with pytest.raises(sw.SiteError, match=words):
        sw.Site.from_toml(path)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_bytes(b"\xef\xbb\xbf[machine]\nprocessors = 8\n")
    assert sw.Site.from_toml(path) == sw.Site(8)


def test_all_tables_of_a_machine_read_as_the_same_site_in_python(tmp_path: Path) -> None:
    text = """
        [machine]
        processors = 98976
        [policy]
        order    = { name = "priority", queue_time = 5, expansion = 100, cores = 1 }
        backfill = "easy"
        [[queue]]
        name = "small"
        processors = [24, 1032]
        walltime   = ["0", "24:00:00"]
        [limits]
        running_per_user = 5
        [[maintenance]]
        start = "2010-10-13T08:00:00"
        every = "7d"
        duration = "8h"
    """
    order = {"name": "priority", "queue_time": 5, "expansion": 100, "cores": 1}
    assert site_of(tmp_path, text) == sw.Site(
        98976,
        sw.Policy(order=order),
        queues=[sw.Queue("small", (24, 1032), (0, 86400))],
        limits=sw.Limits(running_per_user=5),
        maintenance=[sw.Maintenance(datetime(2010, 10, 13, 8), timedelta(hours=8), 7 * 86400)],
    )


def test_dates_of_toml_are_instants(tmp_path: Path) -> None:
    text = "[[maintenance]]\nstart = 2010-10-13T08:00:00\nduration = 9\n[clock]\nstart = 2010-10-01"
    site = site_of(tmp_path, text)
    assert site.maintenance == (sw.Maintenance("2010-10-13T08:00:00", 9),)
    assert site.clock == sw.Clock("2010-10-01")


def test_faults_of_all_kinds_are_reported_at_once(tmp_path: Path) -> None:
    text = """
        dependencies = 1
        [machine]
        processors = 8
        [policy]
        backfill = "conservative"
        promises = "per-arrival"
        [[pool]]
        name = "a"
        processors = 9
        [[queue]]
        processors = [8, 4]
        walltime = ["0", "24h", "48h"]
        [[queue]]
        name = "q"
        pools = "a"
        processors = [8, 4]
        [limits]
        running = 0
        [[outage]]
        start = 5
        duration = 10
        every = 4
        processors = 2
        pool = "b"
        [[crashes]]
        [reservation]
        name = "r"
    """
    faults = faults_of(tmp_path, text)
    assert [fault.partition(": ")[0] for fault in faults] == [
        "queue[0].name",
        "queue[0].walltime",
        "reservation",
        "limits.running",
        "crashes",
        "dependencies",
        "queue[0].processors",
        "queue[1].processors",
        "outage[0].duration",
        "outage[0].pool",
        "pool",
        "policy.promises",
    ]
    assert "queue[0].name: the value is missing; every [[queue]] needs it" in faults
    assert "reservation: { name = 'r' } is not a list of tables; write [[reservation]]" in faults


def test_what_does_not_read_a_fault_is_checked_all_the_same(tmp_path: Path) -> None:
    text = """
        [[queue]]
        name = "a"
        [[queue]]
        name = "b"
        [[queue]]
        name = "c"
        order = "no-such-order"
        pools = ["nowhere"]
        [[outage]]
        start = 5
        pool = "there"
    """
    faults = faults_of(tmp_path, text)
    assert [fault.partition(": ")[0] for fault in faults] == [
        "queue[2].order",
        "outage[0].duration",
        "outage[0].processors",
        "queue[2].pools",
        "outage[0].pool",
        "queue[1]",
        "queue[2]",
    ]


def test_every_wrong_parameter_of_an_order_is_a_fault(tmp_path: Path) -> None:
    order = 'order = { name = "priority", queue_tim = 5, cores = "x", size = 1 }\n'
    faults = faults_of(tmp_path, f"[policy]\n{order}[[queue]]\nname = 'a'\n{order}")
    told = (
        "queue_tim: unknown 'priority' parameter 'queue_tim'; did you mean 'queue_time'?",
        "size: unknown 'priority' parameter 'size'; known names are",
        "cores: 'x': the weight per processor (C) must be a finite number",
    )
    expected = [f"{key}.{text}" for key in ("queue[0].order", "policy.order") for text in told]
    assert len(faults) == len(expected)
    for fault, words in zip(faults, expected, strict=True):
        assert fault.startswith(words)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(sw.SiteError, match="no such site file"):
        sw.Site.from_toml(tmp_path / "none.toml")
    with pytest.raises(sw.SiteError, match="is a folder"):
        sw.Site.from_toml(tmp_path)


@pytest.mark.parametrize(
    ("policy", "line"),
    [
        ('# preset = "slurm-24.05"\n[policy]\npreset = "slurm-24.05"\n', 4),
        ("[policy]\n\n'preset' = 'slurm-24.05'  # ours\n", 4),
        ('policy = { bf_interval = 60, preset = "slurm-24.05" }\n', 2),
        ('policy.preset = "slurm-24.05"\n', 2),
    ],
)
def test_a_preset_of_a_version_without_rules_is_named_with_its_line(
    tmp_path: Path, policy: str, line: int
) -> None:
    with pytest.raises(sw.SiteError) as caught:
        site_of(tmp_path, f"machine.processors = 0\n{policy}[limits]\nrunning = -1\n")
    path = tmp_path / "site.toml"
    assert f"{path}:{line}: policy.preset: version '24.05' of Slurm is not known; use" in str(
        caught.value
    )
    assert "machine.processors" in str(caught.value)
    assert "limits.running" in str(caught.value)


def test_a_fault_names_the_line_of_its_key_or_table(tmp_path: Path) -> None:
    text = """\
# [policy]
[machine]
processors = 8
speed = 2  # processors = 3
[ policy . order ]
name = "multifactor"
agee = 1
[[queue]]
name = "a"
[[queue]]
"name" = '''
[limits]
running = 0
'''
 "walltime" = [
  "2h",
  "1h",
]
[queue.starvation]
[[queue]]
walltime = "1d"
[policy]
bf_max_job_test = "many"
backfill = "slurm"
"""
    with pytest.raises(sw.SiteError) as caught:
        site_of(tmp_path, text)
    lines = [line.removeprefix(f"{tmp_path}/site.toml:") for line in str(caught.value).splitlines()]
    places = {line.split(": ")[1]: int(line.split(": ")[0]) for line in lines}
    assert places == {
        "machine.speed": 4,
        "policy.order.agee": 7,
        "queue[1].walltime": 15,
        "queue[1].starvation": 19,
        "queue[2].name": 20,
        "queue[2].walltime": 21,
        "policy.bf_max_job_test": 23,
        "policy.backfill": 24,
    }
