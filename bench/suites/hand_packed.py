"""The peer that packs by hand: bale's kernels over MPI_Alltoallv, with each of several sizes of its batches.

The best size depends on the computer's caches, so the peer has many to choose from; the row takes the one that suits
it.
"""
from harness.measure import Program, figure

BATCHES = (1024, 8192, 65536, 262144, 1048576)


def hand_packed(kernel, name, mpi, *options, ranks=2):
    return {f"hand-packed MPI_Alltoallv ({mpi}, batch {batch})":
            figure(Program(f"peer_{kernel}_{mpi}", "--batch", batch, "--repetitions", 3, *options, mpi=mpi, ranks=ranks),
                   name)
            for batch in BATCHES}


def together(of_mpis):
    """The peers of all MPIs, for a row of ours that needs none: it is compared with the best of them."""
    return {name: measure for peers in of_mpis.values() for name, measure in peers.items()}
