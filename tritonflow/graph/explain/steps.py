"""What there is to say of a graph's steps: names, operands, lines of the program, sources, what follows what."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.explain.sizes import StepRow
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.ir import CollectiveStart
from tritonflow.graph.ir.cost import Cost, cost_of, flops_of
from tritonflow.graph.ir.roof import Products
from tritonflow.graph.plan.memory import Buffer, Location, MemoryLayout, Step
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import is_folded
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.function_source import MODULE
from tritonflow.ops.precision import product_dtype
from tritonflow.vm.failure import SourceLine, line_of

PRODUCTS = ("matmul", "linear", "conv", "scaled_dot", "attention")
NORMS = ("softmax", "log_softmax", "cross_entropy", "nll_loss", "layer_norm", "batch_norm", "norm")
REDUCTIONS = (
    *NORMS, "sum", "mean", "var", "std", "prod", "amax", "amin", "max_all", "max_dim", "min_all", "min_dim", "arg"
)  # fmt: skip


def title_of(step: Step) -> str:
    """The op, several in their order, or "copy"."""
    if step.node is None:
        return "copy"
    if isinstance(step.node, CollectiveStart):
        return f"{step.node.verb.name}, {step.node.what}"
    ops = step.node.ops()
    return " ".join(op.op.name for op in ops) if len(ops) > 1 else step.node.name()


def kind_of(step: Step) -> str:
    """One of "product", "reduction", "fused", "optimizer", "copy", "wire", "other"."""
    if step.node is not None and step.node.moves:
        return "wire"
    names = [op.op.name for op in step.node.ops()] if step.node is not None else []
    if any(name.startswith(PRODUCTS) for name in names):
        return "product"
    if any(name.startswith(("multi_tensor", "amp_")) for name in names):
        return "optimizer"
    if any(name.startswith(REDUCTIONS) for name in names):
        return "reduction"
    if len(names) > 1:
        return "fused"
    return "copy" if not names or names[0] in ("clone", "contiguous_copy", "cast", "copy_", "cat") else "other"


def cost_of_step(step: Step) -> Cost:
    """The node's; a copy reads and writes what it moves."""
    if step.node is not None:
        return cost_of(step.node)
    read, written = (
        sum(meta.nbytes for meta in metas if meta is not None) for metas in (step.plan.inputs, step.plan.outputs)
    )
    return Cost(0, read, written)


def products_of(step: Step, facts: DeviceFacts) -> Products | None:
    """The matrix products in it, which are of one dtype."""
    ops = [] if step.node is None else [op for op in step.node.ops() if op.op.name.startswith(PRODUCTS)]
    if not ops:
        return None
    operand = next(value for value in ops[0].inputs if value is not None)
    kind = "conv" if ops[0].op.name.startswith("conv") else "matmul"
    return Products(product_dtype(facts, operand.meta.dtype, kind), sum(map(flops_of, ops)))


def launches_of(step: Step) -> int:
    """How many kernels it launches."""
    return sum(0 not in launch.grid for launch in step.plan.launches)


def folded_launches_of(step: Step) -> int:
    """How many of them write folded values, and are left out of later runs."""
    return sum(0 not in launch.grid and is_folded(launch.lays_out, step) for launch in step.plan.launches)


def lines_of(step: Step) -> list[tuple[str, str, str]]:
    """(op, "file.py:12", that line) of each op."""
    if step.node is None:
        return []
    return [(op.op.name, *_line(op.source_line)) for op in step.node.ops()]


def step_row(step: Step, served: list[int]) -> StepRow:
    """What is known of the plans of a step, of which each has served so many sizes."""
    line = next((line for _, line, _ in reversed(lines_of(step)) if line), "")
    return StepRow(title_of(step), line, served)


def _line(source_line: SourceLine | None) -> tuple[str, str]:
    if source_line is None:
        return "", ""
    file, line = source_line[0].co_filename, line_of(source_line)
    return f"{_short(file)}:{line}", linecache.getline(file, line).strip()


