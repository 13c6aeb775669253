"""`torch.testing`: comparisons with torch's tolerances, and tensors of random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tritonflow as flow
from tritonflow.mock_torch.random_tensors import make_tensor  # noqa: F401
from tritonflow.testing import assert_close as _assert_close

_TOLERANCES = {
    "float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7),
    "complex32": (1e-3, 1e-5), "complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7),
}  # fmt: skip


def assert_close(
    actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None, atol: float | None = None,
    equal_nan: bool = False, check_device: bool = True, check_dtype: bool = True, check_layout: bool = True,
    check_stride: bool = False, msg: str | Callable[[str], str] | None = None,
) -> None:  # fmt: skip
    """`flow.testing.assert_close`, with torch's tolerances where none are given."""
    options: dict[str, Any] = {
        "check_dtype": check_dtype,
        "equal_nan": equal_nan,
        "check_device": check_device,
        "msg": msg,
    }
    if rtol is None and atol is None:
        rtol, atol = _tolerance(actual, expected)
    if check_stride and actual.stride() != expected.stride():
        raise AssertionError(
            f"The values for attribute 'stride()' do not match: {actual.stride()} != {expected.stride()}."
        )
    _assert_close(actual, expected, rtol=rtol, atol=atol, **options)


def _tolerance(*sides: Any) -> tuple[float, float]:
    """The widest of the tolerances of the tensors and numbers that are compared."""
    found = [(0.0, 0.0)]
    for side in sides:
        if isinstance(side, flow.Tensor):
            found.append(_TOLERANCES.get(side.dtype.name, (0.0, 0.0)))
        elif isinstance(side, (float, complex)):
            found.append(_TOLERANCES["float64"])
        elif isinstance(side, Mapping):
            found.append(_tolerance(*side.values()))
        elif isinstance(side, Sequence) and not isinstance(side, str):
            found.append(_tolerance(*side))
    return max(found)


def assert_allclose(
    actual: Any, expected: Any, rtol: Any = None, atol: Any = None, equal_nan: bool = True, msg: str = ""
) -> None:
    """As `assert_close`, without regard to dtypes."""
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)
