"""Promise: counters and group-bys have what a dictionary would have, on any number of PEs."""

from collections import Counter as Dictionary

import numpy as np
import pytest


def test_counts_as_a_dictionary(job, random):
    keys = random.integers(-50, 50, 20_000) ** 3
    times = random.integers(-3, 5, 20_000)
    c, wanted = job.counter(), Dictionary()
    assert (len(c), c.total(), c.top(3), bool(c)) == (0, 0, [], False)
    c.add(keys)
    for key in keys.tolist():
        wanted[key] += 1
    assert (len(c), c.total()) == (len(wanted), len(keys))
    order = sorted(wanted.items(), key=lambda item: (-item[1], item[0]))
    assert c.top(10) == order[:10] and c.top(1000) == order and c.top(0) == []
    c.add(keys, times)
    c.add([7, 7], 2)
    for key, n in zip(keys.tolist(), times.tolist()):
        wanted[key] += n
    wanted[7] += 4
    asked = np.arange(-60, 60) ** 3
    np.testing.assert_array_equal(c[asked], [wanted[key] for key in asked.tolist()])
    assert c[7] == 4 and c[-(2**63)] == 0
    assert c.total() == sum(wanted.values())


def test_counters_are_apart(two):
    a, b = two.counter(), two.counter()
    a.add([1, 2])
    b.add([2])
    assert a.top(5) == [(1, 1), (2, 1)] and b.top(5) == [(2, 1)]
    assert repr(a) == f"<tsubu.Counter of 2 keys, 2 in all, on {two.pes} PEs: {{1: 1, 2: 1}}>"
    assert "<td>2</td><td>1</td>" in b._repr_html_()


@pytest.mark.parametrize("n", [0, 1, 100_000])
@pytest.mark.parametrize("kinds", [3, 10**6])
def test_sums_by_key(job, random, n, kinds):
    keys = random.integers(0, kinds, n) - kinds // 2
    values = random.integers(-(2**62), 2**62, n)
    found, sums = job.groupby_sum(keys, values)
    wanted, places = np.unique(keys, return_inverse=True)
    np.testing.assert_array_equal(found, wanted)
    of_each = np.zeros(len(wanted), np.int64)
    np.add.at(of_each, places, values)
    np.testing.assert_array_equal(sums, of_each)

    _, sums = job.groupby_sum(keys, values / 2**60)
    assert sums.dtype == np.float64
    np.testing.assert_allclose(sums, np.bincount(places, values / 2**60, len(wanted)), rtol=1e-9, atol=1e-9)
