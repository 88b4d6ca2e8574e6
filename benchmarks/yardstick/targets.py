"""Targets for the benchmark figures, and verdicts on measured rows."""

from __future__ import annotations

import math
from typing import Any

READING = 400  # target in MB of text per second
BYTES_A_JOB = 120
SIX_QUEUES = 2  # largest cost relative to the one-queue replay
MILLIONS = 10_000_000
BUSY = 0.85  # highest load at which easy with the `priority` order has a bound


MOST_IN_THE_MEAN = {"easy": 4, "easy priority": 8, "conservative": 40}


def bounded_policy(policy: dict[str, Any]) -> str:
    """Return the policy's key in the table of targets; all orders but `priority` count as fcfs."""
    priority = policy["backfill"] == "easy" and policy["order"] == "priority"
    return "easy priority" if priority else str(policy["backfill"])


def target(policy: dict[str, Any], row: dict[str, Any]) -> tuple[str, float] | None:
    """Return the name of the figure that has a bound in this row, and the bound, or None.

    Under overload (a load above 1), some policies have a looser bound or none.
    """
    overload = row["row"]["load"] > 1
    many = row["row"]["jobs"] >= MILLIONS
    named = bounded_policy(policy)
    if named == "easy":
        return "ratio", 10 if overload and many else 6
    if named == "easy priority":
        if row["row"]["load"] > BUSY:
            return None
        return "ratio", 50 if row["name"].startswith("RICC") else 12
    if named == "conservative":
        if row["name"].startswith("RICC"):
            return "replay_seconds", 120
        return None if overload or many else ("ratio", 80)
    return None


def bound_text(bound: tuple[str, float] | None) -> str:
    if bound is None:
        return "-"
    return f"{bound[1]:g} x" if bound[0] == "ratio" else f"{bound[1]:g} s"


def verdict(bound: tuple[str, float] | None, row: dict[str, Any]) -> str:
    """Return pass, fail, shown (no bound) or unknown (the replay was stopped before the bound)."""
    if row.get("bytes_a_job", 0) > BYTES_A_JOB:
        return "fail"
    if bound is None:
        return "shown"
    if "over_limit" in row:
        allowed = bound[1] if bound[0] == "replay_seconds" else 0
        return "fail" if row["over_limit"] >= allowed else "unknown"
    return "pass" if row[bound[0]] <= bound[1] else "fail"


def geometric_mean(values: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def summary(policy: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean and worst ratios, once over all finished rows and once over bounded ones."""
    ended = [r for r in rows if "ratio" in r]
    out: dict[str, Any] = {}
    for name, chosen in (
        ("all", ended),
        ("bounded", [r for r in ended if (target(policy, r) or ("",))[0] == "ratio"]),
    ):
        if chosen:
            worst = max(chosen, key=lambda r: r["ratio"])
            mean = geometric_mean([r["ratio"] for r in chosen])
            out[name] = {"rows": len(chosen), "geometric_mean": mean}
            out[name] |= {"worst": worst["ratio"], "worst_row": worst["name"]}
    most = MOST_IN_THE_MEAN.get(bounded_policy(policy))
    if most and "bounded" in out:
        out["target"] = most
        out["verdict"] = "pass" if out["bounded"]["geometric_mean"] <= most else "fail"
    return out
