"""Planners of 2-d convolution and of its two gradients, dense or depthwise, by the shape of the weight.

Static attributes of all three: (stride, padding, dilation, groups), pairs but for the last; the gradients have the
shape of their result before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.dtypes import DType
from tritonflow.framework.memory_format import channels_last, suggested_format
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta, contiguous_stride
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops import conv_last, depthwise
from tritonflow.ops.conv_windows import PixelWindows, takes_windows
from tritonflow.ops.epilogue import Epilogue, biased, planes, store_only
from tritonflow.ops.geometry import Geometry, strides
from tritonflow.ops.images import MATRIX_DTYPES, has_matrix_units, images_like
from tritonflow.ops.kernel_modules import KernelModule
from tritonflow.ops.matmul import product, reduce_splits
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.operands import Address, Input, LaunchOperand, Operands
from tritonflow.ops.plan import Launch, Plan
from tritonflow.ops.precision import product_dtype
from tritonflow.ops.prologue import Prologues, as_loaded
from tritonflow.ops.scratch import Scratch
from tritonflow.ops.tuning import choose, has_folded_weight

dense = KernelModule("conv")
rules = KernelModule("conv_config")

DATA_GRADIENTS = ("conv_data_grad", "conv_transpose_biased")
FLAT_CHANNELS = 16  # fewer input channels than a block of the reduction are reduced together with the taps
FEW_POSITIONS = 1024  # for fewer a CPU does not lay out the weight by taps first: 512x7 3x3 is 1.14 times as fast
# Where the copy is folded, it does so for few positions, too: 256x14 3x3 takes 0.75 of the time, 512x7 0.92 (AVX-512, one thread).
RELAID_PRODUCTS = 128  # multiply-adds of an element for which a GPU first copies it to where its channels are neighbours


def conv2d(
    op: OpDef,
    inputs: tuple[TensorMeta | None, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """y from (x, weight, bias); another epilogue has to add the bias itself."""
    x, w, bias = inputs
    assert x is not None and w is not None
    g = Geometry(x.shape, w.shape, *attrs)
    prologues = prologues or as_loaded(x)
    y = images_like(_speaker(x, w), g.y_shape, prologues.dtype)
    epilogue = epilogue or biased(y, planes(y), bias)
    inputs = (*inputs, *epilogue.inputs)
    if g.is_depthwise:
        return depthwise.forward(inputs, g, y.is_channels_last, epilogue)
    if _is_last(x, y, g, prologues.dtype):
        return conv_last.forward(inputs, g, y.is_channels_last, epilogue, prologues)
    return _forward(inputs, g, epilogue, prologues)


def _is_last(x: TensorMeta, y: TensorMeta, g: Geometry, dtype: DType) -> bool:
    """Whether a CPU makes channels-last images. Those of one pixel always lie so: the weight is copied where that is done once."""
    facts, one = facts_of(x.device), prod(x.shape[2:]) == prod(y.shape[2:]) == 1 and x.is_contiguous
    if not y.is_channels_last and not one or one and not has_folded_weight():
        return False
    asked = facts, g, product_dtype(facts, dtype, "conv")
    return (x.is_channels_last or one) and conv_last.takes_last(*asked) or conv_last.takes_windows(*asked)


def _launch(
    kernel: Any,
    grid: Shape,
    operands: Sequence[Operands],
    sizes: Any,
    config: dict[str, Any],
    work: int = 0,
    **constexprs: Any,
) -> Launch:
    options = {key: config[key] for key in ("num_warps", "num_stages")}
    return Launch(kernel, grid, operands, sizes, {**constexprs, **config["constexprs"]}, work=work, **options)


class _Images(NamedTuple):
    """Images as a kernel reads them.

    Attributes:
        prologues: what it still has to do with elements.
        in_units: whether channels are neighbours, and matrix units compute with them.
        windows: how windows of them are taken for channels, if they are.
    """

    operand: LaunchOperand
    meta: TensorMeta
    prologues: Prologues
    in_units: bool
    windows: PixelWindows | None = None


class ImageOperand(NamedTuple):
    """What a convolution's kernel does with images.

    Attributes:
        takes: whether it takes them channels-last into matrix units.
        pays: whether copying them for that pays.
        windows: whether it takes windows of them, copied from any layout.
    """

    takes: bool
    pays: bool
    windows: bool = False


def last_on_cpu(inputs: Sequence[TensorMeta], attrs: tuple[Any, ...]) -> ImageOperand:
    """What conv2d does with its images on a CPU, where its weight is laid out once: few channels are read as they lie."""
    x, w = inputs[:2]
    g, facts = Geometry(x.shape, w.shape, *attrs), facts_of(x.device)
    asked = facts, g, product_dtype(facts, x.dtype, "conv")
    dense = conv_last.takes_last(*asked)
    return ImageOperand(dense or g.is_depthwise, dense, conv_last.takes_windows(*asked))


def _windows(g: Geometry, facts: DeviceFacts, dtype: str) -> PixelWindows | None:
    """How windows of images are taken for channels, where these are few and a copy pays."""
    inner, outer = g.channels
    takes = has_matrix_units(facts) and dtype in MATRIX_DTYPES and inner < FLAT_CHANNELS and takes_windows(g)
    return PixelWindows(g) if takes and outer * g.taps >= RELAID_PRODUCTS * prod(g.stride) else None


def _asked(x: TensorMeta, g: Geometry, dtype: str, channels: int, others: int) -> ImageOperand:
    """For images with so many channels in a group, of which an element meets `others` for each tap."""
    takes = has_matrix_units(facts_of(x.device)) and dtype in MATRIX_DTYPES and channels >= FLAT_CHANNELS
    scattered = g.taps > 1 or g.stride != (1, 1) or prod(x.shape[2:]) % 16 != 0
    enough = others * g.taps >= RELAID_PRODUCTS * prod(g.stride)
    return ImageOperand(takes, takes and scattered and enough and channels % 16 == 0)


def image_operands(name: str, inputs: Sequence[TensorMeta], attrs: tuple[Any, ...]) -> list[ImageOperand]:
    """What conv2d, conv_data_grad or conv_filter_grad does with its images, its first inputs."""
    if name == "conv2d":
        g = Geometry(inputs[0].shape, inputs[1].shape, *attrs)
    elif name in DATA_GRADIENTS:
        g = Geometry(attrs[0], inputs[1].shape, *attrs[1:])
    else:
        g = Geometry(inputs[1].shape, *attrs)
    dtype = product_dtype(facts_of(inputs[0].device), inputs[0].dtype, "conv")
    inner, outer = g.channels
    if g.is_depthwise:
        takes = has_matrix_units(facts_of(inputs[0].device))
        return [ImageOperand(takes, False)] * (2 if name == "conv_filter_grad" else 1)
    windows = _windows(g, facts_of(inputs[0].device), dtype) is not None
    if name == "conv2d":
        return [_asked(inputs[0], g, dtype, inner, outer)._replace(windows=windows)]
    gradient = _asked(inputs[0], g, dtype, outer, inner)
    if name in DATA_GRADIENTS:
        return [gradient]
    return [gradient, _asked(inputs[1], g, dtype, inner, outer)._replace(windows=windows and gradient.takes)]


def _images(
    scratch: Scratch,
    number: int,
    x: TensorMeta,
    prologues: Prologues,
    g: Geometry,
    dtype: str,
    channels: int,
    others: int,
    wanted: bool = False,
) -> _Images:
    """Input `number`, images with so many channels in a group; copied where that pays. An element meets `others` for each tap.

    Where channels-last images are `wanted`, a kernel takes the other operand in windows only beside such.
    """
    asked = _asked(x, g, dtype, channels, others)
    pays = asked.pays or wanted and asked.takes and channels % 16 == 0
    if not pays or x.is_channels_last:
        return _Images(Input(number), x, prologues, asked.takes and x.is_channels_last)
    function = prologues.b if number else prologues.a
    target, meta = scratch.channels_last(x, Input(number), prologues.dtype, function)
    return _Images(target, meta, prologues._replace(b=None) if number else prologues._replace(a=None), True)


def _windows_of(scratch: Scratch, number: int, x: TensorMeta, prologues: Prologues, windows: PixelWindows) -> _Images:
    """Input `number`, images whose windows are taken for channels; the copy does what a prologue would."""
    function = prologues.b if number else prologues.a
    target = windows.images(scratch, x, Input(number), prologues.dtype, function)
    return _Images(target, x, prologues._replace(b=None) if number else prologues._replace(a=None), True, windows)


def _seen(g: Geometry, images: _Images) -> tuple[Geometry, tuple[Any, ...], tuple[Any, ...]]:
    """The convolution as a kernel sees it: its geometry, the sizes and the images' strides that the kernel is given."""
    if images.windows is not None:
        return images.windows.geometry, images.windows.sizes, images.windows.x_strides
    g, x_stride = g.flattened(images.meta.stride)
    return g, g.sizes, strides(x_stride)


