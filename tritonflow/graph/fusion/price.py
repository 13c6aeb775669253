"""What a kernel costs, by estimate, and with it whether ops are better one kernel or several.

    seconds = launch + max(bytes / bandwidth, operations / rate) + bytes spilled / spill

Bandwidth is the roof's for what the kernel touches, so that a comparison is fair; a kernel of more arrays than its template moves
at full speed has less of it. Operations wait for each other: a loop has `window` of them under way at a time, and where a chain
fills it, each takes `latency` as long. Values that live at a time beyond `registers` are spilled: written, and read again.

Nothing is measured at run time, and threads do not count: results may depend on what is one kernel, by a rounding, and must
not depend on those. The figures of "cpu" are of one thread of a Zen 4 (AVX-512), by bench/fusion.py. Those of "gpu" are an
H100's; another GPU's follow from them by its multiprocessors, cache and bandwidth:

- operations and memory by NVIDIA's data sheet (H100 SXM: 67 TFLOP/s in float32, 3.35 TB/s), its second-level cache by
  chipsandcheese.com (5.5 TB/s), a kernel of a CUDA graph by NVIDIA's "Constant Time Launch for Straight-Line CUDA Graphs" (2 us);
- registers: 255 of a thread (CUDA programming guide) less 31 for addresses, over a thread's elements: 8 of a block, up to 32 of a
  row (elementwise.config), about 64 of a product's tile, whose sum is a value, too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from tritonflow.device.provider import facts_of
from tritonflow.framework.size_questions import at_hints, taking_many
from tritonflow.framework.symbolic_int import context_of
from tritonflow.graph.fusion.arithmetic import Count, beside, count
from tritonflow.graph.fusion.group import DRAWN_TOGETHER, columns, is_draw, is_row_op
from tritonflow.graph.ir import Compute, Value, constant, is_loaded, root
from tritonflow.graph.ir.cost import nbytes_of
from tritonflow.graph.ir.roof import Roof
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.ops.function_source import MOVES

ANY = 1 << 30
_WORD = Count(10 * 12 // DRAWN_TOGETHER, 10 * 4, 10)  # one word of Philox, whose ten rounds make the words of a counter


class Template(NamedTuple):
    """What a kernel template does well.

    Attributes:
        max_streams: the number of arrays that it moves at full speed.
        slowdown_beyond: the factor by which it moves more arrays slower.
        registers: the number of an element's values that registers hold.
        latency_bound: whether a chain of operations has to be waited for, as there is nothing else to do.
    """

    max_streams: int
    slowdown_beyond: float
    registers: int
    latency_bound: bool = False


class DeviceModel(NamedTuple):
    """The figures of a kind of device, from which the time of a kernel is estimated.

    Attributes:
        roof: operations and bytes a second.
        launch: seconds.
        spill: bytes a second of values that registers do not hold.
        window, latency: operations under way at a time; how many could be done while one that waits for another is.
        loads_first: whether all operands are in registers before the first operation.
        templates: by name: "elements", "rows", "product" (behind one), "reduction" and "columns" (in front of one,
            which reduces the last dimension or not).
    """

    roof: Roof
    launch: float
    spill: float
    window: int
    latency: float
    loads_first: bool
    templates: dict[str, Template]


class Work(NamedTuple):
    """What a kernel does, or the part of it that fusion decides on.

    Attributes:
        template: the name of its kernel template.
        elements: the number of elements that it walks over.
        read, written: bytes.
        arrays: the number of arrays of that many elements.
        arithmetic: of an element.
        live: the number of values that live at a time.
    """

    template: str
    elements: int = 0
    read: int = 0
    written: int = 0
    arrays: int = 0
    arithmetic: Count = Count()
    live: int = 0
    launches: int = 1

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.read + self.written


class Prices(NamedTuple):
    """Works apart and the same together, with the seconds that both take.

    Attributes:
        registers: the number of values that registers hold in the kernel of all.
    """

    apart: Sequence[Work]
    together: Work
    seconds: tuple[float, float]
    registers: int

    @property
    def pays(self) -> bool:
        """Whether together is faster."""
        return self.seconds[1] < self.seconds[0]


def compare(apart: Sequence[Work], together: Work, model: DeviceModel) -> Prices:
    """What works take apart, and together: for many sizes, what they take now, and whether that pays decides."""
    context = context_of((tuple(apart), together))
    if context is not None:
        context.rule(_pays, (tuple(apart), together, model), {})
        apart, together = at_hints(tuple(apart)), at_hints(together)
    footprint = max(together.bytes, 1)
    pace = model.roof.moving(footprint) / footprint
    each = sum(seconds_of(work, model, pace) for work in apart)
    registers = model.templates[together.template].registers
    return Prices(apart, together, (each, seconds_of(together, model, pace)), registers)


def _pays(apart: Sequence[Work], together: Work, model: DeviceModel) -> bool:
    return compare(apart, together, model).pays


def seconds_of(work: Work, model: DeviceModel, pace: float) -> float:
    """The time of a kernel that moves a byte in `pace` seconds."""
    template = model.templates[work.template]
    moving = work.bytes * pace * (template.slowdown_beyond if work.arrays > template.max_streams else 1)
    operations, chain, _ = work.arithmetic
    under_way = max(1.0, model.window / max(operations, 1))
    waiting = model.latency * chain / under_way if template.latency_bound else 0.0
    computing = work.elements * max(operations, waiting) / model.roof.flops
    spilled = max(0, work.live - template.registers) * work.elements * 8 / model.spill
    return work.launches * model.launch + max(moving, computing) + spilled


def work_of(
    body: Sequence[Compute], template: str, wanted: Collection[Value], model: DeviceModel, given: Sequence[Value] = ()
) -> Work:
    """The work of ops in one kernel, which stores what is `wanted` of the values that they make, or are `given`."""
    made = {*given, *[value for node in body for value in node.outputs]}
    reads = [value for node in body for value in node.operands() if is_loaded(value) and root(value) not in made]
    read = {root(value): value.meta for value in reads}
    written = [value.meta for value in made if value in wanted]
    with taking_many([value.meta.numel for value in made]):
        elements = max((value.meta.numel for value in made), default=0)
        arrays = sum(meta.numel >= elements for meta in (*read.values(), *written))
    live = 0
    if len(read) + len(made) > min(each.registers for each in model.templates.values()):
        live = live_values(body, wanted, model.loads_first, given) * _registers(body)
    into, out = (sum(map(nbytes_of, metas)) for metas in (read.values(), written))
    return Work(template, elements, into, out, arrays, arithmetic_of(body), live)


def _registers(body: Sequence[Compute]) -> int:
    """How many times those of a short row a thread needs for a value."""
    return min(max([1, *[columns(node) // 1024 for node in body if is_row_op(node)]]), 4)


def arithmetic_of(body: Sequence[Compute]) -> Count:
    """All operations, and the longest chain through the body."""
    behind: dict[Value, Count] = {}
    total = 0
    for node in body:
        own = _arithmetic(node)
        total += own.operations
        end = beside([behind[value] for value in map(root, node.operands()) if value in behind]).then(own)
        behind.update(dict.fromkeys(node.outputs, end))
    return beside(behind.values())._replace(operations=total)


def _arithmetic(node: Compute) -> Count:
    """Of an op; rounding a result to its dtype takes two steps."""
    definition = node.op.definition
    own = Count()
    if node.op.name not in MOVES:
        own = count(definition.fusion if is_row_op(node) or is_draw(node) else definition.target)
    if is_draw(node):
        own = _WORD.then(own)
    rounds = any(value.meta.dtype is not value.meta.dtype.compute for value in node.outputs)
    return own.then(Count(2, 2, 2)) if rounds else own


def live_values(
    body: Sequence[Compute], stored: Collection[Value], loads_first: bool, given: Sequence[Value] = ()
) -> int:
    """How many values are live at a time at most: from where they are read or made to their last use, stored ones to the end.

    A result may take the register of an operand that is not used any more.
    """
    first: dict[Value, int] = dict.fromkeys(given, 0)
    last: dict[Value, int] = {}
    for step, node in enumerate(body):
        for value in map(root, node.operands()):
            if constant(value) is None:
                first.setdefault(value, 0 if loads_first else 2 * step)
                last[value] = 2 * step
        first.update(dict.fromkeys(node.outputs, 2 * step + 1))
    end = 2 * len(body)
    changes = [0] * (end + 2)
    for value, start in first.items():
        changes[start] += 1
        changes[1 + (end if value in stored else last.get(value, start))] -= 1
    return max(accumulate(changes))


DEVICE_MODELS = {
    "cpu": DeviceModel(
        roof=Roof(110e9, [(0, 0.0), (1 << 20, 16e-6), (8 << 20, 0.15e-3), (64 << 20, 3e-3)]),
        launch=0.07e-6,
        spill=100e9,
        window=120,
        latency=2,
        loads_first=False,
        templates={
            "elements": Template(18, 2.0, 16, latency_bound=True),
            "rows": Template(ANY, 1.0, ANY),
            "product": Template(0, 1.3, 16),
            "reduction": Template(18, 2.0, 16, latency_bound=True),
            "columns": Template(4, 2.0, 16, latency_bound=True),
        },
    ),
    "gpu": DeviceModel(
        roof=Roof(67e12, [(0, 0.0), (32 << 20, 6.1e-6), (256 << 20, 80e-6)]),
        launch=2e-6,
        spill=5.5e12,
        window=ANY,
        latency=1,
        loads_first=True,
        templates={
            "elements": Template(ANY, 1.0, 28),
            "rows": Template(ANY, 1.0, 28),
            "product": Template(ANY, 1.0, 3),
            "reduction": Template(ANY, 1.0, 14),
            "columns": Template(ANY, 1.0, 14),
        },
    ),
}


@lru_cache(maxsize=4)
def _cpu_model(lanes: int) -> DeviceModel:
    """A CPU with as many registers as it has: 32 of 16 lanes hold 16 values of 32 elements each, 16 of 8 lanes 4."""
    model, registers = DEVICE_MODELS["cpu"], 16 if lanes == 16 else 4
    known = model.templates.items()
    return model._replace(templates={k: t if t.registers == ANY else t._replace(registers=registers) for k, t in known})


@lru_cache(maxsize=4)
def _gpu_model(facts: DeviceFacts) -> DeviceModel:
    """A GPU with as many multiprocessors, as large a cache and as fast a memory as it has."""
    model, size = DEVICE_MODELS["gpu"], facts.processors / 132
    cached, bandwidth = model.spill * size, facts.bandwidth or 3.35e12 * size
    near, far = facts.cache * 2 // 3, facts.cache * 5
    lanes = facts.architecture.singles / 128  # an H100's
    roof = Roof(model.roof.flops * size * lanes, [(0, 0.0), (near, near / cached), (far, far / bandwidth)])
    return model._replace(roof=roof, spill=cached)


def device_model_of(value: Any) -> DeviceModel:
    """Of the device on which a value lies."""
    facts = facts_of(value.meta.device)
    return _cpu_model(facts.lanes) if facts.kind == "cpu" else _gpu_model(facts)
