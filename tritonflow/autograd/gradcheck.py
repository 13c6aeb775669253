"""Gradients checked against finite differences: `gradcheck` and `gradgradcheck`.

The numerical Jacobian is (f(x + eps) - f(x - eps)) / (2 eps) for every element of every input, by the function itself;
the analytical one comes from `autograd.grad`, a row per element of every output. Both are compared in NumPy.

Here a complex number is two elements, its parts: arrays have a last dimension of them. As a gradient's parts are the derivatives by
the parts of its input, the Jacobian of complex functions needs no more than that of real ones.

Source: https://pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradcheck.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from tritonflow import _C
from tritonflow.autograd.backward import grad
from tritonflow.autograd.batching import vmap
from tritonflow.autograd.forward_ad import tangents_of
from tritonflow.binding import data_exchange, new_tensors
from tritonflow.binding.target import beside
from tritonflow.errors import AutogradError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import enable_grad, no_grad

Array = numpy.ndarray[Any, Any]


class GradcheckError(AutogradError):
    """A gradient that does not agree with finite differences, or is not the same in two runs."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_ad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the gradients of `func` agree with central differences.

    Args:
        func: takes the inputs, returns a tensor or a sequence of tensors.
        inputs: its arguments; those that require grad are checked and should be float64 or complex128, of which
            both parts are checked.
        eps: the step of the differences.
        atol, rtol: `|analytical - numerical| <= atol + rtol * |numerical|`.
        raise_exception: raise instead of returning False.
        nondet_tol: how far two runs of backward may differ.
        check_batched_grad: whether a batch of gradients, by `vmap`, gives what one after the other gives.
        check_forward_ad, check_batched_forward_ad: the same for tangents (`forward_ad`), and for a batch of them.
        check_backward_ad: False leaves the gradients out.
        fast_mode: compare one random projection of the Jacobian instead of all of it.
        check_undefined_grad, check_grad_dtypes, masked: accepted: dtypes are always checked.

    Raises:
        GradcheckError: the gradients differ.
        ValueError: no input requires grad.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([0.5, 2.0], dtype=flow.float64, requires_grad=True)
        >>> flow.autograd.gradcheck(lambda x: x * x, x)
        True
    """
    args = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if not any(_checked(x) for x in args):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient,"
            " but none of the them have requires_grad=True."
        )
    check = _Check(func, args, eps, atol, rtol, nondet_tol)
    try:
        if check_backward_ad:
            check.compare_projections() if fast_mode else check.compare_jacobians()
        if check_batched_grad:
            check.compare_batch()
        if check_forward_ad:
            check.compare_tangents()
        if check_batched_forward_ad:
            check.compare_batch_of_tangents()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the second derivatives of `func` agree with central differences of its gradients.

    Args:
        func, inputs, eps, atol, rtol, raise_exception, nondet_tol, fast_mode: as for `gradcheck`.
        grad_outputs: gradients of the outputs; random ones (always the same) if None.
        check_fwd_over_rev, check_rev_over_rev: whether tangents, and gradients, of the gradients are checked.

    Raises:
        GradcheckError: they differ.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([0.5, 2.0], dtype=flow.float64, requires_grad=True)
        >>> flow.autograd.gradgradcheck(lambda x: x * x, x)
        True
    """
    args = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        rng = numpy.random.default_rng(0)
        given = [_leaf(rng.standard_normal(_shape(out)), out) for out in _outputs(func(*args))]
    else:
        given = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)
    count = len(args)

    def gradients(*values: Any) -> tuple[Tensor, ...]:
        own = values[:count]
        found = grad(
            _outputs(func(*own)),
            [x for x in own if _checked(x)],
            list(values[count:]),
            create_graph=True,
            allow_unused=True,
        )
        return tuple(g for g in found if g is not None and g.requires_grad)  # type: ignore[attr-defined]

    if not gradients(*args, *given):
        return True  # gradients that depend on nothing
    return gradcheck(
        gradients, (*args, *given), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, fast_mode=fast_mode, check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev,
    )  # fmt: skip


