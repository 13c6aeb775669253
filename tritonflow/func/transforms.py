"""Functions of functions: gradients, products with Jacobians, Jacobians and Hessians, which may be nested.

Each call gives the function tensors of its own in place of the arguments. They have a history only if the arguments have one:
then the results have it, too. Tensors that the function reads from outside are constants of the transform.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from tritonflow import _C
from tritonflow.autograd import enable_grad
from tritonflow.autograd import grad as gradients
from tritonflow.autograd.batching import check_randomness, entered, stacked_units, vmap
from tritonflow.autograd.forward_ad import in_forward_mode
from tritonflow.autograd.tree import flatten, mapped
from tritonflow.errors import AutogradError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.batched import own_history
from tritonflow.interpreter.engine import history_of
from tritonflow.interpreter.grad_mode import for_tangents
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.recording import edges_of, wants_gradient, with_wholes
from tritonflow.thread_state import thread_state

Argnums = int | tuple[int, ...]
Function = Callable[..., Any]


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The function that returns the gradient of `func`, which returns one number.

    Args:
        func: from tensors, or nested structures of them, to a tensor without dimensions.
        argnums: by which arguments: the result is a tensor, or a structure as the argument's; with a tuple a tuple of these.
        has_aux: `func` returns (number, aux), and the new function (gradient, aux).

    Raises:
        RuntimeError: in a call, if `func` returns something else, or an argument does not exist.

    Source: https://pytorch.org/docs/stable/generated/torch.func.grad.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.grad(flow.func.grad(lambda x: x**3))(flow.tensor(2.0))
        tensor(12.)
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        found, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapper


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The function that returns (gradient, value) of `func`; with `has_aux` (gradient, (value, aux)).

    Args:
        func: a function to a tensor of one number.
        argnums: by which positional arguments it is differentiated: one number, or a tuple for a tuple of gradients.
        has_aux: `func` returns (value, aux), and aux is returned as it is.

    Raises:
        RuntimeError: `func` returns no tensor of one number, or an argument is no floating tensor.

    Source: https://pytorch.org/docs/stable/generated/torch.func.grad_and_value.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.grad_and_value(lambda x: (x * x).sum())(flow.tensor([1.0, 2.0]))
        (tensor([2., 4.]), tensor(5.))
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            call = _Call("grad_and_value(f)(*args)", func, args, kwargs, argnums, has_aux)
            output = call.output
            if not isinstance(output, Tensor):
                raise AutogradError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}"
                )
            if output.meta.ndim != 0:
                raise AutogradError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with"
                    f" {output.meta.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            found = call.rebuild(call.gradients([output], None))
        value = call.released(output)
        return (found, (value, call.released(call.aux))) if has_aux else (found, value)

    return wrapper


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """(func(*primals), a function from cotangents v to the products v J), and the aux behind with `has_aux`.

    Args:
        func: from tensors, or nested structures of them, to such.
        primals: its arguments.
        has_aux: `func` returns (outputs, aux).

    Raises:
        RuntimeError: outputs are no floating tensors, or cotangents have another structure.

    Source: https://pytorch.org/docs/stable/generated/torch.func.vjp.html

    Example:
        >>> import tritonflow as flow
        >>> value, product = flow.func.vjp(lambda x: x * x, flow.tensor([1.0, 2.0]))
        >>> product(flow.ones(2))
        (tensor([2., 4.]),)
    """
    with enable_grad():
        call = _Call("vjp(f, *primals)", func, primals, {}, tuple(range(len(primals))), has_aux)
        outputs, rebuild = call.flat_outputs("vjp(f, ...)")

    def product(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, _ = flatten(cotangents)
        if len(given) != len(outputs):
            raise AutogradError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function."
            )
        return call.rebuild(call.gradients(outputs, given))

    value = rebuild([call.released(out) for out in outputs])
    return (value, product, call.released(call.aux)) if has_aux else (value, product)


def jvp(func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """(func(*primals), J tangents), and the aux behind with `has_aux`, by two backward passes.

    Args:
        func: from tensors, or nested structures of them, to such.
        primals, tangents: tuples of the same structure.
        strict: accepted and ignored.
        has_aux: `func` returns (outputs, aux).

    Raises:
        RuntimeError: tangents have another structure than the primals.

    Source: https://pytorch.org/docs/stable/generated/torch.func.jvp.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.jvp(lambda x: x * x.sum(), (flow.tensor([1.0, 2.0]),), (flow.tensor([1.0, 0.0]),))
        (tensor([3., 6.]), tensor([4., 2.]))
    """
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise AutogradError("jvp(f, primals, tangents): Expected primals and tangents to be tuples")
    given, _ = flatten(tangents)
    with for_tangents():
        call = _Call("jvp(f, primals, tangents)", func, primals, {}, tuple(range(len(primals))), has_aux)
        if len(given) != len(call.leaves):
            raise AutogradError(
                "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure."
            )
        outputs, rebuild = call.flat_outputs("jvp(f, primals, tangents)")
        push = call.pushforward(outputs)
        found = push(given)
    value = rebuild([call.released(out) for out in outputs])
    result = value, rebuild(found)
    return (*result, call.released(call.aux)) if has_aux else result


def linearize(func: Function, *primals: Any) -> Any:
    """(func(*primals), a function from tangents to J tangents), which can be called many times.

    Args:
        func: a function of tensors.
        primals: its arguments, where it is linearised.

    Raises:
        RuntimeError: an argument or a result is no floating tensor.

    Source: https://pytorch.org/docs/stable/generated/torch.func.linearize.html

    Example:
        >>> import tritonflow as flow
        >>> value, push = flow.func.linearize(lambda x: x * x, flow.tensor([1.0, 2.0]))
        >>> push(flow.ones(2))
        tensor([2., 4.])
    """
    with for_tangents():
        call = _Call("linearize", func, primals, {}, tuple(range(len(primals))), False)
        outputs, rebuild = call.flat_outputs("linearize")
        push = call.pushforward(outputs)

    def pushed(*tangents: Any) -> Any:
        given, _ = flatten(tangents)
        with enable_grad():
            return rebuild(push(given))

    return rebuild([call.released(out) for out in outputs]), pushed


def jacrev(func: Function, argnums: Argnums = 0, *, has_aux: bool = False, chunk_size: int | None = None) -> Function:
    """The function that returns the Jacobian of `func`: for each output and argument a tensor of shape (*output, *argument).

    Args:
        func: from tensors, or nested structures of them, to such.
        argnums: by which arguments: an int, or a tuple for a tuple of Jacobians.
        has_aux: `func` returns (outputs, aux), and the new function (Jacobian, aux).
        chunk_size: how many elements of the outputs one backward pass is for; all of them if None.

    Raises:
        RuntimeError: in a call, if outputs are no floating tensors, or an argument does not exist.

    Source: https://pytorch.org/docs/stable/generated/torch.func.jacrev.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.jacrev(lambda x: x * x.sum())(flow.tensor([1.0, 2.0]))
        tensor([[4., 1.],
                [2., 5.]])
    """

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            thread_state.uncaptured += 1
            try:
                call = _Call("jacrev(f)(*args)", func, args, kwargs, argnums, has_aux)
            finally:
                thread_state.uncaptured -= 1
            outputs, rebuild = call.flat_outputs("jacrev(f)(*args)")
            found = rebuild([call.rebuild(row) for row in call.jacobian(outputs, chunk_size)])
        return (found, call.released(call.aux)) if has_aux else found

    return wrapper


def jacfwd(func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error") -> Function:
    """The function that returns the Jacobian of `func`, as `jacrev` does, by products with tangents (`jvp`).

    Args:
        func, argnums, has_aux: as for `jacrev`.
        randomness: of random ops in `func`: an "error", "different" numbers for each column, or the "same".

    Raises:
        RuntimeError: as `jacrev`; `func` draws random numbers although `randomness` is "error".

    Source: https://pytorch.org/docs/stable/generated/torch.func.jacfwd.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.jacfwd(lambda x: x * x.sum())(flow.tensor([1.0, 2.0]))
        tensor([[4., 1.],
                [2., 5.]])
    """
    check_randomness(randomness)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if randomness == "different":
            return _jacobian_of_examples(func, args, kwargs, argnums, has_aux)
        with for_tangents():
            with entered(1, randomness) if randomness == "error" else nullcontext():
                call = _Call("jacfwd(f)(*args)", func, args, kwargs, argnums, has_aux)
            outputs, rebuild = call.flat_outputs("jacfwd(f)(*args)")
            found = rebuild([call.rebuild(row) for row in call.jacobian_by_tangents(outputs)])
        return (found, call.released(call.aux)) if has_aux else found

    return wrapper


def _jacobian_of_examples(func: Function, args: tuple[Any, ...], kwargs: Any, argnums: Argnums, has_aux: bool) -> Any:
    """The Jacobian of which each column is a call of its own, with random numbers of its own."""
    numbers = _positions(argnums, len(args))
    given, rebuild = flatten(tuple([args[k] for k in numbers]))

    def of(*leaves: Any) -> Any:
        mine = dict(zip(numbers, rebuild(list(leaves))))
        return func(*[mine.get(k, arg) for k, arg in enumerate(args)], **kwargs)

    found = vmap(lambda *units: jvp(of, tuple(given), units, has_aux=has_aux)[1:], randomness="different")(*stacked_units(given))
    columns, rebuild_outputs = flatten(found[0])
    rows = []
    for column in columns:
        parts = [_C.movedim(part, 0, -1) for part in split_like(column, given)]
        parts = [_C.reshape(part, (*column.shape[1:], *x.shape)) for part, x in zip(parts, given)]
        rows.append(rebuild(parts) if isinstance(argnums, tuple) else rebuild(parts)[0])
    return (rebuild_outputs(rows), mapped(lambda x: x[0], found[1])) if has_aux else rebuild_outputs(rows)


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """The function that returns the Hessian of `func`: the Jacobian of its Jacobian, both by backward passes.

    Args:
        func: a function of tensors.
        argnums: by which positional arguments it is differentiated: one number, or a tuple of them.

    Raises:
        RuntimeError: an argument or a result is no floating tensor.

    Source: https://pytorch.org/docs/stable/generated/torch.func.hessian.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.hessian(lambda x: (x**3).sum())(flow.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    return jacrev(jacrev(func, argnums), argnums)


