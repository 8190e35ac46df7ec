"""TensorFlow's numbers of data types, as numpy knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

STRING = 7

_NUMPY: dict[int, np.dtype[Any]] = {
    1: np.dtype(np.float32),
    2: np.dtype(np.float64),
    3: np.dtype(np.int32),
    4: np.dtype(np.uint8),
    5: np.dtype(np.int16),
    6: np.dtype(np.int8),
    8: np.dtype(np.complex64),
    9: np.dtype(np.int64),
    10: np.dtype(np.bool_),
    11: np.dtype(np.int8),
    12: np.dtype(np.uint8),
    13: np.dtype(np.int32),
    15: np.dtype(np.int16),
    16: np.dtype(np.uint16),
    17: np.dtype(np.uint16),
    18: np.dtype(np.complex128),
    19: np.dtype(np.float16),
    22: np.dtype(np.uint32),
    23: np.dtype(np.uint64),
}

_ML_DTYPES = {14: "bfloat16", 24: "float8_e5m2", 25: "float8_e4m3fn", 29: "int4", 30: "uint4"}


def numpy_type(number: int) -> np.dtype[Any]:
    """The numpy type of TensorFlow's number; quantised integers are the integers that they are stored as."""
    known = _NUMPY.get(number)
    if known is None:
        import ml_dtypes

        known = np.dtype(getattr(ml_dtypes, _ML_DTYPES[number]))
        _NUMPY[number] = known
    return known


def strings(raw: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """An array of ``bytes`` objects: int64 offsets, one more than strings, and then the bytes."""
    count = 1
    for dimension in shape:
        count *= dimension
    head = (count + 1) * 8
    offsets = raw[:head].view(np.int64).tolist()
    text = raw[head:].tobytes()
    values = np.empty(count, object)
    for index in range(count):
        values[index] = text[offsets[index] : offsets[index + 1]]
    return values.reshape(shape)