def _is_padded(g: Geometry, images: _Images) -> bool:
    """Whether a kernel asks for each tap if it is inside of an image; without matrix units it always does."""
    return not images.in_units or g.padding != (0, 0)


def _forward(inputs: tuple[TensorMeta | None, ...], g: Geometry, epilogue: Epilogue, prologues: Prologues) -> Plan:
    x, w = inputs[:2]
    assert x is not None and w is not None
    facts, scratch = facts_of(x.device), Scratch()
    dtype = product_dtype(facts, prologues.dtype, "conv")
    channels, outputs = g.channels
    y = images_like(_speaker(x, w), g.y_shape, prologues.dtype)
    windows = _windows(g, facts, dtype)
    if windows is None:
        images = _images(scratch, 0, x, prologues, g, dtype, channels, outputs)
    else:
        images = _windows_of(scratch, 0, x, prologues, windows)
    g, seen, x_strides = _seen(g, images)
    channels = channels if windows is None else windows.channels
    positions = (x.shape[0] * g.out[0], g.out[1])
    flat = windows is None and _is_flat(g, facts)
    depth, whole = channels * (g.taps if flat else 1), channels * g.taps
    if windows is not None:
        target = windows.weight(scratch, w, Input(1), prologues.dtype, prologues.b)
        weight = _Weight(target, windows.w_strides, images.prologues._replace(b=None))
    elif flat or g.taps == 1:
        weight = _Weight(scratch.contiguous(w, Input(1)), (0, outputs * whole, whole, 1), images.prologues)
    else:
        weight = _by_tap(scratch, Input(1), g, w, 1, images.prologues)
    prologues = weight.prologues
    if images.in_units:
        few = prologues.any or not epilogue.is_light
        apart = not y.is_channels_last
        rule = rules.last_config(facts, dtype, outputs, prod(positions), whole, g.taps, channels, few, apart)
        config = choose(rules.last_candidates(facts, dtype, outputs, prod(positions), rule, prologues.any))
    else:
        config = choose(rules.tile_candidates(facts, dtype, outputs, *positions, depth, prologues.any))
    sizes = (x.shape[0], g.groups, channels, outputs, *seen, x_strides, strides(weight.strides), *epilogue.arguments)
    grid = (rules.tiles(config["constexprs"], outputs, *positions), g.groups)
    operands = (images.operand, weight.operand, epilogue.operands, epilogue.targets)
    padded = _is_padded(g, images)
    fixed = {"EPILOGUE": epilogue.function, "FLAT": flat, "PADDED": padded, "Y_LAST": y.is_channels_last}
    launch = _launch(dense.forward, grid, operands, sizes, config, g.work, **prologues.constexprs, **fixed)
    return Plan(inputs, epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)


