"""Activations, and attention."""

from __future__ import annotations

from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import functional as F
from tritonflow.nn.init import constant_
from tritonflow.nn.modules.module import Module
from tritonflow.nn.parameter import empty_parameter


class _Inplace(Module):
    """An activation with an argument `inplace`."""

    inplace = False  # of layers that torch has saved: its Hardshrink and Softshrink have no such attribute

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class ReLU(_Inplace):
    """`y = max(x, 0)`.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.ReLU()(flow.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.relu(input, self.inplace)


class SiLU(_Inplace):
    """`y = x * sigmoid(x)` (Elfwing et al., 2017)."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.silu(input, self.inplace)


class GELU(Module):
    """`y = x * Phi(x)`, Phi the normal distribution function (Hendrycks and Gimpel, 2016).

    Args:
        approximate: 'none', or 'tanh' for `0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))`.
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate='{self.approximate}'"


class Sigmoid(Module):
    """`y = 1 / (1 + exp(-x))`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return input.sigmoid()


class Tanh(Module):
    """`y = tanh(x)`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return input.tanh()


class LeakyReLU(Module):
    """`y = x` where x > 0, otherwise `negative_slope * x`."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class Softsign(Module):
    """`y = x / (1 + |x|)`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.softsign(input)


class LogSigmoid(Module):
    """`y = -log(1 + exp(-x))`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.logsigmoid(input)


class QuickGELU(Module):
    """`y = x * sigmoid(1.702 x)`, an approximation of GELU."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.quick_gelu(input)


class SELU(_Inplace):
    """`y = s (max(x, 0) + min(0, a (exp(x) - 1)))`, s = 1.0507, a = 1.6733 (Klambauer et al., 2017)."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.selu(input, inplace=self.inplace)


class Mish(_Inplace):
    """`y = x * tanh(softplus(x))` (Misra, 2019)."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.mish(input, inplace=self.inplace)


class Hardsigmoid(_Inplace):
    """`y = min(max(x + 3, 0), 6) / 6`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.hardsigmoid(input, inplace=self.inplace)


class Hardswish(_Inplace):
    """`y = x * min(max(x + 3, 0), 6) / 6` (Howard et al., 2019)."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.hardswish(input, inplace=self.inplace)


class ReLU6(_Inplace):
    """`y = min(max(x, 0), 6)`."""

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.relu6(input, inplace=self.inplace)


class ELU(_Inplace):
    """`y = x` where x > 0, otherwise `alpha * (exp(x) - 1)` (Clevert et al., 2015)."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.elu(input, self.alpha, inplace=self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class CELU(_Inplace):
    """`y = max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))` (Barron, 2017)."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.celu(input, self.alpha, inplace=self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class Hardshrink(_Inplace):
    """`y = x` where |x| > lambd, otherwise 0."""

    def __init__(self, lambd: float = 0.5, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.hardshrink(input, self.lambd, self.inplace)

    def extra_repr(self) -> str:
        return f"{self.lambd}, inplace=True" if self.inplace else str(self.lambd)


class Softshrink(_Inplace):
    """`y = sign(x) * max(|x| - lambd, 0)`."""

    def __init__(self, lambd: float = 0.5, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.softshrink(input, self.lambd, self.inplace)

    def extra_repr(self) -> str:
        return f"{self.lambd}, inplace=True" if self.inplace else str(self.lambd)


class Softplus(Module):
    """`y = log(1 + exp(beta * x)) / beta`, and x itself where `beta * x > threshold`."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardtanh(_Inplace):
    """`y = min(max(x, min_val), max_val)`."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        if max_val <= min_val:
            raise ValueError(f"max_val must be larger than min_val, got {max_val} and {min_val}")
        self.min_val = min_val
        self.max_val = max_val

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class Threshold(_Inplace):
    """`y = x` where x > threshold, otherwise `value`."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold = threshold
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.threshold(input, self.threshold, self.value, inplace=self.inplace)

    def extra_repr(self) -> str:
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")


class PReLU(Module):
    """`y = x` where x > 0, otherwise `weight * x` with a learnt weight (He et al., 2015).

    Args:
        num_parameters: 1, or the number of channels (dimension 1).
        init: the weights' initial value.
        device, dtype: of the weights.
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: DeviceLike | None = None, dtype: DType | None = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = empty_parameter((num_parameters,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the weights to their initial value."""
        constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softmax(Module):
    """`y_i = exp(x_i) / sum_j exp(x_j)` over `dim`.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Softmax(dim=1)(flow.zeros(1, 4)).tolist()
        [[0.25, 0.25, 0.25, 0.25]]
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Of the input's shape; every slice along `dim` sums to one."""
        return F.softmax(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    """`y_i = x_i - log(sum_j exp(x_j))` over `dim`."""

    def forward(self, input: Tensor) -> Tensor:
        """Of the input's shape."""
        return F.log_softmax(input, self.dim)


class Softmax2d(Module):
    """`Softmax` over the channels of images, at every position by itself.

    Shape:
        x, y: `(N, C, H, W)` or `(C, H, W)`.

    Raises:
        ValueError: an input of another rank.

    Source: torch.nn.Softmax2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Softmax2d()(flow.zeros(2, 1, 1)).tolist()
        [[[0.5]], [[0.5]]]
    """

    def forward(self, input: Tensor) -> Tensor:
        """Of the input's shape; the channels of every position sum to one."""
        if input.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3)


class Softmin(Softmax):
    """`y_i = exp(-x_i) / sum_j exp(-x_j)` over `dim`.

    Source: torch.nn.Softmin.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Softmin(dim=0)(flow.zeros(4)).tolist()
        [0.25, 0.25, 0.25, 0.25]
    """

    def forward(self, input: Tensor) -> Tensor:
        """Of the input's shape; every slice along `dim` sums to one."""
        return F.softmax(-input, self.dim)


class Tanhshrink(Module):
    """`y = x - tanh(x)`.

    Source: torch.nn.Tanhshrink.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.Tanhshrink()(flow.zeros(2)).tolist()
        [0.0, 0.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        """Elementwise."""
        return input - input.tanh()
