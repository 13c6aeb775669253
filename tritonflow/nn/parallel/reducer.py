"""The reducer: averages gradients over the ranks while backward goes on.

Parameters are in buckets, the last ones first, since their gradients are complete first. When all gradients of a bucket are, its
mean over the ranks is issued. Buckets go in their order on every rank, so that all ranks call the same collectives. What is left
goes when the backward pass ends, with zeros for parameters that it has not reached.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol
from weakref import WeakSet

from tritonflow import _C
from tritonflow.autograd.function import Function, FunctionCtx
from tritonflow.device.side_stream import beside
from tritonflow.errors import ArgumentTypeError, AutogradError, ShapeError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad
from tritonflow.interpreter.grad_node import GradNode
from tritonflow.nn.parallel.buckets import buckets_of, joined, mean_over, split_like
from tritonflow.nn.parallel.structure import mapped
from tritonflow.wire.record import Ranks

Hook = Callable[[Any, "GradBucket"], Any]

_reducers: WeakSet[Reducer] = WeakSet()


class GradBucket:
    """The gradients of some parameters as one vector: what a communication hook is given.

    Args:
        index: the how many-th bucket of a backward it is, from 0 on.
        params: whose gradients they are.
        is_last: whether no other bucket follows.
        owns_memory: whether the gradients are views of one vector, which stays from step to step.

    Source: torch.distributed.GradBucket.
    """

    def __init__(self, index: int, params: list[Tensor], is_last: bool, owns_memory: bool) -> None:
        self._index, self._params, self._is_last = index, params, is_last
        self.owns_memory, self.device, self.nbytes = owns_memory, params[0].device, sum([p.meta.nbytes for p in params])
        self._buffer: Tensor | None = None
        self._views: dict[int, Tensor] = {}
        if owns_memory:
            with no_grad():
                self._buffer = _C.cat([_C.zeros_like(p).reshape(-1) for p in params])
                self._views = {id(p): view for p, view in zip(params, split_like(params, self._buffer))}

    def index(self) -> int:
        """The how many-th bucket of a backward it is, from 0 on."""
        return self._index

    def is_last(self) -> bool:
        """Whether no other bucket follows."""
        return self._is_last

    def parameters(self) -> list[Tensor]:
        """The parameters, in the order of the vector."""
        return list(self._params)

    def buffer(self) -> Tensor:
        """The vector: the gradients of this rank, one behind the other."""
        assert self._buffer is not None
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Put another vector of as many elements here."""
        self._buffer = buffer

    def gradients(self) -> list[Tensor]:
        """The gradients, views of the vector in the shapes of their parameters."""
        return split_like(self._params, self.buffer())

    def take_in(self, p: Any) -> None:
        """Move a gradient that has come about into the vector."""
        view = self._views[id(p)]
        if p.grad is None:
            view.zero_()
        elif p.grad is not view:
            view.copy_(p.grad)
        p.grad = view

    def fill(self) -> Tensor:
        """The vector of the gradients as they are, with zeros for those that did not come about."""
        if self.owns_memory:
            for p in self._params:
                self.take_in(p)
        else:
            self._buffer = joined([_C.zeros_like(p) if p.grad is None else p.grad for p in self._params])
        return self.buffer()

    def put(self, result: Any) -> None:
        """Make the gradients those of another vector.

        Raises:
            TypeError, RuntimeError: it is none, or has another number of elements.
        """
        if not isinstance(result, Tensor):
            raise ArgumentTypeError(f"a communication hook must return a tensor, or a future of one, not {type_name(result)}")
        count = sum([p.meta.numel for p in self._params])
        if result.meta.numel != count:
            raise ShapeError(f"a communication hook of a bucket of {count} elements returned {result.meta.numel}")
        if self.owns_memory:
            if result is not self._buffer:
                self.buffer().copy_(result.reshape(-1))
            return
        self._buffer = None
        p: Any
        for p, mean in zip(self._params, split_like(self._params, result.reshape(-1))):
            if p.requires_grad:
                p.grad = mean if mean.meta.dtype is p.dtype else mean.to(p.dtype)


