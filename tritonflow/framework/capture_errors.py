"""The errors of calls that need a tensor's value while a graph is captured: the text has the call, its line and a way out."""

from __future__ import annotations

from tritonflow.errors import CaptureError, DataDependentShapeError
from tritonflow.thread_state import thread_state
from tritonflow.vm.failure import calling, describe

_ITEM = "item(), float() or int()"
_LANGUAGE = {
    "__bool__": "`if`, `while`, `and`, `or`, `not` or `in`", "item": _ITEM, "__float__": _ITEM, "__int__": _ITEM,
    "of_a_number": _ITEM, "__index__": "a Python index", "address": "data_ptr()",
    "__array__": "NumPy", "to_numpy": "numpy()", "__format__": "format()", "__reduce_ex__": "pickle", "__dlpack__": "DLPack",
    "__dlpack_device__": "DLPack", "getitem": "an index with a mask or a bound", "setitem": "an index with a mask or a bound",
}  # fmt: skip


def value_unknown() -> CaptureError:
    """For numbers of a tensor that has none."""
    called, line = calling()
    what = _LANGUAGE.get(called, f"{called}()")
    if not thread_state.observer.is_capturing:
        return CaptureError(
            f"{what}, at {describe(line)}: the tensor was made while a function was captured as a graph, and has no value outside"
            " of it: return it from the function"
        )
    return CaptureError(
        f"{what} needs the value of a tensor, which is not known while {thread_state.observer.program} is captured as a graph, at"
        f" {describe(line)}. Return the tensor and look at it outside, or choose between values with flow.where()."
    )


def looking() -> str:
    """What looks at numbers of a tensor now, and the line of the user's that calls it."""
    called, line = calling()
    return f"{_LANGUAGE.get(called, f'{called}()')}, at {describe(line)},"


def shape_unknown(op: str) -> DataDependentShapeError:
    """For an op whose result's shape depends on values."""
    called, line = calling()
    what = _LANGUAGE.get(called, f"{called}()")
    return DataDependentShapeError(
        f"{what} gives a tensor whose shape depends on the values of another ({op}), which a graph cannot have, at"
        f" {describe(line)}. Call it outside of {thread_state.observer.program}, or use an op with a fixed shape: flow.where(), a"
        " product with the mask."
    )


def computed_elsewhere(op: str, there: object, here: object) -> CaptureError:
    """For an op on another device than that of the graph."""
    _, line = calling()
    return CaptureError(
        f"{thread_state.observer.program} is captured as a graph on {here}, which cannot compute on {there}, as {op} does, at"
        f" {describe(line)}. Compute on {here}, or outside of the graph."
    )


def moved_with_history(source: object, target: object) -> CaptureError:
    """For a tensor from outside that requires grad, and is copied to another device."""
    _, line = calling()
    return CaptureError(
        f"{thread_state.observer.program} copies a tensor that requires grad from {source} to {target}, at {describe(line)}, which"
        " a graph cannot: its gradient would have to go back in each run. Copy it outside, or detach() it."
    )
