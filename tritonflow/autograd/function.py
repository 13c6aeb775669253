"""`autograd.Function`: an op of the user's own, with its backward.

Source: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from tritonflow.autograd.backward import grad as gradients_of
from tritonflow.autograd.batched_function import apply_batched
from tritonflow.errors import ArgumentTypeError, AutogradError, NotYetImplementedError, foreign_hint, type_name
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.dispatch import dispatch_view
from tritonflow.interpreter.engine import expose
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad, set_grad_enabled
from tritonflow.interpreter.grad_node import GradNode, raise_released
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.inplace import rebase_history, refuse_leaf, refuse_overlap
from tritonflow.interpreter.recording import edges_of, require_grad
from tritonflow.interpreter.saved_tensors import pack, pack_by_hooks, unpack
from tritonflow.thread_state import thread_state


class FunctionCtx:
    """What `forward` leaves for `backward`; the first argument of both. Its node owns it, and has what it saves."""

    def __init__(self) -> None:
        self._to_save: tuple[Any, ...] = ()
        self._saved_for_forward: tuple[Any, ...] = ()
        self._non_differentiable: tuple[Tensor, ...] = ()
        self._dirty: tuple[Tensor, ...] = ()
        self._materialize = True
        self._node: weakref.ref[FunctionNode] | None = None
        self.needs_input_grad: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, under version control.

        Raises:
            TypeError: an argument is neither a tensor nor None.
        """
        _require_tensors("save_for_backward", tensors)
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for `jvp`, which forward mode calls, under version control.

        Raises:
            TypeError: an argument is neither a tensor nor None.
        """
        _require_tensors("save_for_forward", tensors)
        self._saved_for_forward = tensors

    @property
    def saved_for_forward(self) -> tuple[Tensor | Any, ...]:
        """What `save_for_forward` kept."""
        return self._saved_for_forward if self._node is None else self._recorded().saved_for_forward()

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Outputs that have no gradient."""
        self._non_differentiable = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Inputs that forward wrote in place and returns."""
        self._dirty = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether a missing gradient reaches backward as zeros (the default) or as None."""
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | Any, ...]:
        """What `save_for_backward` saved.

        Raises:
            RuntimeError: it is released, by a backward or with the outputs; or it was written in place since.
        """
        return self._to_save if self._node is None else self._recorded().saved_tensors()

    def _recorded(self) -> FunctionNode:
        assert self._node is not None
        node = self._node()
        if node is None:
            raise AutogradError(
                "the tensors that ctx has saved are released, as no output of the function is left; help: keep an output while"
                " ctx.saved_tensors is read"
            )
        return node

    def forget_tensors(self) -> None:
        """Leave the tensors to the node: an output here would be a cycle, which only the collector frees."""
        self._to_save = self._saved_for_forward = self._dirty = self._non_differentiable = ()


def _require_tensors(method: str, values: tuple[Any, ...]) -> None:
    for position, value in enumerate(values):
        if value is not None and not isinstance(value, Tensor):
            raise ArgumentTypeError(
                f"{method} can only save tensors, but argument {position} is of type {type_name(value)}{foreign_hint(value)}; help:"
                " keep other values as attributes of ctx"
            )


