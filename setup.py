"""Build of the extensions; everything else stands in pyproject.toml.

Switches read from the environment: DEBUG=1 (assertions, -O0), SANITIZE=1 (ASan and UBSan),
COVERAGE=1 (gcov), WERROR=1 (warnings fail the build). SLOTWISE_BUILD_JOBS is how many files are
compiled at once; as many as there are processors without it. SLOTWISE_BUILD_PROGRESS is a file to
write to how many are begun, such as a terminal: pip shows nothing of a build.
"""

import os
import sys
from pathlib import Path
from threading import Lock

import numpy
import pybind11
from Cython.Build import cythonize
from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import Extension, setup

ROOT = Path(__file__).parent.resolve()
os.chdir(ROOT)
HEADERS = sorted(str(p) for p in Path("src").rglob("*.h*") if p.suffix in (".h", ".hpp"))


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


# Objects are kept for the next build, and those of other switches or headers apart from them.
SWITCHES = [name.lower() for name in ("DEBUG", "SANITIZE", "COVERAGE") if switch(name)]
BUILD_BASE = Path("build", *SWITCHES)
OBJECTS = BUILD_BASE / f"objects-{sys.implementation.cache_tag}-pybind11-{pybind11.__version__}"


class BuildExtensions(build_ext):
    """Compiles into `OBJECTS`, where an editable install would take a folder it then deletes."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.build_temp = str(OBJECTS)


def is_stale(obj: str, source: str) -> bool:
    """Tell whether an object is older than its source or than any header."""
    built = Path(obj)
    if not built.exists():
        return True
    newest = max(Path(p).stat().st_mtime for p in (source, "setup.py", *HEADERS))
    return built.stat().st_mtime < newest


class Progress:
    """Writes to `SLOTWISE_BUILD_PROGRESS` how many of the files to compile are begun."""

    def __init__(self, sources: list[str]) -> None:
        self.path = os.environ.get("SLOTWISE_BUILD_PROGRESS")
        objects = {source: str(OBJECTS / Path(source).with_suffix(".o")) for source in sources}
        self.stale = {s for s, obj in objects.items() if is_stale(obj, s)} if self.path else set()
        self.begun = 0
        self.lock = Lock()

    def needs_recompile(self, obj: str, source: str) -> bool:
        """Answer as `is_stale`, and count what will be compiled."""
        stale = is_stale(obj, source)
        if stale and source in self.stale:
            with self.lock, Path(self.path).open("a", encoding="ascii") as file:
                self.begun += 1
                last = "\n" if self.begun == len(self.stale) else ""
                file.write(f"\rcompiling C++: {self.begun} of {len(self.stale)} files{last}")
        return stale


compile_args = [
    "-O3",
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
    "-Wconversion",
]
link_args: list[str] = []
if switch("WERROR"):
    compile_args += ["-Werror"]
if switch("DEBUG"):
    compile_args += ["-O0", "-g", "-UNDEBUG"]
generator_args = ["-O3", "-ffp-contract=off"]
if switch("SANITIZE"):
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    # -g1 holds what a stack trace shows and compiles faster than -g. Python's own flags bring
    # -fwrapv, under which no overflow would be found.
    sanitized = ["-O1", "-g1", "-UNDEBUG", "-fno-wrapv", "-fno-omit-frame-pointer", *sanitizers]
    compile_args += sanitized
    generator_args += sanitized
    link_args += sanitizers
if switch("COVERAGE"):
    compile_args += ["-O0", "-g", "--coverage"]
    link_args += ["--coverage"]

core = Pybind11Extension(
    "slotwise._core",
    sources=sorted(
        str(p)
        for folder in ("src/core", "src/pycore/bindings")
        for p in Path(folder).rglob("*.cpp")
    ),
    include_dirs=["src/core", "src/pycore/bindings", "src/pycore/slotwise/include"],
    depends=HEADERS,
    cxx_std=20,
    extra_compile_args=compile_args,
    extra_link_args=link_args,
)
generators = [
    Extension(
        "slotwise.generators." + p.stem,
        sources=[str(p)],
        include_dirs=[numpy.get_include()],
        library_dirs=[str(Path(numpy.__file__).parent / "random" / "lib")],
        libraries=["npyrandom", "m"],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=generator_args,
        extra_link_args=link_args,
    )
    for p in sorted(Path("src/pycore/slotwise/generators").glob("*.pyx"))
]

progress = Progress(core.sources)
with ParallelCompile("SLOTWISE_BUILD_JOBS", default=0, needs_recompile=progress.needs_recompile):
    setup(
        ext_modules=[
            core,
            *cythonize(generators, language_level=3, build_dir="build/cython", annotate=False),
        ],
        cmdclass={"build_ext": BuildExtensions},
        options={"build": {"build_base": str(BUILD_BASE)}},
    )