def _speaker(x: TensorMeta, w: TensorMeta) -> TensorMeta:
    """The operand that says whether the result is channels-last: where one of them is, the result is."""
    return w if suggested_format(w) is channels_last else x


def _is_flat(g: Geometry, facts: DeviceFacts) -> bool:
    """Whether input channels are reduced together with the taps."""
    few = facts.kind == "cpu" and g.taps > 1 and g.x_shape[0] * prod(g.out) < FEW_POSITIONS and not has_folded_weight()
    return g.channels[0] < FLAT_CHANNELS or few


def copies_operand(name: str, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], number: int) -> bool:
    """Whether a convolution or gradient copies this input before, by a kernel that does what a prologue would.

    It does so with images of which it takes windows, and with a weight that it lays out by taps.
    """
    images = image_operands(name, inputs, attrs)
    if images[min(number, len(images) - 1)].windows:
        return True
    if name == "conv_filter_grad" or number != 1:
        return False
    data, w = inputs[:2]
    several = prod(w.shape[2:]) > 1
    return several and (name != "conv2d" or not _is_flat(Geometry(data.shape, w.shape, *attrs), facts_of(data.device)))


def is_dense(name: str, inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...]) -> bool:
    """Whether a convolution or gradient is not depthwise: those take no prologues, and the weight's gradient no epilogue."""
    weight = attrs[0] if name == "conv_filter_grad" else inputs[1].shape
    return attrs[-1] == 1 or weight[1] > 1


class _Weight(NamedTuple):
    """A weight as a kernel reads it: where, its strides of (tap, group, row, reduced channel), and what it still has to do with
    operands."""

    operand: LaunchOperand
    strides: Shape
    prologues: Prologues


