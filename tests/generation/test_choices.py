"""Biases, tokens at least, log-probabilities, samples of one prompt and stop strings."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tritonflow as flow
from tests.generation.test_engine import PROMPTS, WORDS, cache, llama
from tritonflow.generation import Engine, PackedTokens, PagedCache, sample_tokens
from tritonflow.generation.sampling import sample_noted
from tritonflow.generation.text import TextOf

INF = float("inf")


def spelled(tokens: list[int]) -> str:
    return bytes(tokens).decode("utf-8", "replace")


@pytest.fixture(scope="module")
def model() -> Any:
    return llama()


@pytest.fixture(scope="module")
def engine(model: Any) -> Engine:
    return Engine(model, cache(), vocabulary=WORDS, detokenize=spelled, max_tokens_per_step=16)


def chain(size: int = 64) -> Any:
    """Behind token n comes n + 1, and n + 2 is the next best."""
    table = flow.eye(size).roll(1, 1) * 9 + flow.eye(size).roll(2, 1) * 7

    def model(tokens: flow.Tensor, positions: flow.Tensor, packed: PackedTokens) -> flow.Tensor:
        return packed.wanted(table[tokens])

    return Engine(model, PagedCache(1, 1, 8, 64), vocabulary=size, detokenize=lambda tokens: "".join(chr(64 + t) for t in tokens))


def test_notes_are_masks_and_counts() -> None:
    """The kernel's words and biases give what masks, counts and sums give, with the bits of one another."""
    flow.manual_seed(0)
    rows, vocabulary = 5, 300
    logits, biases = flow.randn(rows, vocabulary), flow.randn(rows, vocabulary)
    counts = flow.randint(0, 4, (rows, vocabulary), dtype=flow.int32) * (flow.rand(rows, vocabulary) < 0.2).int()
    prompt = flow.rand(rows, vocabulary) < 0.3
    words = counts * 4 + prompt.int()
    settings = flow.tensor([[0.0, 0.7, 1.0, 1.3, 0.0], [0.9] * 5, [0.02] * 5, [1.4] * 5, [0.5] * 5, [0.2] * 5])
    top_k, seeds, steps = flow.tensor([0, 9, 0, 40, 0]), flow.arange(5), flow.arange(5) * 7
    order = [3, 1, 4, -1, 0]
    notes = flow.tensor([order, [7, -1, 9, 11, 250], [41, 0, 8, 12, 4], [0] * 5])
    mine = words.clone()
    for _ in range(2):  # written again, it is the same
        own = sample_noted(logits, settings, top_k, seeds, steps, (notes, biases, mine))
    for row, slot in enumerate(order):
        given = {"temperature": settings[0, row : row + 1], "top_p": 0.9, "min_p": 0.02, "top_k": top_k[row : row + 1]}
        x = logits[row : row + 1]
        if slot >= 0:
            word = words[slot].clone()
            if notes[1, row] >= 0:
                word[int(notes[1, row])] = notes[2, row].int()
            assert mine[slot].tolist() == word.tolist()
            x = x + biases[slot]
            given |= {"repetition_penalty": 1.4, "presence_penalty": 0.5, "frequency_penalty": 0.2}
            given |= {"prompt_mask": ((word & 1) > 0).unsqueeze(0), "output_counts": (word >> 2).unsqueeze(0)}
        expected = sample_tokens(x, seeds=seeds[row : row + 1], steps=steps[row : row + 1], **given)
        assert own[row].item() == expected.item(), row


def test_penalties_biases_and_least_lengths() -> None:
    engine = chain()
    assert engine.generate([[0]], 5) == [[1, 2, 3, 4, 5]]
    assert engine.generate([[0]], 4, logit_bias={1: -INF, 4: -3}) == [[2, 3, 5, 6]]
    assert engine.generate([[2, 5, 0]], 4, repetition_penalty=3.0) == [[1, 3, 4, 6]]
    assert engine.generate([[0]], 5, stop=[2, 3], min_tokens=3) == [[1, 0, 1, 2]]
    assert engine.generate([[0]], 9, stop=[3, 6], min_tokens=3) == [[1, 2, 4, 5, 6]]
    assert engine.generate([[0]], 9, stop=[[2, 3], [5, 6]], min_tokens=4) == [[1, 2, 3, 4, 5, 6]]
    assert engine.generate([[0]], 9, stop=["BC", "FG"], min_tokens=4) == [[1, 2, 3, 4, 5, 6, 7]]
    request = engine.add([0], 3, logit_bias={token: -INF for token in range(64)})
    with pytest.raises(ValueError, match="above -inf"):
        [*request]
    assert len(engine._notes._free) == 16 and engine.cache.free_pages == 64  # type: ignore[union-attr]


def test_log_probabilities(engine: Engine, model: Any) -> None:
    """Those of the model's logits over the whole text; asking changes no token, nor does company."""
    options = {"temperature": 1.0, "seed": 3, "top_k": 50, "frequency_penalty": 0.3}
    plain = engine.add(PROMPTS[2], 8, **options)
    asked, greedy = engine.add(PROMPTS[2], 8, logprobs=4, **options), engine.add([4], 8, logprobs=0)
    engine.run()
    assert asked.tokens == plain.tokens and not plain.logprobs and all(not each.top for each in greedy.logprobs)
    with flow.no_grad():
        expected = model(flow.tensor([PROMPTS[2] + asked.tokens]))[0, len(PROMPTS[2]) - 1 : -1].log_softmax(-1)
    assert len(asked.logprobs) == 8
    for token, found, row in zip(asked.tokens, asked.logprobs, expected):
        assert abs(found.chosen - row[token].item()) < 1e-3
        values, ids = row.topk(4)
        assert [token for token, _ in found.top] == ids.tolist()
        assert max(abs(a - b) for (_, a), b in zip(found.top, values.tolist())) < 1e-3


