"""The arguments of an exported program's calls: their names, and whether they are of the kind that the program is for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, NamedTuple

from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.exporting.dims import parts_of, registered
from tritonflow.framework.tensor import Tensor

_CONSTANTS = (bool, int, float, str, DType)


class ArgumentLeaf(NamedTuple):
    """A tensor, or another value, among arguments: its name, such as `x`, `args_0` or `batch_image`, and itself."""

    name: str
    value: Any


def register_dataclass(cls: type, *, serialized_type_name: str | None = None, **options: Any) -> None:
    """Let arguments and results of exported programs be objects of a dataclass: their fields are taken apart.

    Args:
        cls: the class.
        serialized_type_name: as torch has it; saved programs know fields alone.

    Raises:
        TypeError: `cls` is no dataclass.

    Source: torch.export.register_dataclass.

    Example:
        >>> import dataclasses, tritonflow as flow
        >>> from tritonflow.exporting import register_dataclass
        >>> @dataclasses.dataclass
        ... class Pair:
        ...     first: flow.Tensor
        ...     second: flow.Tensor
        >>> register_dataclass(Pair)
    """
    if not isinstance(cls, type) or not is_dataclass(cls):
        raise ArgumentTypeError(f"register_dataclass(): {cls!r} is no dataclass")
    registered.add(cls)


class ProgramInputs:
    """What calls of a program are given.

    Args:
        signature: of the module's `forward`.
        args, kwargs: of an example.

    Attributes:
        bound: the example's arguments by their parameters; those of `**kwargs` by their own names.
        leaves: its tensors and other values.
        args, kwargs: in the order of the parameters.

    Raises:
        ValueError: the arguments do not fit the signature, or one is of a type that a program does not take.
    """

    def __init__(self, signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        try:
            found = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentValueError(f"the arguments do not fit the program's parameters: {error}") from None
        self.args, self.kwargs = found.args, found.kwargs
        self.bound: dict[str, Any] = {}
        for name, value in found.arguments.items():
            if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                self.bound |= value
            else:
                self.bound[name] = value
        self.leaves = [leaf for name, value in self.bound.items() for leaf in _leaves(value, name)]

    @property
    def tensors(self) -> list[Tensor]:
        """Those among the leaves, in order."""
        return [leaf.value for leaf in self.leaves if isinstance(leaf.value, Tensor)]

    @property
    def tensor_names(self) -> list[str]:
        """What these are called."""
        return [leaf.name for leaf in self.leaves if isinstance(leaf.value, Tensor)]


def _leaves(value: Any, name: str) -> Iterator[ArgumentLeaf]:
    parts = parts_of(value)
    if parts is not None:
        for key, part in parts:
            yield from _leaves(part, f"{name}_{key}")
    elif value is None or type(value) in _CONSTANTS or isinstance(value, Tensor):
        yield ArgumentLeaf(name, value)
    else:
        hint = "; register_dataclass() makes it a container" if is_dataclass(value) else ""
        raise ArgumentValueError(
            f"export(): unsupported input type {type(value)} of `{name}`: programs take containers of tensors, numbers, strings,"
            f" dtypes and None{hint}"
        )


class Expected(NamedTuple):
    """What an argument must be: a tensor of this dtype and these sizes, None for any, or a value."""

    name: str
    dtype: Any
    shape: tuple[Any, ...]
    value: Any

    @property
    def is_tensor(self) -> bool:
        """Whether it is a tensor."""
        return self.dtype is not None


def check(leaves: Sequence[ArgumentLeaf], expected: Sequence[Expected]) -> None:
    """Refuse arguments for which a program is not.

    Args:
        leaves: the arguments.
        expected: of each what it must be. A size is a number, or a range with a name that is one size everywhere.

    Raises:
        ValueError: there are others.
        AssertionError: one has another size, dtype or value.
    """
    if [leaf.name for leaf in leaves] != [own.name for own in expected]:
        raise ArgumentValueError(
            f"the program was exported for the inputs {', '.join([own.name for own in expected])}, and is called with"
            f" {', '.join([leaf.name for leaf in leaves])}: there must be the same number and type of args and kwargs"
        )
    sizes: dict[str, tuple[int, str]] = {}
    for (name, value), own in zip(leaves, expected):
        if not own.is_tensor:
            if type(value) is not type(own.value) or value != own.value:
                raise AssertionError(f"Guard failed: {name} == {own.value!r}")
            continue
        if not isinstance(value, Tensor):
            raise ArgumentTypeError(f"the input {name} must be a tensor, not {type(value).__name__}")
        if value.meta.ndim != len(own.shape):
            raise AssertionError(f"Guard failed: {name}.dim() == {len(own.shape)}")
        if value.meta.dtype is not own.dtype:
            raise AssertionError(f"Guard failed: {name}.dtype == {own.dtype}")
        for dim, (size, wanted) in enumerate(zip(value.meta.shape, own.shape)):
            _check_size(f"{name}.size()[{dim}]", size, wanted, sizes)


def _check_size(name: str, size: int, wanted: Any, sizes: dict[str, tuple[int, str]]) -> None:
    if isinstance(wanted, int):
        if size != wanted:
            raise AssertionError(f"Guard failed: {name} == {wanted}")
        return
    if size < wanted.min:
        raise AssertionError(f"Guard failed: {name} >= {wanted.min}")
    if size > wanted.max:
        raise AssertionError(f"Guard failed: {name} <= {wanted.max}")
    if hasattr(wanted, "__name__"):
        first, where = sizes.setdefault(wanted.__name__, (size, name))
        if first != size:
            raise AssertionError(f"Guard failed: {name} == {where}: both are {wanted.__name__!r}")
