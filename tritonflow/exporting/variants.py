"""A schedule as lines of text: launches with their arguments, and where these lie (docs/design/exported_programs.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tritonflow import errors
from tritonflow.errors import ExportError
from tritonflow.exporting.numbers import Formulas
from tritonflow.framework.runtime_scalar import RuntimeScalar
from tritonflow.framework.symbolic_int import SymbolicInt
from tritonflow.graph.ir.numbers import Numbers
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.plan.executable import MOST_UNDONE
from tritonflow.graph.plan.memory_kind import MemoryKind
from tritonflow.graph.plan.schedule import ScheduledOperand, ScheduledStep, WhoRuns
from tritonflow.ops.plan import who_runs
from tritonflow.triton_cpu.arguments import pack

_LETTERS = {
    MemoryKind.ARENA: "a", MemoryKind.INPUT: "i", MemoryKind.OUTPUT: "o", MemoryKind.STATE: "s", MemoryKind.FOLDED: "s",
    MemoryKind.TABLE: "t", MemoryKind.ERROR_WORD: "w",
}  # fmt: skip
_ERRORS = (IndexError, ZeroDivisionError, ValueError, RuntimeError)


def error_name(kind: type[Exception]) -> str:
    """What a program without this package raises in its stead."""
    return next((each.__name__ for each in _ERRORS if issubclass(kind, each)), "RuntimeError")


class Variant:
    """What runs for some combinations of sizes.

    Args:
        binding: the schedule.
        runs: the numbers of a run for each combination of sizes that it is for.
        sizes: of each size its values, one for each of these combinations.
        states, kernels: of all variants so far, by the memory and the kernel the number of each; new ones are added.
        results: by the numbers of the outputs, which result each is.
        names: of the results.
        folded: the memory of folded values, which are weights of an exported program; None where there are none.

    Attributes:
        lines: what it is.
    """

    def __init__(
        self,
        binding: BoundSchedule,
        runs: Sequence[Sequence[Any]],
        sizes: Sequence[tuple[int, ...]],
        states: dict[Any, int],
        kernels: dict[Any, int],
        results: dict[int, int],
        names: Sequence[str],
        folded: Any,
    ) -> None:
        self._binding, self._states, self._kernels, self._folded = binding, states, kernels, folded
        self._runs = [Numbers(run) for run in runs]
        self._numbers = runs
        self._formulas = Formulas(sizes, runs)
        arenas = [binding.arena(run) for run in runs]
        self._buffers = {number: k for k, number in enumerate(arenas[0][1])}
        arena = self._formulas.token([nbytes for nbytes, _ in arenas])
        buffers = [f"buffer {self._formulas.token([own[number] for _, own in arenas])}" for number in self._buffers]
        outputs = [self._output(meta, results.get(k), names) for k, meta in enumerate(binding.outputs)]
        self._words, self._tables, self._launches = list[str](), list[str](), list[str]()
        for step in binding.schedule.steps:
            self._step(step)
        undo = [] if _early_bytes(binding) > MOST_UNDONE else [states[binding.states[k]] for k in binding.schedule.written_early]
        self.lines = [
            "variant",
            *self._section("numbers", [f"number {line}" for line in self._formulas.lines]),
            *self._section("outputs", outputs),
            f"arena {arena}",
            *self._section("buffers", buffers),
            " ".join(["undo", str(len(undo)), *map(str, undo)]),
            *self._section("words", self._words),
            *self._section("tables", self._tables),
            *self._section("launches", self._launches),
        ]

    @staticmethod
    def _section(name: str, lines: Sequence[str]) -> list[str]:
        return [f"{name} {len(lines)}", *lines]

    def _output(self, meta: Any, result: int | None, names: Sequence[str]) -> str:
        """An output: which result it is, its name, dtype, bytes, rank, shape and strides."""
        metas = [run.meta(meta).allocated() for run in self._runs]
        token = self._formulas.token
        shape = [token([each.shape[dim] for each in metas]) for dim in range(meta.ndim)]
        stride = [token([each.stride[dim] for each in metas]) for dim in range(meta.ndim)]
        nbytes = token([each.nbytes for each in metas])
        name = "-" if result is None else quote(names[result], safe=".[]")
        number = str(-1 if result is None else result)
        return " ".join(["output", number, name, meta.dtype.name, nbytes, str(meta.ndim), *shape, *stride])

    def _value(self, value: Any, type_: str = "i64") -> str:
        """A number that is no address: as a launch's 64-bit word has it."""
        if type(value) is SymbolicInt:
            return self._formulas.token([run.integer(value) for run in self._runs], value.expression.source)
        if isinstance(value, RuntimeScalar):
            return self._formulas.token([_word(type_, value.evaluate(numbers)) for numbers in self._numbers])
        return str(_word(type_, value))

    def _operand(self, value: Any, type_: str) -> str:
        """An argument: a letter for its kind, a number, and an offset in bytes."""
        if not isinstance(value, ScheduledOperand):
            return f"v 0 {self._value(value, type_)}"
        if value.kind is MemoryKind.SCALAR:
            scalar = self._binding.scalars[value.number]
            return f"v 0 {self._formulas.token([_word(type_, scalar(numbers)) for numbers in self._numbers])}"
        number = value.number
        if value.kind is MemoryKind.ARENA:
            number = self._buffers[number]
        elif value.kind is MemoryKind.STATE:
            number = self._states.setdefault(self._binding.states[number], len(self._states))
        elif value.kind is MemoryKind.FOLDED:
            number = self._states.setdefault(self._folded, len(self._states))
        elif value.kind is MemoryKind.TABLE:
            number = len(self._tables) - 1
        elif value.kind is MemoryKind.ERROR_WORD:
            number = len(self._words) - 1
        return f"{_LETTERS[value.kind]} {number} {self._value(value.offset)}"

    def _step(self, step: ScheduledStep) -> None:
        if step.flight is not None:
            raise ExportError("export(): the program moves bytes between ranks, which an exported program cannot")
        word = -1
        if step.check is not None:
            word = len(self._words)
            texts = [str(run.of(step.check.message)) for run in self._runs]
            texts = texts[:1] if len(set(texts)) == 1 else texts
            kind = error_name(getattr(errors, step.check.error))
            self._words.append(" ".join(["word", kind, str(len(texts)), *[quote(text, safe="") for text in texts]]))
        if step.table is not None:
            self._tables.append("")
            rows = [self._operand(row, "*") for row in step.table]
            self._tables[-1] = " ".join(["table", str(len(rows)), *rows])
        inline = step.inline
        if isinstance(inline, WhoRuns):
            alone = self._formulas.token([who_runs(*run.of(tuple(inline)))[0] for run in self._runs])
        else:
            alone = str(int(inline))
        for launch in step.launches:
            if launch.folded:  # what it writes is there
                continue
            kernel = self._kernels.setdefault(launch.kernel, len(self._kernels))
            types = launch.kernel.types
            values = [*launch.arguments, *launch.sizes]
            if len(types) != len(values):
                raise ExportError(f"export(): a launch of {launch.name} has {len(values)} arguments, its kernel takes {len(types)}")
            grid = " ".join([self._value(n) for n in launch.grid])
            arguments = [self._operand(value, type_) for value, type_ in zip(values, types)]
            self._launches.append(" ".join(["launch", str(kernel), grid, alone, str(word), str(len(types)), *arguments]))


def _early_bytes(binding: BoundSchedule) -> int:
    """How many bytes of states a run may have written before it fails."""
    return sum([binding.graph.states[number].value.meta.nbytes for number in binding.schedule.written_early])


def _word(type_: str, value: Any) -> int:
    """The 64-bit word of an argument, as a signed number."""
    if type_ in ("i32", "i64"):
        return int(value)
    return int.from_bytes(pack((type_,), (value,)), "little", signed=True)


def structure_text(structure: Any) -> str:
    """What results are made of, in one word."""
    return quote(json.dumps(structure, separators=(",", ":")), safe="")
