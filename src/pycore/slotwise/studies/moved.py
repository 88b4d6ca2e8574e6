"""Old import paths of modules that moved from the studies to `slotwise.advice`, or within a study.

``import slotwise.studies.queues.parameters`` gives the
`slotwise.advice.queue_design.parameters` module itself. The new `slotwise.studies.queues.replays`
module also provides the names of `slotwise.advice.queue_design.replays`.
"""

from __future__ import annotations

_QUEUE_DESIGN = (
    "base batch_lines bounds carve history layout merge multiple_queue parameters program "
    "recommend sampling search shares split strategies surrogate"
)
_WEIGHTS = "comparison formula outcomes ratios search tuning"

MOVED = {
    "slotwise.studies.dispatch.eurora": "slotwise.studies.dispatch.workloads",
    "slotwise.studies.dispatch.site": "slotwise.studies.dispatch.sites",
    "slotwise.studies.priority.refund_replays": "slotwise.studies.priority.replays",
    "slotwise.studies.queues.derive": "slotwise.studies.queues.sites",
    "slotwise.studies.queues.rolling": "slotwise.studies.queues.replays",
    "slotwise.studies.priority.advise": "slotwise.advice.start_forecast",
    "slotwise.studies.priority.checkpoints": "slotwise.advice.checkpoints",
    "slotwise.studies.priority.refunds": "slotwise.advice.refunds",
    "slotwise.studies.priority.run_ratios": "slotwise.advice.run_ratios",
    **{f"slotwise.studies.priority.{n}": f"slotwise.advice.weights.{n}" for n in _WEIGHTS.split()},
    **{
        f"slotwise.studies.queues.{name}": f"slotwise.advice.queue_design.{name}"
        for name in _QUEUE_DESIGN.split()
    },
}
"""The current path of each module, by its old path."""
