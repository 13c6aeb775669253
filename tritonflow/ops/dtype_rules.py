"""Which dtypes an op takes: the rules that the registry's `dtypes` names, checked before a plan is made.

The check sees metas only, so that a call is refused in the same words on every device, and costs nothing once there is a plan.
A rule is one or several words joined by |: floating, numeric (anything but bool), integral (bool and integers), barebones
(uint16, uint32 and uint64), or a dtype.
Storage dtypes (float8) are for ops that the registry marks with `storage`, which move elements or cast them. uint16, uint32 and
uint64 are for these, for ops marked with `unsigned`, and for pointwise ops that compute in floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from tritonflow.dtypes import ALL, BAREBONES, BOOL, FLOATING, DType, bool_, result_type, torch_name
from tritonflow.errors import DTypeError, DTypeNotImplementedError
from tritonflow.framework.meta import TensorMeta
from tritonflow.ops.op_def import OpDef

_CLASSES = {
    "floating": tuple(d for d in ALL if d.category == FLOATING),
    "numeric": tuple(d for d in ALL if d.category != BOOL),
    "integral": tuple(d for d in ALL if d.category != FLOATING),
    "barebones": BAREBONES,
}


_CONDITIONS = frozenset({"condition", "mask"})  # names of operands that choose between others


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


def check_storage(
    op: OpDef, inputs: Sequence[TensorMeta | None], attrs: Sequence[Any], kinds: Sequence[type] = ()
) -> None:
    """Refuse storage dtypes, which have no arithmetic, and uint16, uint32 and uint64 where the op has none for them.

    Raises:
        NotImplementedError: naming the op, the dtype, and the argument that has it.
        RuntimeError: a pointwise op has operands of other dtypes besides.
    """
    if op.is_view:
        return
    name, last = op.function or op.name, len(op.inputs) - 1
    if op.kind == "pointwise" and any(meta is not None and meta.dtype.is_storage for meta in inputs):
        result_type([(m.dtype, m.ndim) for m in inputs if m is not None])  # which promotes them to nothing
    for number, meta in enumerate(inputs):
        if meta is not None and meta.dtype.is_storage:
            raise no_arithmetic(name, meta.dtype, op.inputs[min(number, last)])
    for argument, value in zip(op.attrs, attrs):
        if value.__class__ is DType and value.is_storage:
            raise no_arithmetic(name, value, argument)
    if not op.unsigned:
        _refuse_barebones(op, name, inputs, attrs, kinds)


def _refuse_barebones(
    op: OpDef, name: str, inputs: Sequence[TensorMeta | None], attrs: Sequence[Any], kinds: Sequence[type]
) -> None:
    """Refuse uint16, uint32 and uint64, but as operands of a pointwise op that casts them to floats."""
    found = [m.dtype for m in inputs if m is not None and m.dtype.is_barebones]
    if found and op.kind == "pointwise":
        operand = promoted(op, inputs, kinds)
        found = found if operand.category < FLOATING and op.result != "float" else []
    found += [v for v in attrs if v.__class__ is DType and v.is_barebones]
    if found:
        raise DTypeNotImplementedError(
            f"\"{name}\" not implemented for '{torch_name(found[0])}': cast it first, such as to int64; {found[0].name} is moved,"
            " cast, sorted, added, multiplied, divided, compared and combined bit by bit"
        )


def refuse_complex(
    op: OpDef, inputs: Sequence[TensorMeta | None], attrs: Sequence[Any], kinds: Sequence[type], out: TensorMeta | None
) -> None:
    """Refuse complex numbers: no kernel takes them, and ops that can do with them never come to a plan.

    Raises:
        RuntimeError: the result is to be written over a real tensor.
        NotImplementedError: any other op.
    """
    wanted = [v for v in attrs if v.__class__ is DType]
    dtypes = [m.dtype for m in inputs if m is not None] + wanted
    if not any(dtype.is_complex for dtype in dtypes) and complex not in kinds:
        return
    name = op.function or op.name
    if out is not None and not out.dtype.is_complex:
        result = result_type([(m.dtype, m.ndim) for m in inputs if m is not None], kinds)
        raise DTypeError(f"result type {torch_name(result)} can't be cast to the desired output type {torch_name(out.dtype)}")
    which = next((torch_name(d) for d in dtypes if d.is_complex), "complex numbers")
    raise DTypeNotImplementedError(f"\"{name}\" not implemented for '{which}'")


def promoted(op: OpDef, inputs: Sequence[TensorMeta | None], kinds: Sequence[type]) -> DType:
    """What the operands of a pointwise op promote to. A condition is none: bool has no common dtype with uint16 and the like."""
    metas = [m for m in inputs if m is not None]
    if not _CONDITIONS.isdisjoint(op.inputs) and any(m.dtype.is_barebones for m in metas):
        metas = [m for m in metas if m.dtype is not bool_]
    return result_type([(m.dtype, m.ndim) for m in metas], kinds)


def no_arithmetic(name: str, dtype: DType, argument: str) -> DTypeNotImplementedError:
    """The error of an op that would compute with a storage dtype."""
    return DTypeNotImplementedError(
        f"\"{name}\" not implemented for '{torch_name(dtype)}': argument '{argument}' must be cast first, for {dtype.name} is"
        " stored only, and multiplied by scaled_mm"
    )


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
    return tuple(d for d in ALL + BAREBONES if any(d in _CLASSES[w] if w in _CLASSES else d.name == w for w in words))
