"""Calls of modules with other parameters than their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tritonflow.errors import ArgumentTypeError, ArgumentValueError, type_name
from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.nn.modules.module import Module

__all__ = ["functional_call"]


def functional_call(
    module: Module,
    parameters_and_buffers: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with these parameters and buffers in place of its own; gradients go to them.

    Args:
        module: stays as it is.
        parameters_and_buffers: by their names in the module. A sequence of such dicts counts as one.
        args: the arguments, a tuple; anything else is the only argument.
        kwargs: keyword arguments.
        tie_weights: parameters that are one in the module stay one.
        strict: raise unless all parameters and buffers are given, and no other names.

    Raises:
        TypeError: an argument has another type.
        ValueError: two values are given for parameters that are one.
        RuntimeError: if strict, names are missing or unknown.

    Source: https://pytorch.org/docs/stable/generated/torch.func.functional_call.html

    Example:
        >>> import tritonflow as flow
        >>> layer, w = flow.nn.Linear(2, 1, bias=False), flow.ones(1, 2, requires_grad=True)
        >>> flow.nn.utils.stateless.functional_call(layer, {"weight": w}, flow.tensor([3.0, 4.0])).backward()
        >>> w.grad.tolist()
        [[3.0, 4.0]]
    """
    given = _one_dict(parameters_and_buffers)
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    own: dict[str, Any] = {
        **dict(module.named_parameters(remove_duplicate=False)), **dict(module.named_buffers(remove_duplicate=False)),
    }  # fmt: skip
    if strict:
        _require_names(given, own)
    with replaced(module, _with_ties(given, own) if tie_weights else given):
        return module(*args, **(kwargs or {}))


def _one_dict(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, (tuple, list)):
        raise ArgumentTypeError(
            f"Expected parameters_and_buffers to be a dict, or a list/tuple of dicts, but got {type_name(value)}"
        )
    found: dict[str, Any] = {}
    for part in value:
        if not isinstance(part, Mapping):
            raise ArgumentTypeError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        repeated = sorted(found.keys() & part.keys())
        if repeated:
            raise ArgumentValueError(
                f"{repeated[0]} appears in multiple dictionaries; behavior of functional call is ambiguous"
            )
        found.update(part)
    return found


def _require_names(given: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    unexpected, missing = sorted(given.keys() - own.keys()), sorted(own.keys() - given.keys())
    if unexpected or missing:
        parts = [
            f"{what} key(s): {', '.join(names)}."
            for what, names in (("Unexpected", unexpected), ("Missing", missing))
            if names
        ]
        raise RuntimeError("Error(s) in functional_call: " + " ".join(parts))


def _with_ties(given: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What is given for a parameter, for all of its names."""
    names: dict[int, list[str]] = {}
    for name, tensor in own.items():
        names.setdefault(id(tensor), []).append(name)
    found = dict(given)
    for tied in names.values():
        values = {id(given[name]): given[name] for name in tied if name in given}
        if len(values) > 1:
            raise ArgumentValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. Consider using tie_weights=False"
            )
        for value in values.values():
            found.update(dict.fromkeys(tied, value))
    return found


@contextmanager
def replaced(module: Module, given: Mapping[str, Any]) -> Iterator[None]:
    """A block in which tensors stand in the tables of the modules in place of others."""
    before: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for path, tensor in given.items():
            prefix, _, name = path.rpartition(".")
            owner = module.get_submodule(prefix) if prefix else module
            table = _table_of(owner, path, name)
            if not isinstance(tensor, Tensor):
                raise ArgumentTypeError(f"{tensor} is not an instance of Tensor")
            before.append((table, name, table[name]))
            table[name] = tensor
        module_version.advance()
        yield
    finally:
        for table, name, old in reversed(before):
            table[name] = old
        module_version.advance()


def _table_of(owner: Any, path: str, name: str) -> dict[str, Any]:
    for table in (owner._parameters, owner._buffers):
        if name in table:
            return table  # type: ignore[no-any-return]
    raise AttributeError(f"{type(owner).__name__} has no attribute `{path}`")
