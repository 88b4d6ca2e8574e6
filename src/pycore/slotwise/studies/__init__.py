"""Published experiments, repeated on this engine, with our figures next to the published ones."""

from __future__ import annotations

from slotwise._moved_modules import keep_old_paths
from slotwise.studies.moved import MOVED
from slotwise.studies.registry import run_study, studies, study
from slotwise.studies.result import StudyResult
from slotwise.studies.row import Row
from slotwise.studies.run import StudyRun
from slotwise.studies.study import StudyInfo

keep_old_paths(MOVED)

__all__ = ["Row", "StudyInfo", "StudyResult", "StudyRun", "run_study", "studies", "study"]
