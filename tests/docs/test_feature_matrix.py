"""The program behaves as stated in the table of machines and features."""

from __future__ import annotations

import re

from feature_matrix import MACHINES, matrix, probes
from generate import ROOT

import slotwise as sw


def test_the_page_says_what_the_program_answers() -> None:
    page = (ROOT / "docs" / "concepts" / "machines.md").read_text(encoding="utf-8")
    assert matrix() in page, "the table is old: run make docs"


def test_every_backfill_has_a_row_and_every_refusal_a_reason() -> None:
    assert {f"backfill `{info.name}`" for info in sw.backfills()} <= probes().keys()
    table, reasons = matrix().split("\n\n")
    cells = [cell for row in table.splitlines()[2:] for cell in row.split(" | ")[1:]]
    assert len(cells) == len(probes()) * len(MACHINES)
    named = {int(number) for number in re.findall(r"no \((\d+)\)", table)}
    given = re.findall(r"^(\d+)\. .+", reasons, flags=re.MULTILINE)
    assert named == set(map(int, given))


def test_nodes_refuse_only_what_does_not_suit_them() -> None:
    nodes = MACHINES["nodes"]
    refused = [feature for feature, probe in probes().items() if probe(nodes) != "yes"]
    assert refused == [
        "backfill `as-logged`",
        "backfill `window`",
        "pools",
        "pools with a threshold",
        "spanning queues",
        "contiguous allocation",
        "placement effect",
    ]
