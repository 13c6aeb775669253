"""Functions of the binding: attention.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.attention import (attention_grad as _attention_grad,
        scaled_dot_product_attention as _scaled_dot_product_attention)
from tritonflow.functions.attention_experts import (grouped_product as _grouped_product, grouped_mm as _grouped_mm,
        moe_load_balancing_loss as _moe_load_balancing_loss, moe_permute as _moe_permute, moe_topk as _moe_topk,
        moe_unpermute as _moe_unpermute)
from tritonflow.functions.attention_flash import (flash_attention as _flash_attention,
        flash_attention_grad as _flash_attention_grad, flash_sinks_grad as _flash_sinks_grad)
from tritonflow.functions.attention_paged import (paged_append as _paged_append)
from tritonflow.functions.attention_rotary import (apply_rotary_emb_pair as _apply_rotary_emb_pair, rotary as _rotary,
        rotary_pair as _rotary_pair, apply_rotary_emb as _apply_rotary_emb)
from tritonflow.functions.generated import (moe_combine as _moe_combine, moe_dots as _moe_dots, moe_positions as _moe_positions,
        moe_route as _moe_route, moe_spread as _moe_spread, rotary_pair_inplace as _rotary_pair_inplace)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_scaled_dot_product_attention_slow = _Binding("scaled_dot_product_attention",
        "Tensor (Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, Double dropout_p=0.0, Bool is_causal=False, *, Double scale=None, Bool enable_gqa=False)",
        _scaled_dot_product_attention, autocast="lower")
def scaled_dot_product_attention(query=_missing, key=_missing, value=_missing, attn_mask=None, dropout_p=0.0, is_causal=False,
        *extra, scale=None, enable_gqa=False, **unknown):
    """softmax(scale * query @ key transposed + mask) @ value.

    One fused kernel: the weights of L x S are never in memory. A query that may attend to nothing gives
    0. With is_causal query i attends to the keys up to i. After Vaswani et al., Attention is all you
    need, 2017, and Dao et al., FlashAttention, 2022.

    Args:
        query: (..., L, E).
        key: (..., S, E).
        value: (..., S, Ev).
        attn_mask: bool: True where a query may attend to a key; or floating: added to the scores. It
            broadcasts to (..., L, S).
        dropout_p: with which probability a weight is dropped, always: there is no training mode.
        is_causal: whether a query attends to no later key; excludes attn_mask.
        scale: the factor of the scores; default 1 / sqrt(E).
        enable_gqa: whether a head of key and value serves a group of the query's heads; the third last
            dimension is that of heads.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., L, E), (..., S, E), (..., S, Ev) -> (..., L, Ev).

    Differentiable. Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: fewer than 2 dimensions, sizes or dtypes that do not fit, or a mask with is_causal.
        ValueError: a dropout_p outside 0 to 1.
        IndexError: enable_gqa with fewer than 3 dimensions.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.scaled_dot_product_attention.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> query, key = flow.tensor([[1.0, 0.0]]), flow.tensor([[100.0, 0.0], [0.0, 100.0]])
        >>> value = flow.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> F.scaled_dot_product_attention(query, key, value)  # the query is like the first key
        tensor([[1., 2.]])
        >>> F.scaled_dot_product_attention(query, key, value, attn_mask=flow.tensor([[False, True]]))
        tensor([[3., 4.]])
    """
    if (query.__class__ is _Tensor and key.__class__ is _Tensor and value.__class__ is _Tensor and
            (attn_mask is None or attn_mask.__class__ is _Tensor) and dropout_p.__class__ is float and
            (is_causal is False or is_causal is True) and (scale is None or scale.__class__ is float) and
            (enable_gqa is False or enable_gqa is True) and not extra and not unknown):
        return _scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    return _scaled_dot_product_attention_slow((query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa), extra,
            unknown)

_attention_grad_slow = _Binding("attention_grad",
        "TensorTuple (Tensor grad, Tensor query, Tensor key, Tensor value, Tensor out, Tensor rows, Tensor mask=None, Tensor drawn=None, Bool is_causal=False, Double scale=1.0, Double rate=0.0, Double factor=1.0)",
        _attention_grad)
def attention_grad(grad=_missing, query=_missing, key=_missing, value=_missing, out=_missing, rows=_missing, mask=None,
        drawn=None, is_causal=False, scale=1.0, rate=0.0, factor=1.0, *extra, **unknown):
    """the gradients of scaled_dot_product_attention"""
    if (grad.__class__ is _Tensor and query.__class__ is _Tensor and key.__class__ is _Tensor and value.__class__ is _Tensor and
            out.__class__ is _Tensor and rows.__class__ is _Tensor and (mask is None or mask.__class__ is _Tensor) and
            (drawn is None or drawn.__class__ is _Tensor) and (is_causal is False or is_causal is True) and
            scale.__class__ is float and rate.__class__ is float and factor.__class__ is float and not extra and not unknown):
        return _attention_grad(grad, query, key, value, out, rows, mask, drawn, is_causal, scale, rate, factor)
    return _attention_grad_slow((grad, query, key, value, out, rows, mask, drawn, is_causal, scale, rate, factor), extra, unknown)

_flash_attention_slow = _Binding("flash_attention",
        "TensorTuple (Tensor query, Tensor key, Tensor value, Tensor q_starts=None, Tensor k_starts=None, Tensor used=None, Tensor table=None, Tensor sinks=None, TensorTuple lists=None, TensorTuple reads=None, PyObject edit=None, PyObject window=None, PyObject most=None, PyObject block=None, Bool single=False, Double scale=1.0, Double cap=0.0, Tensor drawn=None, Double rate=0.0, Double factor=1.0)",
        _flash_attention)
def flash_attention(query=_missing, key=_missing, value=_missing, q_starts=None, k_starts=None, used=None, table=None, sinks=None,
        lists=None, reads=None, edit=None, window=None, most=None, block=None, single=False, scale=1.0, cap=0.0, drawn=None,
        rate=0.0, factor=1.0, *extra, **unknown):
    """attention with windows, caps, slopes, sinks, sequences of several lengths, keys in pages, lists of blocks, edited scores"""
    if (query.__class__ is _Tensor and key.__class__ is _Tensor and value.__class__ is _Tensor and
            (q_starts is None or q_starts.__class__ is _Tensor) and (k_starts is None or k_starts.__class__ is _Tensor) and
            (used is None or used.__class__ is _Tensor) and (table is None or table.__class__ is _Tensor) and
            (sinks is None or sinks.__class__ is _Tensor) and (lists is None or lists.__class__ is tuple and _all_tensors(lists))
            and (reads is None or reads.__class__ is tuple and _all_tensors(reads)) and edit is None and window is None and
            most is None and block is None and (single is False or single is True) and scale.__class__ is float and
            cap.__class__ is float and (drawn is None or drawn.__class__ is _Tensor) and rate.__class__ is float and
            factor.__class__ is float and not extra and not unknown):
        return _flash_attention(query, key, value, q_starts, k_starts, used, table, sinks, lists, reads, edit, window, most,
                block, single, scale, cap, drawn, rate, factor)
    return _flash_attention_slow((query, key, value, q_starts, k_starts, used, table, sinks, lists, reads, edit, window, most,
            block, single, scale, cap, drawn, rate, factor), extra, unknown)

_flash_attention_grad_slow = _Binding("flash_attention_grad",
        "TensorTuple (Tensor grad, Tensor dlse, Tensor query, Tensor key, Tensor value, Tensor out, Tensor rows, Tensor q_starts=None, Tensor k_starts=None, PyObject lists=None, PyObject reads=None, PyObject edit=None, PyObject window=None, PyObject most=None, PyObject block=None, Bool single=False, Double scale=1.0, Double cap=0.0, Tensor drawn=None, Double rate=0.0, Double factor=1.0)",
        _flash_attention_grad)
def flash_attention_grad(grad=_missing, dlse=_missing, query=_missing, key=_missing, value=_missing, out=_missing, rows=_missing,
        q_starts=None, k_starts=None, lists=None, reads=None, edit=None, window=None, most=None, block=None, single=False,
        scale=1.0, cap=0.0, drawn=None, rate=0.0, factor=1.0, *extra, **unknown):
    """the gradients of flash_attention"""
    if (grad.__class__ is _Tensor and dlse.__class__ is _Tensor and query.__class__ is _Tensor and key.__class__ is _Tensor and
            value.__class__ is _Tensor and out.__class__ is _Tensor and rows.__class__ is _Tensor and
            (q_starts is None or q_starts.__class__ is _Tensor) and (k_starts is None or k_starts.__class__ is _Tensor) and
            lists is None and reads is None and edit is None and window is None and most is None and block is None and
            (single is False or single is True) and scale.__class__ is float and cap.__class__ is float and
            (drawn is None or drawn.__class__ is _Tensor) and rate.__class__ is float and factor.__class__ is float and not extra
            and not unknown):
        return _flash_attention_grad(grad, dlse, query, key, value, out, rows, q_starts, k_starts, lists, reads, edit, window,
                most, block, single, scale, cap, drawn, rate, factor)
    return _flash_attention_grad_slow((grad, dlse, query, key, value, out, rows, q_starts, k_starts, lists, reads, edit, window,
            most, block, single, scale, cap, drawn, rate, factor), extra, unknown)

_rotary_slow = _Binding("rotary",
        "Tensor (Tensor x, Tensor cos, Tensor sin, Shape order, Bool interleaved, Bool starts, Double sign, Tensor positions=None)",
        _rotary)
def rotary(x=_missing, cos=_missing, sin=_missing, order=_missing, interleaved=_missing, starts=_missing, sign=_missing,
        positions=None, *extra, **unknown):
    """pairs of elements of (batch, length, heads, size) turned by the angles of their positions, or back by a negative sign"""
    if (x.__class__ is _Tensor and cos.__class__ is _Tensor and sin.__class__ is _Tensor and
            (order.__class__ is _Size or (order.__class__ is tuple or order.__class__ is list) and _all_ints(order)) and
            (interleaved is False or interleaved is True) and (starts is False or starts is True) and sign.__class__ is float and
            (positions is None or positions.__class__ is _Tensor) and not extra and not unknown):
        return _rotary(x, cos, sin, tuple(order) if order.__class__ is list else order, interleaved, starts, sign, positions)
    return _rotary_slow((x, cos, sin, order, interleaved, starts, sign, positions), extra, unknown)

_rotary_pair_slow = _Binding("rotary_pair",
        "TensorTuple (Tensor query, Tensor key, Tensor cos, Tensor sin, Shape order, Bool interleaved, Bool starts, Double sign, Tensor positions=None)",
        _rotary_pair)
def rotary_pair(query=_missing, key=_missing, cos=_missing, sin=_missing, order=_missing, interleaved=_missing, starts=_missing,
        sign=_missing, positions=None, *extra, **unknown):
    """rotary of queries and keys in one launch"""
    if (query.__class__ is _Tensor and key.__class__ is _Tensor and cos.__class__ is _Tensor and sin.__class__ is _Tensor and
            (order.__class__ is _Size or (order.__class__ is tuple or order.__class__ is list) and _all_ints(order)) and
            (interleaved is False or interleaved is True) and (starts is False or starts is True) and sign.__class__ is float and
            (positions is None or positions.__class__ is _Tensor) and not extra and not unknown):
        return _rotary_pair(query, key, cos, sin, tuple(order) if order.__class__ is list else order, interleaved, starts, sign,
                positions)
    return _rotary_pair_slow((query, key, cos, sin, order, interleaved, starts, sign, positions), extra, unknown)

_rotary_pair_inplace_slow = _Binding("rotary_pair_inplace",
        "Void (Tensor query, Tensor key, Tensor cos, Tensor sin, Shape order, Bool interleaved, Bool starts, Double sign, Tensor positions=None)",
        _rotary_pair_inplace)
def rotary_pair_inplace(query=_missing, key=_missing, cos=_missing, sin=_missing, order=_missing, interleaved=_missing,
        starts=_missing, sign=_missing, positions=None, *extra, **unknown):
    """the same, written over queries and keys, of which no gradient is recorded"""
    if (query.__class__ is _Tensor and key.__class__ is _Tensor and cos.__class__ is _Tensor and sin.__class__ is _Tensor and
            (order.__class__ is _Size or (order.__class__ is tuple or order.__class__ is list) and _all_ints(order)) and
            (interleaved is False or interleaved is True) and (starts is False or starts is True) and sign.__class__ is float and
            (positions is None or positions.__class__ is _Tensor) and not extra and not unknown):
        return _rotary_pair_inplace(query, key, cos, sin, tuple(order) if order.__class__ is list else order, interleaved, starts,
                sign, positions)
    return _rotary_pair_inplace_slow((query, key, cos, sin, order, interleaved, starts, sign, positions), extra, unknown)

_paged_append_slow = _Binding("paged_append",
        "Tensor (Tensor key, Tensor value, Tensor slots, Tensor key_cache, Tensor value_cache, Tensor query=None, Tensor cos=None, Tensor sin=None, Tensor positions=None, Bool interleaved=False)",
        _paged_append)
def paged_append(key=_missing, value=_missing, slots=_missing, key_cache=_missing, value_cache=_missing, query=None, cos=None,
        sin=None, positions=None, interleaved=False, *extra, **unknown):
    """keys and values written into rows of the pages of a cache, and queries and keys turned by their positions on the way"""
    if (key.__class__ is _Tensor and value.__class__ is _Tensor and slots.__class__ is _Tensor and key_cache.__class__ is _Tensor
            and value_cache.__class__ is _Tensor and (query is None or query.__class__ is _Tensor) and
            (cos is None or cos.__class__ is _Tensor) and (sin is None or sin.__class__ is _Tensor) and
            (positions is None or positions.__class__ is _Tensor) and (interleaved is False or interleaved is True) and not extra
            and not unknown):
        return _paged_append(key, value, slots, key_cache, value_cache, query, cos, sin, positions, interleaved)
    return _paged_append_slow((key, value, slots, key_cache, value_cache, query, cos, sin, positions, interleaved), extra,
            unknown)

_grouped_product_slow = _Binding("grouped_product", "Tensor (Tensor mat_a, Tensor mat_b, Tensor offs)", _grouped_product)
def grouped_product(mat_a=_missing, mat_b=_missing, offs=_missing, *extra, **unknown):
    """products of groups of rows, of columns, or of a sum, whose ends are on the device"""
    if mat_a.__class__ is _Tensor and mat_b.__class__ is _Tensor and offs.__class__ is _Tensor and not extra and not unknown:
        return _grouped_product(mat_a, mat_b, offs)
    return _grouped_product_slow((mat_a, mat_b, offs), extra, unknown)

_moe_route_slow = _Binding("moe_route",
        "TensorTuple (Tensor logits, Tensor bias=None, Int32 k=1, String score='softmax', Bool normed=False, Int32 groups=1, Int32 chosen=1, Double scale=1.0)",
        _moe_route)
def moe_route(logits=_missing, bias=None, k=1, score='softmax', normed=False, groups=1, chosen=1, scale=1.0, *extra, **unknown):
    """the experts of each token by their scores, and their weights"""
    if (logits.__class__ is _Tensor and (bias is None or bias.__class__ is _Tensor) and k.__class__ is int and
            score.__class__ is str and (normed is False or normed is True) and groups.__class__ is int and chosen.__class__ is int
            and scale.__class__ is float and not extra and not unknown):
        return _moe_route(logits, bias, k, score, normed, groups, chosen, scale)
    return _moe_route_slow((logits, bias, k, score, normed, groups, chosen, scale), extra, unknown)

_moe_positions_slow = _Binding("moe_positions", "TensorTuple (Tensor indices, Int32 num_experts)", _moe_positions)
def moe_positions(indices=_missing, num_experts=_missing, *extra, **unknown):
    """the rows of pairs of tokens and experts in the order of the experts, and where the rows of each expert end"""
    if indices.__class__ is _Tensor and num_experts.__class__ is int and not extra and not unknown:
        return _moe_positions(indices, num_experts)
    return _moe_positions_slow((indices, num_experts), extra, unknown)

_moe_spread_slow = _Binding("moe_spread", "Tensor (Tensor x, Tensor positions, Tensor weights=None)", _moe_spread)
def moe_spread(x=_missing, positions=_missing, weights=None, *extra, **unknown):
    """a row for each pair of a token and an expert, the token times the pair's weight"""
    if (x.__class__ is _Tensor and positions.__class__ is _Tensor and (weights is None or weights.__class__ is _Tensor) and
            not extra and not unknown):
        return _moe_spread(x, positions, weights)
    return _moe_spread_slow((x, positions, weights), extra, unknown)

