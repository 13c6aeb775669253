"""Pointwise ops of one's own: of a scalar function, which graphs fuse with their neighbours."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from tritonflow.errors import AutogradError, InvalidArgumentError, type_name
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.library.custom_op import CustomOp
from tritonflow.library.names import key_of
from tritonflow.library.schema import Parameter, Schema
from tritonflow.library.table import put
from tritonflow.ops.op_def import OpDef

RESULTS = ("promoted", "float", "bool")


def pointwise_op(
    name: str,
    function: Any = None,
    /,
    *,
    derivative: Mapping[str, Callable[..., Any]] | None = None,
    numbers: Sequence[str] = (),
    result: str = "promoted",
) -> Any:
    """A pointwise op of a scalar function; without one a decorator.

    The op broadcasts, promotes and takes any strides. Graphs fuse it with its neighbours. vmap, consistent tensors and the meta
    device need no rules.

    Args:
        name: such as "mine::swish".
        function: decorated with `triton.jit`; of scalars, which are float32 or float64 where the tensors are of floats. Its
            parameters are the tensors, then the numbers.
        derivative: for tensors by name a function `(dy, *arguments)` of tensors that gives the gradient. Made of ops, other
            pointwise ops of one's own among them, it is differentiable again. Backward is an error
            for a tensor without one that requires grad.
        numbers: the names of the parameters that are Python numbers.
        result: the dtype of the result: "promoted" from the tensors, "float" (of integers the default dtype), or "bool".

    Raises:
        RuntimeError: `function` is not of Triton's, or names and parameters do not agree.

    Example:
        >>> import triton, triton.language as tl
        >>> import tritonflow as flow
        >>> derivative = {"x": lambda dy, x, y, a: dy * a, "y": lambda dy, x, y, a: dy}
        >>> @flow.library.pointwise_op("mine::axpy", numbers=("a",), derivative=derivative)
        ... @triton.jit
        ... def axpy(x, y, a):
        ...     return a * x + y
        >>> x = flow.ones(2, requires_grad=True)
        >>> z = axpy(x, flow.ones(3, 1), 2.0)
        >>> z.sum().backward()
        >>> z.shape, x.grad.tolist()
        (tritonflow.Size([3, 2]), [6.0, 6.0])
    """
    if function is None:
        return lambda given: pointwise_op(name, given, derivative=derivative, numbers=numbers, result=result)
    from tritonflow import triton_compat  # with Triton

    if not triton_compat.is_jit_function(function):
        raise InvalidArgumentError(f"{name}: a pointwise op is of a function that is decorated with triton.jit")
    if result not in RESULTS:
        raise InvalidArgumentError(f"{name}: result is one of {', '.join(RESULTS)}, not {result!r}")
    op = PointwiseOp(key_of(name), function, dict(derivative or {}), tuple(numbers), result)
    put(op)
    return op


class PointwiseOp(CustomOp):
    """See `pointwise_op`."""

    def __init__(
        self, name: str, function: Any, derivative: dict[str, Callable[..., Any]], numbers: tuple[str, ...], result: str
    ) -> None:
        names = tuple(function.arg_names)
        inputs = names[: len(names) - len(numbers)]
        if not inputs or names[len(inputs) :] != numbers or not derivative.keys() <= set(inputs) or function.constexprs:
            raise InvalidArgumentError(
                f"{name}: the parameters {', '.join(names)} of the function are tensors, at least one, and behind them the numbers"
                f" ({', '.join(numbers) or 'none'}), and no constexprs; a derivative is of a tensor"
            )
        parameters = [Parameter(each, (Tensor,)) for each in inputs]
        parameters += [Parameter(each, (int, float)) for each in numbers]
        super().__init__(name, Schema(parameters, ()), is_composite=True)  # the op below has the derivative
        definition = OpDef(
            name, inputs, ("out",), dynamic=numbers, target=adopt(function), result=result,
            differentiable=tuple([each for each in inputs if each in derivative]),
            nondifferentiable=("out",) if result == "bool" else (),
            saved=inputs if derivative else (),
            saved_for=(tuple(range(len(inputs))),) * len(inputs) if derivative else (),
        )  # fmt: skip
        self.scalar_function = function
        self._expr = OpExpr(definition, derivative=_derivative(name, inputs, derivative))
        self._signature = inspect.signature(function.fn)
        self.__doc__ = function.__doc__
        self.register_kernel(None, self._dispatched)

    def _run(self, tensors: list[Tensor], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """The runtime's own op, which has all that is around the function of others."""
        return self._dispatched(*args, **options)

    def _dispatched(self, *args: Any, **options: Any) -> Any:
        bound = self._signature.bind(*args, **options)
        bound.apply_defaults()
        values, count = bound.args, len(self._expr.definition.inputs)
        return dispatch(self._expr, values[:count], (), values[count:])


def adopt(function: Any) -> str:
    """Enter a function of the user's among the scalar functions, as the only one of a file that is called after its source.

    Returns:
        The "file.function" by which ops and fused kernels name it.
    """
    from tritonflow import triton_compat  # as above

    file = f"own_{triton_compat.function_key(function)[:16]}"
    module = ModuleType(f"tritonflow.kernels.functions.{file}")
    setattr(module, function.__name__, function)
    sys.modules[module.__name__] = module
    return f"{file}.{function.__name__}"


def _derivative(name: str, inputs: tuple[str, ...], formulas: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    def derivative(node: Any, dy: Any) -> tuple[Any, ...]:
        if not formulas:
            raise AutogradError(
                f"Trying to backward through {name} but no autograd formula was registered. If you need autograd, please"
                " give pointwise_op a derivative."
            )
        given = (*[node.saved(k) for k in range(len(inputs))], *node.dynamic)
        return tuple([
            _gradient(name, each, formulas[each](dy, *given)) if each in formulas and needed else None
            for each, needed in zip(inputs, node.needs)
        ])  # fmt: skip

    return derivative


def _gradient(op: str, tensor: str, found: Any) -> Tensor | None:
    if found is None or isinstance(found, Tensor):
        return found
    raise AutogradError(f"{op}: the derivative of {tensor} gave a {type_name(found)}; expected a Tensor, or None for no gradient")
