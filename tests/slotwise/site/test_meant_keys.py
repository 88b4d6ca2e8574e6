"""Messages about unknown keys that have another name, or belong in another table of a site."""

from __future__ import annotations

from typing import Any

import pytest

import slotwise as sw
from slotwise.site.meant_keys import _IN_SITE
from slotwise.site.policy.order_spec import own_orders
from slotwise.site.toml.reader import fields_of
from slotwise.site.toml.schema import known_keys

QUEUES = [{"name": "gpu"}]
PRESET = {"preset": "slurm-25.11", "order": {"name": "multifactor"}}


def refusal(**tables: Any) -> str:
    with pytest.raises(sw.SiteError) as raised:
        fields_of({"machine": {"nodes": [{"hosts": "n1", "cores": 4}]}, **tables})
    return str(raised.value)


def test_names_of_slurm_lead_to_the_key_of_the_site() -> None:
    told = refusal(queue=[{"name": "gpu", "PriorityTier": 3}])
    assert told.startswith(
        "site: queue[0].PriorityTier: unknown [[queue]] key 'PriorityTier'; Slurm's "
        "PriorityTier is 'queue.NAME.tier' here; known names are: name, processors, "
    )
    # Slurm accepts keys in upper or lower case.
    told = refusal(policy={**PRESET, "priorityweightage": 3})
    assert "Slurm's PriorityWeightAge is 'policy.order.age' here; known names" in told
    told = refusal(policy={**PRESET, "order": {"name": "multifactor", "PriorityMaxAge": 3}})
    assert "'PriorityMaxAge'; Slurm's PriorityMaxAge is 'policy.order.max_age' here;" in told
    assert "Slurm's GrpJobs is 'limits.running' here;" in refusal(GrpJobs=3)


def test_a_parameter_of_an_order_among_those_of_the_policy_is_named() -> None:
    told = refusal(policy={**PRESET, "age": 3})
    assert "unknown [policy] key 'age'; did you mean 'policy.order.age'? known names" in told


@pytest.mark.parametrize("key", _IN_SITE.values())
def test_every_key_exists(key: str) -> None:
    table, *_, name = key.split(".")
    if key.startswith("policy.order."):
        assert name in {each.name for each in own_orders()["multifactor"].parameters}
    else:
        assert name in known_keys(table)
