"""Names in a site: queues, partitions and owners from a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotwise as sw
from slotwise.cli import main
from slotwise.replay.site_names import lacking_names

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600


def log(n: int = 4, **columns: Any) -> sw.Trace:
    """Make jobs of 1 processor and an hour, all submitted at 0."""
    return sw.Trace.from_columns(
        [0] * n, [HOUR] * n, [1] * n, [HOUR] * n, max_processors=8, **columns
    )


def starts(trace: sw.Trace, **site: Any) -> list[int]:
    return sw.simulate(trace, sw.Site(8, **site)).start.tolist()


def test_a_name_of_a_queue_leads_its_jobs_to_a_queue() -> None:
    trace = log(queue=["debug", "batch", "debug", "batch"])
    site = sw.Site(8, queues=[sw.Queue("fast", trace_queues=["debug"]), sw.Queue("rest")])
    assert sw.simulate(trace, site).queue.tolist() == [0, 1, 0, 1]


def test_a_name_that_no_queue_has_is_that_of_a_partition() -> None:
    trace = log(queue=["a", "debug", "a", "a"], partition=["long", "long", "debug", "long"])
    site = sw.Site(8, queues=[sw.Queue("fast", trace_queues=["debug", "long"]), sw.Queue("rest")])
    # "debug" is a queue, so the partition of that name does not count; "long" is only a partition.
    assert sw.simulate(trace, site).queue.tolist() == [0, 0, 1, 0]


def test_numbers_and_names_may_stand_together() -> None:
    trace = log(queue=["debug", "batch", "night", "batch"])
    site = sw.Site(8, queues=[sw.Queue("fast", trace_queues=["debug", 3]), sw.Queue("rest")])
    assert sw.simulate(trace, site).queue.tolist() == [0, 1, 0, 1]


def test_a_number_in_quotes_is_that_of_a_log_without_names() -> None:
    trace = log(queue=[7, 8, 7, 8])
    site = sw.Site(8, queues=[sw.Queue("fast", trace_queues=["7"]), sw.Queue("rest")])
    assert sw.simulate(trace, site).queue.tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("field", "column"),
    [("users", "user"), ("groups", "group"), ("accounts", "account"), ("qos", "qos")],
)
def test_a_limit_on_named_owners_holds_their_jobs_alone(field: str, column: str) -> None:
    trace = log(**{column: ["ann", "bob", "ann", "bob"]})
    limit = sw.NamedLimits(running=1, **{field: ["ann"]})
    # Ann's second job waits for her first; Bob's jobs start immediately.
    assert starts(trace, named_limits=[limit]) == [0, 0, HOUR, 0]


def test_named_owners_count_together_or_each() -> None:
    trace = log(6, user=["ann", "bob", "ann", "bob", "eve", "eve"])
    together = sw.NamedLimits(users=["ann", "bob"], running=1)
    each = sw.NamedLimits(users=["ann", "bob"], running_per_user=1)
    assert starts(trace, named_limits=[together]) == [0, HOUR, 2 * HOUR, 3 * HOUR, 0, 0]
    assert starts(trace, named_limits=[each]) == [0, 0, HOUR, HOUR, 0, 0]


@pytest.mark.parametrize(
    ("field", "column"),
    [("users", "user"), ("groups", "group"), ("accounts", "account"), ("qos", "qos")],
)
def test_a_reservation_for_named_owners(field: str, column: str) -> None:
    trace = log(2, **{column: ["ann", "bob"]})
    kept = sw.Reservation("course", 0, 2 * HOUR, 8, **{field: ["bob"]})
    # The reservation takes the whole machine, so ann starts after it, and bob inside it.
    assert starts(trace, reservations=[kept]) == [2 * HOUR, 0]


RULES = [
    {"running": 2},
    {"processors_in_use": 6},
    {"running_per_user": 1},
    {"processors_per_user": 4},
    {"queued_per_user": 1},
    {"submitted_per_user": 2},
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: next(iter(rule)))
@pytest.mark.parametrize("backfill", ["easy", "conservative"])
def test_named_limits_are_those_of_a_queue_of_the_same_jobs(
    rule: dict[str, int], backfill: str
) -> None:
    """Limiting user 1 has the same effect as limiting a queue that takes only this user's jobs."""
    draw = np.random.default_rng(3)
    user = draw.integers(0, 3, 200)
    run = draw.integers(10, 500, 200)
    trace = sw.Trace.from_columns(
        np.sort(draw.integers(0, 8000, 200)), run, draw.integers(1, 7, 200), run * 2,
        max_processors=8, user=user, queue=user,
    )  # fmt: skip
    policy = sw.Policy(backfill=backfill)
    queues = [sw.Queue("mine", trace_queues=[1]), sw.Queue("others")]
    named = sw.Site(
        8, policy=policy, queues=queues, named_limits=[sw.NamedLimits(users=[1], **rule)]
    )
    own = sw.Site(8, policy=policy, queues=[sw.Queue("mine", trace_queues=[1], **rule), queues[1]])
    expected = sw.simulate(trace, own)
    found = sw.simulate(trace, named)
    assert found.start.tolist() == expected.start.tolist()
    assert found.state.tolist() == expected.state.tolist()
    stepped = sw.Simulation(trace, named)
    stepped.run()
    assert stepped.result().start.tolist() == expected.start.tolist()


