"""Ops of one's own on consistent tensors: the op's function runs on each rank's shard, by the op's factor string."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tritonflow.boxing.placed import Placed, place
from tritonflow.device.device import META
from tritonflow.errors import InvalidArgumentError, NotYetImplementedError
from tritonflow.execution.lazy import eager
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.framework.tensor_impl import MetaTensorImpl
from tritonflow.interpreter import consistent
from tritonflow.library.arguments import mapped, tensors_of
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.plan import Plan
from tritonflow.ops.sbp import factors
from tritonflow.thread_state import thread_state

if TYPE_CHECKING:
    from tritonflow.library.custom_op import CustomOp

BROADCAST = "broadcast"


def checked(op: str, rule: str) -> str:
    """A factor string, or "broadcast".

    Raises:
        RuntimeError: it is neither.
    """
    if rule == BROADCAST:
        return rule
    try:
        factors.parse(rule)
    except (ValueError, AttributeError, TypeError) as error:
        raise InvalidArgumentError(
            f"{op}: expected a factor string such as 'm k, n k -> m n', but got {rule!r}: {error}"
        ) from None
    return rule


def run(op: CustomOp, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The op on consistent tensors.

    Raises:
        LocalityError: some tensors are local.
        PlacementError: no signature of the op is for what it writes.
    """
    tensors = tensors_of(args, options)
    inferred = _on_metas(op, args, options)
    several = isinstance(inferred, (tuple, list))
    outputs = tuple(inferred) if several else () if inferred is None else (inferred,)
    if not all(isinstance(each, Tensor) for each in outputs):
        raise NotYetImplementedError(f"{op._qualname}: results that are no tensors, of global (consistent) tensors")
    written = {id(tensor) for tensor in op._declared(args, options)}
    mut = tuple([k for k, tensor in enumerate(tensors) if id(tensor) in written])
    placed = _placed(op._qualname, op.sbp, tuple([x.meta for x in tensors]), tuple([y.meta for y in outputs]), mut)

    def compute(shards: Sequence[Tensor]) -> tuple[Any, ...]:
        following = iter(shards)
        found = op._run(
            list(shards), mapped(lambda _: next(following), args), mapped(lambda _: next(following), options)
        )
        return tuple(found) if several else () if found is None else (found,)

    results = consistent.apply_function(placed, tensors, compute)
    if several:
        return type(inferred)(results)
    return results[0] if results else None


def _on_metas(op: CustomOp, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The results without data, of tensors as one rank would have them that has all."""

    def without_data(x: Tensor) -> Tensor:
        meta = consistent.logical_meta(op._qualname, x)
        return Tensor(TensorMeta.get(meta.shape, meta.stride, meta.dtype, META), MetaTensorImpl(), 0)

    given = mapped(without_data, args), mapped(without_data, options)
    with nullcontext() if thread_state.observer.is_capturing else eager():  # nobody is told: nothing runs
        return op._run(tensors_of(*given), *given)


@lru_cache(maxsize=1024)
def _placed(name: str, sbp: str, metas: tuple[Any, ...], results: tuple[TensorMeta, ...], written: tuple[int, ...]) -> Placed:
    """How an op with these tensors and results, which writes some of them, lies over ranks."""
    inputs = tuple([f"x{k}" for k in range(len(metas))])
    outputs = tuple([f"y{k}" for k in range(len(results))])

    def planner(_definition: OpDef, metas: Any, _attrs: Any) -> Plan:
        device = metas[0].device
        return Plan(metas, [TensorMeta.get(y.shape, y.stride, y.dtype, device) for y in results], ())

    mut = tuple([inputs[k] for k in written])
    definition = OpDef(name, inputs, outputs, kind="plan", mut=mut, sbp=sbp, fusion="none", storage=True)
    placed = place(OpExpr(definition, plan=planner), metas, (), (), None, None, None)
    assert placed is not None
    return placed
