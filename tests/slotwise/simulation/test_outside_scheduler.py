"""Schedulers in other programs: equal schedules, incremental messages, broken connections."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import slotwise as sw
from wire_schema import schema_faults

C_SOURCE = Path(__file__).resolve().parents[3] / "examples" / "outside_scheduler.c"
TRACE = sw.generate("lublin", n_jobs=400, processors=64, load=0.9, seed=4)
FCFS = sw.simulate(TRACE, sw.Site(policy=sw.Policy(order="fcfs", backfill="none")))

# A first-come, first-served scheduler in Python; `kind` selects how it breaks.
PROGRAM = r"""
import json, os, sys, time
kind, log = sys.argv[1], open(sys.argv[2], "a")
queue, passes = [], 0
for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    if "slotwise" in message:
        queue = []
        continue
    passes += 1
    gone = set(message.get("withdrawn", ()))
    queue = [job for job in queue if job[0] not in gone] + message.get("arrived", [])
    free, start = message["free"], []
    while queue and queue[0][2] <= free:
        free -= queue[0][2]
        start.append(queue.pop(0)[0])
    separators = (",", ":") if "compact" in kind else None
    answer = json.dumps({"start": start}, separators=separators) + "\n"
    if kind == "cut" and passes == 3:
        sys.stdout.write(answer[:5])
        sys.stdout.flush()
        os._exit(3)
    if kind == "die" and passes == 3:
        os._exit(3)
    if kind == "hang" and passes == 3:
        time.sleep(60)
    if kind == "nonsense" and passes == 3:
        answer = "[1, 2]\n"
    if kind == "unclosed" and passes == 3:
        answer = '{"start":[12..\n'
    if kind == "huge" and passes == 3:
        answer = '{"start":[' + "9" * 5000 + "]}\n"
    if "halves" in kind:
        sys.stdout.write(answer[:4])
        sys.stdout.flush()
        time.sleep(0.001)
        answer = answer[4:]
    sys.stdout.write(answer)
    sys.stdout.flush()
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "messages.jsonl"


def scheduler_of(kind: str, log: Path, timeout: float = 60) -> sw.OutsideScheduler:
    return sw.OutsideScheduler([sys.executable, "-c", PROGRAM, kind, str(log)], timeout=timeout)


def messages(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.parametrize("kind", ["whole", "halves", "compact", "compact halves"])
def test_a_program_on_a_pipe_gives_the_schedule_of_the_built_in_policy(
    kind: str, log: Path
) -> None:
    with scheduler_of(kind, log) as scheduler:
        result = sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
        # A second replay over the same connection starts afresh.
        again = sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
    assert (result.start == FCFS.start).all()
    assert (again.start == FCFS.start).all()
    assert sum("slotwise" in message for message in messages(log)) == 2


def test_messages_carry_changes_only_and_fit_the_schema(log: Path) -> None:
    with scheduler_of("whole", log) as scheduler:
        sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
    first, *passes = messages(log)
    assert first["processors"] == 64
    arrived = [job[0] for message in passes for job in message.get("arrived", ())]
    ended = [job for message in passes for job in message.get("ended", ())]
    assert sorted(arrived) == TRACE.job_id.tolist()  # each once
    assert len(ended) == len(set(ended))
    for message in (first, *passes):
        assert schema_faults(message) == []
    assert schema_faults({"now": 1}) != []


def test_jobs_that_are_held_or_cancelled_are_withdrawn(log: Path) -> None:
    trace = sw.Trace.from_columns([0, 1, 2, 9], [20] * 4, [4] * 4, max_processors=4)
    with scheduler_of("whole", log) as scheduler:
        sim = sw.Simulation(trace, sw.Site(policy=sw.External(scheduler)))
        sim.run(until=3)
        sim.hold(2)
        sim.cancel(3)
        sim.run(until=10)
        sim.release(2)
        sim.run()
    sent = messages(log)
    assert [message["withdrawn"] for message in sent if "withdrawn" in message] == [[2, 3]]
    assert [[job[0] for job in m["arrived"]] for m in sent if "arrived" in m][-2:] == [[4], [2]]
    # Job 1 runs from 0 to 20. Job 4 is next, because it arrived before job 2 was released.
    assert sim.result().start.tolist() == [0, 40, -1, 20]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut", r"it has ended \(unfinished answer: b'\{\"sta'\) \(exit status 3\)"),
        ("die", r"it has ended \(exit status 3\)"),
        ("hang", "no complete answer within 0.5 s"),
        ("nonsense", r"the answer b'\[1, 2\]' is not a message"),
        ("huge", r"the answer b'.*9999.* is not a message"),
        ("unclosed", r"the answer b'\{\"start\":\[12\.\.' is not a message"),
    ],
)
def test_a_broken_program_is_a_typed_error_and_the_replay_goes_on(
    kind: str, message: str, log: Path
) -> None:
    timeout = 0.5 if kind == "hang" else 60
    with scheduler_of(kind, log, timeout) as scheduler:
        sim = sw.Simulation(TRACE, sw.Site(policy=sw.External(scheduler)))
        with pytest.raises(sw.ReplayError, match=message):
            sim.run()
    with scheduler_of("whole", log) as scheduler:
        sim.set_policy(sw.External(scheduler))
        sim.run()
    assert (sim.result().start == FCFS.start).all()


