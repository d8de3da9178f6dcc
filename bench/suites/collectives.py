"""Collectives of 8 PEs beside the same call of the MPI below them, on the same MPI.

A call's time is that of the rank that takes longest, from when all are ready. On a computer of fewer cores the ranks
take turns, and much of a call is the system's scheduler. So some are measured, too, while a process on each core that has
nothing to do with them computes; there beside Tsubu with the system's own time slices, as well.
"""
from harness.measure import Program, beside_others, figure
from harness.row import Row

# As bench_collectives and the peer number them.
CALLS = {"barrier": (0, 1024), "all_reduce_double": (1, 1024), "all_reduce_1MiB": (10, 1048576),
         "all_to_all_8": (7, 8), "all_to_all_1024": (7, 1024), "all_gather_8": (8, 8), "all_gather_64KiB": (8, 65536),
         "broadcast_1MiB": (11, 1048576)}
BESIDE_OTHERS = ("barrier", "all_reduce_double", "all_reduce_1MiB")
PES = 8


def collective_rows(build):
    for mpi in build.mpis:
        for name, (number, size) in CALLS.items():
            options = ("--only", number, "--bytes", size, "--rounds", 21)
            ours = Program("bench_collectives", *options, mpi=mpi, ranks=PES)
            peer = Program(f"peer_collectives_{mpi}", *options, mpi=mpi, ranks=PES)
            yield Row("collectives", name, "us", figure(ours, "us"), {mpi: figure(peer, "us")}, transport=mpi, pes=PES,
                      ratio_limit=1.0)
        for name in BESIDE_OTHERS:
            number, size = CALLS[name]
            options = ("--only", number, "--bytes", size, "--rounds", 21)

            def on_ranks(program, *more):
                return beside_others(figure(Program(program, *options, *more, mpi=mpi, ranks=PES), "us"))

            yield Row("collectives", f"{name}_beside_others", "us", on_ranks("bench_collectives"),
                      {mpi: on_ranks(f"peer_collectives_{mpi}"),
                       "long slices": on_ranks("bench_collectives", "--tsubu-slice=0")},
                      transport=mpi, pes=PES, ratio_limit=1.0)
