"""Random schedules of requests against a loop without a cache, which computes all of a text for each token."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import tritonflow as flow
from tests.generation.test_engine import WORDS, llama
from tritonflow.generation import Engine, PagedCache, Request, sample_tokens

MOST = 18
PROMPTS = [[5], [7, 7], [1, 2, 3], [*range(20, 31)], [*range(20, 36)], [*range(20, 36), 9], [4] * 8, [*range(20, 28), 3], [8, 6] * 11]
SETTINGS: list[dict[str, Any]] = [
    {}, {"temperature": 1.0, "seed": 1}, {"temperature": 0.7, "top_k": 9, "top_p": 0.9, "seed": 2},
    {"repetition_penalty": 1.7}, {"temperature": 1.3, "presence_penalty": 1.5, "frequency_penalty": 0.7, "seed": 3},
    {"logit_bias": {9: 3.0, 5: -float("inf"), 200: 6.5}}, {"temperature": 0.9, "repetition_penalty": 1.2, "min_p": 0.05, "seed": -4},
]  # fmt: skip


class PlainLoop:
    """Tokens behind a prompt, one at a time, of the logits of the whole text."""

    def __init__(self) -> None:
        self.model = llama()
        self._found: dict[tuple[int, int, int], list[int]] = {}

    def tokens(self, prompt: int, settings: int, sample: int = 0) -> list[int]:
        key = prompt, settings, sample
        if key not in self._found:
            with flow.no_grad():
                self._found[key] = self._loop(PROMPTS[prompt], dict(SETTINGS[settings]), sample)
        return self._found[key]

    def _loop(self, prompt: list[int], settings: dict[str, Any], sample: int) -> list[int]:
        seed, biases, tokens = settings.pop("seed", 0), settings.pop("logit_bias", {}), list(prompt)
        seen, counts = flow.zeros(1, WORDS, dtype=flow.bool), flow.zeros(1, WORDS, dtype=flow.int32)
        seen[0, sorted(set(prompt))] = True
        for step in range(MOST):
            logits = self.model(flow.tensor([tokens]))[:, -1]
            for token, bias in biases.items():
                logits[0, token] += bias
            at = flow.tensor([seed]), flow.tensor([(sample << 32) + step])
            given = {"temperature": 0.0} | settings
            tokens.append(int(sample_tokens(logits, prompt_mask=seen, output_counts=counts, seeds=at[0], steps=at[1], **given)))
            counts[0, tokens[-1]] += 1
        return tokens[len(prompt) :]


@pytest.fixture(scope="module")
def loop() -> PlainLoop:
    return PlainLoop()


@pytest.fixture(scope="module")
def engines(loop: PlainLoop) -> list[Engine]:
    """Pages of one token and of several, few pages and many, small and large steps."""
    found = []
    for size, pages, most in ((8, 40, 24), (1, 47, 7), (4, 11, 16), (16, 3, 64)):
        found.append(Engine(loop.model, PagedCache(2, 2, 64, pages, size), max_tokens_per_step=most, vocabulary=WORDS, max_noted=2))
    return found


def added(engine: Engine, loop: PlainLoop, draw: random.Random) -> list[tuple[Request, list[int]]]:
    """Some requests, and what each may write at most."""
    prompt, settings = draw.randrange(len(PROMPTS)), draw.choice([0, 0, *range(len(SETTINGS))])
    count = min(draw.randrange(1, MOST + 1), engine.cache.pages * engine.cache.page_size - len(PROMPTS[prompt]) + 1)
    samples = draw.choice([1, 1, 1, 3])
    options, cuts = dict(SETTINGS[settings]), [count] * samples
    texts = [loop.tokens(prompt, settings, k) for k in range(samples)]
    if draw.random() < 0.3:
        stop = texts[0][draw.randrange(count) :][: draw.choice([1, 2])]
        options["stop"] = [stop if draw.random() < 0.5 or len(stop) > 1 else stop[0]]
        ends = [[k for k in range(len(stop), count + 1) if text[k - len(stop) : k] == stop] for text in texts]
        cuts = [min([count, *each]) for each in ends]
    requests = engine.add_samples(PROMPTS[prompt], samples, count, **options)
    return [(request, text[:cut]) for request, text, cut in zip(requests, texts, cuts)]


def run(engine: Engine, loop: PlainLoop, seed: int) -> None:
    """Requests come, end, are cancelled or forgotten in the middle of a stream."""
    draw = random.Random(seed)
    all_: list[tuple[Request, list[int]]] = []
    for _ in range(draw.randrange(1, 20)):
        action = draw.random()
        if action < 0.4 or not all_:
            all_ += added(engine, loop, draw)
        elif action < 0.5:
            draw.choice(all_)[0].cancel()
        elif action < 0.6:
            stream = iter(draw.choice(all_)[0])
            [*itertools.islice(stream, draw.randrange(4))]
            del stream
        else:
            engine.step()
    engine.run()
    for request, text in all_:
        assert request.tokens == text[: len(request.tokens)], (seed, request.prompt, request.choice)
        assert request.reason == "cancelled" or request.tokens == text, (seed, request)
        assert request.reason in ("cancelled", "length", "stop") and not request.pages and request.slot == -1
    cache = engine.cache
    assert cache.free_pages == cache.pages and not any(cache._holders) and not cache._coming
    assert len(engine._notes._free) == 2  # type: ignore[union-attr]


def test_some_schedules(engines: list[Engine], loop: PlainLoop) -> None:
    for seed in range(16):
        run(engines[seed % 2], loop, seed)
    assert all(engine.programs <= 6 for engine in engines)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_schedules(engines: list[Engine], loop: PlainLoop, part: int) -> None:
    for seed in range(16 + 50 * part, 66 + 50 * part):
        run(engines[seed % len(engines)], loop, seed)
    assert all(engine.programs <= 6 for engine in engines)