class _Check:
    """One function at one point."""

    def __init__(
        self, func: Callable[..., Any], args: tuple[Any, ...], eps: float, atol: float, rtol: float, nondet_tol: float
    ) -> None:
        self.func = func
        self.args = args
        self.eps, self.atol, self.rtol, self.nondet_tol = eps, atol, rtol, nondet_tol
        self.positions = [k for k, x in enumerate(args) if _checked(x)]
        self.values = {k: _array(args[k]) for k in self.positions}

    # ------------------------------------------------------------------------------------------------ whole Jacobians

    def compare_jacobians(self) -> None:
        """Every element of every output by every element of every input."""
        with enable_grad():
            outputs = _outputs(self.func(*self.args))
        analytical = self._analytical(outputs)
        again = self._analytical(outputs)
        for number in range(len(outputs)):
            for k in self.positions:
                self._require_same(analytical[number][k], again[number][k])
        for k in self.positions:
            numerical = self._numerical(k, len(outputs))
            for number in range(len(outputs)):
                self._require_close(analytical[number][k], numerical[number], number, k)

    def _analytical(self, outputs: list[Tensor]) -> list[dict[int, Array]]:
        """For every output and input, (elements of the output) x (elements of the input)."""
        tables = []
        for output in outputs:
            count = math.prod(_shape(output))
            table = {k: numpy.zeros((count, self.values[k].size)) for k in self.positions}
            for row in range(count if output.requires_grad else 0):  # type: ignore[attr-defined]
                direction = numpy.zeros(count)
                direction[row] = 1
                for k, found in zip(self.positions, self._backward([output], [direction])):
                    table[k][row] = found.reshape(-1)
            tables.append(table)
        return tables

    def _backward(self, outputs: list[Tensor], directions: list[Array]) -> list[Array]:
        given = [_leaf(d.reshape(_shape(out)), out, False) for d, out in zip(directions, outputs)]
        wanted = [self.args[k] for k in self.positions]
        found = grad(outputs, wanted, given, retain_graph=True, allow_unused=True)
        result = []
        for x, g in zip(wanted, found):
            if g is not None and (g.meta.shape != x.meta.shape or g.meta.dtype is not x.meta.dtype):
                raise GradcheckError(f"Gradient has shape {g.shape} and {g.dtype}, the input {x.shape} and {x.dtype}")
            result.append(numpy.zeros(_shape(x)) if g is None else _array(g))
        return result

    def _numerical(self, position: int, outputs: int) -> list[Array]:
        """By one input, for every output, (elements of the output) x (elements of the input)."""
        size = self.values[position].size
        columns: list[list[Array]] = [[] for _ in range(outputs)]
        for element in range(size):
            step = numpy.zeros(size)
            step[element] = self.eps
            for number, difference in enumerate(self._difference({position: step})):
                columns[number].append(difference)
        if not size:
            return [numpy.zeros((v.size, 0)) for v in self._evaluate({}, 0.0)]
        return [numpy.stack(c, axis=1) for c in columns]

    def _difference(self, steps: dict[int, Array]) -> list[Array]:
        """(f(x + step) - f(x - step)) / (2 eps) for every output."""
        above, below = self._evaluate(steps, 1.0), self._evaluate(steps, -1.0)
        return [(a - b) / (2 * self.eps) for a, b in zip(above, below)]

    def _evaluate(self, steps: dict[int, Array], sign: float) -> list[Array]:
        args = list(self.args)
        for k in self.positions:
            moved = self.values[k]
            if k in steps:
                moved = moved + sign * steps[k].reshape(moved.shape)
            args[k] = _leaf(moved, self.args[k])
        with enable_grad():  # the function may differentiate inside
            outputs = _outputs(self.func(*args))
        return [_array(out).astype(numpy.float64).reshape(-1) for out in outputs]

    # ---------------------------------------------------------------------------------------------------- projections

    def compare_projections(self) -> None:
        """One number per input: v J u for random directions u of the input and v of all outputs."""
        rng = numpy.random.default_rng(0)
        with enable_grad():
            outputs = _outputs(self.func(*self.args))
        live = [k for k, out in enumerate(outputs) if out.requires_grad]  # type: ignore[attr-defined]
        directions = [rng.uniform(0.5, 1.5, math.prod(_shape(out))) for out in outputs]
        chosen = [outputs[k] for k in live], [directions[k] for k in live]
        found = self._backward(*chosen) if live else [numpy.zeros(v.shape) for v in self.values.values()]
        for first, second in zip(found, self._backward(*chosen) if live else found):
            self._require_same(first, second)
        for k, gradient in zip(self.positions, found):
            u = rng.uniform(0.5, 1.5, gradient.size)
            differences = self._difference({k: u * self.eps})
            numerical = sum(float(d @ v) for d, v in zip(differences, directions))
            self._require_close(numpy.array(float(gradient.reshape(-1) @ u)), numpy.array(numerical), 0, k)

    # ------------------------------------------------------------------------------------------------------- forward mode

    def compare_tangents(self) -> None:
        """Every element of every output by every element of every input, by products with unit tangents."""
        columns = {k: self._numerical(k, len(self._fresh()[1])) for k in self.positions}
        for k in self.positions:
            for element in range(self.values[k].size):
                unit = numpy.zeros(self.values[k].size)
                unit[element] = 1
                for number, found in enumerate(self._pushed({k: unit})):
                    self._require_close(found.reshape(-1), columns[k][number][:, element], number, k)

    def compare_batch_of_tangents(self) -> None:
        """Two random tangents at once, and one after the other."""
        rng = numpy.random.default_rng(0)
        given = [rng.standard_normal((2, *self.values[k].shape)) for k in self.positions]
        inputs, every = self._fresh()
        outputs = [out for out in every if _checked(out)]
        leaves = [_leaf(v, x, False) for v, x in zip(given, inputs)]

        def pushed(*tangents: Any) -> Any:
            found = tangents_of(outputs, inputs, list(tangents), False)
            return tuple([_C.zeros_like(out.detach()) if t is None else t for t, out in zip(found, outputs)])

        batched = vmap(pushed)(*leaves)
        for row in range(2):
            single = self._pushed({k: v[row].reshape(-1) for k, v in zip(self.positions, given)})
            for number, (mine, other) in enumerate(zip(batched, [t for t, out in zip(single, every) if _checked(out)])):
                self._require_close(_array(mine)[row], other, number, self.positions[0])

    def compare_batch(self) -> None:
        """Two random gradients of the outputs at once, and one after the other."""
        rng = numpy.random.default_rng(0)
        with enable_grad():
            outputs = [out for out in _outputs(self.func(*self.args)) if _checked(out)]
        given = [rng.standard_normal((2, *_shape(out))) for out in outputs]
        wanted = [self.args[k] for k in self.positions]

        def backward(*grads: Any) -> Any:
            found = grad(outputs, wanted, list(grads), retain_graph=True, allow_unused=True)
            return tuple([_C.zeros_like(x.detach()) if g is None else g for g, x in zip(found, wanted)])

        leaves = [_leaf(v, out, False) for v, out in zip(given, outputs)]
        for row in range(2 if outputs else 0):
            single = self._backward(outputs, [v[row].reshape(-1) for v in given])
            for k, mine, other in zip(self.positions, vmap(backward)(*leaves), single):
                self._require_close(_array(mine)[row], other, 0, k)

    def _fresh(self) -> tuple[list[Tensor], list[Tensor]]:
        """Inputs of our own, and the outputs for them."""
        args = list(self.args)
        for k in self.positions:
            args[k] = _leaf(self.values[k], self.args[k])
        with enable_grad():
            return [args[k] for k in self.positions], _outputs(self.func(*args))

    def _pushed(self, directions: dict[int, Array]) -> list[Array]:
        """The tangents of the outputs for tangents of the inputs, zeros where none is given."""
        inputs, outputs = self._fresh()
        shapes = [self.values[k].shape for k in self.positions]
        given = [directions.get(k, numpy.zeros(shape)).reshape(shape) for k, shape in zip(self.positions, shapes)]
        tangents = [_leaf(v, x, False) for v, x in zip(given, inputs)]
        live = [k for k, out in enumerate(outputs) if _checked(out)]
        found = dict(zip(live, tangents_of([outputs[k] for k in live], inputs, tangents, False)))
        none = [numpy.zeros(_shape(out)) for out in outputs]
        return [none[k] if found.get(k) is None else _array(found[k]) for k in range(len(outputs))]

    # ------------------------------------------------------------------------------------------------------- verdicts

    def _require_close(self, analytical: Array, numerical: Array, output: int, position: int) -> None:
        if not numpy.allclose(analytical, numerical, rtol=self.rtol, atol=self.atol, equal_nan=False):
            raise GradcheckError(
                f"Jacobian mismatch for output {output} with respect to input {position},\n"
                f"numerical:{numerical}\nanalytical:{analytical}\n"
            )

    def _require_same(self, first: Array, second: Array) -> None:
        if not numpy.allclose(first, second, rtol=0.0, atol=self.nondet_tol, equal_nan=True):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives"
                " different values, although analytical gradient matches numerical gradient."
                f"The tolerance for nondeterminism was {self.nondet_tol}."
            )


def _shape(x: Tensor) -> tuple[int, ...]:
    """Of the array with the elements of a tensor."""
    return (*x.meta.shape, 2) if x.meta.dtype.is_complex else x.meta.shape


def _array(x: Tensor) -> Array:
    array = numpy.array(data_exchange.numpy_of(x.detach()), order="C")  # type: ignore[attr-defined]
    return numpy.stack([array.real, array.imag], -1) if x.meta.dtype.is_complex else array


def _checked(x: Any) -> bool:
    return isinstance(x, Tensor) and bool(x.requires_grad)  # type: ignore[attr-defined]


def _outputs(result: Any) -> list[Tensor]:
    """The floating and complex outputs of a function."""
    tensors = [result] if isinstance(result, Tensor) else list(result)
    return [t for t in tensors if isinstance(t, Tensor) and (t.meta.dtype.is_floating_point or t.meta.dtype.is_complex)]


def _leaf(array: Any, like: Tensor, requires_grad: bool = True) -> Tensor:
    if like.meta.dtype.is_complex:
        array = array[..., 0] + 1j * array[..., 1]
    with no_grad():
        return new_tensors.tensor(numpy.asarray(array), dtype=like.dtype, requires_grad=requires_grad, **beside(like))
