"""The functional API: picks a signature, checks the arguments, calls the functor.

Generated from op_registry.yaml by `python tritonflow/functional/generate.py`; do not edit.
"""

from functools import partial

from tritonflow._C import return_types
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.framework.tensor import Size, Tensor
from tritonflow.functional.arguments import Binding, all_ints, all_tensors
from tritonflow.functional.functors.arithmetic import add as _add
from tritonflow.functional.functors.arithmetic import scalar_add as _scalar_add
from tritonflow.functional.functors.arithmetic import scalar_add_reversed as _scalar_add_reversed
from tritonflow.functional.functors.arithmetic import scalar_div_reversed as _scalar_div_reversed
from tritonflow.functional.functors.arithmetic import scalar_mul_reversed as _scalar_mul_reversed
from tritonflow.functional.functors.arithmetic import scalar_pow_reversed as _scalar_pow_reversed
from tritonflow.functional.functors.arithmetic import scalar_sub as _scalar_sub
from tritonflow.functional.functors.arithmetic import scalar_sub_reversed as _scalar_sub_reversed
from tritonflow.functional.functors.arithmetic import sub as _sub
from tritonflow.functional.functors.attention import attention_grad as _attention_grad
from tritonflow.functional.functors.attention import scaled_dot_product_attention as _scaled_dot_product_attention
from tritonflow.functional.functors.cast import cast as _cast
from tritonflow.functional.functors.cast import clone as _clone
from tritonflow.functional.functors.cast import copy_ as _copy
from tritonflow.functional.functors.cast import fill_ as _fill
from tritonflow.functional.functors.cast import fill_tensor as _fill_tensor
from tritonflow.functional.functors.cast import to_device as _to_device
from tritonflow.functional.functors.cast import to_dtype as _to_dtype
from tritonflow.functional.functors.cast import to_other as _to_other
from tritonflow.functional.functors.cast import type_as as _type_as
from tritonflow.functional.functors.cast import zero_ as _zero
from tritonflow.functional.functors.comparison import allclose as _all_close
from tritonflow.functional.functors.comparison import equal as _equal
from tritonflow.functional.functors.comparison import isclose as _is_close
from tritonflow.functional.functors.conv import conv1d as _conv1d
from tritonflow.functional.functors.conv import conv1d_named_padding as _conv1d_named_padding
from tritonflow.functional.functors.conv import conv2d as _conv2d
from tritonflow.functional.functors.conv import conv2d_named_padding as _conv2d_named_padding
from tritonflow.functional.functors.conv import conv_bias_grad as _conv_bias_grad
from tritonflow.functional.functors.conv import conv_data_grad as _conv_data_grad
from tritonflow.functional.functors.conv import conv_filter_grad as _conv_filter_grad
from tritonflow.functional.functors.conv import conv_transpose2d as _conv_transpose2d
from tritonflow.functional.functors.creation import arange as _arange
from tritonflow.functional.functors.creation import arange_end as _arange_end
from tritonflow.functional.functors.creation import empty as _empty
from tritonflow.functional.functors.creation import empty_like as _empty_like
from tritonflow.functional.functors.creation import eye as _eye
from tritonflow.functional.functors.creation import full as _full
from tritonflow.functional.functors.creation import full_like as _full_like
from tritonflow.functional.functors.creation import linspace as _linspace
from tritonflow.functional.functors.creation import new_empty as _new_empty
from tritonflow.functional.functors.creation import new_full as _new_full
from tritonflow.functional.functors.creation import new_ones as _new_ones
from tritonflow.functional.functors.creation import new_zeros as _new_zeros
from tritonflow.functional.functors.creation import ones as _ones
from tritonflow.functional.functors.creation import ones_like as _ones_like
from tritonflow.functional.functors.creation import tril as _tril
from tritonflow.functional.functors.creation import triu as _triu
from tritonflow.functional.functors.creation import zeros as _zeros
from tritonflow.functional.functors.creation import zeros_like as _zeros_like
from tritonflow.functional.functors.generated import abs as _abs
from tritonflow.functional.functors.generated import add_c_div as _add_c_div
from tritonflow.functional.functors.generated import batch_norm_statistics as _batch_norm_statistics
from tritonflow.functional.functors.generated import batch_norm_sums as _batch_norm_sums
from tritonflow.functional.functors.generated import bitwise_and as _bitwise_and
from tritonflow.functional.functors.generated import bitwise_or as _bitwise_or
from tritonflow.functional.functors.generated import bitwise_xor as _bitwise_xor
from tritonflow.functional.functors.generated import ceil as _ceil
from tritonflow.functional.functors.generated import cos as _cos
from tritonflow.functional.functors.generated import cosh as _cosh
from tritonflow.functional.functors.generated import div as _div
from tritonflow.functional.functors.generated import elu as _elu
from tritonflow.functional.functors.generated import eq as _eq
from tritonflow.functional.functors.generated import erf as _erf
from tritonflow.functional.functors.generated import erfinv as _erfinv
from tritonflow.functional.functors.generated import exp as _exp
from tritonflow.functional.functors.generated import exp2 as _exp2
from tritonflow.functional.functors.generated import expm1 as _expm1
from tritonflow.functional.functors.generated import floor as _floor
from tritonflow.functional.functors.generated import floor_divide as _floor_divide
from tritonflow.functional.functors.generated import fmax as _fmax
from tritonflow.functional.functors.generated import fmin as _fmin
from tritonflow.functional.functors.generated import fmod as _fmod
from tritonflow.functional.functors.generated import frac as _frac
from tritonflow.functional.functors.generated import ge as _ge
from tritonflow.functional.functors.generated import gt as _gt
from tritonflow.functional.functors.generated import hardshrink as _hardshrink
from tritonflow.functional.functors.generated import hardsigmoid as _hardsigmoid
from tritonflow.functional.functors.generated import hardswish as _hardswish
from tritonflow.functional.functors.generated import is_finite as _is_finite
from tritonflow.functional.functors.generated import is_inf as _is_inf
from tritonflow.functional.functors.generated import is_nan as _is_nan
from tritonflow.functional.functors.generated import le as _le
from tritonflow.functional.functors.generated import leaky_relu as _leaky_relu
from tritonflow.functional.functors.generated import lerp as _lerp
from tritonflow.functional.functors.generated import log as _log
from tritonflow.functional.functors.generated import log1p as _log1p
from tritonflow.functional.functors.generated import log2 as _log2
from tritonflow.functional.functors.generated import log10 as _log10
from tritonflow.functional.functors.generated import logical_and as _logical_and
from tritonflow.functional.functors.generated import logical_not as _logical_not
from tritonflow.functional.functors.generated import logical_or as _logical_or
from tritonflow.functional.functors.generated import logical_xor as _logical_xor
from tritonflow.functional.functors.generated import logsigmoid as _logsigmoid
from tritonflow.functional.functors.generated import lt as _lt
from tritonflow.functional.functors.generated import maximum as _maximum
from tritonflow.functional.functors.generated import minimum as _minimum
from tritonflow.functional.functors.generated import mish as _mish
from tritonflow.functional.functors.generated import mul as _mul
from tritonflow.functional.functors.generated import ne as _ne
from tritonflow.functional.functors.generated import pow as _pow
from tritonflow.functional.functors.generated import quick_gelu as _quick_gelu
from tritonflow.functional.functors.generated import random_bernoulli as _random_bernoulli
from tritonflow.functional.functors.generated import random_bernoulli_of as _random_bernoulli_of
from tritonflow.functional.functors.generated import random_dropout as _random_dropout
from tritonflow.functional.functors.generated import random_exponential as _random_exponential
from tritonflow.functional.functors.generated import random_integers as _random_integers
from tritonflow.functional.functors.generated import random_normal as _random_normal
from tritonflow.functional.functors.generated import random_reserve as _random_reserve
from tritonflow.functional.functors.generated import random_uniform as _random_uniform
from tritonflow.functional.functors.generated import reciprocal as _reciprocal
from tritonflow.functional.functors.generated import region_grad as _region_grad
from tritonflow.functional.functors.generated import relu as _relu
from tritonflow.functional.functors.generated import remainder as _remainder
from tritonflow.functional.functors.generated import round as _round
from tritonflow.functional.functors.generated import rsqrt as _rsqrt
from tritonflow.functional.functors.generated import scalar_bitwise_and as _scalar_bitwise_and
from tritonflow.functional.functors.generated import scalar_bitwise_and_reversed as _scalar_bitwise_and_reversed
from tritonflow.functional.functors.generated import scalar_bitwise_or as _scalar_bitwise_or
from tritonflow.functional.functors.generated import scalar_bitwise_or_reversed as _scalar_bitwise_or_reversed
from tritonflow.functional.functors.generated import scalar_bitwise_xor as _scalar_bitwise_xor
from tritonflow.functional.functors.generated import scalar_bitwise_xor_reversed as _scalar_bitwise_xor_reversed
from tritonflow.functional.functors.generated import scalar_div as _scalar_div
from tritonflow.functional.functors.generated import scalar_eq as _scalar_eq
from tritonflow.functional.functors.generated import scalar_floor_divide_reversed as _scalar_floor_divide_reversed
from tritonflow.functional.functors.generated import scalar_ge as _scalar_ge
from tritonflow.functional.functors.generated import scalar_gt as _scalar_gt
from tritonflow.functional.functors.generated import scalar_le as _scalar_le
from tritonflow.functional.functors.generated import scalar_lerp as _scalar_lerp
from tritonflow.functional.functors.generated import scalar_logical_and as _scalar_logical_and
from tritonflow.functional.functors.generated import scalar_logical_or as _scalar_logical_or
from tritonflow.functional.functors.generated import scalar_logical_xor as _scalar_logical_xor
from tritonflow.functional.functors.generated import scalar_lt as _scalar_lt
from tritonflow.functional.functors.generated import scalar_mul as _scalar_mul
from tritonflow.functional.functors.generated import scalar_ne as _scalar_ne
from tritonflow.functional.functors.generated import scalar_remainder_reversed as _scalar_remainder_reversed
from tritonflow.functional.functors.generated import selu as _selu
from tritonflow.functional.functors.generated import sigmoid as _sigmoid
from tritonflow.functional.functors.generated import sign as _sign
from tritonflow.functional.functors.generated import silu as _silu
from tritonflow.functional.functors.generated import sin as _sin
from tritonflow.functional.functors.generated import sinh as _sinh
from tritonflow.functional.functors.generated import softplus as _softplus
from tritonflow.functional.functors.generated import softsign as _softsign
from tritonflow.functional.functors.generated import sqrt as _sqrt
from tritonflow.functional.functors.generated import tan as _tan
from tritonflow.functional.functors.generated import tanh as _tanh
from tritonflow.functional.functors.generated import trunc as _trunc
from tritonflow.functional.functors.generated import trunc_divide as _trunc_divide
from tritonflow.functional.functors.generated import where as _where
from tritonflow.functional.functors.gradients import amp_update_scale as _amp_update_scale
from tritonflow.functional.functors.gradients import multi_tensor_clip as _multi_tensor_clip
from tritonflow.functional.functors.gradients import multi_tensor_norm as _multi_tensor_norm
from tritonflow.functional.functors.gradients import multi_tensor_scale_to_norm as _multi_tensor_scale_to_norm
from tritonflow.functional.functors.gradients import multi_tensor_unscale as _multi_tensor_unscale
from tritonflow.functional.functors.index import embedding as _embedding
from tritonflow.functional.functors.index import gather as _gather
from tritonflow.functional.functors.index import gather_grad as _gather_grad
from tritonflow.functional.functors.index import index_add as _index_add
from tritonflow.functional.functors.index import index_get as _index_get
from tritonflow.functional.functors.index import index_get_grad as _index_get_grad
from tritonflow.functional.functors.index import index_put as _index_put
from tritonflow.functional.functors.index import index_put_grad as _index_put_grad
from tritonflow.functional.functors.index import index_select as _index_select
from tritonflow.functional.functors.index import masked_select as _masked_select
from tritonflow.functional.functors.index import nonzero as _non_zero
from tritonflow.functional.functors.index import one_hot as _one_hot
from tritonflow.functional.functors.index import scatter as _scatter
from tritonflow.functional.functors.index import scatter_add as _scatter_add
from tritonflow.functional.functors.index import scatter_grad as _scatter_grad
from tritonflow.functional.functors.index import scatter_scalar as _scatter_scalar
from tritonflow.functional.functors.index import scatter_source_grad as _scatter_source_grad
from tritonflow.functional.functors.index import where_nonzero as _where_non_zero
from tritonflow.functional.functors.join import cat as _cat
from tritonflow.functional.functors.join import hstack as _hstack
from tritonflow.functional.functors.join import repeat as _repeat
from tritonflow.functional.functors.join import stack as _stack
from tritonflow.functional.functors.join import tile as _tile
from tritonflow.functional.functors.join import vstack as _vstack
from tritonflow.functional.functors.loss import cross_entropy as _cross_entropy
from tritonflow.functional.functors.loss import cross_entropy_grad as _cross_entropy_grad
from tritonflow.functional.functors.loss import mse_loss as _mse_loss
from tritonflow.functional.functors.loss import nll_loss as _nll_loss
from tritonflow.functional.functors.loss import nll_loss_grad as _nll_loss_grad
from tritonflow.functional.functors.matmul import addmm as _add_mm
from tritonflow.functional.functors.matmul import baddbmm as _badd_bmm
from tritonflow.functional.functors.matmul import batch_matmul as _batch_mat_mul
from tritonflow.functional.functors.matmul import dot as _dot
from tritonflow.functional.functors.matmul import linear as _linear
from tritonflow.functional.functors.matmul import matmul as _mat_mul
from tritonflow.functional.functors.matmul import matrix_vector_product as _matrix_vector_product
from tritonflow.functional.functors.matmul import mm as _mm
from tritonflow.functional.functors.norm import batch_norm as _batch_norm
from tritonflow.functional.functors.norm import batch_norm_grad as _batch_norm_grad
from tritonflow.functional.functors.norm import group_norm as _group_norm
from tritonflow.functional.functors.norm import layer_norm as _layer_norm
from tritonflow.functional.functors.norm import layer_norm_grad as _layer_norm_grad
from tritonflow.functional.functors.norm import layer_norm_param_grad as _layer_norm_param_grad
from tritonflow.functional.functors.norm import rms_norm as _rms_norm
from tritonflow.functional.functors.optimizer import multi_tensor_adam_update as _multi_tensor_adam_update
from tritonflow.functional.functors.optimizer import multi_tensor_sgd_update as _multi_tensor_sgd_update
from tritonflow.functional.functors.pad import pad as _pad
from tritonflow.functional.functors.pointwise import addcmul as _add_c_mul
from tritonflow.functional.functors.pointwise import bitwise_not as _bitwise_not
from tritonflow.functional.functors.pointwise import celu as _celu
from tritonflow.functional.functors.pointwise import clamp as _clamp
from tritonflow.functional.functors.pointwise import clamp_max as _clamp_max
from tritonflow.functional.functors.pointwise import clamp_min as _clamp_min
from tritonflow.functional.functors.pointwise import clamp_tensor as _clamp_tensor
from tritonflow.functional.functors.pointwise import div_rounded as _div_rounded
from tritonflow.functional.functors.pointwise import gelu as _gelu
from tritonflow.functional.functors.pointwise import hardtanh as _hardtanh
from tritonflow.functional.functors.pointwise import negative as _negative
from tritonflow.functional.functors.pointwise import scalar_div_rounded as _scalar_div_rounded
from tritonflow.functional.functors.pointwise import scalar_floor_divide as _scalar_floor_divide
from tritonflow.functional.functors.pointwise import scalar_fmod as _scalar_fmod
from tritonflow.functional.functors.pointwise import scalar_pow as _scalar_pow
from tritonflow.functional.functors.pointwise import scalar_remainder as _scalar_remainder
from tritonflow.functional.functors.pointwise import scalar_trunc_divide as _scalar_trunc_divide
from tritonflow.functional.functors.pointwise import softshrink as _softshrink
from tritonflow.functional.functors.pointwise import square as _square
from tritonflow.functional.functors.pointwise import threshold as _threshold
from tritonflow.functional.functors.pool import adaptive_avg_pool1d as _adaptive_avg_pool1d
from tritonflow.functional.functors.pool import adaptive_avg_pool2d as _adaptive_avg_pool2d
from tritonflow.functional.functors.pool import adaptive_avg_pool_grad as _adaptive_avg_pool_grad
from tritonflow.functional.functors.pool import avg_pool1d as _avg_pool1d
from tritonflow.functional.functors.pool import avg_pool2d as _avg_pool2d
from tritonflow.functional.functors.pool import avg_pool_grad as _avg_pool_grad
from tritonflow.functional.functors.pool import max_pool1d as _max_pool1d
from tritonflow.functional.functors.pool import max_pool2d as _max_pool2d
from tritonflow.functional.functors.pool import max_pool_grad as _max_pool_grad
from tritonflow.functional.functors.pool import max_pool_grad_grad as _max_pool_grad_grad
from tritonflow.functional.functors.random import bernoulli as _bernoulli
from tritonflow.functional.functors.random import bernoulli_ as _bernoulli_inplace
from tritonflow.functional.functors.random import bernoulli_prob as _bernoulli_prob
from tritonflow.functional.functors.random import dropout as _dropout
from tritonflow.functional.functors.random import exponential_ as _exponential_inplace
from tritonflow.functional.functors.random import normal as _normal
from tritonflow.functional.functors.random import normal_ as _normal_inplace
from tritonflow.functional.functors.random import rand as _rand
from tritonflow.functional.functors.random import rand_like as _rand_like
from tritonflow.functional.functors.random import randint as _rand_int
from tritonflow.functional.functors.random import randint_high as _rand_int_high
from tritonflow.functional.functors.random import randint_like as _rand_int_like
from tritonflow.functional.functors.random import randint_like_high as _rand_int_like_high
from tritonflow.functional.functors.random import randn as _rand_n
from tritonflow.functional.functors.random import randn_like as _rand_n_like
from tritonflow.functional.functors.random import random_ as _random_inplace
from tritonflow.functional.functors.random import randperm as _rand_perm
from tritonflow.functional.functors.random import uniform_ as _uniform_inplace
from tritonflow.functional.functors.reduction import all as _reduce_all
from tritonflow.functional.functors.reduction import amax as _a_max
from tritonflow.functional.functors.reduction import amin as _a_min
from tritonflow.functional.functors.reduction import any as _reduce_any
from tritonflow.functional.functors.reduction import argmax as _arg_max
from tritonflow.functional.functors.reduction import argmin as _arg_min
from tritonflow.functional.functors.reduction import extremum_grad as _extremum_grad
from tritonflow.functional.functors.reduction import logsumexp as _log_sum_exp
from tritonflow.functional.functors.reduction import max as _reduce_max
from tritonflow.functional.functors.reduction import max_dim as _max_dim
from tritonflow.functional.functors.reduction import max_other as _max_other
from tritonflow.functional.functors.reduction import mean as _reduce_mean
from tritonflow.functional.functors.reduction import mean_grad as _mean_grad
from tritonflow.functional.functors.reduction import min as _reduce_min
from tritonflow.functional.functors.reduction import min_dim as _min_dim
from tritonflow.functional.functors.reduction import min_other as _min_other
from tritonflow.functional.functors.reduction import nansum as _reduce_nan_sum
from tritonflow.functional.functors.reduction import norm as _norm
from tritonflow.functional.functors.reduction import norm_grad as _norm_grad
from tritonflow.functional.functors.reduction import norm_of_name as _norm_of_name
from tritonflow.functional.functors.reduction import prod as _reduce_prod
from tritonflow.functional.functors.reduction import prod_grad as _prod_grad
from tritonflow.functional.functors.reduction import std as _std
from tritonflow.functional.functors.reduction import std_all as _std_all
from tritonflow.functional.functors.reduction import std_corrected as _std_correction
from tritonflow.functional.functors.reduction import sum as _reduce_sum
from tritonflow.functional.functors.reduction import sum_to as _sum_to
from tritonflow.functional.functors.reduction import var as _var
from tritonflow.functional.functors.reduction import var_all as _var_all
from tritonflow.functional.functors.reduction import var_corrected as _var_correction
from tritonflow.functional.functors.reduction import var_grad as _var_grad
from tritonflow.functional.functors.reduction import var_mean as _var_mean
from tritonflow.functional.functors.reduction import var_mean_all as _var_mean_all
from tritonflow.functional.functors.reduction import var_mean_corrected as _var_mean_correction
from tritonflow.functional.functors.scan_sort import argsort as _arg_sort
from tritonflow.functional.functors.scan_sort import cumprod as _cum_prod
from tritonflow.functional.functors.scan_sort import cumprod_grad as _cum_prod_grad
from tritonflow.functional.functors.scan_sort import cumsum as _cum_sum
from tritonflow.functional.functors.scan_sort import indexed_extremum_grad as _indexed_extremum_grad
from tritonflow.functional.functors.scan_sort import median as _median
from tritonflow.functional.functors.scan_sort import median_dim as _median_dim
from tritonflow.functional.functors.scan_sort import reversed_cumsum as _reversed_cum_sum
from tritonflow.functional.functors.scan_sort import sort as _sort
from tritonflow.functional.functors.scan_sort import sort_stable as _sort_stable
from tritonflow.functional.functors.scan_sort import sorted_grad as _sorted_grad
from tritonflow.functional.functors.scan_sort import topk as _top_k
from tritonflow.functional.functors.selection import masked_fill as _masked_fill
from tritonflow.functional.functors.selection import masked_fill_tensor as _masked_fill_tensor
from tritonflow.functional.functors.selection import where_scalar_x as _where_scalar_x
from tritonflow.functional.functors.selection import where_scalar_y as _where_scalar_y
from tritonflow.functional.functors.selection import where_scalars as _where_scalars
from tritonflow.functional.functors.softmax import log_softmax as _log_softmax
from tritonflow.functional.functors.softmax import log_softmax_grad as _log_softmax_grad
from tritonflow.functional.functors.softmax import softmax as _softmax
from tritonflow.functional.functors.softmax import softmax_grad as _softmax_grad
from tritonflow.functional.functors.view import as_strided as _as_strided
from tritonflow.functional.functors.view import chunk as _chunk
from tritonflow.functional.functors.view import contiguous as _contiguous
from tritonflow.functional.functors.view import detach as _detach
from tritonflow.functional.functors.view import diagonal as _diagonal
from tritonflow.functional.functors.view import expand as _expand
from tritonflow.functional.functors.view import expand_as as _expand_as
from tritonflow.functional.functors.view import expand_reduced as _expand_reduced
from tritonflow.functional.functors.view import flatten as _flatten
from tritonflow.functional.functors.view import matrix_transpose as _matrix_transpose
from tritonflow.functional.functors.view import movedim as _movedim
from tritonflow.functional.functors.view import narrow as _narrow
from tritonflow.functional.functors.view import permute as _permute
from tritonflow.functional.functors.view import permute_inverse as _permute_inverse
from tritonflow.functional.functors.view import reshape as _reshape
from tritonflow.functional.functors.view import reshape_as as _reshape_as
from tritonflow.functional.functors.view import select as _select
from tritonflow.functional.functors.view import slice_dims as _slice
from tritonflow.functional.functors.view import split as _split
from tritonflow.functional.functors.view import split_sections as _split_sections
from tritonflow.functional.functors.view import squeeze as _squeeze
from tritonflow.functional.functors.view import transpose as _transpose
from tritonflow.functional.functors.view import unbind as _unbind
from tritonflow.functional.functors.view import unfold_tensor as _unfold_tensor
from tritonflow.functional.functors.view import unsqueeze as _unsqueeze
from tritonflow.functional.functors.view import view as _view
from tritonflow.functional.functors.view import view_as as _view_as
from tritonflow.functional.functors.view_gradients import as_strided_grad as _as_strided_grad
from tritonflow.functional.functors.view_gradients import diagonal_grad as _diagonal_grad
from tritonflow.functional.functors.view_gradients import region as _region
from tritonflow.functional.functors.view_gradients import select_grad as _select_grad
from tritonflow.functional.functors.view_gradients import slice_grad as _slice_grad
from tritonflow.functional.functors.view_gradients import unfold_tensor_grad as _unfold_tensor_grad
from tritonflow.functional.library import named_result
from tritonflow.functional.prototype import MISSING as _missing
from tritonflow.interpreter.autocast import bind_casts, with_casts

# What casts its arguments first: bound to these names while autocast is on.
CASTING = {
    "_add_mm": with_casts(_add_mm, "lower"),
    "_badd_bmm": with_casts(_badd_bmm, "lower"),
    "_batch_mat_mul": with_casts(_batch_mat_mul, "lower"),
    "_conv1d": with_casts(_conv1d, "lower"),
    "_conv1d_named_padding": with_casts(_conv1d_named_padding, "lower"),
    "_conv2d": with_casts(_conv2d, "lower"),
    "_conv2d_named_padding": with_casts(_conv2d_named_padding, "lower"),
    "_conv_transpose2d": with_casts(_conv_transpose2d, "lower"),
    "_cosh": with_casts(_cosh, "float32", inplace=1),
    "_cross_entropy": with_casts(_cross_entropy, "float32"),
    "_cum_prod": with_casts(_cum_prod, "float32"),
    "_cum_sum": with_casts(_cum_sum, "float32"),
    "_dot": with_casts(_dot, "widest"),
    "_erfinv": with_casts(_erfinv, "float32", inplace=1),
    "_exp": with_casts(_exp, "float32", inplace=1),
    "_expm1": with_casts(_expm1, "float32", inplace=1),
    "_group_norm": with_casts(_group_norm, "float32"),
    "_layer_norm": with_casts(_layer_norm, "float32"),
    "_linear": with_casts(_linear, "lower"),
    "_log": with_casts(_log, "float32", inplace=1),
    "_log10": with_casts(_log10, "float32", inplace=1),
    "_log1p": with_casts(_log1p, "float32", inplace=1),
    "_log2": with_casts(_log2, "float32", inplace=1),
    "_log_softmax": with_casts(_log_softmax, "float32"),
    "_mat_mul": with_casts(_mat_mul, "lower"),
    "_matrix_vector_product": with_casts(_matrix_vector_product, "lower"),
    "_mm": with_casts(_mm, "lower"),
    "_mse_loss": with_casts(_mse_loss, "float32"),
    "_nll_loss": with_casts(_nll_loss, "float32"),
    "_norm": with_casts(_norm, "float32"),
    "_norm_of_name": with_casts(_norm_of_name, "float32"),
    "_pow": with_casts(_pow, "float32"),
    "_reciprocal": with_casts(_reciprocal, "float32", inplace=1),
    "_reduce_prod": with_casts(_reduce_prod, "float32"),
    "_reduce_sum": with_casts(_reduce_sum, "float32"),
    "_rsqrt": with_casts(_rsqrt, "float32", inplace=1),
    "_scalar_pow": with_casts(_scalar_pow, "float32"),
    "_scalar_pow_reversed": with_casts(_scalar_pow_reversed, "float32"),
    "_scaled_dot_product_attention": with_casts(_scaled_dot_product_attention, "lower"),
    "_scatter_add": with_casts(_scatter_add, "widest", inplace=4),
    "_sinh": with_casts(_sinh, "float32", inplace=1),
    "_softmax": with_casts(_softmax, "float32"),
    "_softplus": with_casts(_softplus, "float32"),
    "_tan": with_casts(_tan, "float32", inplace=1),
}

