"""`torch.onnx`: models are written by `flow.onnx.export`, of opset 20."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tritonflow.errors import ExportError
from tritonflow.exporting import ExportedProgram
from tritonflow.exporting.arguments import Arguments
from tritonflow.exporting.traced import TracedProgram
from tritonflow.framework.tensor import Tensor
from tritonflow.onnx.writing.entry import export as write

OPSET = 20


def export(
    model: Callable[..., Any] | ExportedProgram,
    args: Any = (),
    f: Any = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    dynamic_axes: Mapping[str, Any] | None = None,
    opset_version: int | None = None,
    **options: Any,
) -> Any:
    """Write a module, or a program of `torch.export`, as an ONNX model, to a path or an open file.

    A program has its own arguments, and its own sizes that differ.

    `dynamic_axes` may name inputs and outputs; of outputs, sizes follow. Options that say how torch makes a model are ignored.

    Returns:
        The model.

    Raises:
        ValueError: another `opset_version` than 20; `dynamic_shapes`.
        RuntimeError: as `flow.onnx.export` does; a program that was read from a file.
    """
    if opset_version not in (None, OPSET):
        raise ValueError(f"torch.onnx.export(): tritonflow writes models of opset {OPSET}, not {opset_version}")
    if options.get("dynamic_shapes") is not None:
        raise ValueError("torch.onnx.export(): tritonflow takes dynamic_axes, not dynamic_shapes")
    given = (args,) if isinstance(args, Tensor) else tuple(args)
    if isinstance(model, ExportedProgram):
        traced = model.runner
        if not isinstance(traced, TracedProgram):
            raise ExportError("torch.onnx.export(): the program was read from a file, which has no graph: export the module")
        model, given, kwargs = traced.module, traced.inputs.args, traced.inputs.kwargs
        dynamic = dict(enumerate(traced.size_names))
        input_names = input_names or traced.inputs.tensor_names
    else:
        own = list(input_names or Arguments(model, given, kwargs or {}).names)
        dynamic = {own.index(name): _named(name, axes) for name, axes in (dynamic_axes or {}).items() if name in own}
    is_file = hasattr(f, "write")
    made = write(
        model, given, None if is_file else f, kwargs=kwargs, input_names=input_names, output_names=output_names, dynamic=dynamic
    )
    if is_file:
        f.write(made.SerializeToString())
    return made


def _named(name: str, axes: Any) -> dict[int, str]:
    """The dimensions of an input that differ, and their names."""
    return dict(axes) if isinstance(axes, Mapping) else {axis: f"{name}_dynamic_axes_{axis}" for axis in axes}


def is_in_onnx_export() -> bool:
    """No: modules are captured as they run."""
    return False


def is_onnxrt_backend_supported() -> bool:
    """No."""
    return False


def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Any, opset_version: int) -> None:
    """Nothing: no op is written by a function of the user's."""


def unregister_custom_op_symbolic(symbolic_name: str, opset_version: int) -> None:
    """Nothing: no op is written by a function of the user's."""
