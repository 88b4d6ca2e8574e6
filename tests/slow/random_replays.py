"""One random replay, run in several ways: all give the same schedule, which obeys every rule."""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
import tomllib
from typing import Any

import slotwise as sw
from slotwise.site.build import build
from slow.drawn_sites import Drawn, drawn, drawn_policy
from slow.schedule_rules import broken_rules, columns


def case(seed: int) -> str:
    """Replay the case drawn from a seed; return its kind, or raise AssertionError on a fault."""
    chance = random.Random(seed)
    given = drawn(chance)
    if given is None:
        return "no valid site"
    trace, site = given.trace, given.site
    try:
        result = sw.simulate(trace, site)
    except (sw.SiteError, sw.TraceError) as fault:
        return f"refused: {type(fault).__name__}"
    except sw.ReplayError as fault:
        return _endless(fault)
    _require(not (broken := broken_rules(result, trace, site)), "; ".join(broken[:3]))
    expected = columns(result)
    _require(columns(sw.simulate(trace, site)) == expected, "two replays differ")
    _check_views(result, site)
    if isinstance(site.machine, sw.Nodes):
        return "nodes"
    if chance.random() < 0.3:
        _check_sweeps(result, trace, site)
    if chance.random() < 0.5:
        _check_steps(given, chance, expected)
        return "stepped"
    return _check_changes(given, chance)


def _require(holds: object, promise: str) -> None:
    if not holds:
        raise AssertionError(promise)


def _endless(fault: sw.ReplayError) -> str:
    """Accept the refusal of a replay in which a job would be interrupted forever."""
    if "times" not in str(fault):
        raise fault
    return "interrupted forever"


def _check_views(result: sw.Result, site: sw.Site) -> None:
    result.metrics()
    for by in ("user", "queue"):
        result.metrics_by(by)
    repr(result), result.series(), result.jobs, result.manifest
    _require(build(site.to_dict()) == site, "to_dict reads back differently")
    _require(build(tomllib.loads(site.to_toml())) == site, "to_toml reads back differently")


def _check_sweeps(result: sw.Result, trace: sw.Trace, site: sw.Site) -> None:
    alone = sw.sweep(trace, [site] * 2, workers=1)
    together = sw.sweep(trace, [site] * 4, workers=4)
    rows = [repr(alone.row(n)) for n in range(2)] + [repr(together.row(n)) for n in range(4)]
    _require(len({*rows}) == 1, "rows of a sweep differ")
    _require(rows[0] == repr(result.metrics()), "a row of a sweep differs from metrics()")


def _restored(sim: sw.Simulation) -> sw.Simulation:
    return sw.Simulation.restore(sw.Snapshot.from_bytes(sim.snapshot().to_bytes()))


def _check_steps(given: Drawn, chance: random.Random, expected: list[Any]) -> None:
    sim = sw.Simulation(given.trace, given.site)
    others: list[sw.Simulation] = []
    while not sim.done and chance.random() > 0.01:
        if chance.random() < 0.5:
            if not sim.step():
                break
        else:
            sim.run(until=sim.now + chance.choice((0, 1, given.unit, 10 * given.unit)))
        if len(others) < 4 and chance.random() < 0.1:
            kept = chance.choice((copy.copy, _restored, lambda s: pickle.loads(pickle.dumps(s))))
            others.append(kept(sim))
        if chance.random() < 0.05:
            _look(sim, chance, given)
    for each in (sim, *others):
        each.run()
        _require(columns(each.result()) == expected, "steps, copies or snapshots differ")


def _look(sim: sw.Simulation, chance: random.Random, given: Drawn) -> None:
    if not isinstance(given.site.machine, sw.Torus):
        width = chance.randrange(1, sim.machine.processors + 1)
        sim.estimate_start(processors=width, requested_time=given.unit)
    repr(sim), sim.queue.job_id, sim.running.start, sim.machine, sim.next_event


def _check_changes(given: Drawn, chance: random.Random) -> str:
    """Change a running simulation; a copy and a restored snapshot must end in the same way."""
    sim = sw.Simulation(given.trace, given.site)
    only_submits = chance.random() < 0.4
    try:
        for _ in range(chance.choice((2, 5, 15))):
            _change(sim, given, chance, only_submits=only_submits)
        other, restored = copy.copy(sim), _restored(sim)
        before = columns(sim.result())
        other.run()
        _require(columns(sim.result()) == before, "stepping a copy changes the original")
        sim.run()
        restored.run()
    except sw.ReplayError as fault:
        return _endless(fault)
    ended = columns(sim.result())
    _require(columns(other.result()) == ended, "changed: the copy ends differently")
    _require(columns(restored.result()) == ended, "changed: the restored snapshot ends differently")
    broken = broken_rules(sim.result(), sim.trace, given.site, changed=True)
    _require(not broken, "changed: " + "; ".join(broken[:3]))
    if only_submits:
        straight = columns(sw.simulate(sim.trace, given.site))
        _require(straight == ended, "submitted jobs are replayed differently from a trace")
    return "changed"


def _change(sim: sw.Simulation, given: Drawn, chance: random.Random, *, only_submits: bool) -> None:
    unit, what = given.unit, chance.random()
    if what < 0.4:
        sim.run(until=sim.now + chance.choice((0, 1, unit, 5 * unit, 20 * unit)))
    elif what < 0.6:
        sim.step()
    else:
        act = _submit if only_submits or what < 0.75 else _act
        with contextlib.suppress(ValueError):  # a refused change leaves the simulation unchanged
            act(sim, given, chance, later=only_submits)


def _submit(sim: sw.Simulation, given: Drawn, chance: random.Random, *, later: bool) -> None:
    unit = given.unit
    sim.submit(
        processors=chance.randrange(1, sim.machine.processors + 1),
        run_time=chance.choice((0, unit, 5 * unit)),
        requested_time=chance.choice((None, 0, unit, 3 * unit)),
        submit=sim.now + chance.choice((1, unit, 7 * unit) if later else (0, unit)),
        user=chance.choice((-1, 1, 2)),
        group=chance.choice((-1, 1)),
        queue=chance.choice((-1, 0)),
        preceding_job=chance.choice((-1, 1)),
    )


def _act(sim: sw.Simulation, given: Drawn, chance: random.Random, *, later: bool) -> None:
    assert not later
    job = chance.choice(sim.trace.job_id.tolist() or [1])
    what = chance.choice(("cancel", "hold", "release", "priority", "policy", "look"))
    if what == "priority":
        sim.set_priority(job, chance.choice((0, 1, -1, 1e300)))
    elif what == "policy":
        torus = isinstance(given.site.machine, sw.Torus)
        policy = drawn_policy(chance, given.unit, plain=sim.site.is_plain, torus=torus)
        sim.set_policy(policy.replace(kill_at_limit=sim.site.policy.kill_at_limit))
    elif what == "look":
        _look(sim, chance, given)
    else:
        getattr(sim, what)(job)
