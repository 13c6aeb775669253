"""Tensor methods: the functional API's functions, and operators with two operands.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow._C.functional import (
    _add,
    _div,
    _mat_mul,
    _mul,
    _pow,
    _scalar_add,
    _scalar_add_reversed,
    _scalar_div,
    _scalar_div_reversed,
    _scalar_mul,
    _scalar_mul_reversed,
    _scalar_pow,
    _scalar_pow_reversed,
    _scalar_sub,
    _scalar_sub_reversed,
    _sub,
    add,
    add_,
    addmm,
    argwhere,
    as_strided,
    baddbmm,
    bmm,
    chunk,
    contiguous,
    detach,
    diagonal,
    div,
    div_,
    dot,
    exp,
    exp_,
    expand,
    expand_as,
    flatten,
    gather,
    index_add,
    index_add_,
    index_select,
    log,
    log_softmax,
    masked_select,
    matmul,
    mm,
    movedim,
    mul,
    mul_,
    mv,
    narrow,
    nonzero,
    permute,
    pow,
    relu,
    relu_,
    repeat,
    reshape,
    reshape_as,
    scatter,
    scatter_,
    scatter_add,
    scatter_add_,
    select,
    softmax,
    split,
    squeeze,
    sub,
    sub_,
    sum,
    t,
    tile,
    transpose,
    unbind,
    unfold_tensor,
    unsqueeze,
    view,
    view_as,
)
from tritonflow.framework.tensor import Tensor


def __add__(self, other):
    if other.__class__ is Tensor:
        return _add(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add(self, other)
    return add(self, other)


def __radd__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_add_reversed(other, self)
    return add(other, self)


def __sub__(self, other):
    if other.__class__ is Tensor:
        return _sub(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub(self, other)
    return sub(self, other)


def __rsub__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_sub_reversed(other, self)
    return sub(other, self)


def __mul__(self, other):
    if other.__class__ is Tensor:
        return _mul(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul(self, other)
    return mul(self, other)


def __rmul__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_mul_reversed(other, self)
    return mul(other, self)


def __truediv__(self, other):
    if other.__class__ is Tensor:
        return _div(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div(self, other)
    return div(self, other)


def __rtruediv__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_div_reversed(other, self)
    return div(other, self)


def __pow__(self, other):
    if other.__class__ is Tensor:
        return _pow(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow(self, other)
    return pow(self, other)


def __rpow__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_pow_reversed(other, self)
    return pow(other, self)


def __matmul__(self, other):
    if other.__class__ is Tensor:
        return _mat_mul(self, other)
    return matmul(self, other)


METHODS = {
    "add": add,
    "add_": add_,
    "__add__": __add__,
    "__radd__": __radd__,
    "__iadd__": add_,
    "sub": sub,
    "sub_": sub_,
    "__sub__": __sub__,
    "__rsub__": __rsub__,
    "__isub__": sub_,
    "mul": mul,
    "mul_": mul_,
    "__mul__": __mul__,
    "__rmul__": __rmul__,
    "__imul__": mul_,
    "div": div,
    "div_": div_,
    "__truediv__": __truediv__,
    "__rtruediv__": __rtruediv__,
    "__itruediv__": div_,
    "pow": pow,
    "__pow__": __pow__,
    "__rpow__": __rpow__,
    "exp": exp,
    "exp_": exp_,
    "log": log,
    "relu": relu,
    "relu_": relu_,
    "sum": sum,
    "matmul": matmul,
    "__matmul__": __matmul__,
    "mm": mm,
    "bmm": bmm,
    "mv": mv,
    "dot": dot,
    "addmm": addmm,
    "baddbmm": baddbmm,
    "softmax": softmax,
    "log_softmax": log_softmax,
    "nonzero": nonzero,
    "argwhere": argwhere,
    "masked_select": masked_select,
    "index_select": index_select,
    "index_add": index_add,
    "index_add_": index_add_,
    "gather": gather,
    "scatter": scatter,
    "scatter_": scatter_,
    "scatter_add": scatter_add,
    "scatter_add_": scatter_add_,
    "view": view,
    "reshape": reshape,
    "flatten": flatten,
    "permute": permute,
    "transpose": transpose,
    "swapaxes": transpose,
    "swapdims": transpose,
    "t": t,
    "movedim": movedim,
    "expand": expand,
    "expand_as": expand_as,
    "view_as": view_as,
    "reshape_as": reshape_as,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "select": select,
    "narrow": narrow,
    "as_strided": as_strided,
    "diagonal": diagonal,
    "unfold": unfold_tensor,
    "split": split,
    "chunk": chunk,
    "unbind": unbind,
    "contiguous": contiguous,
    "repeat": repeat,
    "tile": tile,
    "detach": detach,
}
