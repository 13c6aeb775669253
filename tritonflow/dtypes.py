"""Data types and the rules of type promotion, which are torch's.

A dtype has a *category* (bool < integer < floating < complex). The result of an op has the highest category among its operands;
within it, tensors with dimensions decide before zero-dim tensors, and those before Python scalars.

Source: https://pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log10
from typing import Any

import numpy

from tritonflow.errors import DTypeError

BOOL, INTEGER, FLOATING, COMPLEX = 0, 1, 2, 3


class DType:
    """A data type of tensors.

    Example:
        >>> import tritonflow as flow
        >>> flow.float16.itemsize, flow.float16.is_floating_point
        (2, True)
    """

    __slots__ = (
        "name", "itemsize", "category", "is_floating_point", "is_signed", "triton", "rank", "compute", "is_storage", "has_numpy",
        "is_barebones", "is_complex", "has_gradient", "_counterpart",
    )  # fmt: skip

    def __init__(self, name: str, triton: str, itemsize: int, category: int, rank: int) -> None:
        self.name = name
        self.itemsize = itemsize
        self.category = category
        self.is_floating_point = category == FLOATING
        self.is_complex = category == COMPLEX
        self.has_gradient = category >= FLOATING
        self.is_signed = category >= FLOATING or name.startswith("int")
        self.triton = triton
        self.rank = rank
        self.compute: DType = self
        self.is_storage = name.startswith("float8")  # whether ops move and cast its elements only
        self.is_barebones = name in ("uint16", "uint32", "uint64")  # torch's word: few ops take them
        self.has_numpy = name not in ("bfloat16", "complex32") and not self.is_storage
        self._counterpart: DType | None = None  # the real dtype of a complex one, and the other way round

    @property
    def numpy(self) -> numpy.dtype[Any]:
        """The NumPy dtype of the same layout; bfloat16 and the float8 dtypes have none."""
        if not self.has_numpy:
            raise TypeError(f"numpy has no dtype for {self}: convert the tensor with .float() first")
        return numpy.dtype(self.name)

    def to_real(self) -> DType:
        """The dtype of the real and imaginary parts of a complex dtype; others are their own.

        Example:
            >>> import tritonflow as flow
            >>> flow.complex64.to_real()
            tritonflow.float32
        """
        return self._counterpart if self.is_complex and self._counterpart is not None else self

    def to_complex(self) -> DType:
        """The complex dtype whose parts have a floating dtype; that of bfloat16 is complex64, as torch's.

        Raises:
            RuntimeError: a dtype of whole numbers, or float8.

        Example:
            >>> import tritonflow as flow
            >>> flow.float64.to_complex()
            tritonflow.complex128
        """
        if self.is_complex:
            return self
        if self._counterpart is None:
            raise DTypeError(f"Expected a floating-point or complex dtype, but got {self}")
        return self._counterpart

    def __repr__(self) -> str:
        return f"tritonflow.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (from_name, (self.name,))

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: Any) -> DType:
        return self


bool_ = DType("bool", "i1", 1, BOOL, 0)
uint8 = DType("uint8", "u8", 1, INTEGER, 1)
int8 = DType("int8", "i8", 1, INTEGER, 1)
int16 = DType("int16", "i16", 2, INTEGER, 2)
int32 = DType("int32", "i32", 4, INTEGER, 3)
int64 = DType("int64", "i64", 8, INTEGER, 4)
uint16 = DType("uint16", "u16", 2, INTEGER, 2)
uint32 = DType("uint32", "u32", 4, INTEGER, 3)
uint64 = DType("uint64", "u64", 8, INTEGER, 4)
float16 = DType("float16", "fp16", 2, FLOATING, 1)
bfloat16 = DType("bfloat16", "bf16", 2, FLOATING, 1)
float32 = DType("float32", "fp32", 4, FLOATING, 2)
float64 = DType("float64", "fp64", 8, FLOATING, 3)

# Kernels compute half types in float32 (docs/design/promises_and_tests.md, promise 5).
float16.compute = bfloat16.compute = float32

# Storage dtypes: ops move their elements, as bytes, and cast them; `scaled_mm` multiplies them.
float8_e4m3fn = DType("float8_e4m3fn", "u8", 1, FLOATING, 0)
float8_e5m2 = DType("float8_e5m2", "u8", 1, FLOATING, 0)
float8_e4m3fn.compute = float8_e5m2.compute = uint8

# Complex dtypes: pairs of a real and an imaginary part. Kernels see the parts, and point to them (docs/design/complex_numbers.md).
complex32 = DType("complex32", "fp16", 4, COMPLEX, 1)
complex64 = DType("complex64", "fp32", 8, COMPLEX, 2)
complex128 = DType("complex128", "fp64", 16, COMPLEX, 3)
for _parts, _pairs in ((float16, complex32), (float32, complex64), (float64, complex128)):
    _parts._counterpart, _pairs._counterpart = _pairs, _parts
bfloat16._counterpart = complex64

ALL = (bool_, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64)
BAREBONES = (uint16, uint32, uint64)  # ops that take them are marked in the registry
STORAGE = (float8_e4m3fn, float8_e5m2)
COMPLEX_DTYPES = (complex32, complex64, complex128)
_BY_NAME = {d.name: d for d in ALL + BAREBONES + STORAGE + COMPLEX_DTYPES} | {
    "half": float16, "float": float32, "double": float64, "int": int32, "long": int64, "chalf": complex32, "cfloat": complex64,
    "cdouble": complex128,
}  # fmt: skip
_BY_NUMPY = {d.numpy: d for d in ALL + BAREBONES + COMPLEX_DTYPES if d.has_numpy}
_TORCH_NAMES = {
    "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
    "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "float16": "Half",
    "bfloat16": "BFloat16", "float32": "Float", "float64": "Double", "float8_e4m3fn": "Float8_e4m3fn", "float8_e5m2": "Float8_e5m2",
    "complex32": "ComplexHalf", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
}  # fmt: skip
# Bits of the fraction, the largest exponent, and how many of the largest numbers are none.
_FLOATS = {
    "float16": (10, 15, 0), "bfloat16": (7, 127, 0), "float32": (23, 127, 0), "float64": (52, 1023, 0),
    "float8_e4m3fn": (3, 8, 1), "float8_e5m2": (2, 15, 0),
}  # fmt: skip
_default = float32


def from_name(name: str) -> DType:
    """The dtype called `name`, such as "float32"."""
    return _BY_NAME[name]


def from_python(kind: Any) -> Any:
    """The dtype that one of Python's types stands for, as in torch: float64 for float; anything else as it is."""
    return _PYTHON_TYPES.get(kind, kind) if isinstance(kind, type) else kind


