"""Check an installed wheel: all modules that need no extra and, with ``--cli``, two commands.

``smoke.py [--cli]`` must be run in an empty environment, outside the repository. It exits with code
0 if every check passes. It also replays on several threads; a free-threaded Python must keep the
GIL off meanwhile.
"""

import importlib
import pickle
import pkgutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import slotwise as sw

# These modules import optional libraries.
NEEDS_EXTRA = ("slotwise.cli", "slotwise.rl", "slotwise.studies", "slotwise.terminal")


def import_all() -> None:
    """Import every module that needs no extra, and use every public name."""
    for module in pkgutil.walk_packages(sw.__path__, "slotwise."):
        if not module.name.startswith(NEEDS_EXTRA) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in sw.__all__:
        getattr(sw, name)


def replay(folder: Path) -> None:
    """Write, read and report on a log, and replay it under several orders and backfill rules."""
    trace = sw.generate("lublin", n_jobs=400, processors=64, seed=1)
    sw.write_swf(trace, folder / "log.swf.gz")
    assert sw.read_trace(folder / "log.swf.gz") == trace
    result = sw.simulate(trace)
    assert result.metrics()["n_started"] == len(trace)
    assert result.explain(int(trace.job_id[int(result.wait.argmax())]))
    result.to_csv(folder / "jobs.csv")
    result.to_report(folder / "report.html")
    assert (folder / "report.html").stat().st_size > 50_000
    assert pickle.loads(pickle.dumps(result)).start.tolist() == result.start.tolist()
    for backfill in ("none", "first-fit", "easy", "conservative"):
        for order in ("fcfs", "sjf", "wfp3", "f1"):
            sw.simulate(trace, sw.Site(policy=sw.Policy(order=order, backfill=backfill)))
    nodes = sw.Nodes([sw.NodeType(hosts="n[1-4]", cores=16)])
    assert sw.simulate(trace, sw.Site(machine=nodes)).start.max() > 0
    site = sw.Site(queues=[sw.Queue("all")], limits=sw.Limits(running_per_user=5))
    site.to_toml(folder / "site.toml")
    assert sw.Site.from_toml(folder / "site.toml") == site
    assert len(sw.sweep(trace, [sw.Site(), site], workers=2)) == 2
    assert Path(sw.get_include(), "slotwise_order.h").exists()


def check_threads() -> None:
    """Replay on several threads; a free-threaded Python must keep the GIL off meanwhile."""
    trace = sw.generate("lublin", n_jobs=400, processors=64, seed=1)
    expected = sw.simulate(trace).start.tolist()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: sw.simulate(trace).start.tolist(), range(64)))
    assert all(start == expected for start in found)
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled(), "an extension module has turned the GIL on"


def run_commands(folder: Path) -> None:
    """Run the first commands that a new user would run; they take less than a minute."""
    begun = time.monotonic()
    log, page = folder / "new.swf", folder / "new.html"
    program = [sys.executable, "-m", "slotwise"]
    for arguments in (
        ["generate", "lublin", str(log), "--jobs", "2000", "--processors", "256", "--seed", "1"],
        ["run", str(log), "--report", str(page)],
    ):
        subprocess.run([*program, *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    assert page.stat().st_size > 50_000
    print(f"generate and run --report took {time.monotonic() - begun:.1f} s")


def main() -> None:
    """Run every check."""
    with tempfile.TemporaryDirectory() as name:
        import_all()
        replay(Path(name))
        check_threads()
        if "--cli" in sys.argv:
            run_commands(Path(name))
    gil = "off" if sysconfig.get_config_var("Py_GIL_DISABLED") else "as built"
    print(f"slotwise {sw.__version__} on Python {sys.version.split()[0]}: smoke passed, GIL {gil}")


if __name__ == "__main__":
    main()
