"""Sampling of tokens against a sort in float64: which tokens may be drawn, how often, by which numbers."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import tritonflow as flow

sample = flow.generation.sample_tokens


def reference(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0,
    repetition: float = 1.0, presence: float = 0.0, frequency: float = 0.0, prompt: Any = None, counts: Any = None,
) -> torch.Tensor:  # fmt: skip
    """The probabilities of one row, by sorting; equal tokens are all in or all out."""
    v = logits.double()
    counts = torch.zeros_like(v) if counts is None else counts.double()
    seen = counts > 0 if prompt is None else (counts > 0) | prompt
    v = torch.where(seen, torch.where(v > 0, v / repetition, v * repetition), v) - frequency * counts - presence * (counts > 0)
    if temperature == 0:
        return torch.nn.functional.one_hot(v.argmax(), len(v)).double()
    if 0 < top_k < len(v):
        v = torch.where(v >= v.sort(descending=True)[0][top_k - 1], v, -torch.inf)
    p = torch.softmax(v / temperature, 0)
    above = torch.stack([p[p > x].sum() for x in p])
    p = torch.where((above < top_p) | (p == p.max()) | (top_p == 1), p, 0)
    p = torch.where(p >= min_p * p.max(), p, 0)
    return p / p.sum()


SETTINGS: list[dict[str, Any]] = [
    {}, {"temperature": 0.3}, {"temperature": 7.0}, {"temperature": 0.0}, {"top_k": 1}, {"top_k": 5}, {"top_k": 1000}, {"top_k": -1},
    {"top_p": 0.0}, {"top_p": 0.5}, {"top_p": 0.97}, {"top_p": 1.0}, {"min_p": 0.3}, {"min_p": 1.0}, {"top_k": 7, "top_p": 0.6},
    {"temperature": 1.5, "top_k": 20, "top_p": 0.9, "min_p": 0.1},
]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("vocabulary", [1, 40, 3000])
def test_tokens_are_drawn_as_often_as_a_sort_says(vocabulary: int, settings: dict[str, Any]) -> None:
    """Row n takes the n-th number of a seed: inverse sums of probabilities, so that shares are within 1/n but for ties of rounding."""
    logits = 2 * torch.randn(vocabulary)
    logits[: vocabulary // 4] = logits[: vocabulary // 4].round()  # ties
    expected = reference(logits, **settings)
    n = 4096
    rows = flow.from_torch(logits).expand(n, vocabulary)
    tokens = flow.to_torch(sample(rows, **settings, generator=flow.Generator().manual_seed(3)))
    found = torch.bincount(tokens, minlength=vocabulary) / n
    assert not found[expected == 0].any()
    assert (found - expected).abs().max() < 4.5 * (0.25 / n) ** 0.5
    assert (found[expected * n > 40] > 0).all()


def test_each_row_has_settings_of_its_own() -> None:
    """What a row draws with a seed does not depend on the others, nor on where it stands, nor on the rows' dtype of settings."""
    logits = torch.randn(len(SETTINGS), 500)
    names = ("temperature", "top_k", "top_p", "min_p")
    default = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}
    columns = {n: flow.tensor([(default | s)[n] for s in SETTINGS]) for n in names}
    seeds, steps = flow.arange(len(SETTINGS)) + 2**40, flow.arange(len(SETTINGS)) * 3
    x = flow.from_torch(logits)
    together = sample(x, **columns, seeds=seeds, steps=steps)
    turned = sample(x.flip(0), **{n: c.flip(0) for n, c in columns.items()}, seeds=seeds.flip(0), steps=steps.flip(0))
    assert together.tolist() == turned.flip(0).tolist()
    for k, settings in enumerate(SETTINGS):
        alone = sample(x[k : k + 1], **settings, seeds=seeds[k : k + 1], steps=steps[k : k + 1])
        assert alone.item() == together[k].item()
        assert reference(logits[k], **settings)[int(alone)] > 0


