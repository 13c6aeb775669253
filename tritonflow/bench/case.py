"""A case: a call to be timed, for one setting of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

OURS = "tritonflow"


@dataclass
class Timed:
    """A call to be timed, and what is known of it.

    Args:
        call: takes nothing; its result is compared with the reference, and thrown away.
        bytes: that it must move at least, each operand once.
        flops: its floating-point operations.
        products: the dtype of its matrix products, such as "bfloat16"; "" where it has none.
        reference: gives what the result should be, as tensors of torch in float64, or anything that NumPy takes.
        op_class: the class of tolerances of `flow.testing.TOLERANCES`.
        vs: rivals by name, which compute the same.
        checked: whether the result is compared; random draws are not.
        host: whether the time of the host is wanted, for a device that computes later.
        bar: the share of the roof that it should reach.
        first: the seconds of its first call, where that was made already.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.ones(1024)
        >>> flow.bench.Timed(lambda: x * 2, bytes=2 * x.nbytes, flops=1024).bytes
        8192
    """

    call: Callable[[], Any]
    bytes: float | None = None
    flops: float | None = None
    products: str = ""
    reference: Callable[[], Any] | None = None
    op_class: str = "pointwise"
    vs: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    checked: bool = True
    host: bool = False
    bar: float = 0.0
    first: float | None = None


@dataclass(frozen=True)
class Context:
    """Where a case is built: on which device, and whether its sizes are shrunk, to try it out."""

    device: str = "cpu"
    tiny: bool = False


@dataclass(frozen=True)
class Case:
    """A call for one setting of its parameters.

    Attributes:
        name: what patterns select.
        group: "ops", "kernels", "overhead", or the file.
        params: the setting.
        build: (library, context) -> what is timed in "tritonflow", "torch" or "jax"; None where that has no such call.
    """

    name: str
    group: str
    params: Mapping[str, Any]
    build: Callable[[str, Context], Timed | None]

    @property
    def label(self) -> str:
        """The name with the setting, such as "softmax size=medium"."""
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.params.items())])
