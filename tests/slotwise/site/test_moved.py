"""Modules that moved into subpackages of `slotwise.site` still have their old import paths."""

from __future__ import annotations

import pickle
from importlib import import_module

import pytest

import slotwise as sw
from slotwise.site.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_path_gives_the_moved_module(old: str) -> None:
    assert import_module(old) is import_module(MOVED[old])


def test_a_class_can_be_loaded_by_its_old_path() -> None:
    # In pickle protocol 0, the opcode c is followed by the module and the class, each on a line.
    assert pickle.loads(b"cslotwise.site.nodes\nNodeType\n.") is sw.NodeType


def test_machine_and_policy_keep_their_names() -> None:
    machine = import_module("slotwise.site.machine")
    policy = import_module("slotwise.site.policy")
    assert machine.Processors is sw.Processors
    assert policy.Policy is sw.Policy
    assert policy.backfills is sw.backfills
