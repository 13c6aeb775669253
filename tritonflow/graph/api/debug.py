"""What `graph.debug(level)` prints while a graph is captured and compiled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.size_questions import unguarded
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.pytree import flatten
from tritonflow.graph.explain.why import chosen
from tritonflow.graph.ir import Graph
from tritonflow.graph.plan.memory import Buffer, MemoryLayout, plan_memory
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.nn import Module
from tritonflow.thread_state import thread_state

STAGES, PARTS, OPS, DETAILS = range(4)


class DebugReport:
    """Prints, up to a level: 0 the stages, 1 inputs, calls of modules, outputs and passes, 2 the ops with the lines of the program
    that they come from, 3 the graph behind every pass and the memory plan. -1 is silent.

    Args:
        title: what stands in front of the lines.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.level = -1
        self._nodes = 0

    def set_level(self, v_level: int) -> None:
        """Print up to this level.

        Raises:
            TypeError, ValueError: it is no int from -1 to 3.
        """
        if not isinstance(v_level, int) or isinstance(v_level, bool):
            raise ArgumentTypeError(f"debug(): v_level must be an int, not {type(v_level).__name__}")
        if not -1 <= v_level <= DETAILS:
            raise ArgumentValueError(f"debug(): v_level must be from -1 (silent) to {DETAILS}, not {v_level}")
        self.level = v_level

    def say(self, level: int, text: object) -> None:
        """Print a line; a graph becomes text only where it is printed."""
        if self.level >= level:
            print(f"{self.title} {text}")

    @contextmanager
    def stage(self, what: str, recorded: Callable[[], Graph] | None = None) -> Iterator[None]:
        """A block that is announced, and timed; if it fails, the ops that were captured until then are shown."""
        self.say(STAGES, f"start {what}.")
        start = time.perf_counter()
        try:
            yield
        except Exception as error:
            self.say(STAGES, f"{what} got error: {type(error).__name__}.")
            if recorded is not None and self.level >= OPS:
                self.say(OPS, f"captured until then:\n{recorded()}")
            raise
        self.say(STAGES, f"{what} Done! Cost time: {time.perf_counter() - start:.2f}s.")

    @contextmanager
    def calls(self, modules: Mapping[str, Module]) -> Iterator[None]:
        """A block in which the calls of modules are shown."""
        with ExitStack() as hooks:
            if self.level >= PARTS:
                for root, module in modules.items():
                    for path, part in module.named_modules(prefix=root):
                        hooks.enter_context(part.register_forward_hook(self._hook(path)))
            yield

    def _hook(self, path: str) -> Any:
        def show(module: Module, args: Any, result: Any) -> None:
            if thread_state.observer.is_capturing:
                self.say(PARTS, f"(MODULE:{path}:{type(module).__name__}) {_tensors(args)} -> {_tensors(result)}")

        return show

    def values(self, kind: str, tensors: Sequence[Tensor]) -> None:
        """Show inputs or outputs."""
        for number, tensor in enumerate(tensors if self.level >= PARTS else ()):
            self.say(PARTS, f"({kind}:{number}:{tensor_text(tensor.meta)})")

    def captured(self, graph: Graph) -> None:
        """Show a graph before the passes."""
        self._nodes = len(graph.nodes)
        self.say(PARTS, f"captured {self._nodes} nodes")
        self.say(OPS, graph)

    def passed(self, name: str, graph: Graph) -> None:
        """Show what a pass did."""
        changed = len(graph.nodes) != self._nodes
        self.say(PARTS, f"pass {name}: {self._nodes} nodes -> {len(graph.nodes)}")
        if changed:
            self.say(DETAILS, graph)
        self._nodes = len(graph.nodes)

    @property
    def shows_passes(self) -> bool:
        """Whether passes have to run, to be shown."""
        return self.level >= PARTS

    def tuned(self, graph: Graph) -> None:
        """Show which configurations were chosen."""
        for node, choice in graph.choices.items():
            self.say(PARTS, f"tuned {' '.join(op.op.name for op in node.ops())}: {chosen(choice)}")

    def planned(self, graph: Graph | None, launches: int, arena_bytes: int) -> None:
        """Show what became of a graph; of None, whose plan was found on disk, only that."""
        found = " The plan was found on disk." if graph is None else ""
        self.say(STAGES, f"{launches} kernels, {arena_bytes:,} bytes between them.{found}")
        if self.level >= DETAILS and graph is not None:
            for buffer in _arena(plan_memory(graph)):
                where = f"{buffer.offset:,} to {buffer.offset + buffer.nbytes:,}"
                self.say(DETAILS, f"memory: bytes {where} from step {buffer.first} to {buffer.last}")


def check_ranks(ranks: Any) -> None:
    """Refuse processes that are not there: a graph is one of rank 0.

    Raises:
        TypeError, ValueError: `ranks` is not None, 0, -1 or a list of these two.
    """
    found = [0] if ranks is None else ranks if isinstance(ranks, (list, tuple)) else [ranks]
    for rank in found:
        if not isinstance(rank, int) or isinstance(rank, bool):
            raise ArgumentTypeError(f"debug(): ranks must be an int or a list of ints, not {ranks!r}")
        if rank not in (0, -1):
            raise ArgumentValueError(f"debug(): ranks must be 0 or -1, as a graph runs in one process, not {ranks!r}")


def _arena(layout: MemoryLayout) -> list[Buffer]:
    """The buffers between the steps, in the order in which they are first written."""
    locations = [location for step in layout.steps for location in step.locations if location is not None]
    buffers = dict.fromkeys(location.buffer for location in locations if location.buffer.kind is MemoryKind.ARENA)
    return sorted(buffers, key=lambda buffer: (buffer.first, buffer.offset))


def _tensors(value: Any) -> str:
    found: list[Tensor] = []
    flatten(value, found, [])
    return f"({', '.join(tensor_text(tensor.meta) for tensor in found)})"


def tensor_text(meta: Any) -> str:
    """A tensor of this meta, without its values."""
    with unguarded(meta.shape):
        return f"tensor(..., size={tuple(meta.shape)}, dtype={meta.dtype})"