class Reducer:
    """Averages the gradients of parameters, each time a backward pass comes by outputs that it watches.

    Args:
        params: those that require grad, in the order in which the module has them.
        ranks: over which ranks.
        max_bytes, max_tensors: of a bucket.
        owns_memory: whether the gradients of a bucket have memory of their own, as of `GradBucket`.

    Attributes:
        hook: what averages a bucket in place of the mean, with its state; None for the mean.
        divisor: by what gradients are divided.
        shards: what makes this rank's rows of the averages of a bucket, in place of averages of all; None for these.
    """

    def __init__(
        self, params: Iterable[Tensor], ranks: Ranks, max_bytes: float, max_tensors: float, owns_memory: bool = False
    ) -> None:
        found = buckets_of(reversed(list(params)), max_bytes, max_tensors)
        self.ranks, self.divisor = ranks, len(ranks)
        self.buckets = [GradBucket(k, bucket, k == len(found) - 1, owns_memory) for k, bucket in enumerate(found)]
        self.hook: tuple[Hook, Any] | None = None
        self.shards: GradientShards | None = None
        self._bucket_of = {id(p): number for number, bucket in enumerate(found) for p in bucket}
        self._backward: Any = lambda: None  # the pass that it takes part in
        self._waiting: list[int] = []  # by bucket: how many gradients are still to come
        self._next = 0
        self._coming: list[tuple[GradBucket, Any]] = []  # what hooks have promised
        self._forwards: list[weakref.ref[Any]] = []  # the nodes of outputs that are perhaps still to be differentiated
        reference = weakref.ref(self)
        for bucket in found:
            p: Any
            for p in bucket:
                p.register_post_accumulate_grad_hook(lambda p: _is_ready(reference, p))
        _reducers.add(self)

    def has(self, param: Tensor) -> bool:
        """Whether it averages the gradient of a parameter."""
        return id(param) in self._bucket_of

    def note_forward(self, node: GradNode) -> None:
        """Remember a forward by a node of its history, until its backward has run or nobody has its outputs any more."""
        self._forwards.append(weakref.ref(node))

    def is_backward_to_come(self) -> bool:
        """Whether a forward may still be differentiated. It then reads the buffers as they were."""
        nodes = [(reference, reference()) for reference in self._forwards]
        self._forwards = [reference for reference, node in nodes if node is not None and not node.is_released]
        return bool(self._forwards)

    def begin(self, announce: Callable[[], None]) -> None:
        """Take part in the backward pass that runs.

        Raises:
            AutogradError: it records itself, and the averages would have no history.
        """
        backward = current_backward()
        if backward.targets is not None or self._backward() is backward:
            return
        if is_grad_enabled():
            raise AutogradError("DistributedDataParallel: backward(create_graph=True) is not supported")
        self._backward = weakref.ref(backward)
        self._waiting = [len(bucket.parameters()) for bucket in self.buckets]
        self._next = 0
        self._coming.clear()
        announce()
        if self.shards is not None:
            self.shards.set_aside()
        backward.at_end.append(self._finish)

    def ready(self, param: Tensor) -> None:
        """The gradient of a parameter is complete."""
        number = self._bucket_of[id(param)]
        if self.buckets[number].owns_memory:
            with no_grad():
                self.buckets[number].take_in(param)
        if self._backward() is not current_backward():
            return
        self._waiting[number] -= 1
        while self._next < len(self.buckets) and self._waiting[self._next] <= 0:
            self._reduce_next()

    def reduce_nothing(self) -> None:
        """Take part in the averages of other ranks, with zeros."""
        for bucket in self.buckets:
            p: Any
            for p in bucket.parameters():
                p.grad = None
        self._next = 0
        self._finish()

    def _finish(self) -> None:
        while self._next < len(self.buckets):
            self._reduce_next()
        with no_grad():
            for bucket, promised in self._coming:
                came = promised.wait()
                bucket.put(came[0] if isinstance(came, (list, tuple)) else came)
        self._coming.clear()
        self._backward = lambda: None

    def _reduce_next(self) -> None:
        bucket = self.buckets[self._next]
        self._next += 1
        with no_grad(), beside(bucket.device, bucket.nbytes):
            if self.shards is not None:
                self.shards.reduce(bucket, self.divisor)
                return
            flat = bucket.fill()
            if self.hook is None:
                bucket.put(mean_over(self.ranks, flat, self.divisor, "gradients"))
                return
            function, state = self.hook
            result = function(state, bucket)
            if hasattr(result, "wait") and not isinstance(result, Tensor):
                self._coming.append((bucket, result))
            else:
                bucket.put(result)


class GradientShards(Protocol):
    """Makes a rank's rows of the averages, and frees the gradients."""

    def set_aside(self) -> None:
        """A backward pass begins, whose gradients are whole; what earlier ones left is added to its rows."""

    def reduce(self, bucket: GradBucket, divisor: int) -> None:
        """Average the gradients of a bucket."""


class Watcher(NamedTuple):
    """Who is told of outputs of a forward.

    Attributes:
        begin: a method that is called when a backward comes by them.
        note: a method that is called with a node of their history when the forward has run; or None.
    """

    begin: Callable[[], None]
    note: Callable[[GradNode], None] | None


class WatchedOutputs(Function):
    """`WatchedOutputs.apply(watcher, *outputs)`: the outputs, of which the watcher is told.

    The backward of a compiled function that leaves it to its caller tells the watchers in it, before it runs.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, watcher: Watcher, *outputs: Tensor) -> tuple[Tensor, ...]:  # type: ignore[override]
        ctx.set_materialize_grads(False)
        ctx.watcher = watcher  # type: ignore[attr-defined]
        return outputs

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> Any:
        ctx.watcher.begin()  # type: ignore[attr-defined]
        return (None, *grads)


def watched(outputs: Any, begin: Callable[[], None], note: Callable[[GradNode], None] | None = None) -> Any:
    """Outputs in any structure, of which a watcher with these methods is told."""
    found: list[Tensor] = []
    mapped(outputs, found.append)
    if not found:
        return outputs
    results = WatchedOutputs.apply(Watcher(begin, note), *found)
    if note is not None and not results[0].is_lazy:
        note(results[0].grad_fn)
    same = iter(results)
    return mapped(outputs, lambda _: next(same))


def _is_ready(reducer: weakref.ref[Reducer], param: Tensor) -> None:
    """A hook of a parameter, which may outlive the reducer."""
    alive = reducer()
    if alive is not None:
        alive.ready(param)


def reducer_of(param: Tensor) -> Reducer | None:
    """What averages the gradient of a parameter."""
    return next((reducer for reducer in list(_reducers) if reducer.has(param)), None)
