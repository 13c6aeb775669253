"""An exported program gives the bits of the compiled function: from Python and from C, for all sizes, by any number of threads."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.exporting.conftest import CASES
from tritonflow.exporting.targets import own_level


def flat(value: Any) -> list[Any]:
    """The tensors in a result."""
    if isinstance(value, (tuple, list, dict)):
        return [item for each in (value.values() if isinstance(value, dict) else value) for item in flat(each)]
    return [] if value is None else [value]


def bits(x: Any) -> bytes:
    """The elements, in order."""
    x = x.contiguous().view(flow.uint8) if isinstance(x, flow.Tensor) and x.dtype is flow.bfloat16 else x
    return numpy.ascontiguousarray(x.numpy() if isinstance(x, flow.Tensor) else x).tobytes()


def compiled(model: Any, args: Any) -> list[bytes]:
    """What the compiled function gives for copies of the buffers."""
    before = {name: value.clone() for name, value in model.state_dict().items()} if isinstance(model, flow.nn.Module) else {}
    with flow.no_grad():
        found = [bits(x) for x in flat(flow.compile(model, fullgraph=True)(*args))]
    for name, value in before.items():
        model.state_dict()[name].copy_(value)
    return found


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("name", list(CASES))
def test_as_compiled(exported: Any, name: str, threads: int) -> None:
    path, model, args, digest = exported(name)
    program = flow.load_program(path, threads=threads, digest=digest)
    result = program(*args)
    assert [bits(x) for x in flat(result)] == compiled(model, args)
    if name == "reader":
        assert list(result) == ["out", "state", "none"] and type(result["state"]) is tuple and result["none"] is None
    if name == "function":
        assert type(result) is list and type(result[2]["most"]) is tuple


@pytest.mark.parametrize("name", ["classifier", "convolutions", "block"])
def test_all_sizes(exported: Any, name: str) -> None:
    path, model, args, _ = exported(name)
    program = flow.load_program(path)
    with flow.no_grad():
        function = flow.compile(model, fullgraph=True)
        sizes = [(b,) for b in (CASES[name].sizes.get("batch") or [])] or [(b, t) for b in (1, 2) for t in (1, 5, 9)]
        for order in (sizes, sizes[::-1]):  # smaller ones behind larger ones lie in the memory of these
            for size in order:
                x = flow.randn(*size, *args[0].shape[len(size) :])
                assert bits(program(x)) == bits(function(x)), size


def test_states(exported: Any) -> None:
    """Buffers are kept from run to run, and `reset` puts them back; the model's own are left alone."""
    path, model, (row, at), _ = exported("cache")
    assert model.count.item() == 0
    program = flow.load_program(path)
    assert [program(row, flow.tensor([k]))[1].item() for k in range(3)] == [1, 2, 3]
    assert numpy.allclose(program(row, flow.tensor([2]))[0].numpy(), 3 * row.numpy())
    program.reset()
    total, count = program(row, at)
    assert numpy.array_equal(total.numpy(), row.numpy()) and count.item() == 1
    assert flow.load_program(path)(row, at)[1].item() == 1 and model.count.item() == 0


def test_bad_index_leaves_states(exported: Any) -> None:
    """A run that fails is an error that says why, and leaves the states as they were."""
    path, _, (row, at), _ = exported("cache")
    program = flow.load_program(path)
    program(row, at)
    with pytest.raises(IndexError, match="out of"):
        program(row, flow.tensor([8]))
    total, count = program(row, at)
    assert numpy.array_equal(total.numpy(), row.numpy()) and count.item() == 2


def test_from_many_threads(exported: Any) -> None:
    """Calls from several threads at once, of several sizes, give what they give alone."""
    path, model, args, _ = exported("classifier")
    program, found, wrong = flow.load_program(path, threads=2), {}, []
    inputs = {n: numpy.random.default_rng(n).standard_normal((n, 32), "float32") for n in range(9)}
    found = {n: program(x).tobytes() for n, x in inputs.items()}

    def work(first: int) -> None:
        for k in range(40):
            n = (first + k) % 9
            if program(inputs[n]).tobytes() != found[n]:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_for_a_lesser_cpu(tmp_path: Path) -> None:
    """Kernels for other CPUs compute the same, within their roundings."""
    model, x = flow.nn.Sequential(flow.nn.Linear(8, 8), flow.nn.Tanh()), flow.randn(3, 8)
    flow.export(model, [x], tmp_path / "program", targets=["baseline", "avx2"])
    with flow.no_grad():
        wanted = model(x).numpy()
    for target in ("baseline", "avx2"):
        try:
            program = flow.load_program(tmp_path / "program", target=target)
        except RuntimeError as error:
            assert "this CPU has no" in str(error)
            continue
        assert program.target == target
        numpy.testing.assert_allclose(program(x).numpy(), wanted, atol=1e-6)


DTYPES = {"float32": "float32", "int64": "int64", "bfloat16": "uint16"}


@pytest.mark.parametrize("name", list(CASES))
def test_from_c(exported: Any, c_program: Path, tmp_path: Path, name: str) -> None:
    path, model, args, _ = exported(name)
    words = []
    for k, x in enumerate(args):
        (tmp_path / f"in{k}").write_bytes(bits(x))
        words.append(f"{x.dtype.name}:{','.join(map(str, x.shape)) or '-'}:{tmp_path / f'in{k}'}")
    wanted = compiled(model, args)
    files = [tmp_path / f"out{k}" for k in range(len(wanted))]
    runs = "1" if name == "cache" else "3"
    for threads in ("1", "3"):
        done = subprocess.run([c_program, path, threads, runs, *words, "--", *files], capture_output=True, text=True)
        assert done.returncode == 0 and "not as told" not in done.stdout and "differ" not in done.stdout, done.stdout
        assert [file.read_bytes() for file in files] == wanted
        program = flow.load_program(path)
        lines = [line.split() for line in done.stdout.splitlines()]
        assert [line[1] for line in lines] == program.outputs


