"""Finds the logs that a study needs."""

from __future__ import annotations

import os
from pathlib import Path

from slotwise.errors import TraceError

VARIABLE = "SLOTWISE_TRACES"


def log_folder(given: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder of logs.

    Parameters
    ----------
    given : path-like, optional
        The folder named by the user. Default: the environment variable ``SLOTWISE_TRACES``; if
        that is not set, the nearest ``traces`` or ``shared/traces`` folder, in the current folder
        or above it.

    Returns
    -------
    Path or None
        None if no folder is given or found.
    """
    named = given if given is not None else os.environ.get(VARIABLE) or None
    if named is not None:
        return Path(named)
    here = Path.cwd()
    for above in (here, *here.parents):
        for folder in (above / "traces", above / "shared" / "traces"):
            if folder.is_dir():
                return folder
    return None


def log_path(name: str, given: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a log in the folder of logs.

    Raises
    ------
    TraceError
        If the log is not there; the message says how to specify the folder.
    """
    folder = log_folder(given)
    if folder is not None and (folder / name).is_file():
        return folder / name
    where = "cannot be found" if folder is None else f"cannot be found in {folder}"
    raise TraceError(
        f"{where}; set the folder of the logs with --traces, traces=, or {VARIABLE}", path=name
    )
