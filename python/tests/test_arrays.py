"""Promise: what arrays have in common with NumPy's is what NumPy's do, on any number of PEs, to the last bit where
updates meet."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import tsubu

TYPES = [np.int64, np.float64]
FEW = tsubu._native.ranks_are_used()  # where a call takes longer, and several numbers of ranks have theirs
EACH_TIME = settings(max_examples=10 if FEW else 40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def values_of(random, n, dtype):
    values = random.integers(-1000, 1000, n)
    return values if dtype == np.int64 else values / 7


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 6, 7, 1000, 100_003])
def test_brings_back_what_it_was_given(job, random, n, dtype):
    values = values_of(random, n, dtype)
    a = job.array(values)
    assert (len(a), a.size, a.shape, a.dtype, a.nbytes) == (n, n, (n,), np.dtype(dtype), 8 * n)
    found = a.to_numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, values)
    np.testing.assert_array_equal(np.asarray(a), values)


@pytest.mark.parametrize("given", [np.int8, np.uint8, np.int32, np.uint32, np.float16, np.float32])
def test_widens_what_loses_nothing(two, given):
    a = two.array(np.arange(5, dtype=given))
    assert a.dtype == (np.float64 if np.issubdtype(given, np.floating) else np.int64)
    np.testing.assert_array_equal(a.to_numpy(), np.arange(5))


def test_takes_what_is_no_row_of_memory(two):
    wide = np.arange(20.0).reshape(4, 5)
    np.testing.assert_array_equal(two.array(wide[:, 2]).to_numpy(), wide[:, 2])
    np.testing.assert_array_equal(two.array(np.arange(9)[::-2]).to_numpy(), np.arange(9)[::-2])
    np.testing.assert_array_equal(two.array(range(4)).to_numpy(), range(4))


def test_is_made_of_one_value(job):
    np.testing.assert_array_equal(job.zeros(7).to_numpy(), np.zeros(7))
    assert job.zeros(3, dtype="int64").dtype == np.int64
    np.testing.assert_array_equal(job.full(7, 2.5).to_numpy(), np.full(7, 2.5))
    np.testing.assert_array_equal(job.full(1, 3, np.float64).to_numpy(), [3.0])
    np.testing.assert_array_equal(job.arange(11).to_numpy(), np.arange(11))


# ---- elements and slices


@EACH_TIME
@given(data=st.data())
def test_slices_as_numpy(job, data):
    n = data.draw(st.integers(0, 40))
    which = data.draw(st.slices(n)) if n else slice(None)
    values = np.arange(n) * 3
    a = job.array(values)
    np.testing.assert_array_equal(a[which], values[which])
    a[which] = -1
    values[which] = -1
    np.testing.assert_array_equal(a.to_numpy(), values)
    news = np.arange(len(values[which])) + 100
    a[which] = news
    values[which] = news
    np.testing.assert_array_equal(a.to_numpy(), values)


def test_single_elements(job):
    values = np.arange(10) / 4
    a = job.array(values)
    assert [a[i] for i in range(-10, 10)] == [values[i] for i in range(-10, 10)]
    assert isinstance(a[3], np.float64) and isinstance(job.arange(4)[-1], np.int64)
    a[-1] = 9
    a[np.int32(0)] += 0.5
    values[-1] = 9
    values[0] += 0.5
    np.testing.assert_array_equal(a.to_numpy(), values)


# ---- gather and scatter


@EACH_TIME
@given(data=st.data())
def test_indices_as_numpy(job, data):
    n = data.draw(st.integers(1, 30))
    which = np.array(data.draw(st.lists(st.integers(-n, n - 1), max_size=60)), np.int64)
    dtype = data.draw(st.sampled_from(TYPES))
    # Sums of these depend on their order.
    number = st.integers(-(2**63), 2**63 - 1) if dtype == np.int64 else st.floats(-1e17, 1e17, width=64)
    values = np.array(data.draw(st.lists(number, min_size=n, max_size=n)), dtype)
    news = np.array(data.draw(st.lists(number, min_size=len(which), max_size=len(which))), dtype)
    a = job.array(values)
    np.testing.assert_array_equal(a[which], values[which])

    a[which] += news
    np.add.at(values, which, news)
    np.testing.assert_array_equal(a.to_numpy(), values)

    a[which] -= news
    np.subtract.at(values, which, news)
    np.testing.assert_array_equal(a.to_numpy(), values)

    a[which] = news
    values[which] = news
    np.testing.assert_array_equal(a.to_numpy(), values)


@pytest.mark.parametrize("dtype", TYPES)
def test_many_updates_have_numpys_bits(job, random, dtype):
    n, updates = 1000, 200_000
    values = values_of(random, n, dtype)
    which, news = random.integers(-n, n, updates), values_of(random, updates, dtype)
    a = job.array(values)
    np.testing.assert_array_equal(a[which], values[which])
    for _ in range(3):
        a.add_at(which, news)
        np.add.at(values, which, news)
    np.testing.assert_array_equal(a.to_numpy(), values)
    a[which] = news
    values[which] = news
    np.testing.assert_array_equal(a.to_numpy(), values)
    a[which] += 1
    np.add.at(values, which, 1)
    np.testing.assert_array_equal(a.to_numpy(), values)


def test_indices_of_any_shape(job):
    values = np.arange(12) * 1.5
    a = job.array(values)
    which = np.array([[0, 3, -1], [5, 5, 2]])
    np.testing.assert_array_equal(a[which], values[which])
    a[which] = np.array([[1, 2, 3], [4, 5, 6]])
    values[which] = np.array([[1, 2, 3], [4, 5, 6]])
    np.testing.assert_array_equal(a.to_numpy(), values)
    mask = values > 3
    np.testing.assert_array_equal(a[mask], values[mask])
    a[mask] = 0
    values[mask] = 0
    np.testing.assert_array_equal(a.to_numpy(), values)
    assert a[[]].to_numpy().shape == (0,)


# ---- what is selected


def test_a_selection_is_a_copy(two):
    a = two.arange(10)
    which = np.array([1, 1, 2])
    before = a[which]
    which[0] = 9
    a[1] = 100
    np.testing.assert_array_equal(before, [1, 1, 2])
    changed = a[[3, 3]]
    changed += 5
    a[3] = 0
    np.testing.assert_array_equal(changed, [8, 8])
    np.testing.assert_array_equal(a[[3]], [0])
    for change in (lambda: a.add_at([4], 1), lambda: a.__setitem__([4], 1), lambda: a.__setitem__(slice(4, 5), 2)):
        kept, now = a[[4]], a[4]
        change()
        assert kept[0] == now != a[4]


def test_a_selection_is_taken_as_an_array(two):
    a, values = two.array([4.0, 9.0, 16.0]), np.array([4.0, 9.0, 16.0])
    which = [2, 0]
    picked = a[which]
    assert (len(picked), picked.shape, picked.dtype, picked.sum()) == (2, (2,), np.float64, 20.0)
    np.testing.assert_array_equal(np.sqrt(picked), [4, 2])
    np.testing.assert_array_equal(1 - picked * 2, [-31, -7])
    np.testing.assert_array_equal(picked > 5, [True, False])
    np.testing.assert_array_equal([x for x in picked], [16, 4])
    np.testing.assert_array_equal(np.add(picked, 1, out=np.empty(2)), [17, 5])
    assert "16." in repr(picked)
    a[which] *= 2
    values[which] *= 2
    np.testing.assert_array_equal(a.to_numpy(), values)


# ---- element by element, and all in one


@pytest.mark.parametrize("left", TYPES)
@pytest.mark.parametrize("right", TYPES)
def test_arithmetic_as_numpy(job, random, left, right):
    x, y = values_of(random, 1001, left), values_of(random, 1001, right)
    a, b = job.array(x), job.array(y)
    scalar = y[0]
    for found, wanted in [
        (a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x), (a + y, x + y), (x - b, x - y),
        (a + scalar, x + scalar), (scalar - a, scalar - x), (a * 3, x * 3), (2.5 * a, 2.5 * x), (7 - a, 7 - x),
        (a.copy(), x),
    ]:
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found.to_numpy(), wanted)


def test_integers_wrap_around(two):
    values = np.array([2**63 - 1, -(2**63), 5])
    a = two.array(values)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal((a + a).to_numpy(), values + values)
        np.testing.assert_array_equal((a * 3).to_numpy(), values * 3)
        assert (a + 1).sum() == (values + 1).sum()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 1000, 100_003])
def test_reductions_as_numpy(job, random, n, dtype):
    values = values_of(random, n, dtype)
    a = job.array(values)
    assert a.min() == values.min() and a.max() == values.max()
    if dtype == np.int64:
        assert a.sum() == values.sum()
    else:
        np.testing.assert_allclose(a.sum(), values.sum(), rtol=1e-13, atol=1e-9)


def test_reductions_of_what_is_no_number(job):
    for where in range(4):
        values = np.arange(4.0)
        values[where] = np.nan
        a = job.array(values)
        assert np.isnan([a.min(), a.max(), a.sum()]).all()
    assert job.zeros(0).sum() == 0


# ---- how it looks


def test_says_what_lies_where(two):
    if two.pes != 2:
        pytest.skip("what it says is that of two PEs")
    a = two.arange(1001)
    assert repr(a) == "<tsubu.Array of 1001 int64 on 2 PEs: [0 1 2 ...  998  999 1000]>"
    page = a._repr_html_()
    assert "<td>1</td><td>501</td><td>1001</td><td>3.91 KiB</td>" in page
    assert "[0 1 2 3]" in repr(two.arange(4))