def test_a_limit_on_named_owners_rejects_a_job_above_it() -> None:
    trace = sw.Trace.from_columns([0, 0], [9, 9], [4, 4], [9, 9], max_processors=8, user=["a", "b"])
    result = sw.simulate(
        trace, sw.Site(8, named_limits=[sw.NamedLimits(users=["a"], processors_in_use=3)])
    )
    assert result.reject_counts() == {sw.RejectReason.LIMIT: 1}


def test_explain_names_the_limit_and_its_owner() -> None:
    trace = log(user=["ann", "bob", "ann", "bob"], account=["x", "x", "x", "y"])
    site = sw.Site(
        8,
        limits=sw.Limits(running_per_account=3),
        named_limits=[sw.NamedLimits(users=["ann"], running_per_user=1)],
    )
    held = sw.simulate(trace, site).explain(3).limits[0]
    assert (held.name, held.whose, held.most) == ("named_limit[0].running_per_user", "user ann", 1)
    assert held.jobs == (1,)


def test_a_name_that_the_log_lacks_is_a_warning_and_has_no_effect() -> None:
    trace = log(user=["ann", "bob", "ann", "bob"])
    site = sw.Site(8, named_limits=[sw.NamedLimits(users=["ann", "eve"], running=1)])
    with pytest.warns(sw.SiteWarning) as caught:
        result = sw.simulate(trace, site)
    assert [str(each.message) for each in caught] == [
        "named_limit[0].users: the log has no user 'eve'; it has ann, bob: correct the name, or "
        "leave it out"
    ]
    assert result.start.tolist() == [0, 0, HOUR, 0]


def test_names_for_a_log_without_names() -> None:
    trace = log(user=[1, 2, 1, 2], queue=[1, 1, 2, 2])
    site = sw.Site(
        8,
        queues=[sw.Queue("fast", trace_queues=["debug"]), sw.Queue("rest")],
        reservations=[sw.Reservation("course", 0, HOUR, 8, users=["ann"])],
    )
    assert lacking_names(site, trace) == [
        "queue[0].trace_queues: the log has no queue or partition 'debug'; it has no names for "
        "queues and partitions: use numbers instead",
        "reservation[0].users: the log has no user 'ann'; it has no names for users: use "
        "numbers instead",
    ]
    with pytest.warns(sw.SiteWarning):
        result = sw.simulate(trace, site)
    assert result.queue.tolist() == [1] * 4
    assert result.start.tolist() == [HOUR] * 4


def test_a_name_for_a_log_without_owners() -> None:
    site = sw.Site(8, named_limits=[sw.NamedLimits(accounts=["bio"], running=1)])
    assert lacking_names(site, log(user=[1, 2, 1, 2])) == [
        "named_limit[0].accounts: the log has no account 'bio'; it has no accounts at all: add "
        "them to the log, or leave the name out"
    ]


def test_an_unknown_queue_is_not_a_queue_that_the_log_lacks() -> None:
    trace = log(queue=[-1, -1, 2, 2])
    site = sw.Site(8, queues=[sw.Queue("fast", trace_queues=["debug"]), sw.Queue("rest")])
    with pytest.warns(sw.SiteWarning):
        assert sw.simulate(trace, site).queue.tolist() == [1] * 4


def test_a_site_with_names_reads_back_from_its_text() -> None:
    site = sw.Site(
        8,
        queues=[sw.Queue("fast", trace_queues=["debug", 2]), sw.Queue("rest")],
        named_limits=[sw.NamedLimits(users="ann", accounts=["x", 3], running=1)],
    )
    text = site.to_toml()
    assert 'trace_queues = ["debug", 2]' in text
    assert '[[named_limit]]\nusers = ["ann"]\naccounts = ["x", 3]\nrunning = 1' in text


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"running": 1}, "the table lists no user, group, account or qos"),
        ({"users": ["ann"]}, "no limit is given; set one"),
        (
            {"users": [1.5], "running": 1},
            r"1\.5 must be a name, or a whole number that identifies a user",
        ),
        ({"qos": ["high", "high"], "running": 1}, "'high' is listed twice"),
    ],
)
def test_named_limits_at_fault(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(sw.SiteError, match=fault):
        sw.NamedLimits(**given)


def test_names_hold_in_a_stepped_replay_with_a_further_job() -> None:
    trace = log(user=["ann", "bob", "ann", "bob"])
    site = sw.Site(8, named_limits=[sw.NamedLimits(users=["ann"], running=1)])
    stepped = sw.Simulation(trace, site)
    stepped.submit(processors=1, run_time=60, requested_time=60, user=1)
    stepped.run()
    result = stepped.result()
    # The submitted job is Ann's third, and she may run one job at a time.
    assert result.start.tolist() == [0, 0, HOUR, 0, 2 * HOUR]
    assert result.explain(3).limits[0].whose == "the jobs of named_limit[0]"


def test_the_command_line_prints_the_warning_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log_file, site = tmp_path / "log.csv", tmp_path / "site.toml"
    log_file.write_text("submit,run_time,processors,user\n0,9,1,ann\n")
    site.write_text('[[named_limit]]\nusers = ["eve"]\nrunning = 1\n')
    arguments = ["--processors", "8", "--backfill", "easy,none"]
    assert main(["compare", str(log_file), str(site), *arguments]) == 0
    assert (
        capsys.readouterr().err.count(
            "slotwise: warning: named_limit[0].users: the log has no user"
        )
        == 1
    )
    assert (
        main(
            ["site", "check", str(site), "--trace", str(log_file), "--set", "machine.processors=8"]
        )
        == 0
    )
    assert "Note: named_limit[0].users: the log has no user 'eve'" in " ".join(
        capsys.readouterr().out.split()
    )
