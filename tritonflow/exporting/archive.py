"""A program as one file: the folder of `flow.export` as a zip, with its signature and its tensors beside it.

    program/program.txt ...    the folder (docs/design/exported_programs.md)
    description.json           names of inputs and outputs, sizes, and the digest of the folder
    tensors.safetensors        parameters, buffers and constants as they were
"""

from __future__ import annotations

import inspect
import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tritonflow import dtypes
from tritonflow.autograd import is_grad_enabled
from tritonflow.errors import ArgumentTypeError, ExportError
from tritonflow.exporting.dims import Dim, DimHint, ValueRange, is_unbounded
from tritonflow.exporting.entry import export, load_program
from tritonflow.exporting.exported_program import ExportedProgram
from tritonflow.exporting.program_inputs import Expected, ProgramInputs, check
from tritonflow.exporting.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)
from tritonflow.exporting.traced import TracedProgram
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Parameter
from tritonflow.serialization import load, save

if TYPE_CHECKING:
    from tritonflow_program import Program

_PLAIN = (bool, int, float, str)
_FOLDER, _DESCRIPTION, _TENSORS, _VERSION = "program/", "description.json", "tensors.safetensors", 1


def save_exported(program: ExportedProgram, f: str | os.PathLike[str] | IO[bytes], **options: Any) -> None:
    """Write a program as one file, which runs without its source: machine code for kinds of CPUs, weights as they are now.

    Its sizes are those of its Dims, from the least to the largest. There may be 4,096 combinations.

    Args:
        program: what `export_program` gave.
        f: a path, or a file that is open for bytes.
        options: torch's `extra_files`, `opset_version` and others, which must be empty.

    Raises:
        RuntimeError: a Dim has no `max`, or the program does what an exported one cannot (docs/export.md).

    Source: torch.export.save.
    """
    if not isinstance(program, ExportedProgram):
        raise ArgumentTypeError(f"save(): expected an ExportedProgram, not {type(program).__name__}")
    refuse_options("save", options)
    traced = program.runner
    if not isinstance(traced, TracedProgram):
        raise ExportError("save(): the program was read from a file: copy that file")
    with tempfile.TemporaryDirectory() as folder:
        data = _archive(program, traced, Path(folder))
    if hasattr(f, "write"):
        f.write(data)
    else:
        Path(f).write_bytes(data)


def refuse_options(function: str, options: Mapping[str, Any]) -> None:
    """Refuse what torch's function has and this one does not.

    Raises:
        RuntimeError: names the option.
    """
    given = [name for name, value in options.items() if value and name != "pickle_protocol"]
    if given:
        raise ExportError(f"{function}(): {given[0]} is not built")


def _archive(program: ExportedProgram, traced: TracedProgram, folder: Path) -> bytes:
    called = traced.size_names
    sizes: dict[str, range] = {}
    for own, names in zip(traced.asked, called):
        for dim, said in own.items():
            if is_unbounded(said):
                raise ExportError(f"save(): the size {names[dim]} has no largest one: give it a Dim with max=, and export again")
            sizes[names[dim]] = range(max(1, said.min), said.max + 1)
    path = folder / "program"
    digest = export(
        traced.module, traced.inputs.args, path, kwargs=traced.inputs.kwargs, dynamic=dict(enumerate(called)), sizes=sizes
    )
    description = {
        "version": _VERSION,
        "name": traced.name,
        "digest": digest,
        "parameters": _parameters(traced.signature),
        "expected": [_as_data(own) for own in traced.expected],
        "inputs": [[s.kind.name, s.target, s.persistent, *_argument(s.arg)] for s in program.graph_signature.input_specs],
        "outputs": [[s.kind.name, s.target, *_argument(s.arg)] for s in program.graph_signature.output_specs],
        "ranges": {name: [own.lower, own.upper] for name, own in program.range_constraints.items()},
        "text": program.text,
    }
    tensors = {name: tensor.detach() for name, tensor in {**program.tensors, **program.constants}.items()}
    save(tensors, folder / _TENSORS)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(_DESCRIPTION, json.dumps(description))
        archive.write(folder / _TENSORS, _TENSORS)
        for each in sorted(path.iterdir()):
            archive.write(each, _FOLDER + each.name)
    return file.getvalue()


def _parameters(signature: inspect.Signature) -> list[Any]:
    """The parameters as data: names, kinds, and defaults that are plain."""
    return [
        [own.name, own.kind.name, *([own.default] if own.default is None or type(own.default) in _PLAIN else [])]
        for own in signature.parameters.values()
    ]


def _argument(arg: TensorArgument | ConstantArgument) -> list[Any]:
    if isinstance(arg, TensorArgument):
        return [arg.name]
    if arg.value is not None and type(arg.value) not in _PLAIN:
        raise ExportError(f"save(): an argument or result of type {type(arg.value).__name__}, which a file cannot have")
    return [arg.name, arg.value]


