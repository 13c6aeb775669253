"""The loop that serves requests: its tokens against those of the whole text, in any company, by three programs."""

from __future__ import annotations

import importlib
import random
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow.generation import Engine, PackedTokens, PagedCache

F = flow.nn.functional
EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS, LENGTH = 256, 128
PROMPTS = [[1, 2, 3], [4], [5, 6, 7, 8, 9, 10, 11, 12, 13], [9, 8] * 10]


def llama(layers: int = 2, seed: int = 0) -> Any:
    """A small model whose tokens differ: its matrices are large."""
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    flow.manual_seed(seed)
    model = importlib.import_module("llama_small").Llama(128, layers, 64, 2, LENGTH).eval()
    for p in model.parameters():
        if p.dim() == 2:
            p.data.mul_(6)
    return model


@pytest.fixture(scope="module")
def model() -> Any:
    return llama()


def cache(pages: int = 64, layers: int = 2, size: int = 8) -> PagedCache:
    return PagedCache(layers, 2, 64, pages, size)


@pytest.fixture(scope="module")
def engine(model: Any) -> Engine:
    """One for all tests that do not change it."""
    return Engine(model, cache(), max_tokens_per_step=16)


@pytest.fixture(scope="module")
def expected(model: Any) -> list[list[int]]:
    """Behind each prompt the likeliest tokens, each by all of the text before it."""
    found = []
    with flow.no_grad():
        for prompt in PROMPTS:
            tokens = list(prompt)
            for _ in range(12):
                tokens.append(int(model(flow.tensor([tokens]))[0, -1].argmax()))
            found.append(tokens[len(prompt) :])
    return found


def test_tokens_are_those_of_the_whole_text(engine: Engine, expected: list[list[int]]) -> None:
    """Prompts longer than a step, a prompt of one token, and all at once."""
    assert len(set(map(tuple, expected))) == len(PROMPTS)
    assert engine.generate(PROMPTS, 12) == expected
    assert engine.cache.free_pages == 64


def test_any_mixture_has_three_programs(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests of random lengths come, end and are cancelled at random steps, and each step is one call and one wait."""
    engine = Engine(model, cache(40), max_tokens_per_step=24)
    reads, calls = Counter[str](), Counter[str]()
    tolist = flow.Tensor.tolist
    monkeypatch.setattr(flow.Tensor, "tolist", lambda x: (reads.update(["tolist"]), tolist(x))[1])
    run = engine._model.run
    monkeypatch.setattr(engine._model, "run", lambda *given: (calls.update(["run"]), run(*given))[1])
    draw = random.Random(3)
    requests, steps, captured = [], 0, 0
    for index in range(60):
        if draw.random() < 0.5:
            prompt = [draw.randrange(WORDS) for _ in range(draw.choice([1, 2, 5, 30]))]
            requests.append(engine.add(prompt, draw.randrange(1, 9), temperature=draw.choice([0.0, 1.0]), seed=index))
        if requests and draw.random() < 0.1:
            draw.choice(requests).cancel()
        steps += engine.step()
        if index == 30:
            captured = engine.programs
    while engine.step():
        steps += 1
    assert engine.programs <= 3 and engine.programs == captured
    assert reads["tolist"] <= steps == calls["run"]
    assert {request.reason for request in requests} == {"length", "cancelled"}
    assert engine.cache.free_pages == 40
    assert len(engine._model.one_each().explain().sizes.sizes) <= 2  # type: ignore[union-attr]


def test_the_cache_is_written_in_place(model: Any) -> None:
    """Programs have memory for their own values, which is less than a layer's keys."""
    engine = Engine(model, cache(2048))
    keys = [*engine.cache.keys]
    engine.generate(PROMPTS, 3)
    assert all(a is b for a, b in zip(keys, engine.cache.keys))
    for captured in engine._model.captures():
        assert captured.executable.arena_bytes < keys[0].numel() * 4


SETTINGS: list[dict[str, Any]] = [
    {}, {"temperature": 0.8, "seed": 1}, {"temperature": 1.5, "top_k": 5, "seed": 2}, {"temperature": 1.0, "top_p": 0.7, "seed": -3},
    {"temperature": 1.0, "min_p": 0.1, "seed": 4}, {"temperature": 0.8, "seed": 1},
]  # fmt: skip


def test_tokens_do_not_depend_on_company(engine: Engine) -> None:
    """Each request has settings of its own, comes at another step, and writes what it writes alone."""
    prompts = [*PROMPTS, [3] * 7, PROMPTS[1]]
    alone = [engine.generate([prompt], 10, **settings)[0] for prompt, settings in zip(prompts, SETTINGS)]
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 1, 4, 2, 0]):
        requests = {}
        for k in order:
            requests[k] = engine.add(prompts[k], 10, **SETTINGS[k])
            engine.step()
            engine.step()
        engine.run()
        assert [requests[k].tokens for k in range(6)] == alone
    assert alone[1] == engine.generate([prompts[1]], 10, temperature=0.8, seed=1)[0] != alone[0]
    assert alone[5] == alone[1] != engine.generate([prompts[1]], 10, temperature=0.8, seed=2)[0]


