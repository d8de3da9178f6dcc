"""Receive prediction: how often the next message is foreseen, on threads, MPI and simulated; what that gains or loses.

Each program runs with each scheme, and in turns without; `trace` follows a run that is recorded before.
"""
import re
import tempfile
from functools import partial
from pathlib import Path

from harness.build import Failed
from harness.measure import Program, clock_seconds, figure, said_at_end
from harness.row import Row

row = partial(Row, "prediction")

SCHEMES = "last", "frequency", "markov", "markov2", "trace"

# From the same message again and again to messages without order.
PROGRAMS = {
    "pings": ("bench_prediction", "--mode", "one", "--objects", 2000, "--repetitions", 3),
    "tour": ("bench_prediction", "--mode", "tour", "--objects", 2000, "--repetitions", 3),
    "chance": ("bench_prediction", "--mode", "chance", "--objects", 2000, "--repetitions", 3),
    "fib": ("fib", 18, "--placement", "paper", "--json"),
    "philosophers": ("philosophers", "--philosophers", 8, "--meals", 2000, "--json"),
    "cg": ("cg", "--class", "S", "--exchange", "update", "--json"),
    "nbody": ("nbody", "--bodies", 3000, "--json"),
    "bfs": ("bfs", "--scale", 12, "--roots", 4, "--direction", "down", "--json"),
    "storm": ("histogram", "--updates", 2_000_000, "--json"),
}


def prediction_rows(build):
    yield from round_trip_rows(build)
    for where, place, how in places(build):
        for name, words in PROGRAMS.items():
            for scheme in SCHEMES:
                yield row(f"hits_{name}_{scheme}", "% of idle arrivals", hit_rate((*words, *place), scheme, **how),
                          better="higher", transport=where, pes=2, turns=1,
                          cell=(f"foreseen, %: {where}, 2 PEs", name, scheme))
    for where, place, how in places(build):
        if where == "sim":
            continue  # a simulated PE has no cache to fetch into
        for name, words in PROGRAMS.items():
            yield row(f"time_{name}", "seconds",
                      clock_seconds(Program(*words, *place, "--tsubu-predictor=markov", **how)),
                      {"nothing predicted": clock_seconds(Program(*words, *place, **how))}, transport=where, pes=2,
                      cell=("time with markov, of that without", name, f"{where}, 2 PEs"))


def places(build):
    """Where the programs run: a name, options, and how they are started. Over MPI, past what ranks of a node share."""
    yield "threads", ("--tsubu-pes=2",), {}
    yield "sim", ("--tsubu-pes=2", "--tsubu-transport=sim", "--tsubu-machine=cluster"), {}
    for mpi in build.mpis:
        yield mpi, ("--tsubu-shared=off",), {"mpi": mpi, "ranks": 2}


def round_trip_rows(build):
    """A question and its answer, beside the same with nothing predicted. Objects are out of the caches, but in `one`."""
    for mode, scheme, limit in (("tour", "markov", 0.95), ("tour", "trace", 0.95), ("tour", "last", None),
                                ("one", "last", 1.05), ("one", "markov", 1.05), ("chance", "markov", 1.05),
                                ("pure", "markov", None)):
        yield round_trip_row(mode, scheme, limit, "threads", ("--tsubu-pes=2",))
    for where, place, how in places(build):
        if how:
            for mode, scheme in (("tour", "markov"), ("tour", "trace"), ("one", "markov")):
                yield round_trip_row(mode, scheme, None if mode == "tour" else 1.05, where, place, **how)


def round_trip_row(mode, scheme, limit, where, place, **how):
    objects = 2000 if mode == "pure" else 60_000
    words = ("bench_prediction", "--mode", mode, "--objects", objects, "--repetitions", 1, *place)
    return row(f"round_trip_{mode}_{scheme}", "ns", with_scheme(words, scheme, "round_trip_ns", **how),
               {"nothing predicted": figure(Program(*words, **how), "round_trip_ns")}, ratio_limit=limit,
               transport=where, pes=2, turns=15 if where == "threads" else 7)


def with_scheme(words, scheme, name, **how):
    if scheme != "trace":
        return figure(Program(*words, f"--tsubu-predictor={scheme}", **how), name)

    def measure(build):
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder, "messages")
            figure(Program(*words, f"--tsubu-trace-record={trace}", **how), name)(build)
            return figure(Program(*words, f"--tsubu-trace-predict={trace}", **how), name)(build)

    return measure


def hit_rate(words, scheme, **how):
    """How many of 100 batches that came to PEs with nothing to do were what these had expected."""

    def rate(build, *options):
        told = said_at_end(Program(*words, "--tsubu-stats", *options, **how).words(build))
        found = re.search(r"([\d,]+) batches came to idle PEs; [\d,]+ were predicted \([^)]*\), ([\d,]+) rightly", told)
        if not found:
            raise Failed(f"{' '.join(map(str, words))}: no account of what was predicted in {told!r}")
        idle, hits = (int(number.replace(",", "")) for number in found.groups())
        return 100 * hits / idle

    def measure(build):
        if scheme != "trace":
            return rate(build, f"--tsubu-predictor={scheme}")
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder, "messages")
            said_at_end(Program(*words, f"--tsubu-trace-record={trace}", **how).words(build))
            return rate(build, f"--tsubu-trace-predict={trace}")

    return measure
