"""The strategies; each turns a base site and a history into a new site."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slotwise.advice.queue_design.base import Base
from slotwise.advice.queue_design.carve import carve
from slotwise.advice.queue_design.history import History
from slotwise.advice.queue_design.layout import Layout
from slotwise.advice.queue_design.merge import merge_queues
from slotwise.advice.queue_design.multiple_queue import multiple_queue_site
from slotwise.advice.queue_design.parameters import Parameters
from slotwise.advice.queue_design.program import Program, solve
from slotwise.advice.queue_design.replays import Replays
from slotwise.advice.queue_design.search import search
from slotwise.advice.queue_design.shares import proportional_sizes
from slotwise.advice.queue_design.split import split_queues
from slotwise.site import Site
from slotwise.site.machine import Processors

if TYPE_CHECKING:
    from slotwise.trace import Trace


@dataclass
class Decision:
    """All decisions based on one history; each step is computed once, on first use.

    Attributes
    ----------
    history : History
    base : Base
    parameters : Parameters
    notes : list of str
        Descriptions of splits, merges and fallbacks.
    """

    history: History
    base: Base
    parameters: Parameters = field(default_factory=Parameters)
    notes: list[str] = field(default_factory=list)
    _made: dict[str, Layout] = field(default_factory=dict)
    _program: Program | None = None
    _replays: Replays | None = None

    @classmethod
    def of(
        cls,
        base: Site,
        history: Trace,
        parameters: Parameters | None = None,
        *,
        begin: int | None = None,
        end: int | None = None,
    ) -> Decision:
        """Read the base and the history.

        Raises
        ------
        SiteError, TraceError
            Raised by `Base.of` and `History.of`.
        """
        chosen = parameters or Parameters()
        known = Base.of(base, history, chosen.priorities)
        return cls(History.of(history, known, begin, end), known, chosen)

    @property
    def replays(self) -> Replays:
        """Replays of the whole history."""
        if self._replays is None:
            self._replays = Replays(self.history, self.base)
        return self._replays

    @property
    def program(self) -> Program:
        """Result of phase 1, the nonlinear program."""
        if self._program is None:
            self._program = solve(self.history, self.base, self.parameters)
            region = self._program.region
            if region.scaled < 1:
                self.notes.append(
                    "no partition sizes satisfy equations 3, 4 and 6 of the paper together, so the "
                    "lower bounds of equation 4 were reduced: the part of each bound that exceeds "
                    f"its queue's largest job was reduced to {100 * region.scaled:.0f} %"
                )
        return self._program

    def layout(self, strategy: str) -> Layout:
        """Return the layout of `proportional`, `nlp`, `reconfigure`, `hybrid` or `search`."""
        if strategy not in self._made:
            self._made[strategy] = getattr(self, f"_{strategy}")()
        return self._made[strategy]

    def _proportional(self) -> Layout:
        return Layout.of_base(self.base, proportional_sizes(self.history, self.base))

    def _nlp(self) -> Layout:
        return self.program.layout

    def _reconfigure(self) -> Layout:
        split = split_queues(self.layout("nlp"), self.replays, self.notes.append)
        return merge_queues(
            split, self.replays, self.notes.append, adjacency=self.parameters.adjacency
        )

    def _hybrid(self) -> Layout:
        return carve(self.layout("reconfigure"), self.replays, self.parameters)

    def _search(self) -> Layout:
        starts = [self.layout(name) for name in ("proportional", "nlp", "reconfigure", "hybrid")]
        spent = self.program.n_jobs_replayed + self.replays.n_jobs_replayed
        most = min(self.parameters.search_replays, spent // len(self.history))
        return search(starts, self.replays, self.parameters.replace(search_replays=most)).layout


def static(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the same partitions for all months, in proportion to the first month's CPU hours."""
    return proportional(base, history, parameters)


def proportional(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return partitions in proportion to the CPU hours of the history, equation 7 (PP)."""
    return Decision.of(base, history, parameters).layout("proportional").site()


def nlp(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the partitions of the nonlinear program, phase 1 (DP-NLPM)."""
    return Decision.of(base, history, parameters).layout("nlp").site()


def reconfigure(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the program's partitions with queues split and merged, phases 1 and 2 (DQR)."""
    return Decision.of(base, history, parameters).layout("reconfigure").site()


def hybrid(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the reconfigured queues with a common pool carved off their partitions."""
    return Decision.of(base, history, parameters).layout("hybrid").site()


def search_simulator(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the result of a direct search with replays, starting from the other strategies."""
    return Decision.of(base, history, parameters).layout("search").site()


def nonpartitioned(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return a site whose queues share one pool, with limits on running jobs if they are known.

    A queue's own limit takes precedence. The limits in `parameters` are those of a particular
    machine, and apply only if they cover every queue of the base.
    """
    chosen = parameters or Parameters()
    known = Base.of(base, history, chosen.priorities)
    limits = chosen.running
    if not all(q.name in limits for q in known.queues):
        limits = {}
    return Site(
        Processors(known.machine),
        known.policy,
        queues=[
            q.replace(spanning=False, running=q.running or limits.get(q.name)) for q in known.queues
        ],
    )


def mqb(base: Site, history: Trace, parameters: Parameters | None = None) -> Site:
    """Return the site for multiple-queue backfilling with a fixed number of partitions.

    `multiple_queue.adapt` replays the self-adapting variant.
    """
    chosen = parameters or Parameters()
    return multiple_queue_site(Base.of(base, history), chosen.partitions, chosen.classes)
