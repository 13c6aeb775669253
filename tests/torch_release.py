"""What a comparison with torch needs of torch: tritonflow runs on releases that lack it, or compute it otherwise."""

from __future__ import annotations

import pytest
import torch

from tritonflow.versions import numbers


def is_since(release: str) -> bool:
    """Whether the installed torch is this release or a later one."""
    return numbers(torch.__version__) >= numbers(release)


NEW_FUNCTIONS = {"linear_cross_entropy": "2.13"}  # of torch.nn.functional, by the release that has them


def is_newer(name: str) -> bool:
    """Whether the reference of an op is a function that the installed torch is too old for."""
    return name in NEW_FUNCTIONS and not is_since(NEW_FUNCTIONS[name])


def marks_of(name: str) -> list[pytest.MarkDecorator]:
    """The marks of comparisons of an op with its reference."""
    return [since(NEW_FUNCTIONS[name], name)] if name in NEW_FUNCTIONS else []


def since(release: str, what: str) -> pytest.MarkDecorator:
    """The mark of a comparison with what torch has, or has right, since a release.

    Example:
        >>> since("2.0", "torch.compile").args
        (False,)
    """
    return pytest.mark.skipif(not is_since(release), reason=f"the comparison needs torch {release}: {what}")
