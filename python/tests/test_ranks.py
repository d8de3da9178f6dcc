"""Promise: `mpirun -n 5 python program.py` runs the program once, with the ranks as its PEs, and has the answers that a job
on threads has. However the program or a rank ends, all of them do, soon, and with its exit code."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

import tsubu

HERE = pathlib.Path(__file__).parent
TRANSPORTS = pathlib.Path(tsubu.__file__).parent / "transports"
SOON = 120  # seconds; where nothing waits it takes 1 or 2
FIRST_LINES = """
import os, pathlib, sys, time
rank = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK"))
pathlib.Path(rank).write_text(str(os.getpid()))
import numpy as np, tsubu
"""


def has(mpi):
    return shutil.which(f"mpirun.{mpi}") and (TRANSPORTS / f"tsubu-transport-{mpi}.so").exists()


pytestmark = pytest.mark.skipif(not (has("openmpi") or has("mpich")), reason="no MPI is here")
each_mpi = pytest.mark.parametrize(
    "mpi", [pytest.param(mpi, marks=pytest.mark.skipif(not has(mpi), reason=f"{mpi} is not here")) for mpi in ("openmpi", "mpich")]
)


def launch(mpi, ranks, *words, folder, seconds=SOON, **variables):
    flags = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"] if mpi == "openmpi" else []
    return subprocess.run([f"mpirun.{mpi}", *flags, "-n", str(ranks), sys.executable, *map(str, words)], cwd=folder,
                          env={**os.environ, **variables}, capture_output=True, text=True, timeout=seconds)


def run(mpi, ranks, program, tmp_path, **variables):
    """Behind the lines that each rank runs: it leaves its process's number in a file, and imports tsubu."""
    file = tmp_path / "program.py"
    file.write_text(FIRST_LINES + program)
    return launch(mpi, ranks, file, folder=tmp_path, **variables)


@each_mpi
@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_arrays_and_counters_as_numpy(mpi, ranks, tmp_path):
    if (mpi, ranks) not in [("mpich", 2), ("openmpi", 3)] and "PYTHON_TEST_ALL_RANKS" not in os.environ:
        pytest.skip("./dev test --full has it")
    ran = launch(mpi, ranks, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", f"--rootdir={HERE}", HERE / "test_arrays.py",
                 HERE / "test_counters.py", folder=tmp_path, seconds=150)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " passed" in ran.stdout


@each_mpi
def test_on_five_ranks(mpi, tmp_path):
    ran = run(mpi, 5, """
random = np.random.default_rng(5)
for dtype in (np.int64, np.float64):
    values = (random.random(30_001) * 1000).astype(dtype)
    which, more = random.integers(-30_001, 30_001, 200_000), (random.random(200_000) * 1000).astype(dtype)
    with tsubu.job() as job:
        a = job.array(values)
        same = lambda x, y: np.testing.assert_array_equal(np.asarray(x), y)
        same(a[which], values[which])
        same(a[-1:5:-3], values[-1:5:-3])
        a[100:20_000:7] = np.arange(2843)
        values[100:20_000:7] = np.arange(2843)
        a[which] = more
        values[which] = more
        same(a, values)
        a[which] += more
        np.add.at(values, which, more)
        same(a, values)
        same(3 - a * 2, 3 - values * 2)
        assert a.sum() == values.sum() or np.isclose(a.sum(), values.sum(), rtol=1e-14)
        assert (a.min(), a.max()) == (values.min(), values.max())
        keys, sums = job.groupby_sum(which, more)
        same(keys, np.unique(which))
        wanted = np.zeros(60_002, dtype)
        np.add.at(wanted, which, more)
        np.testing.assert_allclose(sums, wanted[keys], rtol=1e-12)
        c = job.counter()
        c.add(which)
        same(c[keys], np.unique(which, return_counts=True)[1])
print("equal")
""", tmp_path)
    assert (ran.stdout, ran.returncode) == ("equal\n", 0), ran.stderr


@each_mpi
def test_runs_the_program_once(mpi, tmp_path):
    ran = run(mpi, 3, """
for n in (10, 100_000):
    with tsubu.job() as job:
        a, c = job.arange(n), job.counter()
        c.add(np.arange(n) % 7)
        a[[1, 1, -1]] += 5
        print(job.pes, job, a.sum() - n * (n - 1) // 2, c.top(1), flush=True)
    try:
        a.sum()
    except tsubu.ClosedJobError as error:
        print(error)
sys.exit(7)
""", tmp_path)
    assert ran.stdout.splitlines() == [
        "3 <tsubu.Job of 3 PEs> 15 [(0, 2)]", "the job is closed", "3 <tsubu.Job of 3 PEs> 15 [(0, 14286)]", "the job is closed"
    ]  # fmt: skip
    assert ran.returncode == 7, ran.stderr
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.isdigit()) == ["0", "1", "2"]


@each_mpi
@pytest.mark.parametrize("program, code", [("print('none')", 0), ("print('none'); sys.exit(4)", 4)], ids=["0", "4"])
def test_without_a_job(mpi, program, code, tmp_path):
    ran = run(mpi, 3, program, tmp_path)
    assert (ran.stdout, ran.returncode) == ("none\n", code), ran.stderr


