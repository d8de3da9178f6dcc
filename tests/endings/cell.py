"""Runs one cell (rules.py) and says what is wrong with its end: the exit code, what was printed, how long processes
outlived the end, what they have left in their folder and in /dev/shm.

`python3 tests/endings/cell.py` checks that it objects where it should.
"""
import ctypes
import os
import re
import shutil
import signal
import resource
import subprocess
import sys
import tempfile
import time

LONGEST_S = 20
GONE_WITHIN_S = 5
SHM = "/dev/shm"
# What MPI libraries leave when they are killed: here, and in their folder.
OF_MPI = re.compile(r"open_mpi|osc_rdma|vader_segment|sm_segment|mpich|MPICH|ucx|psm|ompi\.|pmix|prte")


def adopt_orphans():
    """Processes whose parents end become children of this one, so that none is lost from sight (prctl(2))."""
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        sys.exit(f"prctl: {os.strerror(ctypes.get_errno())}")


def run_cell(command, promise, environment=None):
    """(what is wrong, what it said, seconds from the end to the last process)."""
    folder = tempfile.mkdtemp(prefix="tsubu_end.")
    of_shm = set(os.listdir(SHM))
    try:
        environment = {**os.environ, **(environment or {}), "TMPDIR": folder}
        began = time.time()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # crashes are meant, and inherited by what is launched
        job = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            said, _ = job.communicate(timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            kill_descendants()
            said, _ = job.communicate()
            return [f"has not ended after {LONGEST_S} s"], said, LONGEST_S
        ended = reached(folder)
        wrong = [] if ended else ["it never came to its moment"]
        gone = wait_for_descendants((ended or time.time()) + GONE_WITHIN_S)
        took = time.time() - (ended or began)
        if gone:
            wrong.append(f"{GONE_WITHIN_S} s after the end these were left: {gone}")
        elif took > GONE_WITHIN_S:
            wrong.append(f"it took {took:.1f} s from the end to the last process")
        wrong += wrong_code(job.returncode, promise) + wrong_output(said, promise)
        wrong += [f"left in its folder: {name}" for name in os.listdir(folder)
                  if not name.startswith("reached.") and not OF_MPI.search(name)]
        wrong += [f"left in {SHM}: {name}" for name in set(os.listdir(SHM)) - of_shm
                  if not OF_MPI.search(name) and not is_used(f"{SHM}/{name}") and os.path.exists(f"{SHM}/{name}")]
        return wrong, said, took
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_used(path):
    """Whether a process has it open or mapped: none of the job's is left, so it is another job's, which runs beside it."""
    for process in os.scandir("/proc"):
        if not process.name.isdigit():
            continue
        try:
            links = [os.readlink(link.path) for link in os.scandir(f"{process.path}/fd")]
            with open(f"{process.path}/maps", encoding="utf-8", errors="replace") as maps:
                if path in links or any(line.rstrip().endswith(path) for line in maps):
                    return True
        except OSError:  # it has ended meanwhile, or is another user's
            continue
    return False


def reached(folder):
    """When the first process came to its end; None: none did."""
    return min((os.stat(f"{folder}/{name}").st_mtime for name in os.listdir(folder) if name.startswith("reached.")),
               default=None)


def wrong_code(code, promise):
    right = {"any": True, "not 0": code != 0}.get(promise.code, code == promise.code)
    if isinstance(promise.code, tuple):
        right = code in promise.code
    return [] if right else [f"exit code {code}, promised is {promise.code}"]


def wrong_output(said, promise):
    if promise.said and not re.search(promise.said, said, re.MULTILINE):
        return [f"no line matches '{promise.said}'"]
    return []


def children():
    """Those that are not dead; the dead are waited for, so that no zombie stays."""
    alive = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as listed:
            alive += [int(pid) for pid in listed.read().split()]
    return [pid for pid in alive if os.waitpid(pid, os.WNOHANG)[0] == 0]


def wait_for_descendants(until):
    """Once the command has been waited for, all children are orphans of it. Names those that are killed for being late."""
    while left := children():
        if time.time() > until:
            names = [name_of(pid) for pid in left]
            kill_descendants()
            return names
        time.sleep(0.005)
    return []


def name_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().split(")")[0] + ")"
    except OSError:
        return str(pid)


def kill_descendants():
    """From the root on, since a parent's children become children of this process then."""
    while True:
        found = []
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children") as listed:
                found += [int(pid) for pid in listed.read().split()]
        if not found:
            return
        for pid in found:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def self_test():
    from rules import Promise
    adopt_orphans()
    global LONGEST_S, GONE_WITHIN_S, SHM
    LONGEST_S, GONE_WITHIN_S, SHM = 2, 1, tempfile.mkdtemp(prefix="tsubu_shm.")
    reach = "touch reached.1; "
    of_another_job = open(f"{SHM}/early", "w", encoding="utf-8")  # which is still open under the name it gets
    for script, promise, complaint in (
            (reach + "exit 0", Promise(0), None),
            (reach + "echo lost; exit 1", Promise(1, "^lost$"), None),
            (reach + "exit 1", Promise("not 0"), None),
            (reach + "exit 1", Promise("any"), None),
            (reach + "exit 1", Promise((1, -6)), None),
            (reach + "kill -9 $$", Promise(-9), None),
            (reach + "(exec sleep 0.3 >/dev/null 2>&1 &)", Promise(0), None),
            ("exit 0", Promise(0), "never came to its moment"),
            (reach + "exit 3", Promise(0), "exit code 3, promised is 0"),
            (reach + "exit 2", Promise((1, -6)), "exit code 2, promised is (1, -6)"),
            (reach + "exit 0", Promise("not 0"), "exit code 0, promised is not 0"),
            (reach + "echo begun", Promise(0, "^lost$"), "no line matches"),
            (reach + "echo > core", Promise(0), "left in its folder: core"),
            (reach + f"echo > {SHM}/segment", Promise(0), f"left in {SHM}: segment"),
            (reach + f"mv {SHM}/early {SHM}/of_another_job", Promise(0), None),
            (reach + "exec sleep 60", Promise(0), "has not ended after 2 s"),
            (reach + "(setsid sleep 60 >/dev/null 2>&1 &)", Promise(0), "(sleep)"),
            (reach + "sleep 1.2", Promise(0), "from the end to the last process")):
        wrong, _, _ = run_cell(["sh", "-c", script], promise)
        assert (wrong == []) if complaint is None else any(complaint in one for one in wrong), (script, wrong)
        assert children() == [], script
    of_another_job.close()
    shutil.rmtree(SHM)


if __name__ == "__main__":
    self_test()
