"""Random numbers are drawn where they are used: each op is told where in its generator's stream it is, which moves on once.

    %1, %2, state1 = random_dropout(%0, state0)         %5 = words(state0, first=0)
    %3, %4, state2 = random_dropout(%1, state1)    ->   %1, %2 = random_dropout(%0, %5)
    return %3                                           %6 = words(state0, first=64)
                                                        %3, %4 = random_dropout(%1, %6)
                                                        state2 = scalar_add(state0, 128)   # of its offset
                                                        return %3

As captured, a random op takes two kernels: its own, and one that moves its generator's state on. Behind this pass it computes each
element from the input's element at the same position and from a random word, so it can be fused. The numbers are eager mode's. An
op whose numbers take more than a word reads the state itself, which is moved on before. `random_reserve` gives ops that draw in
their own kernels such a position, too. They read the state, and are told the `first` counter.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from tritonflow.dtypes import int64
from tritonflow.execution.op_expr import OpExpr, op_expr
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.size_questions import taking_many
from tritonflow.graph.fusion.group import DRAWN_TOGETHER
from tritonflow.graph.ir import Compute, Graph, Late, Node, NodeVisitor, Update, Value, View, Words
from tritonflow.graph.passes.rewrite import views_where_read


class _StreamPosition(NamedTuple):
    """Where a state would be that nobody has computed: so many counters behind a `state` that is there.

    `block`: for what a state was stored in, the block before.
    """

    state: Value
    used: int = 0
    block: Value | None = None


def assign_counters(graph: Graph) -> Graph:
    """The graph with words in place of the states that ops which compute element by element draw from."""
    return _Draws(graph).run()


class _Draws(NodeVisitor[None]):
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.producers = graph.producers()
        self.nodes: list[Node] = []
        self.positions: dict[Value, _StreamPosition] = {}

    def run(self) -> Graph:
        for node in self.graph.nodes:
            self.visit(node)
        for value in self.graph.results():
            self.settle(value)
        return views_where_read(replace(self.graph, nodes=self.nodes))

    def compute(self, node: Compute) -> None:
        if node.op.name == "random_reserve":
            self.positions[node.outputs[0]] = self.take(node, node.inputs[0], node.attrs[0])
        elif _draws_words(node):
            self.draw(node)
        else:
            self.append(self.drawing_itself(node) if "drawn" in node.op.definition.inputs else node)

    def update(self, node: Update) -> None:
        """Note where a state is that is stored."""
        base, part = node.inputs
        at = self.positions.get(part) if part is not None else None
        if at is None or base is None:
            return self.append(node)
        before = self.positions.get(base)
        self.positions[node.outputs[0]] = at._replace(block=base if before is None else before.block)
        return None

    def view(self, node: View) -> None:
        """Note where a state is that is read where it was stored."""
        at, stored = self.positions.get(node.base), self.producers.get(node.base)
        if at is None or not isinstance(stored, Update) or (stored.meta, stored.offset) != (node.meta, node.offset):
            return self.append(node)
        self.positions[node.outputs[0]] = at._replace(block=None)
        return None

    def late(self, node: Late) -> None:
        """Let readers of a state wait for what makes it."""
        at = self.positions.get(next(node.operands()))
        if at is None or at.block is not None:
            return self.append(self.waiting(node))
        _, trigger = self.waiting(node).operands()
        late = Late(at.state, trigger)
        self.nodes.append(late)
        self.positions[node.outputs[0]] = _StreamPosition(late.outputs[0], at.used)
        return None

    def waiting(self, node: Late) -> Late:
        """The node waiting for what is made by now, in place of a state that nobody computes."""
        value, trigger = node.inputs
        return node.replace(inputs=(value, self.nodes[-1].outputs[0])) if trigger in self.positions else node

    def append(self, node: Node) -> None:
        for value in node.operands():
            self.settle(value)
        self.nodes.append(node)

    fused = join = words = boxing = start = done = append

    def draw(self, node: Compute) -> None:
        """Let an op read words, and note where the state that it does not write any more would be."""
        (position,), results = node.written, node.outputs[: node.results]
        at = self.take(node, node.inputs[position], results[0].meta.numel)
        words = Words(at.state, results[0].meta.shape, at.used)
        inputs = (*node.inputs[:position], words.outputs[0], *node.inputs[position + 1 :])
        drawing = node.replace(op=_drawing(node.op), inputs=inputs, outputs=results, written=(), over=None)
        self.nodes += [words, drawing]

    def take(self, node: Compute, state: Value | None, count: int) -> _StreamPosition:
        """Where the numbers of a node are; note where the state would be behind them."""
        assert state is not None
        at = self.positions.get(state, _StreamPosition(state))
        self.positions[node.outputs[-1]] = _StreamPosition(at.state, at.used - (-count // DRAWN_TOGETHER))
        return at

    def drawing_itself(self, node: Compute) -> Compute:
        """An op that draws from such a position, reading the state and counting on from it."""
        position = node.op.definition.inputs.index("drawn")
        drawn = node.inputs[position]
        at = None if drawn is None else self.positions.get(drawn)
        if at is None:
            return node
        inputs = (*node.inputs[:position], at.state, *node.inputs[position + 1 :])
        dynamic = list(node.dynamic)
        dynamic[node.op.definition.dynamic.index("first")] += at.used
        return node.replace(inputs=inputs, dynamic=tuple(dynamic))

    def settle(self, value: Value) -> None:
        """Compute a state after all, for one who reads it."""
        at = self.positions.pop(value, None)
        if at is None:
            return
        node = self.producers.get(value)
        if isinstance(node, Update) and at.block is not None:
            self.advance(value, at, at.block, node.offset)
        elif isinstance(node, Compute):
            self.advance(value, at, at.state, 0)
        elif isinstance(node, Late):
            self.append(self.waiting(node))
        elif node is not None:
            self.append(node)

    def advance(self, value: Value, at: _StreamPosition, base: Value, start: int) -> None:
        """Make a value the base with the state at `start` moved on to a position: its second number is the offset."""
        meta = contiguous_meta((), int64, value.meta.device)
        offset = View(at.state, meta, meta.nbytes)
        moved = Compute(op_expr("scalar_add"), offset.outputs, (), (at.used,), [meta], over=meta)
        update = Update(base, moved.outputs[0], meta, start + offset.offset).replace(outputs=(value,))
        self.nodes += [moved, update]


def _draws_words(node: Compute) -> bool:
    """Whether an op computes each element from its random word, and writes the generator's state."""
    random = node.op.definition.fusion.startswith("random.") and len(node.written) == 1 and not node.draws_for_shard
    numel = node.outputs[0].meta.numel
    with taking_many(numel):
        return random and numel >= DRAWN_TOGETHER


@cache
def _drawing(op: OpExpr) -> OpExpr:
    """An op that reads words in place of a state, and writes nothing."""
    return OpExpr(replace(op.definition, mut=()))