@each_mpi
@pytest.mark.parametrize("before", ["", "job = tsubu.job(); a = job.zeros(1000)", "a = tsubu.job().zeros(9)[[1, 2]]"],
                         ids=["no_job", "open_job", "selection"])
def test_an_exception_ends_all(mpi, before, tmp_path):
    began = time.monotonic()
    ran = run(mpi, 3, before + "\n1 / 0\n", tmp_path)
    assert time.monotonic() - began < SOON / 4
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr.count("ZeroDivisionError") == 1 and ran.stderr.count("Traceback") == 1


@each_mpi
@pytest.mark.parametrize("victim", [0, 2])
def test_a_killed_rank_ends_all(mpi, victim, tmp_path):
    ran = run(mpi, 3, f"""
job = tsubu.job()
print(job.full(100, 2).sum(), flush=True)
os.kill(int(pathlib.Path("{victim}").read_text()), 9)
time.sleep({3 * SOON})
print("goes on")
""", tmp_path)
    assert ran.returncode != 0 and "goes on" not in ran.stdout, ran.stderr
    assert "signal" in (ran.stdout + ran.stderr).lower()  # mpirun tells it
    for rank in range(3):
        number = int((tmp_path / str(rank)).read_text())
        for _ in range(100):
            if not pathlib.Path(f"/proc/{number}").exists():
                break
            time.sleep(0.1)
        assert not pathlib.Path(f"/proc/{number}").exists(), f"rank {rank} goes on"


@each_mpi
def test_what_is_wrong_is_an_exception(mpi, tmp_path):
    ran = run(mpi, 3, """
def told(call):
    try:
        return call()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
told(lambda: tsubu.job(pes=4))
told(lambda: tsubu.job(options=["--tsubu-stats"]))
with tsubu.job(pes=3) as job:
    a = job.arange(10)
    told(tsubu.job)
    told(lambda: job.zeros(1 << 45))
    told(lambda: a[[1, 10]].sum())
    told(lambda: a.__setitem__([-11], 1))
    print(a.sum(), a.to_numpy())
""", tmp_path)
    assert ran.stdout.splitlines() == [
        "JobError: pes=4 is asked for, but the PEs are those that mpirun has started, 3: leave pes out",
        "JobError: tsubu: --tsubu-stats is for a job on threads: under mpirun all ranks are given the same by variables that begin with TSUBU_",
        "JobError: tsubu: a session of this process goes on: end that one first",
        "MemoryError: std::bad_alloc",
        "IndexError: index 10 is out of range for an array of 10 elements",
        "IndexError: index -11 is out of range for an array of 10 elements",
        "45 [0 1 2 3 4 5 6 7 8 9]",
    ]  # fmt: skip
    assert ran.returncode == 0, ran.stderr


@each_mpi
@pytest.mark.parametrize("variables, words", [({"TSUBU_BATCH": "much"}, "TSUBU_BATCH"), ({"TSUBU_PLUGINS": "/nowhere"}, "/nowhere"),
                                              ({"TSUBU_PES": "8"}, "8 PEs were asked for, but the MPI launcher started 3")], ids=str)
def test_a_job_that_cannot_begin(mpi, variables, words, tmp_path):
    ran = run(mpi, 3, "tsubu.job()\nprint('goes on')", tmp_path, **variables)
    assert ran.returncode != 0 and "goes on" not in ran.stdout
    assert words in ran.stderr


@each_mpi
def test_variables_hold(mpi, tmp_path):
    ran = run(mpi, 2, "job = tsubu.job()\nprint(job.pes, job.arange(100).sum())", tmp_path, TSUBU_PES_PER_RANK="2")
    assert (ran.stdout, ran.returncode) == ("4 4950\n", 0), ran.stderr


@each_mpi
def test_children_are_no_ranks(mpi, tmp_path):
    ran = run(mpi, 2, """
import subprocess
job = tsubu.job()
a = job.arange(10)
child = os.fork()
if child == 0:
    for call in (a.sum, tsubu.job):
        try:
            call()
        except (tsubu.JobError, tsubu.ClosedJobError) as error:
            print(type(error).__name__, flush=True)
    sys.exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
other = "import tsubu, sys; print('beside'); sys.exit(6)"
print(subprocess.run([sys.executable, "-c", other]).returncode, flush=True)
print(a.sum(), flush=True)
""", tmp_path)
    assert ran.stdout.splitlines() == ["ClosedJobError", "JobError", "5", "beside", "6", "45"], ran.stderr
    assert ran.returncode == 0, ran.stderr


@each_mpi
def test_an_interrupt_of_the_first_rank_ends_the_call(mpi, tmp_path):
    ran = run(mpi, 2, """
import signal, threading
with tsubu.job() as job:
    a, which = job.zeros(1000), np.zeros(20_000_000, np.int64)
    a.sum()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        for _ in range(1000):
            a.add_at(which, 1.0)
    except KeyboardInterrupt:
        print("interrupted")
    a[:] = 1
    print(a.sum())
""", tmp_path)
    assert (ran.stdout, ran.returncode) == ("interrupted\n1000.0\n", 0), ran.stderr
