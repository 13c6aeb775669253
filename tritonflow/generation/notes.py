"""What the kernel that draws tokens knows of requests with penalties and biases: a slot of each, on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import float32, int32
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import no_grad

if TYPE_CHECKING:
    from tritonflow.generation.request import Request

NONE = (-1, -1, 0, 0)


class Notes:
    """Words and biases of each token of the vocabulary, for some requests at once.

    A word has bit 0 if the prompt has the token, bit 1 if the token ends the request, and above the number of times that it was
    drawn. Each step tells the kernel the word of the token that was drawn last. The kernel stores it, and may do so again.

    Args:
        vocabulary: how many tokens there are.
        slots: requests at once.
        like: a tensor on the same device.

    Attributes:
        words: int32, (slots, vocabulary).
        biases: float32, (slots, vocabulary).
    """

    def __init__(self, vocabulary: int, slots: int, like: Tensor) -> None:
        self.vocabulary = vocabulary
        self.words: Tensor = _C.zeros((slots, vocabulary), dtype=int32, device=like.device)
        self.biases: Tensor = _C.zeros((slots, vocabulary), dtype=float32, device=like.device)
        self._free = [*range(slots)][::-1]

    def admit(self, request: Request) -> bool:
        """Give a request a slot.

        Returns:
            Whether there was one.
        """
        if not request.is_noted or request.slot >= 0:
            return True
        if not self._free:
            return False
        slot = self._free.pop()
        words = numpy.zeros(self.vocabulary, dtype=numpy.int32)
        words[[*request.in_prompt]] = 1
        words[[*request.ends]] |= 2
        biases = numpy.zeros(self.vocabulary, dtype=numpy.float32)
        biases[[*request.biases]] = [*request.biases.values()]
        with no_grad():
            self.words[slot].copy_(tensor(words, device=self.words.device))
            self.biases[slot].copy_(tensor(biases, device=self.words.device))
        request.slot = slot
        return True

    def release(self, request: Request) -> None:
        """Take the slot of a request back."""
        if request.slot >= 0:
            self._free.append(request.slot)
            request.slot = -1


def note_of(request: Request) -> tuple[int, int, int, int]:
    """(slot, the last token, its word, whether tokens that end the request are left out)."""
    if not request.is_noted:
        return NONE
    closed = int(len(request.tokens) < request.min_tokens)
    if not request.tokens:
        return request.slot, -1, 0, closed
    token = request.tokens[-1]
    word = request.counts[token] << 2 | int(token in request.ends) << 1 | int(token in request.in_prompt)
    return request.slot, token, word, closed