_PYTHON_TYPES = {bool: bool_, int: int64, float: float64, complex: complex128}


def from_numpy(dtype: Any) -> DType:
    """The dtype of the same layout as NumPy's."""
    try:
        return _BY_NUMPY[numpy.dtype(dtype)]
    except (KeyError, TypeError):
        raise TypeError(f"tritonflow has no dtype for numpy's {dtype}") from None


def torch_name(dtype: DType) -> str:
    """What torch calls a dtype in its errors, such as "Long"."""
    return _TORCH_NAMES[dtype.name]


def get_default_dtype() -> DType:
    """The floating dtype that creation functions and integer-to-float promotion use.

    Source: torch.get_default_dtype.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_default_dtype()
        tritonflow.float32
    """
    return _default


default_dependents: list[Callable[[], None]] = []  # called behind a change: what the old default decided is forgotten


def set_default_dtype(dtype: DType) -> None:
    """Set the dtype that `get_default_dtype` returns.

    Args:
        dtype: a floating dtype.

    Raises:
        TypeError: it is none.

    Source: torch.set_default_dtype.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_default_dtype(flow.float64)
        >>> flow.ones(1).dtype
        tritonflow.float64
        >>> flow.set_default_dtype(flow.float32)
    """
    global _default
    if not isinstance(dtype, DType) or not dtype.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, but got {dtype}")
    if dtype is not _default:
        _default = dtype
        for forget in default_dependents:
            forget()


