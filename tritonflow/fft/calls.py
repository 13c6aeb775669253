"""What the functions of `flow.fft` share: their arguments and errors, `out=`, and the roads to `functions/fourier`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from tritonflow import _C
from tritonflow.binding.shared_docs import documented
from tritonflow.binding.torch_calls import call_into
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.fourier import along

Sizes = Sequence[int] | int | None
Dims = Sequence[int] | int | None


_TEXTS = {
    "input": "any shape; whole numbers count as the default dtype.",
    "n": "how many numbers are taken along the dimension, with zeros behind them where there are fewer; all unless given.",
    "s": "how many numbers are taken along each dimension, with zeros behind them where there are fewer; all where it is -1,\n"
    "        or not given.",
    "dim": "along which dimension, or dimensions; None for the last len(s), or all.",
    "norm": 'what is divided: "backward" (default) the inverse transform by n, "forward" the forward one by n, "ortho" both by\n'
    "        sqrt(n). Of several dimensions n is the product of the sizes.",
    "out": "a tensor that the result is written into.",
}
_ERRORS = {
    "RuntimeError": "no numbers, sizes that do not fit the dimensions, another norm, or a dtype that is not taken.",
    "IndexError": "there is no such dimension.",
    "TypeError": "the input is no tensor.",
}


def transform(function: Callable[..., Tensor]) -> Callable[..., Any]:
    """A transform under its name, with torch's `out=`. Its docstring gets what all say of arguments and errors."""

    @wraps(function)
    def called(input: Any, *args: Any, out: Tensor | None = None, **options: Any) -> Any:
        name = f"fft_{function.__name__}"
        if not isinstance(input, Tensor):
            raise ArgumentTypeError(f"{name}(): argument 'input' must be Tensor, not {type_name(input)}")
        if "axis" in options:  # NumPy's name
            options["dim"] = options.pop("axis")
        if out is None:
            return function(input, *args, **options)
        return call_into(name, out, lambda values: function(*values, **options), [input, *args], (), {})

    signature = inspect.signature(function)
    keyword = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Tensor | None")
    called.__signature__ = signature.replace(parameters=[*signature.parameters.values(), keyword])  # type: ignore[attr-defined]
    return documented("torch.fft", _TEXTS, _ERRORS)(called)


def along_one(name: str, input: Tensor, n: int | None, dim: int, norm: str | None, sign: int) -> Tensor:
    x = along.promoted(input, name, True)
    at = along.one_dim(x, dim)
    size = along.check_length(x.meta.shape[at] if n is None or n == -1 else n)
    return along.transformed(x, [at], [size], sign, along.checked_norm(norm))


def along_several(name: str, input: Tensor, s: Sizes, dim: Dims, norm: str | None, sign: int) -> Tensor:
    x = along.promoted(input, name, True)
    dims, sizes = along.dims_and_sizes(x, s, dim)
    return along.transformed(x, dims, sizes, sign, along.checked_norm(norm))


def to_half(name: str, input: Tensor, s: Sizes, dim: Dims, norm: str | None, sign: int) -> Tensor:
    """The pairs of half a spectrum of real numbers."""
    x = along.promoted(input, name, False)
    dims, sizes = along.dims_and_sizes(x, s, dim)
    if not dims:
        raise InvalidArgumentError(f"{name} must transform at least one axis")
    found: Tensor = along.half_spectrum(x, dims, sizes, sign, along.checked_norm(norm))
    return found


def of_half(name: str, input: Tensor, s: Sizes, dim: Dims, norm: str | None, sign: int) -> Tensor:
    """The real numbers of half a spectrum. The last size is that of the result, 2 (m - 1) of m numbers unless given."""
    x = along.promoted(input, name, True)
    asked = [s] if isinstance(s, int) else s
    dims, sizes = along.dims_and_sizes(x, asked, dim)
    if not dims:
        raise InvalidArgumentError(f"{name} must transform at least one axis")
    if asked is None or asked[-1] == -1:
        sizes[-1] = along.check_length(2 * (x.meta.shape[dims[-1]] - 1))
    return along.of_half_spectrum(_C.pairs_of_complex(x), dims, sizes, sign, along.checked_norm(norm))


def conjugated(pairs: Tensor) -> Tensor:
    found: Tensor = _C.conj_physical(along.numbers(pairs))
    return found


def listed(name: str, input: Tensor, n: int | None, dim: int) -> tuple[list[int] | None, list[int]]:
    """Arguments of one dimension as those of several."""
    at = along.one_dim(input, dim)
    if n is not None and n != -1:
        along.check_length(n)
    return None if n is None else [n], [at]
