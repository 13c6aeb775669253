"""Arrays of any layout become tensors with the right numbers, or are refused: no layout ends the process or reads other memory."""

from __future__ import annotations

import ctypes
import warnings

import numpy
import pytest

import tritonflow as flow
from tritonflow.device import dlpack

BASE = numpy.arange(24.0).reshape(2, 3, 4)
RECORD = numpy.zeros(4, dtype=[("a", "i1"), ("b", "f8")])
RECORD["b"] = [1, 2, 3, 4]

ARRAYS = {
    "transposed": lambda: BASE.T,
    "steps": lambda: BASE[:, ::2, 1::2],
    "reversed": lambda: BASE[::-1],
    "all reversed": lambda: BASE[::-1, ::-1, ::-1],
    "a dimension of 1 reversed": lambda: numpy.zeros((1, 4, 3))[::-1, ::2],
    "empty reversed": lambda: numpy.zeros((0, 3))[:, ::-1],
    "expanded": lambda: numpy.broadcast_to(numpy.arange(3.0), (2, 3)),
    "overlapping": lambda: numpy.lib.stride_tricks.sliding_window_view(numpy.arange(6.0), 3),
    "read-only": lambda: numpy.frombuffer(BASE.tobytes()),
    "big endian": lambda: BASE.astype(">f8"),
    "big endian integers": lambda: numpy.arange(5).astype(">i4"),
    "complex reversed": lambda: (BASE + 1j)[::-1],
    "int8 steps back": lambda: numpy.arange(6, dtype=numpy.int8)[::-2],
    "no dimension": lambda: numpy.array(3.0),
    "field of records": lambda: RECORD["b"],
    "unaligned": lambda: numpy.frombuffer(bytearray(range(64)), dtype=numpy.uint8)[1:33].view(numpy.int32),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("make", [flow.tensor, flow.from_numpy, flow.as_tensor, flow.asarray, flow.from_dlpack])
def test_right_numbers_or_an_error(make, name):
    array = ARRAYS[name]()
    try:
        x = make(array)
    except (ValueError, BufferError) as error:
        assert make is not flow.tensor, error  # which copies, and so takes all of them
        assert any(word in str(error) for word in ("stride", "byte order"))
        return
    assert tuple(x.shape) == array.shape and x.tolist() == array.tolist()


def test_memory_that_cannot_be_written_is_copied():
    text = b"12345678"
    array = numpy.frombuffer(text, dtype=numpy.int8)
    flow.from_dlpack(array).zero_()
    assert text == b"12345678"
    with pytest.raises(ValueError, match="cannot be written"):
        flow.from_dlpack(array, copy=False)


def test_capsules_are_looked_at():
    assert flow.from_dlpack(BASE.T.__dlpack__()).tolist() == BASE.T.tolist()
    for options in ({}, {"max_version": (1, 0)}):
        with pytest.raises(ValueError, match="negative strides"):
            flow.from_dlpack(BASE[::-1].__dlpack__(**options))
    used = BASE.__dlpack__()
    flow.from_dlpack(used)
    with pytest.raises(RuntimeError):
        flow.from_dlpack(used)
    with pytest.raises((TypeError, RuntimeError)):
        flow.from_dlpack(3)


def test_strides_that_reach_beyond_all_memory():
    far = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (2, 2), (8 << 50, 8 << 50))
    capsule = far.__dlpack__()
    tensor = dlpack._DLTensor.from_address(dlpack._pointer_of(capsule, b"dltensor"))
    ctypes.cast(tensor.strides, ctypes.POINTER(ctypes.c_int64))[0] = 1 << 61
    with pytest.raises(ValueError, match="no memory has elements"):
        flow.from_dlpack(capsule)


def test_complex_numbers_are_no_float32():
    with pytest.raises(TypeError, match="must be real numbers"):
        flow.Tensor(numpy.ones(2) + 1j)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert flow.tensor(numpy.ones(2) + 1j, dtype=flow.float32).tolist() == [1, 1]  # which says so
