"""Products (of matrices, a convolution, its input gradient) with the pointwise ops behind them in their kernel's epilogue, and
those in front of their operands in its prologues. The gradient of a norm's input is such a product, without prologues."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeGuard

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_questions import taking_many
from tritonflow.graph.fusion.group import Body, FusedNode, fit, has_elements, is_draw, overwritable
from tritonflow.graph.fusion.price import arithmetic_of
from tritonflow.graph.fusion.prologue import Prologue
from tritonflow.graph.fusion.space import Space
from tritonflow.graph.ir import MATMUL, ROW_GRADIENTS, WEIGHT_GRADIENT, Compute, Node, Value
from tritonflow.ops.conv import is_dense
from tritonflow.ops.epilogue import PARTS, Epilogue, along_bias, dims_of_parts, part_strides
from tritonflow.ops.function_source import Operation
from tritonflow.ops.operands import Input
from tritonflow.ops.plan import Plan
from tritonflow.ops.prologue import Prologues


class FusedProduct(FusedNode):
    """A product, the ops behind it, and those in front of its operands as one.

    Args:
        product: the op.
        same: its result, and that in other shapes.
        body: the pointwise ops, in order.
        wanted: the values of all these that are read elsewhere. The op's other results are outputs in any case, the last ones.

    Attributes:
        stored: what the outputs are of all these: themselves, but in place of views values of their own.
        loaded: the prologues of the product's inputs, by their positions.
    """

    __slots__ = ("product", "same", "stored", "loaded")
    product: Compute
    same: Collection[Value]
    stored: tuple[Value, ...]
    loaded: Mapping[int, Prologue]

    def __init__(
        self, product: Compute, same: Collection[Value], body: Sequence[Compute], wanted: Collection[Value]
    ) -> None:
        self._fill(product=product, same=same, loaded={}, source_line=product.source_line)
        space = space_behind(product, body)
        assert space is not None
        super().__init__(body, space, [product.outputs[0]])
        stored = [v for v in (*same, *[value for node in body for value in node.outputs]) if v in wanted]
        outputs = [value if value.definition is None else Value(value.meta) for value in stored]
        others = product.outputs[1:]
        self._fill(inputs=(*product.inputs, *self.inputs), stored=tuple(stored), outputs=(*outputs, *others))

    def reading(self, now: Callable[[Value], Value]) -> FusedProduct:
        """The node reading `now(value)` for each value that it reads."""
        new = super().reading(now)
        if new is self:
            return self
        loaded = {k: prologue._replace(value=now(prologue.value)) for k, prologue in self.loaded.items()}
        return new.replace(product=self.product.reading(now), loaded=loaded)

    def loading(self, prologues: Mapping[int, Prologue]) -> FusedProduct:
        """The node that loads what stands in front of the product's inputs, and does the ops on it."""
        inputs = [prologues[k].value if k in prologues else value for k, value in enumerate(self.inputs)]
        return self.replace(loaded=dict(prologues), inputs=tuple(inputs))

    def ops(self) -> Sequence[Compute]:
        return (*[op for prologue in self.loaded.values() for op in prologue.body], self.product, *self.body)

    def overwritable(self) -> Sequence[Value]:
        """The inputs that the epilogue alone reads, in the order in which results are written."""
        operands = self.inputs[: len(self.product.inputs)]
        return [value for value in overwritable(self.reads, self.space) if value not in operands]

    def plan(self) -> Plan:
        """The product's plan, with an epilogue that adds the bias and runs the body."""
        product, given = self.product, self.inputs[: len(self.product.inputs)]
        bias = bias_of(product)
        shape, parts = self.space.sizes, parts_of(product)
        results = _results(product, self.loaded.get(2))
        body = Body(self.body, self.space, self.reads, dict.fromkeys(self.same, "y"), results)
        operands = body.operands(len(product.inputs))
        strides = [strides for _, strides in self.reads]
        if bias is not None:
            dims = dims_of_parts(shape, parts)
            assert dims is not None
            operands.insert(0, Input(2))
            strides.insert(0, part_strides(shape, dims, along_bias(product.outputs[0].meta, parts, bias.meta)))
        parameters = ["acc", *(["bias"] if bias is not None else []), *body.parameters]
        epilogue = Epilogue(
            body.function(f"fused_{product.op.name}", parameters, self.stored),
            tuple([value.meta for value in self.stored]),
            parts,
            shape,
            (*operands, *body.scalars),
            (*strides, *[(0,) * len(shape) for _ in body.scalars]),
            tuple([value.meta for value in self.inputs[len(product.inputs) :] if value is not None]),
            arithmetic_of(self.body).operations,
        )
        metas = tuple([None if value is None else value.meta for value in given])
        result, options = product.outputs[0].meta, dict[str, Any](epilogue=epilogue)
        if takes_prologues(product):
            options["prologues"] = self.prologues()
        if product.op.definition.fusion == MATMUL and not result.is_contiguous:
            options["outputs"] = [result]
        plan: Plan = product.op.plan(metas, product.attrs, **options)
        return plan

    def prologues(self) -> Prologues:
        """What the kernel does with what it loads of the first two inputs."""
        operand = self.product.inputs[0]
        assert operand is not None
        (a, b), dtype = (self.loaded.get(k) for k in (0, 1)), operand.meta.dtype
        return Prologues(a and a.function(), b and b.function(), dtype)


