"""Fixture: one month of the paper's workload."""

from __future__ import annotations

import pytest

import slotwise as sw


@pytest.fixture(scope="session")
def serc() -> sw.Trace:
    return sw.generate("serc", seed=1)
