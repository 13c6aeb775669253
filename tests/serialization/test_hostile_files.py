"""Files made to harm: whatever is in them, `load` gives plain objects or FileFormatError, runs nothing and stays small."""

from __future__ import annotations

import collections
import copy
import io
import json
import pickle
import random
import resource
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import safetensors.torch
import torch

import tritonflow as flow
from tritonflow.errors import DeviceError, FileFormatError


def bytes_of(content: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    flow.save(content, file, **options)
    return file.getvalue()


def load(data: bytes, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's, of pickles of other protocols
        return flow.load(io.BytesIO(data), **options)


def parts(data: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The header, the record in its metadata, and what comes behind."""
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    return header, json.loads(header["__metadata__"]["tritonflow"]), data[8 + length :]


def joined(header: Any, record: Any, rest: bytes) -> bytes:
    if record is not None:
        header = {**header, "__metadata__": {"format": "pt", "tritonflow": record if isinstance(record, str) else json.dumps(record)}}
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text)) + text + rest


def structured(structure: Any, references: Any = None) -> bytes:
    """A file of ours with this structure."""
    header, record, rest = parts(bytes_of(flow.arange(6.0)))
    return joined(header, {**record, "structure": structure, "tensors": references or record["tensors"]}, rest)


# ----------------------------------------------------------------------------------------------------------- known harm


def nested(depth: int, kind: str = "[") -> str:
    return "[" * depth + "]" * depth if kind == "[" else '{"a":' * depth + "1" + "}" * depth


REFERENCE = {"piece": "tensor", "device": "cpu", "shape": [6]}


@pytest.mark.parametrize(
    "structure",
    [
        {"$dtype": "__builtins__"}, {"$dtype": "DType"}, {"$dtype": "__dict__"}, {"$dtype": ["float32"]}, {"$dtype": None},
        {"$device": "disk"}, {"$device": "cpu:x"}, {"$device": "cpu:" + "9" * 5000}, {"$device": 3},
        {"$float": 10**400}, {"$float": "x"}, {"$float": [1]}, {"$complex": [10**400, 0]}, {"$complex": 3}, {"$complex": []},
        {"$tensor": -1}, {"$tensor": 1}, {"$tensor": True}, {"$tensor": "0"}, {"$tensor": 1e300}, {"$tensor": {}},
        {"$ndarray": "AAAA", "dtype": "O", "shape": [1]}, {"$ndarray": "AAAAAAAA", "dtype": "(9999999999)i4", "shape": [1]},
        {"$ndarray": "AAAA", "dtype": {"names": ["a"], "formats": ["O"]}, "shape": [1]}, {"$ndarray": "AAAA", "dtype": "V3", "shape": [1]},
        {"$ndarray": "", "dtype": "<f4", "shape": [0, 2**70]}, {"$ndarray": "AAAAAA==", "dtype": "<f4", "shape": [-1]},
        {"$ndarray": "é", "dtype": "<f4", "shape": [1]}, {"$ndarray": "AAAA"},
        {"$bytes": "é"}, {"$bytes": 3}, {"$slice": [1, 2, 3, 4]}, {"$slice": None}, {"$set": [[]]}, {"$tuple": 3}, {"$dict": [[1]]},
        {"$dict": [[[], 1]]}, {"$dict": {"ab": 1, "c": 2}}, {"$size": ["a"]}, {"$size": [-1]}, {"$state_dict": []},
        {"$state_dict": [], "metadata": 3}, {"$state_dict": 3, "metadata": {}}, {"$unknown": 1},
    ],
    ids=lambda value: json.dumps(value)[:60],
)  # fmt: skip
def test_hostile_structures(structure: Any) -> None:
    with pytest.raises(FileFormatError, match="its structure is damaged"):
        load(structured(structure))


@pytest.mark.parametrize(
    "change",
    [
        {"piece": "other"}, {"piece": []}, {"piece": None}, {"device": 3}, {"device": ["cpu"]}, {"shape": [7]}, {"shape": [-6]},
        {"shape": [6.0]}, {"shape": "6"}, {"shape": [True]}, {"shape": None}, {"shape": [2**63]}, {"shape": [2**70, 0]},
        {"shape": [2**62, 4], "stride": [0, 0], "offset": 0}, {"stride": [1], "offset": 1}, {"stride": [2], "offset": 0},
        {"stride": [-1], "offset": 5}, {"stride": [1, 1], "offset": 0}, {"shape": [0], "stride": [], "offset": 0}, {"stride": [1], "offset": -1}, {"stride": [1]},
        {"stride": [float("nan")], "offset": 0}, {"stride": [1], "offset": float("inf")}, {"stride": [2**64], "offset": 0, "shape": [1]},
    ],
    ids=repr,
)  # fmt: skip
def test_hostile_references(change: dict[str, Any]) -> None:
    """No tensor reaches beyond its piece."""
    with pytest.raises(FileFormatError, match="its structure is damaged"):
        load(structured({"$tensor": 0}, [{**REFERENCE, **change}]))


def test_hostile_records() -> None:
    header, record, rest = parts(bytes_of(flow.arange(6)))
    for text in ("", "3", "null", "[]", "{}", nested(100_000), nested(100_000, "{"), '{"version":1e999}', '{"version":"1"}', "\ud800"):
        with pytest.raises(FileFormatError):
            load(joined(header, text, rest))
    for kind in "[{":  # what Python's stack takes can be read
        text = f'{{"version":1,"tensors":[],"structure":{nested(200, kind)}}}'
        assert load(joined(header, text, rest)) == json.loads(nested(200, kind))
        with pytest.raises(FileFormatError, match="RecursionError"):
            load(joined(header, text.replace(nested(200, kind), nested(3000, kind)), rest))
    twice = '{"version":1,"tensors":[],"structure":{"a":1,"a":2}}'
    with pytest.raises(FileFormatError, match="an object has a key twice"):
        load(joined(header, twice, rest))
    for flag in ("requires_grad", "parameter"):
        integers = {**record["tensors"][0], flag: True, "requires_grad": True}
        with pytest.raises(FileFormatError, match="cannot require grad"):
            load(joined(header, {**record, "tensors": [integers]}, rest))


@pytest.mark.parametrize(
    "header",
    [
        "{", "{}x", "{" * 50_000, '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,1e999]}}', '{"a":3}', '{"a":[]}',
        '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,NaN]}}', '{"a":{"dtype":"F32","shape":[1],"data_offsets":{}}}',
        '{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]}}', '{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}',
        '{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}', '{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}',
        '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
        '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
        '{"__metadata__":3,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', '{"__metadata__":{"tritonflow":3}}',
        *(f'{{"a":{{"dtype":"{name}","shape":[1],"data_offsets":[0,{size}]}}}}' for name, size in (
            ("F8_E4M3", 1), ("F8_E8M0", 1), ("F128", 16), ("float32", 4),
        )),
        '{"a":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}}',
    ],
    ids=lambda text: text[:70],
)  # fmt: skip
@pytest.mark.parametrize("on_disk", [True, False])
def test_hostile_headers(header: str, on_disk: bool, tmp_path: Any) -> None:
    (tmp_path / "file").write_bytes(joined(header, None, bytes(16 if "F128" in header else 8 if "64" in header else 4)))
    with pytest.raises(FileFormatError):
        load((tmp_path / "file").read_bytes()) if not on_disk else flow.load(tmp_path / "file")


def test_no_metadata_is_a_file_of_tensors(tmp_path: Any) -> None:
    header = '{"__metadata__":null,"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    (tmp_path / "file").write_bytes(joined(header, None, bytes(4)))
    assert list(load((tmp_path / "file").read_bytes())) == list(flow.load(tmp_path / "file")) == ["a"]


def test_a_header_longer_than_safetensors_takes(tmp_path: Any) -> None:
    """It is not even read."""
    with open(tmp_path / "file", "wb") as file:
        file.write(struct.pack("<Q", 1 << 33) + b"{")
        file.truncate(1 << 34)  # holes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(FileFormatError, match="more than the 100000000 of safetensors"):
        flow.load(tmp_path / "file")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


def test_damaged_pickles() -> None:
    """Also where the reader trusts the file, and `pickle` raises whatever it likes."""
    header, record, rest = parts(bytes_of({"a": {1.5: flow.nn.ReLU()}}, allow_pickle=True))
    for data in (b"", b"x", b"cnowhere\nnothing\n.", b"\x80\x04.", b"cbuiltins\nlen\n."[:-1], pickle.dumps(flow.nn.ReLU)[:-9]):
        structure = {"$pickle": __import__("base64").b64encode(data).decode()}
        with pytest.raises(FileFormatError, match="its structure is damaged"):
            load(joined(header, {**record, "structure": structure}, rest), allow_pickle=True)


def test_a_file_opened_as_text() -> None:
    with pytest.raises(TypeError, match="a file opened for reading bytes, its read\\(\\) gave str"):
        flow.load(io.StringIO("text"))  # type: ignore[arg-type]


def test_errors_of_a_function_that_is_given_are_its_own() -> None:
    def refuse(tensor: Any, device: str) -> Any:
        raise KeyError("mine")

    torch_file = io.BytesIO()
    torch.save({"x": torch.ones(2)}, torch_file)
    for data in (bytes_of(flow.ones(2)), safetensors.torch.save({"x": torch.ones(2)}), torch_file.getvalue()):
        with pytest.raises(KeyError, match="mine"):
            load(data, map_location=refuse)


# ------------------------------------------------------------------------------------------------------------ torch's files


def torch_bytes(content: Any, zipped: bool = True) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.save(content, file, _use_new_zipfile_serialization=zipped)
    return file.getvalue()


def rezipped(data: bytes, change: Callable[[str, bytes], bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file with other contents, whose sums are right."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", compression) as new:
        for info in old.infolist():
            new.writestr(info.filename, change(info.filename, old.read(info)))
    return file.getvalue()


@pytest.mark.parametrize(
    "tensor",
    [
        lambda: torch.eye(2).to_sparse(), lambda: torch.empty(2, device="meta"),
        lambda: torch.ones(2).to(torch.float8_e8m0fnu), lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
        lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
    ],
    ids=["sparse", "meta", "float8", "quantized", "nested"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_tensors_of_torch_that_we_have_not(tensor: Callable[[], Any]) -> None:
    with pytest.raises(FileFormatError, match="torch cannot read it"):
        load(torch_bytes({"x": tensor()}))


def test_containers_of_torch_files() -> None:
    """One in itself is refused, deep ones too; shared ones are gone through once, and stay shared."""
    cycle: list[Any] = []
    cycle.append({"a": cycle})
    with pytest.raises(FileFormatError, match="a container contains itself"):
        load(torch_bytes(cycle))
    laughs: list[Any] = [torch.ones(1)]
    for _ in range(100):
        laughs = [laughs, laughs]
    out = load(torch_bytes(laughs))
    assert out[0] is out[1]
    deep: list[Any] = []
    data = b"\x80\x02" + b"](" * 20_000 + b"e" * 20_000 + b"."
    with pytest.raises(FileFormatError):
        load(rezipped(torch_bytes(deep), lambda name, content: data if name.endswith("data.pkl") else content))
    ordered = load(torch_bytes(collections.OrderedDict(a=(torch.Size([1, 2]), torch.ones(1)), b={1, 2})))
    assert type(ordered) is collections.OrderedDict and ordered["a"][0] == (1, 2) and ordered["b"] == {1, 2}


def test_torch_tensors_larger_than_their_file() -> None:
    """Torch would make room, and leave what was in that memory."""
    content = torch.arange(100, dtype=torch.float32)
    whole = torch_bytes(content), torch_bytes(content, zipped=False)
    larger = [
        rezipped(whole[0], lambda name, data: data.replace(b"Kd\x85", b"J\xff\xff\xff\x00\x85")),
        whole[1].replace(b"Kd\x85", b"J\xff\xff\xff\x00\x85"),
    ]
    for old, new in zip(whole, larger):
        assert load(old).tolist() == content.tolist() and len(new) != len(old)
        with pytest.raises(FileFormatError, match="torch cannot read it"):
            load(new)
    unfilled = larger[1][: larger[1].rindex(b"\x80\x02]")] + b"\x80\x02]."  # no storage is in the file
    with pytest.raises(FileFormatError, match="a tensor has 67108860 bytes, the file has"):
        load(unfilled)
    bomb = rezipped(torch_bytes(torch.zeros(1 << 20)), lambda name, content: content, zipfile.ZIP_DEFLATED)
    with pytest.raises(FileFormatError, match="its records have .* bytes, the file has"):
        load(bomb)


# ------------------------------------------------------------------------------------------------------------------ random

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 255, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 10**400, 0.5, -0.0, 1e300, float("nan"),
    float("inf"), "", "x", "cpu", "cuda", "cuda:99", "meta", "float32", "F32", "F16", "BOOL", "F8_E4M3", "__builtins__", "__class__",
    "$tensor", "\ud800", "\x00", "0" * 5000, [], [[]], [0], [1, 2], [2**40, 2**40], {}, {"$tensor": 0}, {"$tuple": []}, {"$dict": []},
    {"$pickle": "gASVAA=="}, {"a": 1}, {"$set": [1, [2]]}, {"$size": [1]},
]  # fmt: skip
KEYS = ["$tensor", "$tuple", "$dict", "$set", "$size", "$float", "$dtype", "$device", "$ndarray", "$bytes", "$complex", "$slice", "$pickle",
        "$state_dict", "metadata", "dtype", "shape", "stride", "offset", "piece", "device", "parameter", "requires_grad", "data_offsets", "x"]  # fmt: skip


def content() -> Any:
    base = flow.arange(12.0).reshape(3, 4)
    model = flow.nn.Sequential(flow.nn.Linear(2, 2), flow.nn.BatchNorm1d(2))
    return {
        "model": model.state_dict(), "parameter": model[0].weight, "views": [base, base[1], base.t(), base[:, ::2]], 3: (1, None, True),
        "others": [1.5, float("nan"), {1, 2}, frozenset([3]), slice(1, None), flow.float16, flow.device("cpu"), flow.Size([1, 2]), 1 + 2j],
        "bytes": b"\x00\xff", "array": numpy.arange(4, dtype=numpy.int16), "dtypes": [flow.ones(2, dtype=d) for d in (flow.int64, flow.bool)],
        "ordered": collections.OrderedDict(b=1), "empty": flow.zeros(0, 2),
    }  # fmt: skip


def nodes(root: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a JSON tree with a key or an index into it."""
    for key in list(root) if isinstance(root, dict) else range(len(root)):
        yield root, key
        if isinstance(root[key], (dict, list)) and root[key]:
            yield from nodes(root[key])


def change(root: Any, chance: random.Random) -> None:
    """One node of a JSON tree becomes another."""
    found = list(nodes(root))
    if not found:
        return
    holder, key = chance.choice(found)
    how = chance.randrange(8)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = holder.pop(key)
    elif how == 2:
        other, name = chance.choice(found)
        holder[key] = copy.deepcopy(other[name]) if name in (other if isinstance(other, dict) else range(len(other))) else None
    elif how == 3 and isinstance(holder[key], int):
        holder[key] += chance.choice([-1, 1, -(2**31), 2**31, 2**62, -8, 8])
    elif how == 4:
        for _ in range(chance.choice([1, 30])):
            holder[key] = chance.choice([lambda v: [v], lambda v: {"a": v}, lambda v: {"$tuple": [v]}])(holder[key])
    elif how == 5 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(chance.choice(VALUES)))
    else:
        holder[key] = copy.deepcopy(chance.choice(VALUES))


def hostile(whole: bytes, chance: random.Random) -> bytes:
    """A file of ours with some nodes of header or structure changed, or some bits."""
    header, record, rest = parts(whole)
    kind = chance.randrange(6)
    if kind == 0:
        data = bytearray(whole)
        for _ in range(chance.choice([1, 1, 3])):
            data[chance.randrange(len(whole) - len(rest))] = chance.randrange(256)
        return bytes(data[: chance.choice([len(data), chance.randrange(len(data))])])
    for _ in range(chance.choice([1, 1, 2, 5])):
        change(header if kind == 1 else record, chance)
    if kind == 1 and "__metadata__" in header and chance.random() < 0.5:
        return joined(header, None, rest)
    text: Any = record
    try:
        text = json.dumps(record)
        if kind == 2:  # the same key twice
            at = chance.randrange(len(text))
            text = text[:at] + text[at:].replace("{", '{"$tensor":0,', 1)
    except RecursionError:
        pass
    try:
        return joined(header, text, rest)
    except (RecursionError, UnicodeEncodeError):
        return whole


def hostile_torch(whole: bytes, chance: random.Random) -> bytes:
    """A file of torch's with some bytes changed; of a zip file also those of its pickle, its sums being right."""

    def damaged(data: bytes) -> bytes:
        out = bytearray(data)
        for _ in range(chance.choice([1, 2, 6])):
            at = chance.randrange(len(out))
            piece = chance.choice([bytes([chance.randrange(256)]), b"", b"K\x00", b"J\xff\xff\xff\x7f", b"]", b"}", b"(", b"h\x01", b"R", b"Q", b"0", b"2"])
            out[at : at + chance.choice([0, 1, 1, 2])] = piece
        return bytes(out)

    if whole[:2] == b"PK" and chance.random() < 0.8:
        return rezipped(whole, lambda name, data: damaged(data) if name.endswith("data.pkl") else data)
    return damaged(whole)


def state() -> Any:
    flow.sync()
    stats = flow.memory_stats()
    return stats["blocks"] - stats["free_blocks"], flow.get_rng_state(), flow.get_default_dtype(), flow.is_grad_enabled()


def attack(times: int, seed: int) -> int:
    """Load so many hostile files; how many could be read."""
    ours = bytes_of(content())
    theirs = [torch_bytes({"x": [torch.ones(3), torch.nn.Parameter(torch.ones(2, 2))], "n": (1, "a", 2.5)}, zipped) for zipped in (True, False)]
    load(ours), load(theirs[0])
    before, peak, read = state(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0
    for number in range(times):
        chance = random.Random(f"{seed}:{number}")
        of_torch = number % 4 == 0
        data = hostile_torch(chance.choice(theirs), chance) if of_torch else hostile(ours, chance)
        try:
            found = load(data)
            read += 1
            repr(found) if number % 16 == 0 else None
        except (FileFormatError, DeviceError):
            pass
        except BaseException as error:
            raise AssertionError(f"seed {seed}, file {number}: {type(error).__name__}: {error}") from error
        found = None
    assert state() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 300_000  # KiB
    return read


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpickling is told of."""
    monkeypatch.setattr(pickle, "loads", lambda *_: pytest.fail("something was unpickled"))


def test_hostile_files(nothing_runs: None, seed: int) -> None:
    assert 0 < attack(600, seed) < 400


@pytest.mark.hours
@pytest.mark.timeout(7200)
def test_very_many_hostile_files(nothing_runs: None, seed: int) -> None:
    for number in range(200):
        attack(2000, seed + number)
