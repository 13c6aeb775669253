"""`vmap`: a function of one example becomes a function of a batch of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from tritonflow import _C
from tritonflow.autograd.tree import flatten
from tritonflow.errors import LocalityError
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.batched import Level, batched, whole_of
from tritonflow.thread_state import thread_state

Function = Callable[..., Any]
R = TypeVar("R")
RANDOMNESS = ("error", "different", "same")


def vmap(
    func: Callable[..., R],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., R]:
    """The function that applies `func` to each slice of its arguments, and stacks the results: one op for all slices.

    Inside of `func` a tensor has the shape of one slice. Calls nest with each other and with `grad`, `vjp` and `jacrev`.

    Args:
        func: from tensors, or nested structures of them, to tensors or a structure of them.
        in_dims: along which dimension each argument is sliced, None for one that is given whole; an int, or a structure as that
            of the arguments, or a part of it from above.
        out_dims: where the dimension of slices lies in the results; an int, or a structure as that of the results.
        randomness: random ops inside raise an error, draw "different" numbers for each slice, or the "same".
        chunk_size: compute so many slices at a time, which takes less memory.

    Raises:
        ValueError: in a call, if `in_dims` or `out_dims` does not fit, or the sizes differ.
        RuntimeError: in a call, if `func` needs the value of a tensor, as `item()` and `if` do, writes slices over a tensor that
            has none, or draws random numbers although `randomness` is "error".

    Source: https://pytorch.org/docs/stable/generated/torch.func.vmap.html

    Example:
        >>> import tritonflow as flow
        >>> rows = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> flow.func.vmap(lambda x: x.sum() * x)(rows)
        tensor([[ 3.,  6.],
                [21., 28.]])
    """
    check_randomness(randomness)
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _Batch(func, in_dims, args).run(out_dims, randomness, kwargs, chunk_size)

    return wrapped


def chunk_vmap(
    func: Function, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", chunks: int = 2
) -> Function:
    """As `vmap`, in so many steps.

    Args:
        func: a function of one example.
        in_dims: along which dimension of each argument the examples lie; None for an argument that all share.
        out_dims: along which dimension of the results they lie.
        randomness: "error", "different" or "same" random numbers for each example.
        chunks: how many steps.

    Raises:
        ValueError: fewer than one step, or dimensions that do not fit.

    Source: https://pytorch.org/docs/stable/func.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.chunk_vmap(lambda x: x * 2, chunks=2)(flow.arange(3))
        tensor([0, 2, 4])
    """
    check_randomness(randomness)
    if chunks < 1:
        raise ValueError(f"vmap: chunks should be greater than 0. (got {chunks})")

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        batch = _Batch(func, in_dims, args)
        return batch.run(out_dims, randomness, kwargs, max(-(-batch.size // chunks), 1))

    return wrapped


def check_randomness(randomness: str) -> None:
    if randomness not in RANDOMNESS:
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")


class _Batch:
    """The arguments of one call.

    Attributes:
        values: the arguments in order; rebuild: makes what the function takes of them.
        dims: along which dimension each is sliced, or None.
        size: how many slices there are.
    """

    def __init__(self, func: Function, in_dims: Any, args: tuple[Any, ...]) -> None:
        self.func = func
        name = _name(func)
        if not isinstance(in_dims, (int, tuple, list, dict)) and in_dims is not None:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a (potentially nested) tuple"
                f" matching the structure of inputs, got: {type(in_dims)}."
            )
        if not args:
            raise ValueError(
                f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function"
                " with no inputs. The latter is unsupported."
            )
        self.values, self.rebuild = flatten(args)
        given = tuple(in_dims) if isinstance(in_dims, list) else in_dims
        dims = broadcast_prefix(given, args)
        if dims is None:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of `inputs`."
                f" in_dims has structure {in_dims} but inputs has the structure {args and type(args)}."
            )
        self.dims = [_checked_dim(name, in_dims, dim, value) for dim, value in zip(dims, self.values)]
        self.size = self._size(name, in_dims)

    def _size(self, name: str, in_dims: Any) -> int:
        sizes = [value.meta.shape[dim] for dim, value in zip(self.dims, self.values) if dim is not None]
        if not sizes:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): at least one of the inputs must have a non-None in_dim. To be"
                " able to vmap over no inputs, pass a tensor with a dimension to map over."
            )
        if any(size != sizes[0] for size in sizes):
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped"
                " dimension"
            )
        return sizes[0]

    def run(self, out_dims: Any, randomness: str, kwargs: Any, chunk_size: int | None) -> Any:
        """The stacked results."""
        if chunk_size is None or chunk_size >= self.size:
            outputs, rebuild, dims = self._results(0, self.size, out_dims, randomness, kwargs)
            return rebuild(outputs)
        found = [
            self._results(start, min(chunk_size, self.size - start), out_dims, randomness, kwargs)
            for start in range(0, self.size, chunk_size)
        ]
        _, rebuild, dims = found[0]
        columns = zip(*[outputs for outputs, _, _ in found])
        return rebuild([column[0] if dim is None else _C.cat(list(column), dim) for column, dim in zip(columns, dims)])

    def _results(
        self, start: int, count: int, out_dims: Any, randomness: str, kwargs: Any
    ) -> tuple[list[Any], Any, list[Any]]:
        """(the results of some slices, what puts them together, their dimensions of slices)."""
        with entered(count, randomness) as level:
            inputs = [
                value if dim is None else batched(_slices(value, dim, start, count, self.size), level)
                for dim, value in zip(self.dims, self.values)
            ]
            output = self.func(*self.rebuild(inputs), **kwargs)
        name = _name(self.func)
        outputs, rebuild = flatten(output)
        for out in outputs:
            if not isinstance(out, Tensor):
                raise ValueError(
                    f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(out)}. Did you mean to set out_dims="
                    " to None for output?"
                )
        dims = _out_dims(name, out_dims, output)
        return [_joined(name, out, dim, level) for out, dim in zip(outputs, dims)], rebuild, dims


@contextmanager
def entered(size: int, randomness: str) -> Iterator[Level]:
    """A block inside of one more call of `vmap`."""
    before = thread_state.batch_levels
    level = Level(size, randomness, len(before))
    thread_state.batch_levels = (*before, level)
    try:
        yield level
    finally:
        thread_state.batch_levels = before


def broadcast_prefix(dims: Any, value: Any) -> list[Any] | None:
    """For each value of a structure what a structure above it says; None if that does not fit."""
    if dims is None or isinstance(dims, int):
        return [dims] * len(flatten(value)[0])
    if isinstance(dims, dict):
        if not isinstance(value, dict) or dims.keys() != value.keys():
            return None
        pairs = [(dims[key], part) for key, part in value.items()]
    elif isinstance(dims, (tuple, list)) and isinstance(value, (tuple, list)) and len(dims) == len(value):
        if isinstance(dims, tuple) is not isinstance(value, tuple):
            return None
        pairs = list(zip(dims, value))
    else:
        return None
    found = [broadcast_prefix(own, part) for own, part in pairs]
    if any(own is None for own in found):
        return None
    return [dim for own in found for dim in own or ()]


def _checked_dim(name: str, in_dims: Any, dim: Any, value: Any) -> int | None:
    if dim is None:
        return None
    where = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but "
    if not isinstance(dim, int):
        raise ValueError(f"{where}in_dim must be either an integer dimension or None.")
    if not isinstance(value, Tensor):
        raise ValueError(
            f"{where}the input is of type {type(value)}. We cannot vmap over non-Tensor arguments, please use None as the"
            " respective in_dim"
        )
    if not value.meta.is_local:
        raise LocalityError("vmap: expected local tensors, but got a global (consistent) one")
    if not -value.dim() <= dim < value.dim():
        raise ValueError(
            f"{where}that input is a Tensor of dimensionality {value.dim()} so expected in_dim to satisfy"
            f" -{value.dim()} <= in_dim < {value.dim()}."
        )
    return dim % value.dim()


def _slices(x: Any, dim: int, start: int, count: int, size: int) -> Any:
    """Some slices of an argument, along its first dimension."""
    if count != size:
        x = _C.narrow(x, dim, start, count)
    return moved(x, dim, 0)


def moved(x: Any, source: int, target: int) -> Any:
    """A tensor with one dimension at another position."""
    return x if source == target else _C.movedim(x, source, target)


def _out_dims(name: str, out_dims: Any, output: Any) -> list[Any]:
    if isinstance(output, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        out_dims = out_dims[0]
    if isinstance(output, list) and isinstance(out_dims, tuple):
        out_dims = list(out_dims)
    dims = broadcast_prefix(out_dims, output)
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims}): out_dims is not compatible with the structure of `outputs`. out_dims has"
            f" structure {out_dims} but outputs has structure {type(output)}."
        )
    return dims


def _joined(name: str, out: Any, dim: int | None, level: Level) -> Any:
    """A result with the dimension of slices, at `dim`."""
    mine = out.impl.__class__ is BatchedTensorImpl and out.impl.level is level
    if dim is None:
        if mine:
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None. Please provide a non-None"
                " out_dim for that output."
            )
        return out
    whole = whole_of(out) if mine else _C.expand(_C.unsqueeze(out, 0), (level.size, *out.shape))
    ndim = whole.meta.ndim
    if not -ndim <= dim < ndim:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})")
    return moved(whole, 0, dim % ndim)


def _name(func: Function) -> str:
    return str(getattr(func, "__name__", func))


def stacked_units(tensors: Sequence[Any]) -> list[Any]:
    """For each tensor the unit vectors of all of them together, along a new first dimension."""
    counts = [x.meta.numel for x in tensors]
    total = sum(counts)
    found, start = [], 0
    for x, count in zip(tensors, counts):
        rows = _C.zeros((total, count), dtype=x.dtype, device=x.device)
        if count:
            _C.fill_(_C.diagonal(_C.narrow(rows, 0, start, count)), 1)
        found.append(_C.reshape(rows, (total, *x.shape)))
        start += count
    return found
