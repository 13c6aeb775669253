"""Folding: what a program computes of states alone, which nobody writes while it runs, is there after its first run.

    %1 = view state0                     a batch norm's variance
    %2 = rsqrt(%1)                       fixed: it reads a state that the program does not write
    %3 = conv2d(input0, %4)              lays its weight out by taps in a workspace: fixed, too
    %5 = mul(%3, %2)                     reads an input

A later run leaves out the launches that write fixed values, unless a state that they read has been written (`FoldedValues`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.tensor_impl import EagerLocalTensorImpl
from tritonflow.graph.ir import Graph, KernelNode, Late, Node, State, Value, View
from tritonflow.ops.operands import Input, OffsetAddress, Workspace, flatten
from tritonflow.ops.plan import Plan
from tritonflow.vm.machine import machine


def fixed_values(graph: Graph) -> frozenset[Value]:
    """The values that are the same in each run as long as no state is written from outside, read-only states among them."""
    if any(node.moves for node in graph.nodes):
        return frozenset()
    fixed = {state.value for state in graph.states if _is_read_only(state)}
    for node in graph.nodes:
        if all(value in fixed for value in node.operands()) and _is_function(node):
            fixed.update(node.outputs)
    return frozenset(fixed)


def _is_read_only(state: State) -> bool:
    return state.result is state.value and isinstance(state.impl, EagerLocalTensorImpl)


def _is_function(node: Node) -> bool:
    """Whether a node makes the same of the same inputs, and does nothing else."""
    if isinstance(node, (View, Late)):
        return True
    if not isinstance(node, KernelNode) or node.moves or node.written or node.aliases():
        return False
    ops = node.ops()
    if any(isinstance(number, RuntimeScalar) for op in (node, *ops) for number in op.dynamic):
        return False
    return not any(op.checks for op in ops)


def reads_folded_weight(node: Node, fixed: Collection[Value]) -> bool:
    """Whether the second operand is fixed and the first one is not, as a layer's weight and its input."""
    data, weight = (*node.inputs, None, None)[:2]
    return weight in fixed and data is not None and data not in fixed


def laid_out_once(plan: Plan, node: Node, fixed: frozenset[Value]) -> set[int]:
    """The workspaces in which a plan lays out what is fixed: states, and what is computed of them."""
    found: set[int] = set()
    for launch in plan.launches:
        if launch.lays_out is None:
            continue
        addresses = [each.address if isinstance(each, OffsetAddress) else each for each in flatten(launch.operands)]
        read = [each for each in addresses if each != Workspace(launch.lays_out)]
        if all(_is_fixed(each, node, fixed, found) for each in read):
            found.add(launch.lays_out)
    return found


def _is_fixed(operand: Any, node: Node, fixed: frozenset[Value], laid_out: set[int]) -> bool:
    if isinstance(operand, Workspace):
        return operand.number in laid_out
    if not isinstance(operand, Input):
        return False
    value = node.inputs[operand.number]
    return value is not None and value in fixed


class FoldedValues:
    """Which launches of a program write folded values, and for which contents of states these are there.

    Args:
        states: those that the launches read.

    Attributes:
        filled: the versions of these states that the values were computed of; None as long as they are not there.
    """

    failures = 0
    """How many runs of programs have failed, after which versions of states may count the same changes again."""

    def __init__(self, states: Sequence[EagerLocalTensorImpl]) -> None:
        self._states, self._blocks = states, [impl.block for impl in states]
        self.filled: list[int] | None = None

    def versions(self) -> list[int] | None:
        """The versions of the states by now; None where memory is seen from outside, and may be written at any time."""
        if any(map(machine.sees, self._blocks)):
            return None
        return [FoldedValues.failures, *[impl.version for impl in self._states]]