@pytest.mark.parametrize("share", [True, False])
def test_samples_share_their_prompt(model: Any, share: bool) -> None:
    """Each sample is what it is alone; the pages of the prompt are there once."""
    engine = Engine(model, cache(), max_tokens_per_step=64, share_prefixes=share)
    prompt = [*range(30, 63)]  # four whole pages, and one token
    samples = engine.add_samples(prompt, 4, 6, temperature=1.0, seed=9)
    while not all(sample.tokens for sample in samples):
        engine.step()
    firsts = {tuple(sample.pages[:4]) for sample in samples}
    assert len(firsts) == (1 if share else 4)
    assert engine.cache.free_pages == 64 - (4 + 4 if share else 4 * 5)
    engine.run()
    assert len({tuple(sample.tokens) for sample in samples}) == 4
    alone = Engine(model, cache(), max_tokens_per_step=64, share_prefixes=False)
    assert alone.generate([prompt], 6, temperature=1.0, seed=9) == [samples[0].tokens]
    again = alone.add_samples(prompt, 4, 6, temperature=1.0, seed=9)
    again[0].cancel()
    alone.run()
    assert [each.tokens for each in again[1:]] == [each.tokens for each in samples[1:]]


def test_stop_strings(engine: Engine) -> None:
    """The text ends before the string, and what may be its beginning is held back."""
    letters = chain()
    request = letters.add([0], 20, stop=["EFX", "GHI"])
    pieces = [*request.pieces()]
    assert pieces == ["A", "B", "C", "D", "EF"] and request.text == "ABCDEF" and request.reason == "stop"
    assert request.tokens == [*range(1, 10)]
    request = letters.add([0], 6, stop=["FGH"])
    assert "".join(request.pieces()) == request.text == "ABCDEF" and request.reason == "length"
    request = letters.add([0], 6, stop=[4, "Z"])  # a token that ends a request is no part of its text
    assert "".join(request.pieces()) == "ABC" and request.tokens[-1] == 4
    with pytest.raises(ValueError, match="detokenize"):
        Engine(lambda *given: given[0], PagedCache(1, 1, 8, 4)).add([1], stop=["a"])


def test_texts_of_random_bytes() -> None:
    """Pieces are the text up to the first stop string, whatever the tokens are cut into."""
    draw = random.Random(5)
    for _ in range(300):
        whole = "".join(draw.choice("ab€ß𝄞 ") for _ in range(draw.randrange(1, 30)))
        stops = ["".join(draw.choice("ab€ß") for _ in range(draw.randrange(1, 4))) for _ in range(draw.randrange(3))]
        raw, tokens = whole.encode(), list[bytes]()
        while raw:
            n = draw.randrange(1, 6)
            tokens.append(raw[:n])
            raw = raw[n:]
        text = TextOf(lambda ids: b"".join(tokens[i] for i in ids).decode("utf-8", "replace"), stops)  # noqa: B023
        shown, ended = "", False
        for token in range(len(tokens)):
            ended = text.add(token, True)
            now = text.shown(False)
            assert now.startswith(shown)
            shown = now
            if ended:
                break
        ends = [at for stop in stops if (at := whole.find(stop)) >= 0]
        assert ended == bool(ends) and text.shown(True).startswith(shown)
        assert text.shown(True) == (whole[: min(ends)] if ends else whole)


def test_what_is_refused(engine: Engine, model: Any) -> None:
    for options, text in (
        ({"repetition_penalty": 0.0}, "repetition"), ({"presence_penalty": INF}, "presence"), ({"logit_bias": {WORDS: 1.0}}, "vocabulary"),
        ({"logit_bias": {1: INF}}, "logit_bias"), ({"logit_bias": [1]}, "logit_bias"), ({"min_tokens": -1}, "min_tokens"),
        ({"logprobs": 21}, "max_logprobs"), ({"logprobs": -1}, "logprobs"), ({"stop": [""]}, "empty"), ({"frequency_penalty": "a"}, "number"),
        ({"logit_bias": {-1: 1.0}}, "logit_bias"), ({"best_of": 2}, "best_of"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=text):
            engine.add([1], **options)
    with pytest.raises(ValueError, match="n must be"):
        engine.add_samples([1], 0)
    for vocabulary in (WORDS - 1, WORDS + 1):
        request = Engine(model, cache(), vocabulary=vocabulary).add([1], presence_penalty=0.5)
        with pytest.raises(ValueError, match=f"vocabulary is {vocabulary}, but logits have 256"):
            [*request]
    with pytest.raises(ValueError, match="vocabulary="):
        Engine(model, cache()).add([1], presence_penalty=0.5)
    assert not engine.step()


def test_a_draft_beside_penalties(model: Any) -> None:
    """Requests with penalties get no proposals; others go on with theirs."""
    engine = Engine(model, cache(), draft=(model, cache()), ahead=3, vocabulary=WORDS, max_tokens_per_step=16)
    plain = Engine(model, cache(), vocabulary=WORDS, max_tokens_per_step=16)
    options = [{"frequency_penalty": 0.8}, {}, {"temperature": 1.0, "seed": 4, "logprobs": 2}, {"logit_bias": {3: 2.0}}]
    found = [[e.add(prompt, 9, **o) for prompt, o in zip(PROMPTS, options)] for e in (engine, plain)]
    engine.run()
    plain.run()
    assert [each.tokens for each in found[0]] == [each.tokens for each in found[1]] and engine.accepted > 0
    assert len(found[0][2].logprobs) == 9
    for a, b in zip(found[0][2].logprobs, found[1][2].logprobs):
        assert abs(a.chosen - b.chosen) < 1e-3
