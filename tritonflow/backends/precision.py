"""What `flow.backends` and `flow.set_float32_matmul_precision` change: the precision policy of one kind of product."""

from __future__ import annotations

from tritonflow.errors import ArgumentValueError, InvalidArgumentError, type_name
from tritonflow.ops.precision import PRECISIONS, change, policy

_LEVELS = ("highest", "high", "medium")


class ProductPrecision:
    """How GPUs compute one kind of product of float32: an object with two attributes.

    Attributes:
        fp32_precision: "ieee", "tf32x3" or "tf32".
        allow_tf32: whether it is "tf32". False takes back True, and leaves "ieee" as it is.
    """

    __slots__ = ("_kind",)

    def __init__(self, kind: str) -> None:
        self._kind = kind

    @property
    def fp32_precision(self) -> str:
        return str(getattr(policy(), self._kind))

    @fp32_precision.setter
    def fp32_precision(self, value: str) -> None:
        if not isinstance(value, str) or value not in PRECISIONS:
            raise InvalidArgumentError(f"fp32_precision of {self._kind}: expected one of {PRECISIONS}, but got {value!r}")
        change(**{self._kind: value}, **({"medium": False} if self._kind == "matmul" else {}))

    @property
    def allow_tf32(self) -> bool:
        return self.fp32_precision == "tf32"

    @allow_tf32.setter
    def allow_tf32(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise InvalidArgumentError(f"allow_tf32 of {self._kind} expects a bool, but got {type_name(value)}")
        if value != self.allow_tf32:
            self.fp32_precision = "tf32" if value else "tf32x3"

    def __repr__(self) -> str:
        return f"ProductPrecision({self._kind}: {self.fp32_precision})"


matmul, conv = ProductPrecision("matmul"), ProductPrecision("conv")


def set_float32_matmul_precision(precision: str) -> None:
    """How exact matrix products of float32 are on a GPU; as `torch.set_float32_matmul_precision`.

    "highest" allows no TF32 alone: products are computed in three of TF32, or in float32 where that was set (`fp32_precision` of
    `flow.backends.cuda.matmul`). "high" and "medium" allow TF32, 11 bits of each operand. A CPU's products are the same
    with all three. Calls from now on follow it, also those of compiled functions.

    Args:
        precision: "highest" (the default), "high" or "medium".

    Raises:
        RuntimeError: `precision` is no str.
        ValueError: it is none of the three.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_float32_matmul_precision("high")
        >>> flow.backends.cuda.matmul.allow_tf32
        True
        >>> flow.set_float32_matmul_precision("highest")
    """
    if not isinstance(precision, str):
        raise InvalidArgumentError(f"set_float32_matmul_precision expects a str, but got {type_name(precision)}")
    if precision not in _LEVELS:
        raise ArgumentValueError(f"set_float32_matmul_precision: expected one of {_LEVELS}, but got {precision!r}")
    if precision == "highest":
        matmul.allow_tf32 = False
    else:
        change(matmul="tf32", medium=precision == "medium")


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` has set, or `allow_tf32` means: True is "high", False "highest".

    Source: torch.get_float32_matmul_precision.

    Example:
        >>> import tritonflow as flow
        >>> flow.get_float32_matmul_precision()
        'highest'
    """
    if not matmul.allow_tf32:
        return "highest"
    return "medium" if policy().medium else "high"
