"""Names of users, queues and states in a trace."""

from __future__ import annotations

from slotwise.trace.labels import anonymous


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
