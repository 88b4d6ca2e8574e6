"""Tools that moved out of the studies can still be imported from their old paths."""

from __future__ import annotations

from importlib import import_module

import pytest

from slotwise.studies.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_path_gives_the_moved_module(old: str) -> None:
    assert import_module(old) is import_module(MOVED[old])


def test_an_old_path_has_the_names_of_the_new_one() -> None:
    from slotwise.studies.queues.parameters import Parameters

    from slotwise.advice.queue_design import parameters as new
    from slotwise.studies.queues import parameters as old

    assert old is new
    assert Parameters is new.Parameters
    assert new.__spec__ is not None
    assert new.__spec__.name == "slotwise.advice.queue_design.parameters"


def test_replays_of_the_queue_study_keep_their_old_names() -> None:
    from slotwise.advice.queue_design import replays as new
    from slotwise.studies.queues import replays as old

    assert (old.Replays, old.Waits) == (new.Replays, new.Waits)
