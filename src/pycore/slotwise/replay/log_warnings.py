"""Warnings about parts of a log or a site that a replay ignores or changes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from slotwise.errors import SiteWarning
from slotwise.replay.gpu_warnings import gpu_warnings
from slotwise.replay.request_warnings import request_warnings
from slotwise.replay.site_names import lacking_names
from slotwise.replay.slurm_warnings import slurm_warnings
from slotwise.site.order_checks import idle_weights

if TYPE_CHECKING:
    from slotwise.site import Site
    from slotwise.trace import Trace


def log_warnings(site: Site, trace: Trace) -> list[str]:
    """Return warnings about absent names, idle weights, requests of jobs, and Slurm settings."""
    return [
        *lacking_names(site, trace),
        *idle_weights(site),
        *gpu_warnings(site, trace),
        *request_warnings(site, trace),
        *slurm_warnings(site, trace),
    ]


def warn_of_log(site: Site, trace: Trace) -> None:
    """Issue a `SiteWarning` for each of `log_warnings`."""
    for warning in log_warnings(site, trace):
        warnings.warn(warning, SiteWarning, stacklevel=3)
