"""Which dtypes an op takes: the rules that the registry's `dtypes` names, checked before a plan is made.

The check sees metas only, so that a call is refused in the same words on every device, and costs nothing once there is a plan.
A rule is one or several words joined by |: floating, numeric (anything but bool), integral (bool and integers), or a dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tritonflow.dtypes import ALL, BOOL, FLOATING, DType, result_type, torch_name
from tritonflow.errors import DTypeNotImplementedError
from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.op_def import OpDef

_CLASSES = {
    "floating": tuple(d for d in ALL if d.category == FLOATING),
    "numeric": tuple(d for d in ALL if d.category != BOOL),
    "integral": tuple(d for d in ALL if d.category != FLOATING),
}


def check_dtypes(op: OpDef, inputs: Sequence[TensorMeta | None], kinds: Sequence[type] = ()) -> None:
    """Refuse dtypes that an op does not take.

    Args:
        kinds: the Python classes of the dynamic scalars, which take part in the promotion of a pointwise op.

    Raises:
        NotImplementedError: naming the op, the argument, the dtypes expected and the one given.
    """
    name = op.function or op.name
    for argument, rule in op.dtypes:
        if argument:
            meta = inputs[op.inputs.index(argument)]
            if meta is not None:
                require(name, rule, meta.dtype, argument)
        else:
            operand = result_type([(m.dtype, m.ndim) for m in inputs if m is not None], kinds)
            require(name, rule, operand, *op.inputs, *(op.dynamic if kinds else ()))


def require(name: str, rule: str, dtype: DType, *arguments: str) -> None:
    """Refuse a dtype that `rule` does not take; several arguments are those that promote to it.

    Raises:
        NotImplementedError: as `check_dtypes`.
    """
    allowed = dtypes_of(rule)
    if dtype in allowed:
        return
    what = "argument" + "s" * (len(arguments) > 1) + " " + ", ".join(repr(a) for a in arguments)
    verb = "must promote to" if len(arguments) > 1 else "must be"
    expected = ", ".join(d.name for d in allowed)
    raise DTypeNotImplementedError(
        f"\"{name}\" not implemented for '{torch_name(dtype)}': {what} {verb} one of {expected}, not {dtype.name}"
    )


@cache
def dtypes_of(rule: str) -> tuple[DType, ...]:
    """The dtypes that a rule takes, in the order of `dtypes.ALL`."""
    words = rule.split("|")
    return tuple(d for d in ALL if any(d in _CLASSES[w] if w in _CLASSES else d.name == w for w in words))
