"""Whether an exported program gives the bits that the compiled function gives, before anybody relies on it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.errors import ExportError
from tritonflow.exporting.arguments import Arguments
from tritonflow.exporting.captures import Captures, ForSizes
from tritonflow.exporting.sizes import Sizes
from tritonflow.exporting.targets import own_level
from tritonflow.framework.tensor import Tensor
from tritonflow.vm.machine import machine


def compare(captures: Captures, arguments: Arguments, sizes: Sizes, path: Path, chosen: Sequence[str]) -> None:
    """Run both with the arguments, and with as many of their rows as the least and the largest sizes have.

    States are what they were before. Without the level of this process among those chosen, there is nothing to compare.

    Raises:
        ExportError: they differ.
    """
    level = own_level()
    if level not in chosen:
        return
    from tritonflow_program import load_program

    combinations = sizes.combinations()
    picked = {combinations[0], combinations[-1]}
    if tuple(sizes.example) in captures.by_combination:
        picked.add(tuple(sizes.example))
    for combination in sorted(picked):
        given = [_resized(x, shape) for x, shape in zip(arguments.tensors, sizes.shapes(combination))]
        program = load_program(path, target=level)
        found = program.run_flat(given)
        each = captures.by_combination[combination]
        for k, (own, wanted) in enumerate(zip(found, run(captures, each, given))):
            if _bytes(own) != _bytes(wanted):
                name = captures.results.names[k]
                raise ExportError(
                    f"export(): the exported program gives other bits than the compiled function for {name} at sizes {combination}"
                )


def run(captures: Captures, each: ForSizes, given: Sequence[Tensor]) -> list[Tensor]:
    """What the compiled function gives; what it writes is written back."""
    captured = each.captured
    kept = [(state, state.block.ptr, state.block.nbytes) for state in captured.executable._written]
    before = [ctypes.string_at(ptr, nbytes) for _, ptr, nbytes in kept]
    with no_grad():
        outputs = captured.executable.run(given, each.numbers)
    machine.sync()
    for (state, ptr, nbytes), content in zip(kept, before):
        ctypes.memmove(ptr, content, nbytes)
        state.version -= 1
    results = captures.results_of(each)
    return [outputs[number] for number in sorted(results, key=lambda number: results[number])]


def _resized(x: Tensor, shape: Sequence[int]) -> Tensor:
    """The tensor with other sizes: its first elements, and over again where there are not so many."""
    if tuple(x.meta.shape) == tuple(shape):
        return x.detach().clone().contiguous()
    if 0 in x.meta.shape:
        return _C.zeros(shape, dtype=x.meta.dtype)
    for dim, size in enumerate(shape):
        index = _C.arange(size) % x.meta.shape[dim]
        x = _C.index_select(x.detach(), dim, index)
    return x.contiguous()


def _bytes(tensor: Any) -> bytes:
    """The elements, as they lie."""
    contiguous = tensor.contiguous()
    return ctypes.string_at(contiguous.data_ptr(), contiguous.numel() * contiguous.element_size()) if contiguous.numel() else b""
