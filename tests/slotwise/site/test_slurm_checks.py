"""Settings that the ``slurm`` backfill refuses, in sites that also have other faults."""

from __future__ import annotations

import re
from typing import Any

import pytest

import slotwise as sw
from slotwise.site.toml.reader import fields_of

SITE = {
    "machine": {"nodes": [{"hosts": "n1", "cores": 4}]},
    "policy": {"preset": "slurm-25.11"},
}


def faults(**tables: Any) -> list[str]:
    with pytest.raises(sw.SiteError) as raised:
        fields_of(SITE | tables)
    return [line.partition(": known")[0] for line in str(raised.value).splitlines()]


@pytest.mark.parametrize(
    "tables",
    [
        {"queue": [{"name": "gpu", "tire": 50}]},
        {"limits": {"runing": 50}},
        {"named_limit": [{"users": ["ann"], "runing": 50}]},
    ],
)
def test_an_unknown_key_is_the_only_fault(tables: dict[str, Any]) -> None:
    (fault,) = faults(**tables)
    assert re.search(r"unknown \[+\w+\]+ key '", fault)


def test_keys_that_are_given_are_refused_next_to_an_unknown_one() -> None:
    found = faults(queue=[{"name": "gpu", "tire": 50, "hours": "20:00-08:00"}])
    assert len(found) == 2
    assert found[1] == (
        "site: queue[0].hours: backfill 'slurm' does not support this yet; leave it out, or "
        "choose another backfill"
    )
