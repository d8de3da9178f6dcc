"""MPC++ on MPI (Sakae, Ishikawa, Matsuoka, Takahashi 2000): the language, and the messages that CG and IS send.

What that takes on the Presto cluster is in presto.py.
"""
import re
import statistics
import subprocess

import harness
from harness import Shape, claim, json_line, printed

NODES = [2, 4, 8, 16, 32]


def of_class_a(program):
    return [("presto_ethernet", p, f"acceptance.{program}", "A") for p in NODES]


CG_MPI, CG_MTTL, IS_MPI, IS_MTTL = map(of_class_a, ("cg_mpi", "cg_mttl", "is_mpi", "is_mttl"))


def figures(row, runs):
    return {what.removesuffix(", each node"): figures for what, figures in printed(row, runs).items()}


# ---- tables 5 to 8 ---------------------------------------------------------------------------------------------------

CALLS = [1200, 2790, 5160, 9090, 16140]


@claim("M1", paper={"Send": CALLS, "Irecv": CALLS, "Wait": CALLS}, kind="emergent",
       rests_on="in each of 15 iterations a complete exchange before each of 26 products, and 54 sums by doubling")
def cg_messages():
    """table 5: messages of each node, CG by C++ and MPI, 2 to 32 nodes"""
    return figures("M1", CG_MPI)


@claim("M3", paper={"total MB": [20.8, 31.3, 36.5, 39.1, 40.4], "average KB": [18.2, 11.7, 7.4, 4.5, 2.6]},
       within={"total MB": 0.1, "average KB": 0.05}, kind="emergent",
       rests_on="as M1, and vectors of 14,000 numbers in double precision")
def cg_megabytes():
    """table 5: megabytes of each node, and 1000 bytes of a message, CG by C++ and MPI, 2 to 32 nodes"""
    return figures("M3", CG_MPI)


@claim("M2", paper={"Send": [1591, 3572, 6333, 10654, 18095], "Isend": [390, 1170, 2730, 0, 0],
                    "Recv": [1981, 4742, 9063, 10654, 18095]}, kind="fitted",
       differs="the limit of 8 KiB, above which a message is split, was chosen between the 7,000 bytes that the table "
               "does not split and the 14,000 that it does")
def cg_mttl_messages():
    """table 6: messages of each node, CG by MPC++, 2 to 32 nodes"""
    return figures("M2", CG_MTTL)


@claim("M4", paper={"total MB": [20.9, 31.4, 36.6, 39.4, 40.8], "average KB": [10.80, 6.77, 4.14, 3.87, 2.37]},
       within={"total MB": 0.3, "average KB": "1 %"}, kind="emergent",
       rests_on="as M2, and headers of our own size, which the row shows to be near the paper's",
       differs="the averages' unit is 1024 bytes up to 8 nodes and 1000 from 16 on: only so do they fit the table's totals")
def cg_mttl_megabytes():
    """table 6: megabytes of each node, and KB of a message, CG by MPC++, 2 to 32 nodes"""
    return figures("M4", CG_MTTL)


@claim("M5", paper={"Allreduce": [10] * 5, "Alltoall": [10] * 5, "Alltoallv": [10] * 5,
                    "average KB": [2731, 2052, 1204, 660.2, 372.3], "total MB": [80.0, 60.1, 35.3, 19.3, 10.9]},
       within={"average KB": "0.2 %"}, kind="emergent", rests_on="the benchmark's three collectives and its keys",
       differs="the totals are compared by their printed digit, of which 0.2 % is less than a half: 19.34 is printed "
               "19.3")
def is_messages():
    """table 7: collectives of each node and bytes, IS by C and MPI, 2 to 32 nodes"""
    return figures("M5", IS_MPI)


@claim("M6", paper={"Send": [80, 190, 360, 650, 1180], "Isend": [10, 30, 70, 150, 310],
                    "Recv": [90, 220, 430, 800, 1490]}, kind="emergent",
       rests_on="in each of 10 iterations 3 small writes and a large one to each other node, and 5 collectives",
       differs="1,170 is printed for 32 nodes where 1,180 is meant, which the other two lines give")
def is_mttl_messages():
    """table 8: messages of each node, IS by MPC++, 2 to 32 nodes"""
    return figures("M6", IS_MTTL)


@claim("M7", paper={"total MB": [80.0, 60.1, 35.1, 18.9, 9.9], "average KB": [910.5, 279.7, 83.7, 24.2, 6.84]},
       within={"total MB": 0.1, "average KB": "1 %"}, kind="emergent",
       rests_on="as M6, and the keys that change nodes")
def is_mttl_megabytes():
    """table 8: megabytes of each node, and 1024 bytes of a message, IS by MPC++, 2 to 32 nodes"""
    return figures("M7", IS_MTTL)