_add_slow = Binding(
    "add",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False) => Add",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False) => ScalarAdd",
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1) => ScalarAddReversed",
    ),
    (_add, _scalar_add, _scalar_add_reversed),
    is_method=True,
)


def add(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input + alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Scalar input, Tensor other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _add(input, other, alpha, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_add(input, other, alpha, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_add_reversed(input, other, alpha)
    return _add_slow((input, other, alpha, inplace), extra, unknown)


_add__slow = Binding(
    "add_",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1) => Add",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1) => ScalarAdd",
    ),
    (partial(_add, inplace=True), partial(_scalar_add, inplace=True)),
    is_method=True,
)


def add_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input + alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add(input, other, alpha, inplace=True)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _scalar_add(input, other, alpha, inplace=True)
    return _add__slow((input, other, alpha), extra, unknown)


_sub_slow = Binding(
    "sub",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False) => Sub",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False) => ScalarSub",
        "Tensor (Scalar input, Tensor other, *, Scalar alpha=1) => ScalarSubReversed",
    ),
    (_sub, _scalar_sub, _scalar_sub_reversed),
    is_method=True,
)


def sub(input=_missing, other=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input - alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1, Bool inplace=False)
    Tensor (Scalar input, Tensor other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _sub(input, other, alpha, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_sub(input, other, alpha, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_sub_reversed(input, other, alpha)
    return _sub_slow((input, other, alpha, inplace), extra, unknown)


_sub__slow = Binding(
    "sub_",
    (
        "Tensor (Tensor input, Tensor other, *, Scalar alpha=1) => Sub",
        "Tensor (Tensor input, Scalar other, *, Scalar alpha=1) => ScalarSub",
    ),
    (partial(_sub, inplace=True), partial(_scalar_sub, inplace=True)),
    is_method=True,
)


def sub_(input=_missing, other=_missing, *extra, alpha=1, **unknown):
    """In place: input - alpha * other

    Tensor (Tensor input, Tensor other, *, Scalar alpha=1)
    Tensor (Tensor input, Scalar other, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _sub(input, other, alpha, inplace=True)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _scalar_sub(input, other, alpha, inplace=True)
    return _sub__slow((input, other, alpha), extra, unknown)


_mul_slow = Binding(
    "mul",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Mul",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarMul",
        "Tensor (Scalar input, Tensor other) => ScalarMulReversed",
    ),
    (_mul, _scalar_mul, _scalar_mul_reversed),
    is_method=True,
)


def mul(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """input * other

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _mul(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_mul(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_mul_reversed(input, other)
    return _mul_slow((input, other, inplace), extra, unknown)


_mul__slow = Binding(
    "mul_",
    ("Tensor (Tensor input, Tensor other) => Mul", "Tensor (Tensor input, Scalar other) => ScalarMul"),
    (partial(_mul, inplace=True), partial(_scalar_mul, inplace=True)),
    is_method=True,
)


def mul_(input=_missing, other=_missing, *extra, **unknown):
    """In place: input * other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _mul(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_mul(input, other, inplace=True)
    return _mul__slow((input, other), extra, unknown)


_div_slow = Binding(
    "div",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Div",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarDiv",
        "Tensor (Scalar input, Tensor other) => ScalarDivReversed",
        "Tensor (Tensor input, Tensor other, *, String rounding_mode) => DivRounded",
        "Tensor (Tensor input, Scalar other, *, String rounding_mode) => ScalarDivRounded",
    ),
    (_div, _scalar_div, _scalar_div_reversed, _div_rounded, _scalar_div_rounded),
    is_method=True,
)


def div(input=_missing, other=_missing, *extra, inplace=False, rounding_mode=_missing, **unknown):
    """input / other, true division unless rounded

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    Tensor (Tensor input, Tensor other, *, String rounding_mode)
    Tensor (Tensor input, Scalar other, *, String rounding_mode)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and rounding_mode is _missing
        and not extra
        and not unknown
    ):
        return _div(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and rounding_mode is _missing
        and not extra
        and not unknown
    ):
        return _scalar_div(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and rounding_mode is _missing
        and not extra
        and not unknown
    ):
        return _scalar_div_reversed(input, other)
    return _div_slow((input, other, inplace, rounding_mode), extra, unknown)


_div__slow = Binding(
    "div_",
    ("Tensor (Tensor input, Tensor other) => Div", "Tensor (Tensor input, Scalar other) => ScalarDiv"),
    (partial(_div, inplace=True), partial(_scalar_div, inplace=True)),
    is_method=True,
)


def div_(input=_missing, other=_missing, *extra, **unknown):
    """In place: input / other, true division unless rounded

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _div(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_div(input, other, inplace=True)
    return _div__slow((input, other), extra, unknown)


_pow_slow = Binding(
    "pow",
    (
        "Tensor (Tensor input, Tensor exponent) => Pow",
        "Tensor (Tensor input, Scalar exponent) => ScalarPow",
        "Tensor (Scalar input, Tensor exponent) => ScalarPowReversed",
    ),
    (CASTING["_pow"], CASTING["_scalar_pow"], CASTING["_scalar_pow_reversed"]),
    is_method=True,
)


def pow(input=_missing, exponent=_missing, *extra, **unknown):
    """input ** exponent; integers to negative numbers are refused

    Tensor (Tensor input, Tensor exponent)
    Tensor (Tensor input, Scalar exponent)
    Tensor (Scalar input, Tensor exponent)
    """
    if input.__class__ is Tensor and exponent.__class__ is Tensor and not extra and not unknown:
        return _pow(input, exponent)
    if (
        input.__class__ is Tensor
        and (exponent.__class__ is float or exponent.__class__ is int)
        and not extra
        and not unknown
    ):
        return _scalar_pow(input, exponent)
    if (
        (input.__class__ is float or input.__class__ is int)
        and exponent.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _scalar_pow_reversed(input, exponent)
    return _pow_slow((input, exponent), extra, unknown)


_eq_slow = Binding(
    "eq",
    ("Tensor (Tensor input, Tensor other) => Eq", "Tensor (Tensor input, Scalar other) => ScalarEq"),
    (_eq, _scalar_eq),
    is_method=True,
)


def eq(input=_missing, other=_missing, *extra, **unknown):
    """where input equals other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _eq(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_eq(input, other)
    return _eq_slow((input, other), extra, unknown)


_ne_slow = Binding(
    "ne",
    ("Tensor (Tensor input, Tensor other) => Ne", "Tensor (Tensor input, Scalar other) => ScalarNe"),
    (_ne, _scalar_ne),
    is_method=True,
)


def ne(input=_missing, other=_missing, *extra, **unknown):
    """where input differs from other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _ne(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ne(input, other)
    return _ne_slow((input, other), extra, unknown)


_lt_slow = Binding(
    "lt",
    ("Tensor (Tensor input, Tensor other) => Lt", "Tensor (Tensor input, Scalar other) => ScalarLt"),
    (_lt, _scalar_lt),
    is_method=True,
)


def lt(input=_missing, other=_missing, *extra, **unknown):
    """where input is less than other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _lt(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_lt(input, other)
    return _lt_slow((input, other), extra, unknown)


_le_slow = Binding(
    "le",
    ("Tensor (Tensor input, Tensor other) => Le", "Tensor (Tensor input, Scalar other) => ScalarLe"),
    (_le, _scalar_le),
    is_method=True,
)


def le(input=_missing, other=_missing, *extra, **unknown):
    """where input is at most other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _le(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_le(input, other)
    return _le_slow((input, other), extra, unknown)


_gt_slow = Binding(
    "gt",
    ("Tensor (Tensor input, Tensor other) => Gt", "Tensor (Tensor input, Scalar other) => ScalarGt"),
    (_gt, _scalar_gt),
    is_method=True,
)


def gt(input=_missing, other=_missing, *extra, **unknown):
    """where input is greater than other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _gt(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_gt(input, other)
    return _gt_slow((input, other), extra, unknown)


_ge_slow = Binding(
    "ge",
    ("Tensor (Tensor input, Tensor other) => Ge", "Tensor (Tensor input, Scalar other) => ScalarGe"),
    (_ge, _scalar_ge),
    is_method=True,
)


def ge(input=_missing, other=_missing, *extra, **unknown):
    """where input is at least other

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _ge(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_ge(input, other)
    return _ge_slow((input, other), extra, unknown)


_logical_and_slow = Binding(
    "logical_and",
    ("Tensor (Tensor input, Tensor other) => LogicalAnd", "Tensor (Tensor input, Scalar other) => ScalarLogicalAnd"),
    (_logical_and, _scalar_logical_and),
    is_method=True,
)


def logical_and(input=_missing, other=_missing, *extra, **unknown):
    """where both are true

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _logical_and(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_and(input, other)
    return _logical_and_slow((input, other), extra, unknown)


_logical_or_slow = Binding(
    "logical_or",
    ("Tensor (Tensor input, Tensor other) => LogicalOr", "Tensor (Tensor input, Scalar other) => ScalarLogicalOr"),
    (_logical_or, _scalar_logical_or),
    is_method=True,
)


def logical_or(input=_missing, other=_missing, *extra, **unknown):
    """where at least one is true

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _logical_or(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_or(input, other)
    return _logical_or_slow((input, other), extra, unknown)


_logical_xor_slow = Binding(
    "logical_xor",
    ("Tensor (Tensor input, Tensor other) => LogicalXor", "Tensor (Tensor input, Scalar other) => ScalarLogicalXor"),
    (_logical_xor, _scalar_logical_xor),
    is_method=True,
)


def logical_xor(input=_missing, other=_missing, *extra, **unknown):
    """where exactly one is true

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _logical_xor(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_logical_xor(input, other)
    return _logical_xor_slow((input, other), extra, unknown)


_logical_not_slow = Binding("logical_not", ("Tensor (Tensor input) => LogicalNot",), (_logical_not,), is_method=True)


def logical_not(input=_missing, *extra, **unknown):
    """where the input is not true

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _logical_not(input)
    return _logical_not_slow((input,), extra, unknown)


_isnan_slow = Binding("isnan", ("Tensor (Tensor input) => IsNan",), (_is_nan,), is_method=True)


def isnan(input=_missing, *extra, **unknown):
    """where the input is NaN

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _is_nan(input)
    return _isnan_slow((input,), extra, unknown)


_isinf_slow = Binding("isinf", ("Tensor (Tensor input) => IsInf",), (_is_inf,), is_method=True)


def isinf(input=_missing, *extra, **unknown):
    """where the input is infinite

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _is_inf(input)
    return _isinf_slow((input,), extra, unknown)


_isfinite_slow = Binding("isfinite", ("Tensor (Tensor input) => IsFinite",), (_is_finite,), is_method=True)


def isfinite(input=_missing, *extra, **unknown):
    """where the input is neither infinite nor NaN

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _is_finite(input)
    return _isfinite_slow((input,), extra, unknown)


_where_slow = Binding(
    "where",
    (
        "Tensor (Tensor condition, Tensor x, Tensor y) => Where",
        "Tensor (Tensor condition, Scalar x, Tensor y) => WhereScalarX",
        "Tensor (Tensor condition, Tensor x, Scalar y) => WhereScalarY",
        "Tensor (Tensor condition, Scalar x, Scalar y) => WhereScalars",
        "TensorTuple (Tensor condition) => WhereNonZero",
    ),
    (_where, _where_scalar_x, _where_scalar_y, _where_scalars, _where_non_zero),
)


def where(condition=_missing, x=_missing, y=_missing, *extra, **unknown):
    """x where the condition holds, otherwise y

    Tensor (Tensor condition, Tensor x, Tensor y)
    Tensor (Tensor condition, Scalar x, Tensor y)
    Tensor (Tensor condition, Tensor x, Scalar y)
    Tensor (Tensor condition, Scalar x, Scalar y)
    TensorTuple (Tensor condition)
    """
    if condition.__class__ is Tensor and x.__class__ is Tensor and y.__class__ is Tensor and not extra and not unknown:
        return _where(condition, x, y)
    if (
        condition.__class__ is Tensor
        and (x.__class__ is float or x.__class__ is int)
        and y.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _where_scalar_x(condition, x, y)
    if (
        condition.__class__ is Tensor
        and x.__class__ is Tensor
        and (y.__class__ is float or y.__class__ is int)
        and not extra
        and not unknown
    ):
        return _where_scalar_y(condition, x, y)
    if (
        condition.__class__ is Tensor
        and (x.__class__ is float or x.__class__ is int)
        and (y.__class__ is float or y.__class__ is int)
        and not extra
        and not unknown
    ):
        return _where_scalars(condition, x, y)
    if condition.__class__ is Tensor and x is _missing and y is _missing and not extra and not unknown:
        return _where_non_zero(condition)
    return _where_slow((condition, x, y), extra, unknown)


_maximum_slow = Binding("maximum", ("Tensor (Tensor input, Tensor other) => Maximum",), (_maximum,), is_method=True)


def maximum(input=_missing, other=_missing, *extra, **unknown):
    """the larger of two

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _maximum(input, other)
    return _maximum_slow((input, other), extra, unknown)


_minimum_slow = Binding("minimum", ("Tensor (Tensor input, Tensor other) => Minimum",), (_minimum,), is_method=True)


def minimum(input=_missing, other=_missing, *extra, **unknown):
    """the smaller of two

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _minimum(input, other)
    return _minimum_slow((input, other), extra, unknown)


_fmax_slow = Binding("fmax", ("Tensor (Tensor input, Tensor other) => Fmax",), (_fmax,), is_method=True)


def fmax(input=_missing, other=_missing, *extra, **unknown):
    """the larger of two, the other one for NaN

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _fmax(input, other)
    return _fmax_slow((input, other), extra, unknown)


_fmin_slow = Binding("fmin", ("Tensor (Tensor input, Tensor other) => Fmin",), (_fmin,), is_method=True)


def fmin(input=_missing, other=_missing, *extra, **unknown):
    """the smaller of two, the other one for NaN

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _fmin(input, other)
    return _fmin_slow((input, other), extra, unknown)


_fmod_slow = Binding(
    "fmod",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Fmod",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarFmod",
    ),
    (_fmod, _scalar_fmod),
    is_method=True,
)


def fmod(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the remainder with the sign of input; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _fmod(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_fmod(input, other, inplace)
    return _fmod_slow((input, other, inplace), extra, unknown)


_fmod__slow = Binding(
    "fmod_",
    ("Tensor (Tensor input, Tensor other) => Fmod", "Tensor (Tensor input, Scalar other) => ScalarFmod"),
    (partial(_fmod, inplace=True), partial(_scalar_fmod, inplace=True)),
    is_method=True,
)


def fmod_(input=_missing, other=_missing, *extra, **unknown):
    """In place: the remainder with the sign of input; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _fmod(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_fmod(input, other, inplace=True)
    return _fmod__slow((input, other), extra, unknown)


_remainder_slow = Binding(
    "remainder",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => Remainder",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarRemainder",
        "Tensor (Scalar input, Tensor other) => ScalarRemainderReversed",
    ),
    (_remainder, _scalar_remainder, _scalar_remainder_reversed),
    is_method=True,
)


def remainder(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the remainder with the sign of other; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _remainder(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_remainder(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_remainder_reversed(input, other)
    return _remainder_slow((input, other, inplace), extra, unknown)


_remainder__slow = Binding(
    "remainder_",
    ("Tensor (Tensor input, Tensor other) => Remainder", "Tensor (Tensor input, Scalar other) => ScalarRemainder"),
    (partial(_remainder, inplace=True), partial(_scalar_remainder, inplace=True)),
    is_method=True,
)


def remainder_(input=_missing, other=_missing, *extra, **unknown):
    """In place: the remainder with the sign of other; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _remainder(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_remainder(input, other, inplace=True)
    return _remainder__slow((input, other), extra, unknown)


_floor_divide_slow = Binding(
    "floor_divide",
    (
        "Tensor (Tensor input, Tensor other, *, Bool inplace=False) => FloorDivide",
        "Tensor (Tensor input, Scalar other, *, Bool inplace=False) => ScalarFloorDivide",
        "Tensor (Scalar input, Tensor other) => ScalarFloorDivideReversed",
    ),
    (_floor_divide, _scalar_floor_divide, _scalar_floor_divide_reversed),
    is_method=True,
)


def floor_divide(input=_missing, other=_missing, *extra, inplace=False, **unknown):
    """the quotient rounded down; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other, *, Bool inplace=False)
    Tensor (Tensor input, Scalar other, *, Bool inplace=False)
    Tensor (Scalar input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _floor_divide(input, other, inplace)
    if (
        input.__class__ is Tensor
        and (other.__class__ is float or other.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_floor_divide(input, other, inplace)
    if (
        (input.__class__ is float or input.__class__ is int)
        and other.__class__ is Tensor
        and inplace is False
        and not extra
        and not unknown
    ):
        return _scalar_floor_divide_reversed(input, other)
    return _floor_divide_slow((input, other, inplace), extra, unknown)


_floor_divide__slow = Binding(
    "floor_divide_",
    ("Tensor (Tensor input, Tensor other) => FloorDivide", "Tensor (Tensor input, Scalar other) => ScalarFloorDivide"),
    (partial(_floor_divide, inplace=True), partial(_scalar_floor_divide, inplace=True)),
    is_method=True,
)


def floor_divide_(input=_missing, other=_missing, *extra, **unknown):
    """In place: the quotient rounded down; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _floor_divide(input, other, inplace=True)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_floor_divide(input, other, inplace=True)
    return _floor_divide__slow((input, other), extra, unknown)


_trunc_divide_slow = Binding(
    "trunc_divide",
    ("Tensor (Tensor input, Tensor other) => TruncDivide", "Tensor (Tensor input, Scalar other) => ScalarTruncDivide"),
    (_trunc_divide, _scalar_trunc_divide),
)


def trunc_divide(input=_missing, other=_missing, *extra, **unknown):
    """the quotient rounded towards zero; a zero among integer divisors raises ZeroDivisionError

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _trunc_divide(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_trunc_divide(input, other)
    return _trunc_divide_slow((input, other), extra, unknown)


_bitwise_and_slow = Binding(
    "bitwise_and",
    (
        "Tensor (Tensor input, Tensor other) => BitwiseAnd",
        "Tensor (Tensor input, Scalar other) => ScalarBitwiseAnd",
        "Tensor (Scalar input, Tensor other) => ScalarBitwiseAndReversed",
    ),
    (_bitwise_and, _scalar_bitwise_and, _scalar_bitwise_and_reversed),
    is_method=True,
)


def bitwise_and(input=_missing, other=_missing, *extra, **unknown):
    """input & other, bit by bit

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    Tensor (Scalar input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _bitwise_and(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_and(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is Tensor and not extra and not unknown:
        return _scalar_bitwise_and_reversed(input, other)
    return _bitwise_and_slow((input, other), extra, unknown)


_bitwise_or_slow = Binding(
    "bitwise_or",
    (
        "Tensor (Tensor input, Tensor other) => BitwiseOr",
        "Tensor (Tensor input, Scalar other) => ScalarBitwiseOr",
        "Tensor (Scalar input, Tensor other) => ScalarBitwiseOrReversed",
    ),
    (_bitwise_or, _scalar_bitwise_or, _scalar_bitwise_or_reversed),
    is_method=True,
)


def bitwise_or(input=_missing, other=_missing, *extra, **unknown):
    """input | other, bit by bit

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    Tensor (Scalar input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _bitwise_or(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_or(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is Tensor and not extra and not unknown:
        return _scalar_bitwise_or_reversed(input, other)
    return _bitwise_or_slow((input, other), extra, unknown)


_bitwise_xor_slow = Binding(
    "bitwise_xor",
    (
        "Tensor (Tensor input, Tensor other) => BitwiseXor",
        "Tensor (Tensor input, Scalar other) => ScalarBitwiseXor",
        "Tensor (Scalar input, Tensor other) => ScalarBitwiseXorReversed",
    ),
    (_bitwise_xor, _scalar_bitwise_xor, _scalar_bitwise_xor_reversed),
    is_method=True,
)


def bitwise_xor(input=_missing, other=_missing, *extra, **unknown):
    """input ^ other, bit by bit

    Tensor (Tensor input, Tensor other)
    Tensor (Tensor input, Scalar other)
    Tensor (Scalar input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _bitwise_xor(input, other)
    if input.__class__ is Tensor and (other.__class__ is float or other.__class__ is int) and not extra and not unknown:
        return _scalar_bitwise_xor(input, other)
    if (input.__class__ is float or input.__class__ is int) and other.__class__ is Tensor and not extra and not unknown:
        return _scalar_bitwise_xor_reversed(input, other)
    return _bitwise_xor_slow((input, other), extra, unknown)


_addcmul_slow = Binding(
    "addcmul",
    ("Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False) => AddCMul",),
    (_add_c_mul,),
    is_method=True,
)


def addcmul(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 * tensor2

    Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and tensor1.__class__ is Tensor
        and tensor2.__class__ is Tensor
        and (value.__class__ is int or value.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _add_c_mul(input, tensor1, tensor2, value, inplace)
    return _addcmul_slow((input, tensor1, tensor2, value, inplace), extra, unknown)


_addcmul__slow = Binding(
    "addcmul_",
    ("Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1) => AddCMul",),
    (partial(_add_c_mul, inplace=True),),
    is_method=True,
)


def addcmul_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    """In place: input + value * tensor1 * tensor2

    Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)
    """
    if (
        input.__class__ is Tensor
        and tensor1.__class__ is Tensor
        and tensor2.__class__ is Tensor
        and (value.__class__ is int or value.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add_c_mul(input, tensor1, tensor2, value, inplace=True)
    return _addcmul__slow((input, tensor1, tensor2, value), extra, unknown)


_addcdiv_slow = Binding(
    "addcdiv",
    ("Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False) => AddCDiv",),
    (_add_c_div,),
    is_method=True,
)


def addcdiv(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, inplace=False, **unknown):
    """input + value * tensor1 / tensor2

    Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and tensor1.__class__ is Tensor
        and tensor2.__class__ is Tensor
        and (value.__class__ is int or value.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _add_c_div(input, tensor1, tensor2, value, inplace)
    return _addcdiv_slow((input, tensor1, tensor2, value, inplace), extra, unknown)


_addcdiv__slow = Binding(
    "addcdiv_",
    ("Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1) => AddCDiv",),
    (partial(_add_c_div, inplace=True),),
    is_method=True,
)


def addcdiv_(input=_missing, tensor1=_missing, tensor2=_missing, *extra, value=1, **unknown):
    """In place: input + value * tensor1 / tensor2

    Tensor (Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)
    """
    if (
        input.__class__ is Tensor
        and tensor1.__class__ is Tensor
        and tensor2.__class__ is Tensor
        and (value.__class__ is int or value.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add_c_div(input, tensor1, tensor2, value, inplace=True)
    return _addcdiv__slow((input, tensor1, tensor2, value), extra, unknown)


_lerp_slow = Binding(
    "lerp",
    (
        "Tensor (Tensor start, Tensor end, Tensor weight, *, Bool inplace=False) => Lerp",
        "Tensor (Tensor start, Tensor end, Scalar weight, *, Bool inplace=False) => ScalarLerp",
    ),
    (_lerp, _scalar_lerp),
    is_method=True,
)


def lerp(start=_missing, end=_missing, weight=_missing, *extra, inplace=False, **unknown):
    """start + weight * (end - start)

    Tensor (Tensor start, Tensor end, Tensor weight, *, Bool inplace=False)
    Tensor (Tensor start, Tensor end, Scalar weight, *, Bool inplace=False)
    """
    if (
        start.__class__ is Tensor
        and end.__class__ is Tensor
        and weight.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _lerp(start, end, weight, inplace)
    if (
        start.__class__ is Tensor
        and end.__class__ is Tensor
        and (weight.__class__ is float or weight.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scalar_lerp(start, end, weight, inplace)
    return _lerp_slow((start, end, weight, inplace), extra, unknown)


_lerp__slow = Binding(
    "lerp_",
    (
        "Tensor (Tensor start, Tensor end, Tensor weight) => Lerp",
        "Tensor (Tensor start, Tensor end, Scalar weight) => ScalarLerp",
    ),
    (partial(_lerp, inplace=True), partial(_scalar_lerp, inplace=True)),
    is_method=True,
)


def lerp_(start=_missing, end=_missing, weight=_missing, *extra, **unknown):
    """In place: start + weight * (end - start)

    Tensor (Tensor start, Tensor end, Tensor weight)
    Tensor (Tensor start, Tensor end, Scalar weight)
    """
    if (
        start.__class__ is Tensor
        and end.__class__ is Tensor
        and weight.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _lerp(start, end, weight, inplace=True)
    if (
        start.__class__ is Tensor
        and end.__class__ is Tensor
        and (weight.__class__ is float or weight.__class__ is int)
        and not extra
        and not unknown
    ):
        return _scalar_lerp(start, end, weight, inplace=True)
    return _lerp__slow((start, end, weight), extra, unknown)


_clamp_slow = Binding(
    "clamp",
    (
        "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False) => Clamp",
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False) => ClampTensor",
    ),
    (_clamp, _clamp_tensor),
    is_method=True,
)


def clamp(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    """the input within [min, max]; NaN stays NaN

    Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)
    Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and (min is None or min.__class__ is float or min.__class__ is int)
        and (max is None or max.__class__ is float or max.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _clamp(input, min, max, inplace)
    return _clamp_slow((input, min, max, inplace), extra, unknown)


_clamp__slow = Binding(
    "clamp_",
    (
        "Tensor (Tensor input, Scalar min=None, Scalar max=None) => Clamp",
        "Tensor (Tensor input, Tensor min=None, Tensor max=None) => ClampTensor",
    ),
    (partial(_clamp, inplace=True), partial(_clamp_tensor, inplace=True)),
    is_method=True,
)


def clamp_(input=_missing, min=None, max=None, *extra, **unknown):
    """In place: the input within [min, max]; NaN stays NaN

    Tensor (Tensor input, Scalar min=None, Scalar max=None)
    Tensor (Tensor input, Tensor min=None, Tensor max=None)
    """
    if (
        input.__class__ is Tensor
        and (min is None or min.__class__ is float or min.__class__ is int)
        and (max is None or max.__class__ is float or max.__class__ is int)
        and not extra
        and not unknown
    ):
        return _clamp(input, min, max, inplace=True)
    return _clamp__slow((input, min, max), extra, unknown)


_clip_slow = Binding(
    "clip",
    (
        "Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False) => Clamp",
        "Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False) => ClampTensor",
    ),
    (_clamp, _clamp_tensor),
)


def clip(input=_missing, min=None, max=None, *extra, inplace=False, **unknown):
    """clamp

    Tensor (Tensor input, Scalar min=None, Scalar max=None, *, Bool inplace=False)
    Tensor (Tensor input, Tensor min=None, Tensor max=None, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and (min is None or min.__class__ is float or min.__class__ is int)
        and (max is None or max.__class__ is float or max.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _clamp(input, min, max, inplace)
    return _clip_slow((input, min, max, inplace), extra, unknown)


_clamp_min_slow = Binding(
    "clamp_min",
    ("Tensor (Tensor input, Scalar min, *, Bool inplace=False) => ClampMin",),
    (_clamp_min,),
    is_method=True,
)


def clamp_min(input=_missing, min=_missing, *extra, inplace=False, **unknown):
    """the input, at least min

    Tensor (Tensor input, Scalar min, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and (min.__class__ is float or min.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _clamp_min(input, min, inplace)
    return _clamp_min_slow((input, min, inplace), extra, unknown)


_clamp_min__slow = Binding(
    "clamp_min_",
    ("Tensor (Tensor input, Scalar min) => ClampMin",),
    (partial(_clamp_min, inplace=True),),
    is_method=True,
)


def clamp_min_(input=_missing, min=_missing, *extra, **unknown):
    """In place: the input, at least min

    Tensor (Tensor input, Scalar min)
    """
    if input.__class__ is Tensor and (min.__class__ is float or min.__class__ is int) and not extra and not unknown:
        return _clamp_min(input, min, inplace=True)
    return _clamp_min__slow((input, min), extra, unknown)


_clamp_max_slow = Binding(
    "clamp_max",
    ("Tensor (Tensor input, Scalar max, *, Bool inplace=False) => ClampMax",),
    (_clamp_max,),
    is_method=True,
)


def clamp_max(input=_missing, max=_missing, *extra, inplace=False, **unknown):
    """the input, at most max

    Tensor (Tensor input, Scalar max, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and (max.__class__ is float or max.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _clamp_max(input, max, inplace)
    return _clamp_max_slow((input, max, inplace), extra, unknown)


_clamp_max__slow = Binding(
    "clamp_max_",
    ("Tensor (Tensor input, Scalar max) => ClampMax",),
    (partial(_clamp_max, inplace=True),),
    is_method=True,
)


def clamp_max_(input=_missing, max=_missing, *extra, **unknown):
    """In place: the input, at most max

    Tensor (Tensor input, Scalar max)
    """
    if input.__class__ is Tensor and (max.__class__ is float or max.__class__ is int) and not extra and not unknown:
        return _clamp_max(input, max, inplace=True)
    return _clamp_max__slow((input, max), extra, unknown)


_equal_slow = Binding("equal", ("Bool (Tensor input, Tensor other) => Equal",), (_equal,), is_method=True)


def equal(input=_missing, other=_missing, *extra, **unknown):
    """whether two tensors have the same shape and elements

    Bool (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _equal(input, other)
    return _equal_slow((input, other), extra, unknown)


_isclose_slow = Binding(
    "isclose",
    ("Tensor (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False) => IsClose",),
    (_is_close,),
    is_method=True,
)


def isclose(input=_missing, other=_missing, rtol=1e-05, atol=1e-08, equal_nan=False, *extra, **unknown):
    """where abs(input - other) <= atol + rtol * abs(other)

    Tensor (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and rtol.__class__ is float
        and atol.__class__ is float
        and (equal_nan is False or equal_nan is True)
        and not extra
        and not unknown
    ):
        return _is_close(input, other, rtol, atol, equal_nan)
    return _isclose_slow((input, other, rtol, atol, equal_nan), extra, unknown)


_allclose_slow = Binding(
    "allclose",
    ("Bool (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False) => AllClose",),
    (_all_close,),
    is_method=True,
)


def allclose(input=_missing, other=_missing, rtol=1e-05, atol=1e-08, equal_nan=False, *extra, **unknown):
    """whether every element of isclose is true

    Bool (Tensor input, Tensor other, Float rtol=1e-05, Float atol=1e-08, Bool equal_nan=False)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and rtol.__class__ is float
        and atol.__class__ is float
        and (equal_nan is False or equal_nan is True)
        and not extra
        and not unknown
    ):
        return _all_close(input, other, rtol, atol, equal_nan)
    return _allclose_slow((input, other, rtol, atol, equal_nan), extra, unknown)


_exp_slow = Binding("exp", ("Tensor (Tensor x, Bool inplace=False) => Exp",), (CASTING["_exp"],), is_method=True)


def exp(x=_missing, inplace=False, *extra, **unknown):
    """e ** x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp(x, inplace)
    return _exp_slow((x, inplace), extra, unknown)


_exp__slow = Binding("exp_", ("Tensor (Tensor x) => Exp",), (partial(CASTING["_exp"], inplace=True),), is_method=True)


def exp_(x=_missing, *extra, **unknown):
    """In place: e ** x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _exp(x, inplace=True)
    return _exp__slow((x,), extra, unknown)


_exp2_slow = Binding("exp2", ("Tensor (Tensor x, Bool inplace=False) => Exp2",), (_exp2,), is_method=True)


def exp2(x=_missing, inplace=False, *extra, **unknown):
    """2 ** x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _exp2(x, inplace)
    return _exp2_slow((x, inplace), extra, unknown)


_exp2__slow = Binding("exp2_", ("Tensor (Tensor x) => Exp2",), (partial(_exp2, inplace=True),), is_method=True)


def exp2_(x=_missing, *extra, **unknown):
    """In place: 2 ** x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _exp2(x, inplace=True)
    return _exp2__slow((x,), extra, unknown)


_expm1_slow = Binding(
    "expm1", ("Tensor (Tensor x, Bool inplace=False) => Expm1",), (CASTING["_expm1"],), is_method=True
)


def expm1(x=_missing, inplace=False, *extra, **unknown):
    """e ** x - 1, exact near 0

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _expm1(x, inplace)
    return _expm1_slow((x, inplace), extra, unknown)


_expm1__slow = Binding(
    "expm1_", ("Tensor (Tensor x) => Expm1",), (partial(CASTING["_expm1"], inplace=True),), is_method=True
)


def expm1_(x=_missing, *extra, **unknown):
    """In place: e ** x - 1, exact near 0

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _expm1(x, inplace=True)
    return _expm1__slow((x,), extra, unknown)


_log_slow = Binding("log", ("Tensor (Tensor x, Bool inplace=False) => Log",), (CASTING["_log"],), is_method=True)


def log(x=_missing, inplace=False, *extra, **unknown):
    """the natural logarithm

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log(x, inplace)
    return _log_slow((x, inplace), extra, unknown)


_log__slow = Binding("log_", ("Tensor (Tensor x) => Log",), (partial(CASTING["_log"], inplace=True),), is_method=True)


def log_(x=_missing, *extra, **unknown):
    """In place: the natural logarithm

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _log(x, inplace=True)
    return _log__slow((x,), extra, unknown)


_log2_slow = Binding("log2", ("Tensor (Tensor x, Bool inplace=False) => Log2",), (CASTING["_log2"],), is_method=True)


def log2(x=_missing, inplace=False, *extra, **unknown):
    """the logarithm to base 2

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log2(x, inplace)
    return _log2_slow((x, inplace), extra, unknown)


_log2__slow = Binding(
    "log2_", ("Tensor (Tensor x) => Log2",), (partial(CASTING["_log2"], inplace=True),), is_method=True
)


def log2_(x=_missing, *extra, **unknown):
    """In place: the logarithm to base 2

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _log2(x, inplace=True)
    return _log2__slow((x,), extra, unknown)


_log10_slow = Binding(
    "log10", ("Tensor (Tensor x, Bool inplace=False) => Log10",), (CASTING["_log10"],), is_method=True
)


def log10(x=_missing, inplace=False, *extra, **unknown):
    """the logarithm to base 10

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log10(x, inplace)
    return _log10_slow((x, inplace), extra, unknown)


_log10__slow = Binding(
    "log10_", ("Tensor (Tensor x) => Log10",), (partial(CASTING["_log10"], inplace=True),), is_method=True
)


def log10_(x=_missing, *extra, **unknown):
    """In place: the logarithm to base 10

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _log10(x, inplace=True)
    return _log10__slow((x,), extra, unknown)


_log1p_slow = Binding(
    "log1p", ("Tensor (Tensor x, Bool inplace=False) => Log1p",), (CASTING["_log1p"],), is_method=True
)


def log1p(x=_missing, inplace=False, *extra, **unknown):
    """log(1 + x), exact near 0

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _log1p(x, inplace)
    return _log1p_slow((x, inplace), extra, unknown)


_log1p__slow = Binding(
    "log1p_", ("Tensor (Tensor x) => Log1p",), (partial(CASTING["_log1p"], inplace=True),), is_method=True
)


def log1p_(x=_missing, *extra, **unknown):
    """In place: log(1 + x), exact near 0

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _log1p(x, inplace=True)
    return _log1p__slow((x,), extra, unknown)


_sin_slow = Binding("sin", ("Tensor (Tensor x, Bool inplace=False) => Sin",), (_sin,), is_method=True)


def sin(x=_missing, inplace=False, *extra, **unknown):
    """the sine

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sin(x, inplace)
    return _sin_slow((x, inplace), extra, unknown)


_sin__slow = Binding("sin_", ("Tensor (Tensor x) => Sin",), (partial(_sin, inplace=True),), is_method=True)


def sin_(x=_missing, *extra, **unknown):
    """In place: the sine

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _sin(x, inplace=True)
    return _sin__slow((x,), extra, unknown)


_cos_slow = Binding("cos", ("Tensor (Tensor x, Bool inplace=False) => Cos",), (_cos,), is_method=True)


def cos(x=_missing, inplace=False, *extra, **unknown):
    """the cosine

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cos(x, inplace)
    return _cos_slow((x, inplace), extra, unknown)


_cos__slow = Binding("cos_", ("Tensor (Tensor x) => Cos",), (partial(_cos, inplace=True),), is_method=True)


def cos_(x=_missing, *extra, **unknown):
    """In place: the cosine

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _cos(x, inplace=True)
    return _cos__slow((x,), extra, unknown)


_tan_slow = Binding("tan", ("Tensor (Tensor x, Bool inplace=False) => Tan",), (CASTING["_tan"],), is_method=True)


def tan(x=_missing, inplace=False, *extra, **unknown):
    """the tangent

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _tan(x, inplace)
    return _tan_slow((x, inplace), extra, unknown)


_tan__slow = Binding("tan_", ("Tensor (Tensor x) => Tan",), (partial(CASTING["_tan"], inplace=True),), is_method=True)


def tan_(x=_missing, *extra, **unknown):
    """In place: the tangent

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _tan(x, inplace=True)
    return _tan__slow((x,), extra, unknown)


_sinh_slow = Binding("sinh", ("Tensor (Tensor x, Bool inplace=False) => Sinh",), (CASTING["_sinh"],), is_method=True)


def sinh(x=_missing, inplace=False, *extra, **unknown):
    """the hyperbolic sine

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sinh(x, inplace)
    return _sinh_slow((x, inplace), extra, unknown)


_sinh__slow = Binding(
    "sinh_", ("Tensor (Tensor x) => Sinh",), (partial(CASTING["_sinh"], inplace=True),), is_method=True
)


def sinh_(x=_missing, *extra, **unknown):
    """In place: the hyperbolic sine

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _sinh(x, inplace=True)
    return _sinh__slow((x,), extra, unknown)


_cosh_slow = Binding("cosh", ("Tensor (Tensor x, Bool inplace=False) => Cosh",), (CASTING["_cosh"],), is_method=True)


def cosh(x=_missing, inplace=False, *extra, **unknown):
    """the hyperbolic cosine

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _cosh(x, inplace)
    return _cosh_slow((x, inplace), extra, unknown)


_cosh__slow = Binding(
    "cosh_", ("Tensor (Tensor x) => Cosh",), (partial(CASTING["_cosh"], inplace=True),), is_method=True
)


def cosh_(x=_missing, *extra, **unknown):
    """In place: the hyperbolic cosine

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _cosh(x, inplace=True)
    return _cosh__slow((x,), extra, unknown)


_sqrt_slow = Binding("sqrt", ("Tensor (Tensor x, Bool inplace=False) => Sqrt",), (_sqrt,), is_method=True)


def sqrt(x=_missing, inplace=False, *extra, **unknown):
    """the square root

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sqrt(x, inplace)
    return _sqrt_slow((x, inplace), extra, unknown)


_sqrt__slow = Binding("sqrt_", ("Tensor (Tensor x) => Sqrt",), (partial(_sqrt, inplace=True),), is_method=True)


def sqrt_(x=_missing, *extra, **unknown):
    """In place: the square root

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _sqrt(x, inplace=True)
    return _sqrt__slow((x,), extra, unknown)


_rsqrt_slow = Binding(
    "rsqrt", ("Tensor (Tensor x, Bool inplace=False) => Rsqrt",), (CASTING["_rsqrt"],), is_method=True
)


def rsqrt(x=_missing, inplace=False, *extra, **unknown):
    """1 / sqrt(x)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _rsqrt(x, inplace)
    return _rsqrt_slow((x, inplace), extra, unknown)


_rsqrt__slow = Binding(
    "rsqrt_", ("Tensor (Tensor x) => Rsqrt",), (partial(CASTING["_rsqrt"], inplace=True),), is_method=True
)


def rsqrt_(x=_missing, *extra, **unknown):
    """In place: 1 / sqrt(x)

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _rsqrt(x, inplace=True)
    return _rsqrt__slow((x,), extra, unknown)


_reciprocal_slow = Binding(
    "reciprocal", ("Tensor (Tensor x, Bool inplace=False) => Reciprocal",), (CASTING["_reciprocal"],), is_method=True
)


def reciprocal(x=_missing, inplace=False, *extra, **unknown):
    """1 / x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _reciprocal(x, inplace)
    return _reciprocal_slow((x, inplace), extra, unknown)


_reciprocal__slow = Binding(
    "reciprocal_",
    ("Tensor (Tensor x) => Reciprocal",),
    (partial(CASTING["_reciprocal"], inplace=True),),
    is_method=True,
)


def reciprocal_(x=_missing, *extra, **unknown):
    """In place: 1 / x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _reciprocal(x, inplace=True)
    return _reciprocal__slow((x,), extra, unknown)


_erf_slow = Binding("erf", ("Tensor (Tensor x, Bool inplace=False) => Erf",), (_erf,), is_method=True)


def erf(x=_missing, inplace=False, *extra, **unknown):
    """the error function

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erf(x, inplace)
    return _erf_slow((x, inplace), extra, unknown)


_erf__slow = Binding("erf_", ("Tensor (Tensor x) => Erf",), (partial(_erf, inplace=True),), is_method=True)


def erf_(x=_missing, *extra, **unknown):
    """In place: the error function

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _erf(x, inplace=True)
    return _erf__slow((x,), extra, unknown)


_erfinv_slow = Binding(
    "erfinv", ("Tensor (Tensor x, Bool inplace=False) => Erfinv",), (CASTING["_erfinv"],), is_method=True
)


def erfinv(x=_missing, inplace=False, *extra, **unknown):
    """the inverse of the error function

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _erfinv(x, inplace)
    return _erfinv_slow((x, inplace), extra, unknown)


_erfinv__slow = Binding(
    "erfinv_", ("Tensor (Tensor x) => Erfinv",), (partial(CASTING["_erfinv"], inplace=True),), is_method=True
)


def erfinv_(x=_missing, *extra, **unknown):
    """In place: the inverse of the error function

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _erfinv(x, inplace=True)
    return _erfinv__slow((x,), extra, unknown)


_negative_slow = Binding(
    "negative", ("Tensor (Tensor x, Bool inplace=False) => Negative",), (_negative,), is_method=True
)


def negative(x=_missing, inplace=False, *extra, **unknown):
    """-x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _negative_slow((x, inplace), extra, unknown)


_negative__slow = Binding(
    "negative_", ("Tensor (Tensor x) => Negative",), (partial(_negative, inplace=True),), is_method=True
)


def negative_(x=_missing, *extra, **unknown):
    """In place: -x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _negative(x, inplace=True)
    return _negative__slow((x,), extra, unknown)


_neg_slow = Binding("neg", ("Tensor (Tensor x, Bool inplace=False) => Negative",), (_negative,))


def neg(x=_missing, inplace=False, *extra, **unknown):
    """-x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _negative(x, inplace)
    return _neg_slow((x, inplace), extra, unknown)


_abs_slow = Binding("abs", ("Tensor (Tensor x, Bool inplace=False) => Abs",), (_abs,), is_method=True)


def abs(x=_missing, inplace=False, *extra, **unknown):
    """the absolute value

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _abs(x, inplace)
    return _abs_slow((x, inplace), extra, unknown)


_abs__slow = Binding("abs_", ("Tensor (Tensor x) => Abs",), (partial(_abs, inplace=True),), is_method=True)


def abs_(x=_missing, *extra, **unknown):
    """In place: the absolute value

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _abs(x, inplace=True)
    return _abs__slow((x,), extra, unknown)


_sign_slow = Binding("sign", ("Tensor (Tensor x, Bool inplace=False) => Sign",), (_sign,), is_method=True)


def sign(x=_missing, inplace=False, *extra, **unknown):
    """-1, 0 or 1

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sign(x, inplace)
    return _sign_slow((x, inplace), extra, unknown)


_sign__slow = Binding("sign_", ("Tensor (Tensor x) => Sign",), (partial(_sign, inplace=True),), is_method=True)


def sign_(x=_missing, *extra, **unknown):
    """In place: -1, 0 or 1

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _sign(x, inplace=True)
    return _sign__slow((x,), extra, unknown)


_square_slow = Binding("square", ("Tensor (Tensor x, Bool inplace=False) => Square",), (_square,), is_method=True)


def square(x=_missing, inplace=False, *extra, **unknown):
    """x * x

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _square(x, inplace)
    return _square_slow((x, inplace), extra, unknown)


_square__slow = Binding("square_", ("Tensor (Tensor x) => Square",), (partial(_square, inplace=True),), is_method=True)


def square_(x=_missing, *extra, **unknown):
    """In place: x * x

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _square(x, inplace=True)
    return _square__slow((x,), extra, unknown)


_floor_slow = Binding("floor", ("Tensor (Tensor x, Bool inplace=False) => Floor",), (_floor,), is_method=True)


def floor(x=_missing, inplace=False, *extra, **unknown):
    """the largest whole number that is not larger

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _floor(x, inplace)
    return _floor_slow((x, inplace), extra, unknown)


_floor__slow = Binding("floor_", ("Tensor (Tensor x) => Floor",), (partial(_floor, inplace=True),), is_method=True)


def floor_(x=_missing, *extra, **unknown):
    """In place: the largest whole number that is not larger

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _floor(x, inplace=True)
    return _floor__slow((x,), extra, unknown)


_ceil_slow = Binding("ceil", ("Tensor (Tensor x, Bool inplace=False) => Ceil",), (_ceil,), is_method=True)


def ceil(x=_missing, inplace=False, *extra, **unknown):
    """the smallest whole number that is not smaller

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _ceil(x, inplace)
    return _ceil_slow((x, inplace), extra, unknown)


_ceil__slow = Binding("ceil_", ("Tensor (Tensor x) => Ceil",), (partial(_ceil, inplace=True),), is_method=True)


def ceil_(x=_missing, *extra, **unknown):
    """In place: the smallest whole number that is not smaller

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _ceil(x, inplace=True)
    return _ceil__slow((x,), extra, unknown)


_trunc_slow = Binding("trunc", ("Tensor (Tensor x, Bool inplace=False) => Trunc",), (_trunc,), is_method=True)


def trunc(x=_missing, inplace=False, *extra, **unknown):
    """the whole part

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _trunc(x, inplace)
    return _trunc_slow((x, inplace), extra, unknown)


_trunc__slow = Binding("trunc_", ("Tensor (Tensor x) => Trunc",), (partial(_trunc, inplace=True),), is_method=True)


def trunc_(x=_missing, *extra, **unknown):
    """In place: the whole part

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _trunc(x, inplace=True)
    return _trunc__slow((x,), extra, unknown)


_frac_slow = Binding("frac", ("Tensor (Tensor x, Bool inplace=False) => Frac",), (_frac,), is_method=True)


def frac(x=_missing, inplace=False, *extra, **unknown):
    """what trunc takes away

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _frac(x, inplace)
    return _frac_slow((x, inplace), extra, unknown)


_frac__slow = Binding("frac_", ("Tensor (Tensor x) => Frac",), (partial(_frac, inplace=True),), is_method=True)


def frac_(x=_missing, *extra, **unknown):
    """In place: what trunc takes away

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _frac(x, inplace=True)
    return _frac__slow((x,), extra, unknown)


_round_slow = Binding("round", ("Tensor (Tensor x, Bool inplace=False) => Round",), (_round,), is_method=True)


def round(x=_missing, inplace=False, *extra, **unknown):
    """the nearest whole number, the even one of two

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _round(x, inplace)
    return _round_slow((x, inplace), extra, unknown)


_round__slow = Binding("round_", ("Tensor (Tensor x) => Round",), (partial(_round, inplace=True),), is_method=True)


def round_(x=_missing, *extra, **unknown):
    """In place: the nearest whole number, the even one of two

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _round(x, inplace=True)
    return _round__slow((x,), extra, unknown)


_bitwise_not_slow = Binding("bitwise_not", ("Tensor (Tensor x) => BitwiseNot",), (_bitwise_not,), is_method=True)


def bitwise_not(x=_missing, *extra, **unknown):
    """the complement of the bits, or of a truth value

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _bitwise_not(x)
    return _bitwise_not_slow((x,), extra, unknown)


_tanh_slow = Binding("tanh", ("Tensor (Tensor x, Bool inplace=False) => Tanh",), (_tanh,), is_method=True)


def tanh(x=_missing, inplace=False, *extra, **unknown):
    """the hyperbolic tangent

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _tanh(x, inplace)
    return _tanh_slow((x, inplace), extra, unknown)


_tanh__slow = Binding("tanh_", ("Tensor (Tensor x) => Tanh",), (partial(_tanh, inplace=True),), is_method=True)


def tanh_(x=_missing, *extra, **unknown):
    """In place: the hyperbolic tangent

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _tanh(x, inplace=True)
    return _tanh__slow((x,), extra, unknown)


_sigmoid_slow = Binding("sigmoid", ("Tensor (Tensor x, Bool inplace=False) => Sigmoid",), (_sigmoid,), is_method=True)


def sigmoid(x=_missing, inplace=False, *extra, **unknown):
    """1 / (1 + exp(-x))

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _sigmoid(x, inplace)
    return _sigmoid_slow((x, inplace), extra, unknown)


_sigmoid__slow = Binding(
    "sigmoid_", ("Tensor (Tensor x) => Sigmoid",), (partial(_sigmoid, inplace=True),), is_method=True
)


def sigmoid_(x=_missing, *extra, **unknown):
    """In place: 1 / (1 + exp(-x))

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _sigmoid(x, inplace=True)
    return _sigmoid__slow((x,), extra, unknown)


_logsigmoid_slow = Binding("logsigmoid", ("Tensor (Tensor x) => Logsigmoid",), (_logsigmoid,))


def logsigmoid(x=_missing, *extra, **unknown):
    """log(sigmoid(x))

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _logsigmoid(x)
    return _logsigmoid_slow((x,), extra, unknown)


_relu_slow = Binding("relu", ("Tensor (Tensor x, Bool inplace=False) => Relu",), (_relu,), is_method=True)


def relu(x=_missing, inplace=False, *extra, **unknown):
    """max(x, 0)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _relu(x, inplace)
    return _relu_slow((x, inplace), extra, unknown)


_relu__slow = Binding("relu_", ("Tensor (Tensor x) => Relu",), (partial(_relu, inplace=True),), is_method=True)


def relu_(x=_missing, *extra, **unknown):
    """In place: max(x, 0)

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _relu(x, inplace=True)
    return _relu__slow((x,), extra, unknown)


_leaky_relu_slow = Binding(
    "leaky_relu", ("Tensor (Tensor x, Float alpha=0.01, Bool inplace=False) => LeakyRelu",), (_leaky_relu,)
)


def leaky_relu(x=_missing, alpha=0.01, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * x

    Tensor (Tensor x, Float alpha=0.01, Bool inplace=False)
    """
    if (
        x.__class__ is Tensor
        and alpha.__class__ is float
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _leaky_relu(x, alpha, inplace)
    return _leaky_relu_slow((x, alpha, inplace), extra, unknown)


_elu_slow = Binding("elu", ("Tensor (Tensor x, Float alpha=1.0, Bool inplace=False) => Elu",), (_elu,))


def elu(x=_missing, alpha=1.0, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * (exp(x) - 1)

    Tensor (Tensor x, Float alpha=1.0, Bool inplace=False)
    """
    if (
        x.__class__ is Tensor
        and alpha.__class__ is float
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _elu(x, alpha, inplace)
    return _elu_slow((x, alpha, inplace), extra, unknown)


_celu_slow = Binding("celu", ("Tensor (Tensor x, Float alpha=1.0, Bool inplace=False) => Celu",), (_celu,))


def celu(x=_missing, alpha=1.0, inplace=False, *extra, **unknown):
    """x where positive, otherwise alpha * (exp(x / alpha) - 1)

    Tensor (Tensor x, Float alpha=1.0, Bool inplace=False)
    """
    if (
        x.__class__ is Tensor
        and alpha.__class__ is float
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _celu(x, alpha, inplace)
    return _celu_slow((x, alpha, inplace), extra, unknown)


_selu_slow = Binding("selu", ("Tensor (Tensor x, Bool inplace=False) => Selu",), (_selu,))


def selu(x=_missing, inplace=False, *extra, **unknown):
    """scaled exponential linear unit (Klambauer et al., 2017)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _selu(x, inplace)
    return _selu_slow((x, inplace), extra, unknown)


_softplus_slow = Binding(
    "softplus", ("Tensor (Tensor x, Float beta=1.0, Float threshold=20.0) => Softplus",), (CASTING["_softplus"],)
)


def softplus(x=_missing, beta=1.0, threshold=20.0, *extra, **unknown):
    """log(1 + exp(beta * x)) / beta

    Tensor (Tensor x, Float beta=1.0, Float threshold=20.0)
    """
    if x.__class__ is Tensor and beta.__class__ is float and threshold.__class__ is float and not extra and not unknown:
        return _softplus(x, beta, threshold)
    return _softplus_slow((x, beta, threshold), extra, unknown)


_softsign_slow = Binding("softsign", ("Tensor (Tensor x) => Softsign",), (_softsign,))


def softsign(x=_missing, *extra, **unknown):
    """x / (1 + abs(x))

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _softsign(x)
    return _softsign_slow((x,), extra, unknown)


_silu_slow = Binding("silu", ("Tensor (Tensor x, Bool inplace=False) => Silu",), (_silu,))


def silu(x=_missing, inplace=False, *extra, **unknown):
    """x * sigmoid(x)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _silu(x, inplace)
    return _silu_slow((x, inplace), extra, unknown)


_mish_slow = Binding("mish", ("Tensor (Tensor x, Bool inplace=False) => Mish",), (_mish,))


def mish(x=_missing, inplace=False, *extra, **unknown):
    """x * tanh(log(1 + exp(x)))

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _mish(x, inplace)
    return _mish_slow((x, inplace), extra, unknown)


_hardsigmoid_slow = Binding("hardsigmoid", ("Tensor (Tensor x, Bool inplace=False) => Hardsigmoid",), (_hardsigmoid,))


def hardsigmoid(x=_missing, inplace=False, *extra, **unknown):
    """min(max(x + 3, 0), 6) / 6

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _hardsigmoid(x, inplace)
    return _hardsigmoid_slow((x, inplace), extra, unknown)


_hardswish_slow = Binding("hardswish", ("Tensor (Tensor x, Bool inplace=False) => Hardswish",), (_hardswish,))


def hardswish(x=_missing, inplace=False, *extra, **unknown):
    """x * hardsigmoid(x)

    Tensor (Tensor x, Bool inplace=False)
    """
    if x.__class__ is Tensor and (inplace is False or inplace is True) and not extra and not unknown:
        return _hardswish(x, inplace)
    return _hardswish_slow((x, inplace), extra, unknown)


_hardtanh_slow = Binding(
    "hardtanh",
    ("Tensor (Tensor x, Float min_val=-1.0, Float max_val=1.0, Bool inplace=False) => Hardtanh",),
    (_hardtanh,),
)


def hardtanh(x=_missing, min_val=-1.0, max_val=1.0, inplace=False, *extra, **unknown):
    """x within [min_val, max_val]

    Tensor (Tensor x, Float min_val=-1.0, Float max_val=1.0, Bool inplace=False)
    """
    if (
        x.__class__ is Tensor
        and min_val.__class__ is float
        and max_val.__class__ is float
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _hardtanh(x, min_val, max_val, inplace)
    return _hardtanh_slow((x, min_val, max_val, inplace), extra, unknown)


_threshold_slow = Binding(
    "threshold", ("Tensor (Tensor x, Scalar threshold, Scalar value, Bool inplace=False) => Threshold",), (_threshold,)
)


def threshold(x=_missing, threshold=_missing, value=_missing, inplace=False, *extra, **unknown):
    """x where above the limit, otherwise a value

    Tensor (Tensor x, Scalar threshold, Scalar value, Bool inplace=False)
    """
    if (
        x.__class__ is Tensor
        and (threshold.__class__ is float or threshold.__class__ is int)
        and (value.__class__ is float or value.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _threshold(x, threshold, value, inplace)
    return _threshold_slow((x, threshold, value, inplace), extra, unknown)


_hardshrink_slow = Binding("hardshrink", ("Tensor (Tensor x, Float lambd=0.5) => Hardshrink",), (_hardshrink,))


def hardshrink(x=_missing, lambd=0.5, *extra, **unknown):
    """x where abs(x) > lambd, otherwise 0

    Tensor (Tensor x, Float lambd=0.5)
    """
    if x.__class__ is Tensor and lambd.__class__ is float and not extra and not unknown:
        return _hardshrink(x, lambd)
    return _hardshrink_slow((x, lambd), extra, unknown)


_softshrink_slow = Binding("softshrink", ("Tensor (Tensor x, Float lambd=0.5) => Softshrink",), (_softshrink,))


def softshrink(x=_missing, lambd=0.5, *extra, **unknown):
    """x moved towards 0 by lambd

    Tensor (Tensor x, Float lambd=0.5)
    """
    if x.__class__ is Tensor and lambd.__class__ is float and not extra and not unknown:
        return _softshrink(x, lambd)
    return _softshrink_slow((x, lambd), extra, unknown)


_quick_gelu_slow = Binding("quick_gelu", ("Tensor (Tensor x) => QuickGelu",), (_quick_gelu,))


def quick_gelu(x=_missing, *extra, **unknown):
    """x * sigmoid(1.702 * x)

    Tensor (Tensor x)
    """
    if x.__class__ is Tensor and not extra and not unknown:
        return _quick_gelu(x)
    return _quick_gelu_slow((x,), extra, unknown)


_gelu_slow = Binding("gelu", ("Tensor (Tensor x, *, String approximate='none') => Gelu",), (_gelu,))


def gelu(x=_missing, *extra, approximate="none", **unknown):
    """x times the normal distribution function of x, or its approximation by tanh

    Tensor (Tensor x, *, String approximate='none')
    """
    if x.__class__ is Tensor and approximate.__class__ is str and not extra and not unknown:
        return _gelu(x, approximate)
    return _gelu_slow((x, approximate), extra, unknown)


_expand_reduced_slow = Binding(
    "expand_reduced",
    ("Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False) => ExpandReduced",),
    (_expand_reduced,),
)


def expand_reduced(input=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a sum, broadcast over the dimensions that were summed

    Tensor (Tensor input, Shape shape, Int32List dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _expand_reduced(input, shape, dim, keepdim)
    return _expand_reduced_slow((input, shape, dim, keepdim), extra, unknown)


_sum_slow = Binding(
    "sum",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => ReduceSum",),
    (CASTING["_reduce_sum"],),
    is_method=True,
)


def sum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the sum over some dimensions, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _reduce_sum(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _sum_slow((input, dim, keepdim, dtype), extra, unknown)


_nansum_slow = Binding(
    "nansum",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => ReduceNanSum",),
    (_reduce_nan_sum,),
    is_method=True,
)


def nansum(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the sum over some dimensions, NaN counting as 0

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _reduce_nan_sum(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _nansum_slow((input, dim, keepdim, dtype), extra, unknown)


_mean_slow = Binding(
    "mean",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => ReduceMean",),
    (_reduce_mean,),
    is_method=True,
)


def mean(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the mean over some dimensions, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _reduce_mean(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _mean_slow((input, dim, keepdim, dtype), extra, unknown)


_mean_grad_slow = Binding(
    "mean_grad", ("Tensor (Tensor dy, Shape shape, Int32List dim=None, Bool keepdim=False) => MeanGrad",), (_mean_grad,)
)


def mean_grad(dy=_missing, shape=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a mean

    Tensor (Tensor dy, Shape shape, Int32List dim=None, Bool keepdim=False)
    """
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _mean_grad(dy, shape, dim, keepdim)
    return _mean_grad_slow((dy, shape, dim, keepdim), extra, unknown)


_prod_slow = Binding(
    "prod",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => ReduceProd",),
    (CASTING["_reduce_prod"],),
    is_method=True,
)


def prod(input=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the product over a dimension, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _reduce_prod(input, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _prod_slow((input, dim, keepdim, dtype), extra, unknown)


_prod_grad_slow = Binding(
    "prod_grad",
    ("Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False) => ProdGrad",),
    (_prod_grad,),
)


def prod_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of a product

    Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)
    """
    if (
        dy.__class__ is Tensor
        and x.__class__ is Tensor
        and y.__class__ is Tensor
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _prod_grad(dy, x, y, dim, keepdim)
    return _prod_grad_slow((dy, x, y, dim, keepdim), extra, unknown)


_amax_slow = Binding(
    "amax", ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False) => AMax",), (_a_max,), is_method=True
)


def amax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the largest element over some dimensions, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _a_max(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _amax_slow((input, dim, keepdim), extra, unknown)


_amin_slow = Binding(
    "amin", ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False) => AMin",), (_a_min,), is_method=True
)


def amin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the smallest element over some dimensions, or over all

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _a_min(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _amin_slow((input, dim, keepdim), extra, unknown)


_extremum_grad_slow = Binding(
    "extremum_grad",
    ("Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False) => ExtremumGrad",),
    (_extremum_grad,),
)


def extremum_grad(dy=_missing, x=_missing, y=_missing, dim=None, keepdim=False, *extra, **unknown):
    """the gradient of amax and amin

    Tensor (Tensor dy, Tensor x, Tensor y, Int32List dim=None, Bool keepdim=False)
    """
    if (
        dy.__class__ is Tensor
        and x.__class__ is Tensor
        and y.__class__ is Tensor
        and (dim is None or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _extremum_grad(dy, x, y, dim, keepdim)
    return _extremum_grad_slow((dy, x, y, dim, keepdim), extra, unknown)


_max_slow = Binding(
    "max",
    (
        "Tensor (Tensor input) => ReduceMax",
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False) => MaxDim",
        "Tensor (Tensor input, Tensor other) => MaxOther",
    ),
    (_reduce_max, named_result(_max_dim, return_types.max), _max_other),
    is_method=True,
)


def max(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """the largest element; along a dimension also where it is; of two tensors the larger elements

    Tensor (Tensor input)
    TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)
    Tensor (Tensor input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and dim is _missing
        and keepdim is False
        and other is _missing
        and not extra
        and not unknown
    ):
        return _reduce_max(input)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (keepdim is False or keepdim is True)
        and other is _missing
        and not extra
        and not unknown
    ):
        return return_types.max(*_max_dim(input, dim, keepdim))
    return _max_slow((input, dim, keepdim, other), extra, unknown)


_min_slow = Binding(
    "min",
    (
        "Tensor (Tensor input) => ReduceMin",
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False) => MinDim",
        "Tensor (Tensor input, Tensor other) => MinOther",
    ),
    (_reduce_min, named_result(_min_dim, return_types.min), _min_other),
    is_method=True,
)


def min(input=_missing, dim=_missing, keepdim=False, *extra, other=_missing, **unknown):
    """the smallest element; along a dimension also where it is; of two tensors the smaller elements

    Tensor (Tensor input)
    TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)
    Tensor (Tensor input, Tensor other)
    """
    if (
        input.__class__ is Tensor
        and dim is _missing
        and keepdim is False
        and other is _missing
        and not extra
        and not unknown
    ):
        return _reduce_min(input)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (keepdim is False or keepdim is True)
        and other is _missing
        and not extra
        and not unknown
    ):
        return return_types.min(*_min_dim(input, dim, keepdim))
    return _min_slow((input, dim, keepdim, other), extra, unknown)


_indexed_extremum_grad_slow = Binding(
    "indexed_extremum_grad",
    ("Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim) => IndexedExtremumGrad",),
    (_indexed_extremum_grad,),
)


def indexed_extremum_grad(
    dy=_missing, index=_missing, shape=_missing, dim=_missing, keepdim=_missing, *extra, **unknown
):
    """the gradient of max and min along a dimension

    Tensor (Tensor dy, Tensor index, Shape shape, Int32List dim, Bool keepdim)
    """
    if (
        dy.__class__ is Tensor
        and index.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _indexed_extremum_grad(dy, index, shape, dim, keepdim)
    return _indexed_extremum_grad_slow((dy, index, shape, dim, keepdim), extra, unknown)


_argmax_slow = Binding(
    "argmax", ("Tensor (Tensor input, Int32 dim=None, Bool keepdim=False) => ArgMax",), (_arg_max,), is_method=True
)


def argmax(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """where the largest element is, the first of equals

    Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _arg_max(input, dim, keepdim)
    return _argmax_slow((input, dim, keepdim), extra, unknown)


_argmin_slow = Binding(
    "argmin", ("Tensor (Tensor input, Int32 dim=None, Bool keepdim=False) => ArgMin",), (_arg_min,), is_method=True
)


def argmin(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """where the smallest element is, the first of equals

    Tensor (Tensor input, Int32 dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _arg_min(input, dim, keepdim)
    return _argmin_slow((input, dim, keepdim), extra, unknown)


_any_slow = Binding(
    "any",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False) => ReduceAny",),
    (_reduce_any,),
    is_method=True,
)


def any(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """whether some element is true

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _reduce_any(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _any_slow((input, dim, keepdim), extra, unknown)


_all_slow = Binding(
    "all",
    ("Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False) => ReduceAll",),
    (_reduce_all,),
    is_method=True,
)


def all(input=_missing, dim=None, keepdim=False, *extra, **unknown):
    """whether every element is true

    Tensor (Tensor input, Int32List[1] dim=None, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _reduce_all(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _all_slow((input, dim, keepdim), extra, unknown)


_var_slow = Binding(
    "var",
    (
        "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False) => Var",
        "Tensor (Tensor input, Bool unbiased) => VarAll",
        "Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False) => VarCorrection",
    ),
    (_var, _var_all, _var_correction),
    is_method=True,
)


def var(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the variance, divided by n - correction

    Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)
    Tensor (Tensor input, Bool unbiased)
    Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and dim is _missing
        and unbiased is _missing
        and (keepdim is False or keepdim is True)
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _var(input, None, True, keepdim)
    if (
        input.__class__ is Tensor
        and (dim is False or dim is True)
        and unbiased is _missing
        and keepdim is False
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _var_all(input, dim)
    return _var_slow((input, dim, unbiased, keepdim, correction), extra, unknown)


_std_slow = Binding(
    "std",
    (
        "Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False) => Std",
        "Tensor (Tensor input, Bool unbiased) => StdAll",
        "Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False) => StdCorrection",
    ),
    (_std, _std_all, _std_correction),
    is_method=True,
)


def std(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the standard deviation, the square root of the variance

    Tensor (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)
    Tensor (Tensor input, Bool unbiased)
    Tensor (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and dim is _missing
        and unbiased is _missing
        and (keepdim is False or keepdim is True)
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _std(input, None, True, keepdim)
    if (
        input.__class__ is Tensor
        and (dim is False or dim is True)
        and unbiased is _missing
        and keepdim is False
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _std_all(input, dim)
    return _std_slow((input, dim, unbiased, keepdim, correction), extra, unknown)


_var_mean_slow = Binding(
    "var_mean",
    (
        "TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False) => VarMean",
        "TensorTuple (Tensor input, Bool unbiased) => VarMeanAll",
        "TensorTuple (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False) => VarMeanCorrection",
    ),
    (_var_mean, _var_mean_all, _var_mean_correction),
)


def var_mean(input=_missing, dim=_missing, unbiased=_missing, keepdim=False, *extra, correction=1, **unknown):
    """the variance and the mean

    TensorTuple (Tensor input, Int32List[1] dim=None, Bool unbiased=True, Bool keepdim=False)
    TensorTuple (Tensor input, Bool unbiased)
    TensorTuple (Tensor input, Int32List[1] dim=None, *, Int32 correction=1, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and dim is _missing
        and unbiased is _missing
        and (keepdim is False or keepdim is True)
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _var_mean(input, None, True, keepdim)
    if (
        input.__class__ is Tensor
        and (dim is False or dim is True)
        and unbiased is _missing
        and keepdim is False
        and correction.__class__ is int
        and correction == 1
        and not extra
        and not unknown
    ):
        return _var_mean_all(input, dim)
    return _var_mean_slow((input, dim, unbiased, keepdim, correction), extra, unknown)


_var_grad_slow = Binding(
    "var_grad",
    ("Tensor (Tensor dy, Tensor x, Int32List dim, Int32 correction, Bool keepdim) => VarGrad",),
    (_var_grad,),
)


def var_grad(dy=_missing, x=_missing, dim=_missing, correction=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of a variance

    Tensor (Tensor dy, Tensor x, Int32List dim, Int32 correction, Bool keepdim)
    """
    if (
        dy.__class__ is Tensor
        and x.__class__ is Tensor
        and (dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and correction.__class__ is int
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _var_grad(dy, x, dim, correction, keepdim)
    return _var_grad_slow((dy, x, dim, correction, keepdim), extra, unknown)


_norm_slow = Binding(
    "norm",
    (
        "Tensor (Tensor input, Float p=2.0, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => Norm",
        "Tensor (Tensor input, String p, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None) => NormOfName",
    ),
    (CASTING["_norm"], CASTING["_norm_of_name"]),
    is_method=True,
)


def norm(input=_missing, p=_missing, dim=None, keepdim=False, *extra, dtype=None, **unknown):
    """the p-norm over some dimensions, or over all

    Tensor (Tensor input, Float p=2.0, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    Tensor (Tensor input, String p, Int32List[1] dim=None, Bool keepdim=False, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and p is _missing
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _norm(input, 2.0, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    if (
        input.__class__ is Tensor
        and p.__class__ is str
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _norm_of_name(input, p, (dim,) if dim.__class__ is int else dim, keepdim, dtype)
    return _norm_slow((input, p, dim, keepdim, dtype), extra, unknown)


_norm_grad_slow = Binding(
    "norm_grad",
    ("Tensor (Tensor dy, Tensor x, Tensor y, Float order, Int32List dim, Bool keepdim) => NormGrad",),
    (_norm_grad,),
)


def norm_grad(dy=_missing, x=_missing, y=_missing, order=_missing, dim=_missing, keepdim=_missing, *extra, **unknown):
    """the gradient of a norm

    Tensor (Tensor dy, Tensor x, Tensor y, Float order, Int32List dim, Bool keepdim)
    """
    if (
        dy.__class__ is Tensor
        and x.__class__ is Tensor
        and y.__class__ is Tensor
        and order.__class__ is float
        and (dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _norm_grad(dy, x, y, order, dim, keepdim)
    return _norm_grad_slow((dy, x, y, order, dim, keepdim), extra, unknown)


_logsumexp_slow = Binding(
    "logsumexp",
    ("Tensor (Tensor input, Int32List[1] dim, Bool keepdim=False) => LogSumExp",),
    (_log_sum_exp,),
    is_method=True,
)


def logsumexp(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """the logarithm of the sum of exponentials

    Tensor (Tensor input, Int32List[1] dim, Bool keepdim=False)
    """
    if (
        input.__class__ is Tensor
        and (dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return _log_sum_exp(input, (dim,) if dim.__class__ is int else dim, keepdim)
    return _logsumexp_slow((input, dim, keepdim), extra, unknown)


_cumsum_slow = Binding(
    "cumsum",
    ("Tensor (Tensor input, Int32 dim, *, DataType dtype=None) => CumSum",),
    (CASTING["_cum_sum"],),
    is_method=True,
)


def cumsum(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """the sums of the elements up to each one, along a dimension

    Tensor (Tensor input, Int32 dim, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _cum_sum(input, dim, dtype)
    return _cumsum_slow((input, dim, dtype), extra, unknown)


_reversed_cumsum_slow = Binding(
    "reversed_cumsum", ("Tensor (Tensor dy, Int32 dim, Bool reverse) => ReversedCumSum",), (_reversed_cum_sum,)
)


def reversed_cumsum(dy=_missing, dim=_missing, reverse=_missing, *extra, **unknown):
    """the gradient of cumsum

    Tensor (Tensor dy, Int32 dim, Bool reverse)
    """
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and (reverse is False or reverse is True)
        and not extra
        and not unknown
    ):
        return _reversed_cum_sum(dy, dim, reverse)
    return _reversed_cumsum_slow((dy, dim, reverse), extra, unknown)


_cumprod_slow = Binding(
    "cumprod",
    ("Tensor (Tensor input, Int32 dim, *, DataType dtype=None) => CumProd",),
    (CASTING["_cum_prod"],),
    is_method=True,
)


def cumprod(input=_missing, dim=_missing, *extra, dtype=None, **unknown):
    """the products of the elements up to each one, along a dimension

    Tensor (Tensor input, Int32 dim, *, DataType dtype=None)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _cum_prod(input, dim, dtype)
    return _cumprod_slow((input, dim, dtype), extra, unknown)


_cumprod_grad_slow = Binding(
    "cumprod_grad", ("Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim) => CumProdGrad",), (_cum_prod_grad,)
)


def cumprod_grad(dy=_missing, x=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """the gradient of cumprod

    Tensor (Tensor dy, Tensor x, Tensor y, Int32 dim)
    """
    if (
        dy.__class__ is Tensor
        and x.__class__ is Tensor
        and y.__class__ is Tensor
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _cum_prod_grad(dy, x, y, dim)
    return _cumprod_grad_slow((dy, x, y, dim), extra, unknown)


_sort_slow = Binding(
    "sort",
    (
        "TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool descending=False) => Sort",
        "TensorTuple[values, indices] (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False) => SortStable",
    ),
    (named_result(_sort, return_types.sort), named_result(_sort_stable, return_types.sort)),
    is_method=True,
)


def sort(input=_missing, dim=-1, descending=False, *extra, stable=_missing, **unknown):
    """the elements in order along a dimension, and where they were; equal ones keep their order

    TensorTuple[values, indices] (Tensor input, Int32 dim=-1, Bool descending=False)
    TensorTuple[values, indices] (Tensor input, *, Bool stable, Int32 dim=-1, Bool descending=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (descending is False or descending is True)
        and stable is _missing
        and not extra
        and not unknown
    ):
        return return_types.sort(*_sort(input, dim, descending))
    return _sort_slow((input, dim, descending, stable), extra, unknown)


_sorted_grad_slow = Binding(
    "sorted_grad", ("Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim) => SortedGrad",), (_sorted_grad,)
)


def sorted_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, *extra, **unknown):
    """the gradient of sort and topk

    Tensor (Tensor dy, Tensor indices, Shape shape, Int32 dim)
    """
    if (
        dy.__class__ is Tensor
        and indices.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _sorted_grad(dy, indices, shape, dim)
    return _sorted_grad_slow((dy, indices, shape, dim), extra, unknown)


_argsort_slow = Binding(
    "argsort", ("Tensor (Tensor input, Int32 dim=-1, Bool descending=False) => ArgSort",), (_arg_sort,), is_method=True
)


def argsort(input=_missing, dim=-1, descending=False, *extra, **unknown):
    """the indices that sort a tensor along a dimension

    Tensor (Tensor input, Int32 dim=-1, Bool descending=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (descending is False or descending is True)
        and not extra
        and not unknown
    ):
        return _arg_sort(input, dim, descending)
    return _argsort_slow((input, dim, descending), extra, unknown)


_topk_slow = Binding(
    "topk",
    (
        "TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True) => TopK",
    ),
    (named_result(_top_k, return_types.topk),),
    is_method=True,
)


def topk(input=_missing, k=_missing, dim=-1, largest=True, sorted=True, *extra, **unknown):
    """the k largest (or smallest) elements along a dimension, and where they are

    TensorTuple[values, indices] (Tensor input, Int32 k, Int32 dim=-1, Bool largest=True, Bool sorted=True)
    """
    if (
        input.__class__ is Tensor
        and k.__class__ is int
        and dim.__class__ is int
        and (largest is True or largest is False)
        and (sorted is True or sorted is False)
        and not extra
        and not unknown
    ):
        return return_types.topk(*_top_k(input, k, dim, largest, sorted))
    return _topk_slow((input, k, dim, largest, sorted), extra, unknown)


_median_slow = Binding(
    "median",
    (
        "Tensor (Tensor input) => Median",
        "TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False) => MedianDim",
    ),
    (_median, named_result(_median_dim, return_types.median)),
    is_method=True,
)


def median(input=_missing, dim=_missing, keepdim=False, *extra, **unknown):
    """the middle element (the lower of two) of a tensor, or along a dimension and where it is

    Tensor (Tensor input)
    TensorTuple[values, indices] (Tensor input, Int32 dim, Bool keepdim=False)
    """
    if input.__class__ is Tensor and dim is _missing and keepdim is False and not extra and not unknown:
        return _median(input)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and (keepdim is False or keepdim is True)
        and not extra
        and not unknown
    ):
        return return_types.median(*_median_dim(input, dim, keepdim))
    return _median_slow((input, dim, keepdim), extra, unknown)


_matmul_slow = Binding(
    "matmul",
    ("Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False) => MatMul",),
    (CASTING["_mat_mul"],),
    is_method=True,
)


def matmul(input=_missing, other=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the matrix product of the last two dimensions, broadcast over the others

    Tensor (Tensor input, Tensor other, Bool transpose_a=False, Bool transpose_b=False)
    """
    if (
        input.__class__ is Tensor
        and other.__class__ is Tensor
        and (transpose_a is False or transpose_a is True)
        and (transpose_b is False or transpose_b is True)
        and not extra
        and not unknown
    ):
        return _mat_mul(input, other, transpose_a, transpose_b)
    return _matmul_slow((input, other, transpose_a, transpose_b), extra, unknown)


_mm_slow = Binding("mm", ("Tensor (Tensor input, Tensor mat2) => Mm",), (CASTING["_mm"],), is_method=True)


def mm(input=_missing, mat2=_missing, *extra, **unknown):
    """the product of two matrices

    Tensor (Tensor input, Tensor mat2)
    """
    if input.__class__ is Tensor and mat2.__class__ is Tensor and not extra and not unknown:
        return _mm(input, mat2)
    return _mm_slow((input, mat2), extra, unknown)


_batch_matmul_slow = Binding(
    "batch_matmul",
    ("Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False) => BatchMatMul",),
    (CASTING["_batch_mat_mul"],),
)


def batch_matmul(a=_missing, b=_missing, transpose_a=False, transpose_b=False, *extra, **unknown):
    """the products of two batches of matrices

    Tensor (Tensor a, Tensor b, Bool transpose_a=False, Bool transpose_b=False)
    """
    if (
        a.__class__ is Tensor
        and b.__class__ is Tensor
        and (transpose_a is False or transpose_a is True)
        and (transpose_b is False or transpose_b is True)
        and not extra
        and not unknown
    ):
        return _batch_mat_mul(a, b, transpose_a, transpose_b)
    return _batch_matmul_slow((a, b, transpose_a, transpose_b), extra, unknown)


_bmm_slow = Binding(
    "bmm", ("Tensor (Tensor input, Tensor mat2) => BatchMatMul",), (CASTING["_batch_mat_mul"],), is_method=True
)


def bmm(input=_missing, mat2=_missing, *extra, **unknown):
    """the products of two batches of matrices

    Tensor (Tensor input, Tensor mat2)
    """
    if input.__class__ is Tensor and mat2.__class__ is Tensor and not extra and not unknown:
        return _batch_mat_mul(input, mat2)
    return _bmm_slow((input, mat2), extra, unknown)


_matrix_vector_product_slow = Binding(
    "matrix_vector_product",
    ("Tensor (Tensor input, Tensor vec) => MatrixVectorProduct",),
    (CASTING["_matrix_vector_product"],),
)


def matrix_vector_product(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Tensor (Tensor input, Tensor vec)
    """
    if input.__class__ is Tensor and vec.__class__ is Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _matrix_vector_product_slow((input, vec), extra, unknown)


_mv_slow = Binding(
    "mv",
    ("Tensor (Tensor input, Tensor vec) => MatrixVectorProduct",),
    (CASTING["_matrix_vector_product"],),
    is_method=True,
)


def mv(input=_missing, vec=_missing, *extra, **unknown):
    """the product of a matrix and a vector

    Tensor (Tensor input, Tensor vec)
    """
    if input.__class__ is Tensor and vec.__class__ is Tensor and not extra and not unknown:
        return _matrix_vector_product(input, vec)
    return _mv_slow((input, vec), extra, unknown)


_dot_slow = Binding("dot", ("Tensor (Tensor input, Tensor other) => Dot",), (CASTING["_dot"],), is_method=True)


def dot(input=_missing, other=_missing, *extra, **unknown):
    """the inner product of two vectors

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _dot(input, other)
    return _dot_slow((input, other), extra, unknown)


_linear_slow = Binding(
    "linear", ("Tensor (Tensor input, Tensor weight, Tensor bias=None) => Linear",), (CASTING["_linear"],)
)


def linear(input=_missing, weight=_missing, bias=None, *extra, **unknown):
    """input @ weight transposed + bias

    Tensor (Tensor input, Tensor weight, Tensor bias=None)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and not extra
        and not unknown
    ):
        return _linear(input, weight, bias)
    return _linear_slow((input, weight, bias), extra, unknown)


_addmm_slow = Binding(
    "addmm",
    ("Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) => AddMm",),
    (CASTING["_add_mm"],),
    is_method=True,
)


def addmm(input=_missing, mat1=_missing, mat2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * mat1 @ mat2

    Tensor (Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and mat1.__class__ is Tensor
        and mat2.__class__ is Tensor
        and (beta.__class__ is int or beta.__class__ is float)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _add_mm(input, mat1, mat2, beta, alpha)
    return _addmm_slow((input, mat1, mat2, beta, alpha), extra, unknown)


_baddbmm_slow = Binding(
    "baddbmm",
    ("Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) => BaddBmm",),
    (CASTING["_badd_bmm"],),
    is_method=True,
)


def baddbmm(input=_missing, batch1=_missing, batch2=_missing, *extra, beta=1, alpha=1, **unknown):
    """beta * input + alpha * batch1 @ batch2

    Tensor (Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and batch1.__class__ is Tensor
        and batch2.__class__ is Tensor
        and (beta.__class__ is int or beta.__class__ is float)
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _badd_bmm(input, batch1, batch2, beta, alpha)
    return _baddbmm_slow((input, batch1, batch2, beta, alpha), extra, unknown)


_softmax_slow = Binding(
    "softmax",
    ("Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None) => Softmax",),
    (CASTING["_softmax"],),
    is_method=True,
)


def softmax(x=_missing, dim=None, *extra, dtype=None, **unknown):
    """exp(x) / sum(exp(x)) along a dimension

    Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None)
    """
    if (
        x.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _softmax(x, dim, dtype)
    return _softmax_slow((x, dim, dtype), extra, unknown)


_softmax_grad_slow = Binding(
    "softmax_grad", ("Tensor (Tensor grad, Tensor y, Int32 dim) => SoftmaxGrad",), (_softmax_grad,)
)


def softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """y * (grad - sum(grad * y))

    Tensor (Tensor grad, Tensor y, Int32 dim)
    """
    if grad.__class__ is Tensor and y.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _softmax_grad(grad, y, dim)
    return _softmax_grad_slow((grad, y, dim), extra, unknown)


_log_softmax_slow = Binding(
    "log_softmax",
    ("Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None) => LogSoftmax",),
    (CASTING["_log_softmax"],),
    is_method=True,
)


def log_softmax(x=_missing, dim=None, *extra, dtype=None, **unknown):
    """x - log(sum(exp(x))) along a dimension

    Tensor (Tensor x, Int32 dim=None, *, DataType dtype=None)
    """
    if (
        x.__class__ is Tensor
        and (dim is None or dim.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and not extra
        and not unknown
    ):
        return _log_softmax(x, dim, dtype)
    return _log_softmax_slow((x, dim, dtype), extra, unknown)


_log_softmax_grad_slow = Binding(
    "log_softmax_grad", ("Tensor (Tensor grad, Tensor y, Int32 dim) => LogSoftmaxGrad",), (_log_softmax_grad,)
)


def log_softmax_grad(grad=_missing, y=_missing, dim=_missing, *extra, **unknown):
    """grad - exp(y) * sum(grad)

    Tensor (Tensor grad, Tensor y, Int32 dim)
    """
    if grad.__class__ is Tensor and y.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _log_softmax_grad(grad, y, dim)
    return _log_softmax_grad_slow((grad, y, dim), extra, unknown)


_cross_entropy_slow = Binding(
    "cross_entropy",
    (
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0) => CrossEntropy",
    ),
    (CASTING["_cross_entropy"],),
)


def cross_entropy(
    input=_missing,
    target=_missing,
    weight=None,
    ignore_index=-100,
    reduction="mean",
    label_smoothing=0.0,
    *extra,
    **unknown,
):
    """the cross entropy of logits and class indices or class probabilities

    Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean', Double label_smoothing=0.0)
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and ignore_index.__class__ is int
        and reduction.__class__ is str
        and label_smoothing.__class__ is float
        and not extra
        and not unknown
    ):
        return _cross_entropy(input, target, weight, ignore_index, reduction, label_smoothing)
    return _cross_entropy_slow((input, target, weight, ignore_index, reduction, label_smoothing), extra, unknown)


_cross_entropy_grad_slow = Binding(
    "cross_entropy_grad",
    (
        "Tensor (Tensor grad, Tensor input, Tensor target, Tensor lse, Tensor parts, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0) => CrossEntropyGrad",
    ),
    (_cross_entropy_grad,),
)


def cross_entropy_grad(
    grad=_missing,
    input=_missing,
    target=_missing,
    lse=_missing,
    parts=_missing,
    weight=None,
    reduction="mean",
    ignore_index=-100,
    smooth=False,
    label_smoothing=0.0,
    *extra,
    **unknown,
):
    """the gradient of cross_entropy with class indices

    Tensor (Tensor grad, Tensor input, Tensor target, Tensor lse, Tensor parts, Tensor weight=None, String reduction='mean', Int64 ignore_index=-100, Bool smooth=False, Double label_smoothing=0.0)
    """
    if (
        grad.__class__ is Tensor
        and input.__class__ is Tensor
        and target.__class__ is Tensor
        and lse.__class__ is Tensor
        and parts.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and reduction.__class__ is str
        and ignore_index.__class__ is int
        and (smooth is False or smooth is True)
        and label_smoothing.__class__ is float
        and not extra
        and not unknown
    ):
        return _cross_entropy_grad(
            grad, input, target, lse, parts, weight, reduction, ignore_index, smooth, label_smoothing
        )
    return _cross_entropy_grad_slow(
        (grad, input, target, lse, parts, weight, reduction, ignore_index, smooth, label_smoothing), extra, unknown
    )


_nll_loss_slow = Binding(
    "nll_loss",
    (
        "Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean') => NLLLoss",
    ),
    (CASTING["_nll_loss"],),
)


def nll_loss(input=_missing, target=_missing, weight=None, ignore_index=-100, reduction="mean", *extra, **unknown):
    """the negative log-likelihood of class indices

    Tensor (Tensor input, Tensor target, Tensor weight=None, Int64 ignore_index=-100, String reduction='mean')
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and ignore_index.__class__ is int
        and reduction.__class__ is str
        and not extra
        and not unknown
    ):
        return _nll_loss(input, target, weight, ignore_index, reduction)
    return _nll_loss_slow((input, target, weight, ignore_index, reduction), extra, unknown)


_nll_loss_grad_slow = Binding(
    "nll_loss_grad",
    (
        "Tensor (Tensor grad, Tensor target, Tensor parts, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100) => NLLLossGrad",
    ),
    (_nll_loss_grad,),
)


def nll_loss_grad(
    grad=_missing,
    target=_missing,
    parts=_missing,
    weight=None,
    shape=(),
    reduction="mean",
    ignore_index=-100,
    *extra,
    **unknown,
):
    """the gradient of nll_loss

    Tensor (Tensor grad, Tensor target, Tensor parts, Tensor weight=None, Shape shape=(), String reduction='mean', Int64 ignore_index=-100)
    """
    if (
        grad.__class__ is Tensor
        and target.__class__ is Tensor
        and parts.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and reduction.__class__ is str
        and ignore_index.__class__ is int
        and not extra
        and not unknown
    ):
        return _nll_loss_grad(grad, target, parts, weight, shape, reduction, ignore_index)
    return _nll_loss_grad_slow((grad, target, parts, weight, shape, reduction, ignore_index), extra, unknown)


_mse_loss_slow = Binding(
    "mse_loss", ("Tensor (Tensor input, Tensor target, String reduction='mean') => MseLoss",), (CASTING["_mse_loss"],)
)


def mse_loss(input=_missing, target=_missing, reduction="mean", *extra, **unknown):
    """(input - target) ** 2

    Tensor (Tensor input, Tensor target, String reduction='mean')
    """
    if (
        input.__class__ is Tensor
        and target.__class__ is Tensor
        and reduction.__class__ is str
        and not extra
        and not unknown
    ):
        return _mse_loss(input, target, reduction)
    return _mse_loss_slow((input, target, reduction), extra, unknown)


_conv2d_slow = Binding(
    "conv2d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1) => Conv2d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1) => Conv2dNamedPadding",
    ),
    (CASTING["_conv2d"], CASTING["_conv2d_named_padding"]),
)


def conv2d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1, 1),
    padding=_missing,
    dilation=(1, 1),
    groups=1,
    *extra,
    **unknown,
):
    """2-d convolution (cross-correlation) of images with filters

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] dilation=1, Int32 groups=1)
    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, String padding='valid', Int32List[2] dilation=1, Int32 groups=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is int or stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and padding is _missing
        and (
            dilation.__class__ is int
            or dilation.__class__ is Size
            or dilation.__class__ is tuple
            and all_ints(dilation)
        )
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv2d(
            input,
            weight,
            bias,
            (stride,) * 2 if stride.__class__ is int else stride,
            (0, 0),
            (dilation,) * 2 if dilation.__class__ is int else dilation,
            groups,
        )
    return _conv2d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)


_conv1d_slow = Binding(
    "conv1d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1) => Conv1d",
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1) => Conv1dNamedPadding",
    ),
    (CASTING["_conv1d"], CASTING["_conv1d_named_padding"]),
)


def conv1d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1,),
    padding=_missing,
    dilation=(1,),
    groups=1,
    *extra,
    **unknown,
):
    """1-d convolution (cross-correlation) of signals with filters

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, Int32List[1] padding=0, Int32List[1] dilation=1, Int32 groups=1)
    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[1] stride=1, String padding='valid', Int32List[1] dilation=1, Int32 groups=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is int or stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and padding is _missing
        and (
            dilation.__class__ is int
            or dilation.__class__ is Size
            or dilation.__class__ is tuple
            and all_ints(dilation)
        )
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv1d(
            input,
            weight,
            bias,
            (stride,) if stride.__class__ is int else stride,
            (0,),
            (dilation,) if dilation.__class__ is int else dilation,
            groups,
        )
    return _conv1d_slow((input, weight, bias, stride, padding, dilation, groups), extra, unknown)


_conv_transpose2d_slow = Binding(
    "conv_transpose2d",
    (
        "Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1) => ConvTranspose2d",
    ),
    (CASTING["_conv_transpose2d"],),
)


def conv_transpose2d(
    input=_missing,
    weight=_missing,
    bias=None,
    stride=(1, 1),
    padding=(0, 0),
    output_padding=(0, 0),
    groups=1,
    dilation=(1, 1),
    *extra,
    **unknown,
):
    """the gradient of conv2d as an op, also called deconvolution

    Tensor (Tensor input, Tensor weight, Tensor bias=None, Int32List[2] stride=1, Int32List[2] padding=0, Int32List[2] output_padding=0, Int32 groups=1, Int32List[2] dilation=1)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (bias is None or bias.__class__ is Tensor)
        and (stride.__class__ is int or stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is int or padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (
            output_padding.__class__ is int
            or output_padding.__class__ is Size
            or output_padding.__class__ is tuple
            and all_ints(output_padding)
        )
        and groups.__class__ is int
        and (
            dilation.__class__ is int
            or dilation.__class__ is Size
            or dilation.__class__ is tuple
            and all_ints(dilation)
        )
        and not extra
        and not unknown
    ):
        return _conv_transpose2d(
            input,
            weight,
            bias,
            (stride,) * 2 if stride.__class__ is int else stride,
            (padding,) * 2 if padding.__class__ is int else padding,
            (output_padding,) * 2 if output_padding.__class__ is int else output_padding,
            groups,
            (dilation,) * 2 if dilation.__class__ is int else dilation,
        )
    return _conv_transpose2d_slow(
        (input, weight, bias, stride, padding, output_padding, groups, dilation), extra, unknown
    )


_conv_data_grad_slow = Binding(
    "conv_data_grad",
    (
        "Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups) => ConvDataGrad",
    ),
    (_conv_data_grad,),
)


def conv_data_grad(
    grad=_missing,
    weight=_missing,
    shape=_missing,
    stride=_missing,
    padding=_missing,
    dilation=_missing,
    groups=_missing,
    *extra,
    **unknown,
):
    """the gradient of conv2d's input

    Tensor (Tensor grad, Tensor weight, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)
    """
    if (
        grad.__class__ is Tensor
        and weight.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv_data_grad(grad, weight, shape, stride, padding, dilation, groups)
    return _conv_data_grad_slow((grad, weight, shape, stride, padding, dilation, groups), extra, unknown)


_conv_filter_grad_slow = Binding(
    "conv_filter_grad",
    (
        "Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups) => ConvFilterGrad",
    ),
    (_conv_filter_grad,),
)


def conv_filter_grad(
    grad=_missing,
    x=_missing,
    shape=_missing,
    stride=_missing,
    padding=_missing,
    dilation=_missing,
    groups=_missing,
    *extra,
    **unknown,
):
    """the gradient of conv2d's weight

    Tensor (Tensor grad, Tensor x, Shape shape, Int32List stride, Int32List padding, Int32List dilation, Int32 groups)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and groups.__class__ is int
        and not extra
        and not unknown
    ):
        return _conv_filter_grad(grad, x, shape, stride, padding, dilation, groups)
    return _conv_filter_grad_slow((grad, x, shape, stride, padding, dilation, groups), extra, unknown)


_conv_bias_grad_slow = Binding("conv_bias_grad", ("Tensor (Tensor grad) => ConvBiasGrad",), (_conv_bias_grad,))


def conv_bias_grad(grad=_missing, *extra, **unknown):
    """the sum over all dimensions but the channels

    Tensor (Tensor grad)
    """
    if grad.__class__ is Tensor and not extra and not unknown:
        return _conv_bias_grad(grad)
    return _conv_bias_grad_slow((grad,), extra, unknown)


_max_pool2d_slow = Binding(
    "max_pool2d",
    (
        "Any (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Int32List[2] dilation=1, Bool ceil_mode=False, Bool return_indices=False) => MaxPool2d",
    ),
    (_max_pool2d,),
)


def max_pool2d(
    input=_missing,
    kernel_size=_missing,
    stride=None,
    padding=(0, 0),
    dilation=(1, 1),
    ceil_mode=False,
    return_indices=False,
    *extra,
    **unknown,
):
    """the maximum of every window

    Any (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Int32List[2] dilation=1, Bool ceil_mode=False, Bool return_indices=False)
    """
    if (
        input.__class__ is Tensor
        and (
            kernel_size.__class__ is int
            or kernel_size.__class__ is Size
            or kernel_size.__class__ is tuple
            and all_ints(kernel_size)
        )
        and (
            stride is None
            or stride.__class__ is int
            or stride.__class__ is Size
            or stride.__class__ is tuple
            and all_ints(stride)
        )
        and (padding.__class__ is int or padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (
            dilation.__class__ is int
            or dilation.__class__ is Size
            or dilation.__class__ is tuple
            and all_ints(dilation)
        )
        and (ceil_mode is False or ceil_mode is True)
        and (return_indices is False or return_indices is True)
        and not extra
        and not unknown
    ):
        return _max_pool2d(
            input,
            (kernel_size,) * 2 if kernel_size.__class__ is int else kernel_size,
            (stride,) * 2 if stride.__class__ is int else stride,
            (padding,) * 2 if padding.__class__ is int else padding,
            (dilation,) * 2 if dilation.__class__ is int else dilation,
            ceil_mode,
            return_indices,
        )
    return _max_pool2d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)


_max_pool1d_slow = Binding(
    "max_pool1d",
    (
        "Any (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Int32List[1] dilation=1, Bool ceil_mode=False, Bool return_indices=False) => MaxPool1d",
    ),
    (_max_pool1d,),
)


def max_pool1d(
    input=_missing,
    kernel_size=_missing,
    stride=None,
    padding=(0,),
    dilation=(1,),
    ceil_mode=False,
    return_indices=False,
    *extra,
    **unknown,
):
    """the maximum of every window

    Any (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Int32List[1] dilation=1, Bool ceil_mode=False, Bool return_indices=False)
    """
    if (
        input.__class__ is Tensor
        and (
            kernel_size.__class__ is int
            or kernel_size.__class__ is Size
            or kernel_size.__class__ is tuple
            and all_ints(kernel_size)
        )
        and (
            stride is None
            or stride.__class__ is int
            or stride.__class__ is Size
            or stride.__class__ is tuple
            and all_ints(stride)
        )
        and (padding.__class__ is int or padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (
            dilation.__class__ is int
            or dilation.__class__ is Size
            or dilation.__class__ is tuple
            and all_ints(dilation)
        )
        and (ceil_mode is False or ceil_mode is True)
        and (return_indices is False or return_indices is True)
        and not extra
        and not unknown
    ):
        return _max_pool1d(
            input,
            (kernel_size,) if kernel_size.__class__ is int else kernel_size,
            (stride,) if stride.__class__ is int else stride,
            (padding,) if padding.__class__ is int else padding,
            (dilation,) if dilation.__class__ is int else dilation,
            ceil_mode,
            return_indices,
        )
    return _max_pool1d_slow((input, kernel_size, stride, padding, dilation, ceil_mode, return_indices), extra, unknown)


_max_pool_grad_slow = Binding(
    "max_pool_grad",
    (
        "Tensor (Tensor grad, Tensor indices, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation) => MaxPoolGrad",
    ),
    (_max_pool_grad,),
)


def max_pool_grad(
    grad=_missing,
    indices=_missing,
    shape=_missing,
    kernel_size=_missing,
    stride=_missing,
    padding=_missing,
    dilation=_missing,
    *extra,
    **unknown,
):
    """the gradient of max_pool2d

    Tensor (Tensor grad, Tensor indices, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Int32List dilation)
    """
    if (
        grad.__class__ is Tensor
        and indices.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (kernel_size.__class__ is Size or kernel_size.__class__ is tuple and all_ints(kernel_size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (dilation.__class__ is Size or dilation.__class__ is tuple and all_ints(dilation))
        and not extra
        and not unknown
    ):
        return _max_pool_grad(grad, indices, shape, kernel_size, stride, padding, dilation)
    return _max_pool_grad_slow((grad, indices, shape, kernel_size, stride, padding, dilation), extra, unknown)


_max_pool_grad_grad_slow = Binding(
    "max_pool_grad_grad", ("Tensor (Tensor x, Tensor indices) => MaxPoolGradGrad",), (_max_pool_grad_grad,)
)


def max_pool_grad_grad(x=_missing, indices=_missing, *extra, **unknown):
    """x at the positions of the maxima

    Tensor (Tensor x, Tensor indices)
    """
    if x.__class__ is Tensor and indices.__class__ is Tensor and not extra and not unknown:
        return _max_pool_grad_grad(x, indices)
    return _max_pool_grad_grad_slow((x, indices), extra, unknown)


_avg_pool2d_slow = Binding(
    "avg_pool2d",
    (
        "Tensor (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Bool ceil_mode=False, Bool count_include_pad=True, Int64 divisor_override=None) => AvgPool2d",
    ),
    (_avg_pool2d,),
)


def avg_pool2d(
    input=_missing,
    kernel_size=_missing,
    stride=None,
    padding=(0, 0),
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
    *extra,
    **unknown,
):
    """the mean of every window

    Tensor (Tensor input, Int32List[2] kernel_size, Int32List[2] stride=None, Int32List[2] padding=0, Bool ceil_mode=False, Bool count_include_pad=True, Int64 divisor_override=None)
    """
    if (
        input.__class__ is Tensor
        and (
            kernel_size.__class__ is int
            or kernel_size.__class__ is Size
            or kernel_size.__class__ is tuple
            and all_ints(kernel_size)
        )
        and (
            stride is None
            or stride.__class__ is int
            or stride.__class__ is Size
            or stride.__class__ is tuple
            and all_ints(stride)
        )
        and (padding.__class__ is int or padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (ceil_mode is False or ceil_mode is True)
        and (count_include_pad is True or count_include_pad is False)
        and (divisor_override is None or divisor_override.__class__ is int)
        and not extra
        and not unknown
    ):
        return _avg_pool2d(
            input,
            (kernel_size,) * 2 if kernel_size.__class__ is int else kernel_size,
            (stride,) * 2 if stride.__class__ is int else stride,
            (padding,) * 2 if padding.__class__ is int else padding,
            ceil_mode,
            count_include_pad,
            divisor_override,
        )
    return _avg_pool2d_slow(
        (input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra, unknown
    )


_avg_pool1d_slow = Binding(
    "avg_pool1d",
    (
        "Tensor (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Bool ceil_mode=False, Bool count_include_pad=True) => AvgPool1d",
    ),
    (_avg_pool1d,),
)


def avg_pool1d(
    input=_missing,
    kernel_size=_missing,
    stride=None,
    padding=(0,),
    ceil_mode=False,
    count_include_pad=True,
    *extra,
    **unknown,
):
    """the mean of every window

    Tensor (Tensor input, Int32List[1] kernel_size, Int32List[1] stride=None, Int32List[1] padding=0, Bool ceil_mode=False, Bool count_include_pad=True)
    """
    if (
        input.__class__ is Tensor
        and (
            kernel_size.__class__ is int
            or kernel_size.__class__ is Size
            or kernel_size.__class__ is tuple
            and all_ints(kernel_size)
        )
        and (
            stride is None
            or stride.__class__ is int
            or stride.__class__ is Size
            or stride.__class__ is tuple
            and all_ints(stride)
        )
        and (padding.__class__ is int or padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (ceil_mode is False or ceil_mode is True)
        and (count_include_pad is True or count_include_pad is False)
        and not extra
        and not unknown
    ):
        return _avg_pool1d(
            input,
            (kernel_size,) if kernel_size.__class__ is int else kernel_size,
            (stride,) if stride.__class__ is int else stride,
            (padding,) if padding.__class__ is int else padding,
            ceil_mode,
            count_include_pad,
        )
    return _avg_pool1d_slow((input, kernel_size, stride, padding, ceil_mode, count_include_pad), extra, unknown)


_avg_pool_grad_slow = Binding(
    "avg_pool_grad",
    (
        "Tensor (Tensor grad, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Bool ceil_mode, Bool count_include_pad, Int64 divisor_override=None) => AvgPoolGrad",
    ),
    (_avg_pool_grad,),
)


def avg_pool_grad(
    grad=_missing,
    shape=_missing,
    kernel_size=_missing,
    stride=_missing,
    padding=_missing,
    ceil_mode=_missing,
    count_include_pad=_missing,
    divisor_override=None,
    *extra,
    **unknown,
):
    """the gradient of avg_pool2d

    Tensor (Tensor grad, Shape shape, Int32List kernel_size, Int32List stride, Int32List padding, Bool ceil_mode, Bool count_include_pad, Int64 divisor_override=None)
    """
    if (
        grad.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (kernel_size.__class__ is Size or kernel_size.__class__ is tuple and all_ints(kernel_size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (padding.__class__ is Size or padding.__class__ is tuple and all_ints(padding))
        and (ceil_mode is False or ceil_mode is True)
        and (count_include_pad is False or count_include_pad is True)
        and (divisor_override is None or divisor_override.__class__ is int)
        and not extra
        and not unknown
    ):
        return _avg_pool_grad(grad, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _avg_pool_grad_slow(
        (grad, shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), extra, unknown
    )


_adaptive_avg_pool2d_slow = Binding(
    "adaptive_avg_pool2d",
    ("Tensor (Tensor input, PyObject output_size) => AdaptiveAvgPool2d",),
    (_adaptive_avg_pool2d,),
)


def adaptive_avg_pool2d(input=_missing, output_size=_missing, *extra, **unknown):
    """means of windows that cover the image, as many as asked for

    Tensor (Tensor input, PyObject output_size)
    """
    if input.__class__ is Tensor and output_size is not _missing and not extra and not unknown:
        return _adaptive_avg_pool2d(input, output_size)
    return _adaptive_avg_pool2d_slow((input, output_size), extra, unknown)


_adaptive_avg_pool1d_slow = Binding(
    "adaptive_avg_pool1d",
    ("Tensor (Tensor input, Int64List[1] output_size) => AdaptiveAvgPool1d",),
    (_adaptive_avg_pool1d,),
)


def adaptive_avg_pool1d(input=_missing, output_size=_missing, *extra, **unknown):
    """means of windows that cover the signal, as many as asked for

    Tensor (Tensor input, Int64List[1] output_size)
    """
    if (
        input.__class__ is Tensor
        and (
            output_size.__class__ is int
            or output_size.__class__ is Size
            or output_size.__class__ is tuple
            and all_ints(output_size)
        )
        and not extra
        and not unknown
    ):
        return _adaptive_avg_pool1d(input, (output_size,) if output_size.__class__ is int else output_size)
    return _adaptive_avg_pool1d_slow((input, output_size), extra, unknown)


_adaptive_avg_pool_grad_slow = Binding(
    "adaptive_avg_pool_grad", ("Tensor (Tensor grad, Shape shape) => AdaptiveAvgPoolGrad",), (_adaptive_avg_pool_grad,)
)


def adaptive_avg_pool_grad(grad=_missing, shape=_missing, *extra, **unknown):
    """the gradient of adaptive_avg_pool2d

    Tensor (Tensor grad, Shape shape)
    """
    if (
        grad.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _adaptive_avg_pool_grad(grad, shape)
    return _adaptive_avg_pool_grad_slow((grad, shape), extra, unknown)


_layer_norm_slow = Binding(
    "layer_norm",
    (
        "Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5) => LayerNorm",
    ),
    (CASTING["_layer_norm"],),
)


def layer_norm(input=_missing, normalized_shape=_missing, weight=None, bias=None, eps=1e-05, *extra, **unknown):
    """(input - mean) / sqrt(var + eps) * weight + bias over the last dimensions

    Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Tensor bias=None, Double eps=1e-5)
    """
    if (
        input.__class__ is Tensor
        and (normalized_shape.__class__ is Size or normalized_shape.__class__ is tuple and all_ints(normalized_shape))
        and (weight is None or weight.__class__ is Tensor)
        and (bias is None or bias.__class__ is Tensor)
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _layer_norm(input, normalized_shape, weight, bias, eps)
    return _layer_norm_slow((input, normalized_shape, weight, bias, eps), extra, unknown)


_rms_norm_slow = Binding(
    "rms_norm",
    ("Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Double eps=None) => RmsNorm",),
    (_rms_norm,),
)


def rms_norm(input=_missing, normalized_shape=_missing, weight=None, eps=None, *extra, **unknown):
    """input / sqrt(mean(input ** 2) + eps) * weight over the last dimensions

    Tensor (Tensor input, Shape normalized_shape, Tensor weight=None, Double eps=None)
    """
    if (
        input.__class__ is Tensor
        and (normalized_shape.__class__ is Size or normalized_shape.__class__ is tuple and all_ints(normalized_shape))
        and (weight is None or weight.__class__ is Tensor)
        and (eps is None or eps.__class__ is float)
        and not extra
        and not unknown
    ):
        return _rms_norm(input, normalized_shape, weight, eps)
    return _rms_norm_slow((input, normalized_shape, weight, eps), extra, unknown)


_group_norm_slow = Binding(
    "group_norm",
    ("Tensor (Tensor input, Int32 num_groups, Tensor weight=None, Tensor bias=None, Double eps=1e-5) => GroupNorm",),
    (CASTING["_group_norm"],),
)


def group_norm(input=_missing, num_groups=_missing, weight=None, bias=None, eps=1e-05, *extra, **unknown):
    """layer normalisation of groups of channels

    Tensor (Tensor input, Int32 num_groups, Tensor weight=None, Tensor bias=None, Double eps=1e-5)
    """
    if (
        input.__class__ is Tensor
        and num_groups.__class__ is int
        and (weight is None or weight.__class__ is Tensor)
        and (bias is None or bias.__class__ is Tensor)
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _group_norm(input, num_groups, weight, bias, eps)
    return _group_norm_slow((input, num_groups, weight, bias, eps), extra, unknown)


_layer_norm_grad_slow = Binding(
    "layer_norm_grad",
    (
        "Tensor (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, Bool center=True, Double eps=1e-5) => LayerNormGrad",
    ),
    (_layer_norm_grad,),
)


def layer_norm_grad(
    grad=_missing,
    x=_missing,
    mean=_missing,
    rstd=_missing,
    weight=None,
    dims=1,
    center=True,
    eps=1e-05,
    *extra,
    **unknown,
):
    """the gradient of layer_norm's input

    Tensor (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Int32 dims=1, Bool center=True, Double eps=1e-5)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and mean.__class__ is Tensor
        and rstd.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and dims.__class__ is int
        and (center is True or center is False)
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _layer_norm_grad(grad, x, mean, rstd, weight, dims, center, eps)
    return _layer_norm_grad_slow((grad, x, mean, rstd, weight, dims, center, eps), extra, unknown)


_layer_norm_param_grad_slow = Binding(
    "layer_norm_param_grad",
    (
        "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Int32 dims, DataType dtype, Bool center=True, Double eps=1e-5) => LayerNormParamGrad",
    ),
    (_layer_norm_param_grad,),
)


def layer_norm_param_grad(
    grad=_missing,
    x=_missing,
    mean=_missing,
    rstd=_missing,
    dims=_missing,
    dtype=_missing,
    center=True,
    eps=1e-05,
    *extra,
    **unknown,
):
    """the gradients of layer_norm's weight and bias

    TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Int32 dims, DataType dtype, Bool center=True, Double eps=1e-5)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and mean.__class__ is Tensor
        and rstd.__class__ is Tensor
        and dims.__class__ is int
        and dtype.__class__ is DType
        and (center is True or center is False)
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _layer_norm_param_grad(grad, x, mean, rstd, dims, dtype, center, eps)
    return _layer_norm_param_grad_slow((grad, x, mean, rstd, dims, dtype, center, eps), extra, unknown)


_batch_norm_slow = Binding(
    "batch_norm",
    (
        "Tensor (Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, Bool training=False, Double momentum=0.1, Double eps=1e-5) => BatchNorm",
    ),
    (_batch_norm,),
)


def batch_norm(
    input=_missing,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    training=False,
    momentum=0.1,
    eps=1e-05,
    *extra,
    **unknown,
):
    """(input - mean) / sqrt(var + eps) * weight + bias by channel, with the batch's statistics or running ones

    Tensor (Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, Bool training=False, Double momentum=0.1, Double eps=1e-5)
    """
    if (
        input.__class__ is Tensor
        and (running_mean is None or running_mean.__class__ is Tensor)
        and (running_var is None or running_var.__class__ is Tensor)
        and (weight is None or weight.__class__ is Tensor)
        and (bias is None or bias.__class__ is Tensor)
        and (training is False or training is True)
        and momentum.__class__ is float
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return _batch_norm_slow((input, running_mean, running_var, weight, bias, training, momentum, eps), extra, unknown)


_batch_norm_statistics_slow = Binding(
    "batch_norm_statistics",
    (
        "TensorTuple (Tensor input, Tensor running_mean=None, Tensor running_var=None, Double momentum=0.1, Double eps=1e-5) => BatchNormStatistics",
    ),
    (_batch_norm_statistics,),
)


def batch_norm_statistics(
    input=_missing, running_mean=None, running_var=None, momentum=0.1, eps=1e-05, *extra, **unknown
):
    """mean and 1 / sqrt(var + eps) by channel of a batch; running statistics move by `momentum`

    TensorTuple (Tensor input, Tensor running_mean=None, Tensor running_var=None, Double momentum=0.1, Double eps=1e-5)
    """
    if (
        input.__class__ is Tensor
        and (running_mean is None or running_mean.__class__ is Tensor)
        and (running_var is None or running_var.__class__ is Tensor)
        and momentum.__class__ is float
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _batch_norm_statistics(input, running_mean, running_var, momentum, eps)
    return _batch_norm_statistics_slow((input, running_mean, running_var, momentum, eps), extra, unknown)


_batch_norm_grad_slow = Binding(
    "batch_norm_grad",
    (
        "TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Bool training=True, Double eps=1e-5) => BatchNormGrad",
    ),
    (_batch_norm_grad,),
)


def batch_norm_grad(
    grad=_missing, x=_missing, mean=_missing, rstd=_missing, weight=None, training=True, eps=1e-05, *extra, **unknown
):
    """the gradients of batch_norm's input, weight and bias

    TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd, Tensor weight=None, Bool training=True, Double eps=1e-5)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and mean.__class__ is Tensor
        and rstd.__class__ is Tensor
        and (weight is None or weight.__class__ is Tensor)
        and (training is True or training is False)
        and eps.__class__ is float
        and not extra
        and not unknown
    ):
        return _batch_norm_grad(grad, x, mean, rstd, weight, training, eps)
    return _batch_norm_grad_slow((grad, x, mean, rstd, weight, training, eps), extra, unknown)


_batch_norm_sums_slow = Binding(
    "batch_norm_sums",
    ("TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd) => BatchNormSums",),
    (_batch_norm_sums,),
)


def batch_norm_sums(grad=_missing, x=_missing, mean=_missing, rstd=_missing, *extra, **unknown):
    """the sums of grad * (x - mean) * rstd and of grad by channel

    TensorTuple (Tensor grad, Tensor x, Tensor mean, Tensor rstd)
    """
    if (
        grad.__class__ is Tensor
        and x.__class__ is Tensor
        and mean.__class__ is Tensor
        and rstd.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _batch_norm_sums(grad, x, mean, rstd)
    return _batch_norm_sums_slow((grad, x, mean, rstd), extra, unknown)


_scaled_dot_product_attention_slow = Binding(
    "scaled_dot_product_attention",
    (
        "Tensor (Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, Double dropout_p=0.0, Bool is_causal=False, *, Double scale=None, Bool enable_gqa=False) => ScaledDotProductAttention",
    ),
    (CASTING["_scaled_dot_product_attention"],),
)


def scaled_dot_product_attention(
    query=_missing,
    key=_missing,
    value=_missing,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    *extra,
    scale=None,
    enable_gqa=False,
    **unknown,
):
    """softmax(scale * query @ key transposed + mask) @ value

    Tensor (Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, Double dropout_p=0.0, Bool is_causal=False, *, Double scale=None, Bool enable_gqa=False)
    """
    if (
        query.__class__ is Tensor
        and key.__class__ is Tensor
        and value.__class__ is Tensor
        and (attn_mask is None or attn_mask.__class__ is Tensor)
        and dropout_p.__class__ is float
        and (is_causal is False or is_causal is True)
        and (scale is None or scale.__class__ is float)
        and (enable_gqa is False or enable_gqa is True)
        and not extra
        and not unknown
    ):
        return _scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    return _scaled_dot_product_attention_slow(
        (query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa), extra, unknown
    )


_attention_grad_slow = Binding(
    "attention_grad",
    (
        "TensorTuple (Tensor grad, Tensor query, Tensor key, Tensor value, Tensor out, Tensor rows, Tensor mask=None, Tensor drawn=None, Bool is_causal=False, Double scale=1.0, Double rate=0.0, Double factor=1.0) => AttentionGrad",
    ),
    (_attention_grad,),
)


def attention_grad(
    grad=_missing,
    query=_missing,
    key=_missing,
    value=_missing,
    out=_missing,
    rows=_missing,
    mask=None,
    drawn=None,
    is_causal=False,
    scale=1.0,
    rate=0.0,
    factor=1.0,
    *extra,
    **unknown,
):
    """the gradients of scaled_dot_product_attention

    TensorTuple (Tensor grad, Tensor query, Tensor key, Tensor value, Tensor out, Tensor rows, Tensor mask=None, Tensor drawn=None, Bool is_causal=False, Double scale=1.0, Double rate=0.0, Double factor=1.0)
    """
    if (
        grad.__class__ is Tensor
        and query.__class__ is Tensor
        and key.__class__ is Tensor
        and value.__class__ is Tensor
        and out.__class__ is Tensor
        and rows.__class__ is Tensor
        and (mask is None or mask.__class__ is Tensor)
        and (drawn is None or drawn.__class__ is Tensor)
        and (is_causal is False or is_causal is True)
        and scale.__class__ is float
        and rate.__class__ is float
        and factor.__class__ is float
        and not extra
        and not unknown
    ):
        return _attention_grad(grad, query, key, value, out, rows, mask, drawn, is_causal, scale, rate, factor)
    return _attention_grad_slow(
        (grad, query, key, value, out, rows, mask, drawn, is_causal, scale, rate, factor), extra, unknown
    )


_multi_tensor_sgd_update_slow = Binding(
    "multi_tensor_sgd_update",
    (
        "Void (TensorTuple model, TensorTuple model_diff, TensorTuple momentum_buf=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double weight_decay=0.0, Double momentum=0.0, Double dampening=0.0, Bool nesterov=False, Bool maximize=False, Bool first_step=False) => MultiTensorSgdUpdate",
    ),
    (_multi_tensor_sgd_update,),
)


def multi_tensor_sgd_update(
    model=_missing,
    model_diff=_missing,
    momentum_buf=None,
    *extra,
    found_inf=None,
    learning_rate=0.001,
    weight_decay=0.0,
    momentum=0.0,
    dampening=0.0,
    nesterov=False,
    maximize=False,
    first_step=False,
    **unknown,
):
    """a step of stochastic gradient descent for many parameters in one launch; none where found_inf is not 0

    Void (TensorTuple model, TensorTuple model_diff, TensorTuple momentum_buf=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double weight_decay=0.0, Double momentum=0.0, Double dampening=0.0, Bool nesterov=False, Bool maximize=False, Bool first_step=False)
    """
    if (
        model.__class__ is tuple
        and model_diff.__class__ is tuple
        and (momentum_buf is None or momentum_buf.__class__ is tuple and all_tensors(momentum_buf))
        and (found_inf is None or found_inf.__class__ is Tensor)
        and learning_rate.__class__ is float
        and weight_decay.__class__ is float
        and momentum.__class__ is float
        and dampening.__class__ is float
        and (nesterov is False or nesterov is True)
        and (maximize is False or maximize is True)
        and (first_step is False or first_step is True)
        and not extra
        and not unknown
        and all_tensors(model)
        and all_tensors(model_diff)
    ):
        return _multi_tensor_sgd_update(
            model,
            model_diff,
            momentum_buf,
            found_inf,
            learning_rate,
            weight_decay,
            momentum,
            dampening,
            nesterov,
            maximize,
            first_step,
        )
    return _multi_tensor_sgd_update_slow(
        (
            model,
            model_diff,
            momentum_buf,
            found_inf,
            learning_rate,
            weight_decay,
            momentum,
            dampening,
            nesterov,
            maximize,
            first_step,
        ),
        extra,
        unknown,
    )


_multi_tensor_adam_update_slow = Binding(
    "multi_tensor_adam_update",
    (
        "Void (TensorTuple model, TensorTuple model_diff, TensorTuple m, TensorTuple v, TensorTuple step, TensorTuple max_v=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double beta1=0.9, Double beta2=0.999, Double epsilon=1e-8, Double weight_decay=0.0, Bool do_bias_correction=True, Bool decoupled=False, Bool maximize=False) => MultiTensorAdamUpdate",
    ),
    (_multi_tensor_adam_update,),
)


def multi_tensor_adam_update(
    model=_missing,
    model_diff=_missing,
    m=_missing,
    v=_missing,
    step=_missing,
    max_v=None,
    *extra,
    found_inf=None,
    learning_rate=0.001,
    beta1=0.9,
    beta2=0.999,
    epsilon=1e-08,
    weight_decay=0.0,
    do_bias_correction=True,
    decoupled=False,
    maximize=False,
    **unknown,
):
    """a step of Adam or AdamW for many parameters in one launch, counted in `step`; none where found_inf is not 0

    Void (TensorTuple model, TensorTuple model_diff, TensorTuple m, TensorTuple v, TensorTuple step, TensorTuple max_v=None, *, Tensor found_inf=None, Double learning_rate=1e-3, Double beta1=0.9, Double beta2=0.999, Double epsilon=1e-8, Double weight_decay=0.0, Bool do_bias_correction=True, Bool decoupled=False, Bool maximize=False)
    """
    if (
        model.__class__ is tuple
        and model_diff.__class__ is tuple
        and m.__class__ is tuple
        and v.__class__ is tuple
        and step.__class__ is tuple
        and (max_v is None or max_v.__class__ is tuple and all_tensors(max_v))
        and (found_inf is None or found_inf.__class__ is Tensor)
        and learning_rate.__class__ is float
        and beta1.__class__ is float
        and beta2.__class__ is float
        and epsilon.__class__ is float
        and weight_decay.__class__ is float
        and (do_bias_correction is True or do_bias_correction is False)
        and (decoupled is False or decoupled is True)
        and (maximize is False or maximize is True)
        and not extra
        and not unknown
        and all_tensors(model)
        and all_tensors(model_diff)
        and all_tensors(m)
        and all_tensors(v)
        and all_tensors(step)
    ):
        return _multi_tensor_adam_update(
            model,
            model_diff,
            m,
            v,
            step,
            max_v,
            found_inf,
            learning_rate,
            beta1,
            beta2,
            epsilon,
            weight_decay,
            do_bias_correction,
            decoupled,
            maximize,
        )
    return _multi_tensor_adam_update_slow(
        (
            model,
            model_diff,
            m,
            v,
            step,
            max_v,
            found_inf,
            learning_rate,
            beta1,
            beta2,
            epsilon,
            weight_decay,
            do_bias_correction,
            decoupled,
            maximize,
        ),
        extra,
        unknown,
    )


_multi_tensor_norm_slow = Binding(
    "multi_tensor_norm", ("Tensor (TensorTuple tensors, Double p=2.0) => MultiTensorNorm",), (_multi_tensor_norm,)
)


def multi_tensor_norm(tensors=_missing, p=2.0, *extra, **unknown):
    """norms of pieces of many tensors in one launch, whose norm is that of all their elements

    Tensor (TensorTuple tensors, Double p=2.0)
    """
    if tensors.__class__ is tuple and p.__class__ is float and not extra and not unknown and all_tensors(tensors):
        return _multi_tensor_norm(tensors, p)
    return _multi_tensor_norm_slow((tensors, p), extra, unknown)


_multi_tensor_scale_to_norm_slow = Binding(
    "multi_tensor_scale_to_norm",
    ("Void (TensorTuple tensors, Tensor norm, Double max_norm) => MultiTensorScaleToNorm",),
    (_multi_tensor_scale_to_norm,),
)


def multi_tensor_scale_to_norm(tensors=_missing, norm=_missing, max_norm=_missing, *extra, **unknown):
    """many tensors multiplied by min(max_norm / (norm + 1e-6), 1), in place and in one launch

    Void (TensorTuple tensors, Tensor norm, Double max_norm)
    """
    if (
        tensors.__class__ is tuple
        and norm.__class__ is Tensor
        and max_norm.__class__ is float
        and not extra
        and not unknown
        and all_tensors(tensors)
    ):
        return _multi_tensor_scale_to_norm(tensors, norm, max_norm)
    return _multi_tensor_scale_to_norm_slow((tensors, norm, max_norm), extra, unknown)


_multi_tensor_clip_slow = Binding(
    "multi_tensor_clip", ("Void (TensorTuple tensors, Double bound) => MultiTensorClip",), (_multi_tensor_clip,)
)


def multi_tensor_clip(tensors=_missing, bound=_missing, *extra, **unknown):
    """many tensors clipped to -bound ... bound, in place and in one launch

    Void (TensorTuple tensors, Double bound)
    """
    if tensors.__class__ is tuple and bound.__class__ is float and not extra and not unknown and all_tensors(tensors):
        return _multi_tensor_clip(tensors, bound)
    return _multi_tensor_clip_slow((tensors, bound), extra, unknown)


_multi_tensor_unscale_slow = Binding(
    "multi_tensor_unscale",
    ("Void (TensorTuple tensors, Tensor scale, Tensor found_inf) => MultiTensorUnscale",),
    (_multi_tensor_unscale,),
)


def multi_tensor_unscale(tensors=_missing, scale=_missing, found_inf=_missing, *extra, **unknown):
    """many tensors divided by scale, in place and in one launch; found_inf becomes 1 where one of them is not finite

    Void (TensorTuple tensors, Tensor scale, Tensor found_inf)
    """
    if (
        tensors.__class__ is tuple
        and scale.__class__ is Tensor
        and found_inf.__class__ is Tensor
        and not extra
        and not unknown
        and all_tensors(tensors)
    ):
        return _multi_tensor_unscale(tensors, scale, found_inf)
    return _multi_tensor_unscale_slow((tensors, scale, found_inf), extra, unknown)


_amp_update_scale_slow = Binding(
    "amp_update_scale",
    (
        "Void (Tensor scale, Tensor growth_tracker, Tensor found_inf, Double growth_factor, Double backoff_factor, Int64 growth_interval) => AmpUpdateScale",
    ),
    (_amp_update_scale,),
)


def amp_update_scale(
    scale=_missing,
    growth_tracker=_missing,
    found_inf=_missing,
    growth_factor=_missing,
    backoff_factor=_missing,
    growth_interval=_missing,
    *extra,
    **unknown,
):
    """the next scale of a loss, in place, from whether something overflowed with this one

    Void (Tensor scale, Tensor growth_tracker, Tensor found_inf, Double growth_factor, Double backoff_factor, Int64 growth_interval)
    """
    if (
        scale.__class__ is Tensor
        and growth_tracker.__class__ is Tensor
        and found_inf.__class__ is Tensor
        and growth_factor.__class__ is float
        and backoff_factor.__class__ is float
        and growth_interval.__class__ is int
        and not extra
        and not unknown
    ):
        return _amp_update_scale(scale, growth_tracker, found_inf, growth_factor, backoff_factor, growth_interval)
    return _amp_update_scale_slow(
        (scale, growth_tracker, found_inf, growth_factor, backoff_factor, growth_interval), extra, unknown
    )


_view_slow = Binding("view", ("Tensor (Tensor x, Shape shape) => View",), (_view,), is_method=True)


def view(x=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor x, Shape shape)"""
    if (
        x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _view(x, shape)
    if x.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _view(x, (shape, *extra))
    return _view_slow((x, shape), extra, unknown)


_reshape_slow = Binding("reshape", ("Tensor (Tensor input, Shape shape) => Reshape",), (_reshape,), is_method=True)


def reshape(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _reshape(input, shape)
    if input.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _reshape(input, (shape, *extra))
    return _reshape_slow((input, shape), extra, unknown)


_flatten_slow = Binding(
    "flatten", ("Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1) => Flatten",), (_flatten,), is_method=True
)


def flatten(input=_missing, start_dim=0, end_dim=-1, *extra, **unknown):
    """Tensor (Tensor input, Int32 start_dim=0, Int32 end_dim=-1)"""
    if (
        input.__class__ is Tensor
        and start_dim.__class__ is int
        and end_dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _flatten(input, start_dim, end_dim)
    return _flatten_slow((input, start_dim, end_dim), extra, unknown)


_permute_slow = Binding("permute", ("Tensor (Tensor input, Int32List dims) => Permute",), (_permute,), is_method=True)


def permute(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _permute(input, dims)
    if input.__class__ is Tensor and dims.__class__ is int and not unknown and all_ints(extra):
        return _permute(input, (dims, *extra))
    return _permute_slow((input, dims), extra, unknown)


_permute_inverse_slow = Binding(
    "permute_inverse", ("Tensor (Tensor input, Int32List dims) => PermuteInverse",), (_permute_inverse,)
)


def permute_inverse(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _permute_inverse(input, dims)
    return _permute_inverse_slow((input, dims), extra, unknown)


_transpose_slow = Binding(
    "transpose", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,), is_method=True
)


def transpose(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _transpose_slow((input, dim0, dim1), extra, unknown)


_swapaxes_slow = Binding("swapaxes", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,))


def swapaxes(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapaxes_slow((input, dim0, dim1), extra, unknown)


_swapdims_slow = Binding("swapdims", ("Tensor (Tensor input, Int32 dim0, Int32 dim1) => Transpose",), (_transpose,))


def swapdims(input=_missing, dim0=_missing, dim1=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim0, Int32 dim1)"""
    if input.__class__ is Tensor and dim0.__class__ is int and dim1.__class__ is int and not extra and not unknown:
        return _transpose(input, dim0, dim1)
    return _swapdims_slow((input, dim0, dim1), extra, unknown)


_t_slow = Binding("t", ("Tensor (Tensor input) => MatrixTranspose",), (_matrix_transpose,), is_method=True)


def t(input=_missing, *extra, **unknown):
    """Tensor (Tensor input)"""
    if input.__class__ is Tensor and not extra and not unknown:
        return _matrix_transpose(input)
    return _t_slow((input,), extra, unknown)


_movedim_slow = Binding(
    "movedim",
    ("Tensor (Tensor input, Int32List[1] source, Int32List[1] destination) => Movedim",),
    (_movedim,),
    is_method=True,
)


def movedim(input=_missing, source=_missing, destination=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32List[1] source, Int32List[1] destination)"""
    if (
        input.__class__ is Tensor
        and (source.__class__ is int or source.__class__ is Size or source.__class__ is tuple and all_ints(source))
        and (
            destination.__class__ is int
            or destination.__class__ is Size
            or destination.__class__ is tuple
            and all_ints(destination)
        )
        and not extra
        and not unknown
    ):
        return _movedim(
            input,
            (source,) if source.__class__ is int else source,
            (destination,) if destination.__class__ is int else destination,
        )
    return _movedim_slow((input, source, destination), extra, unknown)


_expand_slow = Binding("expand", ("Tensor (Tensor input, Shape shape) => Expand",), (_expand,), is_method=True)


def expand(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _expand(input, shape)
    if input.__class__ is Tensor and shape.__class__ is int and not unknown and all_ints(extra):
        return _expand(input, (shape, *extra))
    return _expand_slow((input, shape), extra, unknown)


_broadcast_to_slow = Binding("broadcast_to", ("Tensor (Tensor input, Shape shape) => Expand",), (_expand,))


def broadcast_to(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _expand(input, shape)
    return _broadcast_to_slow((input, shape), extra, unknown)


_expand_as_slow = Binding(
    "expand_as", ("Tensor (Tensor input, Tensor other) => ExpandAs",), (_expand_as,), is_method=True
)


def expand_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _expand_as(input, other)
    return _expand_as_slow((input, other), extra, unknown)


_view_as_slow = Binding("view_as", ("Tensor (Tensor input, Tensor other) => ViewAs",), (_view_as,), is_method=True)


def view_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _view_as(input, other)
    return _view_as_slow((input, other), extra, unknown)


_reshape_as_slow = Binding(
    "reshape_as", ("Tensor (Tensor input, Tensor other) => ReshapeAs",), (_reshape_as,), is_method=True
)


def reshape_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _reshape_as(input, other)
    return _reshape_as_slow((input, other), extra, unknown)


_sum_to_slow = Binding("sum_to", ("Tensor (Tensor input, Shape shape) => SumTo",), (_sum_to,))


def sum_to(input=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape shape)"""
    if (
        input.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _sum_to(input, shape)
    return _sum_to_slow((input, shape), extra, unknown)


_squeeze_slow = Binding(
    "squeeze", ("Tensor (Tensor input, Int32List[1] dim=None) => Squeeze",), (_squeeze,), is_method=True
)


def squeeze(input=_missing, dim=None, *extra, **unknown):
    """Tensor (Tensor input, Int32List[1] dim=None)"""
    if (
        input.__class__ is Tensor
        and (dim is None or dim.__class__ is int or dim.__class__ is Size or dim.__class__ is tuple and all_ints(dim))
        and not extra
        and not unknown
    ):
        return _squeeze(input, (dim,) if dim.__class__ is int else dim)
    if input.__class__ is Tensor and dim.__class__ is int and not unknown and all_ints(extra):
        return _squeeze(input, (dim, *extra))
    return _squeeze_slow((input, dim), extra, unknown)


_unsqueeze_slow = Binding(
    "unsqueeze", ("Tensor (Tensor input, Int32 dim) => Unsqueeze",), (_unsqueeze,), is_method=True
)


def unsqueeze(input=_missing, dim=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim)"""
    if input.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _unsqueeze_slow((input, dim), extra, unknown)


_expand_dims_slow = Binding("expand_dims", ("Tensor (Tensor input, Int32 dim) => Unsqueeze",), (_unsqueeze,))


def expand_dims(input=_missing, dim=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim)"""
    if input.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unsqueeze(input, dim)
    return _expand_dims_slow((input, dim), extra, unknown)


_select_slow = Binding(
    "select", ("Tensor (Tensor input, Int32 dim, Int32 index) => Select",), (_select,), is_method=True
)


def select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim, Int32 index)"""
    if input.__class__ is Tensor and dim.__class__ is int and index.__class__ is int and not extra and not unknown:
        return _select(input, dim, index)
    return _select_slow((input, dim, index), extra, unknown)


_select_grad_slow = Binding(
    "select_grad", ("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index) => SelectGrad",), (_select_grad,)
)


def select_grad(dy=_missing, shape=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int32 index)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and index.__class__ is int
        and not extra
        and not unknown
    ):
        return _select_grad(dy, shape, dim, index)
    return _select_grad_slow((dy, shape, dim, index), extra, unknown)


_narrow_slow = Binding(
    "narrow", ("Tensor (Tensor input, Int32 dim, Int64 start, Int64 length) => Narrow",), (_narrow,), is_method=True
)


def narrow(input=_missing, dim=_missing, start=_missing, length=_missing, *extra, **unknown):
    """Tensor (Tensor input, Int32 dim, Int64 start, Int64 length)"""
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and start.__class__ is int
        and length.__class__ is int
        and not extra
        and not unknown
    ):
        return _narrow(input, dim, start, length)
    return _narrow_slow((input, dim, start, length), extra, unknown)


_slice_slow = Binding(
    "slice", ("Tensor (Tensor x, Int64List start, Int64List stop, Int64List step) => Slice",), (_slice,)
)


def slice(x=_missing, start=_missing, stop=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor x, Int64List start, Int64List stop, Int64List step)"""
    if (
        x.__class__ is Tensor
        and (start.__class__ is Size or start.__class__ is tuple and all_ints(start))
        and (stop.__class__ is Size or stop.__class__ is tuple and all_ints(stop))
        and (step.__class__ is Size or step.__class__ is tuple and all_ints(step))
        and not extra
        and not unknown
    ):
        return _slice(x, start, stop, step)
    return _slice_slow((x, start, stop, step), extra, unknown)


_slice_grad_slow = Binding(
    "slice_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step) => SliceGrad",),
    (_slice_grad,),
)


def slice_grad(
    dy=_missing, shape=_missing, dim=_missing, start=_missing, length=_missing, step=_missing, *extra, **unknown
):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int64 start, Int64 length, Int64 step)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and start.__class__ is int
        and length.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _slice_grad(dy, shape, dim, start, length, step)
    return _slice_grad_slow((dy, shape, dim, start, length, step), extra, unknown)


_region_grad_slow = Binding(
    "region_grad",
    ("Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements) => RegionGrad",),
    (_region_grad,),
)


def region_grad(dy=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Shape region_stride, Int64 elements)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (region_stride.__class__ is Size or region_stride.__class__ is tuple and all_ints(region_stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _region_grad(dy, shape, region_stride, elements)
    return _region_grad_slow((dy, shape, region_stride, elements), extra, unknown)


_region_slow = Binding(
    "region", ("Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements) => Region",), (_region,)
)


def region(x=_missing, shape=_missing, region_stride=_missing, elements=_missing, *extra, **unknown):
    """Tensor (Tensor x, Shape shape, Shape region_stride, Int64 elements)"""
    if (
        x.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (region_stride.__class__ is Size or region_stride.__class__ is tuple and all_ints(region_stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _region(x, shape, region_stride, elements)
    return _region_slow((x, shape, region_stride, elements), extra, unknown)


_as_strided_slow = Binding(
    "as_strided",
    ("Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None) => AsStrided",),
    (_as_strided,),
    is_method=True,
)


def as_strided(input=_missing, size=_missing, stride=_missing, storage_offset=None, *extra, **unknown):
    """Tensor (Tensor input, Shape size, Shape stride, Int64 storage_offset=None)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and (storage_offset is None or storage_offset.__class__ is int)
        and not extra
        and not unknown
    ):
        return _as_strided(input, size, stride, storage_offset)
    return _as_strided_slow((input, size, stride, storage_offset), extra, unknown)


_as_strided_grad_slow = Binding(
    "as_strided_grad",
    ("Tensor (Tensor dy, Shape shape, Shape input_stride, Shape size, Shape stride, Int64 elements) => AsStridedGrad",),
    (_as_strided_grad,),
)


def as_strided_grad(
    dy=_missing,
    shape=_missing,
    input_stride=_missing,
    size=_missing,
    stride=_missing,
    elements=_missing,
    *extra,
    **unknown,
):
    """Tensor (Tensor dy, Shape shape, Shape input_stride, Shape size, Shape stride, Int64 elements)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and (input_stride.__class__ is Size or input_stride.__class__ is tuple and all_ints(input_stride))
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (stride.__class__ is Size or stride.__class__ is tuple and all_ints(stride))
        and elements.__class__ is int
        and not extra
        and not unknown
    ):
        return _as_strided_grad(dy, shape, input_stride, size, stride, elements)
    return _as_strided_grad_slow((dy, shape, input_stride, size, stride, elements), extra, unknown)


_diagonal_slow = Binding(
    "diagonal",
    ("Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1) => Diagonal",),
    (_diagonal,),
    is_method=True,
)


def diagonal(input=_missing, offset=0, dim1=0, dim2=1, *extra, **unknown):
    """Tensor (Tensor input, Int32 offset=0, Int32 dim1=0, Int32 dim2=1)"""
    if (
        input.__class__ is Tensor
        and offset.__class__ is int
        and dim1.__class__ is int
        and dim2.__class__ is int
        and not extra
        and not unknown
    ):
        return _diagonal(input, offset, dim1, dim2)
    return _diagonal_slow((input, offset, dim1, dim2), extra, unknown)


_diagonal_grad_slow = Binding(
    "diagonal_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2) => DiagonalGrad",),
    (_diagonal_grad,),
)


def diagonal_grad(dy=_missing, shape=_missing, offset=_missing, dim1=_missing, dim2=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 offset, Int32 dim1, Int32 dim2)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and offset.__class__ is int
        and dim1.__class__ is int
        and dim2.__class__ is int
        and not extra
        and not unknown
    ):
        return _diagonal_grad(dy, shape, offset, dim1, dim2)
    return _diagonal_grad_slow((dy, shape, offset, dim1, dim2), extra, unknown)


_unfold_tensor_slow = Binding(
    "unfold_tensor",
    ("Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step) => UnfoldTensor",),
    (_unfold_tensor,),
    is_method=True,
)


def unfold_tensor(x=_missing, dimension=_missing, size=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor x, Int32 dimension, Int32 size, Int32 step)"""
    if (
        x.__class__ is Tensor
        and dimension.__class__ is int
        and size.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _unfold_tensor(x, dimension, size, step)
    return _unfold_tensor_slow((x, dimension, size, step), extra, unknown)


_unfold_tensor_grad_slow = Binding(
    "unfold_tensor_grad",
    ("Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step) => UnfoldTensorGrad",),
    (_unfold_tensor_grad,),
)


def unfold_tensor_grad(dy=_missing, shape=_missing, dim=_missing, size=_missing, step=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Shape shape, Int32 dim, Int32 size, Int32 step)"""
    if (
        dy.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and size.__class__ is int
        and step.__class__ is int
        and not extra
        and not unknown
    ):
        return _unfold_tensor_grad(dy, shape, dim, size, step)
    return _unfold_tensor_grad_slow((dy, shape, dim, size, step), extra, unknown)


_split_slow = Binding(
    "split",
    (
        "TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0) => Split",
        "TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0) => SplitSections",
    ),
    (_split, _split_sections),
    is_method=True,
)


def split(x=_missing, split_size_or_sections=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int64 split_size_or_sections, Int32 dim=0)
    TensorTuple (Tensor x, Int64List split_size_or_sections, Int32 dim=0)
    """
    if (
        x.__class__ is Tensor
        and split_size_or_sections.__class__ is int
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _split(x, split_size_or_sections, dim)
    if (
        x.__class__ is Tensor
        and (
            split_size_or_sections.__class__ is Size
            or split_size_or_sections.__class__ is tuple
            and all_ints(split_size_or_sections)
        )
        and dim.__class__ is int
        and not extra
        and not unknown
    ):
        return _split_sections(x, split_size_or_sections, dim)
    return _split_slow((x, split_size_or_sections, dim), extra, unknown)


_chunk_slow = Binding(
    "chunk", ("TensorTuple (Tensor x, Int64 chunks, Int32 dim=0) => Chunk",), (_chunk,), is_method=True
)


def chunk(x=_missing, chunks=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int64 chunks, Int32 dim=0)"""
    if x.__class__ is Tensor and chunks.__class__ is int and dim.__class__ is int and not extra and not unknown:
        return _chunk(x, chunks, dim)
    return _chunk_slow((x, chunks, dim), extra, unknown)


_unbind_slow = Binding("unbind", ("TensorTuple (Tensor x, Int32 dim=0) => Unbind",), (_unbind,), is_method=True)


def unbind(x=_missing, dim=0, *extra, **unknown):
    """TensorTuple (Tensor x, Int32 dim=0)"""
    if x.__class__ is Tensor and dim.__class__ is int and not extra and not unknown:
        return _unbind(x, dim)
    return _unbind_slow((x, dim), extra, unknown)


_contiguous_slow = Binding("contiguous", ("Tensor (Tensor input) => Contiguous",), (_contiguous,), is_method=True)


def contiguous(input=_missing, *extra, **unknown):
    """Tensor (Tensor input)"""
    if input.__class__ is Tensor and not extra and not unknown:
        return _contiguous(input)
    return _contiguous_slow((input,), extra, unknown)


_cat_slow = Binding("cat", ("Tensor (TensorTuple tensors, Int32 dim=0) => Cat",), (_cat,))


def cat(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _cat(tensors, dim)
    return _cat_slow((tensors, dim), extra, unknown)


_concat_slow = Binding("concat", ("Tensor (TensorTuple tensors, Int32 dim=0) => Cat",), (_cat,))


def concat(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _cat(tensors, dim)
    return _concat_slow((tensors, dim), extra, unknown)


_stack_slow = Binding("stack", ("Tensor (TensorTuple tensors, Int32 dim=0) => Stack",), (_stack,))


def stack(tensors=_missing, dim=0, *extra, **unknown):
    """Tensor (TensorTuple tensors, Int32 dim=0)"""
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and all_tensors(tensors):
        return _stack(tensors, dim)
    return _stack_slow((tensors, dim), extra, unknown)


_hstack_slow = Binding("hstack", ("Tensor (TensorTuple tensors) => Hstack",), (_hstack,))


def hstack(tensors=_missing, *extra, **unknown):
    """Tensor (TensorTuple tensors)"""
    if tensors.__class__ is tuple and not extra and not unknown and all_tensors(tensors):
        return _hstack(tensors)
    if tensors.__class__ is Tensor and not unknown and all_tensors(extra):
        return _hstack((tensors, *extra))
    return _hstack_slow((tensors,), extra, unknown)


_vstack_slow = Binding("vstack", ("Tensor (TensorTuple tensors) => Vstack",), (_vstack,))


def vstack(tensors=_missing, *extra, **unknown):
    """Tensor (TensorTuple tensors)"""
    if tensors.__class__ is tuple and not extra and not unknown and all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is Tensor and not unknown and all_tensors(extra):
        return _vstack((tensors, *extra))
    return _vstack_slow((tensors,), extra, unknown)


_pad_slow = Binding(
    "pad", ("Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0) => Pad",), (_pad,)
)


def pad(input=_missing, pad=_missing, mode="constant", value=0, *extra, **unknown):
    """the input with a constant around its last dimensions

    Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0)
    """
    if (
        input.__class__ is Tensor
        and (pad.__class__ is Size or pad.__class__ is tuple and all_ints(pad))
        and mode.__class__ is str
        and (value.__class__ is int or value.__class__ is float)
        and not extra
        and not unknown
    ):
        return _pad(input, pad, mode, value)
    return _pad_slow((input, pad, mode, value), extra, unknown)


_repeat_slow = Binding("repeat", ("Tensor (Tensor input, Shape repeats) => Repeat",), (_repeat,), is_method=True)


def repeat(input=_missing, repeats=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape repeats)"""
    if (
        input.__class__ is Tensor
        and (repeats.__class__ is Size or repeats.__class__ is tuple and all_ints(repeats))
        and not extra
        and not unknown
    ):
        return _repeat(input, repeats)
    if input.__class__ is Tensor and repeats.__class__ is int and not unknown and all_ints(extra):
        return _repeat(input, (repeats, *extra))
    return _repeat_slow((input, repeats), extra, unknown)


_tile_slow = Binding("tile", ("Tensor (Tensor input, Shape dims) => Tile",), (_tile,), is_method=True)


def tile(input=_missing, dims=_missing, *extra, **unknown):
    """Tensor (Tensor input, Shape dims)"""
    if (
        input.__class__ is Tensor
        and (dims.__class__ is Size or dims.__class__ is tuple and all_ints(dims))
        and not extra
        and not unknown
    ):
        return _tile(input, dims)
    if input.__class__ is Tensor and dims.__class__ is int and not unknown and all_ints(extra):
        return _tile(input, (dims, *extra))
    return _tile_slow((input, dims), extra, unknown)


_detach_slow = Binding("detach", ("Tensor (Tensor x) => Detach",), (_detach,), is_method=True)


def detach(x=_missing, *extra, **unknown):
    """Tensor (Tensor x)"""
    if x.__class__ is Tensor and not extra and not unknown:
        return _detach(x)
    return _detach_slow((x,), extra, unknown)


_cast_slow = Binding("cast", ("Tensor (Tensor x, DataType dtype) => Cast",), (_cast,))


def cast(x=_missing, dtype=_missing, *extra, **unknown):
    """the input in another dtype

    Tensor (Tensor x, DataType dtype)
    """
    if x.__class__ is Tensor and dtype.__class__ is DType and not extra and not unknown:
        return _cast(x, dtype)
    return _cast_slow((x, dtype), extra, unknown)


_to_slow = Binding(
    "to",
    (
        "Tensor (Tensor input, DataType dtype, Bool copy=False) => ToDtype",
        "Tensor (Tensor input, Device device=None, DataType dtype=None, Bool copy=False) => ToDevice",
        "Tensor (Tensor input, Tensor other, Bool copy=False) => ToOther",
    ),
    (_to_dtype, _to_device, _to_other),
    is_method=True,
)


def to(input=_missing, device=_missing, dtype=_missing, copy=_missing, *extra, other=_missing, **unknown):
    """the input in another dtype or on another device

    Tensor (Tensor input, DataType dtype, Bool copy=False)
    Tensor (Tensor input, Device device=None, DataType dtype=None, Bool copy=False)
    Tensor (Tensor input, Tensor other, Bool copy=False)
    """
    if (
        input.__class__ is Tensor
        and device.__class__ is DType
        and dtype is _missing
        and copy is _missing
        and other is _missing
        and not extra
        and not unknown
    ):
        return _to_dtype(input, device, False)
    if (
        input.__class__ is Tensor
        and device.__class__ is Tensor
        and dtype is _missing
        and copy is _missing
        and other is _missing
        and not extra
        and not unknown
    ):
        return _to_other(input, device, False)
    return _to_slow((input, device, dtype, copy, other), extra, unknown)


_type_as_slow = Binding("type_as", ("Tensor (Tensor input, Tensor other) => TypeAs",), (_type_as,), is_method=True)


def type_as(input=_missing, other=_missing, *extra, **unknown):
    """Tensor (Tensor input, Tensor other)"""
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _type_as(input, other)
    return _type_as_slow((input, other), extra, unknown)


_clone_slow = Binding("clone", ("Tensor (Tensor input) => Clone",), (_clone,), is_method=True)


def clone(input=_missing, *extra, **unknown):
    """a copy of the input

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _clone(input)
    return _clone_slow((input,), extra, unknown)


_copy__slow = Binding("copy_", ("Tensor (Tensor input, Tensor other) => Copy",), (_copy,), is_method=True)


def copy_(input=_missing, other=_missing, *extra, **unknown):
    """other, broadcast and cast, written over input

    Tensor (Tensor input, Tensor other)
    """
    if input.__class__ is Tensor and other.__class__ is Tensor and not extra and not unknown:
        return _copy(input, other)
    return _copy__slow((input, other), extra, unknown)


_fill__slow = Binding(
    "fill_",
    ("Tensor (Tensor input, Scalar value) => Fill", "Tensor (Tensor input, Tensor value) => FillTensor"),
    (_fill, _fill_tensor),
    is_method=True,
)


def fill_(input=_missing, value=_missing, *extra, **unknown):
    """one number written over input

    Tensor (Tensor input, Scalar value)
    Tensor (Tensor input, Tensor value)
    """
    if input.__class__ is Tensor and (value.__class__ is float or value.__class__ is int) and not extra and not unknown:
        return _fill(input, value)
    return _fill__slow((input, value), extra, unknown)


_zero__slow = Binding("zero_", ("Tensor (Tensor input) => Zero",), (_zero,), is_method=True)


def zero_(input=_missing, *extra, **unknown):
    """zeros written over input

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _zero(input)
    return _zero__slow((input,), extra, unknown)


_argwhere_slow = Binding("argwhere", ("Tensor (Tensor input) => NonZero",), (_non_zero,), is_method=True)


def argwhere(input=_missing, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Tensor (Tensor input)
    """
    if input.__class__ is Tensor and not extra and not unknown:
        return _non_zero(input)
    return _argwhere_slow((input,), extra, unknown)


_nonzero_slow = Binding(
    "nonzero", ("Tensor (Tensor input, Bool as_tuple=False) => NonZero",), (_non_zero,), is_method=True
)


def nonzero(input=_missing, as_tuple=False, *extra, **unknown):
    """the coordinates of the elements that are not zero, a row each

    Tensor (Tensor input, Bool as_tuple=False)
    """
    if input.__class__ is Tensor and (as_tuple is False or as_tuple is True) and not extra and not unknown:
        return _non_zero(input, as_tuple)
    return _nonzero_slow((input, as_tuple), extra, unknown)


_masked_select_slow = Binding(
    "masked_select", ("Tensor (Tensor input, Tensor mask) => MaskedSelect",), (_masked_select,), is_method=True
)


def masked_select(input=_missing, mask=_missing, *extra, **unknown):
    """the elements where the mask is true, as a vector

    Tensor (Tensor input, Tensor mask)
    """
    if input.__class__ is Tensor and mask.__class__ is Tensor and not extra and not unknown:
        return _masked_select(input, mask)
    return _masked_select_slow((input, mask), extra, unknown)


_masked_fill_slow = Binding(
    "masked_fill",
    (
        "Tensor (Tensor input, Tensor mask, Tensor value, *, Bool inplace=False) => MaskedFillTensor",
        "Tensor (Tensor input, Tensor mask, Scalar value, *, Bool inplace=False) => MaskedFill",
    ),
    (_masked_fill_tensor, _masked_fill),
    is_method=True,
)


def masked_fill(input=_missing, mask=_missing, value=_missing, *extra, inplace=False, **unknown):
    """a number where a mask holds

    Tensor (Tensor input, Tensor mask, Tensor value, *, Bool inplace=False)
    Tensor (Tensor input, Tensor mask, Scalar value, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and mask.__class__ is Tensor
        and value.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _masked_fill_tensor(input, mask, value, inplace)
    if (
        input.__class__ is Tensor
        and mask.__class__ is Tensor
        and (value.__class__ is float or value.__class__ is int)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _masked_fill(input, mask, value, inplace)
    return _masked_fill_slow((input, mask, value, inplace), extra, unknown)


_masked_fill__slow = Binding(
    "masked_fill_",
    (
        "Tensor (Tensor input, Tensor mask, Tensor value) => MaskedFillTensor",
        "Tensor (Tensor input, Tensor mask, Scalar value) => MaskedFill",
    ),
    (partial(_masked_fill_tensor, inplace=True), partial(_masked_fill, inplace=True)),
    is_method=True,
)


def masked_fill_(input=_missing, mask=_missing, value=_missing, *extra, **unknown):
    """In place: a number where a mask holds

    Tensor (Tensor input, Tensor mask, Tensor value)
    Tensor (Tensor input, Tensor mask, Scalar value)
    """
    if (
        input.__class__ is Tensor
        and mask.__class__ is Tensor
        and value.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _masked_fill_tensor(input, mask, value, inplace=True)
    if (
        input.__class__ is Tensor
        and mask.__class__ is Tensor
        and (value.__class__ is float or value.__class__ is int)
        and not extra
        and not unknown
    ):
        return _masked_fill(input, mask, value, inplace=True)
    return _masked_fill__slow((input, mask, value), extra, unknown)


_index_get_slow = Binding(
    "index_get", ("Tensor (Tensor input, TensorTuple indices, Int32 dim=0, Bool wrap=True) => IndexGet",), (_index_get,)
)


def index_get(input=_missing, indices=_missing, dim=0, wrap=True, *extra, **unknown):
    """the elements at index tensors for neighbouring dimensions

    Tensor (Tensor input, TensorTuple indices, Int32 dim=0, Bool wrap=True)
    """
    if (
        input.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (wrap is True or wrap is False)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_get(input, indices, dim, wrap)
    return _index_get_slow((input, indices, dim, wrap), extra, unknown)


_index_get_grad_slow = Binding(
    "index_get_grad",
    ("Tensor (Tensor dy, TensorTuple indices, Shape shape, Int32 dim, Bool wrap) => IndexGetGrad",),
    (_index_get_grad,),
)


def index_get_grad(dy=_missing, indices=_missing, shape=_missing, dim=_missing, wrap=_missing, *extra, **unknown):
    """zeros with dy added at the indices

    Tensor (Tensor dy, TensorTuple indices, Shape shape, Int32 dim, Bool wrap)
    """
    if (
        dy.__class__ is Tensor
        and indices.__class__ is tuple
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dim.__class__ is int
        and (wrap is False or wrap is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_get_grad(dy, indices, shape, dim, wrap)
    return _index_get_grad_slow((dy, indices, shape, dim, wrap), extra, unknown)


_index_put_slow = Binding(
    "index_put",
    (
        "Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool wrap=True, Bool inplace=False) => IndexPut",
    ),
    (_index_put,),
)


def index_put(
    input=_missing,
    value=_missing,
    indices=_missing,
    dim=0,
    accumulate=False,
    wrap=True,
    inplace=False,
    *extra,
    **unknown,
):
    """input with value written (or added) at index tensors for neighbouring dimensions

    Tensor (Tensor input, Tensor value, TensorTuple indices, Int32 dim=0, Bool accumulate=False, Bool wrap=True, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and value.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (accumulate is False or accumulate is True)
        and (wrap is True or wrap is False)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_put(input, value, indices, dim, accumulate, wrap, inplace)
    return _index_put_slow((input, value, indices, dim, accumulate, wrap, inplace), extra, unknown)


_index_put_grad_slow = Binding(
    "index_put_grad",
    ("Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate) => IndexPutGrad",),
    (_index_put_grad,),
)


def index_put_grad(dy=_missing, indices=_missing, dim=_missing, accumulate=_missing, *extra, **unknown):
    """Tensor (Tensor dy, TensorTuple indices, Int32 dim, Bool accumulate)"""
    if (
        dy.__class__ is Tensor
        and indices.__class__ is tuple
        and dim.__class__ is int
        and (accumulate is False or accumulate is True)
        and not extra
        and not unknown
        and all_tensors(indices)
    ):
        return _index_put_grad(dy, indices, dim, accumulate)
    return _index_put_grad_slow((dy, indices, dim, accumulate), extra, unknown)


_index_select_slow = Binding(
    "index_select", ("Tensor (Tensor input, Int32 dim, Tensor index) => IndexSelect",), (_index_select,), is_method=True
)


def index_select(input=_missing, dim=_missing, index=_missing, *extra, **unknown):
    """the entries of a dimension at the indices of a vector

    Tensor (Tensor input, Int32 dim, Tensor index)
    """
    if input.__class__ is Tensor and dim.__class__ is int and index.__class__ is Tensor and not extra and not unknown:
        return _index_select(input, dim, index)
    return _index_select_slow((input, dim, index), extra, unknown)


_index_add_slow = Binding(
    "index_add",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False) => IndexAdd",
    ),
    (_index_add,),
    is_method=True,
)


def index_add(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, inplace=False, **unknown):
    """input with alpha * source added at the indices of a vector along a dimension

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and source.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _index_add(input, dim, index, source, alpha, inplace)
    return _index_add_slow((input, dim, index, source, alpha, inplace), extra, unknown)


_index_add__slow = Binding(
    "index_add_",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1) => IndexAdd",),
    (partial(_index_add, inplace=True),),
    is_method=True,
)


def index_add_(input=_missing, dim=_missing, index=_missing, source=_missing, *extra, alpha=1, **unknown):
    """In place: input with alpha * source added at the indices of a vector along a dimension

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor source, *, Scalar alpha=1)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and source.__class__ is Tensor
        and (alpha.__class__ is int or alpha.__class__ is float)
        and not extra
        and not unknown
    ):
        return _index_add(input, dim, index, source, alpha, inplace=True)
    return _index_add__slow((input, dim, index, source, alpha), extra, unknown)


_gather_slow = Binding(
    "gather",
    ("Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False) => Gather",),
    (_gather,),
    is_method=True,
)


def gather(input=_missing, dim=_missing, index=_missing, *extra, sparse_grad=False, **unknown):
    """y[i][j] = input[index[i][j]][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, *, Bool sparse_grad=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (sparse_grad is False or sparse_grad is True)
        and not extra
        and not unknown
    ):
        return _gather(input, dim, index, sparse_grad)
    return _gather_slow((input, dim, index, sparse_grad), extra, unknown)


_gather_grad_slow = Binding(
    "gather_grad", ("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape) => GatherGrad",), (_gather_grad,)
)


def gather_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """zeros with dy added where gather read

    Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)
    """
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _gather_grad(dy, dim, index, shape)
    return _gather_grad_slow((dy, dim, index, shape), extra, unknown)


_scatter_slow = Binding(
    "scatter",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None, Bool inplace=False) => Scatter",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None, Bool inplace=False) => ScatterScalar",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None, Bool inplace=False) => ScatterScalar",
    ),
    (_scatter, _scatter_scalar, _scatter_scalar),
    is_method=True,
)


def scatter(
    input=_missing,
    dim=_missing,
    index=_missing,
    src=_missing,
    *extra,
    reduce=None,
    inplace=False,
    value=_missing,
    **unknown,
):
    """input with input[index[i][j]][j] = src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None, Bool inplace=False)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None, Bool inplace=False)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (reduce is None or reduce.__class__ is str)
        and (inplace is False or inplace is True)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter(input, dim, index, src, reduce, inplace)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (src.__class__ is float or src.__class__ is int)
        and (reduce is None or reduce.__class__ is str)
        and (inplace is False or inplace is True)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter_scalar(input, dim, index, src, reduce, inplace)
    return _scatter_slow((input, dim, index, src, reduce, inplace, value), extra, unknown)


_scatter__slow = Binding(
    "scatter_",
    (
        "Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None) => Scatter",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None) => ScatterScalar",
        "Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None) => ScatterScalar",
    ),
    (partial(_scatter, inplace=True), partial(_scatter_scalar, inplace=True), partial(_scatter_scalar, inplace=True)),
    is_method=True,
)


def scatter_(
    input=_missing, dim=_missing, index=_missing, src=_missing, *extra, reduce=None, value=_missing, **unknown
):
    """In place: input with input[index[i][j]][j] = src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, String reduce=None)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar src, *, String reduce=None)
    Tensor (Tensor input, Int32 dim, Tensor index, Scalar value, *, String reduce=None)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (reduce is None or reduce.__class__ is str)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter(input, dim, index, src, reduce, inplace=True)
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (src.__class__ is float or src.__class__ is int)
        and (reduce is None or reduce.__class__ is str)
        and value is _missing
        and not extra
        and not unknown
    ):
        return _scatter_scalar(input, dim, index, src, reduce, inplace=True)
    return _scatter__slow((input, dim, index, src, reduce, value), extra, unknown)


_scatter_add_slow = Binding(
    "scatter_add",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False) => ScatterAdd",),
    (CASTING["_scatter_add"],),
    is_method=True,
)


def scatter_add(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, inplace=False, **unknown):
    """input with input[index[i][j]][j] += src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _scatter_add(input, dim, index, src, inplace)
    return _scatter_add_slow((input, dim, index, src, inplace), extra, unknown)


_scatter_add__slow = Binding(
    "scatter_add_",
    ("Tensor (Tensor input, Int32 dim, Tensor index, Tensor src) => ScatterAdd",),
    (partial(CASTING["_scatter_add"], inplace=True),),
    is_method=True,
)


def scatter_add_(input=_missing, dim=_missing, index=_missing, src=_missing, *extra, **unknown):
    """In place: input with input[index[i][j]][j] += src[i][j] for dim 0

    Tensor (Tensor input, Int32 dim, Tensor index, Tensor src)
    """
    if (
        input.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and src.__class__ is Tensor
        and not extra
        and not unknown
    ):
        return _scatter_add(input, dim, index, src, inplace=True)
    return _scatter_add__slow((input, dim, index, src), extra, unknown)


_scatter_grad_slow = Binding(
    "scatter_grad", ("Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate) => ScatterGrad",), (_scatter_grad,)
)


def scatter_grad(dy=_missing, dim=_missing, index=_missing, accumulate=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Int32 dim, Tensor index, Bool accumulate)"""
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (accumulate is False or accumulate is True)
        and not extra
        and not unknown
    ):
        return _scatter_grad(dy, dim, index, accumulate)
    return _scatter_grad_slow((dy, dim, index, accumulate), extra, unknown)


_scatter_source_grad_slow = Binding(
    "scatter_source_grad",
    ("Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape) => ScatterSourceGrad",),
    (_scatter_source_grad,),
)


def scatter_source_grad(dy=_missing, dim=_missing, index=_missing, shape=_missing, *extra, **unknown):
    """Tensor (Tensor dy, Int32 dim, Tensor index, Shape shape)"""
    if (
        dy.__class__ is Tensor
        and dim.__class__ is int
        and index.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and not extra
        and not unknown
    ):
        return _scatter_source_grad(dy, dim, index, shape)
    return _scatter_source_grad_slow((dy, dim, index, shape), extra, unknown)


_embedding_slow = Binding(
    "embedding",
    (
        "Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, Bool sparse=False) => Embedding",
    ),
    (_embedding,),
)


def embedding(
    input=_missing,
    weight=_missing,
    padding_idx=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    sparse=False,
    *extra,
    **unknown,
):
    """rows of a table; the row `padding_idx` gets no gradient

    Tensor (Tensor input, Tensor weight, Int64 padding_idx=None, Float max_norm=None, Float norm_type=2.0, Bool scale_grad_by_freq=False, Bool sparse=False)
    """
    if (
        input.__class__ is Tensor
        and weight.__class__ is Tensor
        and (padding_idx is None or padding_idx.__class__ is int)
        and (max_norm is None or max_norm.__class__ is float)
        and norm_type.__class__ is float
        and (scale_grad_by_freq is False or scale_grad_by_freq is True)
        and (sparse is False or sparse is True)
        and not extra
        and not unknown
    ):
        return _embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    return _embedding_slow(
        (input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse), extra, unknown
    )


_tril_slow = Binding(
    "tril", ("Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False) => Tril",), (_tril,), is_method=True
)


def tril(input=_missing, diagonal=0, *extra, inplace=False, **unknown):
    """the lower triangle of matrices, zeros elsewhere

    Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and diagonal.__class__ is int
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _tril(input, diagonal, inplace)
    return _tril_slow((input, diagonal, inplace), extra, unknown)


_tril__slow = Binding(
    "tril_", ("Tensor (Tensor input, Int64 diagonal=0) => Tril",), (partial(_tril, inplace=True),), is_method=True
)


def tril_(input=_missing, diagonal=0, *extra, **unknown):
    """In place: the lower triangle of matrices, zeros elsewhere

    Tensor (Tensor input, Int64 diagonal=0)
    """
    if input.__class__ is Tensor and diagonal.__class__ is int and not extra and not unknown:
        return _tril(input, diagonal, inplace=True)
    return _tril__slow((input, diagonal), extra, unknown)


_triu_slow = Binding(
    "triu", ("Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False) => Triu",), (_triu,), is_method=True
)


def triu(input=_missing, diagonal=0, *extra, inplace=False, **unknown):
    """the upper triangle of matrices, zeros elsewhere

    Tensor (Tensor input, Int64 diagonal=0, *, Bool inplace=False)
    """
    if (
        input.__class__ is Tensor
        and diagonal.__class__ is int
        and (inplace is False or inplace is True)
        and not extra
        and not unknown
    ):
        return _triu(input, diagonal, inplace)
    return _triu_slow((input, diagonal, inplace), extra, unknown)


_triu__slow = Binding(
    "triu_", ("Tensor (Tensor input, Int64 diagonal=0) => Triu",), (partial(_triu, inplace=True),), is_method=True
)


def triu_(input=_missing, diagonal=0, *extra, **unknown):
    """In place: the upper triangle of matrices, zeros elsewhere

    Tensor (Tensor input, Int64 diagonal=0)
    """
    if input.__class__ is Tensor and diagonal.__class__ is int and not extra and not unknown:
        return _triu(input, diagonal, inplace=True)
    return _triu__slow((input, diagonal), extra, unknown)


_empty_slow = Binding(
    "empty",
    ("Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Empty",),
    (_empty,),
)


def empty(size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """a tensor with whatever is in its memory

    Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _empty(size, dtype, device, requires_grad)
    if (
        size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _empty((size, *extra), dtype, device, requires_grad)
    return _empty_slow((size, dtype, device, requires_grad), extra, unknown)


_full_slow = Binding(
    "full",
    (
        "Tensor (Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Full",
    ),
    (_full,),
)


def full(size=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """a tensor of one number

    Tensor (Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (fill_value.__class__ is float or fill_value.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _full(size, fill_value, dtype, device, requires_grad)
    return _full_slow((size, fill_value, dtype, device, requires_grad), extra, unknown)


_zeros_slow = Binding(
    "zeros",
    ("Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Zeros",),
    (_zeros,),
)


def zeros(size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """a tensor of zeros

    Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _zeros(size, dtype, device, requires_grad)
    if (
        size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _zeros((size, *extra), dtype, device, requires_grad)
    return _zeros_slow((size, dtype, device, requires_grad), extra, unknown)


_ones_slow = Binding(
    "ones",
    ("Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Ones",),
    (_ones,),
)


def ones(size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """a tensor of ones

    Tensor (Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _ones(size, dtype, device, requires_grad)
    if (
        size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _ones((size, *extra), dtype, device, requires_grad)
    return _ones_slow((size, dtype, device, requires_grad), extra, unknown)


_empty_like_slow = Binding(
    "empty_like",
    ("Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => EmptyLike",),
    (_empty_like,),
)


def empty_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _empty_like(input, dtype, device, requires_grad)
    return _empty_like_slow((input, dtype, device, requires_grad), extra, unknown)


_full_like_slow = Binding(
    "full_like",
    (
        "Tensor (Tensor input, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => FullLike",
    ),
    (_full_like,),
)


def full_like(input=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (fill_value.__class__ is float or fill_value.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _full_like(input, fill_value, dtype, device, requires_grad)
    return _full_like_slow((input, fill_value, dtype, device, requires_grad), extra, unknown)


_zeros_like_slow = Binding(
    "zeros_like",
    ("Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => ZerosLike",),
    (_zeros_like,),
)


def zeros_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _zeros_like(input, dtype, device, requires_grad)
    return _zeros_like_slow((input, dtype, device, requires_grad), extra, unknown)


_ones_like_slow = Binding(
    "ones_like",
    ("Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => OnesLike",),
    (_ones_like,),
)


def ones_like(input=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _ones_like(input, dtype, device, requires_grad)
    return _ones_like_slow((input, dtype, device, requires_grad), extra, unknown)


_new_empty_slow = Binding(
    "new_empty",
    (
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => NewEmpty",
    ),
    (_new_empty,),
    is_method=True,
)


def new_empty(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _new_empty(input, size, dtype, device, requires_grad)
    if (
        input.__class__ is Tensor
        and size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _new_empty(input, (size, *extra), dtype, device, requires_grad)
    return _new_empty_slow((input, size, dtype, device, requires_grad), extra, unknown)


_new_zeros_slow = Binding(
    "new_zeros",
    (
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => NewZeros",
    ),
    (_new_zeros,),
    is_method=True,
)


def new_zeros(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _new_zeros(input, size, dtype, device, requires_grad)
    if (
        input.__class__ is Tensor
        and size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _new_zeros(input, (size, *extra), dtype, device, requires_grad)
    return _new_zeros_slow((input, size, dtype, device, requires_grad), extra, unknown)


_new_ones_slow = Binding(
    "new_ones",
    (
        "Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => NewOnes",
    ),
    (_new_ones,),
    is_method=True,
)


def new_ones(input=_missing, size=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, Shape size, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _new_ones(input, size, dtype, device, requires_grad)
    if (
        input.__class__ is Tensor
        and size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _new_ones(input, (size, *extra), dtype, device, requires_grad)
    return _new_ones_slow((input, size, dtype, device, requires_grad), extra, unknown)


_new_full_slow = Binding(
    "new_full",
    (
        "Tensor (Tensor input, Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => NewFull",
    ),
    (_new_full,),
    is_method=True,
)


def new_full(
    input=_missing, size=_missing, fill_value=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown
):
    """Tensor (Tensor input, Shape size, Scalar fill_value, *, DataType dtype=None, Device device=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (fill_value.__class__ is float or fill_value.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _new_full(input, size, fill_value, dtype, device, requires_grad)
    return _new_full_slow((input, size, fill_value, dtype, device, requires_grad), extra, unknown)


_arange_slow = Binding(
    "arange",
    (
        "Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Arange",
        "Tensor (Scalar end, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => ArangeEnd",
    ),
    (_arange, _arange_end),
)


def arange(start=_missing, end=_missing, step=1, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """from start up to end, in steps

    Tensor (Scalar start, Scalar end, Scalar step=1, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    Tensor (Scalar end, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (start.__class__ is float or start.__class__ is int)
        and (end.__class__ is float or end.__class__ is int)
        and (step.__class__ is int or step.__class__ is float)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _arange(start, end, step, dtype, device, requires_grad)
    if (
        (start.__class__ is float or start.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and end is _missing
        and step.__class__ is int
        and step == 1
        and not extra
        and not unknown
    ):
        return _arange_end(start, dtype, device, requires_grad)
    return _arange_slow((start, end, step, dtype, device, requires_grad), extra, unknown)


_linspace_slow = Binding(
    "linspace",
    (
        "Tensor (Scalar start, Scalar end, Int64 steps, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Linspace",
    ),
    (_linspace,),
)


def linspace(
    start=_missing, end=_missing, steps=_missing, *extra, dtype=None, device=None, requires_grad=False, **unknown
):
    """numbers at equal distances from start to end

    Tensor (Scalar start, Scalar end, Int64 steps, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        (start.__class__ is float or start.__class__ is int)
        and (end.__class__ is float or end.__class__ is int)
        and steps.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _linspace(start, end, steps, dtype, device, requires_grad)
    return _linspace_slow((start, end, steps, dtype, device, requires_grad), extra, unknown)


_eye_slow = Binding(
    "eye",
    ("Tensor (Int64 n, Int64 m=None, *, DataType dtype=None, Device device=None, Bool requires_grad=False) => Eye",),
    (_eye,),
)


def eye(n=_missing, m=None, *extra, dtype=None, device=None, requires_grad=False, **unknown):
    """ones on the diagonal, zeros elsewhere

    Tensor (Int64 n, Int64 m=None, *, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        n.__class__ is int
        and (m is None or m.__class__ is int)
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _eye(n, m, dtype, device, requires_grad)
    return _eye_slow((n, m, dtype, device, requires_grad), extra, unknown)


_one_hot_slow = Binding("one_hot", ("Tensor (Tensor input, Int64 num_classes=-1) => OneHot",), (_one_hot,))


def one_hot(input=_missing, num_classes=-1, *extra, **unknown):
    """for each label a row with a one at its place

    Tensor (Tensor input, Int64 num_classes=-1)
    """
    if input.__class__ is Tensor and num_classes.__class__ is int and not extra and not unknown:
        return _one_hot(input, num_classes)
    return _one_hot_slow((input, num_classes), extra, unknown)


_random_uniform_slow = Binding(
    "random_uniform",
    ("Tensor (Tensor state, Shape shape, DataType dtype, Scalar low, Scalar high) => RandomUniform",),
    (_random_uniform,),
)


def random_uniform(state=_missing, shape=_missing, dtype=_missing, low=_missing, high=_missing, *extra, **unknown):
    """Tensor (Tensor state, Shape shape, DataType dtype, Scalar low, Scalar high)"""
    if (
        state.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dtype.__class__ is DType
        and (low.__class__ is float or low.__class__ is int)
        and (high.__class__ is float or high.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_uniform(state, shape, dtype, low, high)
    return _random_uniform_slow((state, shape, dtype, low, high), extra, unknown)


_random_normal_slow = Binding(
    "random_normal",
    ("Tensor (Tensor state, Shape shape, DataType dtype, Scalar mean, Scalar std) => RandomNormal",),
    (_random_normal,),
)


def random_normal(state=_missing, shape=_missing, dtype=_missing, mean=_missing, std=_missing, *extra, **unknown):
    """Tensor (Tensor state, Shape shape, DataType dtype, Scalar mean, Scalar std)"""
    if (
        state.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dtype.__class__ is DType
        and (mean.__class__ is float or mean.__class__ is int)
        and (std.__class__ is float or std.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_normal(state, shape, dtype, mean, std)
    return _random_normal_slow((state, shape, dtype, mean, std), extra, unknown)


_random_exponential_slow = Binding(
    "random_exponential",
    ("Tensor (Tensor state, Shape shape, DataType dtype, Scalar rate) => RandomExponential",),
    (_random_exponential,),
)


def random_exponential(state=_missing, shape=_missing, dtype=_missing, rate=_missing, *extra, **unknown):
    """Tensor (Tensor state, Shape shape, DataType dtype, Scalar rate)"""
    if (
        state.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dtype.__class__ is DType
        and (rate.__class__ is float or rate.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_exponential(state, shape, dtype, rate)
    return _random_exponential_slow((state, shape, dtype, rate), extra, unknown)


_random_bernoulli_slow = Binding(
    "random_bernoulli",
    ("Tensor (Tensor state, Shape shape, DataType dtype, Scalar p) => RandomBernoulli",),
    (_random_bernoulli,),
)


def random_bernoulli(state=_missing, shape=_missing, dtype=_missing, p=_missing, *extra, **unknown):
    """Tensor (Tensor state, Shape shape, DataType dtype, Scalar p)"""
    if (
        state.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dtype.__class__ is DType
        and (p.__class__ is float or p.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_bernoulli(state, shape, dtype, p)
    return _random_bernoulli_slow((state, shape, dtype, p), extra, unknown)


_random_bernoulli_of_slow = Binding(
    "random_bernoulli_of", ("Tensor (Tensor p, Tensor state) => RandomBernoulliOf",), (_random_bernoulli_of,)
)


def random_bernoulli_of(p=_missing, state=_missing, *extra, **unknown):
    """Tensor (Tensor p, Tensor state)"""
    if p.__class__ is Tensor and state.__class__ is Tensor and not extra and not unknown:
        return _random_bernoulli_of(p, state)
    return _random_bernoulli_of_slow((p, state), extra, unknown)


_random_integers_slow = Binding(
    "random_integers",
    ("Tensor (Tensor state, Shape shape, DataType dtype, Bool wide, Scalar low, Scalar size) => RandomIntegers",),
    (_random_integers,),
)


def random_integers(
    state=_missing, shape=_missing, dtype=_missing, wide=_missing, low=_missing, size=_missing, *extra, **unknown
):
    """Tensor (Tensor state, Shape shape, DataType dtype, Bool wide, Scalar low, Scalar size)"""
    if (
        state.__class__ is Tensor
        and (shape.__class__ is Size or shape.__class__ is tuple and all_ints(shape))
        and dtype.__class__ is DType
        and (wide is False or wide is True)
        and (low.__class__ is float or low.__class__ is int)
        and (size.__class__ is float or size.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_integers(state, shape, dtype, wide, low, size)
    return _random_integers_slow((state, shape, dtype, wide, low, size), extra, unknown)


_random_dropout_slow = Binding(
    "random_dropout",
    ("TensorTuple (Tensor x, Tensor state, Scalar p, Scalar scale) => RandomDropout",),
    (_random_dropout,),
)


def random_dropout(x=_missing, state=_missing, p=_missing, scale=_missing, *extra, **unknown):
    """TensorTuple (Tensor x, Tensor state, Scalar p, Scalar scale)"""
    if (
        x.__class__ is Tensor
        and state.__class__ is Tensor
        and (p.__class__ is float or p.__class__ is int)
        and (scale.__class__ is float or scale.__class__ is int)
        and not extra
        and not unknown
    ):
        return _random_dropout(x, state, p, scale)
    return _random_dropout_slow((x, state, p, scale), extra, unknown)


_random_reserve_slow = Binding(
    "random_reserve", ("Tensor (Tensor state, Int64 count) => RandomReserve",), (_random_reserve,)
)


def random_reserve(state=_missing, count=_missing, *extra, **unknown):
    """the state from which count numbers may be drawn later, and again; the state itself moves on behind them

    Tensor (Tensor state, Int64 count)
    """
    if state.__class__ is Tensor and count.__class__ is int and not extra and not unknown:
        return _random_reserve(state, count)
    return _random_reserve_slow((state, count), extra, unknown)


_rand_slow = Binding(
    "rand",
    (
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => Rand",
    ),
    (_rand,),
)


def rand(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, **unknown):
    """uniform random numbers in [0, 1)

    Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand(size, dtype, device, generator, requires_grad)
    if (
        size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _rand((size, *extra), dtype, device, generator, requires_grad)
    return _rand_slow((size, dtype, device, generator, requires_grad), extra, unknown)


_randn_slow = Binding(
    "randn",
    (
        "Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandN",
    ),
    (_rand_n,),
)


def randn(size=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, **unknown):
    """normally distributed random numbers

    Tensor (Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    """
    if (
        (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_n(size, dtype, device, generator, requires_grad)
    if (
        size.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not unknown
        and all_ints(extra)
    ):
        return _rand_n((size, *extra), dtype, device, generator, requires_grad)
    return _randn_slow((size, dtype, device, generator, requires_grad), extra, unknown)


_rand_like_slow = Binding(
    "rand_like",
    (
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandLike",
    ),
    (_rand_like,),
)


def rand_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_like(input, dtype, device, generator, requires_grad)
    return _rand_like_slow((input, dtype, device, generator, requires_grad), extra, unknown)


_randn_like_slow = Binding(
    "randn_like",
    (
        "Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandNLike",
    ),
    (_rand_n_like,),
)


def randn_like(input=_missing, *extra, dtype=None, device=None, generator=None, requires_grad=False, **unknown):
    """Tensor (Tensor input, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)"""
    if (
        input.__class__ is Tensor
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_n_like(input, dtype, device, generator, requires_grad)
    return _randn_like_slow((input, dtype, device, generator, requires_grad), extra, unknown)


_randint_slow = Binding(
    "randint",
    (
        "Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandInt",
        "Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandIntHigh",
    ),
    (_rand_int, _rand_int_high),
)


def randint(
    low=_missing,
    high=_missing,
    size=_missing,
    *extra,
    dtype=None,
    device=None,
    generator=None,
    requires_grad=False,
    **unknown,
):
    """random whole numbers in [low, high)

    Tensor (Int64 low, Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    Tensor (Int64 high, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    """
    if (
        low.__class__ is int
        and high.__class__ is int
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_int(low, high, size, dtype, device, generator, requires_grad)
    if (
        low.__class__ is int
        and (high.__class__ is Size or high.__class__ is tuple and all_ints(high))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and size is _missing
        and not extra
        and not unknown
    ):
        return _rand_int_high(low, high, dtype, device, generator, requires_grad)
    return _randint_slow((low, high, size, dtype, device, generator, requires_grad), extra, unknown)


_randint_like_slow = Binding(
    "randint_like",
    (
        "Tensor (Tensor input, Int64 low, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandIntLike",
        "Tensor (Tensor input, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => RandIntLikeHigh",
    ),
    (_rand_int_like, _rand_int_like_high),
)


def randint_like(
    input=_missing,
    low=_missing,
    high=_missing,
    *extra,
    dtype=None,
    device=None,
    generator=None,
    requires_grad=False,
    **unknown,
):
    """Tensor (Tensor input, Int64 low, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    Tensor (Tensor input, Int64 high, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    """
    if (
        input.__class__ is Tensor
        and low.__class__ is int
        and high.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_int_like(input, low, high, dtype, device, generator, requires_grad)
    if (
        input.__class__ is Tensor
        and low.__class__ is int
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and high is _missing
        and not extra
        and not unknown
    ):
        return _rand_int_like_high(input, low, dtype, device, generator, requires_grad)
    return _randint_like_slow((input, low, high, dtype, device, generator, requires_grad), extra, unknown)


_randperm_slow = Binding(
    "randperm",
    (
        "Tensor (Int64 n, *, Generator generator=None, DataType dtype=None, Device device=None, Bool requires_grad=False) => RandPerm",
    ),
    (_rand_perm,),
)


def randperm(n=_missing, *extra, generator=None, dtype=None, device=None, requires_grad=False, **unknown):
    """a random order of 0 ... n-1

    Tensor (Int64 n, *, Generator generator=None, DataType dtype=None, Device device=None, Bool requires_grad=False)
    """
    if (
        n.__class__ is int
        and generator is None
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _rand_perm(n, generator, dtype, device, requires_grad)
    return _randperm_slow((n, generator, dtype, device, requires_grad), extra, unknown)


_normal_slow = Binding(
    "normal",
    (
        "Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False) => Normal",
    ),
    (_normal,),
)


def normal(
    mean=_missing,
    std=_missing,
    size=_missing,
    *extra,
    dtype=None,
    device=None,
    generator=None,
    requires_grad=False,
    **unknown,
):
    """normally distributed random numbers of a mean and a standard deviation

    Tensor (Float mean, Float std, Shape size, *, DataType dtype=None, Device device=None, Generator generator=None, Bool requires_grad=False)
    """
    if (
        mean.__class__ is float
        and std.__class__ is float
        and (size.__class__ is Size or size.__class__ is tuple and all_ints(size))
        and (dtype is None or dtype.__class__ is DType)
        and (device is None or device.__class__ is Device)
        and generator is None
        and (requires_grad is False or requires_grad is True)
        and not extra
        and not unknown
    ):
        return _normal(mean, std, size, dtype, device, generator, requires_grad)
    return _normal_slow((mean, std, size, dtype, device, generator, requires_grad), extra, unknown)


_normal__slow = Binding(
    "normal_",
    ("Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None) => NormalInplace",),
    (_normal_inplace,),
    is_method=True,
)


def normal_(input=_missing, mean=0.0, std=1.0, *extra, generator=None, **unknown):
    """Tensor (Tensor input, Float mean=0.0, Float std=1.0, *, Generator generator=None)"""
    if (
        input.__class__ is Tensor
        and mean.__class__ is float
        and std.__class__ is float
        and generator is None
        and not extra
        and not unknown
    ):
        return _normal_inplace(input, mean, std, generator)
    return _normal__slow((input, mean, std, generator), extra, unknown)


_uniform__slow = Binding(
    "uniform_",
    ("Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None) => UniformInplace",),
    (_uniform_inplace,),
    is_method=True,
)


def uniform_(input=_missing, low=0.0, high=1.0, *extra, generator=None, **unknown):
    """Tensor (Tensor input, Float low=0.0, Float high=1.0, *, Generator generator=None)"""
    if (
        input.__class__ is Tensor
        and low.__class__ is float
        and high.__class__ is float
        and generator is None
        and not extra
        and not unknown
    ):
        return _uniform_inplace(input, low, high, generator)
    return _uniform__slow((input, low, high, generator), extra, unknown)


_exponential__slow = Binding(
    "exponential_",
    ("Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None) => ExponentialInplace",),
    (_exponential_inplace,),
    is_method=True,
)


def exponential_(input=_missing, lambd=1.0, *extra, generator=None, **unknown):
    """Tensor (Tensor input, Float lambd=1.0, *, Generator generator=None)"""
    if input.__class__ is Tensor and lambd.__class__ is float and generator is None and not extra and not unknown:
        return _exponential_inplace(input, lambd, generator)
    return _exponential__slow((input, lambd, generator), extra, unknown)


_random__slow = Binding(
    "random_",
    ("Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None) => RandomInplace",),
    (_random_inplace,),
    is_method=True,
)


def random_(input=_missing, low=_missing, high=_missing, *extra, generator=None, **unknown):
    """Tensor (Tensor input, Int64 low, Int64 high, *, Generator generator=None)"""
    if (
        input.__class__ is Tensor
        and low.__class__ is int
        and high.__class__ is int
        and generator is None
        and not extra
        and not unknown
    ):
        return _random_inplace(input, low, high, generator)
    return _random__slow((input, low, high, generator), extra, unknown)


_bernoulli_slow = Binding(
    "bernoulli",
    (
        "Tensor (Tensor input, *, Generator generator=None) => Bernoulli",
        "Tensor (Tensor input, Float p, *, Generator generator=None) => BernoulliProb",
    ),
    (_bernoulli, _bernoulli_prob),
    is_method=True,
)


def bernoulli(input=_missing, p=_missing, *extra, generator=None, **unknown):
    """1 with the probability that the input (or p) says, else 0

    Tensor (Tensor input, *, Generator generator=None)
    Tensor (Tensor input, Float p, *, Generator generator=None)
    """
    if input.__class__ is Tensor and generator is None and p is _missing and not extra and not unknown:
        return _bernoulli(input, generator)
    if input.__class__ is Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _bernoulli_prob(input, p, generator)
    return _bernoulli_slow((input, p, generator), extra, unknown)


_bernoulli__slow = Binding(
    "bernoulli_",
    ("Tensor (Tensor input, Float p=0.5, *, Generator generator=None) => BernoulliInplace",),
    (_bernoulli_inplace,),
    is_method=True,
)


def bernoulli_(input=_missing, p=0.5, *extra, generator=None, **unknown):
    """Tensor (Tensor input, Float p=0.5, *, Generator generator=None)"""
    if input.__class__ is Tensor and p.__class__ is float and generator is None and not extra and not unknown:
        return _bernoulli_inplace(input, p, generator)
    return _bernoulli__slow((input, p, generator), extra, unknown)


_dropout_slow = Binding(
    "dropout",
    (
        "Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None) => Dropout",
    ),
    (_dropout,),
)


def dropout(input=_missing, p=0.5, training=True, inplace=False, *extra, generator=None, **unknown):
    """zeros with probability p, the rest divided by 1 - p

    Tensor (Tensor input, Float p=0.5, Bool training=True, Bool inplace=False, *, Generator generator=None)
    """
    if (
        input.__class__ is Tensor
        and p.__class__ is float
        and (training is True or training is False)
        and (inplace is False or inplace is True)
        and generator is None
        and not extra
        and not unknown
    ):
        return _dropout(input, p, training, inplace, generator)
    return _dropout_slow((input, p, training, inplace, generator), extra, unknown)


bind_casts(globals(), CASTING)
