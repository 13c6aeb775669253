"""Arguments of an op as autograd takes them: one behind the other, those in lists and by keyword as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow.framework.tensor import Tensor


class Structure:
    """How a flat sequence of values makes the arguments of a call.

    Args:
        args, options: the arguments of one.

    Attributes:
        groups: of each argument the class of its sequence, or None, and how many values it has; those by keyword last.
        keywords: the names of the latter.
        results: the structure of the results, where lists are among them; the function that ran has set it.
        is_list: whether all results are one list.
    """

    def __init__(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.keywords = tuple(options)
        self.results: Structure | None = None
        self.is_list = False
        self.groups = [
            (type(value), len(value)) if holds_tensors(value) else (None, 1) for value in (*args, *options.values())
        ]

    def join(self, flat: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments that these values are."""
        found, values = [], iter(flat)
        for kind, count in self.groups:
            some = [next(values) for _ in range(count)]
            found.append(some[0] if kind is None else kind(some))
        split = len(found) - len(self.keywords)
        return tuple(found[:split]), dict(zip(self.keywords, found[split:]))

    def spread(self, found: Sequence[Any]) -> tuple[Any, ...]:
        """Gradients of the arguments by position, one for each value; those by keyword have none."""
        flat: list[Any] = []
        for (kind, count), gradient in zip(self.groups, [*found, *[None] * len(self.groups)]):
            flat += [gradient] if kind is None else [None] * count if gradient is None else list(gradient)
        return tuple(flat)

    def flat_results(self, result: Any) -> Any:
        """Results as autograd takes them: a tuple of tensors, which `joined_results` makes what they were."""
        self.is_list = result.__class__ is list
        several = (result,) if self.is_list else result
        if several.__class__ is not tuple or not any(map(holds_tensors, several)):
            self.results = None
            return result
        self.results = Structure(several, {})
        return tuple(flat(several, {}))

    def joined_gradients(self, grads: Sequence[Any]) -> Sequence[Any]:
        """Gradients of the results as a derivative takes them: a list for a list."""
        return grads if self.results is None else self.results.join(grads)[0]

    def joined_results(self, found: Any) -> Any:
        """The results that `flat_results` made flat."""
        if self.results is None:
            return found
        several = self.results.join(found)[0]
        return several[0] if self.is_list else several


def holds_tensors(value: Any) -> bool:
    """Whether an argument is a list or a tuple with tensors, or may be an empty one of them."""
    return value.__class__ in (list, tuple) and (not value or any(isinstance(each, Tensor) for each in value))


def flat(args: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """The values of a call's arguments, as `Structure.join` takes them."""
    found: list[Any] = []
    for value in (*args, *options.values()):
        found += value if holds_tensors(value) else [value]
    return found


def tensors_of(args: Sequence[Any], options: dict[str, Any]) -> list[Tensor]:
    """The tensors among a call's arguments."""
    found: list[Tensor] = []
    for value in (*args, *options.values()) if options else args:
        if isinstance(value, Tensor):
            found.append(value)
        elif value.__class__ in (list, tuple):
            found += [each for each in value if isinstance(each, Tensor)]
    return found


def mapped(function: Callable[[Tensor], Tensor], value: Any) -> Any:
    """A value with `function` of each tensor in it."""
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, dict):
        return {key: mapped(function, each) for key, each in value.items()}
    if value.__class__ in (list, tuple):
        return type(value)([mapped(function, each) for each in value])
    return value
