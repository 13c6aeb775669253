"""What nodes save of tensors, and how a backward has them again.

A node saves a tensor as a `SavedTensor`, not as the Tensor: a node and its saved output would refer to each other, and only the
garbage collector frees a cycle.
"""

from __future__ import annotations

from typing import Any

from tritonflow.errors import AutogradError, VersionError, type_name
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import Edge, GradNode, OnlyTangents
from tritonflow.thread_state import thread_state

# Meta, impl, address, version, edge, and the number of the output, -1 for others. A plain tuple, as every recorded op makes some.
SavedTensor = tuple[TensorMeta, Any, int, int, Edge, int]


def pack(tensor: Tensor, version: int, edge: Edge, is_output: bool) -> SavedTensor:
    """A tensor to save."""
    return (tensor.meta, tensor.impl, tensor.ptr, version, edge, tensor._output_nr if is_output else -1)


class HookedTensor:
    """A saved tensor in the form that a hook has packed it (`autograd.graph.saved_tensors_hooks`)."""

    __slots__ = ("packed", "unpack_hook", "edge", "output_nr")

    def __init__(self, saved: SavedTensor, hooks: Any) -> None:
        meta, impl, ptr, version, self.edge, self.output_nr = saved
        pack_hook, self.unpack_hook = hooks
        tensor = Tensor(meta, impl, ptr)
        tensor._is_exposed = True
        if self.edge is not None:
            tensor._node, tensor._output_nr = self.edge
        self.packed = pack_hook(tensor)
        if impl.version != version:
            raise AutogradError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be"
                " modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need"
                " to perform in-place operations on the input to a pack hook."
            )

    def unpack(self, node: GradNode) -> Tensor:
        """The tensor that the hook gives back, with the history of the one that was saved."""
        given = self.unpack_hook(self.packed)
        if not isinstance(given, Tensor):
            raise TypeError(f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type_name(given)}")
        tensor = Tensor(given.meta, given.impl, given.ptr)
        tensor._is_exposed = True
        edge = (node, self.output_nr) if self.output_nr >= 0 else self.edge
        if edge is not None:
            if node.extras is not None and node.extras.only_tangents:
                edge = (OnlyTangents(edge, given.meta), 0)
            tensor._node, tensor._output_nr = edge
        return tensor


def pack_by_hooks(saved: Any) -> Any:
    """What a node saves, packed by the hooks of this thread, if there are any; an entry may be a list of tensors itself.

    What the op itself has overwritten stays: to read it is an error.
    """
    stack = thread_state.saved_hooks
    if not stack:
        return saved
    before = thread_state.grad_enabled
    thread_state.grad_enabled = False
    try:
        return tuple([_pack_one(entry, stack[-1]) for entry in saved])
    finally:
        thread_state.grad_enabled = before


def _pack_one(entry: Any, hooks: Any) -> Any:
    if entry is None:
        return None
    if not entry or entry[0] is None or entry[0].__class__ is tuple:
        return tuple([_pack_one(one, hooks) for one in entry])
    if entry[3] != entry[1].version:
        return entry
    return HookedTensor(entry, hooks)


def unpack(saved: Any, node: GradNode) -> Any:
    """The saved tensor as a Tensor, with its edge."""
    if saved is None:
        return None
    if saved.__class__ is HookedTensor:
        return saved.unpack(node)
    meta, impl, ptr, version, edge, output_nr = saved
    if impl.version != version:
        raise VersionError(
            "one of the variables needed for gradient computation has been modified by an inplace operation:"
            f" [{meta.dtype}, shape {list(meta.shape)}], which is {'an output' if output_nr >= 0 else 'an input'} of"
            f" {node.name()}, is at version {impl.version}; expected version {version} instead."
            " Hint: enable anomaly detection to find the forward operation: flow.autograd.set_detect_anomaly(True)."
        )
    tensor = Tensor(meta, impl, ptr)
    if output_nr >= 0:
        edge = (node, output_nr)
    if edge is not None:
        if node.extras is not None and node.extras.only_tangents:
            edge = (OnlyTangents(edge, meta), 0)
        tensor._node = edge[0]
        if edge[1]:
            tensor._output_nr = edge[1]
    else:
        tensor._is_exposed = True  # a derivative that returns it as a gradient does not give it away
    return tensor
