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
    yield from sorting_rows(build)
    yield from disjoint_rows(build)
    yield row("word_count", "seconds", figure(Program("bench_word_count", "--tsubu-pes=2"), "seconds"),
              {"two threads by hand": figure(Program("peer_word_count_threads"), "seconds")}, ratio_limit=1.1,
              transport="threads", pes=2)


def sorting_rows(build):
    """All elements of all PEs; on one PE beside std::sort."""
    for what, elements in (("numbers", 10_000_000), ("texts", 1_000_000)):
        words = ("--what", what, "--elements", elements)
        peers = {mpi: {f"sample sort by hand ({mpi})": figure(
            Program(f"peer_sorting_{mpi}", *words, mpi=mpi, ranks=2), "seconds")} for mpi in build.mpis}
        everyone = {name: measure for of_mpi in peers.values() for name, measure in of_mpi.items()}
        yield row(f"sort_{what}", "seconds", figure(Program("bench_sorting", *words, "--tsubu-pes=2"), "seconds"),
                  everyone, ratio_limit=1.1, transport="threads", pes=2)
        for mpi in build.mpis:
            yield row(f"sort_{what}", "seconds", figure(Program("bench_sorting", *words, mpi=mpi, ranks=2), "seconds"),
                      peers[mpi], ratio_limit=1.1, transport=mpi, pes=2)
        alone = {f"std::sort ({mpi}, 1 rank)": figure(Program(f"peer_sorting_{mpi}", *words, mpi=mpi, ranks=1), "seconds")
                 for mpi in build.mpis[:1]}
        yield row(f"sort_{what}_1", "seconds", figure(Program("bench_sorting", *words, "--tsubu-pes=1"), "seconds"), alone,
                  ratio_limit=1.2, transport="threads", pes=1)


def disjoint_rows(build):
    """A random graph of a million vertices and two million edges; on one PE beside union and find on the bare table."""
    ours, peer = partial(Program, "bench_disjoint_sets"), "peer_disjoint_sets_"
    peers = {mpi: {f"hand-packed MPI_Alltoallv ({mpi}, batch {batch})": figure(
        Program(peer + mpi, "--batch", batch, mpi=mpi, ranks=2), "seconds") for batch in (8192, 65536)}
        for mpi in build.mpis}
    everyone = {name: measure for of_mpi in peers.values() for name, measure in of_mpi.items()}
    yield row("disjoint_sets", "seconds", figure(ours("--tsubu-pes=2"), "seconds"), everyone, ratio_limit=1.25,
              transport="threads", pes=2)
    for mpi in build.mpis:
        yield row("disjoint_sets", "seconds", figure(ours(mpi=mpi, ranks=2), "seconds"), peers[mpi], ratio_limit=1.25,
                  transport=mpi, pes=2)
    alone = {f"sequential ({mpi}, 1 rank)": figure(Program(peer + mpi, mpi=mpi, ranks=1), "seconds")
             for mpi in build.mpis[:1]}
    yield row("disjoint_sets_1", "seconds", figure(ours("--tsubu-pes=1"), "seconds"), alone, ratio_limit=1.5,
              transport="threads", pes=1)


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
