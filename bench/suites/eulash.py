"""EULASH's preprocessor: threads programs that `eulash cc` has placed, beside the same text by gcc -O3 -pthread."""
import subprocess
import tempfile
from functools import cache, partial
from pathlib import Path

from harness.build import ROOT, Failed
from harness.measure import Program, clock_seconds
from harness.row import Row

row = partial(Row, "eulash")

EULASH = "eulash"
FOLDER = tempfile.TemporaryDirectory()  # goes with the process
PROGRAMS = {"jacobi": (2, 1026, 300), "mandelbrot": (2, 800, 1000), "radix": (2, 4_000_000)}


@cache
def built(build, name):
    """The placed program and the other one, which print the same."""
    source, placed, plain = ROOT / f"bench/ours/eulash/{name}.c", Path(FOLDER.name) / name, Path(FOLDER.name) / f"{name}_plain"
    eulash = build.program(EULASH)
    for words in ([eulash, "cc", "-O3", source, "-o", placed, "-lm"], ["gcc", "-O3", "-pthread", source, "-o", plain, "-lm"]):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{words[0]} {source}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    arguments = [str(word) for word in PROGRAMS[name]]
    said = [subprocess.run([program, *arguments, *more], capture_output=True, text=True).stdout
            for program, more in ((placed, ["--tsubu-pes=2"]), (plain, []))]
    if said[0] != said[1] or not said[0]:
        raise Failed(f"{name} prints {said[0]!r} when it is placed, and {said[1]!r} else")
    return placed, plain


def seconds(name, which, *more, **how):
    return lambda build: clock_seconds(Program(built(build, name)[which], *PROGRAMS[name], *more, **how))(build)


def eulash_rows(build):
    if not build.has(EULASH):
        return
    for name in PROGRAMS:
        peer = {"gcc -O3 -pthread": seconds(name, 1)}
        yield row(name, "seconds", seconds(name, 0, "--tsubu-pes=2"), peer, ratio_limit=1.25, transport="threads", pes=2)
        for mpi in build.mpis:
            yield row(name, "seconds", seconds(name, 0, mpi=mpi, ranks=2), peer, ratio_limit=1.6, transport=mpi, pes=2)