_moe_combine_slow = _Binding("moe_combine", "Tensor (Tensor rows, Tensor positions, Tensor weights=None, Bool given=False)",
        _moe_combine)
def moe_combine(rows=_missing, positions=_missing, weights=None, given=False, *extra, **unknown):
    """the sums of the rows of each token, times their weights, in the order of its experts"""
    if (rows.__class__ is _Tensor and positions.__class__ is _Tensor and (weights is None or weights.__class__ is _Tensor) and
            (given is False or given is True) and not extra and not unknown):
        return _moe_combine(rows, positions, weights, given)
    return _moe_combine_slow((rows, positions, weights, given), extra, unknown)

_moe_dots_slow = _Binding("moe_dots", "Tensor (Tensor x, Tensor rows, Tensor positions)", _moe_dots)
def moe_dots(x=_missing, rows=_missing, positions=_missing, *extra, **unknown):
    """the product of the token and the row of each pair"""
    if x.__class__ is _Tensor and rows.__class__ is _Tensor and positions.__class__ is _Tensor and not extra and not unknown:
        return _moe_dots(x, rows, positions)
    return _moe_dots_slow((x, rows, positions), extra, unknown)

_grouped_mm_slow = _Binding("grouped_mm",
        "Tensor (Tensor mat_a, Tensor mat_b, *, Tensor offs=None, Tensor bias=None, PyObject out_dtype=None)", _grouped_mm)
