"""Prologues: what the kernel of a product (of matrices, a convolution, its gradients) does with its operands as it loads."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.dtypes import DType
from tritonflow.framework.meta import TensorMeta


class Prologues(NamedTuple):
    """The product is of a(input 0) and b(input 1), element by element.

    Attributes:
        a, b: scalar functions that give 0 of 0, for that is what masks leave; None for the elements as they are.
        dtype: of the product, and of what the functions give.
    """

    a: Any
    b: Any
    dtype: DType

    @property
    def any(self) -> bool:
        """Whether an operand has one."""
        return self.a is not None or self.b is not None

    @property
    def constexprs(self) -> dict[str, Any]:
        """As kernels take them."""
        return {"PROLOGUE_A": self.a, "PROLOGUE_B": self.b}


def as_loaded(operand: TensorMeta) -> Prologues:
    """None, for operands of this one's dtype."""
    return Prologues(None, None, operand.dtype)
