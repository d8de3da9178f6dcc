"""Containers: a message per element, beside what is packed by hand, and beside the bare table."""
from functools import partial

from harness.measure import Program, figure
from harness.row import Row

row = partial(Row, "containers")
RATE = "operations_per_second_and_pe"
WHATS = ("insert", "visit", "set", "uniform", "words")
COUNTS = ("uniform", "words")


def container_rows(build):
    for what in WHATS:
        peers = {mpi: hand_packed(what, mpi) for mpi in build.mpis}
        everyone = {name: measure for of_mpi in peers.values() for name, measure in of_mpi.items()}
        yield row(what, "operations/s/PE", of_ours(what, "--tsubu-pes=2"), everyone, better="higher", ratio_limit=0.9,
                  transport="threads", pes=2)
        for mpi in build.mpis:
            yield row(what, "operations/s/PE", of_ours(what, mpi=mpi, ranks=2), peers[mpi], better="higher",
                      ratio_limit=0.9, transport=mpi, pes=2)
    for what in WHATS:
        bare = {f"the bare table ({mpi}, 1 rank)": of_peer(what, mpi, 1, "--batch", 0) for mpi in build.mpis[:1]}
        yield row(f"{what}_bare", "operations/s/PE", of_ours(what, "--tsubu-pes=1"), bare, better="higher",
                  ratio_limit=0.67, transport="threads", pes=1)


def of_ours(what, *options, **where):
    return figure(Program("bench_containers", "--what", what, *options, **where), RATE)


def of_peer(what, mpi, ranks, *options):
    return figure(Program(f"peer_containers_{mpi}", "--what", what, *options, mpi=mpi, ranks=ranks), RATE)


def hand_packed(what, mpi):
    """With each of several sizes of its batches; and, of counts, merged before they are sent."""
    packed = {f"hand-packed MPI_Alltoallv ({mpi}, batch {batch})": of_peer(what, mpi, 2, "--batch", batch)
              for batch in (1024, 8192, 65536)}
    if what in COUNTS:
        packed[f"hand-merged MPI_Alltoallv ({mpi})"] = of_peer(what, mpi, 2, "--merge", 1)
    return packed
