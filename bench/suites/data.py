"""Shared data: what an access costs beside messages, and beside MPI's one-sided communication; and memory."""
from functools import partial

from harness.measure import Program, figure, of_one_run
from harness.row import Row
from suites.hand_packed import together

row = partial(Row, "data", pes=2)
on_threads = partial(row, transport="threads")


def data_rows(build):
    for name in ("read", "copy"):
        yield on_threads(name, "ticks", figure(Program("bench_shared_read", "--tsubu-pes=2"), name), limit=6)
    yield from write_rows()
    yield from crowd_rows()
    visits, by_now = of_one_run(Program("bench_shared_visits", "--tsubu-pes=2"), "mobile_accesses_per_second",
                                "now_accesses_per_second")
    yield on_threads("visits", "accesses/s", visits, {"now": by_now}, better="higher", ratio_limit=10)
    yield from adaptive_rows()
    for kernel, unit, rate, least, ways in (
            ("table", "accesses/s/PE", "accesses_per_second_and_pe", 3, {"MPI_Get, MPI_Put": ()}),
            ("counters", "updates/s/PE", "updates_per_second_and_pe", 3,
             {f"MPI_Fetch_and_op, {n} in flight": ("--in-flight", n) for n in (1, 64)}),
            ("rows", "steps/s", "steps_per_second", 1,
             {f"MPI_{by.capitalize()}": ("--by", by) for by in ("get", "put")})):
        yield from beside_mpi(build, kernel, unit, rate, least, ways)
    yield from app_rows(build)
    for name, limit in (("variable_bytes", 64), ("copy_bytes", 48)):
        yield on_threads(name, "bytes", figure(Program("bench_shared_bytes", "--tsubu-pes=2"), name), limit=limit,
                         turns=1)


def write_rows():
    """Awaited writes of an update variable of which another PE has a copy, beside `now` in the same run."""
    for name, pes, most in (("write_at_home", 2, 1.2), ("write_from_another", 2, 2.2), ("write_of_three", 3, 2.2)):
        write, now = of_one_run(Program("bench_shared_write", f"--tsubu-pes={pes}"), f"{name}_ns", "now_ns")
        yield on_threads(name, "ns", write, {"now": now}, ratio_limit=most, pes=pes)


def crowd_rows():
    """Past accesses to random elements, beside the messages of a histogram in the same run."""
    for name in ("add", "put", "accumulate"):
        access, past = of_one_run(Program("bench_shared_crowd", "--tsubu-pes=2"), f"{name}_ticks", "past_ticks")
        yield on_threads(f"{name}_crowd", "ticks", access, {"past": past}, ratio_limit=1.3)


PATTERNS = ("read_only", "read_mostly", "migratory", "producer_consumer", "write_shared", "private", "phases")


def adaptive_rows():
    """Rounds of patterns of access under adaptive, beside the best of the four static protocols in the same run."""
    for number, name in enumerate(PATTERNS, 1):
        adaptive, best = of_one_run(Program("bench_shared_patterns", "--tsubu-pes=2", "--only", number),
                                    f"{name}_adaptive_ns", f"{name}_best_ns")
        yield on_threads(f"adaptive_{name}", "ns", adaptive, {"best static": best}, ratio_limit=1.1)


def app_rows(build):
    """Applications on shared data, beside their messages written by hand, and beside OpenMP."""
    def app(name, exchange, *more):
        return figure(Program(name, "--exchange", exchange, *more, "--json", "--tsubu-pes=2"), "seconds")

    grid = ("--size", 2048, "--iterations", 100)
    jacobi = app("jacobi", "shared", *grid)
    yield on_threads("jacobi", "seconds", jacobi,
                     {"its messages": app("jacobi", "messages", *grid)}, ratio_limit=1.1)
    if build.has("peer_jacobi_openmp"):
        peer = figure(Program("peer_jacobi_openmp", *grid, "--threads", 2), "seconds")
        yield on_threads("jacobi_openmp", "seconds", jacobi, {"OpenMP, 2 threads": peer}, ratio_limit=1.15)
    yield on_threads("pagerank", "seconds", app("pagerank", "shared"), {"its messages": app("pagerank", "messages")},
                     ratio_limit=1.1)


def beside_mpi(build, kernel, unit, rate, least, ways):
    """One of the programs that have a peer on MPI's windows, which may go about it in several ways."""
    peers = {mpi: {f"{how} ({mpi})": figure(
        Program(f"peer_{kernel}_rma_{mpi}", *options, mpi=mpi, ranks=2), rate)
        for how, options in ways.items()} for mpi in build.mpis}
    ours = f"bench_shared_{kernel}"
    yield on_threads(f"{kernel}_threads", unit, figure(Program(ours, "--tsubu-pes=2"), rate), together(peers),
                     better="higher", ratio_limit=least)
    for mpi in build.mpis:
        yield row(f"{kernel}_mpi", unit, figure(Program(ours, mpi=mpi, ranks=2), rate), peers[mpi], better="higher",
                  ratio_limit=least, transport=mpi)
