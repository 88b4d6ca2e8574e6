"""Recorded answers that each replay must reproduce, so that no wrong replay goes unnoticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).resolve().parents[1] / "answers.json"


def key(name: str, policy: dict[str, Any]) -> str:
    return f"{name} | " + ", ".join(f"{k}={v}" for k, v in sorted(policy.items()))


def load(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    answers: dict[str, dict[str, Any]] = json.loads(path.read_text())
    return answers


def save(path: Path, answers: dict[str, dict[str, Any]]) -> None:
    path.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n")


def fault(name: str, recorded: dict[str, Any] | None, found: dict[str, Any]) -> str | None:
    """Describe how an answer differs from the recorded one; None if it does not, or none exists."""
    if recorded is None or recorded == found:
        return None
    what = "its workload" if recorded["trace"] != found["trace"] else "the schedule"
    differences = ", ".join(
        f"{k} {found.get(k)} (recorded {v})" for k, v in recorded.items() if found.get(k) != v
    )
    return f"WRONG ANSWER in {name}: {what} is not the recorded one: {differences}."
