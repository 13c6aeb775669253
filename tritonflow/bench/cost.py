"""What a call of ours launches, moves and computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tritonflow as flow
from tritonflow.bench.libraries import leaves
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.ir import Compute
from tritonflow.graph.ir.cost import cost_of
from tritonflow.vm.timeline import Span


def launches_of(call: Callable[[], Any]) -> int:
    """How many kernels a call launches."""
    with flow.profiler.profile() as profile:
        call()
    return sum(span.kind == "kernel" or _is_own_launch(span) for span in profile.events())


def _is_own_launch(span: Span) -> bool:
    """Whether it is a launch by `kernel[grid](...)`: an access from the host that has a name; a collective's has a comma."""
    return span.kind == "instruction" and span.device == "host" and span.name != "access" and ", " not in span.name


def operations_of(call: Callable[[], Any]) -> float | None:
    """The floating-point operations of a call's ops; None where a capture cannot follow it."""
    nodes = _nodes(call)
    return None if nodes is None else float(sum(cost_of(node).flops for node in nodes))


def single_op_bytes(call: Callable[[], Any]) -> float | None:
    """The bytes that a call of one op moves, of which an index may select few; None of several, or of none."""
    nodes = _nodes(call)
    return float(cost_of(nodes[0]).bytes) if nodes is not None and len(nodes) == 1 else None


def _nodes(call: Callable[[], Any]) -> list[Compute] | None:
    try:
        with Capture() as capture:
            found = list(leaves(call()))
            return [n for n in capture.finish(found).computes() if n.op.definition.kind != "view"]
    except Exception:  # what a capture refuses is many things, and the figure is one of several
        return None
