"""``slotwise info``."""

from __future__ import annotations

from slotwise.cli.shared_options import JsonOption, NodesOption, StrictOption, TraceArgument


def info(
    trace: TraceArgument,
    json: JsonOption = False,
    strict: StrictOption = False,
    nodes: NodesOption = None,
) -> None:
    """Describe TRACE: jobs, machine, load, users, estimates, and repairs made while reading."""
    from slotwise.cli.commands.info import show_trace

    show_trace(trace, strict=strict, as_json=json, nodes=nodes)
