"""The next tokens of a batch, of which each row may have settings of its own."""

from __future__ import annotations

from math import inf
from typing import Any

from tritonflow.binding.target import target_like
from tritonflow.dtypes import DType, bool_, float32, int32, int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, DTypeError, ShapeError, type_name
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.cast import cast
from tritonflow.functions.random import state_of
from tritonflow.functions.random_generator import Generator
from tritonflow.functions.random_sampling import sample_tokens as draw_tokens
from tritonflow.interpreter.grad_mode import no_grad
from tritonflow.ops.dtype_rules import require

Setting = float | Tensor


def sample_tokens(
    logits: Tensor,
    temperature: Setting = 1.0,
    top_k: int | Tensor = 0,
    top_p: Setting = 1.0,
    min_p: Setting = 0.0,
    repetition_penalty: Setting = 1.0,
    presence_penalty: Setting = 0.0,
    frequency_penalty: Setting = 0.0,
    *,
    prompt_mask: Tensor | None = None,
    output_counts: Tensor | None = None,
    seeds: Tensor | None = None,
    steps: Tensor | None = None,
    generator: Generator | None = None,
) -> Tensor:
    """The next token of each row of logits, in at most two launches.

    Each setting is a number for all rows or a tensor with one for each. They are applied in this order:

    - Penalties. The logits of tokens that were seen, in the prompt or behind it, are divided by
      repetition_penalty where they are positive and multiplied by it elsewhere. Of those seen behind the prompt
      presence_penalty is subtracted, and frequency_penalty for each time.
    - temperature divides the logits; where it is 0 the token is the first of the largest logits.
    - top_k keeps the k largest logits, and those equal to the last of them; 0 and less keep all.
    - top_p keeps a token if more probable ones have less than top_p together; the most probable are always kept.
    - min_p keeps tokens with at least this share of the largest probability.

    A token is drawn from what is kept, with 64 random bits. Equal tokens are all kept or all left out. It is
    computed in float32, and probabilities are added in float64.

    Args:
        logits: scores of the vocabulary, of any floating dtype.
        temperature: 0 or more.
        top_k: how many logits are kept.
        top_p: between 0 and 1.
        min_p: between 0 and 1.
        repetition_penalty: more than 0.
        presence_penalty: any number.
        frequency_penalty: any number.
        prompt_mask: bool: which tokens the prompt has.
        output_counts: int32: how often each token was drawn.
        seeds: int64: a seed for each row, whose token does not depend on the other rows then.
        steps: int64: with seeds, which of the numbers of its seed a row takes, 0 unless given.
        generator: draws the numbers without seeds; the device's default generator unless given.

    Shape:
        (B, V), settings, seeds and steps (B), prompt_mask and output_counts (B, V) -> (B), int64.

    Returns:
        The tokens; -1 for a row with a NaN or without a logit above -inf.

    Raises:
        ValueError: a setting out of its range, seeds and a generator, or steps without seeds.
        RuntimeError: shapes or dtypes that do not fit.
        NotImplementedError: logits that are not floating.
        TypeError: a setting that is neither a number nor a tensor.

    Source: the names and their order are those of vLLM and transformers.

    Example:
        >>> import tritonflow as flow
        >>> logits = flow.tensor([[1.0, 4.0, 2.0], [5.0, 5.0, 9.0]])
        >>> flow.generation.sample_tokens(logits, temperature=0.0)
        tensor([1, 2])
        >>> flow.generation.sample_tokens(logits, top_k=flow.tensor([1, 3]), top_p=0.5)
        tensor([1, 2])
    """
    require("sample_tokens", "floating", logits.meta.dtype, "logits")
    if logits.meta.ndim != 2 or not logits.meta.shape[1]:
        raise ShapeError(f"sample_tokens(): expected logits of (batch, vocabulary), but got {list(logits.meta.shape)}")
    _check_numbers(temperature, top_p, min_p, repetition_penalty)
    given = {
        "temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p, "repetition_penalty": repetition_penalty,
        "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty,
    }  # fmt: skip
    rows, vocabulary = logits.meta.shape
    tensors, numbers = zip(*[_setting(name, value, rows) for name, value in given.items()])
    _check("prompt_mask", prompt_mask, (rows, vocabulary), bool_)
    _check("output_counts", output_counts, (rows, vocabulary), int32)
    _check("seeds", seeds, (rows,), int64)
    _check("steps", steps, (rows,), int64)
    if seeds is None and steps is not None:
        raise ArgumentValueError("sample_tokens(): steps are those of seeds, which are not given")
    if seeds is not None and generator is not None:
        raise ArgumentValueError("sample_tokens(): expected seeds or a generator, but got both")
    with no_grad():
        state = state_of(generator, target_like("sample_tokens", logits, 1)) if seeds is None else None
        others = (prompt_mask, output_counts, seeds, steps, state, None, None, None)
        return draw_tokens(logits, *tensors, *others, *numbers)  # type: ignore[no-any-return]


def sample_noted(
    logits: Tensor, settings: Tensor, top_k: Tensor, seeds: Tensor, steps: Tensor, notes: tuple[Tensor, ...]
) -> Tensor:
    """The same for rows of a loop that serves requests, of which all is checked.

    Args:
        settings: (6, rows): temperature, top_p, min_p, and the penalties of repetition, presence and frequency.
        notes: (notes, biases, words) as of `kernels/sampling.py`, or nothing.
    """
    temperature, top_p, min_p, repetition, presence, frequency = [settings[k] for k in range(6)]
    tensors = (temperature, cast(top_k, int32), top_p, min_p, repetition, presence, frequency, None, None, seeds, steps, None)
    numbers = (0.0, 0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return draw_tokens(logits, *tensors, *(notes or (None, None, None)), *numbers)  # type: ignore[no-any-return]


def _setting(name: str, value: Any, rows: int) -> tuple[Tensor | None, float | int]:
    """(a tensor of the kernel's dtype, 0) or (None, a number)."""
    whole = name == "top_k"
    if isinstance(value, Tensor):
        if value.meta.shape != (rows,) or (whole and value.meta.dtype.is_floating_point):
            raise ShapeError(
                f"sample_tokens(): expected {name} to be a number or ({rows},){', of integers' if whole else ''}, but got"
                f" {list(value.meta.shape)}, {value.meta.dtype}"
            )
        with no_grad():
            return cast(value, int32 if whole else float32), 0 if whole else 0.0
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise ArgumentTypeError(f"sample_tokens(): argument '{name}' must be a number or a tensor, not {type_name(value)}")
    return None, min(max(value, 0), 2**31 - 1) if whole else float(value)


def _check_numbers(temperature: Any, top_p: Any, min_p: Any, repetition: Any) -> None:
    """What is known before a row is read; settings in tensors are looked at by the kernel."""
    largest = {"top_p": 1.0, "min_p": 1.0}
    for name, value in (("temperature", temperature), ("top_p", top_p), ("min_p", min_p), ("repetition_penalty", repetition)):
        if not isinstance(value, (int, float)):
            continue
        if not 0 <= value <= largest.get(name, inf) or (name == "repetition_penalty" and not value):
            raise ArgumentValueError(f"sample_tokens(): {name} is out of its range: {value}")


def _check(name: str, value: Tensor | None, shape: tuple[int, ...], dtype: DType) -> None:
    if value is None:
        return
    if value.meta.shape != shape:
        raise ShapeError(f"sample_tokens(): expected {name} to be {list(shape)}, but got {list(value.meta.shape)}")
    if value.meta.dtype is not dtype:
        raise DTypeError(f"sample_tokens(): expected {name} to be of {dtype}, but got {value.meta.dtype}")
