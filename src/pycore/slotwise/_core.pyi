"""Types of the compiled core, one section per area."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Buffer

# workload

@final
class JobTable:
    def __init__(self, columns: Mapping[str, ArrayLike]) -> None: ...
    def __len__(self) -> int: ...
    def column(self, name: str) -> NDArray[Any] | None: ...
    def columns(self) -> dict[str, NDArray[Any]]: ...
    def take(self, rows: NDArray[np.int64]) -> JobTable: ...

@final
class SwfReader:
    def __init__(self, expected_bytes: int) -> None: ...
    def feed(self, text: Buffer) -> None: ...
    def finish(
        self,
    ) -> tuple[JobTable, list[tuple[bytes, int]], list[tuple[str, int, list[int], bytes]]]: ...

def fault_infos() -> list[tuple[str, str, str]]: ...
def format_swf(
    jobs: JobTable,
    first: int,
    last: int,
    schedule: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]] | None = None,
) -> bytes: ...

# Delimited text (bind_text.cpp)

class TableReader:
    def __init__(self, dialect: dict[str, Any], rules: list[dict[str, Any]]) -> None: ...
    def feed(self, text: Buffer) -> None: ...
    def finish(self) -> dict[str, Any]: ...

class CsvRows:
    def __init__(self, columns: list[Any]) -> None: ...
    def format(self, begin: int, end: int) -> bytes: ...

def read_cell(kind: str, text: str, bare: float = 1.0) -> int: ...

# Policies, sites and replays (bind_policy.cpp, bind_site.cpp, bind_simulator.cpp)

class Estimates:
    requested: Estimates
    exact: Estimates
    user_history: Estimates

class EventOrder:
    completions_first: EventOrder
    arrivals_first: EventOrder

class Passes:
    per_instant: Passes
    per_event: Passes
    periodic: Passes

class OrderSpec:
    def __init__(
        self,
        name: str,
        parameters: dict[str, float] = ...,
        key: str = ...,
        source: OrderSource | None = ...,
        tables: dict[str, dict[str, float]] = ...,
    ) -> None: ...

@final
class OrderSource: ...

def check_order(order: OrderSpec) -> None: ...
def job_columns() -> list[str]: ...

class WaitingJobs:
    """Columns of the waiting jobs, as an order written in Python sees them."""

    def __getattr__(self, name: str) -> NDArray[Any]: ...
    def __getitem__(self, name: str) -> NDArray[Any]: ...
    def __len__(self) -> int: ...

def numpy_order(
    function: Callable[..., Any], name: str, is_static: bool, weighs_queue_priority: bool
) -> OrderSource: ...
def order_from_capsule(capsule: object, name: str) -> OrderSource: ...
def order_from_address(
    address: int, data: int, columns: list[str], is_static: bool, name: str
) -> OrderSource: ...

class Allocation:
    first: Allocation
    contiguous: Allocation
    contiguous_best: Allocation
    contiguous_worst: Allocation
    least_spread: Allocation

class PlacementEffect:
    alpha: float
    gamma: float
    beta: float
    seed: int

def sensitive_jobs(beta: float, seed: int, n_jobs: int) -> _UInt8: ...
def contiguity(
    schedule: Schedule, torus: Torus
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]: ...
def mean_distances(schedule: Schedule, torus: Torus) -> NDArray[np.float64]: ...

_Interval = tuple[int, int]

class Slots:
    def __init__(self, nodes: int) -> None: ...
    @property
    def free(self) -> int: ...
    def __len__(self) -> int: ...
    def all(self) -> list[_Interval]: ...
    def allocate(self, taken: _Interval) -> None: ...
    def release(self, freed: _Interval) -> None: ...
    def slot_at(self, position: int) -> _Interval: ...
    def first_fit(self, size: int, begin: int = 0) -> _Interval: ...
    def best_fit(self, size: int) -> _Interval: ...
    def largest(self, k: int) -> list[_Interval]: ...
    def largest_size(self) -> int: ...
    def least_spread(self, size: int) -> int: ...
    def take_first(self, size: int, begin: int = 0) -> list[_Interval]: ...

class Reserve:
    numbers: Reserve
    nodes: Reserve

class Policy:
    order: OrderSpec
    backfill: str
    backfill_order: OrderSpec | None
    parameters: dict[str, float]
    reserve: Reserve
    estimates: Estimates
    passes: Passes
    period: int
    kill_at_limit: bool
    allocation: Allocation
    event_order: EventOrder
    waiting_estimates: Estimates
    ending_now_is_free: bool
    spare_processors: bool
    strict_end: bool
    frozen_reservation: bool
    compress_at_every_end: bool
    promise_per_arrival: bool

NO_LIMIT: int
NEVER: int
ANY_POOL: int

NODES_IN_USE: int

class LimitScope:
    all: LimitScope
    user: LimitScope
    group: LimitScope
    account: LimitScope
    qos: LimitScope

class AmountLimit:
    def __init__(self, scope: LimitScope, resource: int, most: int) -> None: ...

class Limits:
    lifted_when_idle: bool
    holds_submitted: bool
    amounts: list[AmountLimit]
    def __getattr__(self, limit: str) -> int: ...
    def __setattr__(self, limit: str, value: Any) -> None: ...

class Pool:
    name: str
    processors: int
    has_threshold: bool
    threshold: float

class DayTimes:
    open: int
    close: int
    def __init__(self, open: int, close: int) -> None: ...  # noqa: A002

class Queue:
    nodes: list[int]
    min_nodes: int
    max_nodes: int
    name: str
    has_ranges: bool
    min_processors: int
    max_processors: int
    above_requested_time: int
    max_requested_time: int
    default_requested_time: int
    trace_queues: list[int]
    trace_partitions: list[int]
    priority: float
    has_order: bool
    order: OrderSpec
    limits: Limits
    starvation: int
    hours: list[DayTimes]
    pools: list[int]
    spanning: bool
    tier: int
    exclusive: bool

class NodeChoice:
    def __init__(self, named: list[int], node_type: int = -1, count: int = 0) -> None: ...

class Outage:
    class Mode:
        drain: Outage.Mode
        kill: Outage.Mode
        sudden: Outage.Mode

    nodes: NodeChoice
    name: str
    mode: Outage.Mode
    start: int
    duration: int
    every: int
    pool: int
    processors: int

class JobOwners:
    users: list[int]
    groups: list[int]
    accounts: list[int]
    qos: list[int]

class NamedLimits:
    owners: JobOwners
    limits: Limits

class UserReservation:
    nodes: NodeChoice
    name: str
    start: int
    duration: int
    every: int
    pool: int
    processors: int
    owners: JobOwners

class Requeue:
    never: Requeue
    from_start: Requeue
    from_checkpoint: Requeue

class Interruption:
    requeue: Requeue
    checkpoint_every: int
    checkpoint_at: int
    checkpoint_cost: int
    refund: int

class Crashes:
    class Law:
        none: Crashes.Law
        exponential: Crashes.Law
        weibull: Crashes.Law

    per_node: bool
    times: list[int]
    law: Crashes.Law
    mean: float
    shape: float
    seed: int
    repair: int

class Torus:
    """A torus of nodes, given by their positions; arrays are int32."""

    def __init__(self, shape: Sequence[int], order: str, processors_per_node: int) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def processors(self) -> int: ...
    def coordinates(self, positions: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def positions(self, coordinates: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def distances(self, a: NDArray[np.int32], b: NDArray[np.int32]) -> NDArray[np.int32]: ...
    def longer_steps(self) -> dict[int, int]: ...
    def mean_distances(self, lags: Sequence[int]) -> NDArray[np.float64]: ...

MAX_TORUS_DIMENSIONS: int
MAX_TORUS_NODES: int

def node_orders() -> list[tuple[str, str, str]]: ...

class DependencyKind:
    afterok: ClassVar[DependencyKind]
    afterany: ClassVar[DependencyKind]
    afternotok: ClassVar[DependencyKind]
    aftercorr: ClassVar[DependencyKind]
    singleton: ClassVar[DependencyKind]

class Condition:
    def __init__(self, kind: DependencyKind, job: int = -1, task: int = -1) -> None: ...

class DependencyLists:
    def add(self, code: int, conditions: Sequence[Condition]) -> None: ...

def depends_on(jobs: JobTable, site: Site, row: int) -> list[tuple[int, int]]: ...

class Site:
    """Lists are copied when read and when assigned, so appending to one has no effect."""

    processors: int
    torus: Torus
    placement: PlacementEffect
    policy: Policy
    pools: list[Pool]
    queues: list[Queue]
    limits: Limits
    named_limits: list[NamedLimits]
    outages: list[Outage]
    crashes: Crashes
    interruption: Interruption
    reservations: list[UserReservation]
    dependencies: bool
    dependency_lists: DependencyLists | None
    midnight: int
    local_epoch: int
    demands: JobDemands
    node_weights: list[int]
    plans_queues: bool
    def __init__(self, processors: int, policy: Policy) -> None: ...
    @property
    def is_plain(self) -> bool: ...

def windows(part: Outage | UserReservation, first: int, last: int) -> list[tuple[int, int]]: ...
def outage_shares(site: Site, outage: Outage) -> list[int]: ...
def route(jobs: JobTable, site: Site) -> tuple[NDArray[np.int32], NDArray[np.uint8]]: ...

_Facts = list[tuple[str, str, str, list[tuple[str, str, float | str, float, str, list[str]]]]]

def orders() -> _Facts: ...
def backfills() -> _Facts: ...
def backfill_facts() -> dict[str, dict[str, Any]]: ...
def scores(
    jobs: JobTable,
    order: OrderSpec,
    rows: NDArray[np.integer[Any]],
    now: NDArray[np.integer[Any]],
    queue_priority: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def weighs_queue_priority(order: OrderSpec) -> bool: ...
def simulate(
    jobs: JobTable,
    site: Site,
    progress: Callable[[float], object] | None = None,
) -> Schedule: ...
def run_bare_loop(jobs: JobTable) -> int: ...

_SweepRow = tuple[dict[str, float], float, Schedule | None]

def sweep(
    jobs: JobTable,
    sites: Sequence[Site],
    workers: int,
    *,
    threshold: int,
    trim: tuple[float, float],
    dropped: int,
    keep_schedules: bool,
    computes_metrics: bool = True,
    progress: Callable[[float], object] | None = None,
) -> list[_SweepRow]: ...

# Simulations (bind_simulation.cpp, job_view.cpp)

@final
class JobView:
    """Jobs of a replay in progress; every column is read-only and has the shape (n_jobs,)."""

    def __len__(self) -> int: ...
    @property
    def row(self) -> NDArray[np.int64]: ...
    @property
    def job_id(self) -> NDArray[np.int64]: ...
    @property
    def submit(self) -> NDArray[np.int64]: ...
    @property
    def processors(self) -> NDArray[np.int64]: ...
    @property
    def requested_time(self) -> NDArray[np.int64]: ...
    @property
    def start(self) -> NDArray[np.int64]: ...
    @property
    def user(self) -> NDArray[np.int32]: ...
    @property
    def group(self) -> NDArray[np.int32]: ...
    @property
    def executable(self) -> NDArray[np.int32]: ...
    @property
    def queue(self) -> NDArray[np.int32]: ...
    @property
    def partition(self) -> NDArray[np.int32]: ...
    @property
    def site_queue(self) -> NDArray[np.int32]: ...
    @property
    def pool(self) -> NDArray[np.int32]: ...
    @property
    def held(self) -> NDArray[np.bool_]: ...
    @property
    def units(self) -> NDArray[np.int64]: ...
    @property
    def per_node(self) -> NDArray[np.int64]: ...
    @property
    def nodes(self) -> NDArray[np.int64]: ...
    @property
    def exclusive(self) -> NDArray[np.int64]: ...
    @property
    def constraint_id(self) -> NDArray[np.int64]: ...
    @property
    def each(self) -> dict[str, NDArray[np.int64]]: ...

@final
class MachineView:
    """The machine as a dispatcher sees it; `ended` and `arrived` hold job numbers (job_id)."""

    @property
    def now(self) -> int: ...
    @property
    def processors(self) -> int: ...
    @property
    def free(self) -> int: ...
    @property
    def free_nodes(self) -> NDArray[np.int32]: ...
    @property
    def free_on_nodes(self) -> dict[str, NDArray[np.int64]]: ...
    @property
    def free_in_types(self) -> dict[str, NDArray[np.int64]]: ...
    def nodes_for(self, job_id: int) -> NDArray[np.int32]: ...
    @property
    def free_in_pools(self) -> dict[str, int]: ...
    @property
    def free_in_reservations(self) -> dict[str, int]: ...
    @property
    def running(self) -> JobView: ...
    @property
    def ended(self) -> NDArray[np.int64]: ...
    @property
    def arrived(self) -> NDArray[np.int64]: ...

_Change = tuple[int, int, int, float]
_DispatchLog = tuple[int, list[tuple[int, list[int], list[int], list[list[int]]]]]
_Dispatch = Callable[[JobView, MachineView], Any]

@final
class Simulation:
    def __init__(self, jobs: JobTable, site: Site, dispatch: _Dispatch | None = None) -> None: ...
    @staticmethod
    def replayed(
        jobs: JobTable,
        site: Site,
        site_is_external: bool,
        changes: Sequence[_Change],
        policies: Sequence[tuple[Policy, bool]],
        handled: int,
        starts: Sequence[int],
        dispatch_log: _DispatchLog,
        dispatch: _Dispatch | None = None,
    ) -> Simulation: ...
    def changes(self) -> list[_Change]: ...
    def dispatch_log(self) -> _DispatchLog: ...
    @property
    def handled(self) -> int: ...
    def estimate_start(
        self, fields: Mapping[str, int], conditions: Sequence[Condition]
    ) -> int | None: ...
    def start_under(
        self, job: int, run_time: NDArray[np.int64], without: NDArray[np.int64]
    ) -> int | None: ...
    def copy(self) -> Simulation: ...
    def run(
        self, until: int | None = None, progress: Callable[[float], object] | None = None
    ) -> None: ...
    def step(self) -> bool: ...
    @property
    def now(self) -> int: ...
    @property
    def next_event(self) -> int | None: ...
    @property
    def free(self) -> int: ...
    @property
    def free_in_pools(self) -> list[int]: ...
    def slots(self) -> NDArray[np.int32] | None: ...
    def queue(self) -> JobView: ...
    def running(self) -> JobView: ...
    def table(self) -> JobTable: ...
    def demands(
        self,
    ) -> tuple[_Int64, _Int64, _Int64, _Int64, _UInt8, NDArray[np.int32]]: ...
    def resources(self) -> list[str]: ...
    def schedule(self) -> Schedule: ...
    def submit(self, fields: Mapping[str, int], conditions: Sequence[Condition]) -> int: ...
    def cancel(self, job_id: int) -> None: ...
    def hold(self, job_id: int) -> None: ...
    def release(self, job_id: int) -> None: ...
    def set_priority(self, job_id: int, priority: float) -> None: ...
    def set_policy(self, policy: Policy, dispatch: _Dispatch | None = None) -> None: ...

# The availability profile, for tests (testing/bind_parts.cpp)

@final
class Profile:
    def __init__(self, processors: int, origin: int) -> None: ...
    def advance(self, now: int) -> None: ...
    def add(self, start: int, end: int, change: int) -> None: ...
    def earliest(
        self, processors: int, duration: int, start: int, base: int = 0, period: int = 1
    ) -> int: ...
    def earlier(self, processors: int, duration: int, before: int) -> int | None: ...
    def mark(self) -> None: ...
    def least(self, start: int, end: int) -> int: ...
    @property
    def points(self) -> list[tuple[int, int]]: ...
    @property
    def n_blocks(self) -> int: ...

@final
class PoolPlan:
    def __init__(self, processors: int) -> None: ...
    def announce(self, start: int, duration: int, every: int, processors: int) -> None: ...
    def earliest(self, duration: int, processors: int, start: int) -> int: ...

# Future completions and releases of a replay, for tests (testing/bind_parts.cpp)

@final
class EventQueue:
    def __init__(self, n_jobs: int, origin: int, horizon: int) -> None: ...
    def push(self, end: int, job: int, now: int) -> None: ...
    def pop(self) -> int: ...
    def remove(self, jobs: list[int]) -> None: ...
    @property
    def next(self) -> int: ...
    @property
    def empty(self) -> bool: ...

@final
class Releases:
    def __init__(self, origin: int, horizon: int) -> None: ...
    def add(self, end: int, processors: int, now: int) -> None: ...
    def remove(self, end: int, processors: int) -> None: ...
    def reaching(self, processors: int) -> tuple[int, int]: ...
    def released_by(self, time: int) -> int: ...

# Machines with several resources per node (bind_nodes.cpp, bind_job_demands.cpp)

class PlacementRule:
    first_fit: ClassVar[PlacementRule]
    best_fit: ClassVar[PlacementRule]
    least_scarce: ClassVar[PlacementRule]

@final
class Nodes:
    def __init__(
        self,
        resources: list[str],
        names: list[str],
        counts: list[int],
        capacities: list[list[int]],
    ) -> None: ...
    @property
    def size(self) -> int: ...
    def can_ever_hold(self, units: int, each: Sequence[int]) -> bool: ...

@final
class NodePlan:
    def __init__(self, nodes: Nodes, origin: int) -> None: ...
    def copy(self) -> NodePlan: ...
    def advance(self, now: int) -> None: ...
    def occupy(
        self,
        node: NDArray[np.int32],
        units: NDArray[np.int32],
        each: Sequence[int],
        begin: int,
        end: int,
    ) -> None: ...
    def vacate(
        self,
        node: NDArray[np.int32],
        units: NDArray[np.int32],
        each: Sequence[int],
        begin: int,
        end: int,
    ) -> None: ...
    def fits(self, units: int, each: Sequence[int], begin: int, duration: int) -> bool: ...
    def earliest(
        self, units: int, each: Sequence[int], duration: int, begin: int, before: int = ...
    ) -> int: ...
    def place(
        self, units: int, each: Sequence[int], begin: int, duration: int, rule: PlacementRule
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]: ...
    def free(self, node: int, time: int) -> list[int]: ...
    def schedule(
        self,
        units: NDArray[np.int64],
        each: NDArray[np.int64],
        duration: NDArray[np.int64],
        order: NDArray[np.int64],
        now: int,
        rule: PlacementRule,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]: ...

class JobDemands:
    @overload
    def __init__(
        self, nodes: Nodes, rule: PlacementRule, units: NDArray[np.int64], each: NDArray[np.int64]
    ) -> None: ...
    @overload
    def __init__(
        self,
        nodes: Nodes,
        rule: PlacementRule,
        units: NDArray[np.int64],
        each: NDArray[np.int64],
        per_node: NDArray[np.int64],
        nodes_asked: NDArray[np.int64],
        exclusive: NDArray[np.uint8],
        constraint: NDArray[np.int32],
        constraints: list[list[int]],
    ) -> None: ...

# The solvers of the window (bind_knapsack.cpp)

_Int32 = NDArray[np.int32]

def branch_and_bound(sizes: _Int32, capacities: _Int32) -> _Int32: ...
def greedy(sizes: _Int32, capacities: _Int32) -> _Int32: ...
def greedy_totals(sizes: _Int32, capacities: _Int32) -> list[int]: ...
def largest_slots(capacities: _Int32, n: int) -> _Int32: ...

# Schedules and their metrics (bind_metrics.cpp, arrow_stream.cpp)

_Int64 = NDArray[np.int64]
_UInt8 = NDArray[np.uint8]

@final
class Schedule:
    def __init__(
        self,
        start: _Int64,
        end: _Int64,
        state: _UInt8 | None = None,
        backfilled: _UInt8 | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def places(self) -> tuple[_Int64, NDArray[np.int32], NDArray[np.int32]] | None: ...
    @property
    def start(self) -> _Int64: ...
    @property
    def end(self) -> _Int64: ...
    @property
    def state(self) -> _UInt8: ...
    @property
    def backfilled(self) -> _UInt8: ...
    @property
    def reject_reason(self) -> _UInt8: ...
    @property
    def queue(self) -> NDArray[np.int16]: ...
    @property
    def pool(self) -> NDArray[np.int16]: ...
    @property
    def has_calendar(self) -> bool: ...
    @property
    def has_nodes(self) -> bool: ...
    @property
    def has_interruptions(self) -> bool: ...
    def nodes(self, job: int) -> NDArray[np.int32]: ...
    def node_columns(self) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]: ...
    def attempts(self) -> dict[str, NDArray[Any]]: ...
    def spans(self) -> dict[str, NDArray[Any]]: ...

def end_reasons() -> list[tuple[str, int]]: ...
def states() -> list[tuple[str, int]]: ...
def metrics(
    submit: _Int64,
    processors: _Int64,
    schedule: Schedule,
    machine: int,
    *,
    threshold: int,
    trim: tuple[float, float],
    dropped: int,
    fair_start: _Int64 | None = None,
) -> dict[str, float]: ...
def metrics_by(
    submit: _Int64,
    processors: _Int64,
    schedule: Schedule,
    machine: int,
    group: NDArray[np.int32],
    groups: int,
    *,
    threshold: int,
    trim: tuple[float, float],
) -> list[dict[str, float]]: ...
def measured_span(
    submit: _Int64,
    processors: _Int64,
    schedule: Schedule,
    machine: int,
    trim: tuple[float, float],
) -> tuple[int, int]: ...
def series(
    submit: _Int64, processors: _Int64, schedule: Schedule, machine: int
) -> dict[str, _Int64]: ...
def waits(submit: _Int64, processors: _Int64, schedule: Schedule, machine: int) -> _Int64: ...
def fair_start(
    jobs: JobTable,
    site: Site,
    schedule: Schedule,
    sample: int | None,
    seed: int,
    progress: Callable[[float], object] | None = None,
) -> _Int64: ...

@final
class ArrowColumns:
    def __init__(
        self,
        columns: Sequence[tuple[str, NDArray[Any]]],
        labels: Sequence[tuple[str, Sequence[str]]],
    ) -> None: ...
    def schema(self) -> object: ...
    def stream(self) -> object: ...

class ChartPositions:
    """Intervals of processors per job; `offset` (n + 1,) uint32, the others (pieces,) int32."""

    @property
    def offset(self) -> NDArray[np.uint32]: ...
    @property
    def first(self) -> NDArray[np.int32]: ...
    @property
    def count(self) -> NDArray[np.int32]: ...
    @property
    def extent(self) -> int: ...

def chart_positions(
    start: ArrayLike, end: ArrayLike, processors: ArrayLike, machine: int
) -> ChartPositions: ...

# The calendar (bind_changes.cpp) and the arithmetic of attempts (testing/bind_parts.cpp)

@final
class Calendar:
    def __init__(self, site: Site, first_submit: int) -> None: ...
    def next(self) -> int: ...
    def pop(self) -> tuple[int, str, int]: ...
    def __copy__(self) -> Calendar: ...

def check_calendar(site: Site) -> None: ...
def length_of_attempt(done: int, left: int, interruption: Interruption) -> int: ...
def saved_after(done: int, left: int, elapsed: int, interruption: Interruption) -> int: ...
def slurm_decision(
    nodes: Nodes,
    weights: list[int],
    queues: list[Queue],
    constraints: list[list[int]],
    policy: Policy,
    now: int,
    running: dict[str, NDArray[np.int64]],
    waiting: dict[str, NDArray[np.int64]],
    completing: list[int],
    is_main: bool,
    is_full: bool,
    gpu_weights: list[int],
    submitted: list[int],
    limits: Limits | None,
    counted: dict[str, NDArray[np.int64]],
) -> dict[str, Any]: ...
def slurm_notes(table: JobTable, site: Site, job: int) -> list[tuple[int, str, int]]: ...
def slurm_exceeded(table: JobTable, site: Site) -> NDArray[np.uint8]: ...

# An agent's decisions (decisions/bind_decisions.cpp)

class Decides:
    job: Decides
    front: Decides
    score: Decides
    policy: Decides

class Observation:
    none: Observation
    flat: Observation
    rlscheduler: Observation
    grid: Observation

class Reward:
    none: Reward
    wait: Reward
    area: Reward
    bounded_slowdown: Reward
    rlscheduler: Reward
    deeprm: Reward
    utilisation: Reward

class DecisionSetup:
    def __init__(
        self,
        *,
        decides: Decides,
        window: int,
        keeps_choice: bool,
        period: int,
        observation: Observation,
        rows: int,
        columns: int,
        seconds: int,
        reward: Reward,
    ) -> None: ...

class DecisionJobs:
    def __init__(self, jobs: JobTable, processors: int, policies: Sequence[Policy]) -> None: ...
    def fits_machine(self, job: int) -> bool: ...
    def __len__(self) -> int: ...

_Stepped = tuple[NDArray[np.float32], float, bool, NDArray[np.int8], int, int, int]

class DecisionReplay:
    def __init__(self, jobs: DecisionJobs, setup: DecisionSetup) -> None: ...
    def begin(self, first: int, last: int, warm_from: int) -> _Stepped: ...
    def step(self, choice: int) -> _Stepped: ...
    def step_by_scores(self, scores: NDArray[np.float64]) -> _Stepped: ...
    def copy(self) -> DecisionReplay: ...
    def shown(self) -> _Stepped: ...
    def state(self) -> tuple[Any, ...]: ...
    def resume(self, state: tuple[Any, ...]) -> None: ...
    def queue(self) -> dict[str, NDArray[np.int64]]: ...
    def running(self) -> dict[str, NDArray[np.int64]]: ...
    def totals(self) -> dict[str, Any]: ...
    def starts(self) -> NDArray[np.int64]: ...
    @property
    def done(self) -> bool: ...
    @property
    def now(self) -> int: ...
    @property
    def free(self) -> int: ...
    @property
    def n_waiting(self) -> int: ...
    @property
    def n_choices(self) -> int: ...

class BatchArrays:
    def __init__(
        self,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        reward: NDArray[np.float64],
        done: NDArray[np.bool_],
    ) -> None: ...

class DecisionBatch:
    def __init__(self, jobs: DecisionJobs, setup: DecisionSetup, n: int, workers: int) -> None: ...
    def begin(
        self,
        i: int,
        first: int,
        last: int,
        warm_from: int,
        arrays: BatchArrays,
        jobs: DecisionJobs | None = None,
    ) -> None: ...
    def step(
        self,
        choices: NDArray[np.int64],
        scores: NDArray[np.float64],
        skipped: NDArray[np.bool_],
        arrays: BatchArrays,
    ) -> None: ...
    def now(self) -> NDArray[np.int64]: ...
    def n_masked(self) -> NDArray[np.int64]: ...
    def n_waiting(self) -> NDArray[np.int64]: ...
    def one(self, i: int) -> DecisionReplay: ...
    def put(self, i: int, one: DecisionReplay, arrays: BatchArrays) -> None: ...
