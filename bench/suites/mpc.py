"""MTTL's remote memory beside the MPI below it, by size: figures 5 and 6 of the paper about MPC++ on MPI.

Messages go by MPI, as between nodes. Writes are a stream, which a barrier ends; each read waits for its bytes. And NPB's CG
and IS of class A, which MTTL's own versions compute so, beside the same through memory that the ranks share.
"""
from harness.measure import Program, figure
from harness.row import Row

SIZES = (8, 64, 512, 2048, 8192, 32768, 262144, 1048576)
WAYS = {"write": {"MPI_Send": "send", "MPI_Put": "put"}, "read": {"MPI_Send and MPI_Recv": "question", "MPI_Get": "get"}}


def seconds_of(program, mpi, shared):
    return figure(Program(f"acceptance.{program}_mttl", "A", f"--tsubu-shared={shared}", mpi=mpi, ranks=2), "seconds")


def mpc_rows(build):
    for mpi in build.mpis:
        for program in "cg", "is":
            yield Row("mpc", f"{program}_A", "seconds", seconds_of(program, mpi, "off"),
                      {"memory that the ranks share": seconds_of(program, mpi, "on")}, transport=mpi, pes=2,
                      ratio_limit=1.1)
        for way, below in WAYS.items():
            for size in SIZES:
                ours = Program("acceptance.nwrite", size, "--tsubu-shared=off", mpi=mpi, ranks=2)
                peer = Program(f"acceptance.nwrite_{mpi}", size, mpi=mpi, ranks=2)
                peers = {call: figure(peer, f"{name}_{size}") for call, name in below.items()}
                yield Row("mpc", f"{way}_{size}", "us", figure(ours, f"{way}_{size}"), peers, transport=mpi, pes=2)
