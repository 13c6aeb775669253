"""What a program does to tensors from outside besides writing them: their histories, hooks, shapes and memory.

A run does none of it. What is done to an argument is refused, but for `detach_()`, which is called behind each run. What is done
to a tensor of a variable, such as `p.requires_grad_(False)`, is done in the capture, and a guard compares whether it still holds.
All of it is taken back where the capture fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.framework.hooks import RemovableHandle
from tritonflow.framework.module_version import module_version
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_node import AccumulateGrad, leaf_state
from tritonflow.vm.failure import caller, describe


class TensorChanges:
    """Notes and refuses the changes of one capture.

    Args:
        inputs: the tensors that stand for arguments; the list grows.
        is_outside: whether an eager tensor was there before the call.
        undo: gets what takes a change back.
    """

    def __init__(
        self, inputs: Sequence[Tensor], is_outside: Callable[[Tensor], bool], undo: list[Callable[[], None]]
    ) -> None:
        self._inputs = inputs
        self._is_outside = is_outside
        self._undo = undo
        self._histories: dict[int, Tensor] = {}  # the tensors from outside whose histories were set
        self._detached: list[Tensor] = []  # the inputs that are detached behind each run
        self._hooks: list[RemovableHandle] = []  # on tensors from outside

    def history(self, tensor: Tensor) -> None:
        """Note that it is about to be set whether a tensor requires grad.

        Raises:
            CaptureError: it is an argument.
        """
        if self._is_input(tensor):
            raise CaptureError(
                f"the function sets whether an argument requires grad, which a run would not do, at {_line()}: set it outside, or"
                " use x.detach()"
            )
        if self._is_outside(tensor):
            self._undo.append(_restoring(tensor, "_node", "_output_nr"))
            self._histories[id(tensor)] = tensor

    def detaches_argument(self, tensor: Tensor) -> bool:
        """Whether a tensor that is about to be detached stands for an argument with a history; notes it."""
        if not self._is_input(tensor) or isinstance(tensor._node, AccumulateGrad):
            return False
        self._detached.append(tensor)
        return True

    def memory(self, tensor: Tensor, other: Tensor | None) -> None:
        """Note that a tensor is about to get another shape, other strides or other memory.

        Args:
            other: whose memory it gets; None where the change goes from what the tensor is.

        Raises:
            CaptureError: a run would do it again; or it is a view, or has a history, which no run makes so again.
        """
        if other is not None and (other.impl, other.meta, other.ptr) == (tensor.impl, tensor.meta, tensor.ptr):
            return
        is_lazy = tensor.impl.is_lazy
        if self._is_outside(tensor):
            if other is None or other.impl is tensor.impl:
                raise CaptureError(
                    "the function changes the shape of a tensor from outside in place, as by t_(), which a run would not do, at"
                    f" {_line()}: do it outside, or make another tensor, as by t()"
                )
            self._undo.append(_restoring(tensor, "meta", "impl", "ptr", "_view"))
        elif other is not None and is_lazy and (tensor._view is not None or self._is_input(tensor)):
            raise CaptureError(
                f"the function gives a view, or an argument, other memory, as by `data`, at {_line()}: use the other tensor"
            )

    def hook(self, tensor: Tensor, handle: RemovableHandle) -> None:
        """Note that a hook was registered on a tensor."""
        if self._is_outside(tensor):
            self._undo.append(handle.remove)
            self._hooks.append(handle)

    def check(self, rewritten: Sequence[Tensor]) -> None:
        """Refuse what later runs would do again, or what the end of the capture takes back.

        Args:
            rewritten: the tensors from outside that get another history from each run.

        Raises:
            CaptureError: a hook was left on a tensor from outside, or one was detached that was read before; or an argument was
                detached and written.
        """
        if any(tensor._node is not None or tensor.impl.version for tensor in self._detached):
            raise CaptureError("the function detaches an argument in place and writes it: use x.detach()")
        if any(handle.is_registered for handle in self._hooks):
            raise CaptureError(
                "the function registers a hook on a tensor from outside, such as a parameter, which a run would not do: register it"
                " outside, or remove it in the function"
            )
        if any(id(tensor) in self._histories for tensor in rewritten):
            raise CaptureError(
                "the function uses a tensor from outside, and then detaches it or sets that it requires no grad: do it outside"
            )

    def guards(self) -> list[tuple[Tensor, Callable[[], Any]]]:
        """What has to be as the function has set it: what it would otherwise do again."""
        return [(tensor, _reading(tensor)) for tensor in self._histories.values()]

    def _is_input(self, tensor: Tensor) -> bool:
        return any(tensor is x for x in self._inputs)


def _line() -> str:
    return describe(caller(3))


def _reading(tensor: Tensor) -> Callable[[], Any]:
    return lambda: (tensor._node is None, leaf_state(tensor))


def _restoring(tensor: Tensor, *names: str) -> Callable[[], None]:
    """What gives a tensor these attributes as they are now."""
    values = [(name, getattr(tensor, name)) for name in names]

    def restore() -> None:
        for name, value in values:
            setattr(tensor, name, value)
        module_version.advance()

    return restore
