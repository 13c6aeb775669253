"""`autograd.Function` inside of `vmap`: by its own `vmap` method, or by a rule that is made of its methods.

Autograd outside of the call of `vmap` sees a function of all examples, autograd inside of it the function itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from types import SimpleNamespace
from typing import Any, NamedTuple

from tritonflow.errors import BatchingError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.batched import Level, batched, inside_of, whole_of
from tritonflow.interpreter.grad_mode import is_grad_enabled, set_grad_enabled
from tritonflow.ops.rule import find_rule
from tritonflow.thread_state import thread_state


class VmapInfo(NamedTuple):
    """What the method `vmap` of a function is told: the number of examples, and what random numbers are to be."""

    batch_size: int
    randomness: str


def apply_batched(function: Any, args: tuple[Any, ...], base: Any) -> Any:
    """Apply a function whose arguments hold batched tensors; `base` is `Function`.

    Raises:
        RuntimeError: the function has no `setup_context`, or not one way to be batched.
    """
    _check(function, base)
    level = max([a.impl.level for a in args if _is_batched(a)], key=lambda one: one.depth)
    recording = is_grad_enabled()
    run = _by_generated_rule if function.generate_vmap_rule else _by_own_rule

    def forward(*inner: Any) -> Any:
        with set_grad_enabled(recording):  # for the examples, which have a history of their own
            return run(function, level, inner, base)

    methods = SimpleNamespace(
        __name__=function.__name__, forward=forward, setup_context=function.setup_context,
        backward=function.backward, vjp=function.vjp, jvp=function.jvp,
    )  # fmt: skip
    return base._applied(methods, args)


def _check(function: Any, base: Any) -> None:
    name = function.__name__
    if function.setup_context is base.setup_context:
        raise BatchingError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the"
            " setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
        )
    has_own = hasattr(function, "vmap")
    if function.generate_vmap_rule and has_own:
        raise BatchingError(
            f"You tried to vmap over {name}, but it has both generate_vmap_rule=True and an overriden vmap staticmethod. Please set"
            " generate_vmap_rule=False or delete the overriden vmap staticmethod to avoid ambiguity. For more details, please see"
            " https://pytorch.org/docs/main/notes/extending.func.html"
        )
    if not function.generate_vmap_rule and not has_own:
        raise BatchingError(
            f"You tried to vmap over {name}, but it does not have vmap support. Please override and implement the vmap staticmethod"
            " or set generate_vmap_rule=True. For more details, please see"
            " https://pytorch.org/docs/main/notes/extending.func.html"
        )


def _is_batched(x: Any, level: Level | None = None) -> bool:
    own = isinstance(x, Tensor) and x.impl.__class__ is BatchedTensorImpl
    return own and (level is None or x.impl.level is level)


def _by_own_rule(function: Any, level: Level, args: tuple[Any, ...], base: Any) -> Any:
    dims = tuple([0 if _is_batched(a, level) else None for a in args])
    wholes = [a if dim is None else whole_of(a) for a, dim in zip(args, dims)]
    with inside_of(level.depth):
        found, out_dims = function.vmap(VmapInfo(level.size, level.randomness), dims, *wholes)
        outputs = found if isinstance(found, tuple) else (found,)
        out_dims = out_dims if isinstance(out_dims, tuple) else (out_dims,) * len(outputs)
        if len(out_dims) != len(outputs):
            raise BatchingError(f"vmap of {function.__name__}: {len(outputs)} outputs, but dimensions for {len(out_dims)}")
        fronts = [out if dim is None else _in_front(out, dim) for out, dim in zip(outputs, out_dims)]
    results = tuple([out if dim is None else batched(out, level) for out, dim in zip(fronts, out_dims)])
    return results if isinstance(found, tuple) else results[0]


def _in_front(x: Tensor, dim: int) -> Tensor:
    ndim = x.meta.ndim
    order = (dim % ndim, *[d for d in range(ndim) if d != dim % ndim])
    return x.permute(order)  # type: ignore[attr-defined, no-any-return]


def _by_generated_rule(function: Any, level: Level, args: tuple[Any, ...], base: Any) -> Any:
    mine = [_is_batched(a, level) for a in args]
    wholes = [whole_of(a) if own else a for a, own in zip(args, mine)]
    shape: list[bool] = []
    with inside_of(level.depth):
        found = base._applied(_of_all_examples(function, level, mine, shape, base), tuple(wholes))
    outputs = found if isinstance(found, tuple) else (found,)
    results = tuple([batched(out, level) if isinstance(out, Tensor) else out for out in outputs])
    return results if shape else results[0]


def _of_all_examples(function: Any, level: Level, mine: Sequence[bool], several: list[bool], base: Any) -> Any:
    """The function of the wholes: its methods call those of `function` on the examples. No class, which would be a cycle."""

    def forward(ctx: Any, *wholes: Any) -> Any:
        with _inside_again(level):
            args = tuple([batched(x, level) if is_mine else x for x, is_mine in zip(wholes, mine)])
            found = function.forward(*args)
            ctx.own = own = type(ctx)()
            own.needs_input_grad = ctx.needs_input_grad
            outputs = found if isinstance(found, tuple) else (found,)
            if isinstance(found, tuple):
                several.append(True)
            made = tuple([_whole(out, level) for out in outputs])
            inner = tuple([batched(out, level) if isinstance(out, Tensor) else out for out in made])
            function.setup_context(own, args, inner if isinstance(found, tuple) else inner[0])
            ctx.are_batched = [_is_batched(t, level) for t in own._to_save]
            ctx.save_for_backward(*[whole_of(t) if is_batched else t for t, is_batched in zip(own._to_save, ctx.are_batched)])
        ctx.mark_non_differentiable(*[x for x, y in zip(made, inner) if any(y is t for t in own._non_differentiable)])
        own.forget_tensors()
        return made

    def backward(ctx: Any, *grads: Any) -> Any:
        with _inside_again(level):
            own = copy(ctx.own)
            saved = zip(ctx.saved_tensors, ctx.are_batched)
            own.save_for_backward(*[batched(t, level) if is_batched else t for t, is_batched in saved])
            derivative = function.vjp if function.backward is base.backward else function.backward
            found = derivative(own, *[None if g is None else batched(g, level) for g in grads])
            results = found if isinstance(found, tuple) else (found,)
            wholes = [None if g is None else _whole(g, level) for g in results]
        return tuple([g if g is None or is_mine else g.sum(0) for g, is_mine in zip(wholes, mine)])

    return SimpleNamespace(
        __name__=function.__name__, forward=forward, setup_context=base.setup_context,
        backward=backward, vjp=base.vjp, jvp=base.jvp,
    )  # fmt: skip


def _whole(x: Any, level: Level) -> Any:
    if not isinstance(x, Tensor):
        return x
    if _is_batched(x, level):
        return whole_of(x)
    with inside_of(level.depth):
        return find_rule("batch", "examples.repeated")(x, level.size)


@contextmanager
def _inside_again(level: Level) -> Iterator[None]:
    """A block inside of a call of `vmap` that may be over."""
    before = thread_state.batch_levels
    thread_state.batch_levels = (*before[: level.depth], level)
    try:
        yield
    finally:
        thread_state.batch_levels = before
