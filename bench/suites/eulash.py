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
# The source, and its arguments: a second or so each by gcc, since mpirun takes 0.1 to 0.4 s to start what ends at once.
OURS, TESTS = "bench/ours/eulash", "tests/eulash/programs"
PROGRAMS = {"jacobi": (OURS, 2, 1026, 5000), "lu": (OURS, 2, 2500), "mandelbrot": (TESTS, 2, 2400, 1600, 1000),
            "mp3d": (OURS, 2, 400_000, 1500), "radix": (OURS, 2, 40_000_000, 4)}


@cache
def built(build, name):
    """The placed program and the other one, which print the same."""
    folder, *arguments = map(str, PROGRAMS[name])
    source, placed, plain = ROOT / folder / f"{name}.c", Path(FOLDER.name) / name, Path(FOLDER.name) / f"{name}_plain"
    eulash = build.program(EULASH)
    for words in ([eulash, "cc", "-O3", source, "-o", placed, "-lm"], ["gcc", "-O3", "-pthread", source, "-o", plain, "-lm"]):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{words[0]} {source}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    said = [subprocess.run([program, *arguments, *more], capture_output=True, text=True).stdout
            for program, more in ((placed, ["--tsubu-pes=2"]), (plain, []))]
    if said[0] != said[1] or not said[0]:
        raise Failed(f"{name} prints {said[0][-200:]!r} when it is placed, and {said[1][-200:]!r} else")
    return placed, plain


def seconds(name, which, *more, **how):
    return lambda build: clock_seconds(Program(built(build, name)[which], *PROGRAMS[name][1:], *more, **how))(build)


def eulash_rows(build):
    if not build.has(EULASH):
        return
    for name in PROGRAMS:
        peer = {"gcc -O3 -pthread": seconds(name, 1)}
        yield row(name, "seconds", seconds(name, 0, "--tsubu-pes=2"), peer, ratio_limit=1.25, transport="threads", pes=2)
        for mpi in build.mpis:
            yield row(name, "seconds", seconds(name, 0, mpi=mpi, ranks=2), peer, ratio_limit=1.6, transport=mpi, pes=2)
