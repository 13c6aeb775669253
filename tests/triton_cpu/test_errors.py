"""What cannot be compiled is an error that names the operation and its line, never a wrong number."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from tests.triton_cpu.support import run
from tritonflow import triton_compat, triton_cpu, versions
from tritonflow.errors import UnsupportedVersionError
from tritonflow.triton_cpu import CompileError, ParseError, UnsupportedError
from tritonflow.triton_cpu.locations import Locations
from tritonflow.triton_cpu.parser import parse, parse_type, split_top


@triton.jit
def unknown(x):
    return tl.inline_asm_elementwise("nop", "=r,r", [x], tl.int32, is_pure=True, pack=1)


@triton.jit
def unknown_kernel(x):
    tl.store(x, unknown(tl.load(x)))


@triton.jit
def copy_kernel(x, o):
    tl.store(o, tl.load(x))


def test_an_unsupported_operation_is_named() -> None:
    first = inspect.getsourcelines(unknown.fn)[1]
    inlined = rf"test_errors\.py:{first + 2}, called from test_errors\.py:{first + 7}"
    with pytest.raises(UnsupportedError, match=rf"tt\.elementwise_inline_asm \({inlined}; TTIR line \d+\)"):
        run(unknown_kernel, (1,), torch.zeros(1, dtype=torch.int32))


def test_unknown_targets() -> None:
    with pytest.raises(CompileError, match="unknown CPU target 'pentium-x'"):
        run(copy_kernel, (1,), torch.zeros(1), torch.zeros(1), cpu="pentium-x")


def test_incomplete_signature() -> None:
    with pytest.raises(CompileError, match="the signature lacks o"):
        triton_cpu.compile(copy_kernel, {"x": "*fp32"}, {})


def module(body: str) -> str:
    return f"module {{\n  tt.func public @f(%arg0: i32) attributes {{noinline = false}} {{\n{body}\n    tt.return\n  }}\n}}"


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("%0 = arith.addi %arg0, %9 : i32", ParseError, r"%9 is used before it is defined \(TTIR line 3\)"),
        ("scf.for %i = %arg0 up to %arg0 {", ParseError, "scf.for has an unknown layout"),
        ("%0 = arith.sitofp %arg0 : i32 to f8E3M4", UnsupportedError, "type f8E3M4"),
        ("%0 = scf.execute_region -> i32 {", UnsupportedError, "scf.execute_region with a region"),
        ("cf.switch %arg0 : i32, [default: ^bb1]", UnsupportedError, "cf.switch"),
    ],
)
def test_text_that_is_not_known(body: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse(module(body))


LOCATED = """#loc = loc("/a/kernel.py":1:0)
module {
  tt.func public @f(%arg0: i32 loc("x"(#loc))) attributes {noinline = false} {
    tt.print " loc(" {hex = false, isSigned = array<i32: 1>} : %arg0 : i32 loc(callsite("/b/helper (old).py":7:2 at #loc2))
    scf.if %c {
      tt.return loc(#loc3)
    } else {
    } loc(#loc2)
  } loc(#loc)
} loc(#loc)
#loc1 = loc(unknown)
#loc2 = loc("r"("/a/kernel.py":12:8))
#loc3 = loc(callsite(#loc1 at callsite(#loc2 at #loc2)))
"""


def test_locations() -> None:
    locations = Locations(LOCATED)
    text = dict(locations.lines)
    assert text[3] == "tt.func public @f(%arg0: i32) attributes {noinline = false} {"
    assert text[4] == 'tt.print " loc(" {hex = false, isSigned = array<i32: 1>} : %arg0 : i32'
    assert locations.source(4) == "helper (old).py:7, called from kernel.py:12"
    assert [locations.source(n) for n in (5, 6, 99, None)] == ["kernel.py:12", "kernel.py:12", "", ""]


def test_types_and_lists() -> None:
    assert parse_type("tensor<4x8x!tt.ptr<f16>>").dims == (4, 8)
    assert parse_type("tensor<4x8x!tt.ptr<f16>>").elem == "!tt.ptr<f16>"
    assert parse_type("i32").shape is None
    assert split_top('a, f(b, c), "x, y", (i32, i32) -> i32') == ["a", "f(b, c)", '"x, y"', "(i32, i32) -> i32"]


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    triton_compat.check_version()
    monkeypatch.setattr(triton, "__version__", "3.5.1")
    with pytest.raises(
        UnsupportedVersionError, match=r"triton 3\.5\.1 is not supported: it is older than 3\.6\nhelp: install"
    ):
        triton_compat.check_version.__wrapped__()
    monkeypatch.setattr(triton, "__version__", "4.1.0")
    monkeypatch.setattr(triton_compat.internals, "ASTSource", object)
    with pytest.raises(UnsupportedVersionError, match=r"triton 4\.1\.0 .* has no 'make_ir'"):
        triton_compat.check_version.__wrapped__()
    with pytest.raises(
        UnsupportedVersionError, match=r"torch 2\.9\.1\+cpu is not supported: it is older than 2\.11\nhelp: install"
    ):
        versions.check("torch", "2.9.1+cpu")


@pytest.mark.parametrize(
    "release, reason", [("3.4.0", "it is older than 3.6"), ("4.1.0", "import of triton.knobs halted")]
)
@pytest.mark.sampled(most=1)
def test_a_triton_without_what_is_imported(release: str, reason: str) -> None:
    program = f"""
import sys, triton
triton.__version__ = {release!r}
sys.modules.pop("triton.knobs", None)
del triton.knobs
sys.modules["triton.knobs"] = None
import tritonflow as flow
flow.ones(2).relu()
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"UnsupportedVersionError: triton {release} is not supported: {reason}" in process.stderr, process.stderr


def test_a_torch_that_is_too_old() -> None:
    program = "import torch; torch.__version__ = '2.9.1+cpu'; import tritonflow"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "UnsupportedVersionError: torch 2.9.1+cpu is not supported: it is older than 2.11" in process.stderr, (
        process.stderr
    )


def test_the_first_kernel_warns_of_nothing() -> None:
    program = "import tritonflow as flow; flow.ones(2).relu()"
    environment = {**os.environ, "TRITONFLOW_DISK_CACHE": "0"}
    subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", program], env=environment, check=True)


def test_the_oldest_versions_are_those_of_the_package() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    for package, (major, minor) in versions.MINIMUM.items():
        assert f'"{package}>={major}.{minor}"' in text


def test_an_interpreted_copy_of_a_module() -> None:
    import sys

    name = "tests.triton_cpu.test_memory"
    __import__(name)
    original = sys.modules[name]
    copy = triton_compat.load_interpreted(name)
    assert sys.modules[name] is original and copy is not original
    assert not triton_compat.is_jit_function(copy.store_then_use_kernel)
    results = []
    for module_ in (original, copy):
        x, o = torch.arange(50.0), torch.zeros(50)
        if module_ is copy:
            copy.store_then_use_kernel[(1,)](x, o, 50, B=64)
        else:
            run(original.store_then_use_kernel, (1,), x, o, 50, B=64)
        results.append(o)
    assert torch.equal(*results)
