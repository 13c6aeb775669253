"""Products (of matrices, a convolution, its input gradient) with the pointwise ops behind them in their kernel's epilogue."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tritonflow.graph.fusion.codegen import Operation
from tritonflow.graph.fusion.group import Body
from tritonflow.graph.ir import Compute, Node, Value
from tritonflow.ops.elementwise import broadcast_stride
from tritonflow.ops.epilogue import PARTS, Epilogue, dims_of_parts, part_strides
from tritonflow.ops.plan import Plan


class FusedProduct(Node):
    """A product and the ops behind it as one.

    Args:
        product: the op.
        same: its result, and that in other shapes.
        body: the pointwise ops, in order.
        wanted: the values of all these that are read elsewhere.
    """

    __slots__ = ("product", "same", "body", "extras", "dynamic")

    def __init__(self, product: Compute, same: Collection[Value], body: Sequence[Compute], wanted: Collection[Value]) -> None:
        self.product, self.same, self.body = product, same, body
        self.extras = extra_operands(body, same)
        self.inputs = (*product.inputs, *self.extras)
        made = [*same, *[value for node in body for value in node.outputs]]
        self.outputs = tuple(value for value in made if value in wanted)
        self.dynamic = tuple(number for node in body for number in node.dynamic)
        self.place = product.place
        for value in self.outputs:
            value.producer = self

    def name(self) -> str:
        """For people: the ops inside."""
        return f"fused[{', '.join(node.op.name for node in (self.product, *self.body))}]"

    def plan(self) -> Plan:
        """The product's plan, with an epilogue that adds the bias and runs the body."""
        product, bias = self.product, bias_of(self.product)
        shape, parts = self.body[0].outputs[0].meta.shape, parts_of(product)
        names = {value: f"x{k}" for k, value in enumerate(self.extras)}
        body = Body(self.body, names | dict.fromkeys(self.same, "y"), [_result(product)])
        operands = [f"i{len(product.inputs) + k}" for k in range(len(self.extras))]
        strides = [broadcast_stride(value.meta, shape) for value in self.extras]
        if bias is not None:
            dims = dims_of_parts(shape, parts)
            assert dims is not None
            operands.insert(0, "i2")
            strides.insert(0, part_strides(shape, dims, (0, bias.meta.stride[0], *[0] * (len(parts) - 2))))
        parameters = ["acc", *(["bias"] if bias is not None else []), *names.values()]
        epilogue = Epilogue(
            body.function(f"fused_{product.op.name}", parameters, self.outputs),
            tuple([value.meta for value in self.outputs]),
            parts,
            shape,
            (*operands, *body.scalars),
            (*strides, *[(0,) * len(shape) for _ in body.scalars]),
            tuple([value.meta for value in self.extras]),
        )
        metas = tuple([None if value is None else value.meta for value in product.inputs])
        plan: Plan = product.op.plan(metas, product.attrs, epilogue=epilogue)
        return plan


def _result(product: Compute) -> Operation:
    """y = acc, or acc + bias, rounded as a product of its own rounds it."""
    dtype = product.outputs[0].meta.dtype
    acc, bias = ("acc", dtype.compute), ("bias", dtype.compute)
    if bias_of(product) is None:
        return Operation("arithmetic.identity", "y", [acc], dtype.compute, dtype)
    return Operation("arithmetic.add", "y", [acc, bias], dtype.compute, dtype)


def extra_operands(body: Sequence[Compute], same: Collection[Value]) -> list[Value]:
    """What the body reads beside the product's result and its own values."""
    made = {value for node in body for value in node.outputs}
    read = dict.fromkeys(value for node in body for value in node.operands())
    return [value for value in read if value not in made and value not in same]


def bias_of(product: Compute) -> Value | None:
    """The product's bias, if it has one."""
    return product.inputs[2] if len(product.inputs) > 2 else None


def parts_of(product: Compute) -> tuple[int, ...]:
    """The parts of the index of the product's result."""
    return PARTS[product.op.definition.fusion](product.outputs[0].meta.shape)


def takes_epilogue(node: Node) -> bool:
    """Whether a node is a product whose kernel has an epilogue: products of a matrix and a vector have none."""
    if not isinstance(node, Compute) or node.op.definition.fusion not in PARTS:
        return False
    result = node.outputs[0].meta
    if not result.dtype.is_floating_point or not result.numel:
        return False
    return node.op.definition.fusion != "matmul" or 1 not in result.shape[-2:] or bias_of(node) is not None
