"""Tensor methods: the functional API's functions, and operators with two operands.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow._C.functional import (
    _add,
    _div,
    _eq,
    _ge,
    _gt,
    _le,
    _lt,
    _mat_mul,
    _mul,
    _ne,
    _pow,
    _scalar_add,
    _scalar_add_reversed,
    _scalar_div,
    _scalar_div_reversed,
    _scalar_eq,
    _scalar_ge,
    _scalar_gt,
    _scalar_le,
    _scalar_lt,
    _scalar_mul,
    _scalar_mul_reversed,
    _scalar_ne,
    _scalar_pow,
    _scalar_pow_reversed,
    _scalar_sub,
    _scalar_sub_reversed,
    _sub,
    add,
    add_,
    addmm,
    all,
    amax,
    amin,
    any,
    argmax,
    argmin,
    argwhere,
    as_strided,
    baddbmm,
    bernoulli,
    bernoulli_,
    bmm,
    chunk,
    clone,
    contiguous,
    copy_,
    detach,
    diagonal,
    div,
    div_,
    dot,
    eq,
    exp,
    exp_,
    expand,
    expand_as,
    exponential_,
    fill_,
    flatten,
    gather,
    ge,
    gt,
    index_add,
    index_add_,
    index_select,
    isfinite,
    isinf,
    isnan,
    le,
    log,
    log_softmax,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    logsumexp,
    lt,
    masked_fill,
    masked_fill_,
    masked_select,
    matmul,
    max,
    mean,
    min,
    mm,
    movedim,
    mul,
    mul_,
    mv,
    nansum,
    narrow,
    ne,
    new_empty,
    new_full,
    new_ones,
    new_zeros,
    nonzero,
    norm,
    normal_,
    permute,
    pow,
    prod,
    random_,
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
    std,
    sub,
    sub_,
    sum,
    t,
    tile,
    to,
    transpose,
    type_as,
    unbind,
    unfold_tensor,
    uniform_,
    unsqueeze,
    var,
    view,
    view_as,
    zero_,
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


def __eq__(self, other):
    if other.__class__ is Tensor:
        return _eq(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_eq(self, other)
    try:
        return eq(self, other)
    except TypeError:
        return NotImplemented


def __ne__(self, other):
    if other.__class__ is Tensor:
        return _ne(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_ne(self, other)
    try:
        return ne(self, other)
    except TypeError:
        return NotImplemented


def __lt__(self, other):
    if other.__class__ is Tensor:
        return _lt(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_lt(self, other)
    return lt(self, other)


def __le__(self, other):
    if other.__class__ is Tensor:
        return _le(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_le(self, other)
    return le(self, other)


def __gt__(self, other):
    if other.__class__ is Tensor:
        return _gt(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_gt(self, other)
    return gt(self, other)


def __ge__(self, other):
    if other.__class__ is Tensor:
        return _ge(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_ge(self, other)
    return ge(self, other)


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
    "argwhere": argwhere,
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
    "to": to,
    "type_as": type_as,
    "clone": clone,
    "copy_": copy_,
    "fill_": fill_,
    "zero_": zero_,
    "new_empty": new_empty,
    "new_zeros": new_zeros,
    "new_ones": new_ones,
    "new_full": new_full,
    "eq": eq,
    "__eq__": __eq__,
    "ne": ne,
    "__ne__": __ne__,
    "lt": lt,
    "__lt__": __lt__,
    "le": le,
    "__le__": __le__,
    "gt": gt,
    "__gt__": __gt__,
    "ge": ge,
    "__ge__": __ge__,
    "logical_and": logical_and,
    "logical_or": logical_or,
    "logical_xor": logical_xor,
    "logical_not": logical_not,
    "isnan": isnan,
    "isinf": isinf,
    "isfinite": isfinite,
    "sum": sum,
    "nansum": nansum,
    "mean": mean,
    "prod": prod,
    "amax": amax,
    "amin": amin,
    "max": max,
    "min": min,
    "argmax": argmax,
    "argmin": argmin,
    "any": any,
    "all": all,
    "var": var,
    "std": std,
    "norm": norm,
    "logsumexp": logsumexp,
    "masked_fill": masked_fill,
    "masked_fill_": masked_fill_,
    "nonzero": nonzero,
    "masked_select": masked_select,
    "index_select": index_select,
    "index_add": index_add,
    "index_add_": index_add_,
    "gather": gather,
    "scatter": scatter,
    "scatter_": scatter_,
    "scatter_add": scatter_add,
    "scatter_add_": scatter_add_,
    "normal_": normal_,
    "uniform_": uniform_,
    "exponential_": exponential_,
    "random_": random_,
    "bernoulli": bernoulli,
    "bernoulli_": bernoulli_,
}
