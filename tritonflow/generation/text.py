"""The text of tokens as they come, and the strings that end it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

MISSING = "\N{REPLACEMENT CHARACTER}"  # what a decoder gives for the first bytes of a character


class TextOf:
    """The text of the tokens of a request.

    A few tokens before the new ones are spelled again with them, as a token may look otherwise at the beginning of a text. So each
    token is spelled a few times, however long the text is. Bytes that are no whole character yet wait for the next token.

    Args:
        detokenize: from a list of tokens to their text.
        stops: strings that end it.
    """

    def __init__(self, detokenize: Callable[[list[int]], str], stops: Sequence[str]) -> None:
        self._detokenize, self._stops = detokenize, stops
        self._tokens: list[int] = []
        self._begin = self._read = 0  # tokens from `_begin` on are spelled again, of which those before `_read` are in the text
        self._text, self._searched = "", 0
        self._ended = False

    def add(self, token: int, may_stop: bool) -> bool:
        """Add a token.

        Returns:
            Whether a stop string is in the text, which ends before it then. One that ends where none may stop is passed over.
        """
        self._tokens.append(token)
        before = self._detokenize(self._tokens[self._begin : self._read])
        now = self._detokenize(self._tokens[self._begin :])
        if len(now) <= len(before) or now.endswith(MISSING):
            return False
        self._text += now[len(before) :]
        self._begin, self._read = self._read, len(self._tokens)
        if not may_stop:
            self._searched = len(self._text)
            return False
        return self._find()

    def _find(self) -> bool:
        """Cut the text before the first stop string of which something is new."""
        found = [at for stop in self._stops if (at := self._first(stop)) >= 0]
        self._searched = len(self._text)
        if found:
            self._text, self._ended = self._text[: min(found)], True
        return bool(found)

    def _first(self, stop: str) -> int:
        return self._text.find(stop, max(self._searched - len(stop) + 1, 0))

    def shown(self, done: bool) -> str:
        """The text, without an end that may become a stop string unless the request is done."""
        if self._ended:
            return self._text
        if done:  # bytes that are no whole character will stay so
            before = self._detokenize(self._tokens[self._begin : self._read])
            return self._text + self._detokenize(self._tokens[self._begin :])[len(before) :]
        return self._text[: len(self._text) - self._held()]

    def _held(self) -> int:
        """How many characters at the end are the beginning of a stop string."""
        most = max(map(len, self._stops), default=1) - 1
        for length in range(min(most, len(self._text)), 0, -1):
            end = self._text[len(self._text) - length :]
            if any(stop.startswith(end) for stop in self._stops):
                return length
        return 0
