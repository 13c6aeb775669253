"""Messages of errors that a program raises when it runs, with sizes in them."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.framework.symbolic_int import is_symbolic


class _SizedMessage(NamedTuple):
    """A text with a `{}` for each of some numbers, which are put in when it is raised."""

    text: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return self.text.format(*self.numbers)


def sized_message(text: str, *numbers: int) -> Any:
    """The text of an error; where numbers are symbolic, what has it as its text in each run.

    Args:
        text: with a `{}` for each number.
        numbers: of sizes.

    Example:
        >>> from tritonflow.ops.sized_message import sized_message
        >>> sized_message("classes must be in [0, {})", 7)
        'classes must be in [0, 7)'
    """
    message = _SizedMessage(text, numbers)
    return message if is_symbolic(numbers) else str(message)