def _short(file: str) -> str:
    """A path below the working directory from there on, others by their last two parts."""
    path = Path(file)
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return "/".join(path.parts[-2:])


def sources_of(step: Step) -> Iterator[tuple[str, str]]:
    """(name, source) of the functions in a step's kernels.

    Of those that were written for it, first, it is the whole file; the users' functions that they call follow.
    """
    given = [f for launch in step.plan.launches for f in (launch.fn, *launch.constexprs.values()) if hasattr(f, "fn")]
    functions = [function.fn for function in dict.fromkeys(given)]
    for function in sorted(functions, key=lambda function: not _generated(function)):
        if not _generated(function):
            yield _source(function)
            continue
        path = _file(function)
        yield path.name, "".join(linecache.getlines(str(path)))  # the file may be gone from the cache directory
        for called in function.__globals__.values():
            if hasattr(called, "fn") and not str(called.fn.__module__).startswith(("tritonflow.", MODULE)):
                yield _source(called.fn)


def _source(function: Any) -> tuple[str, str]:
    path = _file(function)
    ours = str(function.__module__).startswith("tritonflow.")
    where = "/".join(path.parts[path.parts.index("kernels") :]) if ours else _short(str(path))
    return f"{function.__name__} of {where}", inspect.getsource(function)


def _file(function: Any) -> Path:
    return Path(function.__code__.co_filename)


def _generated(function: Any) -> bool:
    return str(function.__module__).startswith(MODULE)


def reasons(layout: MemoryLayout, decisions: Iterable[Decision]) -> list[list[Decision]]:
    """For each step, the decisions about its ops."""
    ops = [(op, k) for k, step in enumerate(layout.steps) if step.node is not None for op in step.node.ops()]
    number = {(op.op, value): k for op, k in ops for value in op.outputs}  # a pass may have replaced the node of an op
    found: list[list[Decision]] = [[] for _ in layout.steps]
    for decision in decisions:
        decided = [(op.op, value) for op in (*decision.ops, *decision.others) for value in op.outputs]
        for k in dict.fromkeys(number[each] for each in decided if each in number):
            found[k].append(decision)
    return found


# ---- what a step reads and writes, and who wrote that


def operands(step: Step, writers: list[int | None], names: Mapping[int, str]) -> tuple[list[str], list[str]]:
    """What a step reads and what it writes, for people; `names` has the states'."""
    plan, locations = step.plan, step.locations
    inputs = zip(plan.inputs, locations, writers)
    reads = [_operand(meta, location, names, by) for meta, location, by in inputs if meta is not None and location is not None]
    outputs = zip(plan.outputs, locations[len(plan.inputs) :])
    return reads, [_operand(meta, location, names) for meta, location in outputs if meta.numel and location is not None]


def _operand(meta: TensorMeta, location: Location, names: Mapping[int, str], writer: int | None = None) -> str:
    text = f"{meta.dtype.name}[{', '.join(map(str, meta.shape))}]"
    buffer = location.buffer
    if buffer.kind in (MemoryKind.ARENA, MemoryKind.FOLDED):
        return text if writer is None else f"{text} from {writer}"
    name = f"{buffer.kind.value} {buffer.number}"
    return f"{text} {names.get(buffer.number, name) if buffer.kind is MemoryKind.STATE else name}"


def writers(layout: MemoryLayout) -> list[list[int | None]]:
    """For each step, and each of its locations, the number of the step that wrote that memory last; None: nobody has."""
    last: dict[Any, int] = {}
    found: list[list[int | None]] = []
    for number, step in enumerate(layout.steps):
        found.append([None if location is None else last.get(_key(location.buffer)) for location in step.locations])
        written = [*step.locations[len(step.plan.inputs) :], *[step.locations[k] for k in (step.node.written if step.node else ())]]
        last.update({_key(location.buffer): number for location in written if location is not None})
    return found


def _key(buffer: Buffer) -> Any:
    return buffer if buffer.kind in (MemoryKind.ARENA, MemoryKind.FOLDED) else (buffer.kind, buffer.number)
