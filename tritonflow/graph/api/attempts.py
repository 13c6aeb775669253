"""Attempts to capture a call, one after the other: with more arguments, and with more functions watched, where one says so."""

from __future__ import annotations

import gc
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from tritonflow.errors import CaptureError
from tritonflow.framework.runtime_scalar import PinError
from tritonflow.graph.api.attempt import Attempt, LiftError
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.watch.records import ChangedError
from tritonflow.graph.watch.slots import ABSENT
from tritonflow.graph.watch.tracer import UnwatchedError
from tritonflow.graph.watch.watch import Watch

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction

_ATTEMPTS = 32


class RefusedError(Exception):
    """No graph can do a call.

    Attributes:
        error: says why.
        watch: what the function had read.
    """

    def __init__(self, error: Exception, watch: Watch) -> None:
        super().__init__(str(error))
        self.error = error
        self.watch = watch


def capture(function: CapturedFunction[..., Any], call: Call, device: Any) -> tuple[Captured, Call]:
    """A program for a call, and the call as its own.

    Raises:
        RefusedError: no graph can do it.
    """
    earlier = function.programs.of_kind(call)[:1]
    lifted = {slot.key: slot for captured in earlier for slot in (*captured.lifted, *captured.python.moved_numbers())}
    functions: list[Any] = []
    watched: set[Any] = set()
    pins, suspect = False, None
    for _ in range(_ATTEMPTS):
        slots = [slot for slot in lifted.values() if slot.get() is not ABSENT]
        own = call.with_lifted(slots, function.differentiable) if slots else call
        attempt = Attempt(function, own, slots, functions, pins)
        if suspect is not None:
            attempt.watch.look_for_change_of(suspect)
        try:
            return attempt.captured(device), own
        except LiftError as error:
            lifted.update({slot.key: slot for slot in error.slots})
        except PinError:
            pins = True
        except UnwatchedError as error:
            found = _functions_with(error.code)
            if not found or error.code in watched:
                refused = CaptureError(f"{error.code.co_name}() runs in the function in a way that cannot be followed")
                raise RefusedError(refused, attempt.watch) from None
            watched.add(error.code)
            functions += found
        except ChangedError as error:
            if suspect is not None:
                raise RefusedError(error, attempt.watch) from error
            suspect = error.container
        except Exception as error:
            raise RefusedError(error, attempt.watch) from error
    raise RefusedError(CaptureError("the function changes what it reads in too many places"), attempt.watch)


def _functions_with(code: CodeType) -> list[FunctionType]:
    """The functions with this code, also where the collector has been told not to look at them."""
    is_frozen = gc.get_freeze_count() > 0
    if is_frozen:
        gc.unfreeze()
    found = [each for each in gc.get_referrers(code) if isinstance(each, FunctionType)]
    if is_frozen:
        gc.freeze()
    return found
