"""Where the programs of a build tree lie, and how they are started.

A benchmark may be asked of two builds in one run, so nothing here is global: every measurement is given its build.
"""
import os
import re
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A program that is missing, that ends badly, or whose answer does not verify."""


def launcher(mpi, ranks):
    """The words before a program that starts it on so many ranks, each on a core if there are enough."""
    words = [f"mpirun.{mpi}"]
    if mpi == "openmpi":
        if os.geteuid() == 0:
            words.append("--allow-run-as-root")
        words += ["--bind-to", "core"] if ranks <= (os.cpu_count() or 1) else ["--oversubscribe"]
    else:
        words += ["-bind-to", "core"]
    return words + ["-n", str(ranks)]


class Build:
    """A build tree: its programs, the MPIs it has a transport for, and the sources it was made from."""

    def __init__(self, tree):
        self.tree = Path(tree).resolve()
        if not (self.tree / "CMakeCache.txt").exists():
            raise Failed(f"{tree} is no build tree: it has no CMakeCache.txt")

    def program(self, name):
        return self.tree / "bin" / name

    def has(self, name):
        return self.program(name).exists()

    @cached_property
    def mpis(self):
        return [mpi for mpi in ("openmpi", "mpich")
                if shutil.which(f"mpirun.{mpi}") and (self.tree / f"lib/tsubu/tsubu-transport-{mpi}.so").exists()]

    @cached_property
    def source(self):
        """The root of the sources that the tree was configured for."""
        return Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (self.tree / "CMakeCache.txt").read_text(),
                              re.MULTILINE).group(1))

    @cached_property
    def python_package(self):
        """The folder with the Python package `tsubu`, as PYTHONPATH has it; nothing if it is not built."""
        folder = self.tree / "python/package"
        return folder if list(folder.glob("tsubu/_native*.so")) and self.python.exists() else None

    @property
    def python(self):
        """The Python that has the package's peers, which ./dev bench installs."""
        return self.source / "build/python/peers/bin/python"

    @property
    def by_clang(self):
        """The tree beside this one that clang has built; nothing if there is none."""
        tree = self.tree.parent / "clang"
        return Build(tree) if (tree / "CMakeCache.txt").exists() else None

    @cached_property
    def commit(self):
        """The commit of the sources as they are now, with a + if they have changes; empty if there is no git."""
        try:
            words = ["git", "-C", str(self.source), "describe", "--always", "--abbrev=9", "--exclude=*", "--dirty=+"]
            return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.strip()
        except OSError:
            return ""
