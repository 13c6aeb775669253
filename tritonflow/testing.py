"""Comparing results, by one table of tolerances. Both sides are compared in NumPy, by no kernel of ours.

A tolerance depends on the dtype that was computed in and on the class of the op: what it does with rounding errors. The
table below is the only one; a test that needs more names another class or says why.

What a result should be is computed in float64, by `reference`: no other library's float32, which differs between CPUs, decides
whether a test passes. The tolerances are for well-conditioned functions. Where one rounding of the inputs alone moves the
result by more, no order of float32 operations is closer, so `reference` measures that distance and `assert_close` allows for it:

    |actual - f(x)| <= atol + rtol |f(x)| + ROUNDINGS max over s of |f(x (1 + s eps)) - f(x)|,    s: a random sign for each element
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
import torch

from tritonflow.binding import data_exchange
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.backend_simulated import SimulatedWorld
from tritonflow.wire.backend_throttled import throttled as throttled

ROUNDINGS, DRAWS = 4.0, 4  # of each input, that a result may be off by; of random signs


class Tolerance(NamedTuple):
    """`|actual - expected| <= atol + rtol * |expected|`."""

    rtol: float
    atol: float


# exact: moves or selects values. pointwise: a few roundings. transcendental: exp, erf, tanh ... by polynomials.
# reduction: sums of many values in another order. matmul: sums of many products. norm: a reduction, then a division
# by its result.
TOLERANCES: dict[str, dict[str, Tolerance]] = {
    "exact": {name: Tolerance(0.0, 0.0) for name in ("float16", "bfloat16", "float32", "float64")},
    "pointwise": {
        "float16": Tolerance(1e-3, 1e-5),
        "bfloat16": Tolerance(1.6e-2, 1e-5),
        "float32": Tolerance(1.3e-6, 1e-6),
        "float64": Tolerance(1e-12, 1e-12),
    },
    "transcendental": {
        "float16": Tolerance(2e-3, 1e-4),
        "bfloat16": Tolerance(1.6e-2, 1e-3),
        "float32": Tolerance(5e-6, 2e-6),
        "float64": Tolerance(1e-10, 1e-11),
    },
    "reduction": {
        "float16": Tolerance(2e-3, 1e-3),
        "bfloat16": Tolerance(1.6e-2, 1e-2),
        "float32": Tolerance(1e-5, 1e-5),
        "float64": Tolerance(1e-11, 1e-11),
    },
    "matmul": {
        "float16": Tolerance(4e-3, 4e-3),
        "bfloat16": Tolerance(3.2e-2, 3.2e-2),
        "float32": Tolerance(2e-5, 2e-5),
        "float64": Tolerance(1e-10, 1e-10),
    },
    "norm": {
        "float16": Tolerance(4e-3, 2e-3),
        "bfloat16": Tolerance(3.2e-2, 1.6e-2),
        "float32": Tolerance(2e-5, 2e-5),
        "float64": Tolerance(1e-10, 1e-10),
    },
}
_WIDTHS = ("float64", "float32", "float16", "bfloat16")


def tolerance(dtype: DType | str, op_class: str = "pointwise") -> Tolerance:
    """The tolerance for a dtype and a class of ops; zero for integers and bool.

    Raises:
        ValueError: a class that is not in the table.

    Example:
        >>> from tritonflow.testing import tolerance
        >>> tolerance("int64")
        Tolerance(rtol=0.0, atol=0.0)
    """
    if op_class not in TOLERANCES:
        raise ValueError(f"no class of tolerances {op_class!r}; there are: {', '.join(TOLERANCES)}")
    name = dtype.name if isinstance(dtype, DType) else dtype
    return TOLERANCES[op_class].get(name, Tolerance(0.0, 0.0))


@dataclass(frozen=True)
class Reference:
    """What a result should be, as the expected side of `assert_close`.

    Attributes:
        values: computed in float64; infinite where they do not fit into `dtype`.
        dtype: the dtype that the result in question has.
        slack: how far from `values` roundings of the inputs may move a result, beside the tolerance.
    """

    values: numpy.ndarray
    dtype: str
    slack: numpy.ndarray | float = 0.0

    @classmethod
    def of(
        cls, values: torch.Tensor, dtype: torch.dtype, moved: Sequence[torch.Tensor] = (), roundings: float = ROUNDINGS
    ) -> Reference:
        """A reference from float64 results, of the inputs and of inputs that are a rounding away."""
        with numpy.errstate(all="ignore"):
            exact = values.detach().numpy().astype(numpy.float64)
            distances = [numpy.nan_to_num(numpy.abs(m.detach().numpy() - exact), posinf=0.0) for m in moved]
            if dtype.is_floating_point:
                fits = numpy.abs(exact) <= torch.finfo(dtype).max * (1 + 1e-9)
                exact = numpy.where(fits | numpy.isnan(exact), exact, numpy.copysign(numpy.inf, exact))
        slack = roundings * numpy.max(distances, axis=0) if distances else 0.0
        return cls(exact, str(dtype).removeprefix("torch."), slack)


def reference(
    function: Callable[..., Any], *args: Any, dtype: torch.dtype = torch.float32, roundings: float = ROUNDINGS
) -> Any:
    """What `function`, of torch tensors, gives in float64: a `Reference` for each tensor of its result.

    Args:
        function: gives a tensor, or a list or tuple of tensors; its own gradients, for example. It is called once, and once
        for each draw of signs.
        args: torch tensors, whose floating ones are converted to float64, and anything else, which is handed on.
        dtype: that of the floating results in question; they are computed in float32 where it is a half type.
        roundings: how many of each input a result may be off by, where it is a sum of many terms their number.

    Example:
        >>> import torch, tritonflow as flow
        >>> x = torch.tensor([1e4, 1.0, -1e4])
        >>> flow.testing.assert_close(flow.sum(flow.from_torch(x)), flow.testing.reference(torch.sum, x))
    """
    eps = torch.finfo(dtype if dtype == torch.float64 else torch.float32).eps
    generator = torch.Generator().manual_seed(0)

    def moved(x: Any, step: float) -> Any:
        if not isinstance(x, torch.Tensor) or not x.is_floating_point():
            return x
        signs = torch.randint(0, 2, x.shape, generator=generator) * 2 - 1
        return x.detach().double() * (1 + step * signs)

    results = [function(*[moved(x, step) for x in args]) for step in (0.0, *[eps] * DRAWS)]
    if isinstance(results[0], torch.Tensor):
        return _reference_of(results, dtype, roundings)
    return [_reference_of(each, dtype, roundings) for each in zip(*results)]


def in_float64(result: torch.Tensor, dtype: torch.dtype = torch.float32) -> Reference:
    """The reference that a result of torch in float64 is for one of `dtype`, within the tolerance alone."""
    if result.dtype != torch.float64:
        raise TypeError(f"a reference is computed in float64, not in {result.dtype}")
    return Reference.of(result, dtype)


def _reference_of(results: Sequence[torch.Tensor], dtype: torch.dtype, roundings: float) -> Any:
    exact, *moved = results
    return Reference.of(exact, dtype, moved, roundings) if exact.is_floating_point() else exact


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    op_class: str = "pointwise",
    equal_nan: bool = False,
    check_dtype: bool = True,
    check_device: bool = True,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise unless `|actual - expected| <= atol + rtol * |expected|` everywhere.

    Args:
        actual, expected: tensors of ours or of torch, arrays, numbers; or equal nestings of mappings and sequences of
        them; expected may be what `reference` gives.
        rtol, atol: tolerances, both or neither; from the table by dtype and `op_class` if None.
        op_class: 'exact', 'pointwise', 'transcendental', 'reduction', 'matmul' or 'norm'.
        equal_nan: whether two NaNs are equal.
        check_dtype, check_device: whether these have to agree between two tensors.
        msg: the error's text, or a function of it.

    Raises:
        AssertionError: what differs: where, how much, how many.
        ValueError: only one of rtol and atol.

    Source: torch.testing.assert_close.

    Example:
        >>> import tritonflow as flow
        >>> flow.testing.assert_close(flow.tensor([1.0, 2.0]), [1.0, 2.0], check_dtype=False)
    """
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    try:
        if isinstance(expected, Mapping) and isinstance(actual, Mapping):
            _compare_mappings(actual, expected, rtol, atol, op_class, equal_nan, check_dtype, check_device)
        elif _is_nesting(actual) and _is_nesting(expected):
            _compare_sequences(actual, expected, rtol, atol, op_class, equal_nan, check_dtype, check_device)
        else:
            given = None if rtol is None or atol is None else Tolerance(rtol, atol)
            _compare(_Side(actual), _Side(expected), given, op_class, equal_nan, check_dtype, check_device)
    except AssertionError as e:
        if msg is None:
            raise
        raise AssertionError(msg(str(e)) if callable(msg) else msg) from None