def test_penalties() -> None:
    """Of the prompt and of what was drawn; by sums of two seeds' draws over many rows."""
    vocabulary, n = 12, 4096
    logits, prompt = torch.randn(vocabulary), torch.arange(vocabulary) % 3 == 0
    counts = torch.tensor([0, 0, 1, 2, 0, 0, 0, 5, 0, 1, 0, 0], dtype=torch.int32)
    expected = reference(logits, 0.8, repetition=1.4, presence=0.5, frequency=0.25, prompt=prompt, counts=counts)
    tokens = sample(
        flow.from_torch(logits).expand(n, vocabulary), 0.8, 0, 1.0, 0.0, 1.4, flow.full((n,), 0.5), 0.25,
        prompt_mask=flow.from_torch(prompt).expand(n, vocabulary), output_counts=flow.from_torch(counts).expand(n, vocabulary),
        seeds=flow.zeros(n, dtype=flow.int64), steps=flow.arange(n),
    )  # fmt: skip
    found = torch.bincount(flow.to_torch(tokens), minlength=vocabulary) / n
    assert (found - expected).abs().max() < 4.5 * (0.25 / n) ** 0.5


@pytest.mark.parametrize("dtype", [flow.float32, flow.float16, flow.bfloat16, flow.float64])
def test_rows_out_of_the_ordinary(dtype: Any) -> None:
    inf = float("inf")
    rows = flow.tensor([
        [-inf, -inf, -inf], [-inf, -3.0, -inf], [inf, 1.0, 2.0], [1.0, float("nan"), 2.0], [2.0, 2.0, 2.0], [-inf, 60000.0, -60000.0],
    ], dtype=dtype)  # fmt: skip
    for settings in SETTINGS:
        tokens = sample(rows, **settings).tolist()
        assert tokens[:4] == [-1, 1, 0, -1] and 0 <= tokens[4] <= 2 and tokens[5] == 1, settings
    assert sample(rows, 0.0).tolist()[4] == 0
    assert sample(flow.empty(0, 5)).shape == (0,)
    assert sample(rows.expand(2, 6, 3)[:, 1, :], 0.0).tolist() == [1, 1]
    wide = flow.zeros(2, 6, dtype=dtype)[:, ::2]
    wide[:, 1] = 4
    assert sample(wide, 0.0).tolist() == [1, 1]


def test_the_generator_moves_on() -> None:
    logits = flow.zeros(8, 1000)
    flow.manual_seed(5)
    first, second = sample(logits).tolist(), sample(logits).tolist()
    flow.manual_seed(5)
    assert sample(logits).tolist() == first != second
    step = flow.compile(lambda x: sample(x, top_k=50))
    flow.manual_seed(5)
    eager = [sample(logits, top_k=50).tolist() for _ in range(2)]
    flow.manual_seed(5)
    assert [step(logits).tolist() for _ in range(2)] == eager


def test_bad_input() -> None:
    logits = flow.zeros(2, 4)
    seeds = flow.tensor([1, 2])
    for keywords, error in (
        ({"temperature": -1.0}, ValueError), ({"top_p": 1.1}, ValueError), ({"min_p": flow.tensor([0.1, 2.0])}, ValueError),
        ({"top_k": 1.5}, TypeError), ({"temperature": flow.ones(3)}, RuntimeError), ({"top_k": flow.ones(2)}, RuntimeError),
        ({"steps": seeds}, ValueError), ({"seeds": seeds, "generator": flow.Generator()}, ValueError),
        ({"output_counts": flow.zeros(2, 3, dtype=flow.int32)}, RuntimeError), ({"prompt_mask": flow.zeros(2, 4)}, TypeError),
        ({"temperature": flow.tensor([float("nan"), 1.0])}, ValueError), ({"repetition_penalty": 0.0}, ValueError),
    ):  # fmt: skip
        with pytest.raises((error, RuntimeError) if error is TypeError else error):
            sample(logits, **keywords)
            flow.sync()
    with pytest.raises(RuntimeError, match="batch, vocabulary"):
        sample(logits[0])
    with pytest.raises(NotImplementedError):
        sample(logits.long())
