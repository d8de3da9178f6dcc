"""What Python gives, as int64 and float64 arrays: nothing is changed silently, and what does not fit is said."""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np
import numpy.typing as npt

KEPT = (np.dtype(np.int64), np.dtype(np.float64))


class TooLargeError(MemoryError):
    """What was asked for would bring more bytes to Python than the job's gather_limit."""


def kept_type(dtype: npt.DTypeLike) -> np.dtype:
    """int64 or float64, by any of their names; TypeError for others."""
    asked = np.dtype(dtype)
    if asked not in KEPT:
        raise TypeError(f"arrays are of int64 or float64, not {asked}")
    return asked


def _widened(values: npt.NDArray, what: str) -> npt.NDArray:
    """The same values as int64 or float64, if none of them can lose anything."""
    if values.dtype.kind in "iu" and np.can_cast(values.dtype, np.int64):
        return values.astype(np.int64, copy=False)
    if values.dtype.kind == "f" and np.can_cast(values.dtype, np.float64):
        return values.astype(np.float64, copy=False)
    raise TypeError(f"{what} are of int64 or float64, and {values.dtype} does not fit: convert them by astype()")


def _row(values: npt.NDArray, what: str) -> npt.NDArray:
    if values.ndim != 1:
        raise ValueError(f"{what} have one dimension, and these have {values.ndim}")
    return np.ascontiguousarray(values)


def of_array(values: npt.ArrayLike, what: str) -> npt.NDArray:
    """One-dimensional values as they are kept."""
    return _row(_widened(np.asarray(values), what), what)


def of_keys(keys: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """One-dimensional keys."""
    given = np.asarray(keys)
    if given.size == 0 and not isinstance(keys, np.ndarray):
        given = given.astype(np.int64)
    if given.dtype.kind not in "iu" or not np.can_cast(given.dtype, np.int64):
        raise TypeError(f"keys are integers that fit int64, and these are of {given.dtype}")
    return _row(given.astype(np.int64, copy=False), "keys")


def of_indices(indices: Any, n: int) -> npt.NDArray[np.int64]:
    """Indices of any shape, a mask of n among them, as NumPy takes them. Whether they are in range is not asked."""
    if isinstance(indices, tuple):
        raise IndexError(f"an array has one dimension, and {len(indices)} are asked for: a[[1, 2]] are two elements")
    given = np.asarray(indices)
    if given.size == 0 and not isinstance(indices, np.ndarray):
        given = given.astype(np.int64)
    if given.dtype == np.bool_:
        if given.shape != (n,):
            raise IndexError(f"a mask of shape {given.shape} is used for an array of {n} elements")
        return np.flatnonzero(given).astype(np.int64, copy=False)
    if given.dtype.kind not in "iu" or not np.can_cast(given.dtype, np.int64):
        raise IndexError(f"indices are integers that fit int64, or a mask, and these are of {given.dtype}")
    return np.ascontiguousarray(given, np.int64)


def scalar(value: Any, dtype: np.dtype | None = None) -> npt.NDArray:
    """One number, as an array without dimensions; of that type, if one is given."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError(f"{value} does not fit int64")
    given = np.asarray(value)
    if given.ndim != 0 or given.dtype.kind not in "iuf":
        raise TypeError(f"a number is needed, not {type(value).__name__}")
    return fitting(given, dtype) if dtype is not None else _widened(given, "numbers")


def fitting(values: npt.NDArray, dtype: np.dtype) -> npt.NDArray:
    """Values for an array of that type. Floating-point numbers do not go into one of integers."""
    wide = _widened(values, "values")
    if wide.dtype == np.float64 and dtype == np.int64:
        raise TypeError("floating-point values do not fit an array of int64: convert them by astype()")
    return wide.astype(dtype, copy=False)


def for_places(values: Any, dtype: np.dtype, shape: tuple[int, ...]) -> npt.NDArray:
    """Values for so many places: one for each, or a single one for all, as a row."""
    given = fitting(np.asarray(values), dtype)
    if given.size == 1 and given.ndim <= len(shape):
        return np.ascontiguousarray(given).reshape(1)
    if given.shape != shape:
        raise ValueError(f"values of shape {given.shape} do not fit places of shape {shape}")
    return np.ascontiguousarray(given).reshape(-1)


def at_least(least: int, number: Any, name: str) -> int:
    """An integer that is not below `least`."""
    try:
        found = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} is an integer, not {type(number).__name__}") from None
    if isinstance(number, bool) or found < least:
        raise ValueError(f"{name} is {number}, and is at least {least}")
    return found


_UNITS = {"": 1, "B": 1, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


def bytes_of(size: int | str) -> int:
    """A number of bytes, which may be a text as "1.5 GiB"."""
    if not isinstance(size, str):
        return at_least(0, size, "gather_limit")
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", size)
    if match is None or match[2].upper() not in _UNITS:
        raise ValueError(f"{size!r} is no number of bytes: write 1000000, '500 MiB' or '2 GiB'")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def text_of_bytes(size: int) -> str:
    """As "1.5 GiB"."""
    for unit, factor in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"
