"""``--columns``: the metrics that a table shows, by name."""

from __future__ import annotations

from slotwise.replay.metric_sections import KNOWN, SHARE
from slotwise.site.names import unknown_name
from slotwise.terminal.exits import UsageError


def parse_columns(written: str | None, *, wide: bool, as_json: bool) -> tuple[str, ...]:
    """Read ``mean_wait,utilisation``; return an empty tuple if the option is not given.

    If a replay lacks a metric, such as ``fragmentation`` without a torus, or
    ``utilisation_of_gpus`` on a machine without GPUs, its cell is a dash.

    Raises
    ------
    UsageError
        For an unknown, repeated or empty name, and if another option also chooses metrics.
    """
    if written is None:
        return ()
    if wide or as_json:
        other = "--wide" if wide else "--json"
        raise UsageError(
            f"--columns {written} chooses metrics, but {other} prints every metric; "
            "use only one of the two options"
        )
    names = tuple(name.strip() for name in written.split(","))
    if "" in names:
        raise UsageError(
            f"--columns {written} must be metric names separated by commas; write, for example, "
            "mean_wait,utilisation"
        )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise UsageError(f"--columns {written}: '{repeated[0]}' is listed twice; remove one")
    for name in names:
        if name not in KNOWN and not name.startswith(SHARE):
            raise UsageError(f"--columns: {unknown_name('metric', name, KNOWN)}")
    return names