def _by_tap(
    scratch: Scratch, operand: Address, g: Geometry, w: TensorMeta, reduced: int, prologues: Prologues
) -> _Weight:
    """A copy in which the reduced channels (dimension 1, or 0 for the input gradient) of a tap are neighbours.

    Gathering them would cost more in every tile. The copy does what the prologue would.
    """
    inputs, outputs = g.channels
    shape = (g.groups, outputs, inputs, *g.w_shape[2:])
    step = (outputs * w.stride[0], *w.stride)
    order = (3, 4, 0, 1, 2) if reduced == 1 else (3, 4, 0, 2, 1)
    view = TensorMeta.get(tuple([shape[d] for d in order]), tuple([step[d] for d in order]), w.dtype, w.device)
    target, copied = scratch.copy(view, operand, prologues.dtype, prologues.b)
    return _Weight(target, copied.stride[1:], prologues._replace(b=None))


def conv_data_grad(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """dx from (dy, weight), or with a bias added from (dy, weight, bias); attributes: (shape of x, ...)."""
    dy, w, *bias = inputs
    shape, *rest = attrs
    g = Geometry(shape, w.shape, *rest)
    prologues = prologues or as_loaded(dy)
    dx = images_like(dy, shape, prologues.dtype)
    epilogue = epilogue or biased(dx, planes(dx), bias[0] if bias else None)
    inputs = (*inputs, *epilogue.inputs)
    if g.is_depthwise:
        return depthwise.input_gradient(inputs, g, dx.is_channels_last, epilogue)
    return _data_grad(inputs, g, epilogue, prologues)


def _data_grad(inputs: tuple[TensorMeta, ...], g: Geometry, epilogue: Epilogue, prologues: Prologues) -> Plan:
    (dy, w), shape = inputs[:2], g.x_shape
    facts, scratch = facts_of(dy.device), Scratch()
    inner, outer = g.channels
    dtype = product_dtype(facts, prologues.dtype, "conv")
    images = _images(scratch, 0, dy, prologues, g, dtype, outer, inner)
    prologues, dx = images.prologues, images_like(dy, shape, prologues.dtype)
    g, _ = g.flattened(dx.stride)
    positions = (shape[0] * g.phase[0], g.phase[1])
    if images.in_units:
        few = prologues.any or not epilogue.is_light
        depth = outer * g.taps
        rule = rules.last_config(
            facts, dtype, inner, prod(positions), depth, g.taps, outer, few, not dx.is_channels_last
        )
        config = choose(rules.last_candidates(facts, dtype, inner, prod(positions), rule, prologues.any))
    else:
        config = choose(rules.tile_candidates(facts, dtype, inner, *positions, outer, prologues.any))
    in_place = _Weight(Input(1), (0, outer * inner, 1, inner), prologues)
    weight = in_place if g.taps == 1 else _by_tap(scratch, Input(1), g, w, 0, prologues)
    grid = (rules.tiles(config["constexprs"], inner, *positions), g.groups, prod(g.stride))
    sizes = (shape[0], g.groups, inner, outer, *g.sizes, g.steps, strides(weight.strides), *epilogue.arguments)
    operands = (images.operand, weight.operand, epilogue.operands, epilogue.targets)
    layouts = {"DY_LAST": images.meta.is_channels_last, "DX_LAST": dx.is_channels_last}
    fixed = {**weight.prologues.constexprs, "EPILOGUE": epilogue.function, **layouts}
    launch = _launch(dense.input_gradient, grid, operands, sizes, config, g.work, **fixed)
    return Plan(inputs, epilogue.outputs, [*scratch.launches, launch], scratch.workspaces)


def conv_filter_grad(
    op: OpDef,
    inputs: tuple[TensorMeta, ...],
    attrs: tuple[Any, ...],
    epilogue: Epilogue | None = None,
    prologues: Prologues | None = None,
) -> Plan:
    """dw from (dy, x); attributes: (shape of w, ...)."""
    dy, x = inputs
    shape, *rest = attrs
    g = Geometry(x.shape, shape, *rest)
    prologues = prologues or as_loaded(dy)
    epilogue = epilogue or store_only(contiguous_meta(shape, prologues.dtype, dy.device))
    inputs = (*inputs, *epilogue.inputs)
    if g.is_depthwise:
        return depthwise.filter_gradient(inputs, g, epilogue)
    return _filter_grad(inputs, g, epilogue, prologues)


def _filter_grad(inputs: tuple[TensorMeta, ...], g: Geometry, epilogue: Epilogue, prologues: Prologues) -> Plan:
    dy, x = inputs[:2]
    facts, shape, batch, scratch = facts_of(x.device), g.w_shape, x.shape[0], Scratch()
    inner, outer = g.channels
    dtype = product_dtype(facts, prologues.dtype, "conv")
    gradients, images, prologues = _both(scratch, dy, x, prologues, g, dtype)
    windows = images.windows
    g, seen, x_strides = _seen(g, images)
    inner = inner if windows is None else windows.run
    if images.in_units:
        reduced, columns = batch * prod(g.out), inner * g.taps
        rule = rules.weight_config(facts, dtype, outer, inner, g.taps, reduced, prologues.any or not epilogue.is_light)
        flat = inner % rule["constexprs"]["BLOCK_N"] != 0
        config = choose(rules.depth_candidates(facts, dtype, outer, columns, rule, prologues.any))
        splits = rules.last_splits(facts, dtype, rule, outer, columns * g.groups, batch, prod(g.out), g.taps)
    else:
        flat = inner < FLAT_CHANNELS
        columns = inner * g.taps if flat else inner
        rule = rules.depth_config(facts, dtype, outer, columns, *g.out, prologues.any, flat)
        config = choose(rules.depth_candidates(facts, dtype, outer, columns, rule, prologues.any))
        by_rule = _tiles(rule["constexprs"], outer, columns) * (1 if flat else g.taps)
        image = prod(x.shape[1:]) + prod(dy.shape[1:]) if g.taps > 1 else 0
        splits = rules.splits_of_batch(facts, batch, by_rule * g.groups, prod(shape), image)
    blocks = config["constexprs"]
    tiles = _tiles(blocks, outer, inner * g.taps) if flat else _tiles(blocks, outer, inner) * g.taps
    per_split = max(-(-batch // splits), 1)
    splits = max(-(-batch // per_split), 1)
    part = TensorMeta.get((splits, *shape), contiguous_stride((splits, *shape)), prologues.dtype.compute, x.device)
    parts = scratch.memory(part.numel, part.dtype) if splits > 1 else None
    stored, targets = (epilogue, epilogue.targets) if parts is None else (store_only(part), (parts,))
    columns_of = () if windows is None else windows.columns
    sizes = (batch, per_split, g.groups, inner, outer, *seen, x_strides, columns_of, *stored.arguments)
    last = gradients.in_units or gradients.meta.is_channels_last  # the meta of images of one pixel does not say so
    layout = {"PADDED": _is_padded(g, images), "LAST": last}
    fixed = {**prologues.constexprs, "EPILOGUE": stored.function, "FLAT": flat, **layout}
    operands, grid = (gradients.operand, images.operand, stored.operands, targets), (tiles, g.groups, splits)
    launches = [*scratch.launches, _launch(dense.weight_gradient, grid, operands, sizes, config, g.work, **fixed)]
    if parts is not None:
        width = prod(shape[1:])
        matrix = product(shape[0], width, 0, (), ((), (), (width, 1)))
        launches.append(reduce_splits(matrix, splits, epilogue, parts))
    return Plan(inputs, epilogue.outputs, launches, scratch.workspaces)


def _both(
    scratch: Scratch, dy: TensorMeta, x: TensorMeta, prologues: Prologues, g: Geometry, dtype: str
) -> tuple[_Images, _Images, Prologues]:
    """dy and x as the weight's gradient reads them: both channels-last, or none is copied for that."""
    inner, outer = g.channels
    copies, windows = Scratch(), _windows(g, facts_of(x.device), dtype)
    gradients = _images(copies, 0, dy, prologues, g, dtype, outer, inner, windows is not None)
    if windows is not None and gradients.in_units:
        images = _windows_of(copies, 1, x, gradients.prologues, windows)
    else:
        images = _images(copies, 1, x, gradients.prologues, g, dtype, inner, outer)
    if gradients.in_units and images.in_units:
        scratch.launches += copies.launches
        scratch.workspaces += copies.workspaces
        return gradients, images, images.prologues
    return _Images(Input(0), dy, prologues, False), _Images(Input(1), x, prologues, False), prologues


def filter_grad_loads(inputs: tuple[TensorMeta, ...], attrs: tuple[Any, ...], tile: int) -> tuple[int, int]:
    """How often conv_filter_grad loads each element of dy and of x, in tiles of so many rows and columns."""
    _, x = inputs
    g = Geometry(x.shape, *attrs)
    inner, outer = g.channels
    columns = -(-inner * g.taps // tile) if inner < FLAT_CHANNELS else -(-inner // tile) * g.taps
    return columns, -(-outer // tile) * g.taps


def _tiles(blocks: dict[str, Any], rows: int, columns: int) -> int:
    return -(-rows // blocks["BLOCK_M"]) * -(-columns // blocks["BLOCK_N"])
