"""Control flow, by Python's: its conditions are read."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.onnx.reading.table import op
from tritonflow.onnx.reading.values import as_number, known


@op("If", numbers=True, scoped=True)
def _if(node: Any, scope: Any, condition: Any) -> Any:
    return tuple(scope.call(node.get("then_branch" if as_number(condition) else "else_branch"), []))


@op("Loop", numbers=True, scoped=True)
def _loop(node: Any, scope: Any, count: Any = None, condition: Any = None, *carried: Any) -> Any:
    """The body until its condition is false, at most `count` times; what it gives besides is stacked."""
    body, limit = node.get("body"), as_number(count)
    states, going = list(carried), bool(as_number(condition, True))
    rows: list[list[Any]] = [[] for _ in node.outputs[len(states) :]]
    step = 0
    while going and (limit is None or step < limit):
        results = scope.call(body, [known(step), known(going, flow.bool), *states])
        going, states = bool(as_number(results[0])), results[1 : 1 + len(states)]
        for row, value in zip(rows, results[1 + len(states) :]):
            row.append(scope.tensor(value))
        step += 1
    if any(not row for row in rows):
        raise NotImplementedError(f"the {node} ran no step, so that the shape of what it stacks is not known")
    return (*states, *[flow.stack(row) for row in rows])


@op("Scan", since=9, scoped=True)
def _scan(node: Any, scope: Any, *values: Any) -> Any:
    """The body over slices of the last inputs; what it gives besides the states is stacked."""
    body, scanned = node.get("body"), node.get("num_scan_inputs")
    states, rows = list(values[: len(values) - scanned]), values[len(values) - scanned :]
    stacked = len(node.outputs) - len(states)
    axes = node.get("scan_input_axes") or [0] * scanned
    backward = node.get("scan_input_directions") or [0] * scanned
    count = rows[0].shape[axes[0]]
    found: list[list[Any]] = [[] for _ in range(stacked)]
    for step in range(count):
        slices = [flow.select(row, axis, count - 1 - step if back else step) for row, axis, back in zip(rows, axes, backward)]
        results = scope.call(body, [*states, *slices])
        states = results[: len(states)]
        for each, value in zip(found, results[len(states) :]):
            each.append(scope.tensor(value))
    axes, backward = node.get("scan_output_axes") or [0] * stacked, node.get("scan_output_directions") or [0] * stacked
    outputs = [flow.stack(each[::-1] if back else each, axis) for each, axis, back in zip(found, axes, backward)]
    return (*states, *outputs)
