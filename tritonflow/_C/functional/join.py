"""Functions of the binding: join.

Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
"""
# fmt: off
# ruff: noqa: I001
from tritonflow.framework.tensor import Size as _Size
from tritonflow.framework.tensor import Tensor as _Tensor
from tritonflow.binding.arguments import Binding as _Binding, all_ints as _all_ints, all_tensors as _all_tensors
from tritonflow.functions.join import (allat_least_1d as _all_at_least1d, all_at_least_2d as _all_at_least2d,
        all_at_least_3d as _all_at_least3d, at_least_1d as _at_least1d, at_least_2d as _at_least2d, at_least_3d as _at_least3d,
        cat as _cat, column_stack as _column_stack, dstack as _dstack, hstack as _hstack, repeat as _repeat, stack as _stack,
        tile as _tile, vstack as _vstack)
from tritonflow.functions.join_constant_pad import (constant_pad_nd as _constant_pad_nd)
from tritonflow.functions.join_grids import (broadcast_tensors as _broadcast_tensors, cartesian_prod as _cartesian_prod,
        combinations as _combinations, meshgrid as _meshgrid, repeat_interleave as _repeat_interleave,
        repeat_interleave_tensor as _repeat_interleave_tensor, repeated_positions as _repeated_positions)
from tritonflow.functions.join_layout import (contiguous_in as _contiguous)
from tritonflow.functions.join_pad import (pad as _pad, pad_edges as _pad_edges, pad_edges_grad as _pad_edges_grad)
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

_concat_slow = _Binding("concat", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat)
def concat(tensors=_missing, dim=0, *extra, **unknown):
    """tensors one behind the other along a dimension.

    They are promoted to one dtype. An empty tensor of one dimension goes with any shape.

    Args:
        tensors: tensors that have the same sizes but for that dimension.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n1, ...), (..., n2, ...), ... -> (..., n1 + n2 + ..., ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no dimension.
        ValueError: no tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.concat.

    Example:
        >>> import tritonflow as flow
        >>> flow.concat([flow.tensor([[1, 2]]), flow.tensor([[3, 4], [5, 6]])])
        tensor([[1, 2],
                [3, 4],
                [5, 6]])
        >>> flow.concat([flow.tensor([[1, 2]]), flow.tensor([[3]])], 1)
        tensor([[1, 2, 3]])
    """
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _concat_slow((tensors, dim), extra, unknown)

_stack_slow = _Binding("stack", "Tensor (TensorTuple tensors, Int32 dim=0)", _stack)
def stack(tensors=_missing, dim=0, *extra, **unknown):
    """tensors along a new dimension.

    They are promoted to one dtype.

    Args:
        tensors: tensors of one shape.
        dim: where the new dimension is in the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        N times (...) -> (..., N, ...).

    Raises:
        RuntimeError: different shapes, or no tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.stack.

    Example:
        >>> import tritonflow as flow
        >>> flow.stack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
        >>> flow.stack([flow.tensor([1, 2]), flow.tensor([3, 4])], 1)
        tensor([[1, 3],
                [2, 4]])
    """
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _stack(tensors, dim)
    return _stack_slow((tensors, dim), extra, unknown)

