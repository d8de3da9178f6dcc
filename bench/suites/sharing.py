"""What a PE shares: work that nobody can foresee, a core with other PEs, its time with who asks it, its memory."""
from functools import partial

from harness.measure import Program, figure
from harness.row import Row

row = partial(Row, "sharing", transport="threads")


def sharing_rows(build):
    if build.has("uts"):  # where nettle is
        yield from tree_rows(build)
    yield from core_rows()
    for piece in (10, 100):
        busy = Program("bench_busy", "--tsubu-pes=2", "--piece", piece)
        yield row(f"answer_while_busy_{piece}", "pieces", figure(busy, "median_pieces"), pes=2, limit=1)
        yield row(f"late_answer_while_busy_{piece}", "pieces", figure(busy, "late_pieces"), pes=2, limit=1.5)
    yield from memory_rows(build)


def tree_rows(build):
    """UTS's tree T1: on one PE beside a loop over a stack, on two beside one; simulated, beside an equal part of one's time."""
    def on(pes, *more):
        return Program("uts", "--json", f"--tsubu-pes={pes}", *more)

    rate = figure(on(1), "mops")
    yield row("uts_1", "M nodes/s", rate, {"a loop over a stack": figure(Program("peer_uts_alone"), "mops")},
              better="higher", ratio_limit=0.95)
    yield row("uts_2", "M nodes/s", figure(on(2), "mops"), {"1 PE": rate}, pes=2, better="higher", ratio_limit=1.9)
    machine = ("--tsubu-transport=sim", "--tsubu-machine=cluster", "--tsubu-work=measured")
    alone = figure(on(1, *machine), "mops")
    for pes in (64, 256):
        # The peer: as many PEs, were each as fast as one alone.
        ideal = partial(lambda pes, build: pes * alone(build), pes)
        yield row(f"uts_{pes}", "M nodes/s", figure(on(pes, *machine), "mops"), {f"{pes} times 1 PE": ideal}, pes=pes,
                  better="higher", ratio_limit=0.9, transport="sim", turns=3)


def core_rows():
    """16 PEs on each of two cores, which take turns: beside one on each."""
    for name, words in (("cg", ("--class", "A")), ("bfs", ("--scale", 18)), ("queens", (13,))):
        def on(pes):
            return figure(Program(name, *words, "--json", f"--tsubu-pes={pes}"), "seconds")

        yield row(f"{name}_32_on_2_cores", "seconds", on(32), {"2 PEs": on(2)}, pes=32, ratio_limit=2)


def memory_rows(build):
    """One read after the other, each of where the last one told; puts, and a wait until they are there."""
    for name in ("chain_read_ns", "put_1_ns", "put_10_ns", "put_100_ns"):
        for mpi in build.mpis:
            peer = Program(f"peer_remote_access_rma_{mpi}", mpi=mpi, ranks=2)
            yield Row("sharing", name.removesuffix("_ns"), "ns",
                      figure(Program("bench_remote_access", mpi=mpi, ranks=2), name),
                      {f"MPI's windows ({mpi})": figure(peer, name)}, transport=mpi, pes=2)
