"""Running kernels in Triton's interpreter beside compiled ones, in one process."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import triton.compiler.code_generator  # noqa: F401 - takes min and max from the language when it is imported: not a patched one's
import triton.language as tl
from triton.language import core
from triton.language.extra import libdevice
from triton.runtime import interpreter
from triton.runtime.interpreter import InterpretedFunction
from triton.runtime.jit import JITFunction

from tritonflow import triton_compat


def _patch_tensor(tensor, scope, patch=interpreter._patch_lang_tensor):
    """NumPy 2.4 refuses int() of an array with one element, which is what the interpreter's scalars are."""
    patch(tensor, scope)
    scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.item()))


def _dot(self, a, b, acc, precision, imprecise, dot=interpreter.InterpreterBuilder.create_dot):
    """The interpreter multiplies the bits of bfloat16."""
    a, b = (self.cast_impl(x, tl.float32) if x.dtype.scalar == tl.bfloat16 else x for x in (a, b))
    return dot(self, a, b, acc, precision, imprecise)


def _cast(self, src, dst_type, cast=interpreter.InterpreterBuilder.cast_impl):
    """The interpreter cuts the end of a float32 off to make a bfloat16, where GPUs and CPUs round to the nearest, ties to even.

    Between float64 and bfloat16 it casts the bits; here float32 is on the way. Subnormal bfloat16 numbers it reads as zeros.
    """
    if (src.dtype.scalar, dst_type.scalar) in ((tl.float64, tl.bfloat16), (tl.bfloat16, tl.float64)):
        src = _cast(self, src, tl.float32)
    if (src.dtype.scalar, dst_type.scalar) == (tl.bfloat16, tl.float32):
        return interpreter.TensorHandle((src.data.astype(np.uint32) << 16).view(np.float32), tl.float32)
    if (src.dtype.scalar, dst_type.scalar) != (tl.float32, tl.bfloat16):
        return cast(self, src, dst_type)
    bits = np.ascontiguousarray(src.data).view(np.uint32)
    nearest = (bits.astype(np.uint64) + 0x7FFF + (bits >> 16 & 1)) >> 16
    data = np.where(np.isnan(src.data), bits >> 16 | 0x40, nearest).astype(np.uint16)
    return interpreter.TensorHandle(data, tl.bfloat16)


def _all_ones(self, type):
    """NumPy 2 refuses to make an unsigned number of -1."""
    dtype = interpreter._get_np_dtype(type)
    return interpreter.TensorHandle(np.array([-1]).astype(dtype), type.scalar)


def _binary(self, lhs, rhs, op, binary=interpreter.InterpreterBuilder.binary_op):
    """The interpreter gives comparisons the type of what is compared, so that a scalar's becomes a block of floats."""
    result = binary(self, lhs, rhs, op)
    if result.data.dtype == bool:
        result.dtype = tl.int1
    return result


def _of_scipy(name: str) -> Callable[[np.ndarray], np.ndarray]:
    """A function that NumPy lacks."""

    def function(x: np.ndarray) -> np.ndarray:
        import scipy.special  # few runs need it

        return getattr(scipy.special, name)(x)

    return function


def _lgamma(x: np.ndarray) -> np.ndarray:
    """scipy's is -inf at -inf, where the C library's is inf."""
    return np.where(np.isinf(x), np.inf, _of_scipy("gammaln")(x))


# The interpreter has none of the functions that kernels take from the device's library.
LIBRARY: dict[str, Callable[..., np.ndarray]] = {
    **{name: getattr(np, "arc" + name[1:]) for name in ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh")},
    "erfc": np.vectorize(math.erfc, otypes=[float]),
    "hypot": np.hypot,
    "lgamma": _lgamma,
    **{name: _of_scipy(name) for name in ("j0", "j1", "y0", "y1")},
}


def _of_library(function: Callable[..., np.ndarray]) -> Callable[..., tl.tensor]:
    """The interpreter's form of a function of arrays."""

    def interpreted(*operands: Any) -> tl.tensor:
        first, *others = operands
        if others:
            first, *others = tl.broadcast(first, *others)
        kind = first.dtype.scalar
        with np.errstate(all="ignore"):
            data = np.asarray(function(*[x.handle.data for x in (first, *others)]), dtype=first.handle.data.dtype)
        return core.tensor(interpreter.TensorHandle(data, kind), first.type)

    return interpreted


def _length(self):
    """The interpreter passes constant tuples as they are, where the compiler unwraps them."""
    return len(self.value)


_patch_lang = interpreter._patch_lang
interpreter._patch_lang_tensor = _patch_tensor
interpreter.InterpreterBuilder.create_dot = _dot
interpreter.InterpreterBuilder.cast_impl = _cast
interpreter.InterpreterBuilder.binary_op = _binary
interpreter.InterpreterBuilder.get_all_ones_value = _all_ones
tl.constexpr.__len__ = _length


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """What is decorated in here is interpreted, and so is Triton's standard library while it is called from in here.

    tl.zeros, tl.sum and the like are jitted functions: the interpreter needs them in its own form.
    """
    standard = tl.standard
    originals = {n: f for n, f in vars(standard).items() if isinstance(f, JITFunction)}
    touched = [
        (owner, n) for owner in (standard, tl, tl.tensor) for n in originals if getattr(owner, n, None) is originals[n]
    ]
    # Every call of every function patches triton.language's modules, which is most of its time, and calls of functions by
    # functions leave them so: here both modules are patched once, and restored.
    scope = _patch_lang(_patched)
    for owner, n in touched:
        setattr(owner, n, _twin(originals[n].fn))
    library = {n: getattr(libdevice, n) for n in LIBRARY}
    for n, function in LIBRARY.items():
        setattr(libdevice, n, _of_library(function))
    interpreter._patch_lang = _nothing_more
    try:
        with triton_compat.interpreting():
            yield
    finally:
        interpreter._patch_lang = _patch_lang
        for owner, n in touched:
            setattr(owner, n, originals[n])
        for n, stub in library.items():
            setattr(libdevice, n, stub)
        scope.restore()


def _patched():
    return tl, core


def _nothing_more(fn):
    return interpreter._LangPatchScope()


@functools.cache
def _twin(fn):
    return InterpretedFunction(fn)
