"""A program for many sizes as the program for some: every symbolic integer in it becomes the number that it is there.

What the planner of an op said of its results, it said of symbolic sizes, by rules that may hold for some sizes only. So it is asked
again: it must say the same of the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tritonflow.execution.lazy import classes, infer
from tritonflow.framework.expression import Atom, position_of
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.size_guards import Condition
from tritonflow.framework.symbolic_int import integers_in, is_symbolic
from tritonflow.graph.ir.by_numbers import ByNumbers, positions_of
from tritonflow.graph.ir.collectives import Boxing
from tritonflow.graph.ir.graph import Graph, State
from tritonflow.graph.ir.nodes import Compute, Join, KernelNode, Late, Node, NodeVisitor, Update, Value, View, Words
from tritonflow.graph.ir.numbers import Numbers, Outcomes, has_symbols


def concrete(graph: Graph, numbers: Numbers) -> Graph:
    """The program for the sizes among the numbers of a run.

    Raises:
        OtherProgramError: an op makes of these sizes what it did not make of those that were captured.
    """
    return _Concrete(numbers).graph(graph)


class OtherProgramError(Exception):
    """For some sizes, the function does other things than the program that was captured."""


class Questions:
    """What planners are asked again of the ops of a program for many sizes: each question once, and none without symbols.

    The answer for symbolic sizes is what the program was captured with. It holds for all numbers for which the planner's own
    questions have the same answers.

    Args:
        graph: the program.
        sizes: the symbols.
    """

    def __init__(self, graph: Graph, sizes: SizeContext) -> None:
        self._sizes = sizes
        self._few = sizes.few
        self._groups: dict[frozenset[Atom], _AskedTogether] = {}
        for node in graph.computes():
            given = tuple([None if value is None else value.meta for value in node.inputs])
            results = tuple([value.meta for value in node.outputs[: node.results]])
            question = node.op, given, node.attrs, classes(node.dynamic), node.over
            if any(map(has_symbols, (*given, *results, node.over))) or is_symbolic(node.attrs):
                metas = [meta for meta in (*given, *results, node.over) if meta is not None and meta.is_local]
                of = _symbols_in([node.attrs, *[(meta.shape, meta.stride) for meta in metas]])
                group = self._groups.setdefault(of, _AskedTogether({}, ByNumbers()))
                group.nodes.setdefault((question, results), _AskedOp(node, question, of, results, []))

    def ask(self, numbers: Sequence[Any], outcomes: Outcomes) -> frozenset[Atom]:
        """Ask them for the numbers of a run.

        Returns:
            The counts that are 0 or 1, where an op makes of the program what it would not make of it if they were more.

        Raises:
            OtherProgramError: an answer is another one.
        """
        few = self._few
        for group in self._groups.values():
            found = group.answered.get(numbers)
            if found is None:
                answers = [self._ask(asked, numbers, outcomes) for asked in group.nodes.values()]
                found = frozenset[Atom]().union(*[answer.few for answer in answers])
                guards = {question: guard for answer in answers for question, guard in answer.guards.items()}
                group.answered.put(numbers, positions_of(guards), found)
            few |= found
        return few

    def _ask(self, asked: _AskedOp, numbers: Sequence[Any], outcomes: Outcomes) -> _Answer:
        """When the answer is the one that the program was captured with."""
        for answer in asked.answers:
            if outcomes.hold(answer.guards):
                return answer
        guards: dict[Any, Condition] = {}
        with self._sizes.at(numbers), self._sizes.asking(guards):
            _check(asked.node, asked.question, asked.results)
            answer = _Answer(guards, self._few_of(asked, numbers))
        asked.answers.insert(0, answer)
        return answer

    def _few_of(self, asked: _AskedOp, numbers: Sequence[Any]) -> frozenset[Atom]:
        few = frozenset([symbol for symbol in asked.of if not symbol.low and numbers[position_of(symbol)] < 2])
        if few:
            with self._sizes.taking_many():
                try:
                    return few if infer(*asked.question) != asked.results else frozenset()
                except Exception:  # they are no such op's arguments
                    return few
        return few


class _Answer(NamedTuple):
    """When the answer is the captured one: the guards under which it is, and which counts are few there."""

    guards: dict[Any, Condition]
    few: frozenset[Atom]


class _AskedOp(NamedTuple):
    """An op that is asked, the symbols in what it is asked, the results that were captured, and its answers so far."""

    node: Compute
    question: tuple[Any, ...]
    of: frozenset[Atom]
    results: tuple[Any, ...]
    answers: list[_Answer]


class _AskedTogether(NamedTuple):
    """Ops that are asked about the same symbols, by their questions, and which counts are few for which numbers."""

    nodes: dict[Any, _AskedOp]
    answered: ByNumbers[frozenset[Atom]]


def _check(node: Node, question: tuple[Any, ...], metas: tuple[Any, ...]) -> None:
    try:
        inferred = infer(*question)
    except Exception as error:
        raise OtherProgramError(f"{node.name()} refuses these sizes: {error}") from error
    if inferred != metas and not _are_equal_now(inferred, metas):
        raise OtherProgramError(f"{node.name()} gives {inferred}, and not {metas}")


def _are_equal_now(metas: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    """Whether metas are equal for these sizes, which is a condition then: of two equal sizes an op may give either."""
    if len(metas) != len(others) or not all(meta.is_local and other.is_local for meta, other in zip(metas, others)):
        return False
    return all(
        meta.dtype is other.dtype
        and meta.device is other.device
        and len(meta.shape) == len(other.shape)
        and all(a == b for a, b in zip((*meta.shape, *meta.stride), (*other.shape, *other.stride)))
        for meta, other in zip(metas, others)
    )


def symbols_of(graph: Graph) -> set[Atom]:
    """The symbols of which a program has numbers that are sizes: in metas, attributes, offsets, and numbers computed of sizes."""
    numbers: list[Any] = [(value.meta.shape, value.meta.stride) for value in graph.values() if value.meta.is_local]
    for node in graph.nodes:
        numbers += [node.attrs, node.dynamic] if isinstance(node, Compute) else []
        numbers += [node.offset] if isinstance(node, (View, Update)) else []
    computed = [scalar.symbols for each in numbers for scalar in _scalars_in(each) if scalar.of_sizes]
    return set(_symbols_in(numbers).union(*computed))


def _symbols_in(value: Any) -> frozenset[Atom]:
    return frozenset().union(*[found.expression.symbols() for found in integers_in(value)])


def _scalars_in(value: Any) -> Iterator[RuntimeScalar]:
    """The run-time scalars in an attribute."""
    if type(value) is RuntimeScalar:
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            if type(item) is not int:
                yield from _scalars_in(item)


class _Concrete(NodeVisitor[Node]):
    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.values: dict[Value | None, Any] = {None: None}

    def graph(self, graph: Graph) -> Graph:
        inputs = [self.made(value) for value in graph.inputs]
        states = [self.made(state.value) for state in graph.states]
        nodes = []
        for node in graph.nodes:
            nodes.append(made := self.visit(node))
            self.values.update(zip(node.outputs, made.outputs))
        return replace(
            graph,
            inputs=inputs,
            states=[State(s.impl, value, self.values[s.result]) for s, value in zip(graph.states, states)],
            nodes=nodes,
            outputs=[self.values[value] for value in graph.outputs],
        )

    def made(self, value: Value) -> Value:
        made = self.values[value] = Value(self.numbers.meta(value.meta), None, value.name)
        return made

    def inputs(self, node: Node) -> tuple[Any, ...]:
        return tuple([self.values[value] for value in node.inputs])

    def compute(self, node: Compute) -> Node:
        of, meta, inputs = self.numbers.of, self.numbers.meta, self.inputs(node)
        attrs, dynamic, over = of(node.attrs), of(node.dynamic), meta(node.over)
        metas = tuple([meta(value.meta) for value in node.outputs[: node.results]])
        given = tuple([None if value is None else value.meta for value in inputs])
        _check(node, (node.op, given, attrs, classes(dynamic), over), metas)
        return Compute(node.op, inputs, attrs, dynamic, metas, over, node.source_line)

    def view(self, node: View) -> Node:
        return View(self.values[node.base], self.numbers.meta(node.meta), self.numbers.of(node.offset))

    def update(self, node: Update) -> Node:
        meta, offset = self.numbers.meta(node.meta), self.numbers.of(node.offset)
        base, part = self.inputs(node)
        return Update(base, part, meta, offset, node.source_line)

    def late(self, node: Late) -> Node:
        return Late(*self.inputs(node))

    def fused(self, node: KernelNode) -> Node:
        raise TypeError(f"a {node.name()} is no node of a captured graph")

    def join(self, node: Join) -> Node:
        raise TypeError("a join is no node of a captured graph")

    def words(self, node: Words) -> Node:
        raise TypeError("words are no node of a captured graph")

    def boxing(self, node: Boxing) -> Node:
        return node.again(self.inputs(node))  # what lies over ranks has sizes of its own

    def start(self, node: Node) -> Node:
        raise TypeError(f"a {node.name()} is no node of a captured graph")

    done = start
