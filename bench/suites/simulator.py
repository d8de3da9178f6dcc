"""What simulating takes, on one core: processor time and memory of whole processes, from their starts to their ends."""
from functools import partial

from harness.measure import Program, figure, most_bytes, rate_of_processor
from harness.row import Row

row = partial(Row, "simulator", transport="sim")


def simulator_rows(build):
    def on(pes):
        return ["--tsubu-transport=sim", "--tsubu-machine=cluster", f"--tsubu-pes={pes}"]

    updates = 20_000
    histogram = Program("histogram", "--updates", updates, *on(1024))
    yield row("messages", "messages/s", rate_of_processor(1024 * updates, histogram), pes=1024, better="higher",
              limit=5e6)
    yield row("histogram_bytes", "bytes", most_bytes(histogram), pes=1024, limit=256 << 20, turns=1)
    yield row("hello_bytes", "bytes", most_bytes(Program("bench_hello", *on(100_000))), pes=100_000, limit=1 << 30,
              turns=1)
    for pes in (2, 4, 8):
        yield row(f"schedules_{pes}", "schedules/s",
                  figure(Program("bench_schedules", "--pes", pes), "schedules_per_second"), pes=pes, better="higher",
                  limit=10_000 if pes == 2 else None)
    programs = 200
    explore = Program("tsubu", "explore", "--runs", programs, "--jobs", 1, lambda of: of.program("tsubu"), "hello")
    yield row("programs", "programs/s", rate_of_processor(programs, explore), pes=8, better="higher", limit=100)
