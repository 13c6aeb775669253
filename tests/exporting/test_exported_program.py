"""Programs under torch.export's names: they stay as they were exported, are right in all modes, and files are trusted for a reason."""

from __future__ import annotations

import io
import json
import random
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import nn
from tritonflow.errors import ExportError
from tritonflow.exporting import Dim, export_program, load_exported, save_exported

SCALE = 2.0


class Holds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.held = flow.ones(2)

    def forward(self, x: Any) -> Any:
        return x * self.held


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear, self.factor = nn.Linear(3, 3), 2

    def forward(self, x: Any) -> Any:
        return self.linear(x) * self.factor * SCALE


def bits(x: Any) -> Any:
    return x.detach().numpy().tobytes()


def test_what_its_python_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Scaled()
    module = export_program(net, (flow.ones(2, 3),)).module()
    wanted = bits(module(flow.ones(2, 3)))
    net.factor = 5  # the program has a copy
    net.linear = nn.Linear(3, 3)
    assert bits(module(flow.ones(2, 3))) == wanted
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    with pytest.raises(ExportError, match="another value of what it reads.*SCALE"):
        module(flow.ones(2, 3))
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert bits(module(flow.ones(2, 3))) == wanted


def test_tensors_are_the_modules() -> None:
    holds = Holds()
    exported = export_program(holds, (flow.ones(2),))
    assert exported.constants["held"] is holds.held
    holds.held.mul_(3)
    assert exported.module()(flow.ones(2)).tolist() == [3, 3]


def test_modes_around_a_call() -> None:
    net, x = Scaled(), flow.randn(4, 3, requires_grad=True)
    module = export_program(net, (flow.ones(2, 3),), dynamic_shapes=({0: Dim("rows")},)).module()
    with flow.no_grad():
        wanted = bits(net(x))
        assert bits(module(x)) == wanted
    y = module(x)
    assert bits(y) == wanted and y.requires_grad
    y.sum().backward()
    gradients = [bits(x.grad), bits(net.linear.weight.grad)]
    x.grad = net.linear.weight.grad = None
    net(x).sum().backward()
    assert gradients == [bits(x.grad), bits(net.linear.weight.grad)]


@pytest.mark.parametrize("rows", [0, 1, 2, 17, 300])
def test_sizes(rows: int) -> None:
    net = Scaled()
    module = export_program(net, (flow.ones(2, 3),), dynamic_shapes=({0: Dim("rows")},)).module()
    x = flow.randn(rows, 3)
    assert bits(module(x)) == bits(net(x)) and module(x).shape == (rows, 3)


def test_one_dim_is_one_size() -> None:
    rows = Dim("rows", max=9)
    add = nn.Module()
    add.forward = lambda x, y: (x.sum(0), y.sum(0))  # type: ignore[method-assign, attr-defined]
    module = export_program(add, (flow.ones(2, 3), flow.ones(2, 3)), dynamic_shapes=({0: rows}, {0: rows})).module()
    assert len(module(flow.ones(9, 3), flow.ones(9, 3))) == 2
    with pytest.raises(AssertionError, match="both are 'rows'"):
        module(flow.ones(3, 3), flow.ones(4, 3))
    with pytest.raises(ExportError, match="'rows' is 2 and 3 in the arguments"):
        export_program(add, (flow.ones(2, 3), flow.ones(3, 3)), dynamic_shapes=({0: rows}, {0: rows}))
    with pytest.raises(ExportError, match="the Dim 'rows' is Dim"):
        export_program(add, (flow.ones(2, 3), flow.ones(2, 3)), dynamic_shapes=({0: rows}, {0: Dim("rows")}))


class Narrow(nn.Module):
    def forward(self, x: Any) -> Any:
        return x[: 7 if x.shape[0] > 7 else x.shape[0]] * 2


def test_the_line_that_narrows_a_dim() -> None:
    with pytest.raises(ExportError, match=r"Not all values of n in the specified range.*n <= 7|n > 7.*test_exported_program.py:\d+"):
        export_program(Narrow(), (flow.ones(3),), dynamic_shapes=({0: Dim("n")},))
    module = export_program(Narrow(), (flow.ones(3),), dynamic_shapes=({0: Dim("n", max=7)},)).module()
    assert module(flow.ones(7)).shape == (7,)


class Counts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", flow.zeros(1))
        self.last: Any = None

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return x + self.calls


