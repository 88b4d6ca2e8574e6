"""Statements of the pages about Slurm that the program can confirm."""

from __future__ import annotations

import re

from generate import ROOT

from slotwise.site.policy.backfill_facts import backfill_facts

PAGE = (ROOT / "docs" / "slurm.md").read_text(encoding="utf-8")


def test_the_page_names_every_parameter_whose_unit_is_not_the_second() -> None:
    sentence = re.search(r"Durations have the units[^.]*\.conf`: seconds, (.*?)\.\n\n", PAGE, re.S)
    assert sentence is not None
    minutes, microseconds = sentence[1].split("in minutes")
    parameters = backfill_facts()["slurm"].parameters.values()
    for told, unit in ((minutes, "minutes"), (microseconds, "microseconds")):
        assert set(re.findall(r"`(\w+)`", told)) == {
            each.name for each in parameters if each.unit == unit
        }
