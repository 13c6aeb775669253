"""`opcheck`: whether what an op of one's own says of itself is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from tritonflow.device.device import META
from tritonflow.errors import AutogradError, InvalidArgumentError
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import MetaTensorImpl
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.library.arguments import mapped, tensors_of
from tritonflow.library.custom_op import CustomOp
from tritonflow.library.table import find_op

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def opcheck(
    op: CustomOp | str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] | None = None,
    raise_exception: bool = True,
    atol: float | None = None,
    rtol: float | None = None,
) -> dict[str, Any]:
    """Run an op on arguments and compare what it does with what it says.

    | test | what it finds |
    |---|---|
    | test_schema | arguments that are written and not named by mutates_args, results that are arguments or share their memory |
    | test_autograd_registration | no derivative for tensors that require grad |
    | test_faketensor | other shapes or dtypes on the meta device |
    | test_aot_dispatch_dynamic | other numbers in `flow.compile` |

    Whether gradients are right is for `flow.autograd.gradcheck`.

    Args:
        op: the op, or its name.
        args, kwargs: its arguments; they are copied.
        test_utils: the names of the tests, or one; all by default.
        raise_exception: raise what a test finds; otherwise it is in the result.
        atol, rtol: tolerances of the last test; by default no number may differ.

    Returns:
        for each test "SUCCESS", or the exception.

    Raises:
        RuntimeError: a test fails.

    Source: torch.library.opcheck.

    Example:
        >>> import tritonflow as flow
        >>> @flow.library.custom_op("mine::twice", mutates_args=())
        ... def twice(x: flow.Tensor) -> flow.Tensor:
        ...     return x * 2
        >>> flow.library.opcheck(twice, (flow.ones(2),), test_utils=("test_schema", "test_faketensor"))
        {'test_schema': 'SUCCESS', 'test_faketensor': 'SUCCESS'}
    """
    found = find_op(op) if isinstance(op, str) else op
    if not isinstance(found, CustomOp):
        raise InvalidArgumentError(f"opcheck(): expected an op of flow.library, but got {op!r}")
    names = [test_utils] if isinstance(test_utils, str) else list(TESTS if test_utils is None else test_utils)
    unknown = [name for name in names if name not in TESTS]
    if unknown:
        raise InvalidArgumentError(f"opcheck(): no test {', '.join(unknown)}; there are {', '.join(TESTS)}")
    results: dict[str, Any] = {}
    for name in names:
        try:
            TESTS[name](found, (args, kwargs or {}), {"rtol": rtol or 0.0, "atol": atol or 0.0})
            results[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise
            results[name] = error
    return results


def _copied(given: Arguments, requires_grad: bool = True) -> Arguments:
    def copy(x: Tensor) -> Tensor:
        with no_grad():
            found: Any = x.clone()  # type: ignore[attr-defined]
        wanted: Any = x
        return found.requires_grad_() if requires_grad and wanted.requires_grad else found

    args, options = given
    return mapped(copy, args), mapped(copy, options)


def _tensors(result: Any) -> list[Tensor]:
    return tensors_of(tuple(result) if isinstance(result, (tuple, list)) else (result,), {})


def _test_schema(op: CustomOp, given: Arguments, tolerance: dict[str, float]) -> None:
    args, options = _copied(given, requires_grad=False)
    op_result = _tensors(op(*args, **options))  # which compares writes with mutates_args
    memory = {tensor.impl for tensor in tensors_of(args, options)}
    if any(result.impl in memory for result in op_result):
        raise InvalidArgumentError(
            f"{op._qualname}: a result is an argument, or shares its memory; help: return a copy, or nothing of what is written"
        )


def _test_autograd(op: CustomOp, given: Arguments, tolerance: dict[str, float]) -> None:
    if not any(getattr(tensor, "requires_grad", False) for tensor in tensors_of(*given)):
        return
    args, options = _copied(given)
    wanted = [result for result in _tensors(op(*args, **options)) if result.meta.dtype.has_gradient]
    if wanted and not any(getattr(result, "requires_grad", False) for result in wanted):
        raise AutogradError(f"{op._qualname}: arguments require grad, and no result does; help: register_autograd")
    if op._backward is None and not op.is_composite:
        raise AutogradError(f"{op._qualname}: no derivative; help: register_autograd")


def _test_meta(op: CustomOp, given: Arguments, tolerance: dict[str, float]) -> None:
    def without_data(x: Tensor) -> Tensor:
        meta = x.meta
        return Tensor(TensorMeta.get(meta.shape, meta.stride, meta.dtype, META), MetaTensorImpl(), 0)

    args, options = given
    with no_grad():
        expected = _tensors(op(*_copied(given)[0], **_copied(given)[1]))
        found = _tensors(op(*mapped(without_data, args), **mapped(without_data, options)))
    described = [[(list(t.meta.shape), t.meta.dtype) for t in each] for each in (found, expected)]
    if described[0] != described[1]:
        raise InvalidArgumentError(
            f"{op._qualname}: on the meta device it gives {described[0]}, with data {described[1]}; help: register_fake"
        )


def _test_captured(op: CustomOp, given: Arguments, tolerance: dict[str, float]) -> None:
    from tritonflow.graph import compile  # the room above all that an op needs

    (args, options), (same_args, same_options) = _copied(given), _copied(given)
    expected = op(*args, **options)
    found = compile(lambda *args, **options: op(*args, **options), fullgraph=True)(*same_args, **same_options)
    pairs = [*zip(_tensors(found), _tensors(expected)), *zip(tensors_of(same_args, same_options), tensors_of(args, options))]
    for mine, theirs in pairs:
        numbers: list[Any] = [each.detach().double().numpy() for each in (mine, theirs)]  # type: ignore[attr-defined]
        message = f"{op._qualname} in flow.compile"
        numpy.testing.assert_allclose(numbers[0], numbers[1], tolerance["rtol"], tolerance["atol"], err_msg=message)


TESTS: dict[str, Callable[[CustomOp, Arguments, dict[str, float]], None]] = {
    "test_schema": _test_schema,
    "test_autograd_registration": _test_autograd,
    "test_faketensor": _test_meta,
    "test_aot_dispatch_dynamic": _test_captured,
}
