"""``slotwise compare --with``: changed copies of one site, shown as columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from slotwise.cli.changes import parse_changes, title_of

if TYPE_CHECKING:
    from pathlib import Path

_SITE = """
[machine]
nodes = [
  { name = "cpu", count = 4, cores = 2 },
  { name = "gpu", hosts = "gpu[08-09]", cores = 2, gpus = 1 },
]
[policy]
backfill = "easy"
[limits]
running_per_user = 15
[[queue]]
name = "small"
processors = [1, 4]
priority = 1
nodes = ["type:gpu", "type:cpu"]
[[queue]]
name = "all"
"""


@pytest.fixture
def centre(tmp_path: Path) -> Path:
    """A site with two node types, one of which has named hosts."""
    path = tmp_path / "c.toml"
    path.write_text(_SITE)
    return path


@pytest.fixture
def columns(slotwise: Any, log: Path, centre: Path) -> Any:
    """Return a function that compares the site with changed copies; it returns columns by name."""

    def compared(*changes: str, options: tuple[str, ...] = ()) -> dict[str, Any]:
        typed = [part for change in changes for part in ("--with", change)]
        ended = slotwise("compare", log, centre, *typed, *options, "--json")
        assert ended.code == 0, ended.err
        return {column["name"]: column for column in json.loads(ended.out)["columns"]}

    return compared


def test_only_the_first_column_is_described_in_full(slotwise: Any, log: Path, centre: Path) -> None:
    both = "limits.running_per_user=20, policy.backfill=conservative"
    shown = slotwise(
        "compare", log, centre, "--with", "machine.nodes.cpu.count=+20", "--with", both
    ).out
    assert shown.count("order fcfs") == 1
    flat = " ".join(shown.split())
    assert " c: order fcfs, backfill easy" in flat
    assert " cpu +20: c with machine.nodes.cpu.count=+20; replayed in" in flat
    assert f" running_per_user=20, conservative: c with {both}; replayed in" in flat


def counts(column: dict[str, Any]) -> list[Any]:
    """Return the count or the hosts of each node type."""
    types = column["site"]["machine"]["nodes"]
    return [kind.get("count", kind.get("hosts")) for kind in types]


def test_the_site_comes_first_and_each_with_is_one_more_column(columns: Any) -> None:
    found = columns(
        "machine.nodes.cpu.count=+20", "limits.running_per_user=20, policy.backfill=conservative"
    )
    assert list(found) == ["c", "cpu +20", "running_per_user=20, conservative"]
    first, more, stricter = found.values()
    assert counts(first) == [4, "gpu[08-09]"]
    assert counts(more) == [24, "gpu[08-09]"]
    assert first["site"]["limits"] == more["site"]["limits"] == {"running_per_user": 15}
    assert stricter["site"]["limits"] == {"running_per_user": 20}
    assert stricter["site"]["policy"]["backfill"] == "conservative"
    assert counts(stricter) == counts(first)
    assert [column["with"] for column in found.values()] == [
        None,
        "machine.nodes.cpu.count=+20",
        "limits.running_per_user=20, policy.backfill=conservative",
    ]


@pytest.mark.parametrize(
    ("change", "title", "count"),
    [
        ("+20", "cpu +20", 24),
        ("-3", "cpu -3", 1),
        ("*2", "cpu *2", 8),
        ("*1.5", "cpu *1.5", 6),
        ("*1.1", "cpu *1.1", 4),  # 4.4 is rounded down.
        ("*1.125", "cpu *1.125", 5),  # 4.5 is rounded up.
        ("7", "cpu=7", 7),
    ],
)
def test_a_sign_changes_a_number(columns: Any, change: str, title: str, count: int) -> None:
    found = columns(f"machine.nodes.cpu.count={change}")
    assert list(found) == ["c", title]
    assert counts(found[title])[0] == count


@pytest.mark.parametrize(
    ("change", "hosts"),
    [
        ("+3", "gpu[08-12]"),  # New hosts take the next numbers.
        ("-1", "gpu08"),  # The last hosts are removed.
        ("4", "gpu[08-11]"),
        ("*1", "gpu[08-09]"),
    ],
)
def test_a_count_extends_or_cuts_the_hosts(columns: Any, change: str, hosts: str) -> None:
    assert counts([*columns(f"machine.nodes.gpu.count={change}").values()][1]) == [4, hosts]


def test_other_numbers_change_too(columns: Any) -> None:
    found = columns(
        "limits.running_per_user=*1.1, queue.small.priority=*1.5",
        "queue[0].processors=[1, 2], queue.small.priority=-3",
        "limits=",
    )
    assert list(found) == [
        "c",
        "running_per_user *1.1, small.priority *1.5",
        "queue[0].processors=[1, 2], small.priority -3",
        "no limits",
    ]
    _, factors, ranges, none = (column["site"] for column in found.values())
    # Limits are whole numbers, so 16.5 is rounded up. A priority may be a fraction.
    assert factors["limits"]["running_per_user"] == 17
    assert factors["queue"][0]["priority"] == 1.5
    assert ranges["queue"][0]["processors"] == [1, 2]
    assert ranges["queue"][0]["priority"] == -2
    assert "limits" not in none


def test_changes_start_from_values_of_the_command_line(columns: Any) -> None:
    found = columns("machine.nodes.cpu.count=+1", options=("--set", "machine.nodes.cpu.count=10"))
    assert [counts(column)[0] for column in found.values()] == [10, 11]


def test_processors_of_a_plain_machine(slotwise: Any, log: Path, tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text('[policy]\norder = "sjf"\n')
    typed = ("compare", log, "plain.toml", "--with", "machine.processors=+8", "--json")
    ended = slotwise(*typed, "--processors", "8")
    first, second = json.loads(ended.out)["columns"]
    assert second["site"]["machine"] == {"processors": 16}
    assert (first["metrics"]["n_rejected"], second["metrics"]["n_rejected"]) == (1, 0)
    unknown = slotwise(*typed)
    assert unknown.code == 2
    assert "the site has no machine.processors" in unknown.err
    assert "--processors N" in unknown.err


def test_a_backfill_drops_parameters_that_it_does_not_read(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "deep.toml").write_text('[policy]\nbackfill = "depth"\ndepth = 4\n')
    ended = slotwise(
        "compare", log, "deep.toml", "--with", "policy.backfill=easy", "--with", "policy.depth=*2",
        "--json",
    )  # fmt: skip
    policies = [column["site"]["policy"] for column in json.loads(ended.out)["columns"]]
    assert [policy.get("depth") for policy in policies] == [4, None, 8]


def test_long_changes_have_headings_of_several_short_lines(columns: Any) -> None:
    change = "limits.per_user={nodes = 8, jobs_of_that_long_name_which_is_cut = 2}"
    assert title_of(parse_changes(change)).split(", ") == [
        "per_user={nodes = 8",
        "jobs_of_that_long_name_which_i…",
    ]
    long = "policy.order={name = 'priority', queue_time = 5, expansion = 100}"
    assert list(columns(long))[1] == long.removeprefix("policy.order=")


def test_headings_have_one_change_per_line(slotwise: Any, log: Path, centre: Path) -> None:
    typed = ("limits.running_per_user=20, policy.backfill=conservative",)
    ended = slotwise("compare", log, centre, "--with", *typed)
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["running_per_user=20,"] in lines
    assert ["c", "conservative"] in lines


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("--with machine.nodes.gpx.count=+1", "unknown machine.nodes 'gpx'; did you mean 'gpu'?"),
        ("--with limits.runing_per_user=+1", "did you mean 'running_per_user'?"),
        ("--with limits.runing_per_user=1", "did you mean 'running_per_user'?"),
        ("--with limits.running=+1", "has no limits.running to change"),
        ("--with nodes.gpu.count=+2", "did you mean 'machine.nodes.gpu.count'?"),
        ("--with bf_interval=*2", "did you mean 'policy.bf_interval'?"),
        ("--with policy.backfill.bf_interval=*2", "did you mean 'policy.bf_interval'?"),
        ("--with policy.backfill.nothing=*2", "policy.backfill is 'easy', which has no keys"),
        (
            "--with policy.backfill=+1",
            "policy.backfill is the string 'easy', but + can change only numbers",
        ),
        ("--with queue.small.nodes=*2", "queue.small.nodes is ['type:gpu', 'type:cpu'], but *"),
        ("--with machine.nodes.cpu.count=+many", "'+many' is not a change to a number"),
        (
            "--with machine.nodes.cpu.count=-4",
            "would leave 0 of 4 nodes, but a node type needs at least 1",
        ),
        (
            "--with machine.nodes.gpu.count=-3",
            "would leave -1 of 2 nodes, but a node type needs at least 1",
        ),
        (
            "--with machine.nodes.gpu.count=0",
            "would leave 0 of 2 nodes, but a node type needs at least 1",
        ),
        ("--with machine.nodes.gpu.count=*0.1", "would leave 0 of 2 nodes"),
        ("--with machine.nodes.gpu.count=2.5", "use a whole number"),
        ("--with machine.nodes.gpu.count=3,policy.backfill=none", "a comma and a space between"),
        ("--with machine.nodes.gpu.count", "must be key=value"),
        ("--with limits=,", "is not a table"),
        ("--with policy.depth=4", "ignores depth"),
        ("c.toml --with policy.backfill=none", "needs exactly one site file, but 2 are given"),
        ("--with policy.backfill=none --backfill easy", "--backfill, which adds other columns"),
        ("--with policy.backfill=none --order sjf", "--order, which adds other columns"),
        ("--with policy.backfill=none --preset pyss", "--preset, which adds other columns"),
        ("--with policy.backfill=none --policy order=sjf", "--policy, which adds other columns"),
        ("--with limits= --with limits=", "is given twice"),
    ],
)
def test_bad_changes_end_with_one_message(
    slotwise: Any, log: Path, centre: Path, typed: str, message: str
) -> None:
    ended = slotwise("compare", log, centre, *typed.split())
    assert ended.code == 2
    assert message in " ".join(ended.err.split())
    assert ended.err.count("slotwise: error") == 1
    assert ended.out == ""


def test_a_change_needs_a_site(slotwise: Any, log: Path) -> None:
    ended = slotwise("compare", log, "--with", "policy.backfill=none")
    assert ended.code == 2
    assert "exactly one site file, but none is given" in " ".join(ended.err.split())
    assert slotwise("compare", log, "c.toml", "--with", "").code == 2


def test_a_site_without_nodes_has_no_count_of_nodes(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "plain.toml").write_text("[machine]\nprocessors = 8\n")
    for change in ("+2", "2"):
        ended = slotwise(
            "compare", log, "plain.toml", "--with", f"machine.nodes.gpu.count={change}"
        )
        assert ended.code == 2
        assert "--with machine.nodes.gpu.count" in ended.err


def test_two_parts_with_one_key_contradict_each_other(
    slotwise: Any, log: Path, centre: Path
) -> None:
    ended = slotwise("compare", log, centre, "--with", "limits.running=3, limits.running=4")
    assert ended.code == 2
    assert "contradict each other" in ended.err


def test_hosts_without_a_number_are_not_extended(slotwise: Any, log: Path, tmp_path: Path) -> None:
    nodes = '[machine]\nnodes = [{ name = "old", hosts = "a[1-4]-ib", cores = 2 }]\n'
    (tmp_path / "ib.toml").write_text(nodes)
    ended = slotwise("compare", log, "ib.toml", "--with", "machine.nodes.old.count=+1")
    assert ended.code == 2
    told = " ".join(ended.err.split())
    assert (
        "the last host 'a4-ib' does not end in a number, so no further hosts can be numbered"
        in told
    )
    assert "machine.nodes.old.hosts=LIST" in told
    fewer = slotwise("compare", log, "ib.toml", "--with", "machine.nodes.old.count=-1", "--json")
    assert counts(json.loads(fewer.out)["columns"][1]) == ["a1-ib,a2-ib,a3-ib"]


def test_new_hosts_follow_those_of_another_type(slotwise: Any, log: Path, tmp_path: Path) -> None:
    nodes = (
        '[machine]\nnodes = [{ name = "a", hosts = "n[1-4]", cores = 2 }, '
        '{ name = "b", hosts = "n[5-8]", cores = 2 }]\n'
    )
    (tmp_path / "two.toml").write_text(nodes)
    ended = slotwise("compare", log, "two.toml", "--with", "machine.nodes.a.count=+2", "--json")
    assert counts(json.loads(ended.out)["columns"][1]) == ["n[1-4,9-10]", "n[5-8]"]


_NAMED = """
[machine]
nodes = [
  { name = "n", hosts = "n[1-4]", cores = 2 }, { name = "fat", count = 2, cores = 2 },
]
[[queue]]
name = "all"
nodes = ["n[1-4]", "fat[1-2]"]
[[queue]]
name = "some"
nodes = ["n[3-4]"]
trace_queues = [7]
"""


@pytest.mark.parametrize(
    ("change", "lists"),
    [
        # Queue "all" has every node of the type, so it gets the new ones; queue "some" does not.
        ("machine.nodes.n.count=+2", [["n[1-4]", "fat[1-2]", "n[5-6]"], ["n[3-4]"]]),
        ("machine.nodes.fat.count=+1", [["n[1-4]", "fat[1-2]", "fat3"], ["n[3-4]"]]),
        # Removed nodes disappear from every list.
        ("machine.nodes.n.count=-1", [["n[1-3]", "fat[1-2]"], ["n3"]]),
        (
            "machine.nodes.n.count=+1, machine.nodes.fat.count=-1",
            [["n[1-4]", "fat1", "n5"], ["n[3-4]"]],
        ),
        ('machine.nodes.n.count=+1, queue.all.nodes=["type:n"]', [["type:n"], ["n[3-4]"]]),
    ],
)
def test_lists_of_nodes_of_queues_follow(
    slotwise: Any, log: Path, tmp_path: Path, change: str, lists: list[list[str]]
) -> None:
    (tmp_path / "named.toml").write_text(_NAMED)
    ended = slotwise("compare", log, "named.toml", "--with", change, "--json")
    assert ended.code == 0, ended.err
    queues = json.loads(ended.out)["columns"][1]["site"]["queue"]
    assert [queue["nodes"] for queue in queues] == lists


def test_new_nodes_that_no_queue_takes_are_refused(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    site = (
        '[machine]\nnodes = [{ name = "n", hosts = "n[1-4]", cores = 2 }]\n'
        '[[queue]]\nname = "most"\nnodes = ["n[1-3]"]\n'
        '[[queue]]\nname = "last"\nnodes = ["n4"]\ntrace_queues = [7]\n'
    )
    (tmp_path / "named.toml").write_text(site)
    ended = slotwise("compare", log, "named.toml", "--with", "machine.nodes.n.count=+2")
    assert ended.code == 2
    assert "no queue includes the new nodes n[5-6]" in ended.err
    both = 'machine.nodes.n.count=+2, queue.most.nodes=["type:n"]'
    assert slotwise("compare", log, "named.toml", "--with", both).code == 0
    # No node of the queue "last" is left.
    fewer = slotwise("compare", log, "named.toml", "--with", "machine.nodes.n.count=-1")
    assert fewer.code == 2
    changed = "this changes the hosts to n[1-3]; change the rest of the site to match"
    assert changed in " ".join(fewer.err.split())


def test_a_key_that_the_file_leaves_out_is_changed_from_its_default(
    slotwise: Any, log: Path, tmp_path: Path
) -> None:
    # The defaults are 500 jobs per cycle, a queue tier of 1 and a maximum age of seven days.
    (tmp_path / "s.toml").write_text(
        '[machine]\nnodes = [{ hosts = "n[1-8]", cores = 1 }]\n'
        '[policy]\npreset = "slurm-25.11"\n[[queue]]\nname = "all"\n'
    )
    changes = ("policy.bf_max_job_test=*2", "queue.all.tier=+4", "policy.order.max_age=*2")
    typed = [part for change in changes for part in ("--with", change)]
    ended = slotwise("compare", log, "s.toml", *typed, "--json")
    assert ended.code == 0, ended.err
    _, tested, tier, age = json.loads(ended.out)["columns"]
    assert tested["site"]["policy"]["backfill"]["bf_max_job_test"] == 1000
    assert tier["site"]["queue"][0]["tier"] == 5
    assert age["site"]["policy"]["order"]["max_age"] == 2 * 604800
