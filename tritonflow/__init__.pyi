# Generated from the assembled package by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
"""tritonflow: a deep learning runtime in the image of OneFlow, every kernel of it written in Triton."""
from tritonflow import (amp, asyncs, autograd, backends, bench, boxing, comm, compiler, cuda, distributed, distributions, env,
        fft, func, generation, graph, hub, jit, library, linalg, masked, mock_torch, nn, onnx, optim, overrides, profiler,
        quantization, quasirandom, random, sbp, serialization, signal, sparse, special, sysconfig, testing, utils, version)
from tritonflow._C.functional.activation import (celu, gelu, hardshrink, mish, prelu, quick_gelu, relu, relu_, rrelu, selu,
        sigmoid, sigmoid_, silu, softplus, softshrink, softsign, tanh, tanh_, threshold)
from tritonflow._C.functional.arithmetic import (add, add_, div, div_, divide, div_ as divide_, mul, mul_, multiply,
        mul_ as multiply_, pow, pow_, rsub, sub, sub_, subtract, sub_ as subtract_, true_divide, div_ as true_divide_)
from tritonflow._C.functional.cast import (cast, clone, fill, fill_, zero_)
from tritonflow._C.functional.comparison import (allclose, eq, eq_, equal, ge, ge_, greater, gt_ as greater_, greater_equal,
        ge_ as greater_equal_, gt, gt_, isclose, isfinite, isinf, isnan, le, le_, less, lt_ as less_, less_equal,
        le_ as less_equal_, logical_and, logical_and_, logical_not, logical_not_, logical_or, logical_or_, logical_xor,
        logical_xor_, lt, lt_, ne, ne_, not_equal, ne_ as not_equal_)
from tritonflow._C.functional.conv import (channel_shuffle, conv1d, conv2d, conv3d, conv_tbc, conv_transpose1d, conv_transpose2d,
        conv_transpose3d, istft, native_channel_shuffle, pixel_shuffle, pixel_unshuffle, stft)
from tritonflow._C.functional.creation import (arange, empty, empty_like, empty_permuted, empty_strided, eye, full, full_like,
        linspace, logspace, ones, ones_like, range, scalar_tensor, tril, tril_, tril_indices, triu, triu_, triu_indices, vander,
        zeros, zeros_like)
from tritonflow._C.functional.distance import (cdist, cosine_similarity, pairwise_distance, pdist)
from tritonflow._C.functional.elementwise import (addcdiv, addcdiv_, addcmul, addcmul_, arctan2, arctan2_, atan2, atan2_,
        bitwise_and, bitwise_and_, bitwise_left_shift, bitwise_left_shift_, bitwise_or, bitwise_or_, bitwise_right_shift,
        bitwise_right_shift_, bitwise_xor, bitwise_xor_, clamp, clamp_, clamp_max, clamp_max_, clamp_min, clamp_min_, clip,
        clamp_ as clip_, copysign, copysign_, dist, fake_quantize_per_channel_affine, fake_quantize_per_tensor_affine,
        float_power, float_power_, floor_divide, floor_divide_, fmax, fmin, fmod, fmod_, gcd, gcd_, heaviside, heaviside_, hypot,
        hypot_, lcm, lcm_, ldexp, ldexp_, lerp, lerp_, logaddexp, logaddexp2, maximum, minimum, nextafter, nextafter_, remainder,
        remainder_, trunc_divide, where, xlogy, xlogy_)
from tritonflow._C.functional.index import (argwhere, bincount, bucketize, gather, grid_sampler, grid_sampler_2d, grid_sampler_3d,
        index_add, index_add_, index_copy, index_copy_, index_fill, index_fill_, index_put, index_put_, index_reduce,
        index_reduce_, index_select, isin, masked_fill, masked_fill_, masked_scatter, masked_scatter_, masked_select, nonzero,
        nonzero_static, one_hot, put, put_, scatter, scatter_, scatter_add, scatter_add_, scatter_reduce, scatter_reduce_,
        searchsorted, segment_reduce, take, take_along_dim, unique, unique_consecutive, unravel_index)
