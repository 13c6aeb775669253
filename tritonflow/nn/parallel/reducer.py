"""The reducer: averages gradients over the ranks while backward goes on.

Parameters are in buckets, the last ones first, since their gradients are complete first. When all gradients of a bucket are, its
mean over the ranks is issued. Buckets go in their order on every rank, so that all ranks call the same collectives. What is left
goes when the backward pass ends, with zeros for parameters that it has not reached.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

from tritonflow import _C
from tritonflow.autograd.function import Function, FunctionCtx
from tritonflow.errors import AutogradError
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.engine import current_backward
from tritonflow.interpreter.grad_mode import is_grad_enabled, no_grad
from tritonflow.nn.parallel.buckets import buckets_of, mean_over_ranks


class Reducer:
    """Averages the gradients of parameters, each time a backward pass comes by outputs that it watches.

    Args:
        params: those that require grad, in the order in which the module has them.
        max_bytes, max_tensors: of a bucket.
    """

    def __init__(self, params: Iterable[Tensor], max_bytes: float, max_tensors: float) -> None:
        self.buckets = buckets_of(reversed(list(params)), max_bytes, max_tensors)
        self._bucket_of = {id(p): number for number, bucket in enumerate(self.buckets) for p in bucket}
        self._backward: Any = lambda: None  # the pass that it takes part in
        self._waiting: list[int] = []  # by bucket: how many gradients are still to come
        self._next = 0
        self._forwards: list[weakref.ref[Any]] = []  # the nodes of outputs that are perhaps still to be differentiated
        reference = weakref.ref(self)
        for bucket in self.buckets:
            p: Any
            for p in bucket:
                p.register_post_accumulate_grad_hook(lambda p: _is_ready(reference, p))

    def watch(self, outputs: list[Tensor]) -> list[Tensor]:
        """The same tensors; a backward pass that comes by them averages the gradients."""
        return list(WatchedOutputs.apply(self, *outputs))

    def note_forward(self, output: Tensor) -> Tensor:
        """Remember an output of a forward until its backward has run, or nobody has it any more."""
        node = None if output.is_lazy else output.grad_fn
        if node is not None:
            self._forwards.append(weakref.ref(node))
        return output

    def is_backward_to_come(self) -> bool:
        """Whether a forward may still be differentiated. It then reads the buffers as they were."""
        nodes = [(reference, reference()) for reference in self._forwards]
        self._forwards = [reference for reference, node in nodes if node is not None and not node.is_released]
        return bool(self._forwards)

    def begin(self) -> None:
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
        self._waiting = [len(bucket) for bucket in self.buckets]
        self._next = 0
        backward.at_end.append(self._finish)

    def ready(self, param: Tensor) -> None:
        """The gradient of a parameter is complete."""
        if self._backward() is not current_backward():
            return
        self._waiting[self._bucket_of[id(param)]] -= 1
        while self._next < len(self.buckets) and self._waiting[self._next] <= 0:
            self._reduce_next()

    def _finish(self) -> None:
        while self._next < len(self.buckets):
            self._reduce_next()
        self._backward = lambda: None

    def _reduce_next(self) -> None:
        bucket = self.buckets[self._next]
        self._next += 1
        with no_grad():
            grads = [_C.zeros_like(p) if p.grad is None else p.grad for p in bucket]
            for p, mean in zip(bucket, mean_over_ranks(grads, "gradients")):
                if p.requires_grad:
                    p.grad = mean


class WatchedOutputs(Function):
    """`WatchedOutputs.apply(reducer, *outputs)`: the outputs; their backward begins the reduction."""

    @staticmethod
    def forward(ctx: FunctionCtx, reducer: Reducer, *outputs: Tensor) -> tuple[Tensor, ...]:  # type: ignore[override]
        ctx.set_materialize_grads(False)
        ctx.reducer = reducer  # type: ignore[attr-defined]
        return outputs

    @staticmethod
    def backward(ctx: FunctionCtx, *grads: Tensor) -> Any:
        ctx.reducer.begin()  # type: ignore[attr-defined]
        return (None, *grads)


def _is_ready(reducer: weakref.ref[Reducer], param: Tensor) -> None:
    """A hook of a parameter, which may outlive the reducer."""
    alive = reducer()
    if alive is not None:
        alive.ready(param)
