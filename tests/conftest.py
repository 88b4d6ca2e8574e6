"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_traces() -> Path:
    """The folder of real logs, which are not part of the repository."""
    given = os.environ.get("SLOTWISE_TRACES")
    for folder in (Path(given) if given else None, ROOT.parent / "shared" / "traces"):
        if folder is not None and (folder / "reference").is_dir():
            return folder
    pytest.skip("the real logs are missing; set SLOTWISE_TRACES to their folder")


# Examples have no deadline, because the time they take depends on the load of the machine.
settings.register_profile("slotwise", deadline=None)
settings.load_profile("slotwise")
