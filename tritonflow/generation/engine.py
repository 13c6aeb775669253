"""The loop that serves requests: each step computes tokens of all that run, and gives each at most one chunk of its prompt."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tritonflow import _C, nn
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.generation.choice import checked_biases, checked_choice, checked_count, checked_stops, checked_tokens
from tritonflow.generation.notes import Notes, note_of
from tritonflow.generation.pages import PagedCache
from tritonflow.generation.request import Request, TokenLogprobs
from tritonflow.generation.served import Chunk, Drawn, ServedModel
from tritonflow.generation.speculation import Draft
from tritonflow.generation.text import TextOf

_NUMBERS_OF_A_SAMPLE = 1 << 32


class Engine:
    """Serves requests of different lengths with one model; they come and go at any step.

    A step computes the last token of each request that is past its prompt, and parts of prompts besides. It draws the next
    tokens on the device, and waits for them once. There are at most three programs for any mixture of requests: for tokens of
    any sequences, for one token of each, and for a single token. Where a request has penalties or biases, or asks for
    log-probabilities, the steps that it takes part in have programs of their own, of which there are as many.

    Requests that begin with the same tokens share whole pages of the cache, as long as any request runs. One that begins as another
    whose prompt is being computed waits for these pages.

    A request's tokens depend on its own settings and seed alone: its n-th token takes the n-th number of its seed.

    With a draft, a small model proposes tokens, and the model draws the token behind each of them in one step, with the numbers of
    the request. A proposal is accepted where it is the token that was drawn. So the tokens are those without a draft.

    Where pages run out, the request that came last gives up its own and is computed again later, to the same tokens.

    Args:
        model: `model(tokens, positions, packed) -> logits`, see `PackedTokens`; a module in evaluation mode or a function.
        cache: for its keys and values.
        max_tokens_per_step: the most tokens of a step; longer prompts take several.
        draft: (model, cache) of the model that proposes, with the same vocabulary.
        ahead: how many tokens it proposes in a step. None for requests with penalties or biases.
        vocabulary: how many tokens the model knows; requests with penalties or biases need it.
        max_noted: how many such requests run at once; each takes 8 bytes for each token of the vocabulary.
        max_logprobs: how many of the largest log-probabilities a request may ask for.
        detokenize: from a list of tokens to their text, for `Request.text` and stop strings.
        share_prefixes: whether pages are shared.

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
        draft: tuple[Callable[..., Any], PagedCache] | None = None, ahead: int = 4, vocabulary: int | None = None,
        max_noted: int = 16, max_logprobs: int = 20, detokenize: Callable[[list[int]], str] | None = None,
        share_prefixes: bool = True,
    ) -> None:  # fmt: skip
        if not isinstance(cache, PagedCache):
            raise ArgumentTypeError(f"Engine: cache must be a PagedCache, not {type(cache).__name__}")
        for each in (model, *(draft or ())[:1]):
            if isinstance(each, nn.Module) and each.training:
                raise ArgumentValueError("Engine: the model is in training mode; help: call model.eval() before")
        if max_tokens_per_step < 2 or ahead < 1:
            raise ArgumentValueError("Engine: max_tokens_per_step must be at least 2, and ahead at least 1")
        if min(max_noted, max_logprobs, 1 if vocabulary is None else vocabulary) < 1:
            raise ArgumentValueError("Engine: vocabulary, max_noted and max_logprobs must be at least 1")
        self.cache, self.max_tokens_per_step = cache, max_tokens_per_step
        self._notes = None if vocabulary is None else Notes(vocabulary, max_noted, cache.keys[0])
        self._model = ServedModel(model, cache, self._notes, max_logprobs)
        self._detokenize, self._share, self._root = detokenize, share_prefixes, 0
        self._draft = None if draft is None else Draft(ServedModel(*draft), ahead)
        self._running: list[Request] = []
        self._waiting: deque[Request] = deque()
        self._lock = threading.RLock()
        self.accepted = self.proposed = 0

    def add(self, prompt: Sequence[int] | Any, max_tokens: int = 16, **options: Any) -> Request:
        """A request, which runs from the next step on.

        Args:
            prompt: at least one token.
            max_tokens: how many are generated at most.
            options: all by name.

                - temperature, top_k, top_p, min_p, repetition_penalty, presence_penalty, frequency_penalty: as of
                  `sample_tokens`; a temperature of 0, as it is unless given, takes the likeliest.
                - seed: of its random numbers, 0 unless given.
                - stop: tokens, sequences of tokens, or strings, behind which it ends.
                - min_tokens: how many are generated at least: stop tokens are not drawn before, other stops are passed over.
                - logit_bias: a dict of what is added to the logits of tokens, ahead of penalties; -inf forbids one.
                - logprobs: of so many most probable tokens, and of the token itself, logarithms of probabilities are noted.

        Raises:
            TypeError: what is no sequence of tokens, no number, or no option.
            ValueError: an empty prompt, a number out of its range, a request that the cache cannot hold, or one that needs what
                the engine was not given.
        """
        return self.add_samples(prompt, 1, max_tokens, **options)[0]

    def add_samples(
        self, prompt: Sequence[int] | Any, n: int, max_tokens: int = 16, *, stop: Iterable[int | Sequence[int] | str] = (),
        min_tokens: int = 0, logit_bias: dict[int, float] | None = None, logprobs: int | None = None, **choice: Any,
    ) -> list[Request]:  # fmt: skip
        """n requests with the same prompt and settings, which share its pages. Each draws other numbers of the seed.

        The first writes what a single request writes. Arguments and errors are those of `add`.
        """
        tokens = checked_tokens("prompt", prompt)
        if not tokens:
            raise ArgumentValueError("Engine.add(): the prompt is empty")
        for name, value, least in (("n", n, 1), ("max_tokens", max_tokens, 1), ("min_tokens", min_tokens, 0)):
            checked_count(name, value, least)
        most = self.cache.pages * self.cache.page_size
        if len(tokens) + max_tokens - 1 > most:
            raise ArgumentValueError(
                f"Engine.add(): {len(tokens)} tokens of prompt and {max_tokens} behind need more than the {most} of the cache"
            )
        if logprobs is not None and checked_count("logprobs", logprobs) > self._model.logprobs:
            raise ArgumentValueError(f"Engine.add(): logprobs are at most {self._model.logprobs}; help: Engine(max_logprobs=...)")
        own, (stops, texts), biases = checked_choice(choice), checked_stops(stop), checked_biases(logit_bias)
        if texts and self._detokenize is None:
            raise ArgumentValueError("Engine.add(): stop has strings; help: Engine(detokenize=...)")
        requests = []
        for k in range(n):
            text = None if self._detokenize is None else TextOf(self._detokenize, texts)
            request = Request(
                self, tokens, max_tokens, own._replace(first=k * _NUMBERS_OF_A_SAMPLE), stops=stops, min_tokens=min_tokens,
                biases=biases, logprobs=logprobs, text=text,
            )  # fmt: skip
            requests.append(request)
        self._check_noted(requests[0])
        with self._lock:
            self._waiting += requests
        return requests

    def _check_noted(self, request: Request) -> None:
        if not request.is_noted:
            return
        if self._notes is None:
            raise ArgumentValueError("Engine.add(): penalties, logit_bias and min_tokens need Engine(vocabulary=...)")
        largest = max([*request.prompt, *request.biases, *request.ends])
        if largest >= self._notes.vocabulary:
            raise ArgumentValueError(f"Engine.add(): token {largest} is not in a vocabulary of {self._notes.vocabulary}")

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
        while self._waiting and left and self._admit(self._waiting[0]):
            request = self._waiting.popleft()
            self._running.append(request)
            count = min(request.length - request.computed, left)
            found.append((request, count))
            left -= count
        return [each for each in found if each[0] in self._running]

    def _admit(self, request: Request) -> bool:
        """Whether a request has pages for its tokens, and a slot if it needs one."""
        if self._notes is not None and not self._notes.admit(request):
            return False
        tokens = request.part(0, request.length)
        if self._share:
            if not self._running:
                self._root = self.cache.new_root()  # the weights may be others by now
            request.root = self._root
            shared = self.cache.shared(request.root, tokens)
            if shared is None:
                return False
            request.pages += shared
        if not self.cache.grow(request.pages, min(request.length, self.cache.pages * self.cache.page_size)):
            self.cache.release(request.pages)
            return False
        if self._share:
            request.noted_pages = len(shared or ())
            request.computed = request.noted_pages * self.cache.page_size
            self.cache.note(request.root, request.pages, tokens, request.computed)
        return True

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
        request.computed = request.drafted = request.noted_pages = 0
        if self._draft is not None:
            self._draft.served.cache.release(request.draft_pages)

    def _end(self, request: Request, reason: str, error: Exception | None = None) -> None:
        """A request is done."""
        request.reason, request.error = reason, error
        self._release(request)
        if self._notes is not None:
            self._notes.release(request)
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
            found = self._model.run(chunks, given, at)
            drawn = _C.cat([given, found.tokens]).tolist()
        else:
            at = []
            found = self._model.run(chunks)
            drawn = found.tokens.tolist() if found.tokens.shape[0] else []
        proposed, rows = iter(drawn[: len(at)]), iter(_rows(drawn[len(at) :], found))
        for (request, _), chunk in zip(requests, chunks):
            of_request = [next(proposed) for _ in proposals.get(id(request), ())]
            self._accept(request, chunk, [next(rows) for _ in range(chunk.drawn)], of_request)

    def _chunk(self, request: Request, count: int, proposed: int) -> Chunk:
        end = request.computed + count
        tokens = [*request.part(request.computed, end), *[0] * proposed]
        drawn = 1 + proposed if end == request.length else 0
        step = request.choice.first + len(request.tokens)
        logged = request.wanted_logprobs is not None and drawn > 0
        return Chunk(tokens, request.computed, request.pages, request.choice, drawn, step, note_of(request), logged)

    def _accept(self, request: Request, chunk: Chunk, drawn: list[tuple[int, TokenLogprobs | None]], proposed: list[int]) -> None:
        """Note the tokens that were drawn, up to the first that is not the one proposed."""
        request.computed += len(chunk.tokens) - len(proposed)
        self.proposed += len(proposed)
        for index, (token, logprobs) in enumerate(drawn):
            if token < 0:
                self._end(request, "error", ArgumentValueError("the logits of a request hold NaN, or nothing above -inf"))
                return
            if request.wanted_logprobs is not None and logprobs is not None:
                request.logprobs.append(logprobs._replace(top=logprobs.top[: request.wanted_logprobs]))
            if request.take(token):
                self._end(request, str(request.reason))
                return
            if index == len(proposed) or proposed[index] != token:
                break
            request.computed += 1
            self.accepted += 1
        whole = request.computed // self.cache.page_size
        if self._share and whole > request.noted_pages:
            request.noted_pages = whole
            self.cache.note(request.root, request.pages, request.part(0, request.computed), request.computed)


def _rows(tokens: list[int], found: Drawn) -> list[tuple[int, TokenLogprobs | None]]:
    """Each token, and what is known of its probability."""
    if not found.logged or not tokens:
        return [(token, None) for token in tokens]
    of_tokens, largest, whose = [each.tolist() for each in found.logged]
    return [
        (token, TokenLogprobs(own, [*zip(ids, values)]))
        for token, own, values, ids in zip(tokens, of_tokens, largest, whose)
    ]  # fmt: skip
