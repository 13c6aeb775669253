"""`flow.onnx.export`: a function as an ONNX model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import ModelProto


def export(
    model: Callable[..., Any],
    args: Sequence[Any],
    path: str | os.PathLike[str] | None = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    dynamic: Mapping[Any, Mapping[int, str]] | None = None,
    sizes: Mapping[str, Iterable[int]] | None = None,
) -> ModelProto:
    """Write a function as an ONNX model of opset 20.

    The tensors among the arguments are its inputs; parameters, buffers, numbers and modes are part of it, as they are now. The
    function is captured without gradients, op by op, and ONNX's checker looks at the model.

    Args:
        model: a function, a module, a graph, or what `flow.compile` made of one.
        args, kwargs: of a call.
        path: a file to write; none unless given.
        input_names, output_names: names in the stead of the function's own.
        dynamic: of inputs, by name or number, what sizes of dimensions are called that differ: `{"x": {0: "batch"}}`.
        sizes: by these names the sizes to try; unless given that of the arguments and two larger ones. The function must be one
            program for all of them. Sizes that are not tried take the same ops.

    Returns:
        The model, an `onnx.ModelProto`.

    Raises:
        ImportError: the package `onnx` is not installed.
        RuntimeError: the function is no one program for these sizes, or does what ONNX has no op for; the text names it.
        ValueError, TypeError: names, `dynamic` or `sizes` do not fit the inputs.

    Source: torch.onnx.export.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.onnx.export(lambda x: flow.relu(x) * 2, [flow.ones(2, 3)], dynamic={0: {0: "batch"}})
        >>> [node.op_type for node in model.graph.node]
        ['Relu', 'Mul', 'Identity']
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError("flow.onnx.export needs the package onnx: pip install onnx") from error
    from tritonflow.onnx.writing.model import model_of  # which imports it, too

    made = model_of(model, args, kwargs or {}, input_names, output_names, dynamic, sizes)
    onnx.checker.check_model(made, full_check=True)
    if path is not None:
        onnx.save(made, os.fspath(path))
    return made
