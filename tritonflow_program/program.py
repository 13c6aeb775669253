"""A program: what it takes and gives, and its runs."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple
from urllib.parse import unquote

from tritonflow_program.arrays import BYTES, given, made, memory
from tritonflow_program.bound import Bound
from tritonflow_program.errors import NAMED
from tritonflow_program.folder import Folder
from tritonflow_program.library import Library, Target, chosen
from tritonflow_program.variant import Variant

MOST_THREADS = 64
_MOST_BOUND = 64  # combinations of sizes whose tables are remembered
_PAGE = 4096


class Input(NamedTuple):
    """An input: its name, dtype and shape. A size that differs stands there by its name."""

    name: str
    dtype: str
    shape: tuple[int | str, ...]


class _State(NamedTuple):
    name: str
    block: Any
    nbytes: int
    first: bytes | None  # what a state that is written has in the beginning


class Program:
    """A compiled program. Calls from several threads run one after the other.

    Args:
        folder: its files.
        threads: how many a run uses.
        target: for which kind of CPU; the best that this one is, unless given.

    Attributes:
        name: of the function that was exported.
        digest: of its folder.
        target: the kind of CPU whose kernels run.
        inputs: what it takes, in order.
        outputs: the names of its results, in order.
        sizes: by their names, the sizes that it was exported for.
        threads: how many a run uses.
    """

    def __init__(self, folder: Folder, threads: int, target: str | None) -> None:
        self.name, self.digest, self.threads = unquote(folder.made), folder.digest, threads
        targets = [Target(words[1], words[2], words[3:]) for words in folder.lines("target", 2)]
        number = chosen(folder, targets, target)
        self.target = targets[number].name
        kernels = [int(words[2 + number]) for words in folder.lines("kernel", 1 + len(targets))]
        self._stride = -(-max(kernels, default=0) // _PAGE) * _PAGE
        weights = memoryview(folder.files["weights.safetensors"])
        self._states = [_state(words, weights) for words in folder.lines("state", 4)]
        self.sizes = {unquote(words[1]): [*map(int, words[3:])] for words in folder.lines("size", 2)}
        names = list(self.sizes)
        self.inputs = [
            Input(unquote(words[1]), words[2], tuple([names[int(n[1:])] if n[0] == "s" else int(n) for n in words[4:]]))
            for words in folder.lines("input", 3)
        ]
        self._structure = json.loads(unquote(folder.take("results", 2)[2]))
        _, count, *choices = folder.take("variants", 2)
        self._choices = list(map(int, choices))
        self._variants = [Variant(folder) for _ in range(int(count))]
        if next(folder.words, None) is not None or len(self._choices) != prod(map(len, self.sizes.values())):
            raise folder.error("its text does not end where it should")
        self._results = {each.result: k for k, each in enumerate(self._variants[0].outputs) if each.result >= 0}
        self.outputs = [self._variants[0].outputs[self._results[k]].name for k in range(len(self._results))]
        self._library = Library(folder, targets[number], len(kernels))
        self._bound: OrderedDict[int, Bound] = OrderedDict()
        self._arena, self._arena_bytes = memory(0), 0
        self._scratch = memory(self._stride * threads + _PAGE)
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run with these inputs, in order or by name: what the function returned, of arrays as the first input is one.

        Raises:
            TypeError: another number of inputs, another name, no array, or another dtype.
            ValueError: another shape, or a size that the program was not exported for.
            IndexError, RuntimeError: a check of the program, such as of indices.
        """
        return self._put_together(self._structure, self.run_flat(self._ordered(args, kwargs)))

    def _ordered(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        names = [each.name for each in self.inputs]
        ordered = {**dict(zip(names, args)), **kwargs}
        unknown = [name for name in kwargs if name not in names]
        if unknown:
            raise TypeError(f"the program {self.name} has no input {unknown[0]!r}, but {', '.join(names)}")
        if len(args) > len(names) or len(ordered) != len(args) + len(kwargs) or len(ordered) < len(names):
            raise TypeError(
                f"the program {self.name} takes {len(names)} inputs ({', '.join(names)}), and {len(args) + len(kwargs)} were given"
            )
        return [ordered[name] for name in names]

    def run_flat(self, values: Sequence[Any]) -> list[Any]:
        """Run with the inputs in order: the tensors among the results, in order."""
        if len(values) != len(self.inputs):
            raise TypeError(f"the program {self.name} takes {len(self.inputs)} inputs, and {len(values)} were given")
        taken = []
        found: dict[str, int] = {}
        for value, each in zip(values, self.inputs):
            own, shape = given(value, each.name, each.dtype, [None if isinstance(n, str) else n for n in each.shape])
            taken.append(own)
            for name, n in zip(each.shape, shape):
                if isinstance(name, str) and found.setdefault(name, n) != n:
                    raise ValueError(f"the size {name!r} is {found[name]} in one input, and {n} in {each.name!r}")
        combination = self._combination(found)
        with self._lock:
            bound = self._of(combination)
            blocks = bound.results()
            bound.give([each.address for each in taken], [block.ctypes.data for block in blocks])
            self._run(bound, combination)
        library = taken[0].library
        results = [(bound.outputs[k], blocks[k]) for k in [self._results_of(bound)[r] for r in range(len(self.outputs))]]
        return [
            made(block[: max(nbytes, BYTES[each.dtype])], each.dtype, shape, stride, library)
            for (each, nbytes, shape, stride), block in results
        ]

    @staticmethod
    def _results_of(bound: Bound) -> dict[int, int]:
        return {each.result: k for k, (each, *_) in enumerate(bound.outputs) if each.result >= 0}

    def _combination(self, found: dict[str, int]) -> int:
        """The number of a combination of sizes."""
        number = 0
        for name, values in self.sizes.items():
            if found[name] not in values:
                few = ", ".join(map(str, values)) if len(values) <= 16 else f"{values[0]} to {values[-1]}, {len(values)} sizes"
                raise ValueError(f"the size {name!r} is {found[name]}, and the program was exported for {few}")
            number = number * len(values) + values.index(found[name])
        return number

    def _of(self, combination: int) -> Bound:
        """The launches for a combination of sizes."""
        bound = self._bound.get(combination)
        if bound is None:
            bound = self._bind(combination)
            if len(self._bound) > _MOST_BOUND:
                self._bound.popitem(last=False)
        self._bound.move_to_end(combination)
        return bound

    def _bind(self, combination: int) -> Bound:
        choice, left = self._choices[combination], combination
        sizes: list[int] = []
        for values in reversed(self.sizes.values()):
            left, position = divmod(left, len(values))
            sizes.insert(0, values[position])
        variant = self._variants[choice]
        numbers = variant.values(sizes, self._choices[:combination].count(choice))
        if numbers.of(variant.arena) > self._arena_bytes:
            self._arena_bytes = numbers.of(variant.arena)
            self._arena = memory(self._arena_bytes)
            self._bound.clear()
        states = [state.block.ctypes.data for state in self._states]
        bound = Bound(variant, numbers, self._library.addresses, states, self._arena.ctypes.data)
        self._bound[combination] = bound
        return bound

    def _run(self, bound: Bound, combination: int) -> None:
        """Run the launches; what a check of them finds is raised, and states are as they were."""
        before = [(self._states[number], self._states[number].block.tobytes()) for number in bound.variant.undo]
        scratch = -(-self._scratch.ctypes.data // _PAGE) * _PAGE
        self._library.run(bound.table.ctypes.data, len(bound.table), self.threads, scratch, self._stride)
        asserted, position = int(bound.failure[0]), self._choices[:combination].count(self._choices[combination])
        found = next((number for number in range(len(bound.variant.words)) if bound.words[number]), None)
        if not asserted and found is None:
            return
        bound.words[:] = 0
        bound.failure[:] = 0
        for state, content in before:
            ctypes.memmove(state.block.ctypes.data, content, len(content))
        if asserted:
            raise AssertionError(ctypes.string_at(asserted).decode())
        assert found is not None
        word = bound.variant.words[found]
        raise NAMED.get(word.error, RuntimeError)(word.texts[position if len(word.texts) > 1 else 0])

    def reset(self) -> None:
        """Put the states that runs write, such as caches and counters, back to what they were when the program was exported."""
        with self._lock:
            for state in self._states:
                if state.first is not None:
                    ctypes.memmove(state.block.ctypes.data, state.first, state.nbytes)

    def _put_together(self, structure: Any, tensors: Sequence[Any]) -> Any:
        kind, *parts = structure
        if kind == "tensor":
            return tensors[parts[0]]
        if kind == "constant":
            return parts[0]
        if kind == "dict":
            return {key: self._put_together(part, tensors) for key, part in parts}
        made_parts = [self._put_together(part, tensors) for part in parts]
        return made_parts if kind == "list" else tuple(made_parts)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{each.name}: {each.dtype}[{', '.join(map(str, each.shape))}]" for each in self.inputs)
        return f"<program {self.name}({inputs}) -> {', '.join(self.outputs)}; {self.target}, {self.threads} threads>"


def _state(words: Sequence[str], weights: memoryview) -> _State:
    name, offset, nbytes, is_written = unquote(words[1]), int(words[2]), int(words[3]), words[4] == "1"
    block, content = memory(nbytes), weights[offset : offset + nbytes].tobytes()
    if nbytes:
        ctypes.memmove(block.ctypes.data, content, nbytes)
    return _State(name, block, nbytes, content if is_written else None)


def load_program(
    path: str | os.PathLike[str], *, threads: int | None = None, target: str | None = None, digest: str | None = None
) -> Program:
    """The program in a folder that `tritonflow.export` wrote.

    A program is machine code. Its digest says that no byte has changed since it was written, not who wrote it: load what you trust,
    as you would run a program, or give the digest that you know from elsewhere.

    Args:
        path: the folder.
        threads: how many a run uses, from 1 to 64; as many as this process may use CPUs, unless given.
        target: the kind of CPU whose kernels are to run; the best that this CPU is, unless given.
        digest: what `export` gave: a folder with another digest is refused.

    Raises:
        ProgramError: the folder is damaged, foreign, newer, or no exported program; nothing of it has run.
        ValueError: `threads` is not from 1 to 64.
    """
    count = min(MOST_THREADS, len(os.sched_getaffinity(0))) if threads is None else threads
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_THREADS:
        raise ValueError(f"threads must be from 1 to {MOST_THREADS}, not {threads!r}")
    folder = Folder(path, digest)
    try:
        return Program(folder, count, target)
    except (IndexError, KeyError, ValueError) as error:
        raise folder.error(f"its text is not as it should be ({error!r})") from None