def test_a_program_that_reads_nothing_is_a_typed_error() -> None:
    # The first message has more than 8 characters for each of 9000 jobs, too many for a pipe of 64
    # KiB.
    trace = sw.Trace.from_columns([0] * 9000, [1] * 9000, [1] * 9000, max_processors=4)
    sleeper = [sys.executable, "-c", "import time; time.sleep(60)"]
    with (
        sw.OutsideScheduler(sleeper, timeout=0.3) as scheduler,
        pytest.raises(sw.ReplayError, match=r"it has not read its input for 0\.3 s"),
    ):
        sw.simulate(trace, sw.Site(policy=sw.External(scheduler)))


def test_a_program_or_socket_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    for scheduler in (
        sw.OutsideScheduler([str(tmp_path / "none")]),
        sw.OutsideScheduler(socket=tmp_path / "none"),
    ):
        with pytest.raises(sw.ReplayError, match="No such file or directory; check that"):
            sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))


def serve(path: Path, n_connections: int) -> threading.Thread:
    """Serve connections to a socket: start all jobs that fit, first come, first served."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()

    def run() -> None:
        with listening:
            for _ in range(n_connections):
                link, _address = listening.accept()
                with link, link.makefile("rw") as lines:
                    subprocess.run(
                        [sys.executable, "-c", PROGRAM, "whole", os.devnull],
                        stdin=link, stdout=link, check=True,
                    )  # fmt: skip
                    del lines

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_unix_socket_gives_the_same_schedule(tmp_path: Path) -> None:
    thread = serve(tmp_path / "s", 1)
    with sw.OutsideScheduler(socket=tmp_path / "s") as scheduler:
        result = sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
    thread.join(30)
    assert (result.start == FCFS.start).all()


def replay_in_child(scheduler: sw.OutsideScheduler, out: Any) -> None:
    result = sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
    scheduler.close()
    out.put(bool((result.start == FCFS.start).all()))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_another_process_opens_a_connection_of_its_own(method: str, log: Path) -> None:
    context = multiprocessing.get_context(method)
    with scheduler_of("whole", log) as scheduler:
        sim = sw.Simulation(TRACE, sw.Site(policy=sw.External(scheduler)))
        sim.run(until=int(TRACE.submit[100]))
        out = context.Queue()
        child = context.Process(target=replay_in_child, args=(scheduler, out))
        child.start()
        assert out.get(timeout=60) is True
        child.join(60)
        sim.run()  # the connection of this process is still open
    assert (sim.result().start == FCFS.start).all()


def test_the_example_in_c_compiles_without_warnings_and_agrees(tmp_path: Path) -> None:
    program = tmp_path / "fcfs"
    subprocess.run(
        ["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, C_SOURCE], check=True
    )
    with sw.OutsideScheduler([str(program)]) as scheduler:
        result = sw.simulate(TRACE, sw.Site(policy=sw.External(scheduler)))
    assert (result.start == FCFS.start).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs either a command or a socket"),
        ({"command": ["a"], "socket": "b"}, "use exactly one"),
        ({"command": "./fcfs"}, "pass a list of the program and its arguments"),
        ({"command": []}, "pass a list"),
        ({"command": ["a"], "timeout": 0}, "timeout is 0; use a number of seconds"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sw.OutsideScheduler(**arguments)


def test_a_pickle_is_a_scheduler_without_its_connection(log: Path) -> None:
    with scheduler_of("whole", log) as scheduler:
        other = pickle.loads(pickle.dumps(scheduler))
        assert (other.command, other.timeout) == (scheduler.command, scheduler.timeout)
