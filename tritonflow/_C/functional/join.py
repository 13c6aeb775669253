"""Functions of the binding: join.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.size import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.join import (allat_least_1d as _all_at_least1d, all_at_least_2d as _all_at_least2d,
        all_at_least_3d as _all_at_least3d, cat as _cat, at_least_1d as _at_least_1d, at_least_2d as _at_least_2d,
        at_least_3d as _at_least_3d, column_stack as _column_stack, dstack as _dstack, hstack as _hstack, repeat as _repeat,
        stack as _stack, tile as _tile, vstack as _vstack)
from tritonflow.functions.join_constant_pad import (constant_pad_nd as _constant_pad_nd)
from tritonflow.functions.join_grids import (repeat_interleave_tensor as _repeat_interleave_tensor,
        repeated_positions as _repeated_positions, broadcast_tensors as _broadcast_tensors, cartesian_prod as _cartesian_prod,
        combinations as _combinations, meshgrid as _meshgrid, repeat_interleave as _repeat_interleave)
from tritonflow.functions.join_layout import (contiguous_in as _contiguous)
from tritonflow.functions.join_pad import (pad_edges as _pad_edges, pad_edges_grad as _pad_edges_grad, pad as _pad)
from tritonflow.binding.library import publish as _publish
from tritonflow.binding.prototype import MISSING as _missing

_contiguous_slow = _Binding("contiguous", "Tensor (Tensor input, *, MemoryFormat memory_format=None)", _contiguous,
        methods="contiguous")
def contiguous(input=_missing, *extra, memory_format=None, **unknown):
    """The input in row-major order, or in another memory format.

    The input itself where it lies so, otherwise a copy.

    Args:
        input: the input.
        memory_format: the order of the dimensions in memory.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        any shape -> the same.

    Differentiable. Method: `Tensor.contiguous`.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.contiguous.

    Example:
        >>> import tritonflow as flow
        >>> x = flow.tensor([[1, 2], [3, 4]])
        >>> x.contiguous() is x, x.T.is_contiguous(), x.T.contiguous().is_contiguous()
        (True, False, True)
    """
    if input.__class__ is _Tensor and memory_format is None and not extra and not unknown:
        return _contiguous(input, memory_format)
    return _contiguous_slow((input, memory_format), extra, unknown)

_cat_slow = _Binding("cat", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat)
def cat(tensors=_missing, dim=0, *extra, **unknown):
    """tensors one behind the other along a dimension.

    They are promoted to one dtype. An empty tensor of one dimension goes with any shape.

    Args:
        tensors: tensors that have the same sizes but for that dimension.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n1, ...), (..., n2, ...), ... -> (..., n1 + n2 + ..., ...).

    Differentiable.

    Raises:
        RuntimeError: sizes that differ elsewhere, or no dimension.
        ValueError: no tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cat.

    Example:
        >>> import tritonflow as flow
        >>> flow.cat([flow.tensor([[1, 2]]), flow.tensor([[3, 4], [5, 6]])])
        tensor([[1, 2],
                [3, 4],
                [5, 6]])
        >>> flow.cat([flow.tensor([[1, 2]]), flow.tensor([[3]])], 1)
        tensor([[1, 2, 3]])
    """
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _cat_slow((tensors, dim), extra, unknown)

_concat_slow = _Binding("concat", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat, like="cat")
def concat(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _concat_slow((tensors, dim), extra, unknown)

_concatenate_slow = _Binding("concatenate", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat, like="cat")
def concatenate(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _concatenate_slow((tensors, dim), extra, unknown)

_pad_edges_slow = _Binding("pad_edges", "Tensor (Tensor input, Int64 dim, Int64 before, Int64 after, String mode)", _pad_edges)
def pad_edges(input=_missing, dim=_missing, before=_missing, after=_missing, mode=_missing, *extra, **unknown):
    """one dimension continued beyond its ends"""
    if (input.__class__ is _Tensor and dim.__class__ is int and before.__class__ is int and after.__class__ is int and
            mode.__class__ is str and not extra and not unknown):
        return _pad_edges(input, dim, before, after, mode)
    return _pad_edges_slow((input, dim, before, after, mode), extra, unknown)

_pad_edges_grad_slow = _Binding("pad_edges_grad", "Tensor (Tensor grad, Int64 dim, Int64 before, Int64 after, String mode)",
        _pad_edges_grad)
def pad_edges_grad(grad=_missing, dim=_missing, before=_missing, after=_missing, mode=_missing, *extra, **unknown):
    """the gradient of pad_edges"""
    if (grad.__class__ is _Tensor and dim.__class__ is int and before.__class__ is int and after.__class__ is int and
            mode.__class__ is str and not extra and not unknown):
        return _pad_edges_grad(grad, dim, before, after, mode)
    return _pad_edges_grad_slow((grad, dim, before, after, mode), extra, unknown)

_stack_slow = _Binding("stack", "Tensor (TensorTuple tensors, Int32 dim=0)", _stack)
def stack(tensors=_missing, dim=0, *extra, **unknown):
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _stack(tensors, dim)
    return _stack_slow((tensors, dim), extra, unknown)

_hstack_slow = _Binding("hstack", "Tensor (TensorTuple tensors)", _hstack)
def hstack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _hstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _hstack((tensors, *extra))
    return _hstack_slow((tensors,), extra, unknown)

_vstack_slow = _Binding("vstack", "Tensor (TensorTuple tensors)", _vstack)
def vstack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _vstack((tensors, *extra))
    return _vstack_slow((tensors,), extra, unknown)

_row_stack_slow = _Binding("row_stack", "Tensor (TensorTuple tensors)", _vstack, like="vstack")
def row_stack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _vstack((tensors, *extra))
    return _row_stack_slow((tensors,), extra, unknown)

_repeat_slow = _Binding("repeat", "Tensor (Tensor input, Shape repeats)", _repeat, methods="repeat")
def repeat(input=_missing, repeats=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (repeats.__class__ is _Size or (repeats.__class__ is tuple or repeats.__class__ is list)
            and _all_ints(repeats)) and not extra and not unknown):
        return _repeat(input, tuple(repeats) if repeats.__class__ is list else repeats)
    if input.__class__ is _Tensor and repeats.__class__ is int and not unknown and _all_ints(extra):
        return _repeat(input, (repeats, *extra))
    return _repeat_slow((input, repeats), extra, unknown)

_tile_slow = _Binding("tile", "Tensor (Tensor input, Shape dims)", _tile, methods="tile")
def tile(input=_missing, dims=_missing, *extra, **unknown):
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or (dims.__class__ is tuple or dims.__class__ is list) and
            _all_ints(dims)) and not extra and not unknown):
        return _tile(input, tuple(dims) if dims.__class__ is list else dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _tile(input, (dims, *extra))
    return _tile_slow((input, dims), extra, unknown)

_dstack_slow = _Binding("dstack", "Tensor (TensorTuple tensors)", _dstack)
def dstack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _dstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _dstack((tensors, *extra))
    return _dstack_slow((tensors,), extra, unknown)

_column_stack_slow = _Binding("column_stack", "Tensor (TensorTuple tensors)", _column_stack)
def column_stack(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _column_stack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _column_stack((tensors, *extra))
    return _column_stack_slow((tensors,), extra, unknown)

_atleast_1d_slow = _Binding("atleast_1d", "Tensor (Tensor input)", _at_least_1d, "TensorTuple (TensorTuple tensors)",
        _all_at_least1d)
def atleast_1d(input=_missing, *extra, tensors=_missing, **unknown):
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least_1d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least1d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least1d((input, *extra))
    return _atleast_1d_slow((input, tensors), extra, unknown)

_atleast_2d_slow = _Binding("atleast_2d", "Tensor (Tensor input)", _at_least_2d, "TensorTuple (TensorTuple tensors)",
        _all_at_least2d)
def atleast_2d(input=_missing, *extra, tensors=_missing, **unknown):
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least_2d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least2d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least2d((input, *extra))
    return _atleast_2d_slow((input, tensors), extra, unknown)

_atleast_3d_slow = _Binding("atleast_3d", "Tensor (Tensor input)", _at_least_3d, "TensorTuple (TensorTuple tensors)",
        _all_at_least3d)
def atleast_3d(input=_missing, *extra, tensors=_missing, **unknown):
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least_3d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least3d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least3d((input, *extra))
    return _atleast_3d_slow((input, tensors), extra, unknown)

_constant_pad_nd_slow = _Binding("constant_pad_nd", "Tensor (Tensor input, Int64List pad, Scalar value=0)", _constant_pad_nd)
def constant_pad_nd(input=_missing, pad=_missing, value=0, *extra, **unknown):
    if (input.__class__ is _Tensor and (pad.__class__ is _Size or (pad.__class__ is tuple or pad.__class__ is list) and
            _all_ints(pad)) and (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _constant_pad_nd(input, tuple(pad) if pad.__class__ is list else pad, value)
    return _constant_pad_nd_slow((input, pad, value), extra, unknown)

_broadcast_tensors_slow = _Binding("broadcast_tensors", "TensorTuple (TensorTuple tensors)", _broadcast_tensors)
def broadcast_tensors(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _broadcast_tensors(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _broadcast_tensors((tensors, *extra))
    return _broadcast_tensors_slow((tensors,), extra, unknown)

_meshgrid_slow = _Binding("meshgrid", "TensorTuple (TensorTuple tensors, *, String indexing=None)", _meshgrid)
def meshgrid(tensors=_missing, *extra, indexing=None, **unknown):
    if (tensors.__class__ is tuple and (indexing is None or indexing.__class__ is str) and not extra and not unknown and
            _all_tensors(tensors)):
        return _meshgrid(tensors, indexing)
    if tensors.__class__ is _Tensor and (indexing is None or indexing.__class__ is str) and not unknown and _all_tensors(extra):
        return _meshgrid((tensors, *extra), indexing)
    return _meshgrid_slow((tensors, indexing), extra, unknown)

_cartesian_prod_slow = _Binding("cartesian_prod", "Tensor (TensorTuple tensors)", _cartesian_prod)
def cartesian_prod(tensors=_missing, *extra, **unknown):
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _cartesian_prod(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _cartesian_prod((tensors, *extra))
    return _cartesian_prod_slow((tensors,), extra, unknown)

_combinations_slow = _Binding("combinations", "Tensor (Tensor input, Int64 r=2, Bool with_replacement=False)", _combinations)
def combinations(input=_missing, r=2, with_replacement=False, *extra, **unknown):
    if (input.__class__ is _Tensor and r.__class__ is int and (with_replacement is False or with_replacement is True) and
            not extra and not unknown):
        return _combinations(input, r, with_replacement)
    return _combinations_slow((input, r, with_replacement), extra, unknown)

_repeat_interleave_slow = _Binding("repeat_interleave",
        "Tensor (Tensor input, Int64 repeats, Int32 dim=None, *, Int64 output_size=None)", _repeat_interleave,
        "Tensor (Tensor input, Tensor repeats, Int32 dim=None, *, Int64 output_size=None)", _repeat_interleave_tensor,
        "Tensor (Tensor repeats, *, Int64 output_size=None)", _repeated_positions, methods="repeat_interleave")
def repeat_interleave(input=_missing, repeats=_missing, dim=None, *extra, output_size=None, **unknown):
    if (input.__class__ is _Tensor and repeats.__class__ is int and (dim is None or dim.__class__ is int) and
            (output_size is None or output_size.__class__ is int) and not extra and not unknown):
        return _repeat_interleave(input, repeats, dim, output_size)
    if (input.__class__ is _Tensor and (output_size is None or output_size.__class__ is int) and repeats is _missing and
            dim is None and not extra and not unknown):
        return _repeated_positions(input, output_size)
    return _repeat_interleave_slow((input, repeats, dim, output_size), extra, unknown)

_pad_slow = _Binding("pad", "Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0)", _pad)
def pad(input=_missing, pad=_missing, mode='constant', value=0, *extra, **unknown):
    if (input.__class__ is _Tensor and (pad.__class__ is _Size or (pad.__class__ is tuple or pad.__class__ is list) and
            _all_ints(pad)) and mode.__class__ is str and (value.__class__ is int or value.__class__ is float) and not extra and
            not unknown):
        return _pad(input, tuple(pad) if pad.__class__ is list else pad, mode, value)
    return _pad_slow((input, pad, mode, value), extra, unknown)

_methods = _publish(globals())
