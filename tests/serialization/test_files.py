"""save and load: what comes back is what went in; what is broken says so."""

from __future__ import annotations

import collections
import io
import math
import os
import pickle
import struct

import numpy
import pytest
import safetensors.torch
import torch

import tritonflow as flow
from tritonflow.errors import DeviceError, FileFormatError

DTYPES = ("bool", "uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file.safetensors"


def again(obj, **options):
    """Through a file in memory."""
    file = io.BytesIO()
    flow.save(obj, file, **options)
    file.seek(0)
    return flow.load(file, **options)


@pytest.mark.parametrize("shape", [(3, 4), (), (0,), (2, 0, 3)])
@pytest.mark.parametrize("name", DTYPES)
def test_tensors(name, shape, path, rng):
    dtype = getattr(flow, name)
    x = flow.tensor(rng.integers(0, 2, shape), dtype=dtype)
    flow.save(x, path)
    y = flow.load(path)
    assert y.dtype == dtype and y.shape == shape and y.tolist() == x.tolist() and y.device.type == "cpu"


@pytest.mark.parametrize(
    "obj",
    [
        None,
        True,
        -3,
        2**70,
        1.5,
        0.1,
        math.inf,
        -math.inf,
        'text " \n ä 漢',
        b"\x00\xff",
        1 + 2j,
        [],
        {},
        (),
        [1, [2, (3, None)]],
        {"a": 1, "b": {"c": (1, 2)}},
        {1: "int", (2, "x"): "tuple", None: 0, 1.5: 1, False: 2},
        {"$tensor": 3, "ordinary": 4},
        collections.OrderedDict(b=1, a=2),
        {1, 2, 3},
        frozenset([1]),
        slice(1, None, 2),
        flow.float16,
        flow.device("cpu"),
        flow.Size([1, 2]),
    ],
    ids=repr,
)
def test_structure(obj):
    out = again(obj)
    assert out == obj and type(out) is type(obj)


def test_arrays_and_nan():
    assert math.isnan(again(math.nan))
    array = numpy.arange(6, dtype=numpy.int16).reshape(2, 3)
    numpy.testing.assert_array_equal(again(array), array)
    assert again(numpy.float32(2.5)) == 2.5


def test_sharing_is_kept():
    base = flow.tensor([float(i) for i in range(12)]).reshape(3, 4)
    out = again({"base": base, "row": base[1], "column": base[:, 2], "again": base, "other": base.detach()})
    assert out["again"] is out["base"] and out["other"] is not out["base"]
    out["base"].fill_(5)
    assert out["row"].tolist() == [5] * 4 and out["column"].tolist() == [5] * 3 and out["other"].sum().item() == 60
    assert out["column"].stride() == (4,)


def test_a_view_saves_only_its_part(path):
    big = flow.zeros(1000, 1000)
    flow.save({"piece": big[500]}, path)
    assert path.stat().st_size < 8000 and flow.load(path)["piece"].shape == (1000,)


@pytest.mark.parametrize("view", [lambda x: x.t(), lambda x: x[:, ::2], lambda x: x[1], lambda x: x.expand(2, 3, 4)])
def test_views(view, rng):
    x = view(flow.tensor(rng.standard_normal((3, 4))))
    y = again([x])[0]
    assert y.tolist() == x.tolist() and y.shape == x.shape


def test_grad_flags_and_parameters():
    p = flow.nn.Parameter(flow.ones(2), requires_grad=False)
    out = again({"p": p, "x": flow.ones(1, requires_grad=True), "y": flow.ones(1) * 2})
    assert type(out["p"]) is flow.nn.Parameter and not out["p"].requires_grad
    assert out["x"].requires_grad and out["x"].is_leaf and not out["y"].requires_grad


def test_a_model(path):
    def make():
        return flow.nn.Sequential(flow.nn.Linear(3, 4), flow.nn.BatchNorm1d(4))

    model, other = make(), make()
    flow.save({"model": model.state_dict(), "epoch": 3}, path)
    saved = flow.load(path)
    assert saved["epoch"] == 3 and repr(other.load_state_dict(saved["model"])) == "<All keys matched successfully>"
    assert saved["model"]._metadata == model.state_dict()._metadata
    x = flow.ones(2, 3)
    assert other.eval()(x).tolist() == model.eval()(x).tolist()


def test_directories(tmp_path):
    flow.save({"x": flow.ones(2)}, tmp_path)
    (tmp_path / "random_file").write_text("nothing")
    assert flow.load(tmp_path)["x"].tolist() == [1, 1] and flow.load(str(tmp_path))["x"].tolist() == [1, 1]


def test_the_same_content_gives_the_same_bytes(path):
    content = {"weight \u00e9\n\"": flow.ones(3), "note": "\x00\x7f\u2028"}
    files = set()
    for _ in range(20):  # safetensors' own order of the metadata changes from one call to the next
        file = io.BytesIO()
        flow.save(content, file)
        flow.save(content, path)
        files |= {file.getvalue(), path.read_bytes()}
    assert len(files) == 1
    assert flow.load(path)["note"] == content["note"]


def test_others_can_read_it_and_we_theirs(path):
    flow.save({"model": {"weight": flow.ones(2, 2)}}, path)
    assert safetensors.torch.load_file(path)["model.weight"].tolist() == [[1, 1], [1, 1]]
    safetensors.torch.save_file({"w": torch.arange(3)}, path)
    assert flow.load(path)["w"].tolist() == [0, 1, 2]


def test_pickle_only_when_asked(path):
    class_of_ours = flow.nn.ReLU()
    with pytest.raises(TypeError, match=r"'a\.1' of type .*ReLU without pickle.*allow_pickle=True"):
        flow.save({"a": [0, class_of_ours]}, path)
    assert not path.exists()
    flow.save({"a": class_of_ours}, path, allow_pickle=True)
    with pytest.raises(FileFormatError, match="allow_pickle=True if you trust"):
        flow.load(path)
    assert isinstance(flow.load(path, allow_pickle=True)["a"], flow.nn.ReLU)
    assert isinstance(flow.load(path, weights_only=False)["a"], flow.nn.ReLU)


def test_cycles():
    a: list = []
    a.append({"x": a})
    with pytest.raises(ValueError, match="'0.x'.*contains itself"):
        again(a)
    shared = [1]
    assert again([shared, shared]) == [[1], [1]]


def test_a_failed_save_keeps_the_old_file(path):
    flow.save(1, path)
    with pytest.raises(TypeError):
        flow.save(object(), path)
    assert flow.load(path) == 1 and os.listdir(path.parent) == [path.name]


# ---------------------------------------------------------------------------------------------- map_location


def test_map_location(path):
    flow.save(flow.ones(2), path)
    seen = []
    assert flow.load(path, "cpu").tolist() == flow.load(path, flow.device("cpu")).tolist() == [1, 1]
    assert flow.load(path, {"cuda:0": "cpu"}).tolist() == [1, 1]
    assert flow.load(path, lambda tensor, where: seen.append(where)).tolist() == [1, 1] and seen == ["cpu"]
    assert flow.load(path, lambda tensor, where: tensor * 3).tolist() == [3, 3]
    with pytest.raises(TypeError, match="map_location"):
        flow.load(path, 3)


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a GPU")
def test_a_device_that_is_not_there(path):
    flow.save(flow.ones(2), path)
    with pytest.raises(DeviceError, match="map_location='cpu'"):
        flow.load(path, "cuda")


# ---------------------------------------------------------------------------------------------- torch's files


@pytest.mark.parametrize("zipped", [True, False])
def test_torch_weights(path, zipped, rng):
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4))
    torch.save({"weights": net.state_dict(), "epoch": 4}, path, _use_new_zipfile_serialization=zipped)
    out = flow.load(path)
    ours = flow.nn.Sequential(flow.nn.Conv2d(3, 4, 3), flow.nn.BatchNorm2d(4))
    ours.load_state_dict(out["weights"])
    assert out["epoch"] == 4
    numpy.testing.assert_array_equal(ours[0].weight.numpy(), net[0].weight.detach().numpy())


