"""`flow.export`: a function as a folder that runs without Python; `flow.load_program` runs it in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import tritonflow
from tritonflow import get_num_threads
from tritonflow.errors import ExportError
from tritonflow.exporting import folder
from tritonflow.exporting import targets as levels
from tritonflow.exporting.arguments import Arguments, all_names, check_tensors
from tritonflow.exporting.captures import Captures, source_of
from tritonflow.exporting.sizes import Sizes
from tritonflow.exporting.variants import Variant, structure_text
from tritonflow.exporting.witness import compare, run
from tritonflow.framework.symbolic_int import is_symbolic
from tritonflow.graph.ir import Update, View
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
    """Write a function, compiled, as a folder that runs without its source, Triton or LLVM, from Python or from C.

    The tensors among the arguments are the inputs of the program. All else is part of it, as it is now: numbers, parameters,
    buffers, modes, variables that the function reads. Buffers that it writes are kept from run to run. The program is compiled
    without gradients. Before the folder is there, it is run, and compared with the compiled function bit by bit.

    Args:
        model: a function, a module, a graph, or what `flow.compile` made of one.
        args, kwargs: of a call.
        path: the folder.
        dynamic: of inputs, by name or number, what sizes of dimensions are called that differ: `{"x": {0: "batch"}}`.
        sizes: by these names the sizes to export for: `{"batch": range(1, 65)}`. There may be 4,096 combinations.
        targets: kinds of CPUs: some of "baseline", "avx2", "avx512", "avx512_bf16" and "amx"; the first three and this one unless
            given.
        overwrite: whether a program at `path` is replaced.

    Returns:
        The digest of the folder, in hexadecimal. `load_program` compares it, where it is given.

    Raises:
        RuntimeError: the function is no one program for these sizes, or does what an exported program cannot. The text says what:
            gradients, random numbers, decisions by numbers of tensors, attributes that it sets, several ranks, GPUs.
        ValueError, TypeError: `dynamic`, `sizes` or `targets` do not fit the inputs.

    Example:
        >>> import tempfile, tritonflow as flow
        >>> path = tempfile.mkdtemp() + "/double"
        >>> digest = flow.export(lambda x: x * 2, [flow.ones(3)], path, targets=["baseline"])
        >>> program = flow.load_program(path, target="baseline")
        >>> program(flow.ones(3)).tolist()
        [2.0, 2.0, 2.0]
    """
    if settings.cpu_check:
        raise ExportError("export(): kernels that check addresses (TRITONFLOW_CPU_CHECK) are not exported")
    folder.check_path(Path(path), overwrite)
    chosen, source = levels.chosen(targets), source_of(model)
    arguments = Arguments(source.function, args, kwargs or {})
    check_tensors(arguments.tensors, arguments.names)
    names = list(all_names(arguments.names))
    asked = Sizes(arguments.tensors, names, dynamic, sizes)
    captures = Captures(source, arguments, asked)
    captures.capture()
    lines, files = _described(captures, arguments, names, asked, chosen)
    data, digest = folder.described(lines)
    with folder.writing(path, {**files, folder.PROGRAM: data}, overwrite) as new:
        compare(captures, arguments, asked, new, chosen)
    return digest


def load_program(
    path: str | os.PathLike[str], *, threads: int | None = None, target: str | None = None, digest: str | None = None
) -> Program:
    """The program in a folder that `flow.export` wrote; `tritonflow_program.load_program` does the same without tritonflow.

    A program is machine code: load what you trust, as you would run a program.

    Args:
        path: the folder.
        threads: how many a run uses; those of `flow.get_num_threads()` unless given.
        target: the kind of CPU whose kernels are to run; the best that this CPU is, unless given.
        digest: what `export` gave: a folder with another digest is refused.

    Returns:
        What is called with the inputs: tensors, arrays of NumPy, or what has DLPack. Results are of the first input's library.

    Raises:
        RuntimeError: the folder is damaged, foreign, newer, or no exported program. Nothing of it has run.

    Example:
        >>> import tempfile, numpy, tritonflow as flow
        >>> path = tempfile.mkdtemp() + "/total"
        >>> digest = flow.export(lambda x, y: (x + y).sum(), [flow.ones(3), flow.ones(3)], path, targets=["baseline"])
        >>> total = flow.load_program(path, digest=digest)
        >>> float(total(numpy.ones(3, "float32"), y=numpy.zeros(3, "float32")))
        3.0
    """
    from tritonflow_program import load_program as load  # what runs programs without this package, with arrays of NumPy

    return load(path, threads=get_num_threads() if threads is None else threads, target=target, digest=digest)


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
        if each.folded is not None:
            run(captures, each, each.call.given)  # which computes them
        results = captures.results_of(each)
        variants.append(Variant(each.binding, runs, values, states, kernels, results, captures.results.names, each.folded))
    order = list(groups)
    return variants, [order.index(id(captures.by_combination[combination].binding)) for combination in combinations]


def _weights(captures: Captures, impls: Sequence[Any]) -> list[folder.Weight]:
    """The blocks that the program reads or keeps."""
    tensors: dict[int, dict[int, Any]] = {}
    parts: dict[int, list[tuple[int, Any]]] = {}
    for each in {id(each.captured.before): each for each in captures.by_combination.values()}.values():
        for tensor, impl, _ in each.captured._tensors:
            tensors.setdefault(id(impl), {})[id(tensor)] = tensor
        blocks: dict[Any, Any] = {state.value: state.impl for state in each.captured.before.states}
        for node in each.captured.before.nodes:
            if isinstance(node, (View, Update)) and not is_symbolic((node.offset, node.meta.shape, node.meta.stride)):
                impl = blocks.get(node.inputs[0])
                if impl is not None:
                    parts.setdefault(id(impl), []).append((node.offset, node.meta))
                    blocks.update({output: impl for output in node.outputs if isinstance(node, Update)})
    named: dict[int, str] = {}
    for root, module in captures.source.modules.items():
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            named[id(tensor)] = f"{root}.{name}" if root else name
    return [
        folder.Weight(impl, parts.get(id(impl), []), [*tensors.get(id(impl), {}).values()], named) for impl in impls
    ]
