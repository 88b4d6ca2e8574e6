"""Sources of a sweep: one trace, several by name, or one generated trace per seed."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from slotwise._numbers import whole
from slotwise.sweeps.rows import MetricOptions, Row, compute_rows
from slotwise.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slotwise.site import Site

Traces = Trace | Mapping[str, Trace] | Callable[[int], Trace]


@dataclass(frozen=True, eq=False)
class SeedFunction:
    """Wraps a function that generates traces; each sweep has its own wrapper and cached traces."""

    make: Callable[[int], Trace]

    def __call__(self, seed: int) -> Trace:
        """Generate the trace of a seed."""
        return self.make(seed)


@dataclass(frozen=True, eq=False)
class Source:
    """One trace of a sweep: given, or generated from a seed in the process that replays it.

    Attributes
    ----------
    name : str
        Empty if the sweep has a single trace.
    seed : int
        -1 for a given trace.
    given : Trace or SeedFunction
    """

    name: str
    seed: int
    given: Trace | SeedFunction

    def trace(self) -> Trace:
        """Return the trace; the last two generated traces are cached.

        Raises
        ------
        TypeError
            If the function that takes a seed does not return a trace.
        """
        if isinstance(self.given, Trace):
            return self.given
        return _made(self.given, self.seed)

    def rows_function(
        self, metric_options: MetricOptions, keep_schedules: bool = False
    ) -> Callable[[Sequence[Site]], list[Row]]:
        """Return the function that workers call with a batch of sites."""
        if isinstance(self.given, Trace):
            return partial(_rows, self.given, metric_options, keep_schedules)
        return partial(_rows_of_seed, self.given, self.seed, metric_options, keep_schedules)

    @property
    def label(self) -> str:
        """The name or seed, as shown in errors; empty for a single trace."""
        return f"seed {self.seed}" if self.seed >= 0 else f"trace {self.name!r}" * bool(self.name)


def sources_of(traces: Any, seeds: Iterable[int] | None) -> list[Source]:
    """Return the sources of a sweep.

    Raises
    ------
    TypeError
        For a value that is neither a trace, nor a mapping of traces, nor a function.
    ValueError
        For no traces, a function without seeds, seeds without a function, or an invalid seed.
    """
    if isinstance(traces, Trace):
        found = [Source("", -1, traces)]
    elif isinstance(traces, Mapping):
        for name, each in traces.items():
            _check(each, f"trace {name!r} of the sweep: ")
        found = [Source(str(name), -1, each) for name, each in traces.items()]
    elif callable(traces):
        if seeds is None:
            raise ValueError(
                "a function that generates traces needs seeds; pass, for example, seeds=range(10)"
            )
        function = SeedFunction(traces)
        return [Source("", _seed(seed), function) for seed in seeds]
    else:
        _check(traces)
    if seeds is not None:
        raise ValueError(
            "seeds are for generated traces; pass a function that takes a seed, such as "
            'lambda seed: sw.generate("lublin", n_jobs=1000, processors=64, seed=seed)'
        )
    if not found:
        raise ValueError("a sweep needs at least one trace, but the mapping is empty")
    return found


def digest_of(sources: Sequence[Source]) -> str:
    """Return the replay hash of one trace; for several, a SHA-256 of hashes, names and seeds.

    Generated traces are identified by the first trace, the last trace and the list of seeds.
    """
    first = sources[0].trace().replay_hash
    if len(sources) == 1 and not sources[0].label:
        return first
    parts: list[Any] = [[each.name, each.seed, _given_hash(each)] for each in sources]
    if sources[0].seed >= 0:
        parts += [first, sources[-1].trace().replay_hash]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _given_hash(source: Source) -> str:
    return source.given.replay_hash if isinstance(source.given, Trace) else ""


def _rows(
    trace: Trace, metric_options: MetricOptions, keep_schedules: bool, sites: Sequence[Site]
) -> list[Row]:
    return compute_rows(trace, sites, metric_options, keep_schedules=keep_schedules)


def _rows_of_seed(
    make: SeedFunction,
    seed: int,
    metric_options: MetricOptions,
    keep_schedules: bool,
    sites: Sequence[Site],
) -> list[Row]:
    return _rows(_made(make, seed), metric_options, keep_schedules, sites)


class _Generated:
    """The trace of one seed; the first thread that needs it generates it, and others wait."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._trace: Trace | None = None

    def trace(self, make: SeedFunction, seed: int) -> Trace:
        with self._making:
            if self._trace is None:
                made = make(seed)
                if not isinstance(made, Trace):
                    raise TypeError(
                        f"the function returned {made!r} for seed {seed}; it must return a Trace, "
                        "such as the result of sw.generate"
                    )
                self._trace = made
            return self._trace


_choosing = threading.Lock()


@lru_cache(maxsize=2)
def _generated(make: SeedFunction, seed: int) -> _Generated:
    return _Generated()


def _made(make: SeedFunction, seed: int) -> Trace:
    with _choosing:
        generated = _generated(make, seed)
    return generated.trace(make, seed)


def _check(value: object, what: str = "") -> None:
    if not isinstance(value, Trace):
        call = f"sw.read_swf({value!r})" if isinstance(value, str) else "the result of sw.read_swf"
        raise TypeError(f"{what}{value!r} is not a Trace; pass {call}")


def _seed(value: object) -> int:
    seed = whole(value)
    if seed is None or seed < 0:
        raise ValueError(f"seeds contain {value!r}; pass whole numbers, at least 0")
    return seed
