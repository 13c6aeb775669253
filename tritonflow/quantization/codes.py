"""How a weight becomes codes, and codes become the words that kernels/quantized.py reads."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.dtypes import bfloat16, float8_e4m3fn, float16, float32, int32
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.matmul_quantized import BYTES, CHUNK, FORMS, WORDS
from tritonflow.interpreter.grad_mode import no_grad

FLOATS = (float32, float16, bfloat16)

# Quantiles of the normal distribution (Dettmers et al., 2023), as kernels/quantized.py has them.
NF4 = (
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
)  # fmt: skip


class Codes(NamedTuple):
    """A weight in few bits: W[n, k] = number(codes[n, k]) * scales[n, k // group] + zeros[n, k // group].

    Attributes:
        codes: int8 or float8_e4m3fn, (out, in); or int32 words of eight codes, (out, 32 * ceil(in / 256)).
        scales: (out, groups).
        zeros: as the scales, or None.
    """

    codes: Tensor
    scales: Tensor
    zeros: Tensor | None


def quantize_weight(weight: Tensor, form: str = "int8", group: int = 0, symmetric: bool = True) -> Codes:
    """The codes, scales and zeros of a weight, for `nn.functional.quantized_linear`.

    Of the elements w of a group of a row, with b the bits of a code:

        int8, symmetric            scale = max(|w|) / 127
        int4, symmetric            scale = -m / 8, with m the element of greatest magnitude
        int8, int4, with zeros     scale = (max(w) - min(w)) / (2^b - 1), zero = min(w) + 2^(b - 1) scale
        float8                     scale = max(|w|) / 448, codes of float8_e4m3fn
        nf4                        scale = max(|w|), codes of the nearest of 16 quantiles of the normal distribution

    Codes of integers are round((w - zero) / scale). A group of zeros has a scale of 0.

    Args:
        weight: a row for each output.
        form: "int8"; "float8"; "int4", of eight codes in a word; or "nf4".
        group: how many neighbours of a row share a scale: 32, 64, 128 or a multiple of 256; 0 for whole rows, of int8 and float8.
        symmetric: whether there are no zeros, as nf4 and float8 have none.

    Shape:
        (out, in) -> (out, in) of int8 or float8_e4m3fn, or (out, 32 * ceil(in / 256)) of int32, (out, groups), (out, groups).

    Raises:
        RuntimeError: no matrix of a floating dtype, an unknown form, groups that do not divide the columns, or numbers that are
            not finite.

    Source: torchao.quantization; llama.cpp's q4_0; Dettmers et al., https://arxiv.org/abs/2305.14314 (nf4).

    Example:
        >>> import tritonflow as flow
        >>> codes, scales, zeros = flow.quantization.quantize_weight(flow.tensor([[127.0, -64.0], [0.0, 0.0]]))
        >>> codes.tolist(), scales.tolist(), zeros
        ([[127, -64], [0, 0]], [[1.0], [0.0]], None)
    """
    if weight.ndim != 2 or weight.dtype not in FLOATS:
        raise ShapeError(
            "quantize_weight(): weight must be a matrix of float32, float16 or bfloat16,"
            f" but got {list(weight.shape)} of {weight.dtype}"
        )
    check_groups("quantize_weight", form, group, weight.shape[1])
    with no_grad():
        if not bool(_C.isfinite(weight).all()):
            raise InvalidArgumentError("quantize_weight(): weight has numbers that are not finite, and no codes stand for them")
        n, k = weight.shape
        groups = weight.detach().to(float32).reshape(n, k // group if group else min(k, 1), group or k)
        if not groups.numel():
            codes, scales, zeros = groups, groups.new_zeros((n, max(groups.shape[1], 1) if not group else 0)), None
        elif form == "nf4":
            codes, scales, zeros = _nf4(groups)
        elif form == "float8":
            codes, scales = _C.quantize_rows(groups.reshape(n, k), float8_e4m3fn, group=group)
            zeros = None
        else:
            codes, scales, zeros = _integers(groups, 8 if form == "int8" else 4, symmetric)
        codes = codes.reshape(n, k)
        codes = codes.to(BYTES[form]) if form in BYTES else pack_codes(codes.to(int32))
        return Codes(codes, scales.to(weight.dtype), None if zeros is None or not group else zeros.to(weight.dtype))


def check_groups(name: str, form: str, group: int, columns: int) -> None:
    """Raises RuntimeError unless a weight with so many columns has this form in groups."""
    if form not in FORMS:
        raise InvalidArgumentError(f"{name}(): form must be one of {', '.join(FORMS)}, but got {form!r}")
    if group not in (0, 32, 64, 128) and (group < 0 or group % CHUNK):
        raise InvalidArgumentError(f"{name}(): group must be 32, 64, 128 or a multiple of 256, but got {group}")
    if form not in BYTES and not group:
        raise InvalidArgumentError(f"{name}(): {form} has a scale for each group of columns, but group is 0")
    if group and columns % group:
        raise ShapeError(f"{name}(): groups of {group} do not divide the {columns} columns of the weight")


def _integers(w: Any, bits: int, symmetric: bool) -> tuple[Any, Any, Any]:
    half = 1 << (bits - 1)
    if not symmetric:
        least, most = w.amin(-1, keepdim=True), w.amax(-1, keepdim=True)
        scales = (most - least) / (2 * half - 1)
        zeros = least + scales * half
        return _rounded(w - zeros, scales, half), scales.squeeze(-1), zeros.squeeze(-1)
    greatest = w.abs().amax(-1, keepdim=True)
    if bits == 8:
        scales = greatest / (half - 1)
    else:  # the element of greatest magnitude is -8, as there is no 8
        scales = _C.where((w == greatest).any(-1, keepdim=True), -greatest, greatest) / half
    return _rounded(w, scales, half), scales.squeeze(-1), None


def _rounded(w: Any, scales: Any, half: int) -> Any:
    """The nearest codes; 0 where the scale is 0."""
    return _C.where(scales == 0, 0.0, w / scales).round().clamp(-half, half - 1)


def _nf4(w: Any) -> tuple[Any, Any, None]:
    scales = w.abs().amax(-1, keepdim=True)
    levels = w.new_tensor(NF4)
    codes = _C.bucketize(_C.where(scales == 0, 0.0, w / scales), (levels[1:] + levels[:-1]) / 2)
    return codes, scales.squeeze(-1), None


def pack_codes(codes: Tensor) -> Tensor:
    """Codes of 4 bits as words: bits 4 i .. 4 i + 3 of word j of 32 are element 32 i + j of 256.

    Args:
        codes: whole numbers, of which the last 4 bits count.

    Shape:
        (out, in) -> (out, 32 * ceil(in / 256)) of int32, with codes of 0 behind the last column.

    Raises:
        RuntimeError: no matrix of whole numbers.

    Example:
        >>> import tritonflow as flow
        >>> flow.quantization.pack_codes(flow.tensor([[1, 2, -1]]))[0, :4]
        tensor([ 1,  2, 15,  0], dtype=tritonflow.int32)
    """
    if codes.ndim != 2 or codes.dtype.is_floating_point or codes.dtype.is_complex:
        raise DTypeError(f"pack_codes(): codes must be a matrix of whole numbers, but got {list(codes.shape)} of {codes.dtype}")
    n, k = codes.shape
    chunks = -(-k // CHUNK)
    padded = _C.pad(codes.to(int32) & 15, (0, chunks * CHUNK - k)).reshape(n, chunks, CHUNK // WORDS, WORDS)
    words = padded[:, :, 0]
    for i in range(1, CHUNK // WORDS):
        words = words | (padded[:, :, i] << (4 * i))
    return words.reshape(n, chunks * WORDS)


def unpack_codes(words: Tensor, columns: int, signed: bool = True) -> Tensor:
    """The codes of `pack_codes`, int32.

    Args:
        words: as `pack_codes` makes them.
        columns: how many there are.
        signed: from -8 to 7; otherwise from 0 to 15.

    Shape:
        (out, 32 * ceil(in / 256)) -> (out, in).

    Example:
        >>> import tritonflow as flow
        >>> flow.quantization.unpack_codes(flow.quantization.pack_codes(flow.tensor([[1, 2, -1]])), 3)
        tensor([[ 1,  2, -1]], dtype=tritonflow.int32)
    """
    n = words.shape[0]
    parts = words.reshape(n, -1, 1, WORDS)
    codes = _C.cat([(parts >> (4 * i)) & 15 for i in range(CHUNK // WORDS)], 2).reshape(n, -1)[:, :columns]
    return ((codes ^ 8) - 8 if signed else codes).contiguous()
