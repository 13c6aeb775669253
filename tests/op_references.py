"""References of the registry's entries: what `reference:` names, in torch or, for what torch lacks, in this file.

A function stands here only where no name of torch computes the same from the same arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy
import torch

from tritonflow.registry.schema import Entry


def quick_gelu(x: torch.Tensor) -> torch.Tensor:
    """Only transformers have it."""
    return x * torch.sigmoid(1.702 * x)


def reciprocal_re(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return _reciprocal(u, v)[0]


def reciprocal_im(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return _reciprocal(u, v)[1]


def _reciprocal(u: torch.Tensor, v: torch.Tensor) -> Any:
    """torch's at finite numbers, a tensor for each so that none is vectorised; of the C standard at infinite ones."""
    one = torch.ones((), dtype=torch.complex128)
    numbers = torch.complex(u.double(), v.double())
    found = [0j if z.isinf() else (one / z).item() for z in numbers.flatten()]
    return torch.view_as_real(torch.tensor(found, dtype=torch.complex128)).reshape(*u.shape, 2).to(u.dtype).unbind(-1)


def trunc_divide(input: Any, other: Any) -> torch.Tensor:
    """torch has it as a rounding mode. The lowest integer by -1 ends its process; it wraps around here."""
    dtype = torch.result_type(input, other)
    if dtype.is_floating_point:
        return torch.div(input, other, rounding_mode="trunc")
    other = torch.as_tensor(other).to(dtype)
    negates = (other < 0) & (other == -1)
    quotient = torch.div(input, torch.where(negates, torch.ones_like(other), other), rounding_mode="trunc")
    return torch.where(negates, -quotient, quotient)


def fmod(input: Any, other: Any) -> torch.Tensor:
    """torch's vectorised one gives NaN for float64 quotients that are large; NumPy's is the C library's."""
    return _in_float64(numpy.fmod, torch.fmod(input, other), input, other)


def remainder(input: Any, other: Any) -> torch.Tensor:
    """As fmod."""
    return _in_float64(numpy.remainder, torch.remainder(input, other), input, other)


def _in_float64(function: Callable[..., Any], expected: torch.Tensor, *operands: Any) -> torch.Tensor:
    if expected.dtype != torch.float64:
        return expected
    with numpy.errstate(invalid="ignore"):
        result = torch.from_numpy(numpy.asarray(function(*[numpy.asarray(x) for x in operands])))
    return torch.where(result == 0, torch.copysign(result, expected), result)  # of a zero NumPy has the divisor's sign