def grouped_mm(mat_a=_missing, mat_b=_missing, *extra, offs=None, bias=None, out_dtype=None, **unknown):
    if (mat_a.__class__ is _Tensor and mat_b.__class__ is _Tensor and (offs is None or offs.__class__ is _Tensor) and
            (bias is None or bias.__class__ is _Tensor) and out_dtype is None and not extra and not unknown):
        return _grouped_mm(mat_a, mat_b, offs, bias, out_dtype)
    return _grouped_mm_slow((mat_a, mat_b, offs, bias, out_dtype), extra, unknown)

_moe_topk_slow = _Binding("moe_topk",
        "TensorTuple (Tensor logits, Int32 k, *, String scoring_func='softmax', Bool renormalize=False, Tensor e_score_correction_bias=None, Int32 num_expert_group=1, Int32 topk_group=1, Double routed_scaling_factor=1.0)",
        _moe_topk)
def moe_topk(logits=_missing, k=_missing, *extra, scoring_func='softmax', renormalize=False, e_score_correction_bias=None,
        num_expert_group=1, topk_group=1, routed_scaling_factor=1.0, **unknown):
    if (logits.__class__ is _Tensor and k.__class__ is int and scoring_func.__class__ is str and
            (renormalize is False or renormalize is True) and
            (e_score_correction_bias is None or e_score_correction_bias.__class__ is _Tensor) and
            num_expert_group.__class__ is int and topk_group.__class__ is int and routed_scaling_factor.__class__ is float and
            not extra and not unknown):
        return _moe_topk(logits, k, scoring_func, renormalize, e_score_correction_bias, num_expert_group, topk_group,
                routed_scaling_factor)
    return _moe_topk_slow((logits, k, scoring_func, renormalize, e_score_correction_bias, num_expert_group, topk_group,
            routed_scaling_factor), extra, unknown)

