"""Attention as people write it, softmax(scale q k' + mask) v, and the gradients that autograd records for it.

    s = matmul(q, k')                       dw = matmul(do, v')
    s = scale * s, masked, cast             dp = factor * dw where kept, cast
    p = softmax(s)                          ds = softmax_grad(dp, p)
    w, kept = random_dropout(p), cast       ds = scale * ds, 0 where masked, cast
    o = matmul(w, v)                        dq, dk, dv = matmul(ds, k), matmul(ds', q), matmul(w', do)

Dropout may be missing. Any of the matrices may be given transposed, and what is between the products may stand in any order that
means the same. Nothing else may read it: weights that are returned or hooked are wanted, and a mask's gradient is made of `ds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any, NamedTuple

from tritonflow.dtypes import bool_
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.graph.ir import Compute, Graph, Node, Value, View, constant, is_op

STEPS = 8  # at most so many ops between a product and a softmax


class Matrix(NamedTuple):
    """A value whose last two dimensions are rows and columns, or columns and rows."""

    value: Value
    transposed: bool = False

    @property
    def meta(self) -> TensorMeta:
        """Of rows and columns."""
        return swapped(self.value.meta) if self.transposed else self.value.meta

    def key(self) -> Any:
        """Equal for matrices of the same elements in the same memory."""
        value, offset, meta = self.value, 0, self.meta
        while isinstance(view := value.definition, View):
            value, offset = view.base, offset + view.offset
        return value, offset, meta.dtype, meta.shape, tuple([s for n, s in zip(meta.shape, meta.stride) if n > 1])


def swapped(meta: TensorMeta) -> TensorMeta:
    """The meta with the last two dimensions exchanged."""
    shape, stride = ((*x[:-2], x[-1], x[-2]) for x in (meta.shape, meta.stride))
    return TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned)


class MatrixProduct(NamedTuple):
    """A product of a matrix x: `x @ other`, with `columns` `x' @ other`; the transpose of that if it is `flipped`."""

    node: Compute
    other: Matrix
    columns: bool
    flipped: bool


class ScoreOp(NamedTuple):
    """An op on scores x: factor * x, x + mask, or `fill` where a mask drops them."""

    x: Value
    factor: float = 1.0
    mask: Value | None = None
    keeps: bool = True  # whether the mask is true for scores that stay, or false for them
    fill: float | None = None


class Scores(NamedTuple):
    """scale * x + addend, and `fill` where one of the masks (value, keeps) drops it."""

    scale: float
    addend: Value | None
    masks: tuple[tuple[Value, bool], ...]
    fill: float


@dataclass
class Attention:
    """What was found.

    Attributes:
        query, key, value: of m x d, n x d, n x e, behind batches.
        product, out: the products that are the scores, and with the values.
        dropout: what drops weights; None if nothing does.
        grad: what the backward begins with; None if there is none.
        gradients: the products that are dq, dk and dv.
        backward: the first of the backward's products.
    """

    query: Matrix
    key: Matrix
    value: Matrix
    scores: Scores
    product: Compute
    out: Compute
    dropout: Compute | None = None
    grad: Matrix | None = None
    gradients: tuple[MatrixProduct, ...] = ()
    backward: Node | None = None


class Finder:
    """Finds attention in a graph."""

    def __init__(self, graph: Graph) -> None:
        self.position = {node: number for number, node in enumerate(graph.nodes)}
        self.producers = graph.producers()
        self.results = set(graph.results())
        self.readers: dict[Value, list[Node]] = {}
        for node in graph.nodes:
            for value in dict.fromkeys(node.operands()):
                self.readers.setdefault(value, []).append(node)

    def find(self, softmax: Node) -> Attention | None:
        """The attention whose softmax this is."""
        if not _reduces_last(softmax, "softmax"):
            return None
        found = self.above(softmax.inputs[0])
        scores = None if found is None else combined(found[1])
        between = self.between(softmax.outputs[0])
        values = [softmax.outputs[0], *[value for node in between for value in node.outputs[: node.results]]]
        square = between[-1].outputs[0] if between else softmax.outputs[0]
        outs = [product for product in self.products(square) if not product.columns and not product.flipped]
        if found is None or scores is None or len(outs) != 1 or not self.results.isdisjoint(values):
            return None
        product, out = found[0], outs[0]
        if product.outputs[0].meta.shape[:-2] != out.node.outputs[0].meta.shape[:-2]:
            return None
        dropout = next((node for node in between if node.op.name == "random_dropout"), None)
        attention = Attention(*_operands(product), out.other, scores, product, out.node, dropout)
        readers = dict.fromkeys([node for value in values for node in self.reading(value)])
        rest = [node for node in readers if node is not out.node and node not in between]
        return attention if not rest or self.add_backward(attention, values[0], square, rest) else None

    def between(self, weights: Value) -> list[Compute]:
        """Casts, and one dropout, that stand one behind the other behind a softmax."""
        found: list[Compute] = []
        while True:
            value = found[-1].outputs[0] if found else weights
            names = ("cast",) if any(node.written for node in found) else ("cast", "random_dropout")
            nodes = [node for node in self.reading(value) if is_op(node, *names)]
            if len(nodes) != 1 or not nodes[0].outputs[0].meta.dtype.is_floating_point or nodes[0].draws_for_shard:
                return found
            found += nodes

    def add_backward(self, attention: Attention, weights: Value, square: Value, rest: Sequence[Node]) -> bool:
        """Whether the other readers of the weights are the whole backward, which is noted then."""
        dvs = [p for p in self.products(square) if p.columns]
        grads = [node for node in rest if _reduces_last(node, "softmax_grad") and node.inputs[1] is weights]
        if len(rest) != (2 if attention.dropout is None else 3) or len(dvs) != 1 or len(grads) != 1:
            return False
        above = self.above(grads[0].inputs[0])
        below, ds = self.below(grads[0].outputs[0])
        products = sorted(self.products(ds), key=lambda product: product.columns)
        if above is None or len(products) != 2 or len(self.reading(ds)) != 2 or ds in self.results:
            return False
        (dq, dk), dv = products, dvs[0]
        operands = (*_operands(above[0]), dq.other, dk.other)
        pairs = zip(operands, (dv.other, attention.value, attention.key, attention.query))
        if any(a.key() != b.key() for a, b in pairs) or dq.columns or not dk.columns:
            return False
        if combined(above[1]) != _dropped(attention.dropout) or not _is_gradient(combined(below), attention.scores):
            return False
        attention.grad, attention.gradients = dv.other, (dq, dk, dv)
        attention.backward = min((above[0], *[p.node for p in attention.gradients]), key=self.position.__getitem__)
        return self.position[attention.out] < self.position[attention.backward]

    def reading(self, value: Value) -> list[Node]:
        """The nodes that read a value."""
        return self.readers.get(value, [])

    def products(self, x: Value) -> list[MatrixProduct]:
        """The products with x that read it."""
        return [product for node in self.reading(x) if (product := product_of(node, x)) is not None]

    def above(self, value: Value | None, left: int = STEPS) -> tuple[Compute, list[ScoreOp]] | None:
        """The product that a value is made of, and the steps between, which nobody else sees."""
        if value is None or value in self.results or len(self.reading(value)) != 1:
            return None
        node = self.producers.get(value)
        if is_op(node, "matmul"):
            return (node, []) if min(x.meta.ndim for x in node.operands()) > 1 else None
        for step in steps_of(node) if left else ():
            found = self.above(step.x, left - 1)
            if found is not None:
                return found[0], [*found[1], step]
        return None

    def below(self, value: Value) -> tuple[list[ScoreOp], Value]:
        """The steps that follow a value, which nobody else sees, and what comes out."""
        steps: list[ScoreOp] = []
        while len(self.reading(value)) == 1 and value not in self.results:
            node = self.reading(value)[0]
            step = next((step for step in steps_of(node) if step.x is value), None)
            if step is None:
                break
            steps.append(step)
            value = node.outputs[0]
        return steps, value


def _operands(product: Compute) -> tuple[Matrix, Matrix]:
    """a and b of a @ b'."""
    a, b = product.operands()
    return Matrix(a, product.attrs[0]), Matrix(b, not product.attrs[1])


