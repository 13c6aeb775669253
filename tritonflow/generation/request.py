"""A request for text: its prompt, how its tokens are chosen, and what has come of it so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow.errors import ArgumentTypeError, ArgumentValueError

if TYPE_CHECKING:
    from tritonflow.generation.engine import Engine


class TokenChoice(NamedTuple):
    """How the tokens of a request are chosen, as by `sample_tokens`."""

    temperature: float
    top_k: int
    top_p: float
    min_p: float
    seed: int


class Request:
    """What `Engine.add` gives: an iterator over the tokens of a request, which runs the engine for the next one.

    Attributes:
        prompt: its tokens.
        tokens: those that were generated so far; the stop token is the last of them.
        reason: None while it runs; "stop", "length", "cancelled" or "error".
        error: what went wrong, if so. The iterator raises it.

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
        self, engine: Engine, prompt: Sequence[int], max_tokens: int, choice: TokenChoice, stops: tuple[tuple[int, ...], ...]
    ) -> None:
        self._engine = engine
        self.prompt, self.tokens = [*prompt], list[int]()
        self.max_tokens, self.choice, self.stops = max_tokens, choice, stops
        self.reason: str | None = None
        self.error: Exception | None = None
        self.pages, self.draft_pages = list[int](), list[int]()
        self.computed = self.drafted = 0  # tokens whose keys and values are in the cache, and in that of the draft

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
        if any(self.tokens[-len(stop) :] == [*stop] for stop in self.stops):
            self.reason = "stop"
        elif len(self.tokens) == self.max_tokens:
            self.reason = "length"
        return self.done

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


def checked_tokens(name: str, tokens: Any) -> list[int]:
    """Numbers of tokens as a list of integers."""
    found = tokens.tolist() if hasattr(tokens, "tolist") else tokens
    if not isinstance(found, (list, tuple)) or not all(type(token) is int and token >= 0 for token in found):
        raise ArgumentTypeError(f"Engine.add(): {name} must be a sequence of ints of at least 0")
    return [*found]


def checked_stops(stop: Any) -> tuple[tuple[int, ...], ...]:
    """Stop tokens, and sequences of such, each as a tuple."""
    if isinstance(stop, (int, str)) or not hasattr(stop, "__iter__"):
        raise ArgumentTypeError(f"Engine.add(): stop must be tokens, or sequences of tokens, in a list, not {stop!r}")
    found = [(each,) if isinstance(each, int) else tuple(checked_tokens("stop", each)) for each in stop]
    if not all(found):
        raise ArgumentValueError("Engine.add(): a sequence of tokens in stop is empty")
    return tuple(found)


def checked_choice(temperature: Any, top_k: Any, top_p: Any, min_p: Any, seed: Any) -> TokenChoice:
    """Settings of `sample_tokens` that are in their ranges."""
    given = {"temperature": temperature, "top_p": top_p, "min_p": min_p}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ArgumentTypeError(f"Engine.add(): {name} must be a number, not {type(value).__name__}")
    for name, value in (("top_k", top_k), ("seed", seed)):
        if type(value) is not int or not -(2**63) <= value < 2**63:
            raise ArgumentTypeError(f"Engine.add(): {name} must be an int of 64 bits, not {value!r}")
    if not 0 <= temperature < float("inf") or not 0 <= top_p <= 1 or not 0 <= min_p <= 1:
        out = next(name for name, value in given.items() if not 0 <= value <= (1 if name != "temperature" else 3e38))
        raise ArgumentValueError(f"Engine.add(): {out} is out of its range: {given[out]}")
    return TokenChoice(float(temperature), min(max(top_k, 0), 2**31 - 1), float(top_p), float(min_p), seed)
