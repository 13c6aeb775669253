"""Linear layers of float8 products: inputs become float8_e4m3fn in each call, with a scale for each row or 128 neighbours in it."""

from __future__ import annotations

from typing import Any

from tritonflow import _C
from tritonflow.dtypes import DType, bfloat16, float8_e4m3fn, float16, float32
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.matmul_quantized import BLOCK
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.quantization.codes import FLOATS, Codes
from tritonflow.quantization.modules import HoldsCodes


def float8_codes(weight: Tensor, block: int = 0) -> Codes:
    """A weight as float8_e4m3fn, with the scales that `DynamicFloat8Linear` takes: max(|w|) / 448 of a row or of a block.

    Args:
        weight: a row for each output, finite.
        block: 0 for a scale for each row; 128 for one for each 128 x 128 numbers, the last ones of which may be fewer.

    Shape:
        (out, in) -> (out, in), and (out, 1) or (ceil(out / 128), ceil(in / 128)) of float32.

    Raises:
        RuntimeError: no matrix of a floating dtype, another block, or numbers that are not finite.

    Source: torchao's Float8DynamicActivationFloat8WeightConfig; DeepSeek-V3, https://arxiv.org/abs/2412.19437

    Example:
        >>> import tritonflow as flow
        >>> codes, scales, _ = flow.quantization.float8_codes(flow.tensor([[448.0, -3.0], [0.0, 0.0]]))
        >>> codes.float().tolist(), scales.tolist()
        ([[448.0, -3.0], [0.0, 0.0]], [[1.0], [0.0]])
    """
    if weight.ndim != 2 or weight.dtype not in FLOATS:
        raise ShapeError(f"float8_codes(): weight must be a matrix of float32, float16 or bfloat16, but is {weight.meta}")
    if block not in (0, BLOCK):
        raise InvalidArgumentError(f"float8_codes(): block must be 0 or {BLOCK}, but got {block}")
    with no_grad():
        if not bool(_C.isfinite(weight).all()):
            raise InvalidArgumentError("float8_codes(): weight has numbers that are not finite, and no codes stand for them")
        weight = weight.detach()
        if not block:
            codes, scales = _C.quantize_rows(weight, float8_e4m3fn)
            return Codes(codes, scales, None)
        (n, k), (rows, columns) = weight.shape, (-(-size // BLOCK) for size in weight.shape)
        padded = _C.pad(weight.to(float32), (0, columns * BLOCK - k, 0, rows * BLOCK - n))
        blocks = padded.reshape(rows, BLOCK, columns, BLOCK).transpose(1, 2).reshape(rows * columns, BLOCK * BLOCK)
        codes, scales = _C.quantize_rows(blocks, float8_e4m3fn)
        codes = codes.reshape(rows, columns, BLOCK, BLOCK).transpose(1, 2).reshape(rows * BLOCK, columns * BLOCK)
        return Codes(codes[:n, :k].contiguous(), scales.reshape(rows, columns), None)


class DynamicFloat8Linear(HoldsCodes):
    """A linear layer of float8 products: y = x W^T + b, with x as float8_e4m3fn, too, by scales that are found in each call.

    Args:
        codes: float8_e4m3fn of W.
        scales: a float32 for each row of W, or for each 128 x 128 block, which checkpoints of DeepSeek call `weight_scale_inv`.
            Then x has a scale for each 128 neighbours, otherwise for each row.
        bias: a parameter, or None.

    Shape:
        x: (*, in_features) of float32, float16 or bfloat16; y: (*, out_features) of the same dtype.

    It has no gradient.

    Raises:
        RuntimeError: other dtypes, or sizes that do not fit.

    Source: torchao's Float8DynamicActivationFloat8WeightConfig; DeepSeek-V3, https://arxiv.org/abs/2412.19437

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.quantization.DynamicFloat8Linear.of(flow.nn.Linear(256, 3), 128)
        >>> layer(flow.ones(2, 256)).shape, layer.codes.dtype, layer.scales.shape
        (tritonflow.Size([2, 3]), tritonflow.float8_e4m3fn, tritonflow.Size([1, 2]))
    """

    codes: Tensor
    scales: Tensor
    exact = ("codes", "scales")

    def __init__(self, codes: Tensor, scales: Tensor, bias: Any = None) -> None:
        super().__init__()
        if codes.ndim != 2 or codes.dtype is not float8_e4m3fn:
            raise ShapeError(f"DynamicFloat8Linear(): codes must be a matrix of {float8_e4m3fn}, but are {codes.meta}")
        self.out_features, self.in_features = codes.shape
        rows, blocks = (self.out_features, 1), (-(-self.out_features // BLOCK), -(-self.in_features // BLOCK))
        if scales.dtype not in (float32, bfloat16, float16) or tuple(scales.shape) not in (rows, blocks):
            raise ShapeError(
                f"DynamicFloat8Linear(): scales must be {list(rows)} or {list(blocks)} numbers of float32, but are {scales.meta}"
            )
        self.block = 0 if tuple(scales.shape) == rows else BLOCK
        self.register_buffer("codes", codes)
        self.register_buffer("scales", scales.to(float32))
        self.register_parameter("bias", bias)

    @classmethod
    def of(cls, linear: Any, block: int = 0) -> DynamicFloat8Linear:
        """That of a linear layer, whose bias it takes over."""
        codes, scales, _ = float8_codes(linear.weight, block)
        return cls(codes, scales, linear.bias)

    def dequantize(self, dtype: DType = float32) -> Tensor:
        """The weight that the codes stand for."""
        scales = self.scales
        if self.block:
            scales = scales.repeat_interleave(BLOCK, 0)[: self.out_features].repeat_interleave(BLOCK, 1)[:, : self.in_features]
        return (self.codes.to(float32) * scales).to(dtype)

    @property
    def weight(self) -> Tensor:
        """The weight that the codes stand for, made anew."""
        return self.dequantize()

    def forward(self, input: Tensor) -> Tensor:
        """`(*, in_features)` to `(*, out_features)`."""
        rows = input.detach().reshape(input.numel() // max(self.in_features, 1), self.in_features)
        codes, scales = _C.quantize_rows(rows, float8_e4m3fn, group=self.block)
        bias = None if self.bias is None else self.bias.detach()
        weight, by = self.codes.t(), self.scales.t()
        if self.block:
            y = _C.scaled_mm_blocks(codes, weight, scales, by, bias, out_dtype=input.dtype)
        else:
            if bias is not None and bias.dtype is not float32:
                bias = bias.to(input.dtype)
            y = _C.scaled_mm(codes, weight, scales, by, bias, out_dtype=input.dtype)
        return y.reshape(*input.shape[:-1], self.out_features)

    def extra_repr(self) -> str:
        bias = self.bias is not None
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={bias}, block={self.block}"
