"""Planners of random ops.

The input `state` is a generator's {seed, offset}; every plan ends with the launch that moves the offset on.
"""

from __future__ import annotations

from typing import Any

from tritonflow.dtypes import bfloat16, bool_, float16, float32
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.ops.elementwise import triton_dtype
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.plan import Launch, Plan

kernels = KernelModule("random")


def uniform(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Numbers in [low, high); attributes: (shape, dtype); dynamic: (low, high)."""
    function = {float16: kernels.uniform_half, bfloat16: kernels.uniform_bfloat}.get(attrs[1], kernels.uniform)
    return _fill(inputs, attrs, kernels.uniforms, function, 2)


def normal(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Normally distributed numbers; attributes: (shape, dtype); dynamic: (mean, std)."""
    return _fill(inputs, attrs, kernels.normals, kernels.normal, 2)


def exponential(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Exponentially distributed numbers; attributes: (shape, dtype); dynamic: (rate,)."""
    return _fill(inputs, attrs, kernels.uniforms, kernels.exponential, 1)


def bernoulli(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with probability p, else 0; attributes: (shape, dtype); dynamic: (p,)."""
    (state,), (shape, dtype) = inputs, attrs
    y = contiguous_meta(shape, dtype, state.device)
    compute = dtype.compute if dtype.is_floating_point else float32
    pointers: tuple[Any, ...] = ((), ("o0",), "i0", (f"d0:{compute.triton}",))
    return Plan(inputs, (y,), _generate(y, pointers, kernels.uniforms, kernels.bernoulli, compute, "i0"))


def bernoulli_of(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """1 with the probability in each element of the input."""
    p, state = inputs
    pointers: tuple[Any, ...] = (("i0",), ("o0",), "i1", ())
    y = p.contiguous()
    return Plan(inputs, (y,), _generate(y, pointers, kernels.uniforms, kernels.bernoulli, p.dtype.compute, "i1"))


def dropout(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """(x * scale where kept else 0, kept); dynamic: (p, scale)."""
    x, _ = inputs
    compute = x.dtype.compute
    pointers = (("i0",), ("o0", "o1"), "i1", tuple([f"d{k}:{compute.triton}" for k in range(2)]))
    launches = _generate(x, pointers, kernels.uniforms, kernels.dropout, compute, "i1")
    return Plan(inputs, (x.contiguous(), x.with_dtype(bool_)), launches)


def integers(op: OpDef, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> Plan:
    """Whole numbers low + (0 ... size-1); attributes: (shape, dtype, whether size > 2^32); dynamic: (low, size)."""
    (state,), (shape, dtype, wide) = inputs, attrs
    from tritonflow.dtypes import int64

    y = contiguous_meta(shape, dtype, state.device)
    scalars = ("d0:i64", "d1:i64")
    if not wide:
        pointers: tuple[Any, ...] = ((), ("o0",), "i0", scalars)
        return Plan(inputs, (y,), _generate(y, pointers, kernels.words, kernels.integer, int64, "i0"))
    options = kernels.config(y.device.type)
    grid = (-(-y.numel // options["BLOCK"]),)
    launch = Launch(kernels.wide_integers, grid, ("o0", "i0", *scalars), (y.numel,), {"BLOCK": options["BLOCK"]})
    return Plan(inputs, (y,), [launch, _advance("i0", y.numel)])


def _fill(inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], spread: Any, function: Any, scalars: int) -> Plan:
    (state,), (shape, dtype) = inputs, attrs
    y = contiguous_meta(shape, dtype, state.device)
    names = tuple([f"d{k}:{dtype.compute.triton}" for k in range(scalars)])
    return Plan(inputs, (y,), _generate(y, ((), ("o0",), "i0", names), spread, function, dtype.compute, "i0"))


def _generate(
    y: TensorMeta, pointers: tuple[Any, ...], spread: Any, function: Any, compute: Any, state: str
) -> list[Launch]:
    options = kernels.config(y.device.type)
    warps = options.pop("num_warps")
    names = {"SPREAD": spread, "FN": function, "COMPUTE": triton_dtype(compute)} | options
    grid = (-(-y.numel // options["BLOCK"]),)
    return [Launch(kernels.generate, grid, pointers, (y.numel,), names, num_warps=warps), _advance(state, y.numel)]


def _advance(state: str, n: int) -> Launch:
    return Launch(kernels.advance, (1,) if n else (0,), (state,), (kernels.counters(n),), num_warps=1)