from tritonflow._C.functional.join import (atleast_1d, atleast_2d, atleast_3d, broadcast_tensors, cartesian_prod, cat,
        column_stack, combinations, concat, concatenate, constant_pad_nd, dstack, hstack, meshgrid, pad, repeat_interleave,
        row_stack, stack, tile, vstack)
from tritonflow._C.functional.linalg import (cholesky, cholesky_inverse, cholesky_solve, det, geqrf, inverse, logdet, lu,
        lu_solve, lu_unpack, matrix_exp, matrix_power, orgqr, ormqr, pca_lowrank, pinverse, qr, slogdet, svd, svd_lowrank,
        triangular_solve)
from tritonflow._C.functional.matmul import (addbmm, addbmm_, addmm, addmm_, addmv, addmv_, addr, addr_, baddbmm, baddbmm_,
        batch_matmul, bilinear, bmm, chain_matmul, cross, dot, einsum, ger, inner, kron, matmul, matrix_vector_product, mm, mv,
        outer, tensordot, vdot)
from tritonflow._C.functional.norm import (group_norm, layer_norm, native_batch_norm, native_group_norm, native_layer_norm,
        rms_norm)
from tritonflow._C.functional.placement import (global_to_global, local_to_global, to_global, to_local)
from tritonflow._C.functional.pool import (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, avg_pool1d, max_pool1d,
        max_pool2d, max_pool3d)
from tritonflow._C.functional.random import (alpha_dropout, bernoulli, binomial, dropout, feature_alpha_dropout, feature_dropout,
        multinomial, normal, poisson, rand, rand_like, randint, randint_like, randn, randn_like, randperm)
from tritonflow._C.functional.reduction import (all, amax, amin, aminmax, any, argmax, argmin, corrcoef, count_nonzero, cov,
        cumulative_trapezoid, diff, gradient, histc, histogram, histogramdd, logsumexp, max, mean, min, nanmean, nansum, norm,
        prod, renorm, renorm_, std, std_mean, sum, trapezoid, trapz, var, var_mean)
from tritonflow._C.functional.scan_sort import (argsort, cummax, cummin, cumprod, cumprod_, cumsum, cumsum_, kthvalue,
        logcumsumexp, median, mode, msort, nanmedian, nanquantile, quantile, sort, topk)
from tritonflow._C.functional.softmax import (log_softmax, softmax)
from tritonflow._C.functional.special import (digamma, digamma_, i0, i0_, igamma, igamma_, igammac, igammac_, lgamma, lgamma_,
        mvlgamma, mvlgamma_, polygamma)
from tritonflow._C.functional.unary import (abs, abs_, absolute, absolute_, acos, acos_, acosh, acosh_, adjoint, angle, arccos,
        arccos_, arccosh, arccosh_, arcsin, arcsin_, arcsinh, arcsinh_, arctan, arctan_, arctanh, arctanh_, asin, asin_, asinh,
        asinh_, atan, atan_, atanh, atanh_, bitwise_not, bitwise_not_, ceil, ceil_, complex, conj, conj_physical, conj_physical_,
        cos, cos_, cosh, cosh_, deg2rad, deg2rad_, erf, erf_, erfc, erfc_, erfinv, erfinv_, exp, exp2, exp2_, exp_, expm1, expm1_,
        fix, fix_, floor, floor_, frac, frac_, frexp, imag, isneginf, isposinf, isreal, log, log10, log10_, log1p, log1p_, log2,
        log2_, log_, logit, logit_, nan_to_num, nan_to_num_, neg, negative_ as neg_, negative, negative_, polar, positive,
        rad2deg, rad2deg_, real, reciprocal, reciprocal_, resolve_conj, resolve_neg, round, round_, rsqrt, rsqrt_, sgn, sgn_,
        sign, sign_, signbit, sin, sin_, sinc, sinc_, sinh, sinh_, sqrt, sqrt_, square, square_, tan, tan_, trunc, trunc_)
