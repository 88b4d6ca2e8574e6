"""Names of users, queues and states in a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import slotwise as sw
from reference.job_logs import SLURMDBD
from slotwise.cli import main
from slotwise.trace.labels import anonymous, renumbered

if TYPE_CHECKING:
    from pathlib import Path


def test_anonymous_labels_name_no_person() -> None:
    labels = {
        "user": {1: "ann", 2: "bob"},
        "account": {4: "physics"},
        "node_list": {1: "n[1-4]"},
        "queue": {1: "batch"},
        "qos": {1: "high"},
        "state": {1: "COMPLETED", 2: "CANCELLED by 1001", 3: ""},
    }
    assert anonymous(labels) == {
        "user": {1: "user1", 2: "user2"},
        "account": {4: "account4"},
        "node_list": {1: "node_list1"},
        "queue": {1: "batch"},
        "qos": {1: "high"},
        "state": {1: "COMPLETED", 2: "CANCELLED", 3: ""},
    }


def test_codes_are_numbered_in_order_of_first_occurrence() -> None:
    assert renumbered(np.array([1005, -1, 7, 1005, 7, 0])).tolist() == [1, -1, 2, 1, 2, 3]


def test_numbers_of_users_are_replaced_too(tmp_path: Path) -> None:
    # Job 61 belongs to the Unix user 1001; job 62 never started.
    (tmp_path / "jobs.csv").write_text(SLURMDBD)
    assert sw.read_trace(tmp_path / "jobs.csv").user.tolist() == [1001]
    target = tmp_path / "public.csv"
    assert main(["convert", str(tmp_path / "jobs.csv"), str(target), "--anonymise"]) == 0
    public = sw.read_trace(target)
    assert public.user.tolist() == [1]
    assert public.names("account") == ["account1"]
    assert public.unix_start_time == 1700000000
