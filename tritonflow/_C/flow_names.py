"""The functions of the binding that are names of `tritonflow`.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.arithmetic import (add, add_, sub, sub_, sub_ as subtract_, mul, mul_, mul_ as multiply_, div, div_,
        div_ as divide_, div_ as true_divide_, pow, pow_, subtract, rsub, multiply, divide, true_divide)
from tritonflow._C.functional.comparison import (eq, eq_, ne, ne_, ne_ as not_equal_, lt, lt_, lt_ as less_, le, le_,
        le_ as less_equal_, gt, gt_, gt_ as greater_, ge, ge_, ge_ as greater_equal_, logical_and, logical_and_, logical_or,
        logical_or_, logical_xor, logical_xor_, logical_not, logical_not_, isnan, isinf, isfinite, equal, isclose, allclose,
        not_equal, less, less_equal, greater, greater_equal)
from tritonflow._C.functional.elementwise import (where, maximum, minimum, fmax, fmin, fmod, fmod_, remainder, remainder_,
        floor_divide, floor_divide_, trunc_divide, bitwise_and, bitwise_and_, bitwise_or, bitwise_or_, bitwise_xor, bitwise_xor_,
        addcmul, addcmul_, addcdiv, addcdiv_, lerp, lerp_, clamp, clamp_, clamp_ as clip_, clip, clamp_min, clamp_min_, clamp_max,
        clamp_max_, atan2, atan2_, arctan2, arctan2_, logaddexp, logaddexp2, hypot, hypot_, gcd, gcd_, lcm, lcm_, copysign,
        copysign_, heaviside, heaviside_, nextafter, nextafter_, ldexp, ldexp_, xlogy, xlogy_, float_power, float_power_,
        bitwise_left_shift, bitwise_left_shift_, bitwise_right_shift, bitwise_right_shift_, dist)
from tritonflow._C.functional.unary import (exp, exp_, exp2, exp2_, expm1, expm1_, log, log_, log2, log2_, log10, log10_, log1p,
        log1p_, sin, sin_, cos, cos_, tan, tan_, sinh, sinh_, cosh, cosh_, sqrt, sqrt_, rsqrt, rsqrt_, reciprocal, reciprocal_,
        erf, erf_, erfinv, erfinv_, negative, negative_, negative_ as neg_, neg, abs, abs_, sign, sign_, square, square_, floor,
        floor_, ceil, ceil_, trunc, trunc_, frac, frac_, round, round_, bitwise_not, bitwise_not_, acos, acos_, arccos, arccos_,
        asin, asin_, arcsin, arcsin_, atan, atan_, arctan, arctan_, acosh, acosh_, arccosh, arccosh_, asinh, asinh_, arcsinh,
        arcsinh_, atanh, atanh_, arctanh, arctanh_, sinc, sinc_, erfc, erfc_, logit, logit_, nan_to_num, nan_to_num_, signbit,
        isposinf, isneginf, angle, deg2rad, deg2rad_, rad2deg, rad2deg_, frexp, sgn, sgn_, positive, real, conj, resolve_conj,
        resolve_neg, conj_physical, conj_physical_, imag, adjoint, complex, polar, isreal, fix, fix_, absolute, absolute_)
from tritonflow._C.functional.special import (lgamma, lgamma_, digamma, digamma_, polygamma, mvlgamma, mvlgamma_, igamma, igamma_,
        igammac, igammac_, i0, i0_)
from tritonflow._C.functional.activation import (tanh, tanh_, sigmoid, sigmoid_, relu, relu_, celu, selu, softplus, softsign,
        silu, mish, threshold, hardshrink, softshrink, quick_gelu, gelu, rrelu)
from tritonflow._C.functional.reduction import (sum, nansum, mean, prod, amax, amin, max, min, argmax, argmin, any, all, var, std,
        var_mean, norm, logsumexp, nanmean, std_mean, count_nonzero, aminmax, cov, corrcoef, renorm, renorm_, diff, trapezoid,
        trapz, cumulative_trapezoid, histc, histogram, histogramdd, gradient)
from tritonflow._C.functional.scan_sort import (cumsum, cumsum_, cumprod, cumprod_, sort, argsort, topk, median, cummax, cummin,
        logcumsumexp, msort, kthvalue, mode, nanmedian, quantile, nanquantile)
from tritonflow._C.functional.matmul import (matmul, mm, batch_matmul, bmm, matrix_vector_product, mv, dot, addmm, addmm_,
        baddbmm, baddbmm_, addmv, addmv_, addr, addr_, addbmm, addbmm_, outer, ger, vdot, inner, tensordot, kron, cross,
        chain_matmul, einsum)
from tritonflow._C.functional.linalg import (cholesky, cholesky_solve, cholesky_inverse, triangular_solve, inverse, det, slogdet,
        logdet, lu, lu_unpack, lu_solve, qr, geqrf, orgqr, ormqr, svd, svd_lowrank, pca_lowrank, pinverse, matrix_power,
        matrix_exp)
from tritonflow._C.functional.softmax import (softmax, log_softmax)
from tritonflow._C.functional.distance import (cosine_similarity, pairwise_distance, pdist, cdist)
from tritonflow._C.functional.conv import (conv2d, conv1d, conv_transpose2d, conv3d, conv_transpose1d, conv_transpose3d, conv_tbc,
        stft, istft, pixel_shuffle, pixel_unshuffle, channel_shuffle, native_channel_shuffle)
from tritonflow._C.functional.pool import (max_pool2d, max_pool1d, avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool1d,
        max_pool3d, adaptive_avg_pool3d)
from tritonflow._C.functional.norm import (layer_norm, rms_norm, group_norm, native_layer_norm, native_group_norm,
        native_batch_norm)
from tritonflow._C.functional.attention import (bilinear)
from tritonflow._C.functional.view import (view, reshape, flatten, permute, transpose, swapaxes, swapdims, t, movedim, expand,
        broadcast_to, squeeze, unsqueeze, expand_dims, select, narrow, slice, as_strided, diagonal, split, chunk, unbind, flip,
        fliplr, flipud, roll, rot90, ravel, unflatten, moveaxis, split_with_sizes, unsafe_split_with_sizes, unsafe_split,
        unsafe_chunk, tensor_split, hsplit, vsplit, dsplit, diag, diag_embed, diagflat, trace, diagonal_scatter, select_scatter,
        slice_scatter, as_strided_scatter, alias_copy, as_strided_copy, diagonal_copy, expand_copy, narrow_copy, permute_copy,
        select_copy, squeeze_copy, t_copy, transpose_copy, unbind_copy, unfold_copy, view_as_real, view_as_complex,
        unsqueeze_copy, view_copy, split_with_sizes_copy, detach_copy, slice_copy, split_copy, detach, block_diag)
from tritonflow._C.functional.join import (cat, concat, stack, hstack, vstack, pad, tile, dstack, row_stack, column_stack,
        concatenate, atleast_1d, atleast_2d, atleast_3d, broadcast_tensors, meshgrid, cartesian_prod, combinations,
        constant_pad_nd, repeat_interleave)
from tritonflow._C.functional.cast import (cast, clone, fill_, zero_, fill)
from tritonflow._C.functional.index import (argwhere, nonzero, masked_select, masked_fill, masked_fill_, index_select, index_add,
        index_add_, gather, scatter, scatter_, scatter_add, scatter_add_, scatter_reduce, scatter_reduce_, index_reduce,
        index_reduce_, segment_reduce, one_hot, index_put, index_put_, index_copy, index_copy_, index_fill, index_fill_, take,
        put, put_, unravel_index, take_along_dim, masked_scatter, masked_scatter_, nonzero_static, searchsorted, bucketize, isin,
        unique, unique_consecutive, bincount, grid_sampler, grid_sampler_2d, grid_sampler_3d)
from tritonflow._C.functional.creation import (tril, tril_, triu, triu_, empty, full, zeros, ones, empty_like, full_like,
        zeros_like, ones_like, arange, linspace, eye, logspace, range, scalar_tensor, empty_strided, empty_permuted, tril_indices,
        triu_indices, vander)
from tritonflow._C.functional.random import (rand, randn, rand_like, randn_like, randint, randint_like, randperm, normal,
        bernoulli, multinomial, poisson, binomial, dropout, alpha_dropout, feature_dropout, feature_alpha_dropout)
from tritonflow._C.functional.placement import (to_global, local_to_global, global_to_global, to_local)
