"""What can go wrong, as exception classes.

Each class also has the built-in base that OneFlow and torch raise in that case, so `except RuntimeError`,
`except TypeError` and `except IndexError` written for them keep working; `except TritonflowError` catches what is ours.
The text names the op, the argument, what was expected and what came.
"""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TypeVar

from tritonflow.thread_state import thread_state


class TritonflowError(Exception):
    """The base of every exception that tritonflow defines.

    Attributes:
        changed_nothing: whether a run of a captured program raised it, and left every tensor as it was.
    """

    changed_nothing = False


E = TypeVar("E", bound=TritonflowError)


def nothing_changed(error: E) -> E:
    """An error that is raised before a run of a captured program has changed anything."""
    error.changed_nothing = True
    return error


def type_name(value: object) -> str:
    """The type of a value for an error; of torch's and NumPy's objects, whose types have our names, with the package."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    return f"{package}.{kind.__name__}" if package in ("torch", "numpy") else kind.__name__


def foreign_hint(*values: object) -> str:
    """How to make a tensor of the first of these values that is torch's or an array; empty if none is."""
    for value in values:
        name = type_name(value)
        if name.startswith("torch.") and hasattr(value, "untyped_storage"):
            return f". flow.from_torch() gives a tensor that shares the memory of a {name}"
        if name == "numpy.ndarray":
            return ". flow.from_numpy() gives a tensor that shares the memory of an array"
        if isinstance(value, (list, tuple)) and (hint := foreign_hint(*value)):
            return hint
    return ""


# ---------------------------------------------------------------------------------------------- wrong calls


class ArgumentTypeError(TritonflowError, TypeError):
    """An argument of the wrong type, an unknown keyword, too many or too few arguments."""


class ArgumentValueError(TritonflowError, ValueError):
    """An argument of the right type whose value cannot be used."""


class InvalidArgumentError(TritonflowError, RuntimeError):
    """An argument whose value cannot be used, in the calls where torch raises a RuntimeError instead of a ValueError."""


class ShapeError(TritonflowError, RuntimeError):
    """Shapes that do not fit together, or do not fit the op."""


class DimensionError(TritonflowError, IndexError):
    """A dim out of range, as in `Dimension out of range (expected to be in range of [-2, 1], but got 5)`."""


class IndexOutOfRangeError(TritonflowError, IndexError):
    """An index outside the tensor that it indexes."""


class ElementIndexError(IndexOutOfRangeError, RuntimeError):
    """An index of gather, scatter and their relatives outside the tensor: torch's RuntimeError, and an IndexError as others."""


class SliceStepError(TritonflowError, ValueError, RuntimeError):
    """A slice whose step is not positive: torch's ValueError, and OneFlow's RuntimeError."""


class SliceBoundError(TritonflowError, TypeError, RuntimeError):
    """A bound of a slice that is no integer: torch's TypeError, and OneFlow's RuntimeError."""


class IntegerDivisionByZeroError(TritonflowError, RuntimeError, ZeroDivisionError):
    """Integers divided by zero: torch's RuntimeError, and Python's own."""


class DTypeError(TritonflowError, RuntimeError):
    """Dtypes that do not fit together, or a result that cannot be cast to the dtype wanted."""


class DTypeNotImplementedError(TritonflowError, NotImplementedError):
    """An op that has no kernel for a dtype, as in `"sort" not implemented for 'Bool'`."""


class LinAlgError(TritonflowError, RuntimeError):
    """A matrix that has no such factorisation or inverse: `linalg.LinAlgError`."""


class DeviceMismatchError(TritonflowError, RuntimeError):
    """Tensors of one op on different devices."""


class LocalityError(TritonflowError, RuntimeError):
    """Local and consistent tensors mixed in one op, or a consistent one where only a local one can be used."""


class PlacementError(TritonflowError, RuntimeError):
    """A placement or sbp that an op or a tensor cannot have."""


class NotYetImplementedError(TritonflowError, NotImplementedError):
    """A part of the design that is not built yet; the text says which."""


# ---------------------------------------------------------------------------------------------- autograd


class AutogradError(TritonflowError, RuntimeError):
    """Backward through something that has no gradient, a second backward, a gradient of the wrong shape."""


class InplaceError(AutogradError):
    """An in-place write that would make a gradient wrong, or to memory that several elements share."""


class VersionError(AutogradError):
    """A tensor saved for backward was changed in place since."""


# ---------------------------------------------------------------------------------------------- graphs


class CaptureError(TritonflowError, RuntimeError):
    """What no graph can do: Python that needs a tensor's value, a shape that depends on data."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        thread_state.observer.refuse(self)


class PinnedSizeError(CaptureError):
    """A size of which the user has said that it differs from call to call, and whose number a function needs."""


class DataDependentShapeError(CaptureError):
    """An op whose result's shape depends on values that are not known while a graph is captured."""


