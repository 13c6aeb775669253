"""The loop that serves requests: each step computes tokens of all that run, and gives each at most one chunk of its prompt."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tritonflow import _C, nn
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.generation.pages import PagedCache
from tritonflow.generation.request import Request, checked_choice, checked_stops, checked_tokens
from tritonflow.generation.served import Chunk, ServedModel
from tritonflow.generation.speculation import Draft


class Engine:
    """Serves requests of different lengths with one model; they come and go at any step.

    A step computes the last token of each request that is past its prompt, and parts of prompts besides. It draws the next
    tokens on the device, and waits for them once. There are at most three programs for any mixture of requests: for tokens of
    any sequences, for one token of each, and for a single token.

    A request's tokens depend on its own settings and seed alone: its n-th token takes the n-th number of its seed.

    With a draft, a small model proposes tokens, and the model draws the token behind each of them in one step, with the numbers of
    the request. A proposal is accepted where it is the token that was drawn. So the tokens are those without a draft.

    Where pages run out, the request that came last gives up its own and is computed again later, to the same tokens.

    Args:
        model: `model(tokens, positions, packed) -> logits`, see `PackedTokens`; a module in evaluation mode or a function.
        cache: for its keys and values.
        max_tokens_per_step: the most tokens of a step; longer prompts take several.
        draft: (model, cache) of the model that proposes, with the same vocabulary.
        ahead: how many tokens it proposes in a step.

    Attributes:
        programs: how many programs were captured.
        proposed, accepted: how many tokens the draft has proposed so far, and how many of them were right.

    Raises:
        TypeError, ValueError: arguments that do not fit.

    Source: vLLM's engine, for its kind of batches; Leviathan et al., Fast inference from transformers via speculative
    decoding, 2023.

    Example:
        >>> import tritonflow as flow
        >>> cache = flow.generation.PagedCache(layers=1, heads=1, size=8, pages=8)
        >>> table = flow.eye(8).roll(1, 1) * 9  # behind token n comes n + 1
        >>> def model(tokens, positions, packed):
        ...     x = table[tokens].unsqueeze(1)
        ...     return packed.wanted(table[tokens] + 0 * packed.attend(0, x, x, x).squeeze(1))
        >>> engine = flow.generation.Engine(model, cache)
        >>> [*engine.add([3], max_tokens=4)], engine.generate([[1, 2], [6]], max_tokens=9, stop=[5, 7])
        ([4, 5, 6, 7], [[3, 4, 5], [7]])
    """

    def __init__(
        self, model: Callable[..., Any], cache: PagedCache, *, max_tokens_per_step: int = 512,
        draft: tuple[Callable[..., Any], PagedCache] | None = None, ahead: int = 4,
    ) -> None:  # fmt: skip
        if not isinstance(cache, PagedCache):
            raise ArgumentTypeError(f"Engine: cache must be a PagedCache, not {type(cache).__name__}")
        for each in (model, *(draft or ())[:1]):
            if isinstance(each, nn.Module) and each.training:
                raise ArgumentValueError("Engine: the model is in training mode; help: call model.eval() before")
        if max_tokens_per_step < 2 or ahead < 1:
            raise ArgumentValueError("Engine: max_tokens_per_step must be at least 2, and ahead at least 1")
        self.cache, self.max_tokens_per_step = cache, max_tokens_per_step
        self._model = ServedModel(model, cache)
        self._draft = None if draft is None else Draft(ServedModel(*draft), ahead)
        self._running: list[Request] = []
        self._waiting: deque[Request] = deque()
        self._lock = threading.RLock()
        self.accepted = self.proposed = 0

    def add(
        self, prompt: Sequence[int] | Any, max_tokens: int = 16, *, temperature: float = 0.0, top_k: int = 0, top_p: float = 1.0,
        min_p: float = 0.0, seed: int = 0, stop: Iterable[int | Sequence[int]] = (),
    ) -> Request:  # fmt: skip
        """A request, which runs from the next step on.

        Args:
            prompt: at least one token.
            max_tokens: how many are generated at most.
            temperature, top_k, top_p, min_p: as of `sample_tokens`; a temperature of 0 takes the likeliest.
            seed: of its random numbers.
            stop: tokens, or sequences of tokens, behind which it ends.

        Raises:
            TypeError: what is no sequence of tokens, or no number.
            ValueError: an empty prompt, a number out of its range, or a request that the cache cannot hold.
        """
        tokens = checked_tokens("prompt", prompt)
        if not tokens:
            raise ArgumentValueError("Engine.add(): the prompt is empty")
        if type(max_tokens) is not int or max_tokens < 1:
            raise ArgumentValueError(f"Engine.add(): max_tokens must be an int of at least 1, not {max_tokens!r}")
        most = self.cache.pages * self.cache.page_size
        if len(tokens) + max_tokens - 1 > most:
            raise ArgumentValueError(
                f"Engine.add(): {len(tokens)} tokens of prompt and {max_tokens} behind need more than the {most} of the cache"
            )
        choice = checked_choice(temperature, top_k, top_p, min_p, seed)
        request = Request(self, tokens, max_tokens, choice, checked_stops(stop))
        with self._lock:
            self._waiting.append(request)
        return request

    def generate(self, prompts: Iterable[Sequence[int]], max_tokens: int = 16, **options: Any) -> list[list[int]]:
        """The tokens behind each prompt, all of them with the same options.

        Raises:
            Exception: the first error of a request, or what `add` raises.
        """
        requests = []
        try:
            for prompt in prompts:
                requests.append(self.add(prompt, max_tokens, **options))
            return [[*request] for request in requests]
        finally:
            for request in requests:
                request.cancel()

    def cancel(self, request: Request) -> None:
        """End a request; one that is done stays as it is."""
        with self._lock:
            if not request.done:
                self._end(request, "cancelled")

    def run(self) -> None:
        """Step until all requests are done."""
        while self.step():
            pass

    def step(self) -> bool:
        """Compute the next tokens.

        Returns:
            Whether there was anything to do.
        """
        with self._lock:
            requests = self._admitted()
            if requests:
                self._advance(requests)
            return bool(requests)

    @property
    def programs(self) -> int:
        """How many programs were captured, those of the draft among them."""
        return self._model.programs() + (0 if self._draft is None else self._draft.served.programs())

    # ------------------------------------------------------------------------------------------------- who takes part

    def _admitted(self) -> list[tuple[Request, int]]:
        """Requests that have pages for the next tokens, and how many these are. Those past their prompts come first."""
        left = self.max_tokens_per_step
        found: list[tuple[Request, int]] = []
        for request in sorted(self._running, key=lambda each: each.length - each.computed > 1):
            if request not in self._running or not left:  # it has given up its pages for another one
                continue
            count = min(request.length - request.computed, left)
            if self._grow(request, request.computed + count):
                found.append((request, count))
                left -= count
        while self._waiting and left:
            request = self._waiting[0]
            if not self.cache.grow(request.pages, min(request.length, self.cache.pages * self.cache.page_size)):
                break
            self._running.append(self._waiting.popleft())
            count = min(request.length, left)
            found.append((request, count))
            left -= count
        return [each for each in found if each[0] in self._running]

    def _grow(self, request: Request, length: int) -> bool:
        """Whether a request has pages for so many tokens; requests behind it give up theirs if need be."""
        while not self.cache.grow(request.pages, length):
            last = self._running[-1]
            self._suspend(last)
            if last is request:
                return False
        return True

    def _suspend(self, request: Request) -> None:
        """A request waits, in front of all others, until there are pages for it again."""
        self._running.remove(request)
        self._release(request)
        self._waiting.appendleft(request)

    def _release(self, request: Request) -> None:
        self.cache.release(request.pages)
        request.computed = request.drafted = 0
        if self._draft is not None:
            self._draft.served.cache.release(request.draft_pages)

    def _end(self, request: Request, reason: str, error: Exception | None = None) -> None:
        """A request is done."""
        request.reason, request.error = reason, error
        self._release(request)
        if request in self._running:
            self._running.remove(request)
        elif request in self._waiting:
            self._waiting.remove(request)

    # ---------------------------------------------------------------------------------------------------- computation

    def _advance(self, requests: list[tuple[Request, int]]) -> None:
        """Compute tokens of requests; if that fails, of each alone, so that the error is that of the one which is to blame."""
        try:
            self._compute(requests)
        except Exception as error:
            if len(requests) == 1:
                self._end(requests[0][0], "error", error)
                return
            for each in requests:
                self._advance([each])

    def _compute(self, requests: list[tuple[Request, int]]) -> None:
        proposals = {} if self._draft is None else self._draft.propose(requests, self.cache)
        chunks = [self._chunk(request, count, len(proposals.get(id(request), ()))) for request, count in requests]
        if proposals:
            assert self._draft is not None
            lengths = [(id(request), len(chunk.tokens)) for (request, _), chunk in zip(requests, chunks)]
            given, at = self._draft.joined(proposals, lengths)
            drawn = _C.cat([given, self._model.run(chunks, given, at)]).tolist()
        else:
            at = []
            drawn = self._model.run(chunks)
            drawn = drawn.tolist() if drawn.shape[0] else []
        proposed, drawn = iter(drawn[: len(at)]), iter(drawn[len(at) :])
        for (request, _), chunk in zip(requests, chunks):
            of_request = [next(proposed) for _ in proposals.get(id(request), ())]
            self._accept(request, chunk, [next(drawn) for _ in range(chunk.drawn)], of_request)

    def _chunk(self, request: Request, count: int, proposed: int) -> Chunk:
        end = request.computed + count
        tokens = [*request.part(request.computed, end), *[0] * proposed]
        drawn = 1 + proposed if end == request.length else 0
        return Chunk(tokens, request.computed, request.pages, request.choice, drawn, len(request.tokens))

    def _accept(self, request: Request, chunk: Chunk, drawn: list[int], proposed: list[int]) -> None:
        """Note the tokens that were drawn, up to the first that is not the one proposed."""
        request.computed += len(chunk.tokens) - len(proposed)
        self.proposed += len(proposed)
        for index, token in enumerate(drawn):
            if token < 0:
                self._end(request, "error", ArgumentValueError("the logits of a request hold NaN, or nothing above -inf"))
                return
            if request.take(token):
                self._end(request, str(request.reason))
                return
            if index == len(proposed) or proposed[index] != token:
                break
            request.computed += 1
            self.accepted += 1
