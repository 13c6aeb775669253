"""What help() says of parameters that many functions have. An entry's `args` says it of the others, and where it differs."""

from __future__ import annotations

from tritonflow.binding.signature import Parameter

_DIM = "the dimension; a negative one counts from the end."

COMMON: dict[str, str] = {
    "align_corners": "whether the centres of the corner elements stay where they are.",
    "atol": "the absolute tolerance.",
    "bias": "added to the result; left out unless given.",
    "ceil_mode": "whether a last window may reach over the end.",
    "correction": "what is subtracted from the number of elements in the divisor; 1 unless given.",
    "device": "where the result lies, such as `\"cpu\"` or `\"cuda:0\"`; the default device unless given.",
    **dict.fromkeys(("dim0", "dim1", "dim2"), "one of the two dimensions; a negative one counts from the end."),
    "dtype": "of the result; the input is cast to it first. Its own unless given.",
    "end": "where to stop.",
    "eps": "a small number that keeps a divisor away from 0.",
    "equal_nan": "whether NaN equals NaN.",
    "generator": "draws the numbers; the device's default generator unless given.",
    "inplace": "whether the result is written over the input.",
    "keepdim": "whether reduced dimensions stay, with size 1.",
    "kernel_size": "the size of the window: an int for all dimensions, or one for each.",
    "dilation": "the step between elements of the window.",
    "groups": "input and output channels fall into that many groups that do not see each other.",
    "memory_format": "the order of the dimensions in memory.",
    "out": "a tensor that the result is written into; not while gradients are recorded.",
    "padding": "how far the input is continued at both ends.",
    "placement": "the devices over which a consistent result lies, with `sbp`; a local one unless given.",
    "requires_grad": "whether backward leaves a gradient in `.grad`.",
    "reduction": "`\"mean\"` or `\"sum\"` of the elements, or `\"none\"`.",
    "reduce": "deprecated, see `reduction`.",
    "rtol": "the tolerance relative to `other`.",
    "sbp": "how a consistent result lies over `placement`: split, broadcast or partial sum.",
    "size_average": "deprecated, see `reduction`.",
    "step": "the distance between neighbours.",
    "stride": "the step of the window; `kernel_size` unless given.",
    "training": "whether the module is training.",
    "unbiased": "whether the divisor is n - 1 instead of n.",
}  # fmt: skip
_FIRST_NAMES = ("input", "x", "self", "a", "A")


def parameter_text(found: list[Parameter], is_first: bool) -> str:
    """The text of a parameter from the common table and its types; "" where there is none.

    Args:
        found: the parameter in the overloads that have it.
        is_first: whether it is the first of the function.
    """
    name, types = found[0].name, {p.type.name for p in found}
    if name in ("dim", "dims", "axis"):
        return _dimension(found)
    if name in COMMON:
        return COMMON[name]
    operand = "a tensor or a number." if {"Tensor", "Scalar"} <= types else "a tensor."
    if is_first and name in _FIRST_NAMES and "Tensor" in types:
        return operand if "Scalar" in types else "the input."
    if name == "other" and types <= {"Tensor", "Scalar"}:
        return operand
    return ""


def _dimension(found: list[Parameter]) -> str:
    several = any(p.type.is_list for p in found)
    omitted = any(not p.required and p.default is None for p in found)
    text = "the dimension, or several; negative ones count from the end." if several else _DIM
    return text + (" All elements unless given." if omitted else "")