def product_of(node: Node, x: Value) -> MatrixProduct | None:
    """The product of x with another matrix that a node is."""
    if not is_op(node, "matmul"):
        return None
    (a, b), (a_transposed, b_transposed) = node.operands(), node.attrs
    if min(a.meta.ndim, b.meta.ndim) < 2 or a is b:
        return None
    if a is x:
        return MatrixProduct(node, Matrix(b, b_transposed), a_transposed, False)
    return MatrixProduct(node, Matrix(a, not a_transposed), not b_transposed, True)


def combined(steps: Sequence[ScoreOp] | None) -> Scores | None:
    """What steps do one after the other; None if attention's kernel can not."""
    scale, addend, fill = 1.0, None, None
    masks: dict[tuple[Value, bool], None] = {}
    for step in steps or ():
        if addend is not None and (step.factor != 1 or step.mask is not None):
            return None
        scale, fill = scale * step.factor, None if fill is None else fill * step.factor
        if step.mask is None:
            continue
        if masks and fill != step.fill:
            return None
        if step.fill is None:
            addend = step.mask
        else:
            fill = step.fill
            masks[step.mask, step.keeps] = None
    return Scores(scale, addend, tuple(masks), float("-inf") if fill is None else fill)


def _dropped(dropout: Compute | None) -> Scores | None:
    """What the gradient of the weights is of that of the dropped ones."""
    if dropout is None:
        return combined(())
    x, kept, _ = dropout.outputs
    return combined([ScoreOp(x, dropout.dynamic[1], kept, True, 0.0)])


