"""Messages on the command line: they use the terms of the shell and of site files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import slotwise as sw

if TYPE_CHECKING:
    from pathlib import Path

# Python notation that no message may contain: constructors, constants, powers and dates.
PYTHON = re.compile(
    r"\b(True|False|None)\b|\b[A-Z]\w+\(|datetime|\{'|\*\*|\bPython\b|Input should|\(\d+, "
)

SETTINGS = [
    ("policy.depth={a=1}", "{ a = 1 } must be a whole number"),
    ("policy.bf_interval=1m", "'1m' must be a whole number of seconds"),
    ("policy.bf_window=2d", "'2d' must be a whole number of minutes"),
    ("policy.depth=2020-01-01", "2020-01-01 must be a whole number"),
    ("policy.depth=[true]", "[true] must be a whole number"),
    ('policy.order={name="priority",cores=true}', "cores: true: the weight per processor"),
    ('policy.order={name="expression",key=false}', "key: false: the expression must be text"),
    ("limits.running=true", "true must be a whole number of jobs"),
    ("crashes.mean=[true]", "[true] must be a duration"),
    ("clock.start=true", "true must be a date and time to the second"),
    ('queue=[{name="a",hours=[12:00:00]}]', "12:00:00 must be hours of the day"),
    ('queue={name="a"}', "{ name = 'a' } is not a list of tables; write [[queue]]"),
    ("machine.torus={a=1}", "{ a = 1 } must be a list of whole numbers"),
    ("machine.nodes=3", "3 must be a list of tables, such as [{ count = 32, cores = 16 }]"),
    ("machine.nodes=[3]", "3 must be a list of tables"),
    ("machine.nodes=[{count=true,cores=4}]", "count: true: a machine must have at least one"),
    ("machine.nodes=[{count=1,cores=true}]", "cores: true must be a whole number from 1 to 2^40"),
    ("machine.nodes=[{count=1,cores=4,memory=true}]", "memory: true must be a whole number of KB"),
]


def test_a_slurm_conf_in_place_of_a_log_or_site_names_the_command_that_reads_it(
    slotwise: Any, tmp_path: Path, log: Path
) -> None:
    conf = tmp_path / "slurm.conf"
    conf.write_text("# own\nClusterName=own\nNodeName=n[1-4] CPUs=16\nPartitionName=a Nodes=ALL\n")
    remedy = (
        "it looks like a slurm.conf; create a site file from it with 'slotwise site from-slurm "
        f"{conf} > site.toml'"
    )
    ended = slotwise("run", conf, "--processors", "8")
    assert ended.code == 3
    assert f"slurm.conf: the file is not a log: {remedy}" in ended.err
    for typed in (("run", log, "--site", conf), ("compare", log, conf), ("site", "check", conf)):
        ended = slotwise(*typed)
        assert ended.code == 2
        assert f"not TOML: Invalid value (at line 2, column 13); {remedy}" in ended.err
    ended = slotwise("run", log, conf)
    assert ended.code == 2
    words = "the only argument is the log; pass a site file with --site. See: slotwise run --help"
    assert words in ended.err


@pytest.mark.parametrize(("setting", "words"), SETTINGS)
def test_a_wrong_value_is_shown_in_the_notation_of_a_site_file(
    slotwise: Any, log: Path, setting: str, words: str
) -> None:
    ended = slotwise("run", log, "--set", setting)
    assert ended.code == 2
    told = ended.err.replace(setting, "…")
    assert words in told
    assert not PYTHON.search(told), told


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "headless.swf"],
        ["compare", "headless.swf", "--backfill", "none,easy"],
        ["explain", "log.swf", "99"],
        ["run", "asked.csv"],
        ["advise", "--state", "asked.csv", "--site", "nodes.toml", "--cores", "4",
         "--walltime", "1h"],
        ["run", "large.csv"],
        ["run", "log.swf", "--processors", "99999999999"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_remedies_are_for_the_shell(
    slotwise: Any, log: Path, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "headless.swf").write_text(log.read_text().replace("; MaxProcs: 8\n", ""))
    names = "submit,run_time,processors,units,unit_cores,unit_gpus\n"
    (tmp_path / "asked.csv").write_text(names + "0,10,4,1,4,0\n")
    (tmp_path / "large.csv").write_text(names + "0,10,4,1,4,1e300\n")
    (tmp_path / "nodes.toml").write_text(
        "[machine]\nnodes = [{ count = 2, cores = 16, gpus = 1 }]\n"
    )
    ended = slotwise(*arguments)
    assert ended.code in {2, 3}
    assert not PYTHON.search(ended.err), ended.err


def test_a_name_that_a_log_without_names_cannot_have_is_refused(slotwise: Any, log: Path) -> None:
    shape = ("--state", f"{log}@50", "--cores", "2", "--walltime", "1h")
    for option, word, names in (("user", "ann", "user"), ("queue", "gpu", "queue or partition")):
        ended = slotwise("advise", *shape, f"--{option}", word)
        assert f"--{option} {word}: the log has no {names} names; pass a number" in ended.err


def test_presets_are_listed_as_in_a_site_file(slotwise: Any) -> None:
    assert not PYTHON.search(slotwise("policies").out)


def test_the_remedy_in_python_is_a_note_of_the_error() -> None:
    with pytest.raises(sw.SiteError) as caught:
        sw.simulate(sw.Trace.from_columns([0], [1], [1]))
    assert caught.value.__notes__ == ["In Python: Site(machine=1152)"]


def test_a_list_without_quotes_is_shown_with_them(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--set", "queue.all.nodes=[type:gpu, n1]")
    assert ended.code == 2
    assert 'need quotes; write ["type:gpu", "n1"], and enclose' in " ".join(ended.err.split())


def test_run_names_its_option_instead_of_that_of_compare(slotwise: Any, log: Path) -> None:
    ended = slotwise("run", log, "--with", "policy.backfill=none")
    assert ended.code == 2
    assert "--with (only compare has it); write --set KEY=VALUE instead" in " ".join(
        ended.err.split()
    )
