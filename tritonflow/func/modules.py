"""Modules as functions of their state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from tritonflow import _C
from tritonflow.framework.tensor_impl import BatchedTensorImpl
from tritonflow.interpreter.batched import whole_of
from tritonflow.nn.modules.batchnorm import _BatchNorm


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(parameters, buffers) of several modules of one class, each by its name and stacked along a new first dimension.

    Args:
        models: the modules.

    Raises:
        RuntimeError: there are none, or they differ in class, mode or what requires grad.

    Source: https://pytorch.org/docs/stable/generated/torch.func.stack_module_state.html

    Example:
        >>> import tritonflow as flow
        >>> parameters, buffers = flow.func.stack_module_state([flow.nn.Linear(2, 3) for _ in range(4)])
        >>> parameters["weight"].shape, buffers
        (tritonflow.Size([4, 3, 2]), {})
    """
    models = list(models)
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return tuple(
        [
            {name: _stacked(name, [one[name] for one in states]) for name in states[0]}
            for states in (parameters, buffers)
        ]
    )  # type: ignore[return-value]


def _stacked(name: str, tensors: list[Any]) -> Any:
    wants = {tensor.requires_grad for tensor in tensors}
    if len(wants) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    return _C.stack([tensor.detach() for tensor in tensors]).requires_grad_(wants.pop())


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Let all batch normalisations in a module forget their running statistics, so that batches alone count; returns the module.

    Args:
        root: the module, which is changed.

    Source: https://pytorch.org/docs/stable/generated/torch.func.replace_all_batch_norm_modules_.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.replace_all_batch_norm_modules_(flow.nn.BatchNorm1d(2)).running_mean is None
        True
    """
    for module in root.modules():
        if isinstance(module, _BatchNorm):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """The function itself: writes in place are allowed inside of every transform, and a capture makes them functional.

    Args:
        func: any function.
        remove: "mutations" or "mutations_and_views", which is checked.

    Raises:
        RuntimeError: `remove` is neither "mutations" nor "mutations_and_views".

    Source: https://pytorch.org/docs/stable/generated/torch.func.functionalize.html

    Example:
        >>> import tritonflow as flow
        >>> flow.func.functionalize(lambda x: x.clone().add_(1))(flow.ones(2))
        tensor([2., 2.])
    """
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(
            f"functionalize(f, remove='{remove}'): received invalid argument for `remove`. Valid options are: remove='mutations'"
            " or remove='mutations_and_views'"
        )

    @wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return wrapped


def debug_unwrap(tensor: Any, *, recurse: bool = True) -> Any:
    """Inside of `vmap`, the tensor of all slices, their dimension first; any other tensor as it is.

    Args:
        tensor: a tensor.
        recurse: whether through all levels of `vmap`, otherwise one.

    Source: https://pytorch.org/docs/stable/generated/torch.func.debug_unwrap.html

    Example:
        >>> import tritonflow as flow
        >>> shapes = []
        >>> _ = flow.vmap(lambda x: shapes.append(flow.func.debug_unwrap(x).shape) or x)(flow.ones(3, 2))
        >>> shapes
        [tritonflow.Size([3, 2])]
    """
    while tensor.impl.__class__ is BatchedTensorImpl:
        tensor = whole_of(tensor)
        if not recurse:
            break
    return tensor
