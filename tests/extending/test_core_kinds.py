"""Additions to the core: a new part needs changes only in the files that mention existing parts.

`additions.py` has an addition of each kind, and `test_compiled_kinds.py` compiles them.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import slotwise as sw
from extending.copies import files_that_name, run_python
from slotwise.report.tables import metrics_html
from slotwise.site.policy import policy_defaults
from slotwise.site.policy.backfill_facts import backfill_facts, parameters

# The script registers one more backfill, as the core would, before the package is imported.
REGISTERED = """
import importlib.util, math, sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("slotwise._core", sys.argv.pop(1))
core = importlib.util.module_from_spec(spec)
sys.modules["slotwise._core"] = core
spec.loader.exec_module(core)
facts, names = core.backfill_facts(), core.backfills()
facts["patient"] = {
    **facts["depth"],
    "parameters": [{
        "name": "patience", "doc": "passes a job waits, at least 2", "default": 3.0, "text": "",
        "kind": "whole", "unit": "passes", "minimum": 2.0, "maximum": math.inf, "names": [],
    }],
}
names.append(("patient", "Jobs wait.", "", [("patience", "passes a job waits", 3.0, 2.0)]))
core.backfill_facts = lambda: facts
core.backfills = lambda: names
import slotwise as sw
"""


def run_with_patience(folder: Path, script: str) -> str:
    core = next(Path(sw.__file__).parent.glob("_core.*.so"))
    (folder / "script.py").write_text(REGISTERED + script)
    source = str(Path(sw.__file__).parents[1])
    text = f"import sys; sys.path.insert(0, {source!r}); exec(open('script.py').read())"
    return run_python(folder / "src", "-c", text, str(core))


def test_an_order_is_one_file() -> None:
    assert files_that_name("wfp3") == {"core/order/builtin/wfp3.cpp"}


def test_a_backfill_is_one_file() -> None:
    assert files_that_name("multiple-queue") == {"core/planner/easy/multiple_queue.cpp"}


def test_a_limit_is_three_files() -> None:
    assert files_that_name("processors_per_group") == {
        "core/site/limits.hpp",
        "pycore/slotwise/site/parts/defaults.toml",
        "pycore/slotwise/site/parts/limits.py",
    }


def test_a_page_shows_a_metric_that_no_file_of_the_package_names() -> None:
    page = metrics_html([{"mean_wait": 1.0, "mean_novelty": 2.0}], ["a"])
    assert "mean novelty" in page


def test_a_parameter_of_a_backfill_is_known_from_its_registration_alone(tmp_path: Path) -> None:
    script = """
policy = sw.Policy(backfill={"name": "patient", "patience": 5})
print(str(policy.backfill))
print(policy.to_dict() == {"order": "fcfs", "backfill": {"name": "patient", "patience": 5}})
print(sw.Policy.from_dict({"backfill": "patient", "patience": 5}) == policy)
print(sw.Policy(**policy.to_dict()) == policy, policy != sw.Policy(backfill="patient"))
print(policy.replace(order="sjf").to_dict()["backfill"]["patience"])
print(policy._to_core().parameters, sw.Policy(backfill="patient")._to_core().parameters)
"""
    assert run_with_patience(tmp_path, script).splitlines() == [
        "patient (patience = 5)", "True", "True", "True True", "5",
        "{'patience': 5.0} {'patience': 3.0}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            '{"backfill": "patient", "patience": 1}',
            "patience 1: it must be a whole number of passes, at least 2",
        ),
        (
            '{"patience": 4}',
            "patience 4: backfill 'easy' ignores patience; leave it out, or choose "
            "backfill patient",
        ),
        (
            '{"backfill": {"name": "patient", "depth": 2}}',
            "backfill.depth unknown 'patient' parameter 'depth'; known names are: patience",
        ),
    ],
)
def test_errors_follow_from_the_registration(tmp_path: Path, given: str, message: str) -> None:
    script = f"""
try:
    sw.Policy.from_dict({given})
except sw.SiteError as fault:
    print(str(fault).replace(": unknown", " unknown"))
"""
    assert run_with_patience(tmp_path, script).strip() == message


def test_files_and_options_follow_from_the_registration(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(
        '[policy]\nbackfill = { name = "patient", patience = 4 }\n', encoding="utf-8"
    )
    script = """
from slotwise.cli.options import policy_options
site = sw.Site.from_toml("site.toml")
print(site.policy.backfill)
print(sw.Site.from_toml("site.toml") == sw.Site(policy=sw.Policy.from_dict(
    {"backfill": "patient", "patience": 4})))
Path("back.toml").write_text(site.to_toml())
print(sw.Site.from_toml("back.toml") == site)
print([(o.flag, o.help) for o in policy_options() if o.field == "patience"])
"""
    assert run_with_patience(tmp_path, script).splitlines() == [
        "patient (patience = 4)", "True", "True",
        "[('--patience', 'Passes a job waits, at least 2; only with --backfill patient. "
        "Default 3.')]",
    ]  # fmt: skip


def test_the_flat_fields_of_a_policy_have_the_registered_defaults() -> None:
    # Some parameters, such as those of `slurm`, are keys in site files but not fields of Policy.
    fields = {field.name: field.default for field in dataclasses.fields(sw.Policy)}
    registered = {name: facts.default for name, facts in parameters().items()}
    assert fields.keys() & registered.keys() >= {"depth", "relaxation", "window"}
    assert policy_defaults() == registered | fields
    for name in fields.keys() & registered.keys():
        assert fields[name] == registered[name], name


@pytest.mark.parametrize("backfill", sorted(backfill_facts()))
def test_what_a_backfill_reads_are_keys_of_a_policy(backfill: str) -> None:
    facts = backfill_facts()[backfill]
    assert facts.reads <= policy_defaults().keys()
    assert facts.reads_given.keys() <= facts.parameters.keys()


def test_parameters_stand_beside_the_name_of_their_backfill() -> None:
    assert sw.Policy(backfill={"name": "depth", "depth": 5}) == sw.Policy("fcfs", "depth", 5)
    assert sw.Policy(backfill={"name": "easy"}) == sw.Policy()
    with pytest.raises(sw.SiteError, match="depth = 3 is also set"):
        sw.Policy(backfill={"name": "depth", "depth": 5}, depth=3)
    with pytest.raises(sw.SiteError, match="is missing; write the name of the backfill"):
        sw.Policy(backfill={"depth": 5})
