"""Questions to other ranks in a capture: it ends, they are asked outside of captures, and it is done again with their answers."""

from __future__ import annotations

from typing import Any

from tritonflow.errors import CaptureError
from tritonflow.wire.record import Ranks

Question = tuple[Any, str, Ranks]


class AskError(CaptureError):
    """Other ranks are to be asked, which may be captured only when this capture has ended: it is done again with their answers.

    Attributes:
        question: the arguments of `ask`.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(f"{question[1]}: ranks {list(question[2])} are asked")
        self.question = question


class Answers:
    """What other ranks have answered in earlier attempts of a capture, in the order of the questions."""

    def __init__(self) -> None:
        self._known: list[tuple[Question, dict[int, Any]]] = []

    def ask(self, question: Question) -> None:
        """Ask the other ranks, outside of captures."""
        from tritonflow.interpreter.rank_metas import ask  # programs on one rank ask nobody

        self._known.append((question, ask(*question)))

    def find(self, number: int, question: Question) -> dict[int, Any] | None:
        """The answers to the question of this number; None if it is new, and all that follow are."""
        if number < len(self._known) and self._known[number][0] == question:
            return self._known[number][1]
        del self._known[number:]
        return None
