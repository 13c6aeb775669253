"""Batching rules of random ops: numbers of their own for each example, or the same for all.

The state of a generator is marked while `vmap` runs, so that the ops that draw from it come here.
"""

from __future__ import annotations

from typing import Any

from tritonflow.binding.target import beside
from tritonflow.errors import BatchingError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.creation import ones
from tritonflow.functions.elementwise_selection import where_scalar_y
from tritonflow.functions.generated import mul
from tritonflow.interpreter.batched import Alike, BatchedCall, marked_state
from tritonflow.interpreter.dispatch import dispatch
from tritonflow.rules.batch.examples import every, stacked


def _checked(call: BatchedCall) -> tuple[int, Tensor]:
    """(the position of the state, the state that the calls around this one see).

    Raises:
        RuntimeError: `vmap` was not told what random numbers are to be.
    """
    if call.level.randomness == "error":
        raise BatchingError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness"
            " flags on vmap or perform the randomness operation out of vmap"
        )
    position = call.op.definition.inputs.index("state")
    return position, marked_state(call.inputs[position])  # type: ignore[arg-type]


def drawn(call: BatchedCall) -> Any:
    """Numbers of a shape, the first static attribute."""
    _, state = _checked(call)
    if call.level.randomness == "same":
        return Alike(dispatch(call.op, (state,), call.attrs, call.dynamic))
    shape, *attrs = call.attrs
    return dispatch(call.op, (state,), ((call.size, *shape), *attrs), call.dynamic)


def drawn_of(call: BatchedCall) -> Any:
    """A number for each element of the inputs."""
    position, state = _checked(call)
    others = [k for k in range(len(call.inputs)) if k != position]
    if call.level.randomness == "same":
        if any(call.batched[k] for k in others):
            raise BatchingError(
                "Vmap does not currently support same randomness with a batched tensor input. Please file an issue with functorch"
            )
        inputs = [state if k == position else x for k, x in enumerate(call.inputs)]
        return Alike(dispatch(call.op, tuple(inputs), call.attrs, call.dynamic))
    inputs = [state if k == position else every(call, k) for k in range(len(call.inputs))]
    return dispatch(call.op, tuple(inputs), call.attrs, call.dynamic)


def dropout(call: BatchedCall) -> Any:
    """The elements that are kept differ from example to example, or are the same."""
    _, state = _checked(call)
    meta = call.metas[0]
    assert meta is not None
    if call.level.randomness == "different":
        return dispatch(call.op, (every(call, 0), state), call.attrs, call.dynamic)
    if not call.batched[0]:
        found = dispatch(call.op, (call.inputs[0], state), call.attrs, call.dynamic)
        return Alike(found[0]), Alike(found[1])
    x: Any = call.inputs[0]
    factors, kept = dispatch(call.op, (ones(meta.shape, dtype=meta.dtype, **beside(x)), state), call.attrs, call.dynamic)
    return where_scalar_y(kept, mul(x, factors), 0.0), Alike(kept)


def reserve(call: BatchedCall) -> Any:
    """Numbers that attention draws later: each example reserves its own, or all the same."""
    _, state = _checked(call)
    if call.level.randomness == "same":
        return Alike(dispatch(call.op, (state,), call.attrs))
    return stacked([dispatch(call.op, (state,), call.attrs) for _ in range(call.size)])