_hstack_slow = _Binding("hstack", "Tensor (TensorTuple tensors)", _hstack)
def hstack(tensors=_missing, *extra, **unknown):
    """tensors one behind the other along the second dimension, or along the only one.

    Args:
        tensors: tensors that have the same sizes but for that dimension; one without dimensions counts as a
            vector.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N1, ...), (M, N2, ...), ... -> (M, N1 + N2 + ..., ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.hstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.hstack([flow.tensor([1, 2]), flow.tensor([3])])
        tensor([1, 2, 3])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _hstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _hstack((tensors, *extra))
    return _hstack_slow((tensors,), extra, unknown)

_vstack_slow = _Binding("vstack", "Tensor (TensorTuple tensors)", _vstack)
def vstack(tensors=_missing, *extra, **unknown):
    """tensors one below the other along the first dimension.

    Args:
        tensors: tensors that have the same sizes but for that dimension; a vector counts as a row.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M1, N, ...), (M2, N, ...), ... -> (M1 + M2 + ..., N, ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.vstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.vstack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _vstack((tensors, *extra))
    return _vstack_slow((tensors,), extra, unknown)

_pad_slow = _Binding("pad", "Tensor (Tensor input, Int64List pad, String mode='constant', Scalar value=0)", _pad)
def pad(input=_missing, pad=_missing, mode='constant', value=0, *extra, **unknown):
    """The input with a constant around its last dimensions.

    "constant" puts `value` around them; "reflect" continues beyond an end with the elements before it,
    without the last one (c b | a b c | b a); "replicate" repeats the last one (a a | a b c | c c);
    "circular" begins again (b c | a b c | a b). Negative amounts cut off.

    Args:
        input: the input.
        pad: (before, after) of the last dimension, then of the one before it, ...
        mode: "constant", "reflect", "replicate" or "circular".
        value: the constant.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., H, W) -> (..., H + before + after, W + before + after).

    Raises:
        RuntimeError: an odd number of amounts, too many, a negative size, or more than a mode can continue.
        NotImplementedError: another mode, or dimensions that a mode does not take.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.nn.functional.pad.

    Example:
        >>> import tritonflow as flow
        >>> F = flow.nn.functional
        >>> x = flow.tensor([[1, 2, 3]])
        >>> F.pad(x, (1, 2))
        tensor([[0, 1, 2, 3, 0, 0]])
        >>> F.pad(x, (1, 2), mode="reflect")
        tensor([[2, 1, 2, 3, 2, 1]])
        >>> F.pad(x, (-1, 0, 0, 1), value=9)
        tensor([[2, 3],
                [9, 9]])
    """
    if (input.__class__ is _Tensor and (pad.__class__ is _Size or pad.__class__ is tuple and _all_ints(pad)) and
            mode.__class__ is str and (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _pad(input, pad, mode, value)
    return _pad_slow((input, pad, mode, value), extra, unknown)

_repeat_slow = _Binding("repeat", "Tensor (Tensor input, Shape repeats)", _repeat, methods="repeat")
def repeat(input=_missing, repeats=_missing, *extra, **unknown):
    """The input repeated along its dimensions.

    A copy. `flow.repeat_interleave` repeats elements instead.

    Args:
        input: the input.
        repeats: how often, for each dimension; more numbers than dimensions are for new ones in front.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, ...) -> (n * repeats, ...).

    Method: `Tensor.repeat`.

    Raises:
        RuntimeError: fewer numbers than dimensions, or negative ones.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.Tensor.repeat.

    Example:
        >>> import tritonflow as flow
        >>> flow.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
    """
    if (input.__class__ is _Tensor and (repeats.__class__ is _Size or repeats.__class__ is tuple and _all_ints(repeats)) and
            not extra and not unknown):
        return _repeat(input, repeats)
    if input.__class__ is _Tensor and repeats.__class__ is int and not unknown and _all_ints(extra):
        return _repeat(input, (repeats, *extra))
    return _repeat_slow((input, repeats), extra, unknown)

_tile_slow = _Binding("tile", "Tensor (Tensor input, Shape dims)", _tile, methods="tile")
def tile(input=_missing, dims=_missing, *extra, **unknown):
    """The input repeated along its dimensions.

    As `Tensor.repeat`, where fewer numbers than dimensions are for the last ones.

    Args:
        input: the input.
        dims: how often, for each dimension.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (n, ...) -> (n * dims, ...).

    Method: `Tensor.tile`.

    Raises:
        RuntimeError: negative numbers.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.tile.

    Example:
        >>> import tritonflow as flow
        >>> flow.tile(flow.tensor([[1, 2], [3, 4]]), (2,))
        tensor([[1, 2, 1, 2],
                [3, 4, 3, 4]])
    """
    if (input.__class__ is _Tensor and (dims.__class__ is _Size or dims.__class__ is tuple and _all_ints(dims)) and not extra and
            not unknown):
        return _tile(input, dims)
    if input.__class__ is _Tensor and dims.__class__ is int and not unknown and _all_ints(extra):
        return _tile(input, (dims, *extra))
    return _tile_slow((input, dims), extra, unknown)

_dstack_slow = _Binding("dstack", "Tensor (TensorTuple tensors)", _dstack)
def dstack(tensors=_missing, *extra, **unknown):
    """tensors one behind the other along the third dimension.

    Args:
        tensors: tensors that have the same sizes but for that dimension; fewer dimensions count as
            `flow.atleast_3d` gives them.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N, K1), (M, N, K2), ... -> (M, N, K1 + K2 + ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.dstack.

    Example:
        >>> import tritonflow as flow
        >>> flow.dstack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[[1, 3],
                 [2, 4]]])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _dstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _dstack((tensors, *extra))
    return _dstack_slow((tensors,), extra, unknown)

_row_stack_slow = _Binding("row_stack", "Tensor (TensorTuple tensors)", _vstack)
def row_stack(tensors=_missing, *extra, **unknown):
    """tensors one below the other along the first dimension.

    Args:
        tensors: tensors that have the same sizes but for that dimension; a vector counts as a row.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M1, N, ...), (M2, N, ...), ... -> (M1 + M2 + ..., N, ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.row_stack.

    Example:
        >>> import tritonflow as flow
        >>> flow.row_stack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _vstack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _vstack((tensors, *extra))
    return _row_stack_slow((tensors,), extra, unknown)

_column_stack_slow = _Binding("column_stack", "Tensor (TensorTuple tensors)", _column_stack)
def column_stack(tensors=_missing, *extra, **unknown):
    """Vectors and columns of matrices beside each other.

    Args:
        tensors: matrices of one height; a vector counts as a column.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (M, N1), (M), ... -> (M, N1 + 1 + ...).

    Raises:
        RuntimeError: heights that differ, or no tensors.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.column_stack.

    Example:
        >>> import tritonflow as flow
        >>> flow.column_stack([flow.tensor([1, 2]), flow.tensor([3, 4])])
        tensor([[1, 3],
                [2, 4]])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _column_stack(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _column_stack((tensors, *extra))
    return _column_stack_slow((tensors,), extra, unknown)

_concatenate_slow = _Binding("concatenate", "Tensor (TensorTuple tensors, Int32 dim=0)", _cat)
def concatenate(tensors=_missing, dim=0, *extra, **unknown):
    """tensors one behind the other along a dimension.

    They are promoted to one dtype. An empty tensor of one dimension goes with any shape.

    Args:
        tensors: tensors that have the same sizes but for that dimension.
        dim: the dimension; a negative one counts from the end.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n1, ...), (..., n2, ...), ... -> (..., n1 + n2 + ..., ...).

    Raises:
        RuntimeError: sizes that differ elsewhere, or no dimension.
        ValueError: no tensors.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.concatenate.

    Example:
        >>> import tritonflow as flow
        >>> flow.concatenate([flow.tensor([[1, 2]]), flow.tensor([[3, 4], [5, 6]])])
        tensor([[1, 2],
                [3, 4],
                [5, 6]])
        >>> flow.concatenate([flow.tensor([[1, 2]]), flow.tensor([[3]])], 1)
        tensor([[1, 2, 3]])
    """
    if tensors.__class__ is tuple and dim.__class__ is int and not extra and not unknown and _all_tensors(tensors):
        return _cat(tensors, dim)
    return _concatenate_slow((tensors, dim), extra, unknown)

_atleast_1d_slow = _Binding("atleast_1d", "Tensor (Tensor input)", _at_least1d, "TensorTuple (TensorTuple tensors)",
        _all_at_least1d)
def atleast_1d(input=_missing, *extra, tensors=_missing, **unknown):
    """The input with at least one dimension.

    Several tensors give a tuple.

    Overloads:
        - `atleast_1d(input: Tensor) -> Tensor`
        - `atleast_1d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_1d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        () -> (1); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_1d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_1d(flow.tensor(3))
        tensor([3])
    """
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least1d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least1d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least1d((input, *extra))
    return _atleast_1d_slow((input, tensors), extra, unknown)

_atleast_2d_slow = _Binding("atleast_2d", "Tensor (Tensor input)", _at_least2d, "TensorTuple (TensorTuple tensors)",
        _all_at_least2d)
def atleast_2d(input=_missing, *extra, tensors=_missing, **unknown):
    """The input with at least two dimensions, the new ones in front.

    Several tensors give a tuple.

    Overloads:
        - `atleast_2d(input: Tensor) -> Tensor`
        - `atleast_2d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_2d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (), (N) -> (1, 1), (1, N); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_2d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_2d(flow.tensor([1, 2]))
        tensor([[1, 2]])
    """
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least2d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least2d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least2d((input, *extra))
    return _atleast_2d_slow((input, tensors), extra, unknown)

_atleast_3d_slow = _Binding("atleast_3d", "Tensor (Tensor input)", _at_least3d, "TensorTuple (TensorTuple tensors)",
        _all_at_least3d)
def atleast_3d(input=_missing, *extra, tensors=_missing, **unknown):
    """The input with at least three dimensions.

    A vector becomes (1, N, 1), a matrix (M, N, 1). Several tensors give a tuple.

    Overloads:
        - `atleast_3d(input: Tensor) -> Tensor`
        - `atleast_3d(tensors: Sequence[Tensor]) -> tuple[Tensor, ...]`
        - `atleast_3d(*tensors: Tensor) -> tuple[Tensor, ...]`

    Args:
        input: the input.
        tensors: several inputs.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (), (N), (M, N) -> (1, 1, 1), (1, N, 1), (M, N, 1); others as they are.

    Raises:
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.atleast_3d.

    Example:
        >>> import tritonflow as flow
        >>> flow.atleast_3d(flow.tensor([1, 2])).shape
        tritonflow.Size([1, 2, 1])
    """
    if input.__class__ is _Tensor and tensors is _missing and not extra and not unknown:
        return _at_least3d(input)
    if input.__class__ is tuple and tensors is _missing and not extra and not unknown and _all_tensors(input):
        return _all_at_least3d(input)
    if input.__class__ is _Tensor and tensors is _missing and not unknown and _all_tensors(extra):
        return _all_at_least3d((input, *extra))
    return _atleast_3d_slow((input, tensors), extra, unknown)

_broadcast_tensors_slow = _Binding("broadcast_tensors", "TensorTuple (TensorTuple tensors)", _broadcast_tensors)
def broadcast_tensors(tensors=_missing, *extra, **unknown):
    """tensors expanded to the shape that they broadcast to: views.

    Args:
        tensors: tensors whose shapes broadcast.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        shapes that broadcast -> all the same.

    Raises:
        RuntimeError: shapes that do not broadcast.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.broadcast_tensors.

    Example:
        >>> import tritonflow as flow
        >>> flow.broadcast_tensors(flow.tensor([1, 2]), flow.tensor([[3], [4]]))
        (tensor([[1, 2],
                [1, 2]]), tensor([[3, 3],
                [4, 4]]))
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _broadcast_tensors(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _broadcast_tensors((tensors, *extra))
    return _broadcast_tensors_slow((tensors,), extra, unknown)

_meshgrid_slow = _Binding("meshgrid", "TensorTuple (TensorTuple tensors, *, String indexing=None)", _meshgrid)
def meshgrid(tensors=_missing, *extra, indexing=None, **unknown):
    """Coordinates of a grid, each along a dimension of its own.

    Args:
        tensors: vectors, or numbers.
        indexing: "ij": tensor i changes along dimension i; "xy": the first along the columns, the second
            along the rows. Default "ij", with a warning.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N1), (N2), ... -> as many of (N1, N2, ...); N1 and N2 exchanged with "xy".

    Raises:
        RuntimeError: more than 1 dimension, different dtypes or devices, or another indexing.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.meshgrid.

    Example:
        >>> import tritonflow as flow
        >>> x, y = flow.meshgrid(flow.tensor([1, 2]), flow.tensor([3, 4, 5]), indexing="ij")
        >>> x
        tensor([[1, 1, 1],
                [2, 2, 2]])
        >>> y
        tensor([[3, 4, 5],
                [3, 4, 5]])
    """
    if (tensors.__class__ is tuple and (indexing is None or indexing.__class__ is str) and not extra and not unknown and
            _all_tensors(tensors)):
        return _meshgrid(tensors, indexing)
    if tensors.__class__ is _Tensor and (indexing is None or indexing.__class__ is str) and not unknown and _all_tensors(extra):
        return _meshgrid((tensors, *extra), indexing)
    return _meshgrid_slow((tensors, indexing), extra, unknown)

_cartesian_prod_slow = _Binding("cartesian_prod", "Tensor (TensorTuple tensors)", _cartesian_prod)
def cartesian_prod(tensors=_missing, *extra, **unknown):
    """A row for each choice of one element of each vector.

    Args:
        tensors: vectors.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N1), ..., (Nk) -> (N1 * ... * Nk, k); (N1) of one vector.

    Raises:
        RuntimeError: other than 1 dimension.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.cartesian_prod.

    Example:
        >>> import tritonflow as flow
        >>> flow.cartesian_prod(flow.tensor([1, 2]), flow.tensor([3, 4]))
        tensor([[1, 3],
                [1, 4],
                [2, 3],
                [2, 4]])
    """
    if tensors.__class__ is tuple and not extra and not unknown and _all_tensors(tensors):
        return _cartesian_prod(tensors)
    if tensors.__class__ is _Tensor and not unknown and _all_tensors(extra):
        return _cartesian_prod((tensors, *extra))
    return _cartesian_prod_slow((tensors,), extra, unknown)

_combinations_slow = _Binding("combinations", "Tensor (Tensor input, Int64 r=2, Bool with_replacement=False)", _combinations)
def combinations(input=_missing, r=2, with_replacement=False, *extra, **unknown):
    """A row for each choice of r elements.

    In the order of the elements, as itertools.combinations gives them.

    Args:
        input: the input.
        r: how many elements of each choice.
        with_replacement: whether an element may be chosen more than once.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (N) -> (number of choices, r).

    Raises:
        RuntimeError: other than 1 dimension, or a negative r.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.combinations.

    Example:
        >>> import tritonflow as flow
        >>> flow.combinations(flow.tensor([1, 2, 3]))
        tensor([[1, 2],
                [1, 3],
                [2, 3]])
    """
    if (input.__class__ is _Tensor and r.__class__ is int and (with_replacement is False or with_replacement is True) and
            not extra and not unknown):
        return _combinations(input, r, with_replacement)
    return _combinations_slow((input, r, with_replacement), extra, unknown)

_constant_pad_nd_slow = _Binding("constant_pad_nd", "Tensor (Tensor input, Int64List pad, Scalar value=0)", _constant_pad_nd)
def constant_pad_nd(input=_missing, pad=_missing, value=0, *extra, **unknown):
    """The input with a number around its last dimensions.

    The same as `flow.pad` with mode="constant".

    Args:
        input: the input.
        pad: (before, after) of the last dimension, then of the one before it, ...; negative amounts cut
            off.
        value: the number.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., H, W) -> (..., H + before + after, W + before + after).

    Raises:
        RuntimeError: an odd number of amounts, too many, or a negative size.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.constant_pad_nd.

    Example:
        >>> import tritonflow as flow
        >>> flow.constant_pad_nd(flow.tensor([1, 2]), (1, 2), 9)
        tensor([9, 1, 2, 9, 9])
    """
    if (input.__class__ is _Tensor and (pad.__class__ is _Size or pad.__class__ is tuple and _all_ints(pad)) and
            (value.__class__ is int or value.__class__ is float) and not extra and not unknown):
        return _constant_pad_nd(input, pad, value)
    return _constant_pad_nd_slow((input, pad, value), extra, unknown)

_repeat_interleave_slow = _Binding("repeat_interleave",
        "Tensor (Tensor input, Int64 repeats, Int32 dim=None, *, Int64 output_size=None)", _repeat_interleave,
        "Tensor (Tensor input, Tensor repeats, Int32 dim=None, *, Int64 output_size=None)", _repeat_interleave_tensor,
        "Tensor (Tensor repeats, *, Int64 output_size=None)", _repeated_positions, methods="repeat_interleave")
def repeat_interleave(input=_missing, repeats=_missing, dim=None, *extra, output_size=None, **unknown):
    """Each entry of a dimension as often as said.

    Of `repeats` alone it gives the indices: i repeated repeats[i] times.

    Overloads:
        - `repeat_interleave(input: Tensor, repeats: int, dim: int | None = None, *, output_size: int | None = None) -> Tensor`
        - `repeat_interleave(input: Tensor, repeats: Tensor, dim: int | None = None, *, output_size: int | None = None) -> Tensor`
        - `repeat_interleave(repeats: Tensor, *, output_size: int | None = None) -> Tensor`

    Args:
        input: the input.
        repeats: how often, one number or one for each entry.
        dim: along which dimension; default of all elements, flattened.
        output_size: the size of the result, where it is known.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        (..., n, ...) -> (..., sum of repeats, ...).

    Method: `Tensor.repeat_interleave`.

    Raises:
        RuntimeError: negative numbers, numbers that do not fit the dimension, or another output_size.
        IndexError: `dim` is out of range.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.repeat_interleave.

    Example:
        >>> import tritonflow as flow
        >>> flow.repeat_interleave(flow.tensor([[1, 2], [3, 4]]), flow.tensor([1, 2]), 0)
        tensor([[1, 2],
                [3, 4],
                [3, 4]])
        >>> flow.repeat_interleave(flow.tensor([2, 0, 1]))
        tensor([0, 0, 2])
    """
    if (input.__class__ is _Tensor and repeats.__class__ is int and (dim is None or dim.__class__ is int) and
            (output_size is None or output_size.__class__ is int) and not extra and not unknown):
        return _repeat_interleave(input, repeats, dim, output_size)
    if (input.__class__ is _Tensor and (output_size is None or output_size.__class__ is int) and repeats is _missing and
            dim is None and not extra and not unknown):
        return _repeated_positions(input, output_size)
    return _repeat_interleave_slow((input, repeats, dim, output_size), extra, unknown)

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

_methods = _publish(globals())
