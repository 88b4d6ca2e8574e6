"""Published experiments, repeated on this engine, with our figures next to the published ones."""

from __future__ import annotations

from slotwise.studies.moved import keep_old_paths
from slotwise.studies.registry import run_study, studies, study
from slotwise.studies.result import StudyResult
from slotwise.studies.row import Row
from slotwise.studies.run import StudyRun
from slotwise.studies.study import StudyInfo

keep_old_paths()

__all__ = ["Row", "StudyInfo", "StudyResult", "StudyRun", "run_study", "studies", "study"]
