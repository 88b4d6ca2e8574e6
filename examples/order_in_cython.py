"""An order written in Cython: build order_cython/expansion.pyx and replay a log under it."""

import importlib
import shutil
import sys
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension
from setuptools.dist import Distribution

import slotwise as sw


def build(source: Path, folder: Path) -> None:
    """Compile a module into `folder`."""
    copied = shutil.copy(source, folder)
    extension = Extension(source.stem, [copied], include_dirs=[sw.get_include()])
    modules = cythonize([extension], include_path=[sw.get_include()], quiet=True)
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder), str(folder)
    command.ensure_finalized()
    command.run()


trace = sw.generate("lublin", n_jobs=2000, processors=256, load=0.7, seed=1)
with tempfile.TemporaryDirectory() as folder:
    build(Path(__file__).parent / "order_cython" / "expansion.pyx", Path(folder))
    sys.path.insert(0, folder)
    expansion = importlib.import_module("expansion")

    compiled = sw.CompiledOrder(expansion.capsule, keepalive=expansion)
    written = {"name": "expression", "key": "(wait + requested_time) / requested_time"}
    for name, order in (("Cython", compiled), ("expression", written), ("fcfs", "fcfs")):
        wait = sw.simulate(trace, sw.Site(policy=sw.Policy(order=order))).metrics()["mean_wait"]
        print(f"{name:10} mean wait {wait:8.1f} s")
