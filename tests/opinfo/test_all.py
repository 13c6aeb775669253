"""Every sample of torch's OpInfos whose op exists here, in every form and five dtypes; known differences are in `exceptions`.

torch's samples are imported by the tests that need them, as that takes seconds.
"""

import functools
import re

import pytest
import torch

PARTS = 32
DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool)
COMPARED_APART = ("fft.", "linalg.", "sparse.")


@functools.cache
def existing():
    """The OpInfos whose op exists here."""
    from torch.testing._internal.common_methods_invocations import op_db

    from tests.opinfo.names import op_of

    return [info for info in op_db if op_of(info) is not None]


def faults(info, dtype):
    """What went wrong and is not known."""
    from tests.opinfo.check import outcomes
    from tests.opinfo.exceptions import reason_of

    said = [o for o in outcomes(info, dtype) if o.fault is not None and reason_of(info.name, o) is None]
    return [f"{info.formatted_name} {str(dtype)[6:]} {o.form}: {o.fault} ({o.sample})" for o in said]


@pytest.mark.hours
@pytest.mark.parametrize("part", range(PARTS))
def test_every_sample_agrees_with_torch(part):
    infos = [i for i in existing()[part::PARTS] if not i.name.startswith(COMPARED_APART)]
    found = [f for info in infos for dtype in DTYPES if info.supports_dtype(dtype, "cpu") for f in faults(info, dtype)]
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
