"""Concurrent objects: messages to them, their creation, a tree of them, and what they take."""
from functools import partial

from harness.measure import Program, figure
from harness.row import Row

row = partial(Row, "objects", transport="threads")


def object_rows(build):
    for name, pes, limit in (("past_local", 1, 16), ("past_remote", 2, 24), ("create_now", 1, 50),
                             ("create_remote", 2, 32)):
        program = Program("bench_objects", f"--tsubu-pes={pes}", "--repetitions", 3)
        yield row(name, "ticks", figure(program, name), pes=pes, limit=limit)
    ends = Program("bench_objects", "--tsubu-pes=2", "--repetitions", 3)
    yield row("end_arena", "ticks", figure(ends, "end_arena"), {"node by node": figure(ends, "end_tree")}, pes=2,
              ratio_limit=0.33)
    yield row("fib_1", "ticks", figure(fib("here", 1), "ticks_per_task"), limit=60)
    for placement, least in (("paper", 1.3), ("anywhere", 1.8)):
        yield row(f"fib_2_{placement}", "tasks/s", figure(fib(placement, 2), "tasks_per_second"),
                  {"1 PE": figure(fib("here", 1), "tasks_per_second")}, pes=2, better="higher", ratio_limit=least)
    yield from fib_peer_rows(build)
    for name, limit in (("object_bytes", 64), ("waiting_bytes", 224), ("process_bytes", 1 << 30)):
        yield row(name, "bytes", figure(Program("bench_object_bytes", "--tsubu-pes=1"), name), limit=limit, turns=1)
    yield from collection_rows(build)
    if build.has("peer_nbody_openmp"):
        problem = ("--bodies", 100_000, "--theta", 0.5)
        program = Program("nbody", *problem, "--steps", 1, "--check", "--json", "--tsubu-pes=2")
        peer = Program("peer_nbody_openmp", *problem, "--threads", 2)
        yield row("nbody", "seconds", figure(program, "seconds_per_step"),
                  {"OpenMP, 2 threads": figure(peer, "seconds")}, pes=2, ratio_limit=1.3)


def collection_rows(build):
    def chain(*options, pes):
        return Program("bench_collection", *options, f"--tsubu-pes={pes}")

    # In cache; and where each edge waits for memory.
    yield row("collection_edge", "ns", figure(chain("--objects", 5_000, "--repetitions", 21, pes=1), "edge_ns"), limit=15,
              between=None)
    million = chain("--objects", 1_000_000, pes=1)
    yield row("collection_edge_far", "ns", figure(million, "edge_ns"), limit=60, between=None)
    yield row("collection_pause_99", "us", figure(million, "pause_99_us"), limit=60, between=None)
    yield row("collection_pause_longest", "us", figure(million, "longest_pause_us"), limit=200, between=None)
    for name, edges in (("here", ()), ("across", ("--edges", "across", "--reach", 30_000))):
        ten_million = chain("--objects", 5_000_000, "--repetitions", 1, *edges, pes=2)
        yield row(f"collection_{name}", "seconds", figure(ten_million, "collection_seconds"), pes=2, limit=0.6, turns=3,
                  between=None)
    fib_options = ("--fib", 24, "--repetitions", 5)
    yield row("collection_fib", "calls/s", figure(chain(*fib_options, pes=2), "fib_calls_per_second"),
              {"never collected": figure(chain(*fib_options, "--tsubu-collect=off", pes=2), "fib_calls_per_second")},
              pes=2, better="higher", ratio_limit=0.91, between=None)
    rings = {}
    if build.has("peer_rings_erlang"):
        rings["Erlang processes"] = figure(Program("peer_rings_erlang"), "rings_objects_per_second")
    yield row("collection_rings", "objects/s", figure(chain("--rings", 1_000, pes=2), "rings_objects_per_second"), rings,
              pes=2, better="higher", limit=10_000_000, between=None)
    # Pairs that know each other over two ranks, forgotten: what lives of them at the end.
    for mpi in build.mpis:
        pairs = ("bench_collection", "--pairs", 1_000_000)
        yield Row("objects", "collection_pairs", "bytes", figure(Program(*pairs, mpi=mpi, ranks=2), "bytes_left"),
                  {"never collected": figure(Program(*pairs, "--tsubu-collect=off", mpi=mpi, ranks=2), "bytes_left")},
                  transport=mpi, pes=2, ratio_limit=0.02, turns=1, between=None)


def fib(placement, pes, n=30, runs=2):
    """fib(n) by objects; the median of so many timed runs, after one that is not timed, since it gets the memory."""
    # An older build tells the better of its runs; of 2 that is the second, which has its memory.
    return Program("fib", n, "--json", "--repetitions", runs, "--placement", placement, f"--tsubu-pes={pes}")


def fib_peer_rows(build):
    """The same n and the same rule for all: the median of 7 runs, after one that is not timed.

    24 is what a fiber for each call has the memory for where all calls of a level are alive at a time.
    """
    n, runs = 24, 7

    def peer(program, *options):
        return figure(Program(program, "--n", n, "--repetitions", runs, *options), "tasks_per_second")

    for name, least, peers in (
            ("caf", 40, {"CAF actors": peer("peer_fib_caf")}),
            ("fiber", 20, {f"Boost.Fiber, {order}": peer("peer_fib_fiber", "--order", order)
                           for order in ("both", "nested")}),
            ("tbb", 2, {"oneTBB task_group": peer("peer_fib_tbb")})):
        if build.has(f"peer_fib_{name}"):
            yield row(f"fib_vs_{name}", "tasks/s", figure(fib("here", 1, n, runs), "tasks_per_second"), peers,
                      better="higher", ratio_limit=least, between=None)
