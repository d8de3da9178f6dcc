"""Jobs for tests. Their oracle is NumPy."""

import numpy as np
import pytest

import tsubu


@pytest.fixture(params=[1, 2, 5, 9])
def job(request):
    with tsubu.job(pes=request.param) as opened:
        yield opened


@pytest.fixture
def two():
    """A job of two PEs, where their number is not what is tested."""
    with tsubu.job(pes=2) as opened:
        yield opened


@pytest.fixture
def random(request):
    """Random numbers, the same in each run of a test; the seed is in its name."""
    return np.random.default_rng(sum(request.node.name.encode()))