def test_pages_run_out(model: Any, expected: list[list[int]]) -> None:
    """Requests give up their pages, and are computed again to the same tokens, sampled ones too."""
    tight, wide = (Engine(model, cache(pages), max_tokens_per_step=16) for pages in (5, 64))
    suspended = []
    suspend = tight._suspend
    tight._suspend = lambda request: (suspended.append(request), suspend(request))[1]  # type: ignore[method-assign]
    assert tight.generate(PROMPTS, 12) == expected
    assert tight.generate(PROMPTS, 12, temperature=1.0, seed=7) == wide.generate(PROMPTS, 12, temperature=1.0, seed=7)
    assert suspended and tight.cache.free_pages == 5


def test_what_is_refused(model: Any, engine: Engine) -> None:
    """At the call, and nothing has changed."""
    for given, options, text in (
        ([], {}, "prompt is empty"), ("text", {}, "prompt must be"), ([1, -1], {}, "prompt must be"), ([1.0], {}, "prompt must be"),
        ([1], {"max_tokens": 0}, "max_tokens"), ([1], {"temperature": -1.0}, "temperature"), ([1], {"top_p": 2}, "top_p"),
        ([1], {"seed": "a"}, "seed"), ([1], {"stop": [[]]}, "empty"), ([1] * 500, {"max_tokens": 14}, "512 of the cache"),
        ([1], {"temperature": float("nan")}, "temperature"), ([1], {"min_p": "x"}, "min_p"), ([1], {"stop": 3}, "stop must be"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=text):
            engine.add(given, **options)
    assert not engine.step()
    with pytest.raises(ValueError, match="eval"):
        Engine(llama().train(), cache())
    with pytest.raises(TypeError, match="PagedCache"):
        Engine(model, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pages"):
        PagedCache(1, 1, 8, 0)


def test_the_longest_request_fits(model: Any) -> None:
    """The last token is not written into the cache."""
    small = Engine(model, cache(2))
    assert len(small.generate([[1] * 10], 7)[0]) == 7
    with pytest.raises(ValueError, match="16 of the cache"):
        small.add([1] * 10, 8)


def test_stops(engine: Engine, expected: list[list[int]]) -> None:
    """A token, or the last of several; it is given, and nothing behind it."""
    tokens = expected[2]
    at = next(k for k in range(1, 12) if tokens[k] not in tokens[:k])
    request = engine.add(PROMPTS[2], 12, stop=[tokens[at]])
    assert [*request] == tokens[: at + 1] and request.reason == "stop"
    request = engine.add(PROMPTS[2], 12, stop=[tokens[4:6], [WORDS - 1]])
    first = next(k for k in range(1, 12) if tokens[k - 1 : k + 1] == tokens[4:6])
    assert [*request] == tokens[: first + 1] and request.reason == "stop"
    assert [*engine.add(PROMPTS[2], 12)] == tokens


def test_streams_and_cancelled_requests(engine: Engine, expected: list[list[int]]) -> None:
    """An iterator gives tokens as they come, while others run; one that is cancelled ends, and gives its pages back."""
    first, second, third = (engine.add(prompt, 12) for prompt in PROMPTS[:3])
    stream = iter(first)
    assert [next(stream) for _ in range(3)] == expected[0][:3] and len(first.tokens) == 3
    second.cancel()
    third.cancel()
    third.cancel()
    assert [*stream] == expected[0][3:] and [*first] == expected[0]
    assert [*second] == expected[1][: len(second.tokens)] and second.reason == "cancelled"
    first.cancel()
    assert first.reason == "length" and engine.cache.free_pages == 64
    waiting = engine.add([1])
    waiting.cancel()
    assert not engine.step() and "cancelled" in repr(waiting)


def test_an_error_of_one_request_leaves_the_others(engine: Engine, expected: list[list[int]]) -> None:
    requests = [engine.add(prompt, 12) for prompt in (PROMPTS[0], [1, WORDS], PROMPTS[2])]
    assert [*requests[0]] == expected[0] and [*requests[2]] == expected[2]
    with pytest.raises(IndexError):
        [*requests[1]]
    assert requests[1].reason == "error" and engine.cache.free_pages == 64
    with pytest.raises(IndexError):
        engine.generate([PROMPTS[0], [WORDS]], 12)
    assert not engine.step()


def test_logits_of_nan_are_an_error_of_their_request() -> None:
    table = flow.eye(8).roll(1, 1) * 9
    table[5] = float("nan")

    def model(tokens: flow.Tensor, positions: flow.Tensor, packed: PackedTokens) -> flow.Tensor:
        return packed.wanted(table[tokens])

    engine = Engine(model, PagedCache(1, 1, 8, 8))
    good, bad = engine.add([6], 3), engine.add([3], 9)
    engine.run()
    assert good.tokens == [7, 0, 1] and bad.tokens == [4, 5]
    with pytest.raises(ValueError, match="NaN"):
        [*bad]


def test_threads_share_an_engine(engine: Engine, expected: list[list[int]]) -> None:
    found: dict[int, list[int]] = {}

    def serve(k: int) -> None:
        found[k] = [*engine.add(PROMPTS[k], 12)]

    threads = [threading.Thread(target=serve, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(4)] == expected


def test_half_types_and_other_pages(model: Any) -> None:
    """A cache of bfloat16, pages of 5 tokens."""
    import copy

    half = copy.deepcopy(model).to(flow.bfloat16)
    engine = Engine(half, PagedCache(2, 2, 64, 40, 5, dtype=flow.bfloat16))
    together = engine.generate(PROMPTS, 6)
    assert [engine.generate([prompt], 6)[0] for prompt in PROMPTS] == together


@pytest.mark.parametrize("kind", ["poor", "same"])
def test_a_draft_changes_no_token(model: Any, expected: list[list[int]], kind: str) -> None:
    """Greedy and sampled, where few proposals are right and where all are; a step still waits once."""
    poor = kind == "poor"
    draft = (llama(1, seed=1), cache(layers=1)) if poor else (model, cache())
    engine = Engine(model, cache(), max_tokens_per_step=16, draft=draft, ahead=3)
    plain = Engine(model, cache(), max_tokens_per_step=16)
    assert engine.generate(PROMPTS, 12) == expected
    assert [engine.generate([prompt], 12)[0] for prompt in PROMPTS] == expected
    assert poor or engine.accepted == engine.proposed > 0
    options = {"temperature": 1.0, "top_p": 0.9, "seed": 5}
    assert engine.generate(PROMPTS, 11, **options) == plain.generate(PROMPTS, 11, **options)
    assert engine.programs <= 6 and engine.cache.free_pages == draft[1].free_pages == 64
    tokens = expected[2]
    assert [*engine.add(PROMPTS[2], 12, stop=[tokens[3]])] == tokens[: tokens.index(tokens[3]) + 1]


def test_a_draft_whose_pages_run_out(model: Any, expected: list[list[int]]) -> None:
    engine = Engine(model, cache(6), max_tokens_per_step=16, draft=(model, cache(3)), ahead=3)
    assert engine.generate(PROMPTS, 12) == expected
    assert engine.cache.free_pages == 6 and engine._draft.served.cache.free_pages == 3  # type: ignore[union-attr]


def test_sampled_tokens_with_a_draft_follow_the_model() -> None:
    """Pairs of tokens of many seeds against products of probabilities, with a draft of other probabilities."""
    flow.manual_seed(0)
    table, other = flow.randn(6, 6) * 1.5, flow.randn(6, 6)

    def served(own: flow.Tensor) -> Any:
        return lambda tokens, positions, packed: packed.wanted(own[tokens])

    def pages() -> PagedCache:
        return PagedCache(1, 1, 8, 4096, 4)

    engine = Engine(served(table), pages(), draft=(served(table + other), pages()), ahead=2)
    count = 3000
    requests = [engine.add([2], 3, temperature=1.0, seed=seed) for seed in range(count)]
    engine.run()
    assert 0.2 < engine.accepted / engine.proposed < 0.95
    p = table.double().softmax(1)
    found = Counter((request.tokens[0], request.tokens[2]) for request in requests)
    middle = p @ p  # the second token is any
    for first in range(6):
        for last in range(6):
            share = (p[2, first] * middle[first, last]).item()
            assert abs(found[first, last] / count - share) < 4.5 * (share * (1 - share) / count) ** 0.5 + 1e-9
