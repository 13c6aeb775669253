"""Launching a kernel on torch tensors: signature and flattened arguments from the values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from tritonflow import triton_cpu
from tritonflow.settings import settings

_TYPES = {
    torch.bool: "*i1", torch.int8: "*i8", torch.int16: "*i16", torch.int32: "*i32", torch.int64: "*i64",
    torch.uint8: "*u8", torch.uint16: "*u16", torch.uint32: "*u32", torch.uint64: "*u64",
    torch.float16: "*fp16", torch.bfloat16: "*bf16", torch.float32: "*fp32", torch.float64: "*fp64",
}  # fmt: skip


def type_of(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return _TYPES[value.dtype]
    if isinstance(value, tuple):
        return tuple(map(type_of, value))
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    return "fp32"


def flat(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in flat(item)]
    if isinstance(value, torch.Tensor) and not settings.cpu_check:  # which is to know the tensors' memory
        return [value.data_ptr()]
    return [value]


def compiled(fn: Any, args: Sequence[Any], types: dict[str, Any], cpu: str | None, constexprs: dict[str, Any]) -> Any:
    names = [name for name in fn.arg_names if name not in constexprs]
    signature: dict[str, Any] = {n: "constexpr" for n in fn.arg_names}
    signature.update({name: types.get(name, type_of(arg)) for name, arg in zip(names, args, strict=True)})
    return triton_cpu.compile(fn, signature, constexprs, cpu=cpu)


def run(
    fn: Any,
    grid: Sequence[int],
    *args: Any,
    types: dict[str, Any] | None = None,
    cpu: str | None = None,
    **constexprs: Any,
) -> Any:
    """Launch `fn` over `grid`; constexprs by name. Returns the kernel."""
    kernel = compiled(fn, args, types or {}, cpu, constexprs)
    gx, gy, gz = (*grid, 1, 1, 1)[:3]
    kernel.launch(gx, gy, gz, *(leaf for arg in args for leaf in flat(arg)))
    return kernel


def ulps(got: torch.Tensor, want: torch.Tensor) -> float:
    """The largest error in units in the last place of `got`'s dtype; `want` is float64. Infinities and NaNs must agree."""
    rounded = want.to(got.dtype)
    assert torch.equal(torch.isnan(rounded), torch.isnan(got)), "NaNs differ"
    infinite = torch.isinf(rounded)
    assert torch.equal(rounded[infinite], got[infinite]), "infinities differ"
    finite = torch.isfinite(rounded)
    size = rounded[finite].abs()
    step = torch.nextafter(size, torch.tensor(float("inf"), dtype=got.dtype)).double() - size.double()
    error = (got[finite].double() - want[finite]).abs()
    return float((error / step).max()) if error.numel() else 0.0
