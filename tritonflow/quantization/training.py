"""Training that is aware of quantisation: the forward pass has the numbers of the codes, gradients flow as if it had not."""

from __future__ import annotations

from typing import Any

from tritonflow import _C, nn
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.quantization.codes import check_groups, quantize_weight
from tritonflow.quantization.modules import QuantizedLinear


class FakeQuantizedLinear(nn.Linear):
    """A linear layer that is trained for few bits: it multiplies by the weight that codes would stand for.

        y = x Q(W)^T + b, with the gradient of W that Q(W) has

    Args:
        in_features, out_features, bias, device, dtype: as of `Linear`.
        form, group, symmetric: how the weight is quantised, as in `quantize_weight`.

    Shape:
        x: (*, in_features); y: (*, out_features).

    `quantized()` is the layer with codes, which computes the same numbers but for rounding.

    Raises:
        RuntimeError: an unknown form, or groups that do not divide the columns.

    Source: torchao.quantization.qat; Bengio et al., https://arxiv.org/abs/1308.3432 (the gradient).

    Example:
        >>> import tritonflow as flow
        >>> layer = flow.quantization.FakeQuantizedLinear(64, 3, form="int4", group=32)
        >>> layer(flow.ones(2, 64)).sum().backward()
        >>> layer.weight.grad.shape, layer.quantized().codes.dtype
        (tritonflow.Size([3, 64]), tritonflow.int32)
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None, *,
        form: str = "int8", group: int = 0, symmetric: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(in_features, out_features, bias, device, dtype)
        check_groups("FakeQuantizedLinear", form, group, in_features)
        self.form, self.group, self.symmetric = form, group, symmetric

    def forward(self, input: Tensor) -> Tensor:
        """`(*, in_features)` to `(*, out_features)`."""
        found = quantize_weight(self.weight, self.form, self.group, self.symmetric)
        numbers = _C.dequantize_weight(
            *found, form=self.form, group=self.group, in_features=self.in_features, dtype=self.weight.dtype
        )
        return F.linear(input, self.weight + (numbers - self.weight).detach(), self.bias)

    def quantized(self) -> QuantizedLinear:
        """The layer with the codes of its weight."""
        return QuantizedLinear.of(self, self.form, self.group, self.symmetric)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, form={self.form}, group={self.group}, symmetric={self.symmetric}"
