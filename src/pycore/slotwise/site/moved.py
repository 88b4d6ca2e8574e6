"""Old import paths of modules that moved into `machine`, `policy` and `toml`.

``import slotwise.site.nodes`` gives the `slotwise.site.machine.nodes` module itself.
"""

from __future__ import annotations

_MACHINE = (
    "hostlist machine_readers node_checks node_lack node_selection node_type nodes resized_hosts "
    "room_on_nodes torus torus_checks"
)
_POLICY = "backfill_facts external order_functions order_spec policy_checks policy_values"
_TOML = "reader schema text writer"

MOVED = {
    **{f"slotwise.site.{name}": f"slotwise.site.machine.{name}" for name in _MACHINE.split()},
    **{f"slotwise.site.{name}": f"slotwise.site.policy.{name}" for name in _POLICY.split()},
    **{f"slotwise.site.toml_{name}": f"slotwise.site.toml.{name}" for name in _TOML.split()},
}
"""The module behind each old path."""
