"""Attempts to capture a call, one after the other: with more arguments, and with more functions watched, where one says so."""

from __future__ import annotations

import gc
import logging
from collections.abc import Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from tritonflow.errors import CaptureError, PinnedSizeError
from tritonflow.framework.marked_sizes import marks_of
from tritonflow.framework.runtime_scalar import PinError
from tritonflow.framework.size_guards import SizeGuard, narrowed
from tritonflow.graph.api.attempt import Attempt
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.compiled_graph import capturing
from tritonflow.graph.api.lifting import LiftError, SharedSlotError, is_lifted
from tritonflow.graph.capture.answers import Answers, AskError
from tritonflow.graph.capture.dimensions import Dimensions
from tritonflow.graph.capture.reads import IntegerReadError
from tritonflow.graph.watch.records import ChangedError
from tritonflow.graph.watch.tracer import UnwatchedError

if TYPE_CHECKING:
    from tritonflow.graph.api.function import CapturedFunction

log = logging.getLogger("tritonflow.graph")
_ATTEMPTS = 32


class RefusedError(Exception):
    """No graph can do a call.

    Attributes:
        error: says why.
        watch: what the function had read.
        over_ranks: what the capture had met of tensors over ranks, if any.
    """

    def __init__(self, error: Exception, attempt: Attempt) -> None:
        super().__init__(str(error))
        self.error = error
        self.watch = attempt.watch
        self.over_ranks = attempt.over_ranks


def capture(
    function: CapturedFunction[..., Any], call: Call, device: Any, known: Sequence[Any] = ()
) -> tuple[Captured, Call]:
    """A program for a call, and the call as its own.

    Args:
        known: numbers that a run of this call has read, behind which it went another way.

    Raises:
        RefusedError: no graph can do it.
    """
    earlier = function.programs.of_kind(call)[:1]
    lifted = {slot.key: slot for captured in earlier for slot in (*captured.lifted, *captured.python.moved_numbers())}
    functions: list[Any] = []
    watched: set[Any] = set()
    pins, suspect, is_static, with_equal_sizes, with_integers = False, None, False, False, False
    lifts_containers = True
    answers, left = Answers(), _ATTEMPTS
    while left:
        left -= 1
        slots = [slot for slot in lifted.values() if is_lifted(slot.get(), lifts_containers)]
        own = call.with_lifted(slots, function.differentiable) if slots else call
        dimensions = None if is_static else function.programs.dimensions(own, with_equal_sizes)
        if dimensions is None and with_integers and not is_static:
            dimensions = Dimensions()
        if dimensions is not None:
            sizes = dimensions.sizes([tensor.meta for tensor in own.given])
            assert sizes is not None
            own = own.with_sizes(sizes)
        attempt = Attempt(function, own, slots, functions, pins, dimensions, known, is_static, lifts_containers, answers)
        if suspect is not None:
            attempt.watch.look_for_change_of(suspect)
        try:
            captured = attempt.captured(device)
            _refuse_pins_of_marked(function, own, captured, dimensions)
            return captured, own
        except AskError as error:
            with capturing.let_others():
                answers.ask(error.question)
            left += 1
        except LiftError as error:
            lifted.update({slot.key: slot for slot in error.slots})
        except SharedSlotError:
            lifts_containers = False
        except PinError:
            if pins:  # not for numbers among the arguments, but for sizes
                is_static = True
                function.programs.take_sizes_for_numbers(call)
            pins = True
        except IntegerReadError:
            with_integers = True
        except UnwatchedError as error:
            found = _functions_with(error.code)
            if not found or error.code in watched:
                refused = CaptureError(f"{error.code.co_name}() runs in the function in a way that cannot be followed")
                raise RefusedError(refused, attempt) from None
            watched.add(error.code)
            functions += found
        except ChangedError as error:
            if suspect is not None:
                raise RefusedError(error, attempt) from None  # it is raised again
            suspect = error.container
        except PinnedSizeError:
            if with_equal_sizes:
                raise
            with_equal_sizes = True  # the number may be the size of another argument
        except Exception as error:
            if dimensions is None:
                raise RefusedError(error, attempt) from None  # it is raised again
            log.info("%s is captured for each size, as with symbols for sizes: %s", function.name, error, exc_info=True)
            is_static = True
            function.programs.take_sizes_for_numbers(call)
    raise RefusedError(CaptureError("the function changes what it reads in too many places"), attempt)


def _refuse_pins_of_marked(
    function: CapturedFunction[..., Any], call: Call, captured: Captured, dimensions: Dimensions | None
) -> None:
    """Refuse to capture a call for one number of a size of which the user has said that it differs.

    Raises:
        PinnedSizeError: names the lines that need the number.
    """
    if captured.template is None or dimensions is None:
        return
    guards = captured.template.guards
    atoms = {atom.text: atom for guard in guards if isinstance(guard, SizeGuard) for atom in guard.left.symbols()}
    for number, symbol in enumerate(dimensions.symbols):
        marked = [(k, dim) for k, dim in symbol.dimensions if (mark := marks_of(call.given[k]).get(dim)) and mark.is_dynamic]
        left = narrowed(atoms[f"s{number}"], guards) if marked and f"s{number}" in atoms else None
        if left is not None and left.low == left.high and left.lines:
            position, dim = marked[0]
            is_pinned = any(atoms[f"s{number}"] in guard.left.symbols() for guard in captured.template.pins)
            what = "the number itself is needed" if is_pinned else f"what is asked of it leaves {left.low} alone"
            raise PinnedSizeError(
                f"{function.program}: dimension {dim} of a tensor of shape {tuple(call.given[position].shape)} was marked"
                f" by mark_dynamic(), but {what} at {', '.join(dict.fromkeys(left.lines))}:"
                " use ops of tensors there, or do not mark it"
            )


def _functions_with(code: CodeType) -> list[FunctionType]:
    """The functions with this code, also where the collector has been told not to look at them."""
    is_frozen = gc.get_freeze_count() > 0
    if is_frozen:
        gc.unfreeze()
    found = [each for each in gc.get_referrers(code) if isinstance(each, FunctionType)]
    if is_frozen:
        gc.freeze()
    return found
