"""How the tokens of a request are chosen, and what `Engine.add` is given for it, checked."""

from __future__ import annotations

from typing import Any, NamedTuple

from tritonflow.errors import ArgumentTypeError, ArgumentValueError


class TokenChoice(NamedTuple):
    """How the tokens of a request are chosen, as by `sample_tokens`.

    Attributes:
        first: the number of the seed that the first token takes.
    """

    temperature: float
    top_k: int
    top_p: float
    min_p: float
    seed: int
    repetition: float = 1.0
    presence: float = 0.0
    frequency: float = 0.0
    first: int = 0

    @property
    def is_penalised(self) -> bool:
        """Whether it depends on the tokens before."""
        return (self.repetition, self.presence, self.frequency) != (1.0, 0.0, 0.0)


GREEDY = TokenChoice(0.0, 0, 1.0, 0.0, 0)


_INF = float("inf")
_RANGES = {
    "temperature": (0.0, 0.0, _INF), "top_p": (1.0, 0.0, 1.0), "min_p": (0.0, 0.0, 1.0), "repetition_penalty": (1.0, 1e-30, _INF),
    "presence_penalty": (0.0, -_INF, _INF), "frequency_penalty": (0.0, -_INF, _INF),
}  # fmt: skip


def checked_choice(given: dict[str, Any]) -> TokenChoice:
    """Settings of `sample_tokens` that are in their ranges."""
    for name in given:
        if name not in _RANGES and name not in ("top_k", "seed"):
            raise ArgumentTypeError(f"Engine.add(): got an unexpected keyword argument '{name}'")
    numbers = []
    for name, (default, least, most) in _RANGES.items():
        value = given.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ArgumentTypeError(f"Engine.add(): {name} must be a number, not {type(value).__name__}")
        if not least <= value <= most or abs(value) > 3e38:
            raise ArgumentValueError(f"Engine.add(): {name} is out of its range: {value}")
        numbers.append(float(value))
    top_k, seed = given.get("top_k", 0), given.get("seed", 0)
    for name, value in (("top_k", top_k), ("seed", seed)):
        if type(value) is not int or not -(2**63) <= value < 2**63:
            raise ArgumentTypeError(f"Engine.add(): {name} must be an int of 64 bits, not {value!r}")
    temperature, top_p, min_p, repetition, presence, frequency = numbers
    top_k = min(max(top_k, 0), 2**31 - 1)
    return TokenChoice(temperature, top_k, top_p, min_p, seed, repetition, presence, frequency)


def checked_count(name: str, value: Any, least: int = 0) -> int:
    """An int that is large enough."""
    if type(value) is not int or value < least:
        raise ArgumentValueError(f"Engine.add(): {name} must be an int of at least {least}, not {value!r}")
    return value


def checked_tokens(name: str, tokens: Any) -> list[int]:
    """Numbers of tokens as a list of integers."""
    found = tokens.tolist() if hasattr(tokens, "tolist") else tokens
    if not isinstance(found, (list, tuple)) or not all(type(token) is int and token >= 0 for token in found):
        raise ArgumentTypeError(f"Engine.add(): {name} must be a sequence of ints of at least 0")
    return [*found]


def checked_stops(stop: Any) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """Stop tokens, and sequences of such, each as a tuple; and stop strings."""
    if isinstance(stop, (int, str)) or not hasattr(stop, "__iter__"):
        raise ArgumentTypeError(f"Engine.add(): stop must be tokens, sequences of tokens, or strings, in a list, not {stop!r}")
    given = [*stop]
    texts = tuple([each for each in given if isinstance(each, str)])
    rest = [each for each in given if not isinstance(each, str)]
    found = [tuple(checked_tokens("stop", [each] if type(each) is int else each)) for each in rest]
    if not all(found) or not all(texts):
        raise ArgumentValueError("Engine.add(): a sequence of tokens in stop, or a string, is empty")
    return tuple(found), texts


def checked_biases(biases: Any) -> dict[int, float]:
    """What is added to the logits of tokens; -inf forbids one."""
    given = {} if biases is None else biases
    if not isinstance(given, dict):
        raise ArgumentTypeError(f"Engine.add(): logit_bias must be a dict of tokens and numbers, not {type(given).__name__}")
    checked_tokens("logit_bias", [*given])
    for token, bias in given.items():
        if isinstance(bias, bool) or not isinstance(bias, (int, float)) or not (bias == -float("inf") or abs(bias) <= 3e38):
            raise ArgumentValueError(f"Engine.add(): the logit_bias of {token} must be a finite number or -inf, not {bias!r}")
    return {token: float(bias) for token, bias in given.items()}
