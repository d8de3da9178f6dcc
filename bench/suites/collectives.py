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


def time_of(call, program, mpi, *more):
    number, size = CALLS[call]
    return figure(Program(program, "--only", number, "--bytes", size, "--rounds", 21, *more, mpi=mpi, ranks=PES), "us")


def collective_rows(build):
    for mpi in build.mpis:
        ours, peer = "bench_collectives", f"peer_collectives_{mpi}"
        for call in CALLS:
            yield Row("collectives", call, "us", time_of(call, ours, mpi), {mpi: time_of(call, peer, mpi)},
                      transport=mpi, pes=PES, ratio_limit=1.0)
        for call in BESIDE_OTHERS:
            peers = {mpi: time_of(call, peer, mpi), "long slices": time_of(call, ours, mpi, "--tsubu-slice=0")}
            yield Row("collectives", f"{call}_beside_others", "us", beside_others(time_of(call, ours, mpi)),
                      {name: beside_others(measure) for name, measure in peers.items()},
                      transport=mpi, pes=PES, ratio_limit=1.0)