@claim("M11", paper={"S": 4, "W": 4, "A": 20}, kind="emergent",
       rests_on="each element and each key reaches the PE that needs it",
       differs="classes S and W run on 2 nodes, class A on 2 to 32; class B has a row of its own")
def verification():
    """official verification: runs of CG and IS, in both styles, that verify"""
    small = {letter: [("presto_ethernet", 2, runs[0][2], letter) for runs in (CG_MPI, CG_MTTL, IS_MPI, IS_MTTL)]
             for letter in "SW"}
    runs = {**small, "A": CG_MPI + CG_MTTL + IS_MPI + IS_MTTL}
    return {letter: sum(map(len, printed("M11", of).values())) for letter, of in runs.items()}


@claim("M11.B", paper=2, kind="emergent", rests_on="each element and each key reaches the PE that needs it", slow=True)
def verification_of_b():
    """official verification of class B, CG and IS by MPC++, on 2 PEs of this computer"""
    runs = [(None, 2, f"acceptance.{program}_mttl", "B") for program in ("cg", "is")]
    return sum(map(len, printed("M11", runs).values()))


PROBED = re.compile(r"^table 8: a node receives (\d+) messages, and asks ([\d.]+) times whether one has come", re.M)


def probes_for_a_message(launcher, letter):
    """The least of 7 runs: whatever else the computer does adds to a wait. Messages through MPI, as between nodes."""
    def one():
        text = harness.run(None, 2, "acceptance.is_mttl", letter, "--tsubu-shared=off", launcher=launcher)
        messages, probes = PROBED.search(text).groups()
        return float(probes) / int(messages)
    return round(min(one() for _ in range(7)), 1)


@claim("M22", paper={"2 nodes": 1003.3, "32 nodes": 0.8}, kind="emergent", timed=True,
       allowed="50 or more in class A, and a tenth of A's at most in class S",
       rests_on="a PE that polls while it waits",
       differs="the paper's data get smaller with its nodes, 16 MB to 32 KB for each other node, and here with the class, "
               "4 MB to 128 KB, on 2 ranks of this computer; the figures are of this computer's pace")
def polling():
    """IS by MPC++: how often a node asks its MPI whether a message has come, for each that it receives: A, W, S"""
    found = harness.on_each_mpi(lambda launcher: [probes_for_a_message(launcher, letter) for letter in "AWS"])
    return Shape(found, all(a >= 50 and s <= a / 10 for a, _, s in found.values()))


# ---- a remote write and what is below it (figures 5 and 6) --------------------------------------------------------------

SIZES = [8, 64, 512, 2048, 8192, 32768, 262144, 1048576]
TURNS = 5


@harness.once
def more_than_below():
    """By MPI and by way of writing, for each size: percent of time more than MPI_Send takes on the same MPI.

    The two programs run in turns, and the median of the turns' ratios counts: both change alike with the computer."""
    def turn(name, launcher):
        ours = json_line(harness.run(None, 2, "acceptance.nwrite", "--tsubu-shared=off", launcher=launcher))
        below = json_line(harness.run(None, 2, f"acceptance.nwrite_{name}", launcher=launcher))
        return {way: [ours[f"{way}_{size}"] / below[f"send_{size}"] for size in SIZES] for way in ("write", "alone")}

    found = {}
    for name, launcher in harness.launchers().items():
        turns = [turn(name, launcher) for _ in range(TURNS)]
        found[name] = {way: [round(100 * statistics.median(of) - 100) for of in zip(*(t[way] for t in turns))]
                       for way in turns[0]}
    if not found:
        raise harness.NotHere("no MPI is here")
    return found


SHORT = SIZES.index(512) + 1


@claim("M9", paper="<= 50 up to 512 bytes", allowed="<= 50 for 8, 64 and 512 bytes", kind="emergent", timed=True,
       rests_on="short writes that share batches; with each alone the row below is what is left",
       differs="measured on this computer, the MPI's ranks on one node, by the median of 5 turns; no overhead is left that "
               "could fall with size")
def overhead():
    """time of an nwrite more than an MPI_Send's, %, 8 bytes to 1 MiB, on each MPI that is here"""
    found = {name: of["write"] for name, of in more_than_below().items()}
    return Shape(found, all(more <= 50 for of in found.values() for more in of[:SHORT]))


@claim("M9.alone", paper="<= 50 up to 512 bytes; falls with size", kind="emergent", timed=True,
       allowed="<= 50 for 8, 64 and 512 bytes; less there than at 8 bytes from 512 bytes on",
       rests_on="a message of the MPI for each write", differs="as M9")
