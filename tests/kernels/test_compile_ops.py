"""Every kernel that an op launches on a GPU compiles for sm_80 and sm_90, and no kernel of kernels/ is forgotten.

What is compiled comes from `compile_sweep`. The ordinary run compiles a sample: each kernel once, for one
architecture or the other; `-m long` compiles what each op asks for in float32 and, for each architecture, in three of the other
dtypes; `-m hours` compiles all of it for both.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy
import pytest
import torch
from triton.runtime.jit import JITFunction

from tests.kernels.compile_sweep import Request, Sweep, call_more, call_op, sweep
from tests.kernels.op_calls import name_of, templates
from tests.op_samples import DTYPES, entries
from tests.op_samples import tested_entries as entries_with_samples
from tests.sampling import by_turn
from tritonflow import triton_compat

QUICK_DTYPES = (torch.float32, torch.bfloat16, torch.int64)


@pytest.fixture(scope="module")
def everything() -> Sweep:
    """A few samples of every op in a few dtypes."""
    with sweep() as found:
        for entry in entries_with_samples():
            for dtype in QUICK_DTYPES:
                call_op(found, entry, dtype, numpy.random.default_rng(0), False, 2)
        call_more(found)
    return found


def compile_for(request: Request, arch: int) -> None:
    """Compile; what the front end itself rejects is not about GPUs, and the op's own tests see it on the CPU."""
    try:
        assert request.compile(arch).asm["cubin"]
    except Exception as error:
        try:
            triton_compat.lower_to_ttir(request.fn, request.signature, request.constexprs, request.attrs)
        except Exception:
            return
        pytest.fail(f"{request} does not compile for sm_{arch}: {error}")


def test_ops_run_on_a_gpu(everything: Sweep) -> None:
    """What runs on the CPU is planned for a GPU without an error."""
    assert not everything.problems, "\n".join(everything.problems[:20])


FOR_CPUS = {"radix_sort.radix_sort"}  # one element after the other


def test_no_kernel_is_forgotten(everything: Sweep) -> None:
    launched = {name_of(request.fn) for request in everything.requests}
    launched |= {
        name_of(v) for request in everything.requests for v in request.constexprs.values() if isinstance(v, JITFunction)
    }
    missing = sorted(set(templates()) - launched - FOR_CPUS)
    assert not missing, f"no call launches {missing}: add a sample to an op, or a call to op_calls.more_calls"


def sample_of(requests: list[Request]) -> Iterator[tuple[Request, int]]:
    """The first request of each kernel, for the architectures in turn."""
    first: dict[str, Request] = {}
    for request in requests:
        first.setdefault(name_of(request.fn), request)
    for number, name in enumerate(sorted(first)):
        yield first[name], (80, 90)[number % 2]


@pytest.mark.sampled(most=2)
@pytest.mark.parametrize("part", range(4))
def test_a_sample_compiles(everything: Sweep, part: int) -> None:
    for request, arch in list(sample_of(everything.requests))[part::4]:
        compile_for(request, arch)


@pytest.mark.long
@pytest.mark.parametrize("arch", (80, 90))
def test_kernels_of_special_sizes(arch: int) -> None:
    with sweep(arch) as found:
        call_more(found)
    for request in found.requests:
        compile_for(request, arch)


@pytest.mark.long
@pytest.mark.parametrize("name", [entry.name for entry in entries_with_samples() if entry.ops])
def test_every_kernel_of_an_op(name: str, rng: numpy.random.Generator) -> None:
    """A few samples in float32, and one or two in three other dtypes, on one architecture: for each op others."""
    (arch,) = by_turn(name, (80, 90), 1)
    with sweep(arch) as found:
        call_op(found, entries()[name], torch.float32, rng, False, 4)
        for dtype in by_turn(name, DTYPES[1:], 3):
            call_op(found, entries()[name], dtype, rng, False, 2)
    for request in found.requests:
        compile_for(request, arch)


@pytest.mark.hours
@pytest.mark.parametrize("arch", (80, 90))
@pytest.mark.parametrize("name", [entry.name for entry in entries_with_samples()])
def test_every_kernel_of_every_sample(name: str, arch: int, rng: numpy.random.Generator) -> None:
    """A few samples in every dtype, and in float32 every sample; in every layout on one of the architectures."""
    with sweep(arch) as found:
        for dtype in DTYPES:
            everything = dtype is torch.float32
            call_op(found, entries()[name], dtype, rng, everything and arch == 90, 1000 if everything else 4)
    for request in found.requests:
        compile_for(request, arch)
