"""A request for text: its prompt, how its tokens are chosen, and what has come of it so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tritonflow.errors import ArgumentValueError
from tritonflow.generation.choice import TokenChoice
from tritonflow.generation.text import TextOf

if TYPE_CHECKING:
    from tritonflow.generation.engine import Engine


class TokenLogprobs(NamedTuple):
    """Logarithms of probabilities by the logits of the model, ahead of penalties and temperature.

    Attributes:
        chosen: of the token that was drawn.
        top: the largest ones, as pairs of a token and its logarithm.
    """

    chosen: float
    top: list[tuple[int, float]]


class Request:
    """What `Engine.add` gives: an iterator over the tokens of a request, which runs the engine for the next one.

    Attributes:
        prompt: its tokens.
        tokens: those that were generated so far; the stop token is the last of them.
        reason: None while it runs; "stop", "length", "cancelled" or "error".
        error: what went wrong, if so. The iterator raises it.
        logprobs: of each token, `TokenLogprobs`, if they were asked for.

    Example:
        >>> import tritonflow as flow
        >>> table = flow.eye(4).roll(1, 1)  # behind token n comes n + 1
        >>> model = lambda tokens, positions, packed: packed.wanted(table[tokens])
        >>> engine = flow.generation.Engine(model, flow.generation.PagedCache(1, 1, 8, pages=4))
        >>> request = engine.add([0], max_tokens=3)
        >>> next(iter(request)), request
        (1, Request(1 tokens of prompt, 1 generated, runs))
        >>> request.cancel()
        >>> request.tokens, request.reason
        ([1], 'cancelled')
    """

    def __init__(
        self, engine: Engine, prompt: Sequence[int], max_tokens: int, choice: TokenChoice, *,
        stops: tuple[tuple[int, ...], ...] = (), min_tokens: int = 0, biases: dict[int, float] | None = None,
        logprobs: int | None = None, text: TextOf | None = None,
    ) -> None:  # fmt: skip
        self._engine = engine
        self.prompt, self.tokens = [*prompt], list[int]()
        self.max_tokens, self.min_tokens, self.choice, self.stops = max_tokens, min_tokens, choice, stops
        self.reason: str | None = None
        self.error: Exception | None = None
        self.pages, self.draft_pages = list[int](), list[int]()
        self.computed = self.drafted = 0  # tokens whose keys and values are in the cache, and in that of the draft
        self.noted_pages = 0
        self.root = 0
        self.biases = biases or {}
        self.ends = {stop[0] for stop in stops if len(stop) == 1}
        self.is_noted = choice.is_penalised or bool(self.biases) or (min_tokens > 0 and bool(self.ends))
        self.in_prompt, self.counts, self.slot = {*prompt}, Counter[int](), -1
        self.wanted_logprobs, self.logprobs = logprobs, list[TokenLogprobs]()
        self._text = text

    @property
    def done(self) -> bool:
        """Whether no more tokens will come."""
        return self.reason is not None

    @property
    def length(self) -> int:
        """Tokens of the prompt and behind it."""
        return len(self.prompt) + len(self.tokens)

    def part(self, begin: int, end: int) -> list[int]:
        """These of the tokens, of which the prompt's are the first."""
        split = len(self.prompt)
        return [*self.prompt[begin:end], *self.tokens[max(begin - split, 0) : max(end - split, 0)]]

    def take(self, token: int) -> bool:
        """Note the next token.

        Returns:
            Whether it was the last one.
        """
        self.tokens.append(token)
        if self.is_noted:
            self.counts[token] += 1
        may_stop = len(self.tokens) >= self.min_tokens
        if may_stop and token in self.ends:  # which is no part of the text
            self.reason = "stop"
        elif self._text is not None and self._text.add(token, may_stop):
            self.reason = "stop"
        elif may_stop and any(self.tokens[-len(stop) :] == [*stop] for stop in self.stops):
            self.reason = "stop"
        elif len(self.tokens) == self.max_tokens:
            self.reason = "length"
        return self.done

    @property
    def text(self) -> str:
        """The text so far, up to where a stop string may begin. The string itself is not part of it.

        Raises:
            ValueError: the engine was given no `detokenize`.
        """
        return self._text_of().shown(self.done)

    def pieces(self) -> Iterator[str]:
        """The text in pieces, as they come. What may be the beginning of a stop string is held back until it is known.

        Raises:
            ValueError: the engine was given no `detokenize`.
            Exception: the error of the request.
        """
        text, length = self._text_of(), 0
        for _ in self:
            shown = text.shown(self.done)
            if len(shown) > length:
                yield shown[length:]
                length = len(shown)
        shown = text.shown(True)
        if len(shown) > length:
            yield shown[length:]

    def _text_of(self) -> TextOf:
        if self._text is None:
            raise ArgumentValueError("the engine does not know how tokens are spelled; help: Engine(detokenize=...)")
        return self._text

    def cancel(self) -> None:
        """End the request. Its tokens so far stay; other requests go on."""
        self._engine.cancel(self)

    def __iter__(self) -> Iterator[int]:
        """Each token, from the first one on.

        Raises:
            Exception: the error of the request.
        """
        count = 0
        while True:
            while count < len(self.tokens):
                count += 1
                yield self.tokens[count - 1]
            if self.done:
                break
            self._engine.step()
        if self.error is not None:
            raise self.error

    def __repr__(self) -> str:
        state = self.reason or "runs"
        return f"Request({len(self.prompt)} tokens of prompt, {len(self.tokens)} generated, {state})"