def _results(product: Compute, prologue: Prologue | None) -> list[Operation]:
    """y = acc, or acc + what the prologue makes of the bias, rounded as a product of its own rounds it."""
    dtype = product.outputs[0].meta.dtype
    acc = ("acc", dtype.compute)
    if bias_of(product) is None:
        return [Operation("arithmetic.identity", [("y", dtype)], [acc], dtype.compute)]
    operations, bias = (prologue.operations("bias"), prologue.result("bias")) if prologue is not None else ([], "bias")
    return [*operations, Operation("arithmetic.add", [("y", dtype)], [acc, (bias, dtype.compute)], dtype.compute)]


def space_behind(product: Compute, body: Sequence[Compute]) -> Space | None:
    """The space of ops behind a product, cut where the parts of its index are; None if they do not compute on its elements.

    Columns of matrices are neighbours in a tile, as random words need it; pixels of images may not be.
    """
    parts = parts_of(product)
    if product.op.definition.fusion != MATMUL and any(map(is_draw, body)):
        return None
    space = fit(body, product.outputs[0], parts)
    with taking_many(parts):
        return space if space is not None and dims_of_parts(space.sizes, parts) is not None else None


def bias_of(product: Compute) -> Value | None:
    """The product's bias, if it has one."""
    return product.inputs[2] if len(product.inputs) > 2 and takes_prologues(product) else None


def takes_prologues(product: Compute) -> bool:
    """Whether the kernel of a product can do something with what it loads."""
    return product.op.definition.fusion not in (ROW_GRADIENTS, WEIGHT_GRADIENT)


def parts_of(product: Compute) -> tuple[int, ...]:
    """The parts of the index of the product's result."""
    return PARTS[product.op.definition.fusion](product.outputs[0].meta)


def takes_epilogue(node: Node) -> TypeGuard[Compute]:
    """Whether a node is a product whose kernel has an epilogue: not of a matrix and a vector, nor a depthwise filter's gradient."""
    if not isinstance(node, Compute) or node.op.definition.fusion not in PARTS:
        return False
    result, kind = node.outputs[0].meta, node.op.definition.fusion
    if not result.dtype.is_floating_point or not has_elements(result):
        return False
    if kind == ROW_GRADIENTS:
        return node.attrs[0] == 1  # columns are the last dimension
    if kind == MATMUL:
        with taking_many(result.shape):
            return 1 not in result.shape[-2:] or bias_of(node) is not None
    return kind in ("conv", WEIGHT_GRADIENT) or is_dense(node.op.name, metas_of(node), node.attrs)


def metas_of(product: Compute) -> tuple[TensorMeta, ...]:
    """Of the inputs that are there."""
    return tuple([value.meta for value in product.operands()])
