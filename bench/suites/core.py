"""What the runtime's own parts cost, on one PE and on two, and NPB CG and IS."""
from functools import partial

from harness.measure import Program, by_clang, compile_seconds, figure, micro, quotient
from harness.row import Row
from suites.hand_packed import hand_packed, together

row = partial(Row, "core")


def core_rows(build):
    yield from one_pe_rows(build)
    yield row("past_crowd_threads", "ticks",
              figure(Program("bench_crowd", "--tsubu-pes=2", "--repetitions", 3), "ticks_per_message"), limit=12,
              transport="threads", pes=2)
    yield from checksum_rows()
    yield from histogram_rows(build)
    yield row("roundtrip_threads", "ns", figure(Program("bench_roundtrip", "--tsubu-pes=2"), "round_trip_ns"),
              {"bare SPSC ring": figure(Program("peer_spsc_ring"), "round_trip_ns")}, ratio_limit=1.3,
              transport="threads", pes=2)
    for mpi in build.mpis:
        yield from mpi_rows(mpi)
    for app in ("cg", "is"):
        for pes in (1, 2):
            yield from npb_rows(build, app, pes)


def one_pe_rows(build):
    yield row("switch", "ticks", micro("switch"),
              {"bare coroutine queue": figure(Program("peer_coroutine_queue"), "ticks_per_switch")}, limit=8)
    yield row("task_ready", "ticks", micro("task_ready"), limit=16)
    jump = {"bare Boost.Context jump": figure(Program("peer_context_jump"), "ticks_per_jump")}
    yield row("fiber_switch", "ticks", micro("fiber_switch"), jump, ratio_limit=1.3)
    if build.by_clang is not None and build.by_clang.has("bench_one_pe"):
        for name, limit in (("switch", 8), ("task_ready", 16)):
            yield row(name, "ticks", by_clang(micro(name)), limit=limit, compiler="clang++-19")
    yield row("task_bytes", "bytes", micro("task_bytes", "bytes"), limit=160, turns=1)
    yield row("hello_compile_s", "seconds", compile_seconds("examples/01_*.cpp"), limit=2.5)


def checksum_rows():
    """What --tsubu-checksum costs: a sum over each batch by who sends it, and another by who takes it."""
    crowd = ("bench_crowd", "--tsubu-pes=2", "--repetitions", 3)
    trip = ("bench_roundtrip", "--tsubu-pes=2")
    for name, unit, words, told in (("checksum_crowd", "ticks", crowd, "ticks_per_message"),
                                    ("checksum_roundtrip", "ns", trip, "round_trip_ns")):
        yield row(name, unit, figure(Program(*words, "--tsubu-checksum"), told),
                  {"no checksum": figure(Program(*words), told)}, transport="threads", pes=2, between=None)


def histogram_rows(build):
    rate = "updates_per_second_and_pe"
    # An older build tells the time of PE 0 alone, so two builds are compared by that.
    of_pe_0 = ("updates", ("seconds_of_pe_0", "seconds"))
    peers = {mpi: hand_packed("histogram", rate, mpi) for mpi in build.mpis}
    program = Program("bench_histogram", "--tsubu-pes=2", "--repetitions", 3)
    yield row("histogram_threads", "updates/s/PE", figure(program, rate), together(peers), better="higher",
              ratio_limit=1, transport="threads", pes=2, between=quotient(program, *of_pe_0))
    for mpi in build.mpis:
        program = Program("bench_histogram", "--repetitions", 3, mpi=mpi, ranks=2)
        yield row("histogram_mpi", "updates/s/PE", figure(program, rate), peers[mpi], better="higher", ratio_limit=1,
                  transport=mpi, pes=2, between=quotient(program, *of_pe_0))
    yield from histogram_loop_rows(build, rate)
    if build.has("peer_histogram_lamellar"):
        yield row("histogram_vs_lamellar", "updates/s/PE",
                  figure(Program("bench_histogram", "--tsubu-pes=2", "--repetitions", 3), rate),
                  {"Lamellar's batch_add": figure(Program("peer_histogram_lamellar", "--repetitions", 3), rate)},
                  better="higher", ratio_limit=3, transport="threads", pes=2, between=None)


def histogram_loop_rows(build, rate):
    """Where the loop makes the targets itself, and where it stands in a coroutine."""
    made = ("--targets", "made")
    ours = ("bench_histogram", *made, "--repetitions", 3)
    peers = {mpi: hand_packed("histogram", rate, mpi, *made) for mpi in build.mpis}
    yield row("histogram_made_threads", "updates/s/PE", figure(Program(*ours, "--tsubu-pes=2"), rate), together(peers),
              better="higher", ratio_limit=0.95, transport="threads", pes=2)
    for mpi in build.mpis:
        yield row("histogram_made_mpi", "updates/s/PE", figure(Program(*ours, mpi=mpi, ranks=2), rate), peers[mpi],
                  better="higher", ratio_limit=0.95, transport=mpi, pes=2)
    alone = {mpi: hand_packed("histogram", rate, mpi, *made, ranks=1) for mpi in build.mpis}
    yield row("histogram_made_1", "updates/s/PE", figure(Program(*ours, "--tsubu-pes=1"), rate), together(alone),
              better="higher", ratio_limit=0.9, transport="threads", pes=1)
    stored = ("bench_histogram", "--repetitions", 3, "--tsubu-pes=1")
    yield row("histogram_coroutine", "updates/s", figure(Program(*stored, "--loop", "coroutine"), rate),
              {"a plain function's loop": figure(Program(*stored), rate)}, better="higher", ratio_limit=0.95,
              transport="threads", pes=1)


def mpi_rows(mpi):
    def told(program, name):
        return figure(Program(program, mpi=mpi, ranks=2), name)

    trip, rate = "round_trip_ns", "megabytes_per_second"
    yield row("roundtrip_mpi", "ns", told("bench_roundtrip", trip),
              {f"MPI_Send/MPI_Recv ({mpi})": told(f"peer_pingpong_{mpi}", trip)}, ratio_limit=1.15, transport=mpi, pes=2)
    yield row("bulk_write_mpi", "MB/s", told("bench_bulk_write", rate),
              {f"MPI_Isend/MPI_Irecv ({mpi})": told(f"peer_bandwidth_{mpi}", rate)}, better="higher", ratio_limit=0.95,
              transport=mpi, pes=2)
    # An empty job inside a program of MPI, behind the first.
    for name, limit in (("run", 20), ("session", 10)):
        yield row(f"{name}_inside_mpi", "us", told(f"bench_inside_{mpi}", f"{name}_us"),
                  {f"MPI_Barrier ({mpi})": told(f"bench_inside_{mpi}", "barrier_us")}, limit=limit, transport=mpi, pes=2)


def npb_rows(build, app, pes):
    """One of NPB's programs on so many PEs, beside the same in plain MPI."""
    peers = {mpi: {f"the same in plain MPI ({mpi})": figure(
        Program(f"peer_{app}_{mpi}", "--class", "A", "--repetitions", 1, mpi=mpi, ranks=pes), "seconds")}
        for mpi in build.mpis}
    ours = (app, "--class", "A", "--json")
    yield row(f"{app}_A_{pes}_threads", "seconds", figure(Program(*ours, f"--tsubu-pes={pes}"), "seconds"),
              together(peers), ratio_limit=1.05, transport="threads", pes=pes)
    for mpi in build.mpis:
        yield row(f"{app}_A_{pes}_mpi", "seconds", figure(Program(*ours, mpi=mpi, ranks=pes), "seconds"), peers[mpi],
                  ratio_limit=1.05, transport=mpi, pes=pes)