class FunctionNode(GradNode):
    """The backward of one application of a `Function`."""

    __slots__ = ("ctx", "function", "out_metas", "_saved")

    def __init__(
        self, edges: Any, ctx: FunctionCtx, function: Any, out_metas: tuple[TensorMeta | None, ...]
    ) -> None:
        super().__init__(edges)
        self.ctx = ctx
        self.function = function
        self.out_metas = out_metas
        self._saved: tuple[tuple[Any, ...], tuple[Any, ...]] | None = None  # for backward, and for `jvp`

    @property
    def output_count(self) -> int:  # type: ignore[override]
        """How many outputs forward returned."""
        return len(self.out_metas)

    def name(self) -> str:
        """The function's name with Backward."""
        return f"{self.function.__name__}Backward"

    def output_meta(self, output_nr: int) -> TensorMeta:
        meta = self.out_metas[output_nr]
        assert meta is not None  # what is no tensor has no gradient
        return meta

    def saved_tensors(self) -> tuple[Tensor | Any, ...]:
        """The saved tensors, checked against in-place writes."""
        return self._unpacked(0)

    def saved_for_forward(self) -> tuple[Tensor | Any, ...]:
        """Those that `jvp` reads, checked likewise."""
        return self._unpacked(1)

    def _unpacked(self, which: int) -> tuple[Tensor | Any, ...]:
        if self._saved is None:
            raise_released(self)
        assert self._saved is not None
        return tuple(unpack(saved, self) for saved in self._saved[which])

    def apply(self, grads: list[Any]) -> Any:
        if self._saved is None:
            raise_released(self)
        expose(grads)
        if self.ctx._materialize:
            grads = [gradient_ops.zeros(m) if g is None and m is not None else g for g, m in zip(grads, self.out_metas)]
        results = self._transposed(grads) if thread_state.forward_mode and self._has_jvp() else self._backward(grads)
        results = results if isinstance(results, tuple) else (results,)
        count = len(self.edges)
        if len(results) > count and any(r is not None for r in results[count:]) or len(results) < count:
            raise AutogradError(
                f"function {self.name()} returned an incorrect number of gradients (expected {count}, got {len(results)})"
            )
        for position, result in enumerate(results):
            if result is not None and not isinstance(result, Tensor):
                came = f"{type_name(result)}{foreign_hint(result)}"
                raise TypeError(f"{self.name()}: gradient {position} must be a tensor or None, not {came}")
        expose(results)
        return results[:count]

    def _backward(self, grads: list[Any]) -> Any:
        function = self.function
        derivative = function.vjp if function.backward is Function.backward else function.backward
        return derivative(self.ctx, *grads)

    def _has_jvp(self) -> bool:
        return self.function.jvp is not Function.jvp

    def _transposed(self, grads: list[Any]) -> Any:
        """The gradients by which `jvp` is a part of a backward: `jvp` is linear in the tangents, and this is its transpose."""
        with set_grad_enabled(True):
            tangents = [None if e is None else gradient_ops.zeros(e[0].output_meta(e[1])) for e in self.edges]
            for tangent in tangents:
                if tangent is not None:
                    require_grad(tangent)
            found = self.function.jvp(self.ctx, *tangents)
            outputs = found if isinstance(found, tuple) else (found,)
            pairs = [(out, g) for out, g in zip(outputs, grads) if out is not None and edges_of((out,))[0] is not None]
            wanted = [t for t in tangents if t is not None]
            if not pairs:
                return tuple([None] * len(tangents))
            outs, given = [out for out, _ in pairs], [g for _, g in pairs]
            results = iter(gradients_of(outs, wanted, given, retain_graph=True, create_graph=True, allow_unused=True))
        return tuple([None if t is None else next(results) for t in tangents])

    def twin(self) -> FunctionNode:
        ctx = copy(self.ctx)
        node = FunctionNode(self.edges, ctx, self.function, self.out_metas)
        node._saved, ctx._node = self._saved, weakref.ref(node)
        return node

    def release(self) -> None:
        self._saved = None

    @property
    def is_released(self) -> bool:
        return self._saved is None


