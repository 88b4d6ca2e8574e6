"""The list of metrics in tables: its order, its notes, and the place of metrics not listed."""

from __future__ import annotations

import slotwise as sw
from slotwise.replay import metric_format
from slotwise.replay.metric_sections import KNOWN, SECTIONS, notes_of, sections_of


def test_waits_and_utilisation_stand_before_slowdowns() -> None:
    keys = [key for section in SECTIONS for key in section.keys]
    assert keys.index("mean_wait") < keys.index("utilisation") < keys.index("mean_bounded_slowdown")
    assert len(set(keys)) == len(keys)


def test_every_metric_of_a_plain_replay_and_of_a_torus_is_listed() -> None:
    trace = sw.Trace.from_columns([0, 5], [10, 10], [1, 4], max_processors=4)
    torus = sw.Site(machine=sw.Torus([2, 2]))
    for site in (sw.Site(), torus):
        assert set(sw.simulate(trace, site).metrics()) <= set(KNOWN)


def test_a_metric_without_a_place_comes_last_under_others() -> None:
    sections = sections_of(["energy_use", "mean_wait"])
    assert [(section.title, section.keys) for section in sections] == [
        ("Wait", ("mean_wait",)),
        ("Others", ("energy_use",)),
    ]
    assert sections_of(["energy_use"], is_main=True) == []


def test_slowdowns_are_explained_with_their_threshold() -> None:
    assert notes_of(["mean_wait"], 10) == []
    floor = notes_of(["max_bounded_slowdown_floor"], 60)
    assert floor == [
        "Bounded slowdown floor = 1 + wait / max(run, 60 s): shorter runs count as 60 s throughout."
    ]


def test_every_section_that_a_metric_names_has_a_place() -> None:
    titles = {section.title for section in SECTIONS}
    assert {single.section for single in metric_format._SINGLE.values()} - titles == {""}
