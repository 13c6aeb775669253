"""What a loaded program takes: arrays of several libraries, and clear errors for all else, before anything runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
import tritonflow_program

ROOT = Path(__file__).resolve().parents[2]


def test_libraries(exported: Any) -> None:
    program = flow.load_program(exported("classifier").path)
    x = numpy.random.default_rng(0).standard_normal((4, 32), "float32")
    wanted = program(x)
    assert type(wanted) is numpy.ndarray and wanted.dtype == "float32" and wanted.flags.aligned
    assert type(program(torch.from_numpy(x))) is torch.Tensor and program(torch.from_numpy(x)).numpy().tobytes() == wanted.tobytes()
    assert type(program(flow.from_numpy(x))) is flow.Tensor and program(flow.from_numpy(x)).numpy().tobytes() == wanted.tobytes()
    assert program(memoryview(x)).tobytes() == wanted.tobytes() and program(input=x).tobytes() == wanted.tobytes()


def test_however_it_lies(exported: Any) -> None:
    """Transposed, with gaps, unaligned and read-only inputs are what they are."""
    program = flow.load_program(exported("classifier").path)
    x = numpy.random.default_rng(0).standard_normal((4, 32), "float32")
    wanted = program(x).tobytes()
    wide = numpy.zeros((4, 64), "float32")
    wide[:, ::2] = x
    shifted = numpy.zeros(4 * 32 + 1, "float32")[1:].reshape(4, 32)
    shifted[...] = x
    fixed = x.copy()
    fixed.flags.writeable = False
    for each in (x.T.copy().T, wide[:, ::2], shifted, fixed, x.astype(">f4")):
        assert program(each).tobytes() == wanted
    assert program(torch.from_numpy(x.T.copy()).T).numpy().tobytes() == wanted


def test_bfloat16(exported: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ml_dtypes", raising=False)  # other tests import it
    path, _, (x,), _ = exported("bfloat16")
    program = flow.load_program(path)
    result = program(x)
    assert result.dtype is flow.bfloat16
    given = flow.to_torch(x)
    assert program(given).dtype is torch.bfloat16 and torch.equal(program(given), flow.to_torch(result))
    found = program(given.view(torch.uint16).numpy())
    bits = program(given).view(torch.uint16).numpy().tobytes()
    assert found.dtype == "uint16" and found.tobytes() == bits
    monkeypatch.setitem(sys.modules, "ml_dtypes", ml_dtypes := pytest.importorskip("ml_dtypes"))
    found = program(given.view(torch.uint16).numpy().view(ml_dtypes.bfloat16))
    assert found.dtype == ml_dtypes.bfloat16 and found.tobytes() == bits


def test_results_are_new(exported: Any) -> None:
    program = flow.load_program(exported("classifier").path)
    x = numpy.ones((4, 32), "float32")
    first = program(x)
    kept = first.copy()
    program(-x)
    assert (first == kept).all() and not numpy.shares_memory(first, program(x))


WRONG: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    ((), {}, TypeError, "takes 1 inputs"),
    ((numpy.ones((4, 32), "float32"),) * 2, {}, TypeError, "takes 1 inputs"),
    ((), {"x": 1}, TypeError, "no input 'x'"),
    ((numpy.ones((4, 32)),), {}, TypeError, "float32, not float64"),
    ((numpy.ones((4, 31), "float32"),), {}, ValueError, r"shape \(\*, 32\), not \(4, 31\)"),
    ((numpy.ones(32, "float32"),), {}, ValueError, r"not \(32\)"),
    ((numpy.ones((9, 32), "float32"),), {}, ValueError, "exported for 0, 1, 2"),
    (([1.0],), {}, TypeError, "must be an array or a tensor, not list"),
    ((torch.ones(4, 32, device="meta"),), {}, ValueError, "on the CPU"),
    ((torch.ones(4, 32, dtype=torch.bfloat16),), {}, TypeError, "float32, not bfloat16"),
]


@pytest.mark.parametrize(("args", "kwargs", "error", "text"), WRONG)
def test_wrong_inputs(exported: Any, args: Any, kwargs: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        flow.load_program(exported("classifier").path)(*args, **kwargs)


def test_one_size_is_one(exported: Any, tmp_path: Path) -> None:
    sizes = {"n": [1, 2, 3]}
    flow.export(lambda x, y: x + y, [flow.ones(2), flow.ones(2)], tmp_path / "sum", dynamic={0: {0: "n"}, 1: {0: "n"}}, sizes=sizes)
    program = flow.load_program(tmp_path / "sum")
    assert program(flow.ones(3), flow.ones(3)).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="the size 'n' is 2 in one input, and 1"):
        program(flow.ones(2), flow.ones(1))


@pytest.mark.parametrize("threads", [0, 65, True, 1.5])
def test_wrong_threads(exported: Any, threads: Any) -> None:
    with pytest.raises(ValueError, match="threads must be from 1 to 64"):
        flow.load_program(exported("classifier").path, threads=threads)


def test_many_programs_come_and_go(exported: Any) -> None:
    """Each has its own library, though descriptors of files have the same numbers again."""
    names = ("classifier", "function", "wide")
    wanted = {name: [numpy.asarray(x).tobytes() for x in flow.load_program(exported(name).path).run_flat(arrays(exported, name))] for name in names}
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        for name in names:
            program = flow.load_program(exported(name).path)
            assert [x.tobytes() for x in program.run_flat(arrays(exported, name))] == wanted[name]
            del program
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def arrays(exported: Any, name: str) -> list[Any]:
    return [x.numpy() for x in exported(name).args]


def test_without_all_of_it(exported: Any, tmp_path: Path) -> None:
    """NumPy is all that a program needs: no tritonflow, Triton, LLVM or torch."""
    path, model, (x,), _ = exported("classifier")
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "tritonflow_program").symlink_to(ROOT / "tritonflow_program")
    for name in ("numpy", "numpy.libs"):
        found = Path(numpy.__file__).parents[1] / name
        if found.exists():
            (packages / name).symlink_to(found)
    numpy.save(tmp_path / "x.npy", x.numpy())
    program = f"""
import sys
import numpy, tritonflow_program
y = tritonflow_program.load_program({str(path)!r})(numpy.load({str(tmp_path / "x.npy")!r}))
numpy.save({str(tmp_path / "y.npy")!r}, y)
assert not {{"torch", "triton", "llvmlite", "tritonflow"}} & set(sys.modules), sys.modules
for name in ("torch", "triton", "llvmlite", "tritonflow"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise SystemExit(name)
"""
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    subprocess.run([sys.executable, "-S", "-c", program], check=True, env=environment, cwd=tmp_path)
    with flow.no_grad():
        assert numpy.load(tmp_path / "y.npy").tobytes() == flow.compile(model)(x).numpy().tobytes()


def test_representation(exported: Any) -> None:
    program = tritonflow_program.load_program(exported("block").path, threads=1)
    assert repr(program) == f"<program Block(x: float32[b, t, 32]) -> output; {program.target}, 1 threads>"
    assert program.inputs[0].shape == ("b", "t", 32) and program.sizes == {"b": [1, 2], "t": [1, 5, 9]}
