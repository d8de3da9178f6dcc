"""Arrays that are spread over the PEs of a job."""

from __future__ import annotations

import html
import operator
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _values

if TYPE_CHECKING:
    from ._job import Job

_ADD, _SUBTRACT, _MULTIPLY = range(3)  # as enum arithmetic of native/arrays.hpp
_SUM, _MIN, _MAX = range(3)  # as enum reduction there
_SHOWN = 3  # elements at either end


class Array:
    """A one-dimensional array of int64 or float64. PE 0 has its first block, PE 1 the next, all of equal length.

    ``a[i]`` and ``a[2:10]`` are NumPy values. ``a[indices]`` are those elements, gathered when they are looked at;
    ``a[indices] = v`` assigns them, of equal indices the last one, and ``a[indices] += v`` adds for each index, as
    ``np.add.at`` does, and ``-=`` subtracts. Made by a Job.
    """

    # NumPy's arrays leave operators to this class.
    __array_ufunc__ = None
    __iter__ = None
    __contains__ = None

    def __init__(self) -> None:
        raise TypeError("an Array is made by a Job: job.array(values), job.zeros(n)")

    _job: Job
    _id: int
    _n: int
    _dtype: np.dtype
    _selections: dict[int, weakref.ref[Selection]]  # that nobody has looked at

    @classmethod
    def _known(cls, job: Job, id: int, n: int, dtype: np.dtype) -> Array:
        made = object.__new__(cls)
        made._job, made._id, made._n, made._dtype = job, id, n, dtype
        made._selections = {}
        weakref.finalize(made, job._native.drop_later, id).atexit = False
        return made

    @classmethod
    def _make(cls, job: Job, n: int, values: npt.NDArray) -> Array:
        """From n values, or from one for all."""
        return cls._known(job, getattr(job._native, f"make_{values.dtype}")(n, values), n, values.dtype)

    @classmethod
    def _of_values(cls, job: Job, values: npt.NDArray) -> Array:
        return cls._make(job, len(values), values)

    @property
    def job(self) -> Job:
        """The job that has it."""
        return self._job

    @property
    def dtype(self) -> np.dtype:
        """int64 or float64."""
        return self._dtype

    @property
    def shape(self) -> tuple[int]:
        """(len(a),), as NumPy has it."""
        return (self._n,)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return self._n

    @property
    def nbytes(self) -> int:
        """How many bytes its elements take, on all PEs together."""
        return self._n * self._dtype.itemsize

    def __len__(self) -> int:
        return self._n

    def __bool__(self) -> bool:
        raise ValueError("an array is neither true nor false: ask for len(a), or for what it holds")

    # ---- elements

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            first, step, count, backwards = self._places(key)
            self._job._check_size(count * self._dtype.itemsize, f"{count} elements")
            values = self._read(first, step, count)
            return values[::-1] if backwards else values
        if _is_index(key):
            return self._read(self._place(key), 1, 1)[0]
        return Selection(self, key)

    def __setitem__(self, key: Any, values: Any) -> None:
        if isinstance(values, Selection) and values._adds_to(self, key):
            self._before_change(but=values)
            self._scatter(values._indices, values._added, adds=True)
            values._spend()
            return
        if isinstance(values, (Array, Selection)):
            values = values.to_numpy()
        if isinstance(key, slice):
            first, step, count, backwards = self._places(key)
            row = _values.for_places(values, self._dtype, (count,))
            self._write(first, step, count, row[::-1] if backwards else row)
        elif _is_index(key):
            self._write(self._place(key), 1, 1, _values.for_places(values, self._dtype, ()))
        else:
            indices = _values.of_indices(key, self._n)
            self._before_change()
            self._scatter(indices, values, adds=False)

    def add_at(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Add values[k], or a single value, to element indices[k], for each k: ``np.add.at(a, indices, values)``.

        The same as ``a[indices] += values``, without a copy of the indices. Floating-point sums have the same bits as
        NumPy's, on any number of PEs.
        """
        checked = _values.of_indices(indices, self._n)
        self._before_change()
        self._scatter(checked, values, adds=True)

    def to_numpy(self) -> npt.NDArray:
        """All elements. Raises TooLargeError where they take more than the job's gather_limit."""
        return self[:]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray:
        if copy is False:
            raise ValueError("the elements are on the PEs, and only a copy of them can be had")
        return self.to_numpy().astype(dtype if dtype is not None else self._dtype, copy=False)

    # ---- all elements

    def sum(self) -> int | float:
        """The sum; of integers it wraps around. 0 of no elements."""
        return self._reduce(_SUM)

    def min(self) -> int | float:
        """The least element; NaN if one is. Raises ValueError if there is none."""
        return self._reduce(_MIN, "least")

    def max(self) -> int | float:
        """The greatest element; NaN if one is. Raises ValueError if there is none."""
        return self._reduce(_MAX, "greatest")

    def copy(self) -> Array:
        """Another array of the same elements."""
        return self + self._dtype.type(0) if self._dtype == np.int64 else self * 1.0

    # ---- element by element

    def __add__(self, other: Any) -> Array:
        return self._combine(other, _ADD)

    def __radd__(self, other: Any) -> Array:
        return self._combine(other, _ADD, reflected=True)

    def __sub__(self, other: Any) -> Array:
        return self._combine(other, _SUBTRACT)

    def __rsub__(self, other: Any) -> Array:
        return self._combine(other, _SUBTRACT, reflected=True)

    def __mul__(self, other: Any) -> Array:
        return self._combine(other, _MULTIPLY)

    def __rmul__(self, other: Any) -> Array:
        return self._combine(other, _MULTIPLY, reflected=True)

    def __neg__(self) -> Array:
        return self._combine(-1, _MULTIPLY)

    def __eq__(self, other: object) -> Any:
        raise TypeError("arrays are not compared yet: compare a.to_numpy()")

    def __ne__(self, other: object) -> Any:
        raise TypeError("arrays are not compared yet: compare a.to_numpy()")

    __hash__ = object.__hash__

    # ---- how it looks

    def __repr__(self) -> str:
        if self._job.is_closed:
            return f"<tsubu.Array of {self._n} {self._dtype}, of a closed job>"
        return f"<tsubu.Array of {self._n} {self._dtype} on {self._job.pes} PEs: {self._shown()}>"

    def _shown(self) -> str:
        if self._n <= 2 * _SHOWN:
            return str(self[:])
        return f"{str(self[:_SHOWN])[:-1]} ... {str(self[-_SHOWN:])[1:]}"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{pe}</td><td>{first}</td><td>{last}</td><td>{_values.text_of_bytes(8 * (last - first))}</td></tr>"
            for pe, first, last in self._blocks()
        )
        head = "<tr><th>PE</th><th>from</th><th>up to, without</th><th>size</th></tr>"
        return f"<div><code>{html.escape(repr(self))}</code><table>{head}{rows}</table></div>"

    def _blocks(self) -> list[tuple[int, int, int]]:
        """PE by PE the first of its elements, and the one behind the last: as class blocks of native/kept.hpp."""
        pes = self._job.pes
        length = max((self._n + pes - 1) // pes, 1)
        return [(pe, min(self._n, pe * length), min(self._n, (pe + 1) * length)) for pe in range(pes)]

    # ---- asked of the PEs

    def _call(self, what: str, *arguments: Any) -> Any:
        return getattr(self._job._native, f"{what}_{self._dtype}")(*arguments)

    def _read(self, first: int, step: int, count: int) -> npt.NDArray:
        values = np.empty(count, self._dtype)
        self._call("read_slice", self._id, first, step, values)
        return values

    def _write(self, first: int, step: int, count: int, values: npt.NDArray) -> None:
        self._before_change()
        self._call("write_slice", self._id, first, step, count, np.ascontiguousarray(values))

    def _gather(self, indices: npt.NDArray[np.int64]) -> npt.NDArray:
        values = np.empty(indices.size, self._dtype)
        self._check(indices, self._call("gather", self._id, self._n, indices.reshape(-1), values))
        return values.reshape(indices.shape)

    def _scatter(self, indices: npt.NDArray[np.int64], values: Any, *, adds: bool) -> None:
        row = _values.for_places(values, self._dtype, indices.shape)
        self._check(indices, self._call("scatter", self._id, self._n, indices.reshape(-1), row, adds))

    def _check(self, indices: npt.NDArray[np.int64], wrong: int | None) -> None:
        if wrong is not None:
            raise IndexError(f"index {indices.reshape(-1)[wrong]} is out of range for an array of {self._n} elements")

    def _reduce(self, how: int, name: str = "") -> int | float:
        if name and self._n == 0:
            raise ValueError(f"an array without elements has no {name} one")
        return self._call("reduce", self._id, how)

    def _before_change(self, but: Selection | None = None) -> None:
        """What was selected before is what was there then."""
        for each in list(self._selections.values()):
            selection = each()
            if selection is not None and selection is not but:
                selection._settle()

    # ---- arguments

    def _places(self, key: slice) -> tuple[int, int, int, bool]:
        """The first, the step and the number of places, forwards, and whether they are asked for backwards."""
        start, stop, step = key.indices(self._n)
        count = len(range(start, stop, step))
        return (start, step, count, False) if step > 0 else (start + (count - 1) * step if count else 0, -step, count, True)

    def _place(self, key: Any) -> int:
        index = operator.index(key)
        if not -self._n <= index < self._n:
            raise IndexError(f"index {index} is out of range for an array of {self._n} elements")
        return index + self._n if index < 0 else index

    def _combine(self, other: Any, how: int, *, reflected: bool = False) -> Array:
        if isinstance(other, Selection):
            other = other.to_numpy()
        if isinstance(other, np.ndarray) and other.ndim != 0:
            self._fit(len(other) if other.ndim == 1 else other.shape)
            other = self._job.array(other)
        if isinstance(other, Array):
            if other._job is not self._job:
                raise ValueError("the two arrays are of different jobs")
            self._fit(other._n)
        else:
            other = _values.scalar(other)
        mine: Array = self
        if mine.dtype != other.dtype:
            mine, other = mine._floating(), other._floating() if isinstance(other, Array) else other.astype(np.float64)
        operands = [(mine._id, 0), (other._id, 0) if isinstance(other, Array) else (0, other.item())]
        if reflected:
            operands.reverse()
        id = mine._call("combine", self._n, *operands[0], *operands[1], how)
        return Array._known(self._job, id, self._n, mine.dtype)

    def _fit(self, n: int | tuple[int, ...]) -> None:
        if n != self._n:
            raise ValueError(f"an array of {self._n} elements and one of {n} do not fit each other")

    def _floating(self) -> Array:
        if self._dtype == np.float64:
            return self
        return Array._known(self._job, self._job._native.as_floating(self._n, self._id), self._n, np.dtype(np.float64))


class Selection(np.lib.mixins.NDArrayOperatorsMixin):
    """What ``a[indices]`` gives: a copy of those elements, which is gathered when it is first looked at, or before the
    array changes. NumPy's functions and operators take it as the array that ``to_numpy()`` gives.
    """

    def __init__(self, array: Array, key: Any) -> None:
        self._array, self._key, self._added = array, key, None
        given = _values.of_indices(key, len(array))
        # The caller may change what it has given.
        self._indices = given.copy() if isinstance(key, np.ndarray) and np.may_share_memory(given, key) else given
        self._found: npt.NDArray | None = None
        self._error: IndexError | None = None
        self._wait()

    def to_numpy(self) -> npt.NDArray:
        """The elements, in the shape of the indices. Raises IndexError where an index is out of range."""
        if self._error is not None:
            raise self._error
        if self._found is None:
            found = self._array._gather(self._indices)
            self._keep(found if self._added is None else found + self._added)
        return self._found

    def _settle(self) -> None:
        """The array changes next. An index that is out of range is told to who looks."""
        try:
            self.to_numpy()
        except IndexError as error:
            self._error = error
            self._wait_no_more()

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the indices."""
        return self._indices.shape if self._found is None else self._found.shape

    @property
    def dtype(self) -> np.dtype:
        """That of the array; of a sum, of what is added, too."""
        return self._array.dtype if self._found is None and self._added is None else self.to_numpy().dtype

    def __len__(self) -> int:
        return len(self.to_numpy()) if self._found is not None else len(self._indices)

    def __iter__(self) -> Any:
        return iter(self.to_numpy())

    def __getitem__(self, key: Any) -> Any:
        return self.to_numpy()[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.to_numpy(), name)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray:
        return np.array(self.to_numpy(), dtype, copy=True if copy is None else copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **how: Any) -> Any:
        if out is not None and not any(isinstance(each, Selection) for each in out):
            how["out"] = out
        plain = [each.to_numpy() if isinstance(each, Selection) else each for each in inputs]
        return getattr(ufunc, method)(*plain, **how)

    def __iadd__(self, values: Any) -> Any:
        """As a value it is the sum; assigned to where it was selected, which ``a[indices] += values`` does, it adds."""
        if self._found is not None or self._added is not None:
            return self.to_numpy() + values
        self._added = values.to_numpy() if isinstance(values, (Array, Selection)) else values
        return self

    def __isub__(self, values: Any) -> Any:
        plain = values.to_numpy() if isinstance(values, (Array, Selection)) else np.asarray(values)
        if self._found is not None or self._added is not None:
            return self.to_numpy() - plain
        return self.__iadd__(-_values.fitting(plain, self._array.dtype))

    def __repr__(self) -> str:
        return f"<tsubu.Selection: {self.to_numpy()!r}>"

    def _adds_to(self, array: Array, key: Any) -> bool:
        return self._added is not None and self._found is None and self._array is array and self._key is key

    def _keep(self, found: npt.NDArray) -> None:
        self._found, self._indices, self._key, self._added = found, None, None, None
        self._wait_no_more()

    def _wait(self) -> None:
        """To be looked at, which the array asks for before it changes."""
        waiting, number = self._array._selections, id(self)
        waiting[number] = weakref.ref(self, lambda _: waiting.pop(number, None))

    def _wait_no_more(self) -> None:
        self._array._selections.pop(id(self), None)

    def _spend(self) -> None:
        """What was added is in the array now, and is what this is, too."""
        self._added = None


def _is_index(key: Any) -> bool:
    """A single index, as NumPy has it: no mask, and no array of one."""
    return isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_))