_moe_permute_slow = _Binding("moe_permute", "TensorTuple (Tensor input, Tensor indices, Int32 num_experts)", _moe_permute)
def moe_permute(input=_missing, indices=_missing, num_experts=_missing, *extra, **unknown):
    if input.__class__ is _Tensor and indices.__class__ is _Tensor and num_experts.__class__ is int and not extra and not unknown:
        return _moe_permute(input, indices, num_experts)
    return _moe_permute_slow((input, indices, num_experts), extra, unknown)

_moe_unpermute_slow = _Binding("moe_unpermute", "Tensor (Tensor input, Tensor row_id_map, Tensor merging_probs=None)",
        _moe_unpermute)
def moe_unpermute(input=_missing, row_id_map=_missing, merging_probs=None, *extra, **unknown):
    if (input.__class__ is _Tensor and row_id_map.__class__ is _Tensor and
            (merging_probs is None or merging_probs.__class__ is _Tensor) and not extra and not unknown):
        return _moe_unpermute(input, row_id_map, merging_probs)
    return _moe_unpermute_slow((input, row_id_map, merging_probs), extra, unknown)

_moe_load_balancing_loss_slow = _Binding("moe_load_balancing_loss", "Tensor (Tensor logits, Tensor indices)",
        _moe_load_balancing_loss)
