"""The functions of the binding that are names of `tritonflow`.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.arithmetic import (add, sub, mul, div, pow)
from tritonflow._C.functional.comparison import (eq, ne, lt, le, gt, ge, logical_and, logical_or, logical_xor, logical_not, isnan,
        isinf, isfinite, equal, isclose, allclose)
from tritonflow._C.functional.elementwise import (where, maximum, minimum, fmax, fmin, fmod, remainder, floor_divide,
        trunc_divide, bitwise_and, bitwise_or, bitwise_xor, addcmul, addcdiv, lerp, clamp, clip, clamp_min, clamp_max)
from tritonflow._C.functional.unary import (exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, sinh, cosh, sqrt, rsqrt,
        reciprocal, erf, erfinv, negative, neg, abs, sign, square, floor, ceil, trunc, frac, round, bitwise_not)
from tritonflow._C.functional.activation import (tanh, sigmoid, relu, quick_gelu)
from tritonflow._C.functional.reduction import (sum, nansum, mean, prod, amax, amin, max, min, argmax, argmin, any, all, var, std,
        var_mean, norm, logsumexp)
from tritonflow._C.functional.scan_sort import (cumsum, cumprod, sort, argsort, topk, median)
from tritonflow._C.functional.matmul import (matmul, mm, batch_matmul, bmm, matrix_vector_product, mv, dot, addmm, baddbmm)
from tritonflow._C.functional.softmax import (softmax, log_softmax)
from tritonflow._C.functional.distance import (cosine_similarity)
from tritonflow._C.functional.view import (view, reshape, flatten, permute, transpose, swapaxes, swapdims, t, movedim, expand,
        broadcast_to, squeeze, unsqueeze, expand_dims, select, narrow, slice, as_strided, diagonal, split, chunk, unbind)
from tritonflow._C.functional.join import (cat, concat, stack, hstack, vstack, tile, detach)
from tritonflow._C.functional.cast import (cast, clone)
from tritonflow._C.functional.index import (argwhere, nonzero, masked_select, masked_fill, index_select, index_add, gather,
        scatter, scatter_add, one_hot)
from tritonflow._C.functional.creation import (tril, triu, empty, full, zeros, ones, empty_like, full_like, zeros_like, ones_like,
        arange, linspace, eye)
from tritonflow._C.functional.random import (rand, randn, rand_like, randn_like, randint, randint_like, randperm, normal,
        bernoulli, dropout)
from tritonflow._C.functional.placement import (to_global, local_to_global, global_to_global, to_local)
