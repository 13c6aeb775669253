"""Modules whose weights are codes of few bits."""

from __future__ import annotations

from typing import Any

from tritonflow import _C, nn
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.quantization.codes import Codes, check_groups, quantize_weight


class HoldsCodes(nn.Module):
    """A module with buffers that `to(dtype)` leaves as they are: codes that are floats, and their scales.

    Attributes:
        exact: the names of those buffers.
    """

    exact: tuple[str, ...] = ("codes",)

    def _apply_here(self, fn: Any, done: dict[int, Tensor]) -> None:
        before = {name: self._buffers[name] for name in self.exact}
        super()._apply_here(fn, done)
        for name, was in before.items():
            now = self._buffers[name]
            if was is not None and now is not None and now.dtype is not was.dtype:
                self._buffers[name] = was.to(device=now.device)


class _Coded(HoldsCodes):
    """A module with a weight in codes, which are buffers.

    Attributes:
        form, group: how the codes are meant, as in `quantize_weight`.
        columns: of the weight.
    """

    codes: Tensor
    scales: Tensor
    zeros: Tensor | None

    def __init__(self, weight: Codes, columns: int, form: str, group: int) -> None:
        super().__init__()
        check_groups(type(self).__name__, form, group, columns)
        self.form, self.group, self.columns = form, group, columns
        self.register_buffer("codes", weight.codes)
        self.register_buffer("scales", weight.scales)
        self.register_buffer("zeros", weight.zeros)

    def dequantize(self, dtype: DType | None = None) -> Tensor:
        """The weight that the codes stand for, in the dtype of the scales unless given."""
        return _C.dequantize_weight(
            self.codes, self.scales, self.zeros, form=self.form, group=self.group, in_features=self.columns, dtype=dtype
        )

    @property
    def weight(self) -> Tensor:
        """The weight that the codes stand for, made anew."""
        return self.dequantize()

    def _said(self) -> str:
        return f"form={self.form}, group={self.group}, zeros={self.zeros is not None}"


class QuantizedLinear(_Coded):
    """A linear layer whose weight has 8 or 4 bits: y = x W^T + b, with x as it is. Its weight is not trained.

    Args:
        weight: codes, scales and zeros of W.
        in_features: the columns of W.
        form: "int8", "float8", "int4" or "nf4".
        group: how many neighbours of a row share a scale; 0 for whole rows, of int8 and float8.
        bias: a parameter, or None.

    Shape:
        x: (*, in_features) of float32, float16 or bfloat16; y: (*, out_features) of the same dtype.

    Gradients flow to x and to the bias.

    Raises:
        RuntimeError: an unknown form or group.

    Source: torchao's Int8WeightOnlyConfig and Int4WeightOnlyConfig.

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.quantization.QuantizedLinear.of(flow.nn.Linear(64, 3), "int4", 32)
        >>> layer(flow.ones(2, 64)).shape, layer.codes.dtype
        (tritonflow.Size([2, 3]), tritonflow.int32)
    """

    def __init__(self, weight: Codes, in_features: int, form: str, group: int, bias: Any = None) -> None:
        super().__init__(weight, in_features, form, group)
        self.in_features, self.out_features = in_features, weight.codes.shape[0]
        self.register_parameter("bias", bias)

    @classmethod
    def of(cls, linear: Any, form: str, group: int = 0, symmetric: bool = True) -> QuantizedLinear:
        """That of a linear layer, whose bias it takes over."""
        weight = quantize_weight(linear.weight, form, group, symmetric)
        return cls(weight, linear.in_features, form, group, linear.bias)

    def forward(self, input: Tensor) -> Tensor:
        """`(*, in_features)` to `(*, out_features)`."""
        return _C.quantized_linear(input, self.codes, self.scales, self.zeros, self.bias, form=self.form, group=self.group)

    def extra_repr(self) -> str:
        bias = self.bias is not None
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={bias}, {self._said()}"


class DynamicInt8Linear(_Coded):
    """A linear layer of int8 products: each row of x becomes codes, too, with a scale that is found in each call.

        y = scale(x) * scale(W) * (codes(x) @ codes(W)^T) + b, added up in int32

    Args:
        weight: int8 codes of W, with a scale for each row.
        in_features: the columns of W.
        bias: a parameter, or None.

    Shape:
        x: (*, in_features) of float32, float16 or bfloat16; y: (*, out_features) of the same dtype.

    It has no gradient.

    Source: torchao's Int8DynamicActivationInt8WeightConfig.

    Example:
        >>> import tritonflow as flow
        >>> flow.quantization.DynamicInt8Linear.of(flow.nn.Linear(64, 3))(flow.ones(2, 64)).shape
        tritonflow.Size([2, 3])
    """

    def __init__(self, weight: Codes, in_features: int, bias: Any = None) -> None:
        super().__init__(weight, in_features, "int8", 0)
        self.in_features, self.out_features = in_features, weight.codes.shape[0]
        self.register_parameter("bias", bias)

    @classmethod
    def of(cls, linear: Any) -> DynamicInt8Linear:
        """That of a linear layer, whose bias it takes over."""
        return cls(quantize_weight(linear.weight), linear.in_features, linear.bias)

    def forward(self, input: Tensor) -> Tensor:
        """`(*, in_features)` to `(*, out_features)`."""
        codes, scales = _C.quantize_rows(input.detach().reshape(input.numel() // max(self.in_features, 1), self.in_features))
        bias = None if self.bias is None else self.bias.detach()
        y = _C.scaled_int_mm(codes, self.codes.t(), scales, self.scales.t(), bias, out_dtype=input.dtype)
        return y.reshape(*input.shape[:-1], self.out_features)

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class QuantizedEmbedding(_Coded):
    """An embedding whose rows have 8 or 4 bits: those that are looked up become numbers. Its weight is not trained.

    Args:
        weight: codes, scales and zeros of the rows.
        embedding_dim: the columns.
        form, group: as of `QuantizedLinear`.

    Shape:
        (*) of whole numbers -> (*, embedding_dim).

    Raises:
        RuntimeError: an unknown form or group.
        IndexError: a row that there is not.

    Source: torchao's IntxWeightOnlyConfig for embeddings.

    Example:
        >>> import tritonflow as flow
        >>> table = flow.quantization.QuantizedEmbedding.of(flow.nn.Embedding(10, 32), "int8")
        >>> table(flow.tensor([1, 9])).shape
        tritonflow.Size([2, 32])
    """

    def __init__(self, weight: Codes, embedding_dim: int, form: str, group: int) -> None:
        super().__init__(weight, embedding_dim, form, group)
        self.num_embeddings, self.embedding_dim = weight.codes.shape[0], embedding_dim

    @classmethod
    def of(cls, embedding: Any, form: str, group: int = 0, symmetric: bool = True) -> QuantizedEmbedding:
        """That of an embedding."""
        return cls(quantize_weight(embedding.weight, form, group, symmetric), embedding.embedding_dim, form, group)

    def forward(self, input: Tensor) -> Tensor:
        """`(*)` to `(*, embedding_dim)`."""
        rows = input.reshape(-1)
        codes, scales = (_C.index_select(x, 0, rows) for x in (self.codes, self.scales))
        zeros = None if self.zeros is None else _C.index_select(self.zeros, 0, rows)
        found = _C.dequantize_weight(codes, scales, zeros, form=self.form, group=self.group, in_features=self.columns)
        return found.reshape(*input.shape, self.embedding_dim)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {self.embedding_dim}, {self._said()}"