from tritonflow._C.functional.view import (alias_copy, as_strided, as_strided_copy, as_strided_scatter, block_diag, broadcast_to,
        chunk, detach, detach_copy, diag, diag_embed, diagflat, diagonal, diagonal_copy, diagonal_scatter, dsplit, expand,
        expand_copy, expand_dims, flatten, flip, fliplr, flipud, hsplit, moveaxis, movedim, narrow, narrow_copy, permute,
        permute_copy, ravel, reshape, roll, rot90, select, select_copy, select_scatter, slice, slice_copy, slice_scatter, split,
        split_copy, split_with_sizes, split_with_sizes_copy, squeeze, squeeze_copy, swapaxes, swapdims, t, t_copy, tensor_split,
        trace, transpose, transpose_copy, unbind, unbind_copy, unflatten, unfold_copy, unsafe_chunk, unsafe_split,
        unsafe_split_with_sizes, unsqueeze, unsqueeze_copy, view, view_as_complex, view_as_real, view_copy, vsplit)
from tritonflow.amp.autocast_mode import (autocast, clear_autocast_cache, get_autocast_cpu_dtype, get_autocast_dtype,
        get_autocast_gpu_dtype, is_autocast_cache_enabled, is_autocast_cpu_enabled, is_autocast_enabled,
        set_autocast_cache_enabled, set_autocast_cpu_dtype, set_autocast_cpu_enabled, set_autocast_dtype, set_autocast_enabled,
        set_autocast_gpu_dtype)
from tritonflow.amp.grad_scaler import (GradScaler)
from tritonflow.autograd.anomaly_mode import (is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled)
from tritonflow.autograd.batching import (vmap)
from tritonflow.backends.precision import (get_float32_matmul_precision, set_float32_matmul_precision)
from tritonflow.binding.data_exchange import (from_dlpack, from_numpy, from_torch, to_torch)
from tritonflow.binding.new_tensors import (tensor)
from tritonflow.compat.indexed import (batch_gather, broadcast_like, gather_nd, in_top_k, roc_auc_score, scatter_nd, slice_update,
        tensor_scatter_nd_update)
from tritonflow.compat.losses import (nms)
from tritonflow.compat.numpy_dtypes import (convert_oneflow_dtype_to_numpy_dtype)
from tritonflow.compat.roi_align import (roi_align)
from tritonflow.control_flow.associative_scan import (associative_scan)
from tritonflow.control_flow.cond import (cond)
from tritonflow.control_flow.scan import (scan)
from tritonflow.control_flow.while_loop import (while_loop)
from tritonflow.cuda import (Event, Stream)
from tritonflow.device.device import (Device as device, get_default_device, set_default_device)
from tritonflow.dtypes import (bfloat16, bool_ as bool, complex128, complex32, complex64, DType as dtype, finfo, float16, float32,
        float64, float8_e4m3fn, float8_e5m2, get_default_dtype, iinfo, int16, int32, int64, int8, promote_types,
        set_default_dtype, uint16, uint32, uint64, uint8)
from tritonflow.errors import (DeviceError as AcceleratorError, OutOfMemoryError)
from tritonflow.exporting.entry import (export, load_program)
from tritonflow.framework.marked_sizes import (mark_dynamic, mark_static)
from tritonflow.framework.memory_format import (channels_last, channels_last_3d, contiguous_format, MemoryFormat as memory_format,
        preserve_format)
from tritonflow.framework.placement import (Placement as placement)
from tritonflow.framework.size import (Size)
from tritonflow.framework.tensor import (Tensor)
from tritonflow.functions.random_generator import (Generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state)
from tritonflow.graph.api.compile import (compile)
from tritonflow.interpreter.grad_mode import (enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
        set_grad_enabled)