def overhead_alone():
    """the same when each write leaves alone, as MTTL-MPI's do"""
    found = {name: of["alone"] for name, of in more_than_below().items()}
    falls = all(max(of[SHORT - 1:]) < of[0] for of in found.values())
    return Shape(found, falls and all(more <= 50 for of in found.values() for more in of[:SHORT]))


# ---- what it takes to port -------------------------------------------------------------------------------------------

COMMON = ["random.hpp", "blocks.hpp", "class_table.hpp"]
PARTS = {"cg": ["cg.cpp", "cg.hpp", "csr.cpp", "csr.hpp", *COMMON], "is": ["is.cpp", "is.hpp", *COMMON]}


def changed_lines(before, after):
    """Lines that differ; a changed one counts once."""
    diff = subprocess.run(["diff", before, after], stdout=subprocess.PIPE, text=True, check=False).stdout
    count = 0
    for first, last, what, new_first, new_last in re.findall(r"^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$", diff, re.M):
        removed, added = int(last or first) - int(first) + 1, int(new_last or new_first) - int(new_first) + 1
        count += {"a": added, "d": removed, "c": max(removed, added)}[what]
    return count


def lines_of(path):
    return len(path.read_text(encoding="utf-8").splitlines())


@claim("M12", paper="60 of 800; 50 of 1000", allowed="<= 10 % each", kind="emergent",
       rests_on="kernels that both versions share; of the drivers alone some 40 % change")
def porting_cost():
    """lines changed from MPI to MPC++, of the whole program: CG; IS"""
    versions = harness.ROOT / "tests/acceptance"
    shown, holds = [], True
    for program, parts in PARTS.items():
        count = changed_lines(versions / f"{program}_mpi.cpp", versions / f"{program}_mttl.cpp")
        whole = lines_of(versions / f"{program}_mttl.cpp")
        whole += sum(lines_of(harness.ROOT / "apps/npb" / part) for part in parts)
        shown.append(f"{count} of {whole}")
        holds = holds and count <= 0.1 * whole
    return Shape("; ".join(shown), holds)


# ---- the language ----------------------------------------------------------------------------------------------------

MTTL = [(None, 2, "acceptance.mttl", "an argument")]


@claim("M8", paper=">= 16, >= 24", allowed=">=", kind="emergent",
       rests_on="what a receiver must know of a write and of a read")
def headers():
    """bytes beside the data of a remote write; of a remote read"""
    ((write,), (read,)) = printed("M8", MTTL).values()
    return Shape([write, read], write >= 16 and read >= 24)


@claim("M18", paper="only there", kind="emergent", rests_on="threads that give up their PE by themselves only")
def switches():
    """threads switch at sync, yield and end; one that spins is not interrupted"""
    ((seen,),) = printed("M18", MTTL).values()
    return seen


@claim("M19", paper="as described", kind="emergent", rests_on="a queue of values and one of readers in each Sync")
def sync():
    """Sync: first in, first out; peek, queueLength, a read that waits"""
    ((seen,),) = printed("M19", MTTL).values()
    return seen


@claim("M21", paper="each", allowed="all that are here", kind="emergent",
       rests_on="MTTL knows its layer by transport.hpp only",
       differs="4 layers or more where an MPI is installed, 2 elsewhere; each MPI carries the eight primitives in two ways, by "
               "messages and by puts into windows")
def layers():
    """layers on which MTTL's own test passes: threads, simulated, each MPI that is here by messages and by windows"""
    passed = ["threads", "sim"]
    printed("M21", MTTL)
    printed("M21", [("presto_ethernet", 2, "acceptance.mttl", "an argument")])
    for name, launcher in harness.launchers().items():
        for way in "messages", "windows":
            harness.run(None, 2, "acceptance.mttl", "an argument", "--tsubu-shared=off", f"--tsubu-mpi={way}",
                        launcher=launcher)
            passed.append(f"{name} by {way}")
    return Shape(passed, True)  # what does not pass has failed


TRACE = [("presto_ethernet", 2, "acceptance.trace")]


@claim("M17", paper=["1 2 6 7", "3 4 5"], kind="emergent", rests_on="an invocation's answer wakes its caller")
def steps_of_invoke():
    """steps of an invocation: on the caller; on the callee"""
    return [seen for (seen,) in printed("M17", TRACE).values()]


@claim("M20", paper={"mpc_main on node 0, the handler elsewhere": ["all nodes"],
                     "exit messages received, calls of mpc_exit, on node 0": ["1, 1"],
                     "exit messages received, calls of mpc_exit, on node 1": ["1, 0"]}, kind="emergent",
       rests_on="mpc_exit, which node 0 sends to all")
def life_of_a_job():
    """the life of a job on 2 nodes"""
    return printed("M20", TRACE)
