"""Weights of other libraries' checkpoints as codes: GGUF (llama.cpp), GPTQ and AWQ. No number is rounded but scales to float32."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.dtypes import float32, int8, int32, uint8
from tritonflow.errors import DTypeError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.quantization.codes import Codes, pack_codes
from tritonflow.quantization.gguf_blocks import halves, nibbles, scales_and_least
from tritonflow.quantization.modules import QuantizedLinear

_GGUF = {"q4_0": (32, 18), "q8_0": (32, 34), "q4_k": (256, 144)}  # elements and bytes of a block
_AWQ_ORDER = (0, 4, 1, 5, 2, 6, 3, 7)  # which nibble of a word has column 0, 1, ... of eight


def from_gguf(data: Tensor, kind: str, bias: Any = None) -> QuantizedLinear:
    """The linear layer of a tensor of a GGUF file.

    Args:
        data: the bytes of the tensor, a row for each output, as the `gguf` package's reader has them.
        kind: "q4_0", "q8_0" or "q4_k", in any case of letters.
        bias: of the layer.

    Shape:
        (out, bytes of a row) of uint8.

    Raises:
        RuntimeError: another kind, or rows that are no whole blocks.

    Source: https://github.com/ggml-org/llama.cpp (ggml-quants.c, ggml-common.h).

    Example:
        >>> import tritonflow as flow
        >>> block = flow.zeros(1, 34, dtype=flow.uint8)
        >>> flow.quantization.from_gguf(block, "q8_0").in_features
        32
    """
    if kind.lower() not in _GGUF:
        raise InvalidArgumentError(f"from_gguf(): kind must be one of {', '.join(_GGUF)}, but got {kind!r}")
    elements, size = _GGUF[kind.lower()]
    if data.ndim != 2 or data.dtype is not uint8 or data.shape[1] % size:
        raise ShapeError(
            f"from_gguf(): rows of {kind} are uint8, in blocks of {size} bytes, but got {list(data.shape)} of {data.dtype}"
        )
    blocks = data.reshape(data.shape[0], -1, size)
    columns = blocks.shape[1] * elements
    if kind.lower() == "q8_0":
        codes = blocks[:, :, 2:].contiguous().view(int8).reshape(data.shape[0], columns)
        return QuantizedLinear(Codes(codes, halves(blocks[:, :, :2]).squeeze(-1), None), columns, "int8", 32, bias)
    if kind.lower() == "q4_0":
        codes = nibbles(blocks[:, :, 2:]) - 8
        weight = Codes(pack_codes(codes.reshape(data.shape[0], columns)), halves(blocks[:, :, :2]).squeeze(-1), None)
        return QuantizedLinear(weight, columns, "int4", 32, bias)
    return QuantizedLinear(_q4_k(blocks), columns, "int4", 32, bias)


def _q4_k(blocks: Any) -> Codes:
    """Eight groups of 32: `d * scale * code - dmin * least`."""
    rows = blocks.shape[0]
    scales, least = scales_and_least(blocks.reshape(-1, blocks.shape[-1]))
    codes = nibbles(blocks[:, :, 16:].reshape(rows, -1, 4, 32)) - 8
    zeros = scales * 8 - least
    return Codes(pack_codes(codes.reshape(rows, -1)), scales.reshape(rows, -1), zeros.reshape(rows, -1))


def from_gptq(qweight: Tensor, qzeros: Tensor, scales: Tensor, g_idx: Tensor | None = None, bias: Any = None) -> QuantizedLinear:
    """The linear layer of a GPTQ checkpoint of 4 bits: `W[n, k] = (code - (zero + 1)) * scale`.

    Args:
        qweight: int32, (in / 8, out): eight codes along the inputs in a word.
        qzeros: int32, (groups, out / 8): eight zeros along the outputs in a word.
        scales: (groups, out).
        g_idx: the group of each input, which must rise: inputs in another order (`desc_act`) are not read.
        bias: of the layer.

    Raises:
        RuntimeError: other dtypes, sizes that do not fit, or inputs in another order.

    Source: https://github.com/AutoGPTQ/AutoGPTQ, https://arxiv.org/abs/2210.17323

    Example:
        >>> import tritonflow as flow
        >>> words = flow.zeros(4, 8, dtype=flow.int32), flow.zeros(1, 1, dtype=flow.int32)
        >>> flow.quantization.from_gptq(*words, flow.ones(1, 8))(flow.ones(1, 32))[0, 0]
        tensor(-32.)
    """
    _check_words("from_gptq", qweight, qzeros)
    codes = _eight(qweight.t(), range(8))
    columns, groups = codes.shape[1], scales.shape[0]
    group = _group("from_gptq", columns, groups)
    if g_idx is not None and not bool((g_idx.to(int32) == _C.arange(columns, dtype=int32, device=g_idx.device) // group).all()):
        raise InvalidArgumentError("from_gptq(): g_idx is in another order than the inputs (desc_act), which is not read")
    return _affine(codes, (_eight(qzeros, range(8)) + 1).t(), scales.t(), columns, group, bias)


def from_awq(qweight: Tensor, qzeros: Tensor, scales: Tensor, bias: Any = None) -> QuantizedLinear:
    """The linear layer of an AWQ checkpoint of 4 bits: `W[n, k] = (code - zero) * scale`.

    Args:
        qweight: int32, (in, out / 8): eight codes along the outputs in a word, in AWQ's order.
        qzeros: int32, (groups, out / 8), in the same order.
        scales: (groups, out).
        bias: of the layer.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.

    Source: https://github.com/casper-hansen/AutoAWQ, https://arxiv.org/abs/2306.00978

    Example:
        >>> import tritonflow as flow
        >>> words = flow.full((32, 1), 1, dtype=flow.int32), flow.zeros(1, 1, dtype=flow.int32)
        >>> flow.quantization.from_awq(*words, flow.ones(1, 8))(flow.ones(1, 32))
        tensor([[32.,  0.,  0.,  0.,  0.,  0.,  0.,  0.]])
    """
    _check_words("from_awq", qweight, qzeros)
    codes = _eight(qweight, _AWQ_ORDER).t()
    columns = codes.shape[1]
    group = _group("from_awq", columns, scales.shape[0])
    return _affine(codes, _eight(qzeros, _AWQ_ORDER).t(), scales.t(), columns, group, bias)


def _check_words(name: str, *words: Tensor) -> None:
    for tensor in words:
        if tensor.ndim != 2 or tensor.dtype is not int32:
            raise DTypeError(f"{name}(): words must be matrices of int32, but got {list(tensor.shape)} of {tensor.dtype}")


def _group(name: str, columns: int, groups: int) -> int:
    if not groups or columns % groups:
        raise ShapeError(f"{name}(): {groups} groups do not divide {columns} inputs")
    return columns // groups


def _eight(words: Any, order: Any) -> Any:
    """Eight codes of each word, along the last dimension: the one in nibble order[0], then order[1], ..."""
    return _C.stack([(words >> (4 * i)) & 15 for i in order], -1).reshape(words.shape[0], -1)


def _affine(codes: Any, zeros: Any, scales: Any, columns: int, group: int, bias: Any) -> QuantizedLinear:
    """The layer of `(code - zero) * scale`."""
    if zeros.shape != scales.shape or scales.shape[0] != codes.shape[0]:
        raise ShapeError(
            f"zeros {list(zeros.shape)} and scales {list(scales.shape)} do not fit a weight with {codes.shape[0]} outputs"
        )
    scales = scales.to(float32)
    weight = Codes(pack_codes(codes - 8), scales.contiguous(), ((8 - zeros).to(float32) * scales).contiguous())
    return QuantizedLinear(weight, columns, "int4", group, bias)
