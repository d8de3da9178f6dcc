"""Exchange plans: what choosing by itself costs beside the best method, over matrices of many shapes; beside PETSc."""
import json
import sys
from functools import partial

from harness.build import Failed
from harness.measure import Program, call, figure
from harness.row import Row

row = partial(Row, "plans")

BESIDE_PETSC = ("banded_64_large", "random_1_large", "random_14_large", "near_diagonal_large", "power_law_15_large",
                "blocks_333_large", "arrow_large", "npb_A", "npb_B")
SHAPES = ("banded_1", "banded_8", "banded_64", "banded_400", "random_1", "random_4", "random_14", "random_56",
          "power_law_12", "power_law_15", "power_law_25", "near_diagonal", "arrow", "blocks_10", "blocks_50",
          "blocks_333", "diagonal", "reversed", "one_column")
MATRICES = [f"{shape}_{size}" for size in ("small", "large") for shape in SHAPES] + ["npb_A", "npb_B"]


class Sweep:
    """A job that has a line for each matrix; it runs when its first figure is asked for."""

    def __init__(self, *arguments, **how):
        self.program, self.lines = Program("bench_plans", *arguments, **how), {}

    def figure(self, name, matrix=None):
        """A figure of a matrix's line, or of that of all."""
        def measure(build):
            if build not in self.lines:
                found = [json.loads(text) for text in call(self.program.words(build), 1800).splitlines()
                         if text.startswith("{")]
                self.lines[build] = {line.get("matrix"): line for line in found}
            line = self.lines[build].get(matrix)
            if line is None or not line["verified"]:
                raise Failed(f"bench_plans: no verified line for {matrix or 'all matrices'}")
            return float(line[name])

        return measure


def sweep_rows(kind, pes, sweep, only=None):
    """The regret for each matrix and for all, by the same run."""
    about = {"transport": kind, "pes": pes, "turns": 1}
    for matrix in MATRICES if only is None else [m for m in MATRICES if m.startswith(only)]:
        yield row(f"{matrix}_on_{pes}_{kind}", "us", sweep.figure("chosen_us", matrix),
                  {"best method": sweep.figure("best_us", matrix)}, ratio_limit=1.05,
                  cell=("time of the chosen method, of the best one's", matrix, f"{kind}, {pes}"), **about)
    yield row(f"mean_on_{pes}_{kind}", "of the best", sweep.figure("mean_ratio"), limit=1.05, **about)
    yield row(f"worst_on_{pes}_{kind}", "of the best", sweep.figure("worst_ratio"), **about)
    yield row(f"within_5_percent_on_{pes}_{kind}", "matrices", sweep.figure("within_5_percent"), better="higher",
              **about)


def plan_rows(build):
    for pes in (1, 2, 4, 16):
        yield from sweep_rows("threads", pes, Sweep(f"--tsubu-pes={pes}"))
    for mpi in build.mpis:
        yield from sweep_rows(mpi, 2, Sweep(mpi=mpi, ranks=2))
    for machine, only in (("cluster", None), ("emx", "b")):  # EM-X: banded and blocks; a dense one takes minutes
        words = ["--tsubu-transport=sim", f"--tsubu-machine={machine}", "--tsubu-pes=16"]
        yield from sweep_rows(machine, 16, Sweep(*words, *(["--only", only] if only else [])), only)
    yield from petsc_rows(build)


def petsc_rows(build):
    """Our best method over Open MPI, beside VecScatter over the same."""
    if not build.has("peer_plans_petsc") or "openmpi" not in build.mpis:
        print("bench: petsc_*: left out, for PETSc (petsc-dev) or Open MPI was not found when this was built",
              file=sys.stderr)
        return
    for matrix in BESIDE_PETSC:
        words = ("--only", matrix)
        yield row(f"petsc_{matrix}", "us", figure(Program("bench_plans", *words, mpi="openmpi", ranks=2), "best_us"),
                  {"PETSc VecScatter": figure(Program("peer_plans_petsc", *words, mpi="openmpi", ranks=2), "best_us")},
                  ratio_limit=1.0, transport="openmpi", pes=2)
