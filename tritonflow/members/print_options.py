"""How tensors print: the options that programs set, with torch's names, defaults and profiles."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Iterator
from typing import Any


@dataclasses.dataclass
class PrintOptions:
    """What `set_printoptions` sets.

    Attributes:
        precision: digits behind the point.
        threshold: number of elements from which the middle is left out.
        edgeitems: how many are shown at each end then.
        linewidth: characters in a line.
        sci_mode: scientific notation always, never, or (None) where the range of values asks for it.
    """

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PRINT_OPTS = PrintOptions()
_PROFILES: dict[str | None, dict[str, Any]] = {
    None: {},
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """How tensors print from now on.

    Args:
        precision: digits behind the point.
        threshold: number of elements from which the middle is left out.
        edgeitems: how many are shown at the ends then.
        linewidth: characters in a line.
        profile: "default", "short" or "full" set the others first.
        sci_mode: scientific notation always, never, or (None, which each call sets anew) where the range of values asks for it.

    Raises:
        ValueError: another profile, or a number below 0.
        TypeError: what is to be a number is none.

    Example:
        >>> import tritonflow as flow
        >>> flow.set_printoptions(precision=2)
        >>> flow.tensor([1.12345])
        tensor([1.12])
        >>> flow.set_printoptions(profile="default")
        >>> flow.tensor([1.12345])
        tensor([1.1235])

    Source: https://pytorch.org/docs/stable/generated/torch.set_printoptions.html
    """
    if profile not in _PROFILES:
        raise ValueError(f"set_printoptions(): profile must be 'default', 'short' or 'full', not {profile!r}")
    values = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    given = {name: value for name, value in values.items() if value is not None}
    for name, value in given.items():
        kinds: Any = (int, float) if name == "threshold" else int
        if not isinstance(value, kinds):
            raise TypeError(f"set_printoptions(): argument '{name}' must be a number, not {type(value).__name__}")
        if value < 0:
            raise ValueError(f"set_printoptions(): argument '{name}' must not be below 0, but it is {value}")
    for name, value in {**_PROFILES[profile], **given, "sci_mode": sci_mode}.items():
        setattr(PRINT_OPTS, name, value)


def get_printoptions() -> dict[str, Any]:
    """The options as they are now; `set_printoptions(**options)` sets them again.

    Example:
        >>> from tritonflow.members.print_options import get_printoptions
        >>> get_printoptions()["edgeitems"]
        3
    """
    return dataclasses.asdict(PRINT_OPTS)


@contextlib.contextmanager
def printoptions(**options: Any) -> Iterator[None]:
    """A block in which tensors print otherwise; the arguments are those of `set_printoptions`.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.members.print_options import printoptions
        >>> with printoptions(precision=1):
        ...     print(flow.tensor([0.25, 0.5]))
        tensor([0.2, 0.5])
    """
    before = get_printoptions()
    set_printoptions(**options)
    try:
        yield
    finally:
        set_printoptions(**before)
