"""Promise: a job ends when it is closed, and whatever a program does, the interpreter goes on: after ctrl-C the job,
too."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tsubu


def resident_mib():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def threads_of_process():
    return len(list(pathlib.Path("/proc/self/task").iterdir()))


def test_a_hundred_jobs_leave_nothing():
    def use():
        with tsubu.job(pes=2) as job:
            a = job.zeros(100_000)
            a[np.arange(0, 100_000, 7)] += 1.0
            counter = job.counter()
            counter.add([1, 2, 3])
            assert a.sum() == 14286 and counter.total() == 3

    for _ in range(10):
        use()
    threads, before = threads_of_process(), resident_mib()
    for _ in range(100):
        use()
    assert threads_of_process() == threads
    assert resident_mib() < before + 32


def test_what_is_dropped_is_given_back():
    with tsubu.job(pes=2) as job:
        job.zeros(10).sum()
        before = resident_mib()
        for _ in range(50):
            job.zeros(2_000_000)  # 16 MB each
        gc.collect()
        job.zeros(1)
        assert resident_mib() < before + 200


def test_has_as_many_pes_as_asked_for():
    for pes in (1, 3, 9):
        with tsubu.job(pes=pes) as job:
            assert job.pes == pes and not job.is_closed
            assert job.arange(100).sum() == 4950
        assert job.is_closed
        job.close()
    with tsubu.job(options=["--tsubu-pes=3"]) as job:
        assert job.pes == 3


def test_one_job_at_a_time():
    with tsubu.job(pes=1):
        with pytest.raises(tsubu.JobError, match="a session of this process goes on"):
            tsubu.job(pes=1)
    tsubu.job(pes=1).close()


@pytest.mark.parametrize(
    "options, words",
    [
        (["--tsubu-pse=2"], "did you mean --tsubu-pes"),
        (["--tsubu-transport=sim"], "threads of its process"),
        (["--tsubu-pes=5000"], "5000 PEs asked for"),
        (["four"], "'four' is no option of Tsubu"),
        (["--tsubu-help"], "for programs that run"),
    ],
)
def test_options_that_are_wrong(options, words):
    with pytest.raises(tsubu.JobError, match=words):
        tsubu.job(options=options)
    tsubu.job(pes=1).close()


def test_threads_take_turns():
    with tsubu.job(pes=2) as job:
        a = job.zeros(1000, np.int64)
        which = np.arange(1000).repeat(50)
        threads = [threading.Thread(target=lambda: [a.add_at(which, 1) for _ in range(5)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (a.to_numpy() == 1000).all()


# ---- ctrl-C

N = 6_000_000


class Interrupted:
    """Sends the signal of ctrl-C after a while, as a terminal does."""

    def __init__(self, after_s):
        self.timer = threading.Timer(after_s, lambda: os.kill(os.getpid(), signal.SIGINT))

    def __enter__(self):
        self.timer.start()

    def __exit__(self, *_):
        self.timer.join()


@pytest.fixture(scope="module")
def long_calls():
    random = np.random.default_rng(1)
    with tsubu.job(pes=2) as job:
        which, a = random.integers(0, N, N), job.zeros(N)
        counter = job.counter()
        yield job, {
            "gather": lambda: a[which].to_numpy(),
            "assign": lambda: a.__setitem__(which, 1.0),
            "add": lambda: a.add_at(which, 1.0),
            "make": lambda: job.array(which),
            "bring": lambda: a.to_numpy(),
            "combine": lambda: a * 2.0 + a,
            "sum": lambda: a.sum(),
            "count": lambda: counter.add(which),
            "counts": lambda: counter[which],
            "group": lambda: job.groupby_sum(which, which),
        }


@pytest.mark.parametrize("name", ["gather", "assign", "add", "make", "bring", "combine", "sum", "count", "counts", "group"])
def test_ctrl_c_ends_the_call_and_not_the_job(long_calls, name):
    job, calls = long_calls
    with pytest.raises(KeyboardInterrupt):
        with Interrupted(0.01):
            for _ in range(1000):  # a short one may be over before
                calls[name]()
    # Nothing of it is left for the next.
    values = np.arange(1000.0)
    a = job.array(values)
    which = np.arange(1000)[::-1].repeat(3)
    a[which] += 0.1
    np.add.at(values, which, 0.1)
    np.testing.assert_array_equal(a.to_numpy(), values)


def test_ctrl_c_cuts_a_call_short(long_calls):
    a = long_calls[0].zeros(1000, np.int64)
    which = np.zeros(1000, np.int64).repeat(40_000)
    start = time.monotonic()
    a.add_at(which, 1)
    whole = time.monotonic() - start
    if whole < 0.2:
        pytest.skip(f"40 million updates take {whole:.3f} s here: over before anybody looks")
    before = a.sum()
    with pytest.raises(KeyboardInterrupt):
        with Interrupted(0.001):
            a.add_at(which, 1)
    assert a.sum() - before < len(which)


# ---- errors of the runtime, in a process of their own, since what they break stays


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)


def test_a_broken_contract_is_an_exception():
    done = run(
        """
import tsubu
job = tsubu.job(pes=2)
try:
    job._native.reduce_int64(77, 0)
except tsubu.JobError as error:
    print(error)
print(job.is_closed)
try:
    job.zeros(3)
except tsubu.JobError as error:
    print("again:", error)
job.close()
with tsubu.job(pes=2) as another:
    print(another.arange(5).sum())
"""
    )
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first.startswith("tsubu: PE ") and "number 77 of Python's is asked for" in first
    assert rest[-1] == "10" and "True" in rest and any(line.startswith("again: tsubu: PE") for line in rest)


def test_a_job_that_nobody_closes_ends_with_the_interpreter():
    done = run("import tsubu; job = tsubu.job(pes=2); a = job.zeros(10); print(a.sum())")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0.0\n", "")


def test_a_child_has_no_job():
    done = run(
        """
import os, tsubu
with tsubu.job(pes=2) as job:
    a = job.zeros(10)
    child = os.fork()
    if child == 0:
        try:
            a.sum()
        except tsubu.ClosedJobError as error:
            print(error, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print(a.sum())
"""
    )
    assert done.returncode == 0, done.stderr
    assert "this process is a child of the job's" in done.stdout and done.stdout.endswith("0.0\n")
