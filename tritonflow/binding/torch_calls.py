"""What torch's functions take besides the parameters that the registry gives them.

Other names of parameters (`axis=` for `dim=`), keywords without effect here (`non_blocking=`), results written into given tensors
(`out=`), and in-place forms of functions that have no kernel for them. All of it is behind the test for exact types that a
generated function makes, so that the usual call pays nothing.

Source: torch's argument parser (torch/csrc/utils/python_arg_parser.cpp) and its out= variants (ATen/native/Resize.cpp).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from tritonflow.binding.prototype import MISSING
from tritonflow.dtypes import BOOL, DType, torch_name
from tritonflow.errors import (
    ArgumentTypeError,
    AutogradError,
    DeviceMismatchError,
    DTypeError,
    DTypeNotImplementedError,
    InplaceError,
    ShapeError,
    type_name,
)
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta, contiguous_stride, numel_of
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.gradient_ops import gradient_ops
from tritonflow.interpreter.inplace import Overlap, overlap_of, refuse_overlap
from tritonflow.interpreter.recording import edges_of, view_of_whole
from tritonflow.thread_state import thread_state

# ------------------------------------------------------------------------------------------------------------- keywords

# Keyword: the parameters that it may mean, the first of these that the function has.
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "axis": ("dim", "dims"),
    "dim": ("dims", "axis"),
    "dims": ("dim",),
    "keepdims": ("keepdim",),
    "axis0": ("dim0",),
    "axis1": ("dim1",),
    "other": ("y", "exponent"),
    "x2": ("other",),
    "size": ("shape",),
    "shape": ("size",),
    "split_size": ("split_size_or_sections",),
    "split_sizes": ("split_size_or_sections",),
    "sections": ("indices_or_sections",),
    "indices": ("indices_or_sections",),
    "negative_slope": ("alpha",),
    "tensor": ("other",),
    "src": ("other", "source"),
    "from": ("low", "start"),
    "to": ("high",),
    "train": ("training",),
    "values": ("value",),
    "input2": ("tau",),
    "input3": ("other",),
}
_FIRST = frozenset({"input", "self", "x", "a", "x1"})  # of the first parameter, where that is a tensor
# Keywords that change nothing here: of these functions, and of those that make tensors on a device.
_WITHOUT_EFFECT = {
    "stable": ("argsort",),  # every sort is stable
    "_stacklevel": ("softmax", "log_softmax", "softmin"),
    "cudnn_enable": ("layer_norm",),
    "cudnn_enabled": ("batch_norm", "group_norm", "instance_norm"),
}
_OF_NEW_TENSORS = frozenset({"pin_memory", "layout"})


def other_names(slots: Container[str]) -> list[str]:
    """The keywords that a function also takes, for parameters that it has."""
    return [name for name, meant in _OTHER_NAMES.items() if any(each in slots for each in meant)]


def known_keywords(
    function: str, unknown: dict[str, Any], parameters: Container[str], first: str | None
) -> dict[str, Any]:
    """Keywords that no signature has, under the names that the signatures have for them.

    Args:
        function: its name.
        unknown: the keywords.
        parameters: the parameters of the function.
        first: the first parameter, if that is a tensor.
    """
    found: dict[str, Any] = {}
    for name, value in unknown.items():
        if function in _WITHOUT_EFFECT.get(name, ()):
            continue
        if name in _OF_NEW_TENSORS and "device" in parameters and _is_default(name, value):
            continue
        found[_meant(name, parameters, first)] = value
    return found


def _is_default(name: str, value: Any) -> bool:
    """Whether a tensor has the property anyway."""
    return (
        value is None or isinstance(value, bool)
        if name == "pin_memory"
        else value is None or str(value).endswith("strided")
    )


def _meant(name: str, parameters: Container[str], first: str | None) -> str:
    for other in _OTHER_NAMES.get(name, ()):
        if other in parameters:
            return other
    if name in _FIRST and first is not None:
        return "x" if first == "condition" and name != "self" else first  # `where` has the condition first
    return name


# ----------------------------------------------------------------------------------------------------------------- out=


def call_into(
    name: str,
    out: Any,
    call: Callable[[list[Any]], Any],
    values: list[Any],
    extra: tuple[Any, ...],
    parameters: Mapping[str, int],
) -> Any:
    """Call a function and write its results into `out`, a tensor or a sequence of tensors. Returns the tensors written.

    Args:
        name: of the function.
        out: what is written.
        call: calls the function with values for its parameters.
        values: these values.
        extra: further arguments.
        parameters: where the values of the parameters are.

    Raises:
        TypeError: `out` is no tensor, or another number of tensors than the function returns.
        RuntimeError: a tensor requires grad, or a result cannot be cast to the dtype of the tensor for it.
    """
    outs = (out,) if isinstance(out, Tensor) else tuple(out) if isinstance(out, (tuple, list)) else ()
    if not outs or not all(isinstance(t, Tensor) for t in outs):
        raise ArgumentTypeError(f"{name}(): argument 'out' must be Tensor, not {type_name(out)}")
    given = _tensors((*values, *extra))
    if thread_state.grad_enabled and any(edge is not None for edge in edges_of((*given, *outs))):
        raise AutogradError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments"
            " requires grad."
        )
    _refuse_overlaps(name, outs, given)
    if name not in _OF_FLOATS and not (name == "normal" and given):  # only normal(mean, std, size) has a dtype
        _make_like(outs[0], given, values, parameters)
    result = call(values)
    results = (result,) if isinstance(result, Tensor) else result
    if not isinstance(results, tuple) or not all(isinstance(t, Tensor) for t in results):
        raise ArgumentTypeError(f"{name}(): got an unexpected keyword argument 'out'")
    if len(results) != len(outs) or isinstance(result, Tensor) is not isinstance(out, Tensor):
        raise ArgumentTypeError(f"{name}(): argument 'out' must be {_expected(len(results))}, not {type_name(out)}")
    for target, value in zip(outs, results):
        if value.meta.dtype is not target.meta.dtype and (len(outs) > 1 or name in _OF_ONE_DTYPE):
            wanted, found_dtype = torch_name(value.meta.dtype), torch_name(target.meta.dtype)
            raise DTypeError(f"{name}(): Expected out tensor to have dtype {wanted}, but got {found_dtype} instead")
        write(target, value)
    if isinstance(out, Tensor):
        return out
    return type(result)(*outs) if hasattr(result, "_fields") else outs


# Functions whose `out` must have the dtype of the result; others cast to that of `out`, but those with several results.
_OF_ONE_DTYPE = frozenset({
    "take", "gather", "multinomial", "masked_select", "argmax", "argmin", "nonzero", "scatter", "scatter_add", "index_add",
    "index_copy", "index_select", "take_along_dim", "bmm", "mm", "addmm", "mv", "dot", "vdot", "histc", "tril", "triu", "diag",
    "cross", "quantile", "nanquantile", "softmax", "log_softmax", "logcumsumexp", "bucketize", "searchsorted", "amax", "amin",
    "renorm", "isin", "complex", "polar",
})  # fmt: skip

# Functions that read an element again when they have written others: torch refuses an `out` that is an input.
_READ_AGAIN = frozenset({"cat", "concat", "concatenate", "gather", "index_select", "take"})


def _refuse_overlaps(name: str, outs: tuple[Tensor, ...], given: list[Tensor]) -> None:
    """Refuse to write where an input is in part, as torch does; here the result would be right."""
    for out in outs:
        refuse_overlap(out.meta)
        for tensor in given:
            if tensor.impl is not out.impl or not out.meta.is_local:
                continue
            overlap = Overlap.FULL if tensor is out else overlap_of(tensor, out)
            if overlap is Overlap.PARTIAL or overlap is Overlap.FULL and name in _READ_AGAIN:
                raise InplaceError(
                    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory"
                    " location. Please clone() the tensor before performing the operation."
                )


def _expected(count: int) -> str:
    return "Tensor" if count == 1 else f"tuple of {count} Tensors"


_OF_FLOATS = ("mean", "nanmean")  # whose input is refused where its dtype is not floating, whatever `out` is


def _make_like(out: Tensor, given: list[Tensor], values: list[Any], parameters: Mapping[str, int]) -> None:
    """Ask for the dtype, and where no tensor is given for the device, of what is to be written.

    Raises:
        RuntimeError: a new tensor is asked for in another dtype.
    """
    at = parameters.get("dtype")
    if at is not None:
        dtype = values[at]
        if dtype is None or dtype is MISSING:
            if not given or out.meta.dtype.category >= max(t.meta.dtype.category for t in given):
                values[at] = out.meta.dtype
        elif not given and isinstance(dtype, DType) and dtype is not out.meta.dtype:
            raise DTypeError(
                f"dtype {torch_name(dtype)} does not match dtype of out parameter ({torch_name(out.meta.dtype)})"
            )
    at = parameters.get("device")
    if not given and at is not None and values[at] is None and out.meta.is_local:
        values[at] = out.meta.device


def write(out: Tensor, result: Tensor) -> None:
    """Write a result into a tensor, which gets its shape; not recorded for backward.

    Raises:
        RuntimeError: the dtype of the result is of a higher kind, or the tensors are on different devices.
    """
    require_castable(result.meta.dtype, out.meta.dtype)
    if out.meta.is_local and result.meta.is_local and out.meta.device is not result.meta.device:
        raise DeviceMismatchError(
            "Expected all tensors to be on the same device, but found at least two devices,"
            f" {out.meta.device} and {result.meta.device}!"
        )
    was = out.meta, out.impl, out.ptr, out._view
    before, thread_state.grad_enabled = thread_state.grad_enabled, False
    try:
        if out.meta.shape != result.meta.shape:
            if out.meta.numel:
                warnings.warn(_resized(out.meta.shape, result.meta.shape), UserWarning, stacklevel=6)
            resize(out, result.meta.shape)
        gradient_ops.copy(out, result)
    except Exception:
        out.meta, out.impl, out.ptr, out._view = was
        raise
    finally:
        thread_state.grad_enabled = before


def _resized(before: tuple[int, ...], after: tuple[int, ...]) -> str:
    return (
        f"An output with one or more elements was resized since it had shape {list(before)}, which does not match the required"
        f" output shape {list(after)}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized"
        " unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements"
        " with t.resize_(0)."
    )


def require_castable(dtype: DType, out: DType) -> None:
    """Refuse to write numbers of one kind over those of a lower kind.

    Raises:
        RuntimeError: names both.
    """
    if dtype.category > out.category:
        raise DTypeError(f"result type {torch_name(dtype)} can't be cast to the desired output type {torch_name(out)}")


def resize(x: Tensor, shape: tuple[int, ...]) -> None:
    """Give a tensor another shape, contiguous, in its memory if that is large enough, else in new memory.

    The first elements in memory stay, further ones are not initialised. Other than in torch, views made before a tensor was given
    new memory keep the old one.

    Raises:
        RuntimeError: the tensor is consistent.
    """
    meta = x.meta
    if not meta.is_local:
        raise ShapeError("a consistent tensor cannot be resized in place")
    if meta.shape == shape and meta.is_contiguous:
        return
    thread_state.observer.change_memory(x)
    stride = contiguous_stride(shape)
    room = x.impl.value.meta.nbytes - x.ptr if x.is_lazy else x.impl.block.ptr + x.impl.block.nbytes - x.ptr
    if numel_of(shape) * meta.dtype.itemsize <= room:
        x.meta = TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned)
        x._was_viewed = True
        if x._view is not None:
            view_of_whole(x, op_expr("as_strided"))
        return
    if meta.numel or not x.is_lazy:
        thread_state.observer.forbid(
            "a tensor with elements cannot be given new memory in a captured program, as by resize_() or out=: make another one"
        )
    new = gradient_ops.zeros(TensorMeta.get(shape, stride, meta.dtype, meta.device, True))
    if meta.numel:
        count = min(room, new.meta.nbytes) // meta.dtype.itemsize
        kept = TensorMeta.get((count,), (1,), meta.dtype, meta.device, meta.aligned)
        start = TensorMeta.get((count,), (1,), meta.dtype, meta.device, True)
        gradient_ops.copy(Tensor(start, new.impl, new.ptr), Tensor(kept, x.impl, x.ptr))
    x.meta, x.impl, x.ptr, x._view = new.meta, new.impl, new.ptr, None


# ------------------------------------------------------------------------------------------------------- in-place forms


def in_place(functor: Callable[..., Any]) -> Callable[..., Any]:
    """The in-place form of a functor that has none: its result is copied over its first argument.

    The result has the shape and dtype of that argument, or the call is refused, as in torch.
    """

    parameters = functor.__code__.co_varnames[: functor.__code__.co_argcount]
    dtype_at = parameters.index("dtype") if parameters[-1:] == ("dtype",) else None  # that of the result

    def overwrite(x: Tensor, *args: Any, inplace: bool = True) -> Tensor:
        recorded = thread_state.grad_enabled and (x._node is not None or x._view is not None)
        source = gradient_ops.clone(x) if recorded else x
        if dtype_at is not None and x.meta.dtype.category == BOOL and x.meta.numel and x.meta.ndim:
            raise DTypeNotImplementedError(
                "the sums or products of truth values are not implemented for 'Bool' in place"
            )
        if dtype_at is not None and args[dtype_at - 1 : dtype_at] in ((), (None,)):
            args = (*args[: dtype_at - 1], x.meta.dtype)
        result = functor(source, *args)
        require_castable(result.meta.dtype, x.meta.dtype)
        if result.meta.shape != x.meta.shape:
            raise ShapeError(
                f"output with shape {list(x.meta.shape)} doesn't match the broadcast shape {list(result.meta.shape)}"
            )
        return gradient_ops.copy(x, result)

    return overwrite


def _tensors(values: Sequence[Any]) -> list[Tensor]:
    """The tensors among arguments, and in lists of them."""
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            found += [v for v in value if isinstance(v, Tensor)]
    return found
