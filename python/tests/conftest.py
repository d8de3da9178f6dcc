"""Jobs for tests. Their oracle is NumPy. Under mpirun (test_ranks.py) they are on its ranks, and have as many PEs."""

import numpy as np
import pytest

import tsubu


ON_THREADS = [(1, 2048), (2, 2048), (2, 0), (5, 50), (9, 0)]
ON_RANKS = [(None, 0)]
JOBS = ON_THREADS if not tsubu._native.ranks_are_used() else ON_RANKS


@pytest.fixture(params=JOBS, ids=lambda param: f"{param[0]}pes-{param[1]}small")
def job(request):
    """A job whose PEs are asked for what looks at more than so many elements; for fewer the caller does it."""
    pes, most_small = request.param
    with tsubu.job(pes=pes) as opened:
        opened._native.most_small = most_small
        yield opened


@pytest.fixture
def two():
    """A job of two PEs, where their number is not what is tested."""
    with tsubu.job(pes=2 if JOBS is ON_THREADS else None) as opened:
        yield opened


@pytest.fixture
def random(request):
    """Random numbers, the same in each run of a test; the seed is in its name."""
    return np.random.default_rng(sum(request.node.name.encode()))