def test_buffers_are_shared_until_a_file_has_them() -> None:
    net = Counts()
    exported = export_program(net, (flow.ones(1),))
    assert exported.graph_signature.buffers_to_mutate and list(exported.graph_signature.buffers_to_mutate.values()) == ["calls"]
    assert net.calls.item() == 0  # the export runs nothing
    module = exported.module()
    assert [module(flow.ones(1)).item() for _ in range(2)] == [2, 3] and net.calls.item() == 2
    read = load_exported(saved(exported)).module()
    assert [read(flow.ones(1)).item() for _ in range(2)] == [4, 5] and net.calls.item() == 2


def test_refused() -> None:
    class Sets(Counts):
        def forward(self, x: Any) -> Any:
            self.last = x * 2
            return x

    class Prints(nn.Module):
        def forward(self, x: Any) -> Any:
            print(x.shape)
            return x * 2

    for module, text in ((Sets(), "sets or prints"), (Prints(), "sets or prints")):
        with pytest.raises(ExportError, match=text):
            export_program(module, (flow.ones(1),))
    for given, text in ((object(), "unsupported input type"), (flow.ones(1).numpy(), "unsupported input type")):
        with pytest.raises(ValueError, match=text):
            export_program(Scaled(), (given,))
    with pytest.raises(ExportError, match="preserve_module_call_signature"):
        export_program(Scaled(), (flow.ones(2, 3),), preserve_module_call_signature=("linear",))


def saved(exported: Any) -> io.BytesIO:
    file = io.BytesIO()
    save_exported(exported, file)
    return io.BytesIO(file.getvalue())


def test_a_read_program() -> None:
    net, x = Scaled(), flow.randn(2, 3)
    wanted = bits(net(x))
    exported = load_exported(saved(export_program(net, (flow.ones(2, 3),))))
    module = exported.module()
    assert bits(module(x)) == wanted and not any(p.requires_grad for p in exported.parameters())
    with pytest.raises(ExportError, match="computes no gradients"):
        module(flow.randn(2, 3, requires_grad=True))
    with flow.no_grad():
        module(flow.randn(2, 3, requires_grad=True))
    with pytest.raises(ExportError, match="read from a file: copy that file"):
        saved(exported)
    dict(module.named_parameters())["linear.bias"].add_(1)
    with pytest.raises(ExportError, match=r"linear\.bias has been written"):
        module(x)


def test_damaged_files(tmp_path: Path) -> None:
    data = saved(export_program(Scaled(), (flow.ones(2, 3),))).getvalue()
    x = flow.ones(2, 3)
    wanted, generator = bits(load_exported(io.BytesIO(data)).module()(x)), random.Random(0)
    refused = 0
    for _ in range(60):
        wrong = bytearray(data)
        wrong[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        try:
            found = bits(load_exported(io.BytesIO(bytes(wrong))).module()(x))
        except (ExportError, RuntimeError):
            refused += 1
        else:
            assert found == wanted  # a byte that says when a file was written, for instance
    assert refused > 40
    for length in (0, 10, len(data) // 2):
        with pytest.raises(ExportError, match="damaged, or is no exported program"):
            load_exported(io.BytesIO(data[:length]))
    with pytest.raises(FileNotFoundError):
        load_exported(tmp_path / "nothing.pt2")


def rewritten(data: bytes, **changes: Any) -> io.BytesIO:
    """The file with other entries in its description."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "description.json":
                content = json.dumps({**json.loads(content), **changes}).encode()
            new.writestr(name, content)
    return io.BytesIO(file.getvalue())


def test_foreign_files() -> None:
    data = saved(export_program(Scaled(), (flow.ones(2, 3),))).getvalue()
    with pytest.raises(ExportError, match="a later version"):
        load_exported(rewritten(data, version=99))
    with pytest.raises(RuntimeError, match="its digest is"):
        load_exported(rewritten(data, digest="0" * 64))
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("data.pkl", b"")
    with pytest.raises(ExportError, match="no exported program"):
        load_exported(io.BytesIO(empty.getvalue()))
    with pytest.raises(ExportError, match="extra_files is not built"):
        load_exported(io.BytesIO(data), extra_files={"a": ""})
    with pytest.raises(TypeError, match="expected an ExportedProgram"):
        save_exported(Scaled(), io.BytesIO())  # type: ignore[arg-type]


def test_threads() -> None:
    net = Scaled()
    module = export_program(net, (flow.ones(2, 3),), dynamic_shapes=({0: Dim("rows")},)).module()
    inputs = [flow.randn(rows, 3) for rows in range(2, 10)]
    wanted, found = [bits(net(x)) for x in inputs], dict[int, Any]()

    def work(k: int) -> None:
        found[k] = bits(module(inputs[k]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(len(inputs))] == wanted
