"""Builds the extensions. build_support compiles the files; pyproject.toml has all other settings.

Switches in the environment: DEBUG=1 (assertions, -O0), SANITIZE=1 (ASan and UBSan), SANITIZE=thread
(TSan), COVERAGE=1 (gcov), WERROR=1 (warnings fail the build). SLOTWISE_BUILD_JOBS is the number of
files compiled at a time. Default: the number of processors. SLOTWISE_BUILD_PROGRESS is a file or
pipe for progress lines, because pip hides the output of a build. Default: stderr.
"""

import os
import sys
from pathlib import Path

import numpy
import pybind11
from Cython.Build import cythonize
from pybind11.setup_helpers import Pybind11Extension, build_ext
from setuptools import Extension, setup

ROOT = Path(__file__).parent.resolve()
os.chdir(ROOT)
sys.path.insert(0, str(ROOT))

from build_support.compilation import compile_stale, interpreter, note_flags  # noqa: E402
from build_support.unity import runs_seldom, write_unity_sources  # noqa: E402

HEADERS = sorted(str(p) for p in Path("src").rglob("*.h*") if p.suffix in (".h", ".hpp"))
FOLDERS = ("src/core", "src/pycore/bindings")
SOURCES = sorted(str(p) for folder in FOLDERS for p in Path(folder).rglob("*.cpp"))


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


# Objects are kept for the next build. Each combination of these switches has its own folder.
SWITCHES = [name.lower() for name in ("DEBUG", "SANITIZE", "COVERAGE") if switch(name)]
SANITIZERS = "thread" if os.environ.get("SANITIZE") == "thread" else "address,undefined"
BUILD_BASE = Path("build", *SWITCHES, *(["thread"] if SANITIZERS == "thread" else []))
OBJECTS = BUILD_BASE / f"objects-{interpreter()}-pybind11-{pybind11.__version__}"
FLAGS = OBJECTS / "flags.txt"

generator_args = ["-O3", "-ffp-contract=off", "-g0"]
compile_args = [*generator_args, "-fvisibility=hidden", "-Wall", "-Wextra", "-Wconversion"]
seldom_args = [] if SWITCHES else ["-O1"]
link_args: list[str] = []
if switch("WERROR"):
    compile_args += ["-Werror"]
if switch("DEBUG"):
    compile_args += ["-O0", "-g", "-UNDEBUG"]
if switch("SANITIZE"):
    sanitizers = [f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover=all"]
    # -g1 is enough for stack traces, and compiles faster than -g. Python's own flags include
    # -fwrapv, under which the sanitizer would find no overflow.
    sanitized = ["-O1", "-g1", "-UNDEBUG", "-fno-wrapv", "-fno-omit-frame-pointer", *sanitizers]
    compile_args += sanitized
    generator_args += sanitized
    link_args += sanitizers
if switch("COVERAGE"):
    compile_args += ["-O0", "-g", "--coverage"]
    link_args += ["--coverage"]


class BuildExtensions(build_ext):
    """Compiles into `OBJECTS`; an editable install would use a folder and then delete it."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.build_temp = str(OBJECTS)

    def build_extensions(self) -> None:
        compiler = [word for word in self.compiler.compiler_so if "ccache" not in word]
        note_flags(f"{compiler} {compile_args} {generator_args} {seldom_args}", FLAGS)
        core.sources = write_unity_sources(SOURCES, OBJECTS / "unity")
        kinds = runs_seldom, seldom_args
        self.compiler.compile = compile_stale(self.compiler, FLAGS, *kinds)
        super().build_extensions()


core = Pybind11Extension(
    "slotwise._core", SOURCES, cxx_std=20, depends=[*HEADERS, *SOURCES],
    include_dirs=[".", "src/core", "src/pycore/bindings", "src/pycore/slotwise/include"],
    extra_compile_args=compile_args, extra_link_args=link_args,
)  # fmt: skip
generators = [
    Extension(
        "slotwise.generators." + p.stem, [str(p)], include_dirs=[numpy.get_include()],
        library_dirs=[str(Path(numpy.__file__).parent / "random" / "lib")],
        libraries=["npyrandom", "m"],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=generator_args, extra_link_args=link_args,
    )
    for p in sorted(Path("src/pycore/slotwise/generators").glob("*.pyx"))
]  # fmt: skip
setup(
    ext_modules=[core, *cythonize(generators, language_level=3, build_dir="build/cython")],
    cmdclass={"build_ext": BuildExtensions},
    options={"build": {"build_base": str(BUILD_BASE)}},
)