# ---------------------------------------------------------------------------------------------- devices and kernels


class DeviceError(TritonflowError, RuntimeError):
    """A device that is not there, has no driver, or refused a call."""


class NoDataError(TritonflowError, NotImplementedError):
    """The elements of a tensor on the meta device are asked for, which has none."""


class BatchedValueError(TritonflowError, RuntimeError):
    """The values of a tensor are asked for inside of `vmap`, where they differ from example to example."""


class BatchingError(TritonflowError, RuntimeError):
    """A function that `vmap` cannot batch as it is written: the text says what it does."""


class OutOfMemoryError(TritonflowError, RuntimeError):
    """A device had no room for a block, after its free blocks were returned and the allocation tried again."""

    def __init__(self, device: str, wanted: int, in_use: int, held: int, capacity: int | None = None) -> None:
        of = f" of {_mib(capacity)}" if capacity is not None else ""
        super().__init__(
            f"{device} out of memory: tried to allocate {_mib(wanted)}; in use {_mib(in_use)}{of}, "
            f"held by the pool {_mib(held)}"
        )
        self.device, self.wanted, self.in_use, self.held, self.capacity = device, wanted, in_use, held, capacity

    def __reduce__(self) -> tuple[type[OutOfMemoryError], tuple[str, int, int, int, int | None]]:
        return type(self), (self.device, self.wanted, self.in_use, self.held, self.capacity)


class ExportError(TritonflowError, RuntimeError):
    """A program cannot be exported: the text says what of it."""


class CompileError(TritonflowError, RuntimeError):
    """A kernel that cannot be compiled for a target."""


class NumberRangeError(TritonflowError, OverflowError):
    """A number that does not fit into the type that a kernel takes it in."""


class UnsupportedVersionError(TritonflowError, ImportError):
    """A release of torch or Triton that is too old, or whose internals have a layout that is not known."""


class ForkError(TritonflowError, RuntimeError):
    """Something that a forked child process cannot do, such as using CUDA."""


# ---------------------------------------------------------------------------------------------- vm


class WatchdogError(TritonflowError, RuntimeError):
    """Nothing moved for too long; the text names what the stuck instruction waits for."""


# ---------------------------------------------------------------------------------------------- ranks


class RankError(TritonflowError, RuntimeError):
    """Ranks that disagree about a collective, or one that has failed, ended, died or does not come."""


# ---------------------------------------------------------------------------------------------- files


class FileFormatError(TritonflowError, RuntimeError):
    """A corrupt, truncated or foreign file; the text names it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"cannot load {path!r}: {reason}")
        self.path, self.reason = path, reason

    def __reduce__(self) -> tuple[type[FileFormatError], tuple[str, str]]:
        return type(self), (self.path, self.reason)


class PickleRefusedError(TritonflowError, ValueError):
    """A pickled object in a file that may not be unpickled."""


class CheckpointFolderError(TritonflowError, RuntimeError):
    """A checkpoint that cannot be saved, is none, or does not fit what is to be loaded; all ranks raise it."""


# ---------------------------------------------------------------------------------------------- what nobody catches


def _show(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """The hook of uncaught errors: shows them by the hook that was there before, without what is hidden of tracebacks."""
    from tritonflow.tracebacks import shortened  # few programs end so

    with shortened(error) as is_short:
        _hook_before(kind, error, error.__traceback__ if is_short else traceback)


def _show_in_thread(arguments: threading.ExceptHookArgs) -> None:
    from tritonflow.tracebacks import shortened

    error = arguments.exc_value
    if error is None or isinstance(error, SystemExit):
        _thread_hook_before(arguments)
        return
    with shortened(error) as is_short:
        if is_short:
            arguments = threading.ExceptHookArgs((arguments.exc_type, error, error.__traceback__, arguments.thread))
        _thread_hook_before(arguments)


_hook_before, _thread_hook_before = sys.excepthook, threading.excepthook
sys.excepthook, threading.excepthook = _show, _show_in_thread
_shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
if _shell is not None:
    from tritonflow.tracebacks import shorten_in

    shorten_in(_shell)


def _mib(size: int) -> str:
    return f"{size / 2**20:,.2f} MiB" if size >= 2**20 // 100 else f"{size:,} bytes"


# --------------------------------------------------------------------------------------------- programs for torch


class MissingNameError(TritonflowError, NotImplementedError):
    """A program for torch, run by `flow.mock_torch`, uses a name that tritonflow lacks."""


__all__ = [name for name, value in list(vars().items()) if isinstance(value, type)]  # not what makes their texts
