"""Tensor methods: the functional API's functions, and operators with two operands.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from tritonflow._C.functional import (
    CASTING,
    _add,
    _bitwise_and,
    _bitwise_or,
    _bitwise_xor,
    _div,
    _eq,
    _floor_divide,
    _ge,
    _gt,
    _le,
    _lt,
    _mat_mul,
    _mul,
    _ne,
    _pow,
    _remainder,
    _scalar_add,
    _scalar_add_reversed,
    _scalar_bitwise_and,
    _scalar_bitwise_and_reversed,
    _scalar_bitwise_or,
    _scalar_bitwise_or_reversed,
    _scalar_bitwise_xor,
    _scalar_bitwise_xor_reversed,
    _scalar_div,
    _scalar_div_reversed,
    _scalar_eq,
    _scalar_floor_divide,
    _scalar_floor_divide_reversed,
    _scalar_ge,
    _scalar_gt,
    _scalar_le,
    _scalar_lt,
    _scalar_mul,
    _scalar_mul_reversed,
    _scalar_ne,
    _scalar_pow,
    _scalar_pow_reversed,
    _scalar_remainder,
    _scalar_remainder_reversed,
    _scalar_sub,
    _scalar_sub_reversed,
    _sub,
    abs,
    abs_,
    add,
    add_,
    addcdiv,
    addcdiv_,
    addcmul,
    addcmul_,
    addmm,
    all,
    allclose,
    amax,
    amin,
    any,
    argmax,
    argmin,
    argsort,
    argwhere,
    as_strided,
    baddbmm,
    bernoulli,
    bernoulli_,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    bmm,
    ceil,
    ceil_,
    chunk,
    clamp,
    clamp_,
    clamp_max,
    clamp_max_,
    clamp_min,
    clamp_min_,
    clone,
    contiguous,
    copy_,
    cos,
    cos_,
    cosh,
    cosh_,
    cumprod,
    cumsum,
    detach,
    diagonal,
    div,
    div_,
    dot,
    eq,
    equal,
    erf,
    erf_,
    erfinv,
    erfinv_,
    exp,
    exp2,
    exp2_,
    exp_,
    expand,
    expand_as,
    expm1,
    expm1_,
    exponential_,
    fill_,
    flatten,
    floor,
    floor_,
    floor_divide,
    floor_divide_,
    fmax,
    fmin,
    fmod,
    fmod_,
    frac,
    frac_,
    gather,
    ge,
    gt,
    index_add,
    index_add_,
    index_select,
    isclose,
    isfinite,
    isinf,
    isnan,
    le,
    lerp,
    lerp_,
    log,
    log1p,
    log1p_,
    log2,
    log2_,
    log10,
    log10_,
    log_,
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
    maximum,
    mean,
    median,
    min,
    minimum,
    mm,
    movedim,
    mul,
    mul_,
    mv,
    nansum,
    narrow,
    ne,
    negative,
    negative_,
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
    reciprocal,
    reciprocal_,
    relu,
    relu_,
    remainder,
    remainder_,
    repeat,
    reshape,
    reshape_as,
    round,
    round_,
    rsqrt,
    rsqrt_,
    scatter,
    scatter_,
    scatter_add,
    scatter_add_,
    select,
    sigmoid,
    sigmoid_,
    sign,
    sign_,
    sin,
    sin_,
    sinh,
    sinh_,
    softmax,
    sort,
    split,
    sqrt,
    sqrt_,
    square,
    square_,
    squeeze,
    std,
    sub,
    sub_,
    sum,
    t,
    tan,
    tan_,
    tanh,
    tanh_,
    tile,
    topk,
    transpose,
    tril,
    tril_,
    triu,
    triu_,
    trunc,
    trunc_,
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
from tritonflow.interpreter.autocast import bind_casts


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


def __eq__(self, other):
    if other.__class__ is Tensor:
        return _eq(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_eq(self, other)
    try:
        return eq(self, other)
    except TypeError:
        if hasattr(other, "__array__"):
            raise
        return NotImplemented


def __ne__(self, other):
    if other.__class__ is Tensor:
        return _ne(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_ne(self, other)
    try:
        return ne(self, other)
    except TypeError:
        if hasattr(other, "__array__"):
            raise
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


def __mod__(self, other):
    if other.__class__ is Tensor:
        return _remainder(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder(self, other)
    return remainder(self, other)


def __rmod__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_remainder_reversed(other, self)
    return remainder(other, self)


def __floordiv__(self, other):
    if other.__class__ is Tensor:
        return _floor_divide(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide(self, other)
    return floor_divide(self, other)


def __rfloordiv__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_floor_divide_reversed(other, self)
    return floor_divide(other, self)


def __and__(self, other):
    if other.__class__ is Tensor:
        return _bitwise_and(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and(self, other)
    return bitwise_and(self, other)


def __rand__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_and_reversed(other, self)
    return bitwise_and(other, self)


def __or__(self, other):
    if other.__class__ is Tensor:
        return _bitwise_or(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or(self, other)
    return bitwise_or(self, other)


def __ror__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_or_reversed(other, self)
    return bitwise_or(other, self)


def __xor__(self, other):
    if other.__class__ is Tensor:
        return _bitwise_xor(self, other)
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor(self, other)
    return bitwise_xor(self, other)


def __rxor__(self, other):
    if other.__class__ is float or other.__class__ is int:
        return _scalar_bitwise_xor_reversed(other, self)
    return bitwise_xor(other, self)


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
    "maximum": maximum,
    "minimum": minimum,
    "fmax": fmax,
    "fmin": fmin,
    "fmod": fmod,
    "fmod_": fmod_,
    "remainder": remainder,
    "remainder_": remainder_,
    "__mod__": __mod__,
    "__rmod__": __rmod__,
    "floor_divide": floor_divide,
    "floor_divide_": floor_divide_,
    "__floordiv__": __floordiv__,
    "__rfloordiv__": __rfloordiv__,
    "bitwise_and": bitwise_and,
    "__and__": __and__,
    "__rand__": __rand__,
    "bitwise_or": bitwise_or,
    "__or__": __or__,
    "__ror__": __ror__,
    "bitwise_xor": bitwise_xor,
    "__xor__": __xor__,
    "__rxor__": __rxor__,
    "addcmul": addcmul,
    "addcmul_": addcmul_,
    "addcdiv": addcdiv,
    "addcdiv_": addcdiv_,
    "lerp": lerp,
    "lerp_": lerp_,
    "clamp": clamp,
    "clamp_": clamp_,
    "clip": clamp,
    "clip_": clamp_,
    "clamp_min": clamp_min,
    "clamp_min_": clamp_min_,
    "clamp_max": clamp_max,
    "clamp_max_": clamp_max_,
    "equal": equal,
    "isclose": isclose,
    "allclose": allclose,
    "exp": exp,
    "exp_": exp_,
    "exp2": exp2,
    "exp2_": exp2_,
    "expm1": expm1,
    "expm1_": expm1_,
    "log": log,
    "log_": log_,
    "log2": log2,
    "log2_": log2_,
    "log10": log10,
    "log10_": log10_,
    "log1p": log1p,
    "log1p_": log1p_,
    "sin": sin,
    "sin_": sin_,
    "cos": cos,
    "cos_": cos_,
    "tan": tan,
    "tan_": tan_,
    "sinh": sinh,
    "sinh_": sinh_,
    "cosh": cosh,
    "cosh_": cosh_,
    "sqrt": sqrt,
    "sqrt_": sqrt_,
    "rsqrt": rsqrt,
    "rsqrt_": rsqrt_,
    "reciprocal": reciprocal,
    "reciprocal_": reciprocal_,
    "erf": erf,
    "erf_": erf_,
    "erfinv": erfinv,
    "erfinv_": erfinv_,
    "negative": negative,
    "negative_": negative_,
    "neg": negative,
    "neg_": negative_,
    "__neg__": negative,
    "abs": abs,
    "abs_": abs_,
    "__abs__": abs,
    "sign": sign,
    "sign_": sign_,
    "square": square,
    "square_": square_,
    "floor": floor,
    "floor_": floor_,
    "ceil": ceil,
    "ceil_": ceil_,
    "trunc": trunc,
    "trunc_": trunc_,
    "frac": frac,
    "frac_": frac_,
    "round": round,
    "round_": round_,
    "bitwise_not": bitwise_not,
    "__invert__": bitwise_not,
    "tanh": tanh,
    "tanh_": tanh_,
    "sigmoid": sigmoid,
    "sigmoid_": sigmoid_,
    "relu": relu,
    "relu_": relu_,
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
    "cumsum": cumsum,
    "cumprod": cumprod,
    "sort": sort,
    "argsort": argsort,
    "topk": topk,
    "median": median,
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
    "type_as": type_as,
    "clone": clone,
    "copy_": copy_,
    "fill_": fill_,
    "zero_": zero_,
    "argwhere": argwhere,
    "nonzero": nonzero,
    "masked_select": masked_select,
    "masked_fill": masked_fill,
    "masked_fill_": masked_fill_,
    "index_select": index_select,
    "index_add": index_add,
    "index_add_": index_add_,
    "gather": gather,
    "scatter": scatter,
    "scatter_": scatter_,
    "scatter_add": scatter_add,
    "scatter_add_": scatter_add_,
    "tril": tril,
    "tril_": tril_,
    "triu": triu,
    "triu_": triu_,
    "new_empty": new_empty,
    "new_zeros": new_zeros,
    "new_ones": new_ones,
    "new_full": new_full,
    "normal_": normal_,
    "uniform_": uniform_,
    "exponential_": exponential_,
    "random_": random_,
    "bernoulli": bernoulli,
    "bernoulli_": bernoulli_,
}

bind_casts(globals(), CASTING)
