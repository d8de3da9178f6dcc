#!/usr/bin/env python3
"""The Python package beside what its users have: NumPy, pandas, Polars and DuckDB, in turns in one process.

    bench/ours/python_arrays.py QUESTION [--pes N] [--count N] [--keys N] [--repetitions N]

Prints a line of JSON: seconds of ours and of each peer, the medians of the repetitions after one that is not counted.
A peer that is not installed has no figure. Every answer is compared with NumPy's.
"""
import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time

import numpy as np

import tsubu


def add(job, count, keys, rng):
    """a[i] += v of integers; NumPy's own `+=` adds once for equal indices, np.add.at for each."""
    return updates(job, keys, rng.integers(0, keys, count), rng.integers(-1000, 1000, count))


def add_float(job, count, keys, rng):
    """a[i] += v of floating-point numbers."""
    return updates(job, keys, rng.integers(0, keys, count), rng.random(count))


def updates(job, keys, indices, values):
    ours, theirs = job.zeros(keys, values.dtype), np.zeros(keys, values.dtype)

    def add_ours():
        ours[indices] += values

    def equal():
        np.testing.assert_array_equal(ours.to_numpy(), theirs)

    return {"ours": add_ours, "numpy": lambda: np.add.at(theirs, indices, values)}, equal


def assign(job, count, keys, rng):
    """a[i] = v; of equal indices the last one wins."""
    indices, values = rng.integers(0, keys, count), rng.integers(-1000, 1000, count)
    ours, theirs = job.zeros(keys, np.int64), np.zeros(keys, np.int64)

    def assigns(array):
        def assign():
            array[indices] = values
        return assign

    def equal():
        np.testing.assert_array_equal(ours.to_numpy(), theirs)

    return {"ours": assigns(ours), "numpy": assigns(theirs)}, equal


def take(job, count, keys, rng):
    """a[i] of random indices, all of them brought to Python."""
    indices, table = rng.integers(0, keys, count), rng.integers(-2**62, 2**62, keys)
    ours = job.array(table)

    def equal():
        np.testing.assert_array_equal(ours[indices].to_numpy(), table[indices])

    return {"ours": lambda: ours[indices].to_numpy(), "numpy": lambda: table[indices]}, equal


def counter(job, count, keys, rng):
    """How often each key came, and the ten that came most often."""
    given = rng.integers(0, keys, count)

    def ours():
        found = job.counter()
        found.add(given)
        return found.top(10)

    def numpy():
        values, counts = np.unique(given, return_counts=True)
        best = np.lexsort((values, -counts))[:10]
        return [(int(values[k]), int(counts[k])) for k in best]

    def polars(library):
        frame = library.DataFrame({"key": given})
        return lambda: frame.group_by("key").len().sort(["len", "key"], descending=[True, False]).head(10).rows()

    def equal():
        assert ours() == numpy()

    return {"ours": ours, "numpy": numpy, **frames(polars=polars)}, equal


def groupby_sum(job, count, keys, rng):
    """The sum of the values of each key."""
    given, values = rng.integers(0, keys, count), rng.integers(-1000, 1000, count)

    def numpy():
        unique, places = np.unique(given, return_inverse=True)
        sums = np.zeros(len(unique), np.int64)
        np.add.at(sums, places, values)
        return unique, sums

    def pandas(library):
        frame = library.DataFrame({"key": given, "value": values})
        return lambda: frame.groupby("key", sort=False)["value"].sum()

    def polars(library):
        frame = library.DataFrame({"key": given, "value": values})
        return lambda: frame.group_by("key").agg(library.col("value").sum())

    def duckdb(library):
        database = library.connect(config={"threads": job.pes})
        frame = importlib.import_module("pandas").DataFrame({"key": given, "value": values})
        database.register("frame", frame)
        database.execute("create table facts as select * from frame")
        return lambda: database.execute("select key, sum(value)::bigint as total from facts group by key").fetchnumpy()

    def equal():
        ours, theirs = job.groupby_sum(given, values), numpy()
        order = np.argsort(ours[0])
        np.testing.assert_array_equal(ours[0][order], theirs[0])
        np.testing.assert_array_equal(ours[1][order], theirs[1])

    return {"ours": lambda: job.groupby_sum(given, values), "numpy": numpy,
            **frames(pandas=pandas, polars=polars, duckdb=duckdb)}, equal


def call(job, count, keys, rng):
    """A call that asks one element, a thousand times."""
    ours, theirs = job.arange(keys), np.arange(keys)

    def asks(values):
        def thousand():
            for k in range(1000):
                values[k]
        return thousand

    def equal():
        assert ours[7] == theirs[7]

    return {"ours": asks(ours), "numpy": asks(theirs)}, equal


def frames(**makers):
    """What is measured of the libraries that are installed."""
    found = {}
    for name, maker in makers.items():
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        found[name] = maker(library)
    return found


QUESTIONS = {function.__name__: function for function in (add, add_float, assign, take, counter, groupby_sum, call)}


def start():
    """Seconds of `import tsubu` after NumPy, and of the first job with its first answer, each in a process of its own."""
    code = """
import time, numpy as np
began = time.perf_counter(); import tsubu
imported = time.perf_counter()
with tsubu.job(pes=2) as job:
    assert job.zeros(10, np.int64).sum() == 0
    print(imported - began, time.perf_counter() - imported)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return dict(zip(("import", "first_job"), map(float, done.stdout.split())))


def seconds_of(measure):
    began = time.perf_counter()
    measure()
    return time.perf_counter() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=[*QUESTIONS, "start"])
    parser.add_argument("--pes", type=int, default=2)
    parser.add_argument("--count", type=int, default=10_000_000, help="indices or rows")
    parser.add_argument("--keys", type=int, default=1_000_000, help="elements or different keys")
    parser.add_argument("--repetitions", type=int, default=3, help="of ours and of each peer, by turns")
    options = parser.parse_args()
    line = {"name": f"python_{options.question}", "pes": options.pes}
    if options.question == "start":
        print(json.dumps({**line, **start()}))
        return
    with tsubu.job(pes=options.pes) as job:
        measured, equal = QUESTIONS[options.question](job, options.count, options.keys, np.random.default_rng(1))
        times = {name: [] for name in measured}
        for repetition in range(options.repetitions + 1):
            for name, measure in measured.items():
                seconds = seconds_of(measure)
                if repetition > 0:
                    times[name].append(seconds)
        equal()
    print(json.dumps({**line, "verified": True, **{name: statistics.median(of) for name, of in times.items()}}))


if __name__ == "__main__":
    main()
