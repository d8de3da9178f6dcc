"""Promise: what is wrong is said by an exception that names it, and nothing has changed then."""

import numpy as np
import pytest

import tsubu

BAD = [
    # arrays that cannot be made
    ("job.array([[1, 2], [3, 4]])", ValueError, "one dimension, and these have 2"),
    ("job.array(5)", ValueError, "one dimension, and these have 0"),
    ("job.array(['a', 'b'])", TypeError, "<U1 does not fit"),
    ("job.array([1 + 2j])", TypeError, "complex128 does not fit"),
    ("job.array([True, False])", TypeError, "bool does not fit"),
    ("job.array(np.zeros(3, np.uint64))", TypeError, "uint64 does not fit"),
    ("job.array([2**70])", TypeError, "object does not fit"),
    ("job.array([None])", TypeError, "object does not fit"),
    ("job.zeros(-1)", ValueError, "n is -1, and is at least 0"),
    ("job.zeros(2.5)", TypeError, "n is an integer, not float"),
    ("job.zeros('3')", TypeError, "n is an integer, not str"),
    ("job.zeros(True)", ValueError, "n is True"),
    ("job.zeros(3, np.int32)", TypeError, "of int64 or float64, not int32"),
    ("job.zeros(3, 'complex')", TypeError, "of int64 or float64, not complex128"),
    ("job.full(3, 2.5, np.int64)", TypeError, "floating-point values do not fit"),
    ("job.full(3, 'x')", TypeError, "a number is needed, not str"),
    ("job.full(3, 2**63)", OverflowError, "9223372036854775808 does not fit int64"),
    ("job.arange(-3)", ValueError, "at least 0"),
    ("job.zeros(2**60)", (MemoryError, tsubu.JobError), ""),
    ("tsubu.Array()", TypeError, "made by a Job"),
    # indices
    ("a[10]", IndexError, "index 10 is out of range for an array of 10 elements"),
    ("a[-11]", IndexError, "index -11 is out of range"),
    ("a[[3, 10]].to_numpy()", IndexError, "index 10 is out of range"),
    ("a[[3, -11, 99]].to_numpy()", IndexError, "index -11 is out of range"),
    ("a[np.array([[1], [12]])].to_numpy()", IndexError, "index 12 is out of range"),
    ("a[2**64]", IndexError, "out of range"),
    ("a[[2**64]]", IndexError, "these are of object"),
    ("a[1.5]", IndexError, "these are of float64"),
    ("a[[1.0, 2.0]]", IndexError, "these are of float64"),
    ("a['x']", IndexError, "these are of <U1"),
    ("a[None]", IndexError, "these are of object"),
    ("a[[True, False]]", IndexError, r"a mask of shape \(2,\) is used for an array of 10"),
    ("a[True]", IndexError, "a mask of shape"),
    ("a[1, 2, 3]", IndexError, "one dimension, and 3 are asked for"),
    ("a[::0]", ValueError, "slice step cannot be zero"),
    ("job.zeros(0)[[0]].to_numpy()", IndexError, "index 0 is out of range for an array of 0"),
    ("job.zeros(0)[-1]", IndexError, "index -1 is out of range for an array of 0"),
    # assignments
    ("a.__setitem__(10, 1)", IndexError, "index 10 is out of range"),
    ("a.__setitem__(1, 2.5)", TypeError, "floating-point values do not fit an array of int64"),
    ("a.__setitem__(1, 'x')", TypeError, "<U1 does not fit"),
    ("a.__setitem__(1, [1, 2])", ValueError, "values of shape"),
    ("a.__setitem__([1, 2], [1, 2, 3])", ValueError, r"values of shape \(3,\) do not fit places of shape \(2,\)"),
    ("a.__setitem__([1, 2], 0.5)", TypeError, "floating-point values"),
    ("a.__setitem__([1, 20], 5)", IndexError, "index 20 is out of range"),
    ("a.__setitem__([1, 2], [[5, 6]])", ValueError, "values of shape"),
    ("a.__setitem__(slice(2, 5), [1, 2])", ValueError, "values of shape"),
    ("a.__setitem__(slice(2, 5), None)", TypeError, "object does not fit"),
    ("a.add_at([1, 2], [1, 2, 3])", ValueError, "values of shape"),
    ("a.add_at([1, 10], 1)", IndexError, "index 10 is out of range"),
    ("a.add_at([1], 0.5)", TypeError, "floating-point values"),
    ("a.add_at(['x'], 1)", IndexError, "these are of <U1"),
    ("exec('a[[1, 10]] += 1')", IndexError, "index 10 is out of range"),
    ("exec('a[[1, 2]] += 1.5')", TypeError, "floating-point values"),
    ("exec('a[[1, 2]] -= 1.5')", TypeError, "floating-point values"),
    ("exec('a[[1, 2]] += [1, 2, 3]')", ValueError, "values of shape"),
    # arithmetic
    ("a + job.zeros(9)", ValueError, "an array of 10 elements and one of 9 do not fit"),
    ("a + np.zeros(9)", ValueError, "an array of 10 elements and one of 9 do not fit"),
    ("a + np.zeros((2, 5))", ValueError, r"one of \(2, 5\) do not fit"),
    ("a + 'x'", TypeError, "a number is needed, not str"),
    ("a + None", TypeError, "a number is needed, not NoneType"),
    ("a + [1, 2]", TypeError, "a number is needed, not list"),
    ("a * 1j", TypeError, "a number is needed, not complex"),
    ("a + 2**63", OverflowError, "does not fit int64"),
    ("a / 2", TypeError, "unsupported operand"),
    ("a == a", TypeError, "not compared yet"),
    ("a != 3", TypeError, "not compared yet"),
    ("a < 3", TypeError, "not supported"),
    ("bool(a)", ValueError, "neither true nor false"),
    ("list(a)", TypeError, "not iterable"),
    ("3 in a", TypeError, "not a container"),
    ("np.sqrt(a)", TypeError, "ufunc"),
    ("np.asarray(a, copy=False)", ValueError, "only a copy"),
    ("job.zeros(0).min()", ValueError, "no least one"),
    ("job.zeros(0).max()", ValueError, "no greatest one"),
    # too large to be brought
    ("large.to_numpy()", tsubu.TooLargeError, "1000 elements take 7.81 KiB, and this job brings at most 1000 bytes"),
    ("large[1:999]", tsubu.TooLargeError, "998 elements take"),
    ("np.asarray(large)", tsubu.TooLargeError, "take 7.81 KiB"),
    ("job.groupby_sum(np.arange(100), np.arange(100))", tsubu.TooLargeError, "the sums of 100 keys take 1.56 KiB"),
    ("filled.top(1000)", tsubu.TooLargeError, "100 keys with their counts take 1.56 KiB"),
    # counters and group-bys
    ("c.add([1.5])", TypeError, "keys are integers that fit int64, and these are of float64"),
    ("c.add(['a'])", TypeError, "these are of <U1"),
    ("c.add([[1, 2]])", ValueError, "keys have one dimension"),
    ("c.add([2**64])", TypeError, "keys are integers"),
    ("c.add([1, 2], [1])", None, ""),
    ("c.add([1, 2], [1, 2, 3])", ValueError, "values of shape"),
    ("c.add([1, 2], 0.5)", TypeError, "floating-point values"),
    ("c.top(-1)", ValueError, "k is -1"),
    ("c.top('x')", TypeError, "k is an integer"),
    ("c['x']", TypeError, "these are of <U1"),
    ("list(c)", TypeError, "not iterable"),
    ("job.groupby_sum([1, 2], [1])", ValueError, "2 keys and 1 values"),
    ("job.groupby_sum([0.5], [1])", TypeError, "keys are integers"),
    ("job.groupby_sum([1], ['x'])", TypeError, "does not fit"),
    ("job.groupby_sum([[1]], [1])", ValueError, "keys have one dimension"),
    # jobs
    ("tsubu.job(pes=0)", ValueError, "pes is 0, and is at least 1"),
    ("tsubu.job(pes=-4)", ValueError, "at least 1"),
    ("tsubu.job(pes=2.0)", TypeError, "pes is an integer, not float"),
    ("tsubu.job(pes='two')", TypeError, "pes is an integer, not str"),
    ("tsubu.job(gather_limit='much')", ValueError, "'much' is no number of bytes"),
    ("tsubu.job(gather_limit='3 parsecs')", ValueError, "no number of bytes"),
    ("tsubu.job(gather_limit=-1)", ValueError, "gather_limit is -1"),
    ("tsubu.job(4, 5)", TypeError, "positional argument"),
    ("tsubu.job(options=[3])", (TypeError, AttributeError), ""),
]


@pytest.fixture
def names():
    with tsubu.job(pes=2, gather_limit=1000) as job:
        filled = job.counter()
        filled.add(np.arange(100))
        yield {"job": job, "a": job.arange(10), "large": job.zeros(1000), "c": job.counter(), "filled": filled,
               "np": np, "tsubu": tsubu}  # fmt: skip


@pytest.mark.parametrize("call, error, words", BAD, ids=[call for call, *_ in BAD])
def test_says_what_is_wrong(names, call, error, words):
    if error is None:
        eval(call, dict(names))
    else:
        with pytest.raises(error, match=words or None):
            eval(call, dict(names))
    np.testing.assert_array_equal(names["a"].to_numpy(), np.arange(10))
    assert names["large"].sum() == 0 and names["filled"].total() == 100


def test_a_closed_job_says_so():
    with tsubu.job(pes=2) as job:
        a, c, picked = job.arange(10), job.counter(), job.arange(3)[[1]]
    for call in (
        a.sum, a.to_numpy, lambda: a[1], lambda: a[[1]].to_numpy(), lambda: a.__setitem__(1, 1), lambda: a + 1,
        lambda: a.add_at([1], 1), picked.to_numpy, lambda: c.add([1]), lambda: c.top(1), lambda: c[1], lambda: len(c),
        lambda: job.zeros(3), lambda: job.array([1]), job.counter, lambda: job.groupby_sum([1], [1]),
    ):  # fmt: skip
        with pytest.raises(tsubu.ClosedJobError, match="the job is closed"):
            call()
    assert "closed" in repr(a) and "closed" in repr(c) and "closed" in repr(job)
    assert "closed" in a._repr_html_() and "closed" in c._repr_html_()


def test_an_array_of_another_job():
    with tsubu.job(pes=1) as first:
        a = first.arange(4)
    with tsubu.job(pes=1) as second:
        with pytest.raises(ValueError, match="the two arrays are of different jobs"):
            second.arange(4) + a


def test_a_selection_with_a_bad_index_is_nobody_elses_trouble(names):
    a = names["job"].arange(4)
    bad = a[[1, 4]]
    a[0] = 7
    for _ in range(2):
        with pytest.raises(IndexError, match="index 4 is out of range"):
            bad.to_numpy()
    assert a.sum() == 13
