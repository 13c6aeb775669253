"""Running kernels in Triton's interpreter beside compiled ones, in one process."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator

import numpy as np
import triton.compiler.code_generator  # noqa: F401 - takes min and max from the language when it is imported: not a patched one's
import triton.language as tl
from triton.language import core
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

    Between float64 and bfloat16 it casts the bits; here float32 is on the way.
    """
    if (src.dtype.scalar, dst_type.scalar) in ((tl.float64, tl.bfloat16), (tl.bfloat16, tl.float64)):
        src = _cast(self, src, tl.float32)
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


_patch_lang = interpreter._patch_lang
interpreter._patch_lang_tensor = _patch_tensor
interpreter.InterpreterBuilder.create_dot = _dot
interpreter.InterpreterBuilder.cast_impl = _cast
interpreter.InterpreterBuilder.binary_op = _binary
interpreter.InterpreterBuilder.get_all_ones_value = _all_ones


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
    interpreter._patch_lang = _nothing_more
    try:
        with triton_compat.interpreting():
            yield
    finally:
        interpreter._patch_lang = _patch_lang
        for owner, n in touched:
            setattr(owner, n, originals[n])
        scope.restore()


def _patched():
    return tl, core


def _nothing_more(fn):
    return interpreter._LangPatchScope()


@functools.cache
def _twin(fn):
    return InterpretedFunction(fn)
