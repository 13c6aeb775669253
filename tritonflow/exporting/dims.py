"""Which sizes of a program's inputs differ from call to call, as users of torch.export say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tritonflow.errors import ExportError
from tritonflow.framework.tensor import Tensor, wrap_dim

UNBOUNDED = (1 << 63) - 1


def _check_range(kind: str, low: int, high: int) -> None:
    if low > high or low < 0:
        raise AssertionError(f"Cannot create {kind} with inconsistent min={low}, max={high}")


class DimHint:
    """A size without a name: `Dim.AUTO`, which differs if it can; `Dim.DYNAMIC`, which must be able to; `Dim.STATIC`.

    Args:
        kind: "AUTO", "DYNAMIC" or "STATIC".
        min, max: its range; any.

    Example:
        >>> from tritonflow.exporting import Dim
        >>> Dim.AUTO, Dim.DYNAMIC(max=8)
        (DimHint(AUTO), DimHint(DYNAMIC, max=8))
    """

    def __init__(self, kind: str, min: int | None = None, max: int | None = None) -> None:
        self.kind, self.min, self.max = kind, 0 if min is None else min, UNBOUNDED if max is None else max
        _check_range("DimHint", self.min, self.max)

    def __call__(self, min: int | None = None, max: int | None = None) -> DimHint:
        """The same with a range.

        Raises:
            TypeError: it has a range already.
        """
        if (self.min, self.max) != (0, UNBOUNDED):
            raise TypeError(f"'{self!r}' object is not callable")
        return DimHint(self.kind, min, max)

    def __repr__(self) -> str:
        return f"DimHint({', '.join([self.kind, *_range(self)])})"


class Dim:
    """A size that differs from call to call. Dimensions with one name have one size.

    Args:
        name: an identifier.
        min, max: its range, both included; any from 0 on.

    Raises:
        AssertionError: the name is no identifier, or the range is empty.

    Source: torch.export.Dim.

    Example:
        >>> from tritonflow.exporting import Dim
        >>> batch = Dim("batch", max=64)
        >>> batch, batch.max
        (Dim('batch', min=0, max=64), 64)
    """

    AUTO: ClassVar[DimHint] = DimHint("AUTO")
    DYNAMIC: ClassVar[DimHint] = DimHint("DYNAMIC")
    STATIC: ClassVar[DimHint] = DimHint("STATIC")

    def __init__(self, name: str, *, min: int | None = None, max: int | None = None) -> None:
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        self.__name__, self.min, self.max = name, 0 if min is None else min, UNBOUNDED if max is None else max
        _check_range("Dim", self.min, self.max)

    def _derived(self, other: Any) -> Any:
        raise NotImplementedError(
            f"a size that is computed of the Dim {self.__name__!r} is not built: give it a Dim of its own, or Dim.AUTO"
        )

    __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = _derived

    def __repr__(self) -> str:
        return f"Dim({', '.join([repr(self.__name__), f'min={self.min}', *_range(self)[self.min > 0 :]])})"


def _range(dim: Dim | DimHint) -> list[str]:
    return [*([f"min={dim.min}"] if dim.min else []), *([f"max={dim.max}"] if dim.max != UNBOUNDED else [])]


def dims(*names: str, min: int | None = None, max: int | None = None) -> tuple[Dim, ...]:
    """A `Dim` for each name.

    Example:
        >>> from tritonflow.exporting import dims
        >>> dims("height", "width", max=64)
        (Dim('height', min=0, max=64), Dim('width', min=0, max=64))
    """
    return tuple([Dim(name, min=min, max=max) for name in names])


class ShapesCollection:
    """What differs of tensors, by the tensors themselves: `shapes[x] = {0: Dim("batch")}`. An argument as `dynamic_shapes`.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.exporting import Dim, ShapesCollection
        >>> x, shapes = flow.ones(3, 2), ShapesCollection()
        >>> shapes[x] = {0: Dim.AUTO}
        >>> len(shapes)
        1
    """

    def __init__(self) -> None:
        self._specs: dict[int, tuple[Any, Any]] = {}  # with the tensors, so that their identities stay theirs

    def __setitem__(self, tensor: Any, spec: Any) -> None:
        self._specs[id(tensor)] = tensor, spec

    def __getitem__(self, tensor: Any) -> Any:
        return self._specs[id(tensor)][1]

    def __len__(self) -> int:
        return len(self._specs)

    def of(self, tensor: Any) -> Any:
        """What was said of a tensor; None if nothing."""
        return self._specs.get(id(tensor), (None, None))[1]


Asked = dict[int, Dim | DimHint]
"""By dimension, what is said of a tensor."""


def asked(bound: Mapping[str, Any], dynamic_shapes: Any) -> list[Asked]:
    """What is said of each tensor among the arguments, in order.

    Args:
        bound: the arguments by the names of their parameters.
        dynamic_shapes: as `export_program` takes it.

    Raises:
        RuntimeError: it does not fit the arguments.
    """
    if isinstance(dynamic_shapes, ShapesCollection):
        return [_of_tensor(x, dynamic_shapes.of(x), name) for name, value in bound.items() for x in _tensors(value)]
    if dynamic_shapes is None or dynamic_shapes in ({}, (), []):
        return [{} for value in bound.values() for _ in _tensors(value)]
    if isinstance(dynamic_shapes, Mapping):
        if list(dynamic_shapes) != list(bound) and sorted(dynamic_shapes) != sorted(bound):
            raise ExportError(
                f"export(): when `dynamic_shapes` is a dict, its top-level keys must be the arg names {list(bound)} of `inputs`,"
                f" but here they are {list(dynamic_shapes)}"
            )
        specs = [dynamic_shapes[name] for name in bound]
    elif isinstance(dynamic_shapes, (tuple, list)):
        specs = list(dynamic_shapes)
        _check_length("inputs", bound, specs)
    else:
        raise ExportError(f"export(): `dynamic_shapes` must be a dict, tuple or list, not {type(dynamic_shapes).__name__}")
    return [each for (name, value), spec in zip(bound.items(), specs) for each in _of_value(value, spec, name)]


def _check_length(name: str, values: Any, specs: Any) -> None:
    if len(values) != len(specs):
        raise ExportError(
            f"export(): `{name}` has {len(values)} elements, but its part of `dynamic_shapes` has {len(specs)} elements"
        )


def parts_of(value: Any) -> Iterator[tuple[Any, Any]] | None:
    """The names and values of what a container holds; None of what is none."""
    if isinstance(value, (list, tuple)):
        return iter(enumerate(value))
    if isinstance(value, dict):
        return iter(value.items())
    if type(value) in registered:
        return iter(vars(value).items())
    return None


registered: set[type] = set()
"""Dataclasses that arguments and results may be, by `register_dataclass`."""


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    for _, part in parts_of(value) or ():
        yield from _tensors(part)


def _of_value(value: Any, spec: Any, name: str) -> Iterator[Asked]:
    if isinstance(value, Tensor):
        yield _of_tensor(value, spec, name)
        return
    parts = parts_of(value)
    if parts is None or spec is None:
        yield from [{} for _ in _tensors(value)]
        return
    found = list(parts)
    if isinstance(spec, Mapping):
        specs = [spec.get(key) for key, _ in found]
        unknown = [key for key in spec if key not in [own for own, _ in found]]
        if unknown:
            raise ExportError(f"export(): `dynamic_shapes` names {unknown[0]!r} of `{name}`, which has no such part")
    elif isinstance(spec, (list, tuple)):
        _check_length(name, found, spec)
        specs = list(spec)
    else:
        raise ExportError(f"export(): `dynamic_shapes` of `{name}` must be a dict, tuple or list, not {type(spec).__name__}")
    for (key, part), own in zip(found, specs):
        yield from _of_value(part, own, f"{name}.{key}")


def _of_tensor(tensor: Tensor, spec: Any, name: str) -> Asked:
    ndim = tensor.meta.ndim
    if spec is None:
        return {}
    if isinstance(spec, (tuple, list)):
        _check_length(name, tensor.meta.shape, spec)
        spec = dict(enumerate(spec))
    if not isinstance(spec, Mapping):
        raise ExportError(f"export(): `dynamic_shapes` of the tensor `{name}` must be a dict, tuple or list of Dims")
    found: Asked = {}
    for dim, size in spec.items():
        if not isinstance(dim, int) or not -ndim <= dim < ndim:
            raise ExportError(f"export(): `dynamic_shapes` has a dimension {dim!r} of `{name}`, which has {ndim} dimensions")
        own = tensor.meta.shape[dim]
        if isinstance(size, int) and not isinstance(size, bool):
            if size != own:
                raise ExportError(f"export(): `dynamic_shapes` says that dimension {dim} of `{name}` is {size}, but it is {own}")
        elif isinstance(size, (Dim, DimHint)):
            if not size.min <= own <= size.max:
                raise ExportError(f"export(): dimension {dim} of `{name}`: {own} not in range [{size.min}, {_high(size)}]")
            if isinstance(size, Dim) or size.kind != "STATIC":
                found[wrap_dim(dim, ndim)] = size
        elif size is not None:
            raise ExportError(f"export(): dimension {dim} of `{name}` must be a Dim, an int or None, not {type(size).__name__}")
    return found


def _high(dim: Dim | DimHint) -> str:
    return "int_oo" if dim.max == UNBOUNDED else str(dim.max)


class ValueRange:
    """The range of a size."""

    def __init__(self, lower: int, upper: int) -> None:
        self.lower, self.upper = lower, upper

    def __repr__(self) -> str:
        return f"VR[{self.lower}, {'int_oo' if self.upper == UNBOUNDED else self.upper}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ValueRange) and (self.lower, self.upper) == (other.lower, other.upper)

    def __hash__(self) -> int:
        return hash((self.lower, self.upper))


def names_of(shapes: Sequence[Asked], names: Sequence[str]) -> list[dict[int, str]]:
    """By dimension what each size is called that differs; one without a name is called as torch does."""
    return [
        {dim: own.__name__ if isinstance(own, Dim) else f"L['{name}'].size()[{dim}]" for dim, own in each.items()}
        for each, name in zip(shapes, names)
    ]


def is_unbounded(said: Dim | DimHint) -> bool:
    """Whether a size has no largest one."""
    return said.max == UNBOUNDED
