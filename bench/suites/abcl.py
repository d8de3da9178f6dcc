"""ABCL/ST: what compiled programs cost beside objects written by hand and other actors, and how long the compiler takes."""
import re
import shutil
import subprocess
import tempfile
import time
from functools import cache, partial
from pathlib import Path

from harness.build import ROOT, Failed
from harness.measure import Program, clock_seconds, cpu_seconds, figure, instructions_each, per_second, times
from harness.row import Row

row = partial(Row, "abcl")

EXAMPLES = ROOT / "examples/abcl"
LINES = 50_000  # a program may have 4080 classes
FOLDER = tempfile.TemporaryDirectory()  # goes with the process


def fib_calls(n):
    """Objects of fib(n): 2 F(n) - 1."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return 2 * a - 1


def run_time(program, pes, n, less):
    """Without what its start takes. A program in ABCL/ST is built first, as users build it."""
    options = f"--tsubu-pes={pes}"

    def measure(build):
        name = built(build.program("abcl"), program) if isinstance(program, Path) else program
        return cpu_seconds(Program(name, n, options), without=Program(name, less, options))(build)

    return measure


@cache
def built(abcl, source):
    made = Path(FOLDER.name) / source.stem
    # Until the precompiled header is there, which is made while others would be measured. (Older builds make none.)
    for _ in range(6):
        done = subprocess.run([abcl, "build", "--verbose", source, "-o", made], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"abcl build {source}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        if " -include " in done.stderr:
            break
        time.sleep(1)
    return made


def abcl_rows(build):
    fib, past = EXAMPLES / "fib.abcl", ROOT / "bench/ours/abcl/past.abcl"
    for pes, n in ((1, 36), (2, 31)):
        yield row(f"fib_{pes}", "seconds", run_time(fib, pes, n, 2),
                  {"C++ objects by hand": run_time("bench_abcl_fib_by_hand", pes, n, 2)}, ratio_limit=1.15,
                  transport="threads", pes=pes)
    n = 36
    for name, what in (("caf", "CAF actors"), ("erlang", "Erlang processes")):
        if build.has(f"peer_fib_{name}"):
            yield row(f"fib_vs_{name}", "tasks/s", per_second(fib_calls(n), run_time(fib, 1, n, 2)),
                      {what: figure(Program(f"peer_fib_{name}", "--n", 24, "--repetitions", 7), "tasks_per_second")},
                      better="higher", ratio_limit=40, transport="threads", between=None)
    count = 50_000_000
    yield row("past_same_node", "ticks", times(ticks_per_second() / count, run_time(past, 1, count, 0)), limit=16,
              transport="threads")
    if shutil.which("valgrind"):
        # Each round asks twice.
        yield row("guarded_question", "instructions", guarded_question(), limit=150, transport="threads", turns=1)
    large = large_program()
    yield row("check", "lines/s", per_second(LINES, cpu_seconds(Program("abcl", "check", large))), better="higher",
              limit=500_000)
    yield row("build_fib", "seconds", clock_seconds(Program("abcl", "build", fib, "-o", f"{FOLDER.name}/again")), limit=4)
    yield row("machine", "instructions/s", machine_speed(ROOT / "bench/ours/abcl/loop.abcl", 100_000_000), better="higher",
              limit=100e6)
    yield row("run_first", "seconds", clock_seconds(Program("abcl", "run", fib, 2, "--tsubu-pes=1")), limit=0.1)
    again = Program("abcl", "run", "--compiled", fib, 2, "--tsubu-pes=1")
    yield row("run_again", "seconds", clock_seconds(again, prepare=again), limit=0.1)


def guarded_question():
    """One that an object on the same node takes by a guard, answered."""
    def measure(build):
        made = built(build.program("abcl"), ROOT / "bench/ours/abcl/guarded.abcl")
        return instructions_each(Program(made, "--tsubu-pes=1"), None, 10_000, 2)(build)

    return measure


def machine_speed(loop, rounds):
    """Instructions a second, without what the start takes."""
    of, nothing = (Program("abcl", "run", loop, n, "--tsubu-pes=1") for n in (rounds, 0))
    return lambda build: instructions(build, loop) * rounds / cpu_seconds(of, without=nothing)(build)


def instructions(build, loop):
    """How many a round of the loop has on the register machine."""
    def counted(rounds):
        done = subprocess.run([build.program("abcl"), "run", "--stats", loop, str(rounds), "--tsubu-pes=1"],
                              capture_output=True, text=True, check=False)
        found = re.search(r"^0 +(\d+)", done.stderr, re.MULTILINE)
        if done.returncode != 0 or found is None:
            raise Failed(f"abcl run --stats {loop}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return int(found[1])

    return (counted(1000) - counted(0)) / 1000


def ticks_per_second():
    """Those of the time-stamp counter, which runs with the frequency that the kernel tells."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("cpu MHz"):
            return float(line.split(":")[1]) * 1e6
    return 1e9


def large_program():
    """The bounded buffer again and again, each time under other names, as one text."""
    text = (EXAMPLES / "bounded_buffer.abcl").read_text()
    classes = text[:text.index("[class Main")]
    each = classes.count("\n")
    copies = []
    for i in range(LINES // each + 1):
        copy = classes
        for name in ("Buffer", "Producer", "Consumer"):
            copy = copy.replace(name, f"{name}{i}")
        copies.append(copy)
    lines = "".join(copies).splitlines(keepends=True)[:each * (LINES // each)]
    path = Path(FOLDER.name) / "large.abcl"
    path.write_text("".join(lines))
    return path
