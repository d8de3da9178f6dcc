"""What a program of one's own meets first: how long it compiles, how large it is, what it may send, who may send to it."""
from functools import partial

from harness.measure import Program, clock_seconds, code_kilobytes, compile_seconds, figure, of_one_run
from harness.row import Row
from suites.servers import server_rows

row = partial(Row, "users")

COMPILED = "bench/ours/compiled/twenty_%s.cpp"


def user_rows(build):
    yield row("hello_compile_s", "seconds", compile_seconds("examples/01_*.cpp"), limit=2.0)
    for sent_to, seconds, kilobytes in (("methods", 4, 100), ("functions", None, None)):
        yield row(f"twenty_{sent_to}_compile_s", "seconds", compile_seconds(COMPILED % sent_to), limit=seconds)
        yield row(f"twenty_{sent_to}_code", "kB", code_kilobytes(COMPILED % sent_to), limit=kilobytes, turns=1)
    yield from start_rows(build)
    values = Program("bench_values", "--tsubu-pes=2", "--repetitions", 3)
    for name, ours, peer in (("pair", "pair_ns", "struct_ns"), ("tuple", "tuple_ns", "struct_ns"),
                             ("vector_of_pairs", "vector_of_pairs_ns", "vector_of_structs_ns")):
        sent, as_struct = of_one_run(values, ours, peer)
        yield row(f"{name}_sent", "ns", sent, {"a struct": as_struct}, ratio_limit=1.2, transport="threads", pes=2)
    yield from parallel_rows(build)
    yield from halo_rows()
    yield row("gate_posts", "posts/s", figure(Program("bench_gates", "--tsubu-pes=1"), "posts_per_second"),
              better="higher", limit=1e6, transport="threads")
    yield from server_rows(build)


def start_rows(build):
    """A job of two PEs that sums up a one each, from the call of its program, or of mpirun, to its end."""
    yield row("start_and_end", "seconds", clock_seconds(Program("bench_hello", "--tsubu-pes=2")), limit=0.005,
              transport="threads", pes=2)
    for mpi in build.mpis:
        yield row("start_and_end_mpi", "seconds", clock_seconds(Program("bench_hello", mpi=mpi, ranks=2)),
                  {f"the same in plain MPI ({mpi})": clock_seconds(Program(f"peer_hello_{mpi}", mpi=mpi, ranks=2))},
                  ratio_limit=1.25, transport=mpi, pes=2)


def halo_rows():
    """Edges that neighbours tell each other of: writes with a notification, messages, and writes with a barrier."""
    for cells in (256, 2048):
        program = Program("bench_halo", "--tsubu-pes=2", "--cells", cells)
        for lines in ("rows", "columns"):
            figures = of_one_run(program, *(f"{lines}_{way}_us" for way in ("notified", "messages", "barriers")))
            peers = dict(zip(("messages", "writes and a barrier"), figures[1:]))
            yield row(f"halo_{lines}_{cells}", "us", figures[0], peers, ratio_limit=1.1, transport="threads", pes=2)


def parallel_rows(build):
    """What one PE opens and all share: beside a plain loop, and beside oneTBB."""
    alone = Program("bench_parallel", "--tsubu-pes=1")
    loop, plain = of_one_run(alone, "indices_per_second", "plain_indices_per_second")
    yield row("parallel_loop_alone", "indices/s", loop, {"a plain loop": plain}, better="higher", ratio_limit=0.97,
              transport="threads")
    if not build.has("peer_parallel_tbb"):
        return
    for pes in (1, 2):
        ours, peer = Program("bench_parallel", f"--tsubu-pes={pes}"), Program("peer_parallel_tbb", "--threads", pes)
        if pes > 1:
            yield row(f"parallel_loop_{pes}", "indices/s", figure(ours, "indices_per_second"),
                      {"oneTBB": figure(peer, "indices_per_second")}, better="higher", ratio_limit=0.97,
                      transport="threads", pes=pes)
        yield row(f"parallel_items_{pes}", "items/s", figure(ours, "items_per_second"),
                  {"oneTBB": figure(peer, "items_per_second")}, better="higher", ratio_limit=1, transport="threads",
                  pes=pes)