from tritonflow.members.gradients import (detach_)
from tritonflow.members.inplace_views import (as_strided_)
from tritonflow.members.memory_changes import (resize_as_)
from tritonflow.members.print_options import (set_printoptions)
from tritonflow.members.storage import (TypedStorage, UntypedStorage, is_storage)
from tritonflow.members.tensor_types import (set_default_tensor_type)
from tritonflow.members.torch_names import (as_tensor, asarray, broadcast_shapes, can_cast, e, frombuffer, get_device, inf,
        is_complex, is_floating_point, is_inference, is_nonzero, is_same_size, is_signed, is_tensor, StorageLayout as layout, nan,
        newaxis, numel, pi, result_type, sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided, typename)
from tritonflow.members.torch_switches import (are_deterministic_algorithms_enabled, compiled_with_cxx11_abi,
        get_deterministic_debug_mode, get_num_interop_threads, is_deterministic_algorithms_warn_only_enabled,
        set_deterministic_debug_mode, set_flush_denormal, set_num_interop_threads, set_warn_always, use_deterministic_algorithms)
from tritonflow.nn.in_place import (alpha_dropout_, dropout_, feature_alpha_dropout_, feature_dropout_)
from tritonflow.nn.torch_order import (batch_norm, embedding)
from tritonflow.quantization.gguf import (load_gguf)
from tritonflow.quantization.replace import (quantize)
from tritonflow.random import (default_generator)
from tritonflow.serialization.load import (load)
from tritonflow.serialization.save import (save)
from tritonflow.signal.window_functions import (bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window)
from tritonflow.sparse.creation import (sparse_compressed_tensor, sparse_coo_tensor, sparse_csc_tensor, sparse_csr_tensor)
import builtins
from tritonflow.binding.annotations import (DeviceLike as _DeviceLike, Scalar as _Scalar)
from tritonflow.dtypes import (DType as _DType)
from tritonflow.framework.tensor import (Tensor as _Tensor)
from typing import (Any as _Any)

class BFloat16Tensor(_Tensor): ...
class BoolTensor(_Tensor): ...
class ByteTensor(_Tensor): ...
class CharTensor(_Tensor): ...
class DoubleTensor(_Tensor): ...
class FloatTensor(_Tensor): ...
class HalfTensor(_Tensor): ...
class IntTensor(_Tensor): ...
class LongTensor(_Tensor): ...
class ShortTensor(_Tensor): ...
cdouble: _DType
def celu_(x: _Tensor, alpha: builtins.float = 1.0) -> _Tensor: ...
cfloat: _DType
chalf: _DType
double: _DType
def empty_cache() -> None: ...
float: _DType
def get_device_module(device: _DeviceLike | None = None) -> _Any: ...
def get_num_threads() -> builtins.int: ...
half: _DType
int: _DType
long: _DType
def memory_stats(device: _DeviceLike | None = None) -> dict[str, _Any]: ...
def rrelu_(input: _Tensor, lower: builtins.float = 0.125, upper: builtins.float = 0.3333333333333333,
        training: builtins.bool = False) -> _Tensor: ...
def selu_(x: _Tensor) -> _Tensor: ...
def set_num_threads(count: builtins.int) -> None: ...
short: _DType
def sync() -> None: ...
def threshold_(x: _Tensor, threshold: _Scalar, value: _Scalar) -> _Tensor: ...
__version__: builtins.str