def moe_load_balancing_loss(logits=_missing, indices=_missing, *extra, **unknown):
    if logits.__class__ is _Tensor and indices.__class__ is _Tensor and not extra and not unknown:
        return _moe_load_balancing_loss(logits, indices)
    return _moe_load_balancing_loss_slow((logits, indices), extra, unknown)

_flash_sinks_grad_slow = _Binding("flash_sinks_grad",
        "Tensor (Tensor grad, Tensor dlse, Tensor out, Tensor lse, Tensor sinks, Tensor query)", _flash_sinks_grad)
def flash_sinks_grad(grad=_missing, dlse=_missing, out=_missing, lse=_missing, sinks=_missing, query=_missing, *extra, **unknown):
    if (grad.__class__ is _Tensor and dlse.__class__ is _Tensor and out.__class__ is _Tensor and lse.__class__ is _Tensor and
            sinks.__class__ is _Tensor and query.__class__ is _Tensor and not extra and not unknown):
        return _flash_sinks_grad(grad, dlse, out, lse, sinks, query)
    return _flash_sinks_grad_slow((grad, dlse, out, lse, sinks, query), extra, unknown)

_apply_rotary_emb_slow = _Binding("apply_rotary_emb",
        "Tensor (Tensor x, Tensor cos, Tensor sin, Bool interleaved=False, Bool inplace=False, PyObject seqlen_offsets=None, Tensor cu_seqlens=None, Int64 max_seqlen=None, *, Tensor positions=None, String tensor_format='bshd')",
        _apply_rotary_emb,
        "TensorTuple (TensorTuple x, Tensor cos, Tensor sin, Bool interleaved=False, Bool inplace=False, PyObject seqlen_offsets=None, Tensor cu_seqlens=None, Int64 max_seqlen=None, *, Tensor positions=None, String tensor_format='bshd')",
        _apply_rotary_emb_pair)