def _is_nesting(value: Any) -> bool:
    """A sequence with something else than numbers in it."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        return False
    return any(isinstance(v, (Tensor, torch.Tensor, numpy.ndarray, Mapping, Reference)) for v in value)


def _compare_mappings(actual: Mapping[Any, Any], expected: Mapping[Any, Any], *options: Any) -> None:
    if actual.keys() != expected.keys():
        missing, more = set(expected) - set(actual), set(actual) - set(expected)
        raise AssertionError(
            f"The keys of the mappings do not match: missing {sorted(missing)}, unexpected {sorted(more)}"
        )
    for key in expected:
        _compare_item(actual[key], expected[key], key, options)


def _compare_sequences(actual: Sequence[Any], expected: Sequence[Any], *options: Any) -> None:
    if len(actual) != len(expected):
        raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
    for i in range(len(expected)):
        _compare_item(actual[i], expected[i], i, options)


def _compare_item(actual: Any, expected: Any, key: Any, options: tuple[Any, ...]) -> None:
    names = ("rtol", "atol", "op_class", "equal_nan", "check_dtype", "check_device")
    try:
        assert_close(actual, expected, **dict(zip(names, options)))
    except AssertionError as e:
        raise AssertionError(f"{e}\nThe failure occurred for item [{key!r}]") from None


class _Side:
    """One side of a comparison: an array wide enough to compare in, and what it was."""

    def __init__(self, value: Any) -> None:
        self.dtype: str | None = None
        self.device: str | None = None
        self.slack: numpy.ndarray | float = 0.0
        if isinstance(value, Reference):
            self.array, self.dtype, self.slack = value.values, value.dtype, value.slack
        elif isinstance(value, Tensor):
            self.dtype, self.device = value.dtype.name, str(value.device)
            self.array = _host_array(data_exchange.to_torch(data_exchange.to_device(value, data_exchange.CPU)))
        elif isinstance(value, torch.Tensor):
            self.dtype = str(value.dtype).removeprefix("torch.")
            kind = value.device.type
            self.device = f"cuda:{value.device.index or 0}" if kind == "cuda" else kind
            self.array = _host_array(value.detach().cpu())
        else:
            self.array = numpy.asarray(value)
            if isinstance(value, numpy.ndarray):
                self.dtype = self.array.dtype.name
        if self.array.dtype.kind not in "biufc":
            raise TypeError(f"assert_close compares tensors, arrays and numbers, not {type(value)}")


def _host_array(tensor: torch.Tensor) -> numpy.ndarray:
    """The values as an array; bfloat16, which NumPy lacks, is the upper half of a float32."""
    if tensor.dtype != torch.bfloat16:
        return tensor.numpy()
    return (tensor.view(torch.int16).numpy().astype(numpy.uint32) << 16).view(numpy.float32)


def _compare(
    actual: _Side,
    expected: _Side,
    given: Tolerance | None,
    op_class: str,
    equal_nan: bool,
    check_dtype: bool,
    check_device: bool,
) -> None:
    if actual.array.shape != expected.array.shape:
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {actual.array.shape} != {expected.array.shape}."
        )
    if check_dtype and actual.dtype and expected.dtype and actual.dtype != expected.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.")
    if check_device and actual.device and expected.device and actual.device != expected.device:
        raise AssertionError(f"The values for attribute 'device' do not match: {actual.device} != {expected.device}.")
    allowed = given or tolerance(_coarser(actual, expected), op_class)
    _compare_values(actual.array, expected.array, allowed, equal_nan, expected.slack)


def _coarser(a: _Side, b: _Side) -> str:
    named = [s.dtype for s in (a, b) if s.dtype] or [a.array.dtype.name, b.array.dtype.name]
    floating = [name for name in named if name in _WIDTHS]
    return max(floating, key=_WIDTHS.index) if floating else named[0]


def _compare_values(
    actual: numpy.ndarray,
    expected: numpy.ndarray,
    allowed: Tolerance,
    equal_nan: bool,
    slack: numpy.ndarray | float = 0.0,
) -> None:
    if actual.dtype.kind in "biu" and expected.dtype.kind in "biu" and allowed == (0, 0):
        wrong = actual != expected
        difference = numpy.abs(actual.astype(object) - expected.astype(object)) if wrong.any() else None
    else:
        wide = numpy.complex128 if "c" in (actual.dtype.kind, expected.dtype.kind) else numpy.float64
        actual, expected = actual.astype(wide), expected.astype(wide)
        with numpy.errstate(all="ignore"):
            difference = numpy.abs(actual - expected)
            close = difference <= allowed.atol + allowed.rtol * numpy.abs(expected) + slack
        close &= numpy.isfinite(expected)
        close |= actual == expected  # infinities
        if equal_nan:
            close |= numpy.isnan(actual) & numpy.isnan(expected)
        wrong = ~close
    if wrong.any():
        raise AssertionError(_describe(actual, expected, wrong, difference, allowed))


def _describe(
    actual: numpy.ndarray, expected: numpy.ndarray, wrong: numpy.ndarray, difference: Any, allowed: Tolerance
) -> str:
    kind = "Scalars are" if actual.ndim == 0 else "Tensor-likes are"
    kind += " not equal!" if allowed == (0, 0) else " not close!"
    difference = numpy.where(wrong, difference, -1).astype(numpy.float64)
    difference = numpy.where(wrong & numpy.isnan(difference), math.inf, difference)
    worst = tuple(int(i) for i in numpy.unravel_index(int(difference.argmax()), actual.shape))
    with numpy.errstate(all="ignore"):
        relative = difference / numpy.abs(expected.astype(numpy.float64))
    lines = [kind, ""]
    if actual.ndim:
        lines.append(f"Mismatched elements: {wrong.sum()} / {wrong.size} ({100 * wrong.sum() / wrong.size:.1f}%)")
    lines += [
        f"Greatest absolute difference: {difference[worst]} at index {worst} (up to {allowed.atol} allowed)",
        f"    there: {actual[worst]!s} (actual), {expected[worst]!s} (expected)",
        f"Relative difference there: {relative[worst]} (up to {allowed.rtol} allowed)",
    ]
    return "\n".join(lines)


def simulate(ranks: int, nodes: int = 1) -> Callable[[Callable[..., Any]], Callable[..., list[Any]]]:
    """Run a function on every rank of a simulated world, whose ranks are threads of this process.

    Collectives of these ranks copy memory. Ranks that come with different ones, or all wait, raise at once.

    Args:
        ranks: how many.
        nodes: over how many nodes they are spread; it divides `ranks`.

    Returns:
        What makes of a function one that is called once on each rank, and returns the list of results.

    Raises:
        the first exception of a rank, with a note that says which rank's it is.

    Source: the simulated world of `tritonflow.wire`.

    Example:
        >>> import tritonflow as flow
        >>> flow.testing.simulate(2)(lambda x: x + 1)(3)
        [4, 4]
    """
    if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
        raise ValueError(f"simulate(): expected at least 1 as ranks, got {ranks!r}")
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1 or ranks % nodes:
        raise ValueError(f"simulate(): expected a divisor of {ranks} as nodes, got {nodes!r}")

    def on_all_ranks(function: Callable[..., Any]) -> Callable[..., list[Any]]:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> list[Any]:
            return SimulatedWorld(ranks, nodes).run(function, args, kwargs)

        return run

    return on_all_ranks