def hardswish(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    """x from 3 on; torch's multiplies by 6 first, which overflows."""
    return torch.where(x >= 3, x, torch.nn.functional.hardswish(x, inplace))


def as_strided_scatter(
    input: torch.Tensor, src: torch.Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> torch.Tensor:
    """torch's gradient has the zeros in the wrong places."""
    result = torch.as_strided_scatter(input.detach(), src.detach(), size, stride, storage_offset)
    if not (input.requires_grad or src.requires_grad) or not input.is_contiguous() or input.storage_offset():
        return result
    result = input.clone()
    result.as_strided(size, stride, storage_offset).copy_(src)
    return result


def cholesky_solve(input: torch.Tensor, input2: torch.Tensor, upper: bool = False) -> torch.Tensor:
    """By the triangle: torch's gradient is that of a factor whose other triangle is not read and yet has a gradient."""
    result = torch.cholesky_solve(input.detach(), input2.detach(), upper)
    if not (input.requires_grad or input2.requires_grad):
        return result
    lower = input2.mT if upper else input2
    first = torch.linalg.solve_triangular(lower, input, upper=False)
    return torch.linalg.solve_triangular(lower.mT, first, upper=True)


def cholesky_inverse(input: torch.Tensor, upper: bool = False) -> torch.Tensor:
    """As cholesky_solve."""
    if not input.requires_grad:
        return torch.cholesky_inverse(input, upper)
    return cholesky_solve(torch.eye(input.shape[-1], dtype=input.dtype).expand(input.shape), input, upper)


def lstsq(input: torch.Tensor, b: torch.Tensor, rcond: Any = None, driver: Any = None) -> Any:
    """The solution has a gradient, and residuals where there are some; torch says so of empty ones as well."""
    solution, residuals, rank, values = torch.linalg.lstsq(input, b, rcond, driver=driver)
    return solution, residuals if residuals.numel() else residuals.detach(), rank, values.detach()


def median(input: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    """torch's along a dimension of an expanded tensor is wrong: it selects within memory that the rows share."""
    return torch.median(input.contiguous(), *args, **kwargs)


def nanmedian(input: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    """As median."""
    return torch.nanmedian(input.contiguous(), *args, **kwargs)


def mode(input: torch.Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """torch's order of elements breaks where NaN are among them: it is given the elements' ranks. Of equal elements the last."""
    if not input.numel() or not input.ndim:
        return torch.mode(input, dim, keepdim)
    values, order = input.sort(dim=dim, stable=True)
    n = input.shape[dim]
    steps = torch.cat([torch.zeros_like(order.narrow(dim, 0, 1)), (values.narrow(dim, 1, n - 1) != values.narrow(dim, 0, n - 1)).long()], dim)
    ranks = torch.empty_like(order).scatter_(dim, order, steps.cumsum(dim))
    at = torch.arange(n).reshape([-1 if d == dim % input.ndim else 1 for d in range(input.ndim)])
    indices = torch.where(ranks == torch.mode(ranks, dim, True).values, at, -1).amax(dim, True)
    found = input.gather(dim, indices)
    return (found, indices) if keepdim else (found.squeeze(dim), indices.squeeze(dim))


def _of_scipy(name: str, part: int | None = None) -> Callable[[torch.Tensor], torch.Tensor]:
    """torch's lack the highest coefficient of a polynomial: they are wrong by 1e-6."""

    def function(input: torch.Tensor) -> torch.Tensor:
        import scipy.special  # what runs on a GPU lacks it, and skips these

        dtype = input.dtype if input.is_floating_point() else torch.get_default_dtype()
        result = getattr(scipy.special, name)(input.double().numpy())
        return torch.from_numpy(numpy.asarray(result if part is None else result[part])).to(dtype)

    return function


def polygamma(n: int, input: torch.Tensor) -> torch.Tensor:
    """torch's trigamma is wrong by 1e-9."""
    if n < 1:
        return torch.polygamma(n, input)
    dtype = input.dtype if input.is_floating_point() else torch.get_default_dtype()
    import scipy.special

    with numpy.errstate(all="ignore"):
        return torch.from_numpy(numpy.asarray(scipy.special.polygamma(n, input.double().numpy()))).to(dtype)


def trigamma(input: torch.Tensor) -> torch.Tensor:
    """polygamma of order 1; NaN at minus infinity, as torch's."""
    return polygamma(1, input).masked_fill(input == -torch.inf, torch.nan)


bessel_j0, bessel_j1 = _of_scipy("j0"), _of_scipy("j1")
bessel_y0, bessel_y1 = _of_scipy("y0"), _of_scipy("y1")
_airy = _of_scipy("airy", 0)


def airy_ai(input: torch.Tensor) -> torch.Tensor:
    """scipy's is NaN, not 0, of very large numbers."""
    return torch.where(input > 104, 0, _airy(input)).masked_fill(input == float("inf"), float("nan"))


def sinc(input: torch.Tensor) -> torch.Tensor:
    """torch's is NaN where pi times the largest numbers overflows; these are whole numbers, so that it is 0."""
    if not input.is_floating_point():
        return torch.sinc(input)
    large = input.isfinite() & (input.abs() > torch.finfo(input.dtype).max / 4)
    return torch.where(large, 0, torch.sinc(torch.where(large, 1, input)))


def igamma(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """torch's is a number for NaN beside 0 or infinity."""
    return torch.where(input.isnan() | other.isnan(), float("nan"), torch.igamma(input, other))


def igammac(input: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """As igamma."""
    return torch.where(input.isnan() | other.isnan(), float("nan"), torch.igammac(input, other))


ROOTS = {"torch": torch, "op_references": sys.modules[__name__]}


def reference_of(entry: Entry) -> Callable[..., Any] | None:
    """The function that an entry is compared with; None if this torch has no such function.

    Raises:
        LookupError: `reference` names no function of `op_references`, or of no such module.
    """
    root, *path = entry.reference.split(".")
    found: Any = ROOTS.get(root)
    for part in path:
        found = getattr(found, part, None)
    if found is None and root != "torch":
        raise LookupError(f"{entry.name}: reference {entry.reference!r} is no function of tests/op_references.py")
    return found


def apply_rotary_emb(
    x: Any, cos: torch.Tensor, sin: torch.Tensor, interleaved: bool = False, inplace: bool = False, seqlen_offsets: Any = 0,
    positions: torch.Tensor | None = None, tensor_format: str = "bshd",
) -> Any:  # fmt: skip
    """Rotary embeddings of (batch, length, heads, size), by slices."""
    if isinstance(x, (tuple, list)):
        return tuple(apply_rotary_emb(t, cos, sin, interleaved, False, seqlen_offsets, positions, tensor_format) for t in x)
    if not x.is_floating_point():
        raise NotImplementedError("positions of integers are not embedded")
    order = [tensor_format.index(d) for d in "bshd"]
    heads = x.permute(order)
    length, half = heads.shape[1], cos.shape[-1]
    if positions is None:
        first = seqlen_offsets if isinstance(seqlen_offsets, torch.Tensor) else torch.tensor([seqlen_offsets or 0])
        positions = first[:, None] + torch.arange(length)
    rows = positions.long().expand(heads.shape[0], length)
    c, s = (torch.stack([t[k] if t.dim() == 3 else t for k in range(len(rows))]) if len(rows) else t[None][:0] for t in (cos, sin))
    c, s = (t.gather(1, rows[..., None].expand(*rows.shape, half))[:, :, None] for t in (c, s))
    turning, rest = heads[..., : 2 * half], heads[..., 2 * half :]
    a, b = (turning[..., ::2], turning[..., 1::2]) if interleaved else (turning[..., :half], turning[..., half:])
    pairs = (a * c - b * s, b * c + a * s)
    turned = torch.stack(pairs, -1).flatten(-2) if interleaved else torch.cat(pairs, -1)
    return torch.cat((turned, rest), -1).permute([order.index(d) for d in range(4)])


def add_layer_norm(
    input: torch.Tensor, residual: torch.Tensor, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> tuple[torch.Tensor, torch.Tensor]:
    """layer_norm of a sum, and the sum."""
    total = input + residual
    return torch.nn.functional.layer_norm(total, shape, weight, bias, eps), total


def add_rms_norm(
    input: torch.Tensor, residual: torch.Tensor, shape: Any, weight: Any = None, eps: float | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """rms_norm of a sum, and the sum."""
    total = input + residual
    if eps is None:
        eps = torch.finfo(torch.float64 if total.dtype == torch.float64 else torch.float32).eps
    return torch.nn.functional.rms_norm(total, shape, weight, eps), total


def token_and_position_embedding(
    input: torch.Tensor, weight: torch.Tensor, places: torch.Tensor, positions: Any = None, padding_idx: int | None = None,
    scale: float = 1.0,
) -> torch.Tensor:  # fmt: skip
    """Two embeddings, added."""
    if not weight.is_floating_point():
        raise NotImplementedError
    positions = torch.arange(input.shape[-1], device=input.device) if positions is None else positions.expand(input.shape)
    return torch.nn.functional.embedding(input, weight, padding_idx) * scale + torch.nn.functional.embedding(positions, places)


def swiglu(x: torch.Tensor, y: torch.Tensor | None = None) -> torch.Tensor:
    """silu(x) * y"""
    x, y = x.chunk(2, -1) if y is None else (x, y)
    return torch.nn.functional.silu(x) * y


def geglu(x: torch.Tensor, y: torch.Tensor | None = None, approximate: str = "none") -> torch.Tensor:
    """gelu(x) * y"""
    x, y = x.chunk(2, -1) if y is None else (x, y)
    return torch.nn.functional.gelu(x, approximate=approximate) * y


def lora_linear(input: Any, weight: Any, a: Any, b: Any, bias: Any = None, scaling: float = 1.0) -> torch.Tensor:
    """A linear layer plus one of low rank; of integers there is none, as the scaling is a float."""
    if not (input.is_floating_point() or input.is_complex()):
        raise TypeError("integers")
    return torch.nn.functional.linear(input, weight, bias) + scaling * ((input @ a.T) @ b.T)


def qkv_linear(input: Any, weight: Any, bias: Any = None, num_heads: int = 1, num_kv_heads: int | None = None) -> Any:
    """One linear layer, cut into heads."""
    shared = num_kv_heads or num_heads
    out = torch.nn.functional.linear(input, weight, bias)
    return out.unflatten(-1, (num_heads + 2 * shared, -1)).split((num_heads, shared, shared), -2)