__all__ = ["AcceleratorError", "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "Event", "FloatTensor",
        "Generator", "GradScaler", "HalfTensor", "IntTensor", "LongTensor", "OutOfMemoryError", "ShortTensor", "Size", "Stream",
        "Tensor", "TypedStorage", "UntypedStorage", "abs", "abs_", "absolute", "absolute_", "acos", "acos_", "acosh", "acosh_",
        "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "add", "add_", "addbmm", "addbmm_", "addcdiv",
        "addcdiv_", "addcmul", "addcmul_", "addmm", "addmm_", "addmv", "addmv_", "addr", "addr_", "adjoint", "alias_copy", "all",
        "allclose", "alpha_dropout", "alpha_dropout_", "amax", "amin", "aminmax", "amp", "angle", "any", "arange", "arccos",
        "arccos_", "arccosh", "arccosh_", "arcsin", "arcsin_", "arcsinh", "arcsinh_", "arctan", "arctan2", "arctan2_", "arctan_",
        "arctanh", "arctanh_", "are_deterministic_algorithms_enabled", "argmax", "argmin", "argsort", "argwhere", "as_strided",
        "as_strided_", "as_strided_copy", "as_strided_scatter", "as_tensor", "asarray", "asin", "asin_", "asinh", "asinh_",
        "associative_scan", "asyncs", "atan", "atan2", "atan2_", "atan_", "atanh", "atanh_", "atleast_1d", "atleast_2d",
        "atleast_3d", "autocast", "autograd", "avg_pool1d", "backends", "baddbmm", "baddbmm_", "bartlett_window", "batch_gather",
        "batch_matmul", "batch_norm", "bench", "bernoulli", "bfloat16", "bilinear", "bincount", "binomial", "bitwise_and",
        "bitwise_and_", "bitwise_left_shift", "bitwise_left_shift_", "bitwise_not", "bitwise_not_", "bitwise_or", "bitwise_or_",
        "bitwise_right_shift", "bitwise_right_shift_", "bitwise_xor", "bitwise_xor_", "blackman_window", "block_diag", "bmm",
        "bool", "boxing", "broadcast_like", "broadcast_shapes", "broadcast_tensors", "broadcast_to", "bucketize", "can_cast",
        "cartesian_prod", "cast", "cat", "cdist", "cdouble", "ceil", "ceil_", "celu", "celu_", "cfloat", "chain_matmul", "chalf",
        "channel_shuffle", "channels_last", "channels_last_3d", "cholesky", "cholesky_inverse", "cholesky_solve", "chunk",
        "clamp", "clamp_", "clamp_max", "clamp_max_", "clamp_min", "clamp_min_", "clear_autocast_cache", "clip", "clip_", "clone",
        "column_stack", "combinations", "comm", "compile", "compiled_with_cxx11_abi", "compiler", "complex", "complex128",
        "complex32", "complex64", "concat", "concatenate", "cond", "conj", "conj_physical", "conj_physical_", "constant_pad_nd",
        "contiguous_format", "conv1d", "conv2d", "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
        "convert_oneflow_dtype_to_numpy_dtype", "copysign", "copysign_", "corrcoef", "cos", "cos_", "cosh", "cosh_",
        "cosine_similarity", "count_nonzero", "cov", "cross", "cuda", "cummax", "cummin", "cumprod", "cumprod_", "cumsum",
        "cumsum_", "cumulative_trapezoid", "default_generator", "deg2rad", "deg2rad_", "det", "detach", "detach_", "detach_copy",
        "device", "diag", "diag_embed", "diagflat", "diagonal", "diagonal_copy", "diagonal_scatter", "diff", "digamma",
        "digamma_", "dist", "distributed", "distributions", "div", "div_", "divide", "divide_", "dot", "double", "dropout",
        "dropout_", "dsplit", "dstack", "dtype", "e", "einsum", "embedding", "empty", "empty_cache", "empty_like",
        "empty_permuted", "empty_strided", "enable_grad", "env", "eq", "eq_", "equal", "erf", "erf_", "erfc", "erfc_", "erfinv",
        "erfinv_", "exp", "exp2", "exp2_", "exp_", "expand", "expand_copy", "expand_dims", "expm1", "expm1_", "export", "eye",
        "fake_quantize_per_channel_affine", "fake_quantize_per_tensor_affine", "feature_alpha_dropout", "feature_alpha_dropout_",
        "feature_dropout", "feature_dropout_", "fft", "fill", "fill_", "finfo", "fix", "fix_", "flatten", "flip", "fliplr",
        "flipud", "float", "float16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float_power", "float_power_",
        "floor", "floor_", "floor_divide", "floor_divide_", "fmax", "fmin", "fmod", "fmod_", "frac", "frac_", "frexp",
        "from_dlpack", "from_numpy", "from_torch", "frombuffer", "full", "full_like", "func", "gather", "gather_nd", "gcd",
        "gcd_", "ge", "ge_", "gelu", "generation", "geqrf", "ger", "get_autocast_cpu_dtype", "get_autocast_dtype",
        "get_autocast_gpu_dtype", "get_default_device", "get_default_dtype", "get_deterministic_debug_mode", "get_device",
        "get_device_module", "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads", "get_rng_state",
        "global_to_global", "gradient", "graph", "greater", "greater_", "greater_equal", "greater_equal_", "grid_sampler",
        "grid_sampler_2d", "grid_sampler_3d", "group_norm", "gt", "gt_", "half", "hamming_window", "hann_window", "hardshrink",
        "heaviside", "heaviside_", "histc", "histogram", "histogramdd", "hsplit", "hstack", "hub", "hypot", "hypot_", "i0", "i0_",
        "igamma", "igamma_", "igammac", "igammac_", "iinfo", "imag", "in_top_k", "index_add", "index_add_", "index_copy",
        "index_copy_", "index_fill", "index_fill_", "index_put", "index_put_", "index_reduce", "index_reduce_", "index_select",
        "inf", "inference_mode", "initial_seed", "inner", "int", "int16", "int32", "int64", "int8", "inverse",
        "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
        "is_autocast_enabled", "is_complex", "is_deterministic_algorithms_warn_only_enabled", "is_floating_point",
        "is_grad_enabled", "is_inference", "is_inference_mode_enabled", "is_nonzero", "is_same_size", "is_signed", "is_storage",
        "is_tensor", "isclose", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "istft", "jit",
        "kaiser_window", "kron", "kthvalue", "layer_norm", "layout", "lcm", "lcm_", "ldexp", "ldexp_", "le", "le_", "lerp",
        "lerp_", "less", "less_", "less_equal", "less_equal_", "lgamma", "lgamma_", "library", "linalg", "linspace", "load",
        "load_gguf", "load_program", "local_to_global", "log", "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_",
        "log_softmax", "logaddexp", "logaddexp2", "logcumsumexp", "logdet", "logical_and", "logical_and_", "logical_not",
        "logical_not_", "logical_or", "logical_or_", "logical_xor", "logical_xor_", "logit", "logit_", "logspace", "logsumexp",
        "long", "lt", "lt_", "lu", "lu_solve", "lu_unpack", "manual_seed", "mark_dynamic", "mark_static", "masked", "masked_fill",
        "masked_fill_", "masked_scatter", "masked_scatter_", "masked_select", "matmul", "matrix_exp", "matrix_power",
        "matrix_vector_product", "max", "max_pool1d", "max_pool2d", "max_pool3d", "maximum", "mean", "median", "memory_format",
        "memory_stats", "meshgrid", "min", "minimum", "mish", "mm", "mock_torch", "mode", "moveaxis", "movedim", "msort", "mul",
        "mul_", "multinomial", "multiply", "multiply_", "mv", "mvlgamma", "mvlgamma_", "nan", "nan_to_num", "nan_to_num_",
        "nanmean", "nanmedian", "nanquantile", "nansum", "narrow", "narrow_copy", "native_batch_norm", "native_channel_shuffle",
        "native_group_norm", "native_layer_norm", "ne", "ne_", "neg", "neg_", "negative", "negative_", "newaxis", "nextafter",
        "nextafter_", "nms", "nn", "no_grad", "nonzero", "nonzero_static", "norm", "normal", "not_equal", "not_equal_", "numel",
        "one_hot", "ones", "ones_like", "onnx", "optim", "orgqr", "ormqr", "outer", "overrides", "pad", "pairwise_distance",
        "pca_lowrank", "pdist", "permute", "permute_copy", "pi", "pinverse", "pixel_shuffle", "pixel_unshuffle", "placement",
        "poisson", "polar", "polygamma", "positive", "pow", "pow_", "prelu", "preserve_format", "prod", "profiler",
        "promote_types", "put", "put_", "qr", "quantile", "quantization", "quantize", "quasirandom", "quick_gelu", "rad2deg",
        "rad2deg_", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "random", "randperm", "range", "ravel",
        "real", "reciprocal", "reciprocal_", "relu", "relu_", "remainder", "remainder_", "renorm", "renorm_", "repeat_interleave",
        "reshape", "resize_as_", "resolve_conj", "resolve_neg", "result_type", "rms_norm", "roc_auc_score", "roi_align", "roll",
        "rot90", "round", "round_", "row_stack", "rrelu", "rrelu_", "rsqrt", "rsqrt_", "rsub", "save", "sbp", "scalar_tensor",
        "scan", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_nd", "scatter_reduce", "scatter_reduce_",
        "searchsorted", "seed", "segment_reduce", "select", "select_copy", "select_scatter", "selu", "selu_", "serialization",
        "set_anomaly_enabled", "set_autocast_cache_enabled", "set_autocast_cpu_dtype", "set_autocast_cpu_enabled",
        "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype", "set_default_device", "set_default_dtype",
        "set_default_tensor_type", "set_deterministic_debug_mode", "set_float32_matmul_precision", "set_flush_denormal",
        "set_grad_enabled", "set_num_interop_threads", "set_num_threads", "set_printoptions", "set_rng_state", "set_warn_always",
        "sgn", "sgn_", "short", "sigmoid", "sigmoid_", "sign", "sign_", "signal", "signbit", "silu", "sin", "sin_", "sinc",
        "sinc_", "sinh", "sinh_", "slice", "slice_copy", "slice_scatter", "slice_update", "slogdet", "softmax", "softplus",
        "softshrink", "softsign", "sort", "sparse", "sparse_bsc", "sparse_bsr", "sparse_compressed_tensor", "sparse_coo",
        "sparse_coo_tensor", "sparse_csc", "sparse_csc_tensor", "sparse_csr", "sparse_csr_tensor", "special", "split",
        "split_copy", "split_with_sizes", "split_with_sizes_copy", "sqrt", "sqrt_", "square", "square_", "squeeze",
        "squeeze_copy", "stack", "std", "std_mean", "stft", "strided", "sub", "sub_", "subtract", "subtract_", "sum", "svd",
        "svd_lowrank", "swapaxes", "swapdims", "sync", "sysconfig", "t", "t_copy", "take", "take_along_dim", "tan", "tan_",
        "tanh", "tanh_", "tensor", "tensor_scatter_nd_update", "tensor_split", "tensordot", "testing", "threshold", "threshold_",
        "tile", "to_global", "to_local", "to_torch", "topk", "trace", "transpose", "transpose_copy", "trapezoid", "trapz",
        "triangular_solve", "tril", "tril_", "tril_indices", "triu", "triu_", "triu_indices", "true_divide", "true_divide_",
        "trunc", "trunc_", "trunc_divide", "typename", "uint16", "uint32", "uint64", "uint8", "unbind", "unbind_copy",
        "unflatten", "unfold_copy", "unique", "unique_consecutive", "unravel_index", "unsafe_chunk", "unsafe_split",
        "unsafe_split_with_sizes", "unsqueeze", "unsqueeze_copy", "use_deterministic_algorithms", "utils", "vander", "var",
        "var_mean", "vdot", "version", "view", "view_as_complex", "view_as_real", "view_copy", "vmap", "vsplit", "vstack",
        "where", "while_loop", "xlogy", "xlogy_", "zero_", "zeros", "zeros_like", "__version__"]