def apply_rotary_emb(x=_missing, cos=_missing, sin=_missing, interleaved=False, inplace=False, seqlen_offsets=None,
        cu_seqlens=None, max_seqlen=None, *extra, positions=None, tensor_format='bshd', **unknown):
    if (x.__class__ is _Tensor and cos.__class__ is _Tensor and sin.__class__ is _Tensor and
            (interleaved is False or interleaved is True) and (inplace is False or inplace is True) and seqlen_offsets is None and
            (cu_seqlens is None or cu_seqlens.__class__ is _Tensor) and (max_seqlen is None or max_seqlen.__class__ is int) and
            (positions is None or positions.__class__ is _Tensor) and tensor_format.__class__ is str and not extra and
            not unknown):
        return _apply_rotary_emb(x, cos, sin, interleaved, inplace, seqlen_offsets, cu_seqlens, max_seqlen, positions,
                tensor_format)
    if (x.__class__ is tuple and cos.__class__ is _Tensor and sin.__class__ is _Tensor and
            (interleaved is False or interleaved is True) and (inplace is False or inplace is True) and seqlen_offsets is None and
            (cu_seqlens is None or cu_seqlens.__class__ is _Tensor) and (max_seqlen is None or max_seqlen.__class__ is int) and
            (positions is None or positions.__class__ is _Tensor) and tensor_format.__class__ is str and not extra and not unknown
            and _all_tensors(x)):
        return _apply_rotary_emb_pair(x, cos, sin, interleaved, inplace, seqlen_offsets, cu_seqlens, max_seqlen, positions,
                tensor_format)
    return _apply_rotary_emb_slow((x, cos, sin, interleaved, inplace, seqlen_offsets, cu_seqlens, max_seqlen, positions,
            tensor_format), extra, unknown)

_methods = _publish(globals())
