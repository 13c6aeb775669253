"""Samples of torch's OpInfos whose op exists here, in every form; known differences are in `exceptions`.

The long run has a sample of every op, `hours` every sample in five dtypes. torch's samples are imported by the tests that need
them, as that takes seconds.
"""

import functools
import re

import pytest
import torch

from tests.sampling import by_turn

PARTS = 32
DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool)


@functools.cache
def existing():
    """The OpInfos whose op exists here."""
    from torch.testing._internal.common_methods_invocations import op_db

    from tests.opinfo.names import op_of

    return [info for info in op_db if op_of(info) is not None]


def faults(info, dtype, most=None):
    """What went wrong with the samples, or with so many of them, and is not known."""
    if not info.supports_dtype(dtype, "cpu"):
        return []
    from tests.opinfo.check import outcomes
    from tests.opinfo.exceptions import reason_of

    said = [o for o in outcomes(info, dtype, most) if o.fault is not None and reason_of(info.name, o) is None]
    return [f"{info.formatted_name} {str(dtype)[6:]} {o.form}: {o.fault} ({o.sample})" for o in said]


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_a_sample_of_every_op_agrees_with_torch(part):
    others = [dtype for dtype in DTYPES if dtype is not torch.float64]
    found = []
    for info in existing()[part::PARTS]:
        for dtype in (torch.float64, *by_turn(info.formatted_name, others, 1)):
            found += faults(info, dtype, 1)
    assert not found, "\n".join(found)


@pytest.mark.hours
@pytest.mark.parametrize("part", range(PARTS))
def test_every_sample_agrees_with_torch(part):
    found = [f for info in existing()[part::PARTS] for dtype in DTYPES for f in faults(info, dtype)]
    assert not found, "\n".join(found)


@pytest.mark.hours
def test_most_ops_of_torch_exist():
    assert len({info.name for info in existing()}) >= 600


@pytest.mark.hours
def test_exceptions_name_ops_that_exist():
    from torch.testing._internal.common_methods_invocations import op_db

    from tests.opinfo.exceptions import EXCEPTIONS

    names = {info.name for info in op_db}
    assert all(any(re.fullmatch(pattern, n) for n in names) for pattern, *_ in EXCEPTIONS)