def test_torch_sharing_dtypes_and_files(path):
    base = torch.arange(6, dtype=torch.bfloat16)
    torch.save([base, base[2:4], torch.nn.Parameter(torch.ones(1))], path)
    with open(path, "rb") as file:
        out = flow.load(file)
    assert out[0].dtype == flow.bfloat16 and isinstance(out[2], flow.nn.Parameter)
    out[0].fill_(9)
    assert out[1].tolist() == [9, 9]


class Evil:
    """Unpickling it makes a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize("save", [torch.save, lambda obj, path: path.write_bytes(pickle.dumps(obj))])
def test_code_in_torch_files_is_not_run(path, save, tmp_path):
    save({"x": Evil(tmp_path / "made")}, path)
    with pytest.raises(FileFormatError, match="could run code"):
        flow.load(path)
    assert not (tmp_path / "made").exists()


# ---------------------------------------------------------------------------------------------- broken files


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        flow.load(tmp_path / "nothing")
    with pytest.raises(FileFormatError, match="has no data.safetensors"):
        flow.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        flow.save(1, tmp_path / "no" / "folder")


@pytest.mark.parametrize(
    "content", [b"", b"abc", b"hello, this is a text file\n" * 10, b"\x00" * 64, b"\x89PNG\r\n" * 9]
)
def test_foreign_files(path, content):
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="cannot load .*file.safetensors"):
        flow.load(path)


def test_every_cut_and_many_damages_are_noticed(path, rng):
    flow.save({"x": flow.ones(3, 3), "n": [1, (2,)]}, path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(FileFormatError):
            flow.load(path)
    (header,) = struct.unpack("<Q", whole[:8])
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.integers(0, 8 + header)] ^= 1 << rng.integers(0, 8)
        path.write_bytes(damaged)
        try:
            flow.load(path)  # a changed digit can be read
        except (FileFormatError, DeviceError) as e:
            assert "file.safetensors" in str(e)


def test_torch_files_cut_short(path):
    torch.save({"x": torch.ones(100)}, path)
    whole = path.read_bytes()
    for length in range(4, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(FileFormatError, match="file.safetensors"):
            flow.load(path)


def test_a_newer_version(path):
    safetensors.torch.save_file({}, path, {"tritonflow": '{"version":99,"structure":null,"tensors":[]}'})
    with pytest.raises(FileFormatError, match="version 99"):
        flow.load(path)
