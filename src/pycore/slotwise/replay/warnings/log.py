"""Warnings about parts of a log or a site that a replay ignores or changes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from slotwise.errors import SiteWarning
from slotwise.replay.site_names import lacking_names
from slotwise.replay.warnings.gpus import gpu_warnings
from slotwise.replay.warnings.requests import request_warnings
from slotwise.replay.warnings.slurm import slurm_warnings
from slotwise.replay.warnings.unlisted_names import unlisted_accounts, unlisted_queues
from slotwise.site.faults import dotted
from slotwise.site.order_checks import idle_weights, orders_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slotwise.site import Site
    from slotwise.trace import Trace


def log_warnings(site: Site, trace: Trace) -> list[str]:
    """Return warnings about a log and a site, such as names and settings without effect."""
    return [
        *lacking_names(site, trace),
        *unlisted_queues(site, trace),
        *idle_weights(site),
        *_unknown_users(site, trace),
        *unlisted_accounts(site, trace),
        *gpu_warnings(site, trace),
        *request_warnings(site, trace),
        *slurm_warnings(site, trace),
    ]


def _unknown_users(site: Site, trace: Trace) -> Iterator[str]:
    """Warn about a fair-share weight if the log contains neither users nor accounts."""
    if not len(trace) or (trace.user >= 0).any() or (trace.account >= 0).any():
        return
    for key, order in orders_of(site):
        value = dict(order.parameters).get("fairshare", 0) if order.name == "multifactor" else 0
        if value:
            yield (
                f"{dotted((*key, 'fairshare'))} {value} cannot distinguish the jobs: the log names "
                "neither users nor accounts, so every job has the fair-share factor of one unknown "
                "user; export User and Account with sacct"
            )
            return


def warn_of_log(site: Site, trace: Trace) -> None:
    """Issue a `SiteWarning` for each of `log_warnings`."""
    for warning in log_warnings(site, trace):
        warnings.warn(warning, SiteWarning, stacklevel=3)
