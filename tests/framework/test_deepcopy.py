"""`copy.deepcopy` of tensors, beside torch."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch

import tritonflow as flow


def test_copies_share_memory_where_the_tensors_do() -> None:
    found = []
    for lib in (torch, flow):
        base: Any = lib.arange(6.0).reshape(2, 3)
        copies = copy.deepcopy({"base": base, "row": base[1], "turned": base.t(), "again": base, "bits": base.view(lib.int32)})
        assert copies["again"] is copies["base"]
        copies["row"].fill_(9)
        copies["turned"][0, 0] = 7
        assert copies["turned"].stride() == (1, 3) and copies["row"].storage_offset() == 3
        found.append([base.tolist(), *[x.tolist() for x in copies.values()]])
    assert found[0] == found[1]


@pytest.mark.parametrize("lib", [torch, flow])
def test_leaves_keep_what_they_are(lib: Any) -> None:
    leaf = lib.ones(2, 3).t().requires_grad_() if lib is flow else lib.ones(2, 3).t().clone().requires_grad_()
    (leaf * 2).sum().backward()
    made, empty, number = copy.deepcopy([leaf, lib.ones(0, 3), lib.tensor(3)])
    assert made.requires_grad and made.is_leaf and made.grad.tolist() == [[2, 2]] * 3
    assert made.stride() == leaf.stride() and empty.shape == (0, 3) and number.item() == 3