def _as_data(own: Expected) -> list[Any]:
    if not own.is_tensor:
        return [own.name, own.value]
    shape = [n if isinstance(n, int) else [getattr(n, "__name__", None), n.min, n.max] for n in own.shape]
    return [own.name, own.dtype.name, shape]


class LoadedProgram:
    """A program that was read from a file.

    Args:
        program: its machine code.
        signature: of the module's `forward`.
        expected: what arguments must be.
        tensors: what its weights were.
    """

    def __init__(
        self, program: Program, signature: inspect.Signature, expected: list[Expected], tensors: Mapping[str, Tensor]
    ) -> None:
        self._program, self._signature, self._expected = program, signature, expected
        self._versions = [(name, tensor, tensor._version) for name, tensor in tensors.items()]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it.

        Raises:
            ValueError, AssertionError: the arguments are not of the kind that it was exported for.
            RuntimeError: an argument requires grad, or a weight has been written, of which the machine code knows nothing.
        """
        inputs = ProgramInputs(self._signature, args, kwargs)
        check(inputs.leaves, self._expected)
        if is_grad_enabled() and any(tensor.requires_grad for tensor in inputs.tensors):
            raise ExportError("a program that was read from a file computes no gradients: call it under no_grad()")
        for name, tensor, version in self._versions:
            if tensor._version != version:
                raise ExportError(f"{name} has been written, and a program that was read from a file has its weights fixed")
        return self._program(*[tensor.detach() for tensor in inputs.tensors])


def load_exported(f: str | os.PathLike[str] | IO[bytes], **options: Any) -> ExportedProgram:
    """Read what `save_exported` wrote. It is machine code: load what you trust, as you would run a program.

    Its weights are part of it: `state_dict` says what they were, and no gradient reaches them. Buffers that it writes, such as
    running means, are its own.

    Args:
        f: a path, or a file that is open for bytes.
        options: torch's `extra_files` and `expected_opset_version`, which must be empty.

    Raises:
        RuntimeError: the file is damaged, foreign, or no such program. Nothing of it has run.

    Source: torch.export.load.

    Example:
        >>> import io, tritonflow as flow
        >>> from tritonflow.exporting import export_program, load_exported, save_exported
        >>> file = io.BytesIO()
        >>> save_exported(export_program(flow.nn.ReLU(), (flow.ones(2),)), file)
        >>> load_exported(io.BytesIO(file.getvalue())).module()(flow.tensor([-1.0, 2.0])).tolist()
        [0.0, 2.0]
    """
    refuse_options("load", options)
    data = f.read() if hasattr(f, "read") else Path(f).read_bytes()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        described = json.loads(files[_DESCRIPTION])
        if described["version"] > _VERSION:
            raise ExportError(f"load(): a later version of tritonflow wrote the file: its format is {described['version']}")
        return _program(described, files)
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError, UnicodeDecodeError, zlib.error) as error:
        raise ExportError(f"load(): the file is damaged, or is no exported program ({error!r})") from None


def _program(described: Any, files: Mapping[str, bytes]) -> ExportedProgram:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, data in files.items():
            (folder / Path(path).name).write_bytes(data)
        compiled = load_program(folder, digest=described["digest"])
    found = load(io.BytesIO(files[_TENSORS]))
    inputs = [InputSpec(InputKind[kind], _argument_of(arg), target, kept) for kind, target, kept, *arg in described["inputs"]]
    outputs = [OutputSpec(OutputKind[kind], _argument_of(arg), target) for kind, target, *arg in described["outputs"]]
    signature = ExportGraphSignature(inputs, outputs)
    tensors = {name: Parameter(found[name], requires_grad=False) for name in signature.parameters}
    buffers = {name: found[name] for name in signature.buffers}
    constants = {name: found[name] for name in signature.lifted_tensor_constants}
    parameters = [
        inspect.Parameter(name, inspect._ParameterKind[kind], default=default[0] if default else inspect.Parameter.empty)
        for name, kind, *default in described["parameters"]
    ]
    expected = [_expected_of(own) for own in described["expected"]]
    runner = LoadedProgram(compiled, inspect.Signature(parameters), expected, found)
    ranges = {name: ValueRange(*own) for name, own in described["ranges"].items()}
    return ExportedProgram(runner, signature, {**tensors, **buffers}, constants, ranges, None, described["text"])


def _argument_of(data: Any) -> TensorArgument | ConstantArgument:
    return TensorArgument(data[0]) if len(data) == 1 else ConstantArgument(data[0], data[1])


def _expected_of(data: Any) -> Expected:
    if len(data) == 2:
        return Expected(data[0], None, (), data[1])
    shape = tuple([n if isinstance(n, int) else _size_of(*n) for n in data[2]])
    return Expected(data[0], getattr(dtypes, data[1]), shape, None)


def _size_of(name: str | None, low: int, high: int) -> Dim | DimHint:
    return DimHint("DYNAMIC", low, high) if name is None else Dim(name, min=low, max=high)
