"""Whether a checkpoint fits a state: names on one side only, and what differs, in one error. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tritonflow.distributed.checkpoint.catalog import Catalog, StoredName
from tritonflow.distributed.checkpoint.state_dict import is_module, is_part, state_of
from tritonflow.dtypes import from_name
from tritonflow.errors import CheckpointFolderError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.boxed_view import BoxedImpl
from tritonflow.serialization.structure import Decoder


class TensorName(str):
    """The name of a tensor, where a tensor stands in the saved tree."""


class Leaf(NamedTuple):
    """A tensor or a value of a state, and the dict, list or tuple in which it is."""

    container: Any
    key: Any
    value: Any


class Fit:
    """What is to be loaded into a state.

    Args:
        state: the program's.
        catalog: the checkpoint's.
        folder: its name, for errors.
        missing, left_over: whether names that only the state has, or only the checkpoint, are errors.

    Attributes:
        tensors: those that are read in place, by name.
        values: the leaves that get another value, and that value.
        modules: those of the state with the state dicts whose tensors are read.
        parts: other objects with `load_state_dict`, and what was saved of them, with a `TensorName` for each tensor.

    Raises:
        CheckpointFolderError: it does not fit.
    """

    def __init__(self, state: Mapping[str, Any], catalog: Catalog, folder: Path, missing: bool, left_over: bool) -> None:
        self.tensors: dict[str, Tensor] = {}
        self.values: list[tuple[Leaf, Any]] = []
        self.modules: list[tuple[Any, Any]] = []
        self.parts: list[tuple[Any, Any]] = []
        saved = _saved(catalog)
        own: dict[str, Any] = {}
        without = []
        for key, value in state.items():
            if is_module(value):
                own[key] = state_of(value)
                self.modules.append((value, own[key]))
            elif not is_part(value):
                own[key] = value
            elif key in saved:
                self.parts.append((value, saved.pop(key)))
            else:
                without.append(key)
        here = {path: leaf if leaf.container is not own else leaf._replace(container=state) for path, leaf in _leaves(own)}
        there = {path: leaf.value for path, leaf in _leaves(saved)}
        absent = without + [path for path in here if path not in there and not _is_tied(path, here, there)]
        lines = _line("missing in the checkpoint", absent) if missing else []
        if left_over:
            lines += _line("left over in the checkpoint", [path for path in there if path not in here and _is_asked_for(path, own)])
        differ = [text for path, leaf in here.items() if path in there for text in self._take(path, leaf, there[path], catalog)]
        if lines + differ:
            raise CheckpointFolderError("\n  ".join([f"the checkpoint {str(folder)!r} does not fit:", *lines, *differ]))

    def _take(self, path: str, leaf: Leaf, value: Any, catalog: Catalog) -> list[str]:
        """Note what is to be done with a leaf; why that cannot be done, if it cannot."""
        if isinstance(value, TensorName) and isinstance(leaf.value, Tensor):
            self.tensors[value] = leaf.value
            trouble = _trouble(leaf.value, catalog.tensors[value])
            return [f"{path!r} {trouble}"] if trouble else []
        if isinstance(value, TensorName) or isinstance(leaf.value, Tensor):
            here, there = ["a tensor" if isinstance(v, (TensorName, Tensor)) else type_name(v) for v in (leaf.value, value)]
            return [f"{path!r} is {here} in the state, and {there} in the checkpoint"]
        if isinstance(leaf.container, tuple):
            same = type(value) is type(leaf.value) and value == leaf.value
            return [] if same else [f"{path!r} is in a tuple, which cannot get the value {value!r} of the checkpoint"]
        self.values.append((leaf, value))
        return []


def _saved(catalog: Catalog) -> dict[str, Any]:
    if catalog.tree is None:
        return {name: TensorName(name) for name in catalog.tensors}
    try:
        return dict(Decoder(TensorName, allow_pickle=False).decode(catalog.tree))
    except Exception as error:
        raise CheckpointFolderError(f"the state of the checkpoint is damaged: {type(error).__name__}: {error}") from error


def _leaves(node: Any, path: str = "", container: Any = None, key: Any = None) -> Iterator[tuple[str, Leaf]]:
    """Tensors and values by their paths. A list without tensors is a value."""
    if isinstance(node, dict):
        items = list(node.items())
    elif isinstance(node, (list, tuple)) and _has_tensors(node):
        items = list(enumerate(node))
    else:
        yield path, Leaf(container, key, node)
        return
    for inner, value in items:
        yield from _leaves(value, f"{path}.{inner}" if path else str(inner), node, inner)


def _has_tensors(node: Any) -> bool:
    if isinstance(node, (dict, list, tuple)):
        return any(map(_has_tensors, node.values() if isinstance(node, dict) else node))
    return isinstance(node, (Tensor, TensorName))


def _is_asked_for(path: str, own: Mapping[str, Any]) -> bool:
    """Whether a saved name belongs to what the state asks for: to one of its parts, or to a flat state, which asks for all."""
    return path.partition(".")[0] in own or any(isinstance(value, Tensor) for value in own.values())


def _is_tied(path: str, here: Mapping[str, Leaf], there: Mapping[str, Any]) -> bool:
    """Whether a tensor shares its memory with one that the checkpoint has: many files have tied weights by one name."""
    x = here[path].value
    if not isinstance(x, Tensor):
        return False
    others = (leaf.value for other, leaf in here.items() if other in there)
    return any(isinstance(y, Tensor) and y.meta is x.meta and y.impl is x.impl and y.ptr == x.ptr for y in others)


def _trouble(x: Tensor, saved: StoredName) -> str | None:
    """Why a saved tensor cannot be read into one of the state."""
    meta: Any = x.meta
    if tuple(meta.shape) != saved.shape:
        return f"has shape {list(meta.shape)} in the state, and {list(saved.shape)} in the checkpoint"
    dtype = from_name(saved.dtype)
    if dtype is not meta.dtype and not (dtype.is_floating_point and meta.dtype.is_floating_point):
        return f"has dtype {meta.dtype.name} in the state, and {saved.dtype} in the checkpoint"
    if x.is_meta or x.is_lazy:
        return "is on the meta device or not computed yet: it has no memory to be read into. help: call to_empty(device=...) before"
    if not meta.is_local and any(one.is_partial for one in meta.sbp):
        return "is partial in the state: no rank has its elements. help: to_global(sbp=flow.sbp.broadcast)"
    if x.impl.__class__ is BoxedImpl:
        return "is a view in the state whose elements had to move between ranks. help: load into the tensor that it is a view of"
    return None


def _line(what: str, names: list[str]) -> list[str]:
    return [f"{what}: {', '.join(names)}"] if names else []
