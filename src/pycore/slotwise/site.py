"""A site: everything of a replay but the trace."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from slotwise import _core
from slotwise._numbers import whole
from slotwise.errors import SiteError
from slotwise.machine import Processors
from slotwise.policy import Policy

if TYPE_CHECKING:
    from os import PathLike

    from slotwise.trace import Trace


@dataclass(frozen=True, slots=True)
class Site:
    """Machine and policy, as a plain value: equal, hashable, copied by `replace`.

    Parameters
    ----------
    machine : Processors, optional
        Default: the size the trace's header gives.
    policy : Policy or str, default Policy()
        A string names a preset, as ``"pyss"``.
    """

    machine: Processors | None = None
    policy: Policy = field(default_factory=Policy)

    def __post_init__(self) -> None:
        if (count := whole(self.machine)) is not None:
            object.__setattr__(self, "machine", Processors(count))
        if isinstance(self.policy, str):
            object.__setattr__(self, "policy", Policy.preset(self.policy))
        if self.machine is not None and not isinstance(self.machine, Processors):
            msg = f"machine {self.machine!r}: give a machine, as Processors(1152)"
            raise SiteError(msg)
        if not isinstance(self.policy, Policy):
            msg = f"policy {self.policy!r}: give a Policy, or the name of a preset"
            raise SiteError(msg)

    @classmethod
    def from_toml(cls, path: str | PathLike[str]) -> Site:
        """Read a site file; every fault in it is reported at once, with its path.

        Raises
        ------
        SiteError
            For a file that cannot be read, unknown keys, and values out of their range.
        MissingExtraError
            Without pydantic, which checks the file: ``pip install 'slotwise[cli]'``.
        """
        from slotwise.site_file import read_site

        return read_site(path)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the site as plain values, in the shape of a site file."""
        machine = {} if self.machine is None else {"machine": {"processors": self.machine.count}}
        return {**machine, "policy": self.policy.to_dict()}

    def _to_core(self, processors: int) -> _core.Site:
        return _core.Site(processors, self.policy._to_core())

    def machine_for(self, trace: Trace) -> Processors:
        """Return the machine of this site, or the one the trace's header describes.

        Raises
        ------
        SiteError
            If neither gives a size.
        """
        if self.machine is not None:
            return self.machine
        if trace.max_processors is None:
            msg = (
                f"{trace.source or 'the trace'} has no usable MaxProcs or MaxNodes in its header: "
                "the size of the machine is unknown; give it with --processors N, with "
                "[machine] processors = N in a site file, or with Processors(N)"
            )
            raise SiteError(msg)
        return Processors(trace.max_processors)
