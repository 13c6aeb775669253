"""Views of shards are shards of views: every signature of a random view, by the numbers of elements, without kernels."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from tritonflow.device.device import Device
from tritonflow.dtypes import int64
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import contiguous_meta, contiguous_stride
from tritonflow.framework.sbp import broadcast, partial_max, partial_sum, split
from tritonflow.framework.shards import Box, Shape, box_of, box_shape
from tritonflow.ops.sbp.region import slice_of_region
from tritonflow.ops.sbp.signature import NdSignature, Shards, localize, nd_signatures

CPU = Device("cpu")
SIZES = st.sampled_from([1, 1, 2, 3, 4, 5, 6, 8, 12])
SHAPES = st.lists(SIZES, max_size=4).map(tuple)
MESHES = st.sampled_from([(2,), (3,), (4,), (8,), (2, 2), (2, 3), (2, 4), (4, 16)])


def numbered(shape: Shape) -> Any:
    return numpy.arange(prod(shape)).reshape(shape)


def cut(x: Any, box: Box) -> Any:
    return x[tuple([slice(*each) for each in box])]


def viewed(op: Any, x: Any, attrs: tuple[Any, ...]) -> Any:
    """What the planner's strides show of an array in row-major order."""
    meta, offset = op.plan((contiguous_meta(x.shape, int64, CPU),), attrs)
    flat = numpy.ascontiguousarray(x).reshape(-1)[offset // 8 :]
    assert meta.numel == 0 or meta.span() <= flat.size, f"reaches outside of a shard {x.shape}"
    return numpy.lib.stride_tricks.as_strided(flat, meta.shape, [8 * s for s in meta.stride])


def signatures(op: Any, shape: Shape, attrs: tuple[Any, ...], mesh: Shape) -> list[NdSignature]:
    """Those by which a rank's shard is all that it needs."""
    return [s for s in nd_signatures(op.definition, (contiguous_meta(shape, int64, CPU),), attrs, mesh) if not s.decomposed]


def shards_of(op: Any, shape: Shape, result: Shape, mesh: Shape, signature: NdSignature) -> Any:
    """For each coordinate what the rank has, in the words of localizers."""
    metas = (contiguous_meta(shape, int64, CPU),)
    (source,), (target,) = signature.inputs, signature.outputs
    for coordinate in product(*map(range, mesh)):
        boxes = box_of(shape, mesh, source, coordinate), box_of(result, mesh, target, coordinate)
        yield Shards(metas, boxes[:1], boxes[1:], signature, coordinate)


def check_view(name: str, shape: Shape, attrs: tuple[Any, ...], mesh: Shape) -> list[NdSignature]:
    """Every signature of a view; returns them."""
    op, x = op_expr(name), numbered(shape)
    whole = viewed(op, x, attrs)
    found = signatures(op, shape, attrs, mesh)
    for signature in found:
        for shards in shards_of(op, shape, whole.shape, mesh, signature):
            local = localize(op.definition, attrs, (), shards)
            shard = viewed(op, cut(x, shards.inputs[0]), local.attrs)
            expected = cut(whole, shards.outputs[0])
            assert shard.shape == expected.shape and (shard == expected).all(), f"{signature} at {shards.coordinate}"
    return found


@st.composite
def factored(draw: Any) -> tuple[Shape, Shape]:
    """Two shapes of as many elements."""
    factors = draw(st.lists(st.sampled_from([1, 2, 2, 3, 4, 5]), min_size=1, max_size=5))

    def joined() -> Shape:
        shape = [1]
        for factor in factors:
            if draw(st.booleans()):
                shape.append(1)
            shape[-1] *= factor
        return tuple(shape[draw(st.integers(0, int(shape[0] == 1 and len(shape) > 1))) :])

    return joined(), joined()


@given(factored(), MESHES)
@settings(max_examples=150, deadline=None)
def test_view(shapes: tuple[Shape, Shape], mesh: Shape) -> None:
    check_view("view", shapes[0], (shapes[1],), mesh)


@st.composite
def with_dim(draw: Any) -> tuple[Shape, int]:
    shape = draw(SHAPES.filter(len))
    return shape, draw(st.integers(0, len(shape) - 1))


@given(with_dim(), MESHES, st.data())
@settings(max_examples=150, deadline=None)
def test_slice_select_unfold(dimension: tuple[Shape, int], mesh: Shape, data: Any) -> None:
    shape, dim = dimension
    start, step = data.draw(st.integers(0, shape[dim] - 1)), data.draw(st.integers(1, 3))
    length = data.draw(st.integers(0, -(-(shape[dim] - start) // step)))
    check_view("slice", shape, (dim, start, length, step), mesh)
    check_view("select", shape, (dim, start), mesh)
    check_view("unfold_tensor", shape, (dim, data.draw(st.integers(1, shape[dim])), step), mesh)


@given(SHAPES, MESHES, st.data())
@settings(max_examples=100, deadline=None)
def test_other_views(shape: Shape, mesh: Shape, data: Any) -> None:
    ndim = len(shape)
    check_view("permute", shape, (tuple(data.draw(st.permutations(range(ndim)))),), mesh)
    check_view("squeeze", shape, (tuple(sorted(data.draw(st.sets(st.integers(0, ndim - 1)) if ndim else st.just(())))),), mesh)
    check_view("unsqueeze", shape, (data.draw(st.integers(0, ndim)),), mesh)
    larger = tuple([data.draw(SIZES) if n == 1 else n for n in shape])
    check_view("expand", shape, (tuple(data.draw(st.lists(SIZES, max_size=1))) + larger,), mesh)
    if ndim > 1:
        dims = data.draw(st.permutations(range(ndim)))[:2]
        check_view("diagonal", shape, (data.draw(st.integers(-3, 3)), *dims), mesh)


@st.composite
def regions(draw: Any) -> tuple[Shape, Shape, Shape, int]:
    """(sizes, shape, strides, elements before it) of a region: slices and selected indices of some dimensions, in any order."""
    shape = draw(SHAPES)
    strides = contiguous_stride(shape)
    sizes, steps, elements = [], [], 0
    for dim in draw(st.permutations(range(len(shape)))):
        start, step = draw(st.integers(0, shape[dim] - 1)), draw(st.integers(1, 2))
        whole = draw(st.booleans())
        elements += 0 if whole else start * strides[dim]
        if whole or draw(st.booleans()):
            sizes.append(shape[dim] if whole else draw(st.integers(0, -(-(shape[dim] - start) // step))))
            steps.append(strides[dim] if whole else step * strides[dim])
    return tuple(sizes), shape, tuple(steps), elements


def put(sizes: Shape, values: Any, shape: Shape, strides: Shape, elements: int) -> Any:
    """Zeros with the values in a region."""
    result = numpy.zeros(prod(shape), int)
    if prod(sizes):
        numpy.lib.stride_tricks.as_strided(result[elements:], sizes, [8 * s for s in strides])[...] = values
    return result.reshape(shape)


@given(regions())
@settings(max_examples=200, deadline=None)
def test_the_slice_that_a_region_is(region: tuple[Shape, Shape, Shape, int]) -> None:
    sizes, shape, *attrs = region
    found = slice_of_region(sizes, shape, *attrs)
    if found is not None:
        dim, _, start, step = found
        expected, part = numpy.zeros(shape, int), [slice(None)] * len(shape)
        part[dim] = slice(start, start + sizes[dim] * step, step)
        expected[tuple(part)] = numbered(sizes) + 1
        assert (put(sizes, numbered(sizes) + 1, shape, *attrs) == expected).all()


@given(regions(), MESHES)
@settings(max_examples=200, deadline=None)
def test_region_grad(region: tuple[Shape, Shape, Shape, int], mesh: Shape) -> None:
    sizes, *attrs = region
    op, dy = op_expr("region_grad"), numbered(sizes) + 1
    whole = put(sizes, dy, *attrs)
    for signature in signatures(op, sizes, tuple(attrs), mesh):
        for shards in shards_of(op, sizes, attrs[0], mesh, signature):
            shape, strides, elements = localize(op.definition, tuple(attrs), (), shards).attrs
            shard = put(box_shape(shards.inputs[0]), cut(dy, shards.inputs[0]), shape, strides, elements)
            assert (shard == cut(whole, shards.outputs[0])).all(), f"{signature} at {shards.coordinate}"


@given(with_dim(), MESHES, st.lists(SIZES, min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_cat(dimension: tuple[Shape, int], mesh: Shape, sizes: list[int]) -> None:
    shape, dim = dimension
    shapes = [(*shape[:dim], n, *shape[dim + 1 :]) for n in sizes]
    xs = [numbered(s) + 1000 * k for k, s in enumerate(shapes)]
    whole = numpy.concatenate(xs, dim)
    metas = tuple([contiguous_meta(s, int64, CPU) for s in shapes])
    for signature in nd_signatures(op_expr("cat").definition, metas, (dim, tuple(sizes)), mesh):
        if signature.decomposed:
            continue
        for coordinate in product(*map(range, mesh)):
            pieces = [cut(x, box_of(x.shape, mesh, s, coordinate)) for x, s in zip(xs, signature.inputs)]  # type: ignore[arg-type]
            expected = cut(whole, box_of(whole.shape, mesh, signature.outputs[0], coordinate))
            assert (numpy.concatenate(pieces, dim) == expected).all()


# ------------------------------------------------------------------------------------------------- what peers got wrong


def sources(name: str, shape: Shape, attrs: tuple[Any, ...], mesh: Shape = (2,)) -> dict[Any, Any]:
    """From how the input lies to how the view does."""
    return {s.inputs[0]: s.outputs[0] for s in signatures(op_expr(name), shape, attrs, mesh)}


def test_view_of_split_columns_pytorch_179502() -> None:
    """It returned a tensor split along dimension 0, of elements that had not moved."""
    found = sources("view", (4, 6), ((24,),))
    assert found[split(0),] == (split(0),)
    assert (split(1),) not in found
    assert sources("view", (4, 6), ((4, 2, 3),))[split(1),] == (split(1),)
    assert (split(1),) not in sources("view", (4, 6), ((4, 3, 2),))  # 3 has no 2 equal pieces


def test_view_of_uneven_rows_pytorch_143372() -> None:
    """(3 rows, 2 rows) of 4 are 12 and 8 elements; a split vector would be 10 and 10."""
    assert (split(0),) not in sources("view", (5, 4), ((20,),))
    assert sources("view", (5, 4), ((5, 2, 2),))[split(0),] == (split(0),)


def test_partial_tensors_pass_through_views() -> None:
    found = sources("view", (5, 4), ((20,),))
    assert found[partial_sum,] == (partial_sum,) and found[partial_max,] == (partial_max,)


def test_shards_of_one_element_are_not_squeezed() -> None:
    """A rank has one of 2 rows; the dimension has size 2 and stays."""
    check_view("squeeze", (2, 1, 3), ((0, 1, 2),), (2,))
    assert sources("squeeze", (2, 1, 3), ((0, 1, 2),))[split(0),] == (split(0),)


def test_repeated_dimensions_cost_nothing() -> None:
    assert (split(0),) in [s.outputs[0] for s in signatures(op_expr("expand"), (1, 3), ((8, 3),), (2,)) if s.inputs[0] == (broadcast,)]