# --------------------------------------------------------------------------------------------------------------- parts


class _Call:
    """One call of a transformed function, whose arguments by `argnums` are tensors of its own.

    Attributes:
        leaves: the tensors that it is differentiated by.
        rebuild: makes of a list over the leaves what the arguments by `argnums` look like.
        output, aux: what the function has returned.
        has_others: whether the outputs depend on tensors that require grad outside of the call.
    """

    def __init__(
        self, name: str, func: Function, args: tuple[Any, ...], kwargs: Any, argnums: Argnums, has_aux: bool
    ) -> None:
        numbers = _positions(argnums, len(args))
        chosen = tuple([args[k] for k in numbers])
        given, rebuild = flatten(chosen)
        self.private: set[Any] = set()
        self.leaves = [self._own(x) for x in given]
        self.rebuild = rebuild if isinstance(argnums, tuple) else lambda values: rebuild(values)[0]
        mine = dict(zip(numbers, rebuild(self.leaves)))
        output = func(*[mine.get(k, arg) for k, arg in enumerate(args)], **kwargs)
        self.aux = None
        if has_aux:
            if not (isinstance(output, tuple) and len(output) == 2):
                raise AutogradError(f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True")
            output, self.aux = output
        self.output = output
        self.has_others = self._reaches_others(flatten(output)[0])

    def _own(self, x: Any) -> Any:
        if not isinstance(x, Tensor):
            raise AutogradError(f"expected a Tensor among the arguments to differentiate by, but got {type(x)}")
        if edges_of((x,))[0] is not None:
            return x.view(tuple(x.shape))
        own = own_history(x) if x.impl.__class__ is BatchedTensorImpl else x.detach()
        own.requires_grad_(True)
        self.private.add(own._node)
        return own

    def _reaches_others(self, tensors: Sequence[Any]) -> bool:
        """Whether a leaf outside of the call is in the history of some tensors."""
        found = [whole for t in tensors if isinstance(t, Tensor) for whole in with_wholes(t)]
        edges = edges_of(tuple(found))
        nodes = history_of([edge[0] for edge in edges if edge is not None])
        leaves = [node for node in nodes if isinstance(node, AccumulateGrad) and node not in self.private]
        return any(leaf.tensor() is not None for leaf in leaves)  # of an inner call's own tensors nothing is left

    def flat_outputs(self, name: str) -> tuple[list[Any], Any]:
        """The outputs as a list, and what puts them together again."""
        outputs, rebuild = flatten(self.output)
        for out in outputs:
            if not isinstance(out, Tensor):
                raise AutogradError(
                    f"{name}: Expected f to be a function that has non-empty output tensors, got {type(out)}"
                )
            if not out.meta.dtype.has_gradient:
                raise AutogradError(
                    f"{name}: All outputs of f must be floating-point or complex Tensors, got Tensor with dtype {out.meta.dtype}"
                )
        return outputs, rebuild

    def gradients(self, outputs: Sequence[Any], cotangents: Any, keep: bool = True) -> list[Any]:
        """Those of the leaves, zeros where there is none; with a history if something outside wants one."""
        given = [] if cotangents is None else [c for c in cotangents if c is not None]
        create_graph = self.has_others or any(wants_gradient(c) for c in given)
        return self._back(outputs, self.leaves, cotangents, create_graph)

    def _back(self, outputs: Sequence[Any], inputs: Sequence[Any], cotangents: Any, create_graph: bool) -> list[Any]:
        live = [k for k, out in enumerate(outputs) if out is not None and out.requires_grad]
        found: Sequence[Any] = (None,) * len(inputs)
        if live:
            given = None if cotangents is None else [cotangents[k] for k in live]
            found = gradients([outputs[k] for k in live], list(inputs), given, True, create_graph, allow_unused=True)
        return [_C.zeros_like(x.detach()) if g is None else g for g, x in zip(found, inputs)]

    def pushforward(self, outputs: Sequence[Any]) -> Callable[[Sequence[Any]], list[Any]]:
        """From tangents of the leaves to those of the outputs: the backward of a backward, which is linear in what it is given."""
        cotangents = [_C.ones_like(out.detach()).requires_grad_(True) for out in outputs]
        first = in_forward_mode(lambda: self._back(outputs, self.leaves, cotangents, True))

        def push(tangents: Sequence[Any]) -> list[Any]:
            create_graph = self.has_others or any(wants_gradient(t) for t in tangents)
            return self._back(first, cotangents, tangents, create_graph)

        return push

    def jacobian(self, outputs: Sequence[Any], chunk_size: int | None) -> list[list[Any]]:
        """For each output those by the leaves: one batched backward pass for the elements of all outputs."""
        rows = rows_of_units(outputs, lambda *units: self.gradients(outputs, units), self.leaves, chunk_size)
        tables = []
        for out, own in zip(outputs, zip(*[split_like(column, outputs) for column in rows])):
            tables.append([_C.reshape(part, (*out.shape, *x.shape)) for part, x in zip(own, self.leaves)])
        return tables or [[] for _ in outputs]

    def jacobian_by_tangents(self, outputs: Sequence[Any]) -> list[list[Any]]:
        """The same by one batched product for the elements of all leaves."""
        push = self.pushforward(outputs)
        columns = rows_of_units(self.leaves, lambda *units: push(units), outputs, None)
        tables = []
        for out, column in zip(outputs, columns):
            parts = [_C.movedim(part, 0, -1) for part in split_like(column, self.leaves)]
            tables.append([_C.reshape(part, (*out.shape, *x.shape)) for part, x in zip(parts, self.leaves)])
        return tables

    def released(self, value: Any) -> Any:
        """Results without a history that leads to the call's own tensors only."""
        return mapped(self._released, value)

    def _released(self, value: Any) -> Any:
        if not isinstance(value, Tensor) or self._reaches_others([value]):
            return value
        return value.detach()


def rows_of_units(
    tensors: Sequence[Any], function: Callable[..., Any], results: Sequence[Any], chunk_size: int | None
) -> list[Any]:
    """A linear function's results for the unit vectors of some tensors, along a first dimension; they look like `results`."""
    if not sum([x.meta.numel for x in tensors]):
        return [_C.zeros((0, *x.shape), dtype=x.dtype, device=x.device) for x in results]
    batched = vmap(lambda *units: tuple(function(*units)), chunk_size=chunk_size)
    return list(batched(*stacked_units(tensors)))


def split_like(rows: Any, tensors: Sequence[Any]) -> list[Any]:
    """The rows that belong to each tensor."""
    return list(_C.split(rows, [x.meta.numel for x in tensors], 0))


def _positions(argnums: Argnums, count: int) -> tuple[int, ...]:
    """The numbers of the arguments."""
    if not isinstance(argnums, (int, tuple)):
        raise AutogradError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    found = []
    for number in (argnums,) if isinstance(argnums, int) else argnums:
        if not -count <= number < count:
            raise AutogradError(f"Got argnum={number}, but only {count} positional inputs")
        found.append(number % count)
    if not found and count:
        raise AutogradError("argnums must be non-empty")
    if len(set(found)) != len(found):
        raise AutogradError(f"argnums elements must be unique, got: {argnums}")
    return tuple(found)
