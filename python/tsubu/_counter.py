"""Counters of keys that are spread over the PEs of a job."""

from __future__ import annotations

import html
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _values

if TYPE_CHECKING:
    from ._job import Job

_KEY_AND_COUNT = 16  # bytes


class Counter:
    """How often each integer key came. Each key has a home among the PEs, by its hash, which counts it.

    Made by ``job.counter()``.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._id = job._native.make_counter()
        weakref.finalize(self, job._native.drop_later, self._id).atexit = False

    @property
    def job(self) -> Job:
        """The job that has it."""
        return self._job

    def add(self, keys: npt.ArrayLike, times: npt.ArrayLike = 1) -> None:
        """Each key came once more, or times[k] more, or so often all; that may be negative."""
        given = _values.of_keys(keys)
        self._job._native.count_keys(self._id, given, _values.for_places(times, np.dtype(np.int64), given.shape))

    def top(self, k: int = 10) -> list[tuple[int, int]]:
        """The k keys that came most often with their counts, most frequent first; of equal ones the least key first."""
        k = _values.at_least(0, k, "k")
        most = min(k, len(self)) if k * _KEY_AND_COUNT > self._job.gather_limit else k
        self._job._check_size(most * _KEY_AND_COUNT, f"{most} keys with their counts")
        return self._top(most)[0]

    def __getitem__(self, keys: Any) -> Any:
        """How often a key came, or each of several; 0 of those that did not."""
        single = np.ndim(keys) == 0
        given = _values.of_keys([keys] if single else keys)
        counts = np.empty(len(given), np.int64)
        self._job._native.read_counts(self._id, given, counts)
        return int(counts[0]) if single else counts

    def total(self) -> int:
        """How often any key came."""
        return self._top(0)[1]

    def __len__(self) -> int:
        """How many keys there are."""
        return self._top(0)[2]

    def __bool__(self) -> bool:
        return len(self) != 0

    __iter__ = None

    def _top(self, k: int) -> tuple[list[tuple[int, int]], int, int]:
        return self._job._native.top_keys(self._id, k)

    def __repr__(self) -> str:
        if self._job.is_closed:
            return "<tsubu.Counter of a closed job>"
        best, total, size = self._top(3)
        shown = ", ".join(f"{key}: {count}" for key, count in best) + (", ..." if size > len(best) else "")
        return f"<tsubu.Counter of {size} keys, {total} in all, on {self._job.pes} PEs: {{{shown}}}>"

    def _repr_html_(self) -> str:
        rows = "" if self._job.is_closed else "".join(
            f"<tr><td>{key}</td><td>{count}</td></tr>" for key, count in self.top(10)
        )
        return f"<div><code>{html.escape(repr(self))}</code><table><tr><th>key</th><th>count</th></tr>{rows}</table></div>"