def _is_gradient(below: Scores | None, scores: Scores) -> bool:
    """Whether what follows the softmax's gradient is the backward of what precedes the softmax."""
    return (
        below is not None
        and below.addend is None
        and set(below.masks) == set(scores.masks)
        and (below.fill == 0 or not below.masks)
        and isclose(below.scale, scores.scale, rel_tol=1e-12)
    )


def steps_of(node: Node | None) -> Iterator[ScoreOp]:
    """The ways to see a node as a step: a product with a constant, or a sum, has two sides."""
    if not isinstance(node, Compute) or node.written or not node.inputs:
        return
    x, y, z = (*node.inputs, None, None)[:3]
    number = _number(node.dynamic[0]) if node.dynamic else None
    found: list[Any] = []
    match node.op.name:
        case "cast":
            found = [(x, 1.0)]
        case "scalar_mul":
            found = [(x, number)]
        case "scalar_div":
            found = [(x, 1 / number if number else None)]
        case "mul":
            found = [(x, _constant(y)), (y, _constant(x))]
        case "div":
            divisor = _constant(y)
            found = [(x, 1 / divisor if divisor else None)]
        case "add":
            found = [(x, 1.0, y), (y, 1.0, x)]
        case "random_dropout_backward_x":
            found = [(x, number, y, True, 0.0)]
        case "masked_fill":
            found = [(x, 1.0, y, False, number)]
        case "where_scalar_x":
            found = [(y, 1.0, x, False, number)]
        case "where_scalar_y":
            found = [(y, 1.0, x, True, number)]
        case "where":
            found = [(y, 1.0, x, True, _constant(z)), (z, 1.0, x, False, _constant(y))]
    yield from (step for step in (ScoreOp(*each) for each in found) if _is_known(step, node.outputs[0].meta))


def _is_known(step: ScoreOp, result: TensorMeta) -> bool:
    """Whether a step takes floats one by one, with numbers that are no other run's."""
    if step.factor is None or step.x.meta.shape != result.shape:
        return False
    if not step.x.meta.dtype.is_floating_point or not result.dtype.is_floating_point:
        return False
    if step.mask is None:
        return True
    return step.mask.meta.dtype is bool_ if step.fill is not None else step.mask.meta.dtype.is_floating_point


def _number(number: Any) -> float | None:
    return None if isinstance(number, RuntimeScalar) else float(number)


def _constant(value: Value | None) -> float | None:
    number = None if value is None else constant(value)
    return None if number is None else _number(number)


def _reduces_last(node: Node, name: str) -> bool:
    if not is_op(node, name):
        return False
    return node.attrs[0] == node.outputs[0].meta.ndim - 1