def promote_types(a: DType, b: DType) -> DType:
    """The smallest dtype that holds both.

    Args:
        a: a dtype.
        b: a dtype.

    Raises:
        RuntimeError: one is a float8 dtype, and the other another; or one is uint16, uint32 or uint64, and the other no floating
            dtype.

    Source: torch.promote_types.

    Example:
        >>> import tritonflow as flow
        >>> flow.promote_types(flow.float16, flow.bfloat16)
        tritonflow.float32
    """
    if a is b:
        return a
    if a.is_storage or b.is_storage:
        what = f"attempted to promote {torch_name(a)} and {torch_name(b)}"
        raise DTypeError(f"Promotion for Float8 Types is not supported, {what}")
    if a.is_barebones and not b.is_floating_point or b.is_barebones and not a.is_floating_point:
        what = f"attempted to promote {torch_name(a)} and {torch_name(b)}"
        raise DTypeError(f"Promotion for uint16, uint32, uint64 types is not supported, {what}")
    if a.is_complex or b.is_complex:
        return _promote_complex(a, b)
    if a.category != b.category:
        return a if a.category > b.category else b
    if a.rank != b.rank:
        return a if a.rank > b.rank else b
    return int16 if a.category == INTEGER else float32  # uint8 with int8; float16 with bfloat16


def _promote_complex(a: DType, b: DType) -> DType:
    """Of dtypes one of which is complex: parts that hold both, and whole numbers count as the smallest parts."""
    parts = [d.to_real() for d in (a, b) if d.category >= FLOATING]
    return promote_types(parts[0], parts[-1]).to_complex()


def of_scalar(value_type: type) -> DType:
    """The dtype of a Python number of this class when no tensor decides."""
    if value_type is bool:
        return bool_
    if value_type is complex:
        return _default.to_complex()
    return int64 if issubclass(value_type, int) else _default


def result_type(tensors: Iterable[tuple[DType, int]], scalars: Iterable[type] = ()) -> DType:
    """Promote operands: `tensors` as (dtype, number of dimensions), `scalars` as Python classes.

    Dimensioned tensors decide; a zero-dim tensor or a scalar counts only if its category is higher.
    """
    levels: list[DType | None] = [None, None, None]
    for dtype, ndim in tensors:
        level = 0 if ndim > 0 else 1
        current = levels[level]
        levels[level] = dtype if current is None else promote_types(current, dtype)
    for value_type in scalars:
        dtype = of_scalar(value_type)
        levels[2] = dtype if levels[2] is None else promote_types(levels[2], dtype)
    result: DType | None = None
    for candidate in levels:
        if candidate is None:
            continue
        if result is not None and candidate.is_complex and result.is_floating_point:
            result = result.to_complex()  # its parts stay as wide as they are
        elif result is None or candidate.category > result.category:
            result = candidate
    if result is None:
        raise TypeError("result_type needs at least one tensor or number")
    return result


def _refuse_others(function: str, dtype: Any) -> None:
    """Raises TypeError for what is no dtype; None is the default one."""
    if dtype is not None and not isinstance(dtype, DType):
        raise TypeError(f"{function}(): argument 'type' (position 1) must be a dtype, not {type(dtype).__name__}")


class finfo:
    """Limits of a floating dtype: eps, max, min, tiny, smallest_normal, resolution, bits.

    Example:
        >>> import tritonflow as flow
        >>> flow.finfo(flow.float16).max
        65504.0
    """

    def __new__(cls, dtype: Any = None) -> finfo:
        _refuse_others("finfo", dtype)
        return super().__new__(cls)

    def __init__(self, dtype: DType | None = None) -> None:
        dtype = (dtype or _default).to_real()
        if not dtype.is_floating_point:
            raise TypeError(f"finfo(): requires a floating dtype, not {dtype}; use iinfo for integers")
        fraction, exponent, missing = _FLOATS[dtype.name]
        self.dtype = dtype
        self.bits = 8 * dtype.itemsize
        self.eps = 2.0**-fraction
        self.max = (2 - (1 + missing) * self.eps) * 2.0**exponent
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 + missing - exponent)
        self.resolution = float(f"1e-{int(fraction * log10(2))}")

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{name}={getattr(self, name):g}' for name in names)}, dtype={self.dtype.name})"


class iinfo:
    """Limits of an integer dtype: max, min, bits.

    Example:
        >>> import tritonflow as flow
        >>> flow.iinfo(flow.int8).max
        127
    """

    def __new__(cls, dtype: Any = None) -> iinfo:
        _refuse_others("iinfo", dtype)
        return super().__new__(cls)

    def __init__(self, dtype: DType) -> None:
        if dtype.category != INTEGER:
            raise TypeError(f"iinfo(): requires an integer dtype, not {dtype}; use finfo for floating dtypes")
        self.dtype = dtype
        self.bits = 8 * dtype.itemsize
        self.max = 2 ** (self.bits - dtype.is_signed) - 1
        self.min = -self.max - 1 if dtype.is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype.name})"  # rounded, as torch's are
