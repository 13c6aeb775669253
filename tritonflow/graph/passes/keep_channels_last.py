"""Images between convolutions are channels-last, on a GPU with matrix units: a kernel then loads 16 bytes at a time. They are so
on a CPU, too, in programs that lay out weights once: a kernel then multiplies pixels where they lie, and lays out nothing.

    %1 = conv2d(x, w)                     %4 = contiguous_copy(view x)             # n, h, w, c
    %2 = relu(%1)                   ->    %1 = conv2d(view %4, w)                  # n, c, h, w, channels-last
    %3 = conv2d(%2, v)                    %2 = relu(view %1)                       # n, h, w, c
    return %3                             %5 = conv2d(view %2, v)
                                          return contiguous_copy(view %5)

A value of images gets a twin: the same images as a contiguous (n, h, w, c). A convolution that would copy its images starts with
twins. So does one before it that reads windows of few channels, whatever their layout: its weight's layout says that the result is
a twin. Convolutions, pointwise ops, batch norms, poolings and cats of twins make twins. For other readers, and as a result of the
graph, a value is copied back, once. Sums read the twin. Batch norms add in another order than eager ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tritonflow.device.provider import facts_of
from tritonflow.execution.eager_local import wants_contiguous
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import Shape, TensorMeta, contiguous_meta
from tritonflow.graph.ir import COPIES, Compute, Graph, Node, Value, View, is_op, words
from tritonflow.graph.passes.rewrite import views_where_read
from tritonflow.graph.plan.folding import fixed_values
from tritonflow.ops.conv import ImageOperand, image_operands, last_on_cpu
from tritonflow.ops.images import channels_last, has_matrix_units

CONVOLUTIONS = ("conv2d", "conv_data_grad", "conv_transpose_biased", "conv_filter_grad")
POOLINGS = ("max_pool2d", "max_pool_grad", "avg_pool2d", "avg_pool_grad")
NORMS = ("batch_norm", "batch_norm_eval", "batch_norm_grad")


def keep_channels_last(graph: Graph) -> Graph:
    """The graph with such images; itself where no convolution would copy any."""
    fixed = fixed_values(graph) if graph.folds else frozenset[Value]()
    if not any(_starts(node, fixed) for node in graph.computes()):
        return graph
    return _ChannelsLast(graph, fixed).run()


class _ChannelsLast:
    def __init__(self, graph: Graph, fixed: Collection[Value]) -> None:
        self.graph, self.fixed = graph, fixed
        self.nodes: list[Node] = []
        self.twins: dict[Value, Value] = {}
        self.missing: set[Value] = set()  # values with a twin that no node makes yet

    def run(self) -> Graph:
        for node in self.graph.nodes:
            if not isinstance(node, Compute) or not self.rewrite(node):
                self.keep(node)
        for value in self.graph.results():
            self.make(value)
        return views_where_read(replace(self.graph, nodes=self.nodes))

    def rewrite(self, node: Compute) -> bool:
        """Add a node of twins in place of this one, if that pays."""
        if is_op(node, *CONVOLUTIONS):
            return self.convolution(node)
        if not any(value in self.twins for value in node.operands()):
            return False
        if is_op(node, *NORMS):
            return self.norm(node)
        if is_op(node, *POOLINGS):
            return self.pooling(node)
        if is_op(node, "cat"):
            return self.join(node)
        return self.pointwise(node)

    def convolution(self, node: Compute) -> bool:
        found = _images_of(node, self.fixed)
        if not found or not all(operand.takes or operand.windows for operand in found):
            return False
        if not any(operand.pays or node.inputs[k] in self.twins for k, operand in enumerate(found)) and not found[0].windows:
            return False
        inputs = list(node.inputs)
        for k, operand in enumerate(found):
            inputs[k] = self.as_it_is(_given(node, k)) if operand.windows else self.seen(_given(node, k))
        if found[0].windows:
            inputs[1] = self.seen(_given(node, 1))
        if node.op.name == "conv_filter_grad":
            self.nodes.append(node.replace(inputs=tuple(inputs)))
            return True
        self.images(node, inputs)
        return True

    def images(self, node: Compute, inputs: Sequence[Value | None]) -> None:
        """Add a node that makes channels-last images of such. Where they lie so without this pass, it makes what it made."""
        if all(_lies_last(value) for value in node.outputs):
            self.nodes.append(node.replace(inputs=tuple(inputs)))
            for value in node.outputs:
                self.twin(value)
            return
        metas = [channels_last(value.meta) for value in node.outputs]
        again = Compute(node.op, tuple(inputs), node.attrs, node.dynamic, metas, source_line=node.source_line)
        self.nodes.append(again)
        for value, made in zip(node.outputs, again.outputs):
            self.found(value, self.view(made, _last_shape(made.meta.shape)))

    def norm(self, node: Compute) -> bool:
        """A batch norm of (images x pixels, channels)."""
        if _lies_last(node.outputs[0]):
            return False
        count = 2 if node.op.name == "batch_norm_grad" else 1
        n, c, h, w = _given(node, 0).meta.shape
        rows = [self.view(self.twin(_given(node, k)), (n * h * w, c)) for k in range(count)]
        y = Value(contiguous_meta((n * h * w, c), node.outputs[0].meta.dtype, node.outputs[0].meta.device))
        self.nodes.append(node.replace(inputs=(*rows, *node.inputs[count:]), outputs=(y, *node.outputs[1:])))
        self.found(node.outputs[0], self.view(y, (n, h, w, c)))
        return True

    def pooling(self, node: Compute) -> bool:
        metas = [channels_last(value.meta) for value in node.outputs]
        if not all(meta.is_channels_last for meta in (*metas, *[channels_last(v.meta) for v in node.operands()])):
            return False
        self.images(node, [self.seen(value) for value in node.operands()])
        return True

    def join(self, node: Compute) -> bool:
        """Images one behind the other along their channels, all of which have twins."""
        (dim, sizes), (value,) = node.attrs, node.outputs
        if len(value.meta.shape) != 4 or dim != 1 or not all(each in self.twins for each in node.operands()):
            return False
        made = contiguous_meta(_last_shape(value.meta.shape), value.meta.dtype, value.meta.device)
        twins = tuple([self.twins[each] for each in node.operands()])
        again = Compute(node.op, twins, (3, sizes), node.dynamic, [made], source_line=node.source_line)
        self.nodes.append(again)
        self.found(value, again.outputs[0])
        return True

    def pointwise(self, node: Compute) -> bool:
        definition, shape = node.op.definition, node.outputs[0].meta.shape
        if (
            definition.kind != "pointwise"
            and node.op.name not in ("cast", *COPIES)
            or node.written
            or definition.divisor
        ):
            return False
        metas = [value.meta for value in node.outputs]
        if len(shape) != 4 or any(meta.shape != shape or not meta.is_contiguous for meta in metas):
            return False
        if node.over not in (None, metas[0]) or (node.over is not None and definition.updates):
            return False
        if None in node.inputs or any(words(value) is not None for value in node.operands()):
            return False
        inputs = tuple([self.turned(value, shape) for value in node.operands()])
        made = [contiguous_meta(_last_shape(shape), meta.dtype, meta.device) for meta in metas]
        over = node.over and made[0]
        again = Compute(node.op, inputs, node.attrs, node.dynamic, made, over, node.source_line)
        self.nodes.append(again)
        for value, twin in zip(node.outputs, again.outputs):
            self.found(value, twin)
        return True

    def turned(self, value: Value, shape: Shape) -> Value:
        """An operand of a pointwise op as it is broadcast to (n, h, w, c)."""
        if value.meta.shape == shape and (value in self.twins or 0 not in value.meta.stride):
            return self.twin(value)
        if value.meta.numel == 1 and value.meta.ndim == 0:
            return value
        self.make(value)
        sizes = (*[1] * (4 - value.meta.ndim), *value.meta.shape)
        strides = (*[0] * (4 - value.meta.ndim), *value.meta.stride)
        return self.view(value, _last_shape(sizes), _last_shape(strides))

    def keep(self, node: Node) -> None:
        """Add a node as it is; it reads twins as images where it takes any strides."""
        if isinstance(node, Compute) and self.takes_strides(node):
            inputs = tuple([self.seen(value) if value in self.missing else value for value in node.inputs])
            node = node.replace(inputs=inputs) if inputs != node.inputs else node
        for value in node.operands():
            self.make(value)
        self.nodes.append(node)

    def takes_strides(self, node: Compute) -> bool:
        """Whether it reduces images, whatever their strides."""
        return node.op.name in ("sum", "mean") and not any(wants_contiguous(node.op, len(node.inputs)))

    def twin(self, value: Value) -> Value:
        """The images as (n, h, w, c), copied where no node has made them so."""
        if value not in self.twins:
            meta = value.meta
            turned = self.view(value, _last_shape(meta.shape), _last_shape(meta.stride))
            if not turned.meta.is_contiguous:
                turned = self.copied(turned, turned.meta.contiguous())
            self.twins[value] = turned
        return self.twins[value]

    def as_it_is(self, value: Value) -> Value:
        """The images in whichever layout there are."""
        return self.seen(value) if value in self.missing else value

    def seen(self, value: Value | None) -> Value:
        """The twin as (n, c, h, w)."""
        assert value is not None
        meta = channels_last(value.meta)
        return self.view(self.twin(value), meta.shape, meta.stride)

    def found(self, value: Value, twin: Value) -> None:
        """Note that a node has made the twin of a value, and none the value itself."""
        self.twins[value] = twin
        self.missing.add(value)

    def make(self, value: Value) -> None:
        """Copy a value from its twin, if no node makes it."""
        if value in self.missing:
            self.missing.remove(value)
            seen = self.seen(value)
            self.copied(seen, value.meta, value)

    def copied(self, value: Value, meta: TensorMeta, result: Value | None = None) -> Value:
        copy = Compute(op_expr("contiguous_copy"), (value,), (), (), [meta])
        copy = copy if result is None else copy.replace(outputs=(result,))
        self.nodes.append(copy)
        return copy.outputs[0]

    def view(self, base: Value, shape: Shape, stride: Shape | None = None) -> Value:
        meta = base.meta
        made = contiguous_meta(shape, meta.dtype, meta.device)
        if stride is not None:
            made = TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned)
        view = View(base, made, 0)
        self.nodes.append(view)
        return view.outputs[0]


def _starts(node: Compute, fixed: Collection[Value]) -> bool:
    found = _images_of(node, fixed)
    return bool(found) and all(operand.takes for operand in found) and any(operand.pays for operand in found)


def _images_of(node: Compute, fixed: Collection[Value]) -> list[ImageOperand]:
    """What a convolution would do with its images, which are its first operands; nothing for other ops, and where it has no say.

    `fixed`: weights that are laid out once, among other values.
    """
    if not is_op(node, *CONVOLUTIONS):
        return []
    facts, metas = facts_of(node.outputs[0].meta.device), [value.meta for value in node.operands()]
    if has_matrix_units(facts):
        found = image_operands(node.op.name, metas, node.attrs)
    elif facts.kind == "cpu" and node.op.name == "conv2d" and node.inputs[1] in fixed:
        found = [last_on_cpu(metas, node.attrs)]
    else:
        return []
    made = [] if node.op.name == "conv_filter_grad" else [node.outputs[0].meta]
    images = [*metas[: len(found)], *made]
    if not all(meta.is_contiguous or meta.is_channels_last for meta in images):
        return []
    if found[0].windows:
        images.append(metas[1])  # the weight, which says how the result lies
    return found if all(channels_last(meta).is_channels_last for meta in images) else []


def _lies_last(value: Value) -> bool:
    """Whether images lie channels-last, and not in row-major order as well."""
    return value.meta.is_channels_last and not value.meta.is_contiguous


def _given(node: Compute, number: int) -> Value:
    value = node.inputs[number]
    assert value is not None
    return value


def _last_shape(sizes: Shape) -> Shape:
    """Sizes, or strides, of (n, c, h, w) for (n, h, w, c)."""
    n, c, h, w = sizes
    return n, h, w, c
