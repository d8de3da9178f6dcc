"""Measurements: a program is run, and a figure is taken from what it prints.

A measurement is a function that takes a build, runs once and returns a number. A run whose answer does not verify gives
no figure, and fails.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial

from harness.build import Failed, launcher


class Program:
    """A program with its arguments, to be started in any build; with `mpi`, on that many ranks.

    An argument that is a function is given the build, for the paths of other programs in it.
    """

    def __init__(self, name, *arguments, mpi=None, ranks=1):
        self.name, self.arguments, self.mpi, self.ranks = name, arguments, mpi, ranks

    def words(self, build):
        before = launcher(self.mpi, self.ranks) if self.mpi else []
        arguments = [word(build) if callable(word) else word for word in self.arguments]
        return [str(word) for word in (*before, build.program(self.name), *arguments)]


def call(words, timeout=600):
    """What it prints."""
    return run(words, timeout).stdout


def said_at_end(words, timeout=600):
    """What it says on the standard error, as its accounts (--tsubu-stats)."""
    return run(words, timeout).stderr


def run(words, timeout):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout)
    except OSError as error:
        raise Failed(f"{words[0]}: {error.strerror}; is it built?") from None
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(words)}: not done after {timeout} s") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done


def line_of(words):
    """The last line of JSON that a program prints. Where it says whether its answer verifies, it must say yes."""
    for text in reversed(call(words).splitlines()):
        if text.startswith("{"):
            line = json.loads(text)
            if line.get("verified", True) is not True:
                raise Failed(f"{' '.join(words)}: its answer does not verify")
            return line
    raise Failed(f"{' '.join(words)}: no JSON line")


def named(line, names):
    """The first of the names that the line has. Builds of different age may call a figure by different names."""
    for name in (names,) if isinstance(names, str) else names:
        if name in line:
            return float(line[name])
    raise Failed(f"{line.get('name') or line.get('program')}: no figure '{names}' in its line")


def figure(program, names):
    return lambda build: named(line_of(program.words(build)), names)


def beside_others(measure):
    """As `measure`, while on each core a process computes that has nothing to do with it."""

    def measure_there(build):
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
        try:
            return measure(build)
        finally:
            for other in others:
                other.kill()
                other.wait()

    return measure_there


def quotient(program, top, bottom):
    """The ratio of two figures of one run."""

    def measure(build):
        line = line_of(program.words(build))
        return named(line, top) / named(line, bottom)

    return measure


def of_one_run(program, ours, *peers):
    """Figures that a program measures in turns by itself: of ours, which runs it, and of the peers, asked next."""
    lines = {}

    def measure(build):
        lines[build] = line_of(program.words(build))
        return named(lines[build], ours)

    return measure, *(partial(lambda peer, build: named(lines[build], peer), peer) for peer in peers)


def cpu_seconds(program, without=None):
    """Seconds of processors that a run takes, less those of another program, or with other arguments: of its start."""

    def spent(words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        call(words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    return lambda build: spent(program.words(build)) - (spent(without.words(build)) if without else 0)


def clock_seconds(program, prepare=None):
    """Seconds on the clock from its start to its end."""

    def measure(build):
        if prepare:
            call(prepare.words(build))
        start = time.monotonic()
        call(program.words(build))
        return time.monotonic() - start

    return measure


def per_second(count, seconds):
    return lambda build: count / seconds(build)


def times(factor, measure):
    return lambda build: factor * measure(build)


def micro(name, counter="ticks"):
    """A counter of one of the benchmarks of one PE, which are programs of Google Benchmark."""
    program = Program("bench_one_pe", f"--benchmark_filter=^{name}(/.*)?$", "--benchmark_format=json",
                      "--benchmark_min_time=0.2")

    def measure(build):
        found = json.loads(call(program.words(build)))["benchmarks"]
        if not found:
            raise Failed(f"bench_one_pe has no benchmark '{name}'")
        return float(found[0][counter])

    return measure


def by_clang(measure):
    """The same of the tree that clang has built."""

    def measure_there(build):
        if build.by_clang is None:
            raise Failed(f"{build.tree}: no tree of clang beside it")
        return measure(build.by_clang)

    return measure_there


def compiled(build, source, compiler, folder):
    """The object file of the one source of the tree whose name matches, and the seconds that it took."""
    found = sorted(build.source.glob(source))
    if not found:
        raise Failed(f"{build.source}: no {source}")
    to = f"{folder}/out.o"
    start = time.monotonic()
    call([compiler, "-std=c++20", "-O2", f"-I{build.source}", "-c", str(found[0]), "-o", to])
    return to, time.monotonic() - start


def compile_seconds(source, compiler="g++"):
    def measure(build):
        with tempfile.TemporaryDirectory() as folder:
            return compiled(build, source, compiler, folder)[1]

    return measure


def code_kilobytes(source, compiler="g++"):
    """What `size` calls text: instructions, constants, and what exceptions need."""

    def measure(build):
        with tempfile.TemporaryDirectory() as folder:
            said = call(["size", compiled(build, source, compiler, folder)[0]])
            return int(said.splitlines()[-1].split()[0]) / 1000

    return measure


def used(program, build):
    """Processor seconds, and the most bytes of memory, of a program that ends well."""
    words = program.words(build)
    with tempfile.TemporaryFile() as errors:
        try:
            child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors)
        except OSError as error:
            raise Failed(f"{words[0]}: {error.strerror}; is it built?") from None
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            errors.seek(0)
            raise Failed(f"{' '.join(words)}: exit code {child.returncode}\n"
                         f"{errors.read().decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def rate_of_processor(count, program):
    """So many things of a program in a second of processor time."""
    return lambda build: count / used(program, build)[0]


def most_bytes(program):
    return lambda build: used(program, build)[1]


def instructions_each(program, option, few, runs):
    """Instructions of each step of a program, counted by callgrind: what twice as many steps cost more.

    `option` sets the number of steps, `few` of them and twice as many, or is None: then they are the last argument. The
    program does them `runs` times.
    """

    def collected(build, steps):
        with tempfile.NamedTemporaryFile() as out:
            words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}",
                     *program.words(build), *([option] if option else []), str(steps)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=600)
        found = [line for line in done.stderr.splitlines() if "Collected" in line]
        if done.returncode != 0 or not found:
            raise Failed(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return int(found[0].split(":")[1])

    return lambda build: (collected(build, 2 * few) - collected(build, few)) / (few * runs)
