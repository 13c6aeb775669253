"""`flow.export`: a function as a folder that runs without Python; `flow.load_program` runs it in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import tritonflow
from tritonflow.errors import ExportError
from tritonflow.exporting import folder, targets as levels
from tritonflow.exporting.arguments import Arguments, all_names, check_tensors
from tritonflow.exporting.captures import Captures, source_of
from tritonflow.exporting.sizes import Sizes
from tritonflow.exporting.variants import Variant, structure_text
from tritonflow.exporting.witness import compare
from tritonflow.settings import settings

if TYPE_CHECKING:
    from tritonflow_program import Program


def export(
    model: Callable[..., Any],
    args: Sequence[Any],
    path: str | os.PathLike[str],
    *,
    kwargs: Mapping[str, Any] | None = None,
    dynamic: Mapping[Any, Mapping[int, str]] | None = None,
    sizes: Mapping[str, Iterable[int]] | None = None,
    targets: Iterable[str] | None = None,
    overwrite: bool = False,
) -> str:
    """Write a function, compiled, as a folder that runs without its source, Triton or LLVM, from Python or from C."""
    if settings.cpu_check:
        raise ExportError("export(): kernels that check addresses (TRITONFLOW_CPU_CHECK) are not exported")
    chosen, source = levels.chosen(targets), source_of(model)
    arguments = Arguments(source.function, args, kwargs or {})
    check_tensors(arguments.tensors, arguments.names)
    names = list(all_names(arguments.names))
    asked = Sizes(arguments.tensors, names, dynamic, sizes)
    captures = Captures(source, arguments, asked)
    captures.capture()
    lines, files = _described(captures, arguments, names, asked, chosen)
    data, digest = folder.described(lines)
    folder.write(path, {**files, folder.PROGRAM: data}, overwrite)
    compare(captures, arguments, asked, Path(path), chosen)
    return digest


def load_program(path: str | os.PathLike[str], **options: Any) -> Program:
    """The program in a folder that `flow.export` wrote."""
    from tritonflow_program import load_program as load

    return load(path, **options)


def _described(
    captures: Captures, arguments: Arguments, names: Sequence[str], sizes: Sizes, chosen: Sequence[str]
) -> tuple[list[str], dict[str, bytes]]:
    """The lines of `program.txt`, and the other files."""
    states: dict[Any, int] = {}
    kernels: dict[Any, int] = {}
    variants, choices = _variants(captures, sizes, states, kernels)
    weights = _weights(captures, list(states))
    data, weight_names, offsets = folder.weights_file(weights)
    files = {folder.WEIGHTS: data}
    scratch: list[list[int]] = []
    for level in chosen:
        compiled = levels.compiled(list(kernels), level)
        files[f"kernels-{level}.so"] = compiled.library
        scratch.append(compiled.scratch)
    written = {states[impl] for each in captures.by_combination.values() for impl in each.binding.written if impl in states}
    inputs = []
    for name, tensor, own in zip(names, arguments.tensors, sizes.dimensions):
        shape = [f"s{own[dim]}" if dim in own else str(n) for dim, n in enumerate(tensor.meta.shape)]
        inputs.append(" ".join(["input", quote(name, safe=".[]"), tensor.meta.dtype.name, str(len(shape)), *shape]))
    lines = [
        f"tritonflow program {folder.VERSION}",
        "system linux x86_64",
        f"made {quote(captures.source.name, safe='.[]')} {tritonflow.__version__}",
        f"files {len(files)}",
        *[folder.file_line(name, content) for name, content in files.items()],
        f"targets {len(chosen)}",
        *[" ".join(["target", name, f"kernels-{name}.so", *levels.LEVELS[name].flags]) for name in chosen],
        f"kernels {len(kernels)}",
        *[
            " ".join(["kernel", quote(kernel.name, safe=".[]"), *[str(own[number]) for own in scratch]])
            for kernel, number in kernels.items()
        ],
        f"states {len(weights)}",
        *[
            f"state {quote(name, safe='.[]')} {offset} {weight.nbytes} {int(number in written)}"
            for number, (name, offset, weight) in enumerate(zip(weight_names, offsets, weights))
        ],
        f"sizes {len(sizes.names)}",
        *[" ".join(["size", quote(n, safe=".[]"), str(len(v)), *map(str, v)]) for n, v in zip(sizes.names, sizes.values)],
        f"inputs {len(inputs)}",
        *inputs,
        f"results {len(captures.results.names)} {structure_text(captures.results.structure)}",
        f"variants {len(variants)} {' '.join(map(str, choices))}",
        *[line for variant in variants for line in variant.lines],
    ]
    return lines, files


def _variants(
    captures: Captures, sizes: Sizes, states: dict[Any, int], kernels: dict[Any, int]
) -> tuple[list[Variant], list[int]]:
    """What runs for the combinations of sizes, and which of them is for each."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    combinations = sizes.combinations()
    for combination in combinations:
        groups.setdefault(id(captures.by_combination[combination].binding), []).append(combination)
    variants = []
    for own in groups.values():
        each = captures.by_combination[own[0]]
        values = [tuple([combination[number] for combination in own]) for number in range(len(sizes.names))]
        runs = [captures.by_combination[combination].numbers for combination in own]
        variants.append(
            Variant(each.binding, runs, values, states, kernels, captures.results_of(each), captures.results.names)
        )
    order = list(groups)
    return variants, [order.index(id(captures.by_combination[combination].binding)) for combination in combinations]


def _weights(captures: Captures, impls: Sequence[Any]) -> list[folder.Weight]:
    """The blocks that the program reads or keeps."""
    tensors: dict[int, list[Any]] = {}
    for each in captures.by_combination.values():
        for tensor, impl, _ in each.captured._tensors:
            tensors.setdefault(id(impl), []).append(tensor)
    named: dict[int, str] = {}
    for root, module in captures.source.modules.items():
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            named[id(tensor)] = f"{root}.{name}" if root else name
    return [folder.Weight(impl, list({id(t): t for t in tensors.get(id(impl), [])}.values()), named) for impl in impls]