class Named(flow.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = flow.nn.Parameter(flow.randn(3, 3))

    def forward(self, x: Any, pair: Any, scale: float = 2.0, *, extra: Any = None) -> Any:
        return {"a": x @ self.w * scale + pair[0], "b": pair[1]["k"] * 2, "w": self.w, "v": self.w[0], "n": 3, "e": extra + 1}


class Cast(flow.nn.Graph):
    """A graph whose products are of bfloat16."""

    def __init__(self) -> None:
        super().__init__()
        self.net = flow.nn.Linear(8, 8)
        self.config.enable_amp(True)

    def build(self, x: Any) -> Any:
        return self.net(x).float()


ROW = flow.tensor([1.0, 2.0, 3.0])
VARIOUS: dict[str, tuple[Any, Any]] = {
    "a graph": (lambda: Cast(), lambda: [flow.randn(4, 8)]),
    "a compiled function": (lambda: flow.compile(lambda x: x.sin() * 2), lambda: [flow.randn(5)]),
    "a compiled module": (lambda: flow.compile(flow.nn.Linear(4, 2)), lambda: [flow.randn(3, 4)]),
    "constants, views and parts": (
        lambda: lambda x: (x + ROW, x * flow.tensor([4.0, 5.0, 6.0]), x[::2], ROW, ROW[1:], x > 0), lambda: [flow.randn(3)],
    ),
    "a transposed input": (lambda: lambda x: (x * 2, x.T, x), lambda: [flow.randn(4, 6).T]),
    "dtypes": (
        lambda: lambda a, b, c: (a.double(), b.half() * 2, c + 1, a.sum(), b > c),
        lambda: [flow.randn(3), flow.randn(3).half(), flow.tensor([1, 2, 3], dtype=flow.int8)],
    ),
    "no dimension": (lambda: lambda a: a * 2, lambda: [flow.tensor(3.0)]),
    "tables of addresses": (lambda: lambda *xs: flow.cat(xs), lambda: [flow.randn(2, 3) for _ in range(9)]),
    "sorted": (lambda: lambda a: (a.sort(), a.topk(2), a.cumsum(0)), lambda: [flow.randn(8)]),
    "one tensor twice": (lambda: lambda x, y: x + y, lambda: [ROW, ROW]),
    "channels last": (
        lambda: flow.nn.Conv2d(3, 4, 3).to(memory_format=flow.channels_last), lambda: [flow.randn(1, 3, 8, 8)],
    ),
    "statistics": (lambda: flow.nn.BatchNorm1d(4).train(), lambda: [flow.randn(6, 4)]),
}  # fmt: skip


@pytest.mark.parametrize("name", list(VARIOUS))
def test_various(tmp_path: Path, name: str) -> None:
    make, args = VARIOUS[name]
    model, given = make(), args()
    flow.export(model, given, tmp_path / "program", targets=[own_level()])
    found = flat(flow.load_program(tmp_path / "program")(*given))
    graph = model if isinstance(model, flow.nn.Graph) else None
    wanted = [bits(x) for x in flat(graph(*given))] if graph else compiled(model, given)
    assert [bits(x) for x in found] == wanted


def test_nested_arguments(tmp_path: Path) -> None:
    model, extra = Named(), flow.randn(2, 2)
    args = (flow.randn(2, 3), [flow.randn(3), {"k": flow.randn(2)}])
    flow.export(model, args, tmp_path / "program", kwargs={"scale": 3.0, "extra": extra}, targets=[own_level()])
    program = flow.load_program(tmp_path / "program")
    assert [each.name for each in program.inputs] == ["x", "pair.0", "pair.1.k", "extra"]
    result = program(args[0], args[1][0], extra=extra, **{"pair.1.k": args[1][1]["k"]})
    assert list(result) == ["a", "b", "w", "v", "n", "e"] and result["n"] == 3 and program.outputs == ["a", "b", "w", "v", "e"]
    with flow.no_grad():
        wanted = model(*args, scale=3.0, extra=extra)
    assert all(bits(result[name]) == bits(wanted[name]) for name in ("b", "w", "v", "e"))
    numpy.testing.assert_allclose(result["a"].numpy(), wanted["a"].numpy(), rtol=1e-5)


def test_numbers_of_sizes(tmp_path: Path) -> None:
    """Numbers that are computed of sizes, launches that differ by them, and no elements."""

    def function(x: Any) -> Any:
        return x.sum(0) / x.shape[0], x - x.mean(0), flow.arange(x.shape[0]) + 1, flow.zeros(x.shape[0], 2) + x[:, :2]

    sizes = [0, 1, 2, 7, 33, 300]
    flow.export(function, [flow.randn(5, 4)], tmp_path / "program", dynamic={0: {0: "n"}}, sizes={"n": sizes}, targets=[own_level()])
    program, wanted = flow.load_program(tmp_path / "program"), flow.compile(function)
    for n in sizes:
        x = flow.randn(n, 4)
        with flow.no_grad():
            assert [bits(y) for y in program(x)] == [bits(y) for y in wanted(x)], n
