"""Many messages: gathering, fetching ahead, memory, many PEs on few cores, buffers in large jobs, tuned batches."""
import shutil
from functools import partial

from harness.measure import Program, call, figure, instructions_each, quotient, times
from harness.row import Row
from suites.hand_packed import hand_packed, together

row = partial(Row, "grain")


def grain_rows(build):
    yield from index_gather_rows(build)
    yield from fetch_ahead_rows()
    for mode in ("one", "ring", "reply", "fan"):
        yield row(f"flood_peak_bytes_{mode}", "bytes", peak_of_flood(mode, 2), limit=4 << 20, transport="threads",
                  pes=2)
    yield from many_pes_rows()
    yield from quiescence_rows(build)
    for name in ("tree", "nested", "alternating"):
        yield row(f"epoch_{name}", "ns", figure(Program("bench_epochs", "--tsubu-pes=2"), f"{name}_ns"), transport="threads",
                  pes=2)
    # These follow from the code's constants: batches being filled and on the way, tables, MPI's posted receives.
    for power, mebibytes in ((3, 16), (4, 16), (5, 32), (6, 64)):
        yield row(f"buffers_1e{power}", "bytes", figure(Program("bench_buffers", "--json"), f"of_{10 ** power}"),
                  limit=mebibytes << 20, pes=10 ** power, turns=1)
    yield from tuned_rows()
    if shutil.which("valgrind"):
        # One of the two runs is untimed.
        yield row("instructions_per_message", "instructions",
                  instructions_each(Program("bench_crowd", "--tsubu-pes=1", "--repetitions", 1), "--messages", 200_000, 2),
                  limit=14, transport="threads", turns=1)


def index_gather_rows(build):
    rate = "reads_per_second_and_pe"
    peers = {mpi: hand_packed("index_gather", rate, mpi) for mpi in build.mpis}
    for mpi in (None, *build.mpis):
        where = {"mpi": mpi, "ranks": 2} if mpi else {}
        words = ("index_gather", "--json", *([] if mpi else ["--tsubu-pes=2"]))
        # An older build has no --repetitions, so two builds are compared by single runs.
        yield row(f"index_gather_{'mpi' if mpi else 'threads'}", "reads/s/PE",
                  figure(Program(*words, "--repetitions", 3, **where), rate), peers[mpi] if mpi else together(peers),
                  better="higher", ratio_limit=1, transport=mpi or "threads", pes=2,
                  between=figure(Program(*words, **where), rate))
    if build.has("peer_index_gather_lamellar"):
        yield row("index_gather_vs_lamellar", "reads/s/PE",
                  figure(Program("index_gather", "--json", "--tsubu-pes=2", "--repetitions", 3), rate),
                  {"Lamellar's batch_load": figure(Program("peer_index_gather_lamellar", "--repetitions", 3), rate)},
                  better="higher", ratio_limit=1.5, transport="threads", pes=2, between=None)


def fetch_ahead_rows():
    """What it gains that handlers say what they will touch, and what it costs where it cannot gain."""
    chase = ("bench_chase", "--tsubu-pes=1", "--repetitions", 3)
    large = (*chase, "--megabytes", 1, "--table", 4096)
    for name, words, top, bottom, better, limit in (
            ("chase_hook", chase, "chase_ns", "chase_hook_ns", "higher", 3),
            ("chase_interleaved", chase, "chase_ns", "chase_turns_ns", "higher", 5),
            ("tiny_prefetch", chase, "tiny_hook_ns", "tiny_ns", "lower", 1.05),
            ("histogram_4gib", large, "update_ns", "update_hook_ns", "higher", 1.4)):
        yield row(name, "times", quotient(Program(*words), top, bottom), better=better, limit=limit,
                  transport="threads", turns=3 if name == "histogram_4gib" else 7)


def peak_of_flood(mode, pes):
    """Bytes of messages that a PE held at most, in a flood that it may hold 4 MiB of."""
    program = Program("floods", mode, "--limit", 4 << 20, "--tsubu-memory=4M", f"--tsubu-pes={pes}")
    return lambda build: float(call(program.words(build)).split(" held ")[1].split()[0])


def many_pes_rows():
    rate, of_pe_0 = "updates_per_second_and_pe", ("updates", ("seconds_of_pe_0", "seconds"))
    sixteen = Program("bench_histogram", "--repetitions", 3, "--tsubu-pes=16", "--updates", 1_250_000)
    two = Program("bench_histogram", "--repetitions", 3, "--tsubu-pes=2")
    yield row("pes16_rate", "updates/s", times(16, figure(sixteen, rate)), {"2 PEs": times(2, figure(two, rate))},
              better="higher", ratio_limit=0.8, transport="threads", pes=16,
              between=times(16, quotient(sixteen, *of_pe_0)))
    # A round trip of PEs 0 and 1, in ratio to the median of idle ones. `_same`: the flood is of PE 1 itself; no target.
    lone = Program("bench_lone", "--tsubu-pes=4")
    yield row("lone_latency_p99", "idle medians", quotient(lone, "others_p99_ns", "idle_p50_ns"), limit=10,
              transport="threads", pes=4)
    yield row("lone_latency_p99_same", "idle medians", quotient(lone, "same_p99_ns", "idle_p50_ns"),
              transport="threads", pes=4)
    ring = ("bench_ring", "--work", 5000, "--repetitions", 3)
    yield row("oversubscribed", "ns/hop", figure(Program(*ring, "--tsubu-pes=8"), "ns_per_hop"),
              {"2 PEs": figure(Program(*ring, "--tsubu-pes=2"), "ns_per_hop")}, ratio_limit=3, transport="threads",
              pes=8)
    cg = ("cg", "--class", "S", "--json")
    yield row("oversubscribed_cg", "seconds", figure(Program(*cg, "--tsubu-pes=32"), "seconds"),
              {"2 PEs": figure(Program(*cg, "--tsubu-pes=2"), "seconds")}, ratio_limit=10, transport="threads", pes=32)


def quiescence_rows(build):
    """Messages, and the time from the last handler of a message to the task that has waited for quiescence."""
    yield row("quiescence_messages", "per PE but one",
              figure(Program("bench_quiescence", "--tsubu-pes=32"), "messages_each"), limit=4, transport="threads",
              pes=32)

    def detection(*options, **where):
        return figure(Program("bench_quiescence", *options, **where), "detection_ns")

    yield row("quiescence", "ns", detection("--tsubu-pes=1"), limit=500, transport="threads", pes=1)
    yield row("quiescence", "ns", detection("--tsubu-pes=2"), limit=3000, transport="threads", pes=2)
    for mpi in build.mpis:
        yield row("quiescence", "ns", detection(mpi=mpi, ranks=2), limit=5000, transport=mpi, pes=2)


def tuned_rows():
    """Tuned batches against each fixed size, for three shapes of traffic."""
    for shape, unit in (("crowd", "ns/message"), ("burst", "ns/burst"), ("trickle", "ns of waiting")):
        def of(*options):
            return figure(Program("bench_shapes", "--tsubu-pes=2", "--repetitions", 3, *options), f"{shape}_ns")

        fixed = {f"batches of {size}": of(f"--tsubu-batch={size}", f"--tsubu-least-batch={size}")
                 for size in (1024, 4096, 16384, 65536)}
        yield row(f"tuned_{shape}", unit, of(), fixed, ratio_limit=1.1, transport="threads", pes=2)
