"""The functions of the binding that are names of `tritonflow`.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
# ruff: noqa: F401
from tritonflow._C.functional.arithmetic import (add, add_, sub, sub_, sub_ as subtract_, subtract, mul, mul_, mul_ as multiply_,
        multiply, div, div_, div_ as divide_, div_ as true_divide_, divide, true_divide, pow, pow_, rsub)
from tritonflow._C.functional.comparison import (eq, eq_, ne, ne_, ne_ as not_equal_, not_equal, lt, lt_, lt_ as less_, less, le,
        le_, le_ as less_equal_, less_equal, gt, gt_, gt_ as greater_, greater, ge, ge_, ge_ as greater_equal_, greater_equal,
        logical_and, logical_and_, logical_or, logical_or_, logical_xor, logical_xor_, logical_not, logical_not_, isnan, isinf,
        isfinite, isclose, allclose, equal)
from tritonflow._C.functional.elementwise import (where, maximum, minimum, fmax, fmin, fmod, fmod_, remainder, remainder_,
        floor_divide, floor_divide_, trunc_divide, bitwise_and, bitwise_and_, bitwise_or, bitwise_or_, bitwise_xor, bitwise_xor_,
        addcmul, addcmul_, addcdiv, addcdiv_, lerp, lerp_, clamp, clamp_, clamp_ as clip_, clip, atan2, atan2_, arctan2, arctan2_,
        logaddexp, logaddexp2, hypot, hypot_, gcd, gcd_, lcm, lcm_, copysign, copysign_, heaviside, heaviside_, nextafter,
        nextafter_, xlogy, xlogy_, bitwise_left_shift, bitwise_left_shift_, bitwise_right_shift, bitwise_right_shift_, clamp_min,
        clamp_min_, clamp_max, clamp_max_, fake_quantize_per_tensor_affine, fake_quantize_per_channel_affine, ldexp, ldexp_,
        float_power, float_power_, dist)
from tritonflow._C.functional.unary import (exp, exp_, exp2, exp2_, expm1, expm1_, log, log_, log2, log2_, log10, log10_, log1p,
        log1p_, sin, sin_, cos, cos_, tan, tan_, sinh, sinh_, cosh, cosh_, sqrt, sqrt_, rsqrt, rsqrt_, reciprocal, reciprocal_,
        erf, erf_, erfinv, erfinv_, negative, negative_, negative_ as neg_, neg, abs, abs_, sign, sign_, square, square_, floor,
        floor_, ceil, ceil_, trunc, trunc_, frac, frac_, round, round_, bitwise_not, bitwise_not_, acos, acos_, arccos, arccos_,
        asin, asin_, arcsin, arcsin_, atan, atan_, arctan, arctan_, acosh, acosh_, arccosh, arccosh_, asinh, asinh_, arcsinh,
        arcsinh_, atanh, atanh_, arctanh, arctanh_, sinc, sinc_, erfc, erfc_, logit, logit_, nan_to_num, nan_to_num_, signbit,
        isposinf, isneginf, angle, deg2rad, deg2rad_, rad2deg, rad2deg_, frexp, fix, fix_, absolute, absolute_, real, imag,
        resolve_conj, resolve_neg, conj_physical, conj_physical_, conj, adjoint, complex, polar, positive, sgn, sgn_, isreal)
from tritonflow._C.functional.special import (lgamma, lgamma_, digamma, digamma_, igamma, igamma_, igammac, igammac_, i0, i0_,
        polygamma, mvlgamma, mvlgamma_)
from tritonflow._C.functional.activation import (tanh, tanh_, sigmoid, sigmoid_, relu, relu_, celu, selu, softplus, softsign,
        silu, mish, threshold, hardshrink, softshrink, quick_gelu, gelu, rrelu, prelu)
from tritonflow._C.functional.reduction import (sum, nansum, mean, prod, amax, amin, max, min, argmax, argmin, any, all, var, std,
        var_mean, norm, logsumexp, diff, trapezoid, trapz, cumulative_trapezoid, gradient, histogram, histogramdd, renorm,
        renorm_, nanmean, count_nonzero, std_mean, aminmax, cov, corrcoef, histc)
from tritonflow._C.functional.scan_sort import (cumsum, cumsum_, cumprod, cumprod_, sort, cummax, cummin, logcumsumexp, argsort,
        topk, median, quantile, nanquantile, msort, kthvalue, mode, nanmedian)
from tritonflow._C.functional.matmul import (matmul, cross, mm, batch_matmul, bmm, mv, matrix_vector_product, dot, addmm, addmm_,
        baddbmm, baddbmm_, bilinear, outer, ger, vdot, inner, tensordot, kron, chain_matmul, addmv, addmv_, addr, addr_, addbmm,
        addbmm_, einsum)
from tritonflow._C.functional.linalg import (geqrf, orgqr, cholesky, lu, lu_unpack, det, slogdet, logdet, matrix_power,
        matrix_exp, svd_lowrank, pca_lowrank, qr, ormqr, pinverse, lu_solve, cholesky_solve, cholesky_inverse, inverse, svd,
        triangular_solve)
from tritonflow._C.functional.softmax import (softmax, log_softmax)
from tritonflow._C.functional.distance import (cosine_similarity, cdist, pairwise_distance, pdist)
from tritonflow._C.functional.conv import (conv2d, conv1d, conv_transpose2d, conv3d, conv_transpose1d, conv_transpose3d, conv_tbc,
        pixel_shuffle, pixel_unshuffle, channel_shuffle, native_channel_shuffle, stft, istft)
from tritonflow._C.functional.pool import (max_pool2d, adaptive_avg_pool2d, max_pool1d, avg_pool1d, adaptive_avg_pool1d,
        max_pool3d, adaptive_avg_pool3d)
from tritonflow._C.functional.norm import (layer_norm, rms_norm, group_norm, native_layer_norm, native_group_norm,
        native_batch_norm)
from tritonflow._C.functional.view import (view, permute, expand, broadcast_to, squeeze, unsqueeze, expand_dims, select, slice,
        as_strided, diagonal, flip, view_as_real, view_as_complex, reshape, narrow, detach, alias_copy, as_strided_copy,
        detach_copy, diagonal_copy, expand_copy, permute_copy, squeeze_copy, t_copy, transpose_copy, unfold_copy, unsqueeze_copy,
        view_copy, diag_embed, diag, diagflat, trace, diagonal_scatter, select_scatter, slice_scatter, as_strided_scatter,
        block_diag, fliplr, flipud, roll, rot90, transpose, swapaxes, swapdims, t, movedim, moveaxis, narrow_copy, select_copy,
        slice_copy, split_copy, unbind_copy, split, split_with_sizes, chunk, unbind, flatten, ravel, unflatten, tensor_split,
        hsplit, vsplit, dsplit, unsafe_split, unsafe_chunk, unsafe_split_with_sizes, split_with_sizes_copy)
from tritonflow._C.functional.join import (cat, concat, concatenate, stack, hstack, vstack, row_stack, tile, dstack, column_stack,
        atleast_1d, atleast_2d, atleast_3d, constant_pad_nd, broadcast_tensors, meshgrid, cartesian_prod, combinations,
        repeat_interleave, pad)
from tritonflow._C.functional.cast import (cast, clone, fill_, zero_, fill)
from tritonflow._C.functional.index import (nonzero, masked_fill, masked_fill_, gather, scatter, scatter_, one_hot, searchsorted,
        index_select, index_add, index_add_, argwhere, masked_select, unravel_index, take, put, put_, take_along_dim, index_copy,
        index_copy_, index_fill, index_fill_, index_put, index_put_, masked_scatter, masked_scatter_, nonzero_static, scatter_add,
        scatter_add_, grid_sampler, grid_sampler_2d, grid_sampler_3d, scatter_reduce, scatter_reduce_, index_reduce,
        index_reduce_, bucketize, unique, unique_consecutive, bincount, isin, segment_reduce)
from tritonflow._C.functional.creation import (tril, tril_, triu, triu_, empty, full, arange, linspace, eye, zeros, ones,
        empty_like, full_like, zeros_like, ones_like, logspace, range, scalar_tensor, empty_strided, empty_permuted, tril_indices,
        triu_indices, vander)
from tritonflow._C.functional.placement import (to_global, to_local, local_to_global, global_to_global)
from tritonflow._C.functional.random import (rand, randn, rand_like, randn_like, normal, bernoulli, dropout, alpha_dropout,
        feature_alpha_dropout, feature_dropout, randint, randint_like, randperm, multinomial, poisson, binomial)
