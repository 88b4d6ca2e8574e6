"""Host lists extended or shortened to a number of names."""

from __future__ import annotations

import pytest

from slotwise.site.machine.resized_hosts import resized_hosts


@pytest.mark.parametrize(
    ("hosts", "count", "resized"),
    [
        ("gpu[001-016]", 20, "gpu[001-020]"),
        ("gpu[001-016]", 4, "gpu[001-004]"),
        ("gpu[001-016]", 16, "gpu[001-016]"),
        ("n[8-9]", 4, "n[8-11]"),
        ("n[98-99]", 3, "n[98-100]"),
        ("n7", 2, "n[7-8]"),
        ("a[1-2],b[1-2]", 5, "a[1-2],b[1-3]"),
        ("a[1-2],b[1-2]", 3, "a[1-2],b1"),
        ("n[5-8],n[1-2]", 7, "n[5-8,1-2,9]"),  # n8 is the highest name
        ("r[1-2]n[1-2]", 5, "r1n[1-2],r2n[1-3]"),
    ],
)
def test_names_follow_the_last_one_or_are_cut(hosts: str, count: int, resized: str) -> None:
    assert resized_hosts(hosts, count, 1000) == resized


def test_a_name_without_a_number_is_not_continued() -> None:
    with pytest.raises(ValueError, match="the last host 'login' does not end in a number"):
        resized_hosts("n[1-3],login", 5, 1000)
    assert resized_hosts("n[1-3],login", 3, 1000) == "n[1-3]"


def test_new_names_follow_those_of_all_other_nodes() -> None:
    # n9 has the highest number among names that begin with n; x20 does not count.
    assert resized_hosts("n[1-3]", 5, 1000, {"n5", "n9", "x20"}) == "n[1-3,10-11]"
    assert resized_hosts("n[1-3]", 2, 1000, {"n5", "n9", "x20"}) == "n[1-2]"