class Function:
    """Base class of user-defined ops: static methods `forward(ctx, *args)` and `backward(ctx, *grads)`.

    `forward` runs without recording; `backward` returns one gradient per argument of `forward`, None for those without.
    Call it as `MyFunction.apply(*args)`.

    Where there is a static method `setup_context(ctx, inputs, output)`, `forward(*args)` gets no ctx. `vjp` is another name of
    `backward`. A static method `jvp(ctx, *tangents)` is what forward mode uses. Inside of `vmap` a function needs a static method
    `vmap(info, in_dims, *args)`, which returns (outputs, their dimensions of slices), or `generate_vmap_rule = True`.

    Example:
        >>> import tritonflow as flow
        >>> class Double(flow.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, dy):
        ...         return dy * 2
        >>> x = flow.ones(2, requires_grad=True)
        >>> Double.apply(x).sum().backward()
        >>> x.grad.tolist()
        [2.0, 2.0]
    """

    generate_vmap_rule = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """The op, of the user's own."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """What `backward` needs of the inputs and the output, put into ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(*args: Any, **kwargs: Any) -> Any:
        """The gradients of the inputs, from those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward"
            " mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(*args: Any, **kwargs: Any) -> Any:
        """The tangents of the outputs, from those of the inputs: linear in these."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    def __call__(self, *args: Any) -> Any:
        """OneFlow's way to apply: `MyFunction()(*args)`."""
        return self.apply(*args)

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run `forward` and record the function for backward."""
        if thread_state.batch_levels and any(isinstance(a, Tensor) and a.impl.__class__ is BatchedTensorImpl for a in args):
            return apply_batched(cls, args, Function)
        return Function._applied(cls, args)

    @staticmethod
    def _applied(function: Any, args: tuple[Any, ...]) -> Any:
        """Run the methods of a function, or of what looks like one, below vmap."""
        ctx = FunctionCtx()
        tensors = tuple(a if isinstance(a, Tensor) else None for a in args)
        recording = is_grad_enabled()
        edges = edges_of(tensors) if recording else (None,) * len(args)
        ctx.needs_input_grad = tuple(edge is not None for edge in edges)
        with no_grad():
            if function.setup_context is Function.setup_context:
                result = function.forward(ctx, *args)
            else:
                result = function.forward(*args)
                function.setup_context(ctx, args, result)
        outputs = result if isinstance(result, tuple) else (result,)
        if ctx._dirty:
            _require_dirty_returned(function, ctx._dirty, outputs)
        outputs = tuple(_fresh(o, tensors, ctx._dirty) for o in outputs)
        if any(edge is not None for edge in edges):
            _record(function, ctx, edges, tensors, outputs)
        return outputs if isinstance(result, tuple) else outputs[0]


def _require_dirty_returned(function: Any, dirty: tuple[Tensor, ...], outputs: tuple[Any, ...]) -> None:
    for tensor in dirty:
        if not any(output is tensor for output in outputs):
            raise AutogradError(
                f"{function.__name__}: Some elements marked as dirty during the forward method were not returned as output. The"
                " inputs that are modified inplace must all be outputs of the Function."
            )


def _fresh(output: Any, inputs: tuple[Any, ...], dirty: tuple[Tensor, ...]) -> Any:
    """An output that is one of the inputs becomes an alias of its own, unless it was written in place."""
    if isinstance(output, Tensor) and any(output is t for t in inputs) and not any(output is t for t in dirty):
        return output.detach()
    return output


def _record(function: Any, ctx: FunctionCtx, edges: Any, inputs: Any, outputs: tuple[Any, ...]) -> None:
    metas = tuple(o.meta if isinstance(o, Tensor) else None for o in outputs)  # backward has a gradient for each output
    node = FunctionNode(edges, ctx, function, metas)
    for tensor in ctx._dirty:
        refuse_overlap(tensor.meta)
        refuse_leaf(tensor, True)
        tensor.impl.version += 1
    for number, output in enumerate(outputs):
        if not isinstance(output, Tensor):
            continue
        differentiable = output.meta.dtype.has_gradient and not any(output is t for t in ctx._non_differentiable)
        if any(output is t for t in ctx._dirty):
            if output._view is not None and (number or inputs[0] is not output):
                raise NotYetImplementedError(
                    f"{function.__name__}: mark_dirty() of a view that is not the first input and the first output"
                )
            rebase_history(output, node, dispatch_view, number)
        elif differentiable:
            output._node = node
            if output._view is not None or any(t is not None and t.impl is output.impl for t in inputs):
                output._is_of_function = True
            if number:
                output._output_nr = number
    saved = pack_by_hooks(tuple([_pack_saved(t, node, inputs, edges, outputs) for t in ctx._to_save]))
    node._saved = saved, tuple([_pack_saved(t, node, inputs, edges, outputs) for t in ctx._saved_for_forward])
    ctx._node = weakref.ref(node)
    ctx.forget_tensors()


def _pack_saved(tensor: Any, node: FunctionNode, inputs: Any, edges: Any, outputs: tuple[Any, ...]) -> Any:
    if tensor is None:
        return None
    if tensor._node is node:
        return pack(tensor, tensor.impl.version, None, is_output=True)
    position = next((k for k, result in enumerate(outputs) if result is tensor), -1)
    if position >= 0 and any(tensor is t for t in node.ctx._dirty):  # a view, whose base has the history
        return (tensor.meta, tensor.impl, tensor.ptr, tensor.impl.version, None, position)
    for given, edge in zip(inputs, edges):
        if given is tensor:
            return pack(tensor, tensor.impl.version, edge, is_output=False)
    return pack(tensor, tensor.impl.version, edges_of((tensor,))[0], is_output=False)


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a `backward` that cannot be differentiated again: a second backward through its results raises a RuntimeError.

    Example:
        >>> import tritonflow as flow
        >>> class Square(flow.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     @flow.autograd.function.once_differentiable
        ...     def backward(ctx, dy):
        ...         return 2 * ctx.saved_tensors[0] * dy
        >>> x = flow.ones(1, requires_grad=True)
        >>> Square.apply(x).backward()
        >>> x.grad.tolist()
        [2.0]
    """

    @wraps(function)
    def wrapped(ctx: FunctionCtx, *grads: Any) -> Any:
        with no_grad():
            results = function(ctx, *grads)
        if not is_grad_enabled() or not any(isinstance(g, Tensor) and edges_of((g,))[0] is not None for g in grads):
            return results
        found = results if isinstance(results, tuple) else (results,)
        refused = tuple([_refusing(r) if isinstance(r, Tensor) else r for r in found])
        return refused if isinstance(results, tuple) else refused[0]

    return wrapped


def _refusing(result: Any) -> Any:
    """The same values with a history that no backward can go through."""
    result = result.detach()
    if result.meta.dtype.has_gradient:
        result._node = OnceDifferentiated(result.meta)
    return result


class OnceDifferentiated(GradNode):
    """The history of a gradient that must not be differentiated."""

    __slots__ = ("meta",)

    def __init__(self, meta: TensorMeta) -> None:
        super().__init__((None,))
        self.meta = meta

    def output_meta(self, output_nr: int) -> TensorMeta:
        return self.meta

    def apply(self, grads: list[Any]) -> Any:
        raise AutogradError("trying to differentiate twice a function that was marked with @once_differentiable")


class InplaceFunction(Function):
    """A `Function` that may be told to work in place: the name that older programs derive from."""

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace
