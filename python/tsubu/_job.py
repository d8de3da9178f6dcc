"""Jobs: PEs beside the interpreter, and what is made on them."""

from __future__ import annotations

import atexit
import os
import weakref
from collections.abc import Sequence
from types import TracebackType

import numpy as np
import numpy.typing as npt

from . import _native, _values
from ._array import Array
from ._counter import Counter
from ._native import ClosedJobError, JobError
from ._values import TooLargeError

__all__ = ["ClosedJobError", "Job", "JobError", "TooLargeError", "job"]

_open_jobs: weakref.WeakSet[Job] = weakref.WeakSet()


def _words_on_threads(pes: int | None, options: Sequence[str]) -> list[str]:
    words = list(options)
    if pes is not None:
        words.append(f"--tsubu-pes={pes}")
    # The cores are not this process's alone: other notebooks would sit on the same ones.
    if "TSUBU_BIND" not in os.environ and not any(word.startswith("--tsubu-bind") for word in words):
        words.append("--tsubu-bind=off")
    return words


class Job:
    """PEs, and what they keep, until the job is closed. One at a time in a process.

    They are threads of this process, or, under mpirun, the ranks that it has started.

    Use it in a ``with`` statement, or call ``close()``. Any Python thread may use it; they take turns.
    """

    def __init__(
        self, pes: int | None = None, *, gather_limit: int | str = "1 GiB", options: Sequence[str] = ()
    ) -> None:
        """Start the PEs.

        pes: how many; by default one for each core that this process may use. Under mpirun as many as it has started.
        gather_limit: the most bytes that are brought to Python at a time, as a number or as "2 GiB".
        options: Tsubu's own, such as "--tsubu-stats"; TSUBU_ variables hold, too. Under mpirun only these do.

        Raises JobError where an option is wrong, a job is open already, or mpirun has started another number of ranks.
        """
        self.gather_limit = _values.bytes_of(gather_limit)
        if pes is not None:
            pes = _values.at_least(1, pes, "pes")
        self._native = _native.Job(list(options) if _native.ranks_are_used() else _words_on_threads(pes, options))
        if pes is not None and pes != self.pes:
            has = self.pes
            self._native.close()
            raise JobError(f"pes={pes} is asked for, but the PEs are those that mpirun has started, {has}: leave pes out")
        _open_jobs.add(self)

    @property
    def pes(self) -> int:
        """How many PEs the job has."""
        return self._native.pes

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be asked of it any more: it was closed, or something has ended it."""
        return self._native.is_closed

    def close(self) -> None:
        """End the PEs, and give back all that they have. May be called again."""
        self._native.close()
        _open_jobs.discard(self)

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def array(self, values: npt.ArrayLike) -> Array:
        """A copy of one-dimensional values, in blocks of equal length on the PEs.

        Integers become int64, floating-point numbers float64; what would lose something by that raises TypeError.
        """
        return Array._of_values(self, _values.of_array(values, "the values of an array"))

    def zeros(self, n: int, dtype: npt.DTypeLike = np.float64) -> Array:
        """An array of n zeros, int64 or float64."""
        return self.full(n, 0, dtype)

    def full(self, n: int, value: float, dtype: npt.DTypeLike | None = None) -> Array:
        """An array of n times the same value; of the value's type, if no other is given."""
        n = _values.at_least(0, n, "n")
        one = _values.scalar(value, _values.kept_type(dtype) if dtype is not None else None)
        return Array._make(self, n, one.reshape(1))

    def arange(self, n: int) -> Array:
        """An array of the integers 0 to n - 1."""
        return self.array(np.arange(_values.at_least(0, n, "n"), dtype=np.int64))

    def counter(self) -> Counter:
        """A counter of integer keys, which is empty."""
        return Counter(self)

    def groupby_sum(self, keys: npt.ArrayLike, values: npt.ArrayLike) -> tuple[npt.NDArray, npt.NDArray]:
        """The keys there are, in their order, and for each the sum of the values that stand beside it.

        Sums of integers wrap around; the last bits of floating-point ones may differ from call to call. Raises
        TooLargeError where there are so many keys that they would not be brought to Python.
        """
        keys = _values.of_keys(keys)
        values = _values.of_array(values, "the values of a group-by")
        if len(keys) != len(values):
            raise ValueError(f"{len(keys)} keys and {len(values)} values do not fit each other")
        id, size = getattr(self._native, f"sum_by_key_{values.dtype}")(keys, values)
        try:
            self._check_size(16 * size, f"the sums of {size} keys")
            found, sums = np.empty(size, np.int64), np.empty(size, values.dtype)
            getattr(self._native, f"read_sums_{values.dtype}")(id, found, sums)
        finally:
            self._native.drop_later(id)
        order = np.argsort(found)
        return found[order], sums[order]

    def _check_size(self, size: int, what: str) -> None:
        if size > self.gather_limit:
            raise TooLargeError(
                f"{what} take {_values.text_of_bytes(size)}, and this job brings at most "
                f"{_values.text_of_bytes(self.gather_limit)} to Python: set gather_limit, or ask for less"
            )

    def __repr__(self) -> str:
        return f"<tsubu.Job of {self.pes} PEs{', closed' if self.is_closed else ''}>"


def job(pes: int | None = None, *, gather_limit: int | str = "1 GiB", options: Sequence[str] = ()) -> Job:
    """Start a job, as Job does: ``with tsubu.job(pes=4) as job: ...``."""
    return Job(pes, gather_limit=gather_limit, options=options)


@atexit.register
def _close_all() -> None:
    for each in list(_open_jobs):
        each.close()
