"""Cases that are written once for all libraries: `lib` is tritonflow or torch, and `make` makes its tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tritonflow.bench.case import Case, Context, Timed
from tritonflow.bench.libraries import Make, in_float64, library_of, maker

Build = Callable[[Any, Make], Callable[[], Any]]
Operand = tuple[tuple[int, ...], dict[str, Any]]
SIZE = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True)
class KernelCase:
    """One call.

    Attributes:
        name: op, dtype and sizes.
        build: (lib, make) -> the call.
        bytes: that it must move at least, each operand once.
        operations: of its products, 2 for a multiply-add.
        dtype: of its products' operands.
        exact: whether two libraries give the same numbers but for rounding; random draws do not.
        bar: the share of the roof that it should reach.
        host: whether the host's time is wanted.
    """

    name: str
    build: Build
    bytes: float = 0.0
    operations: float = 0.0
    dtype: str = "float32"
    exact: bool = True
    bar: float = 0.0
    host: bool = False

    def timed(self, library: str, context: Context) -> Timed | None:
        """The call in tritonflow or torch."""
        if library == "jax":
            return None
        call = self.build(library_of(library), maker(library, context))
        known = 0.0 if context.tiny else 1.0  # of other sizes nothing is known
        products = ("conv " if self.name.startswith("conv") else "") + self.dtype if self.operations else ""
        return Timed(
            call, known * self.bytes or None, known * self.operations or None, products,
            partial(self._in_float64, context), "matmul", checked=self.exact, host=self.host, bar=known * self.bar,
        )  # fmt: skip

    def _in_float64(self, context: Context) -> Any:
        """torch's result in float64; in the case's own dtypes where torch has it in no other, as of float8."""
        try:
            return self.build(library_of("torch"), in_float64(maker("torch", context)))()
        except (RuntimeError, ValueError, TypeError):
            return self.build(library_of("torch"), maker("torch", context))()


def cases(written: Iterable[KernelCase], group: str) -> Iterator[Case]:
    """As the harness takes them."""
    for one in written:
        yield Case(one.name, group, {}, one.timed)


def t(*shape: int, **options: Any) -> Operand:
    """An operand, as `make` takes it."""
    return shape, options


def forward(function: Callable[..., Any], *operands: Operand) -> Build:
    """The case of function(lib, *tensors)."""

    def build(lib: Any, make: Make) -> Callable[[], Any]:
        tensors = [make(*shape, **options) for shape, options in operands]
        return lambda: function(lib, *tensors)

    return build


def backward(function: Callable[..., Any], *operands: Operand) -> Build:
    """The case of the gradients of function(lib, *tensors) by the tensors that are made with grad=True."""

    def build(lib: Any, make: Make) -> Callable[[], Any]:
        tensors = [make(*shape, **options) for shape, options in operands]
        y = function(lib, *tensors)
        dy = make(*y.shape, dtype="bfloat16").to(y.dtype)  # the same numbers in every dtype
        leaves = [x for x in tensors if x.requires_grad]
        return lambda: lib.autograd.grad([y], leaves, [dy], retain_graph=True)

    return build


def few_bits(
    lib: Any, make: Make, form: str, group: int, x: tuple[int, int], n: int, dtype: str = "float32"
) -> tuple[Any, Any, Any]:
    """x, and the codes and scales of a weight of n rows; of small sizes, too, its columns are whole groups."""
    operand = make(x[0], x[1] // 32, 32, dtype=dtype).flatten(1)
    columns, is_bytes = operand.shape[1], form == "int8"
    codes = make(n, 32, columns // (32 if is_bytes else 256), dtype="int64", high=127).flatten(1)
    scales = make(n, columns // group if group else 1, dtype=dtype)
    return operand, codes.to(lib.int8 if is_bytes else lib.int32), scales
