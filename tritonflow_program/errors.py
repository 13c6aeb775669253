"""What is wrong with a program, or with a call of it."""

from __future__ import annotations


class ProgramError(RuntimeError):
    """A folder that cannot be loaded: it is damaged, foreign, newer, or no exported program."""


NAMED: dict[str, type[Exception]] = {
    "IndexError": IndexError,
    "ZeroDivisionError": ZeroDivisionError,
    "ValueError": ValueError,
    "RuntimeError": RuntimeError,
}
"""What a check of a program raises, by its name in the text."""
