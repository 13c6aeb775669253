"""`flow.load_gguf`: files written here, numbers beside llama.cpp's loops and the `gguf` package, and files that are damaged."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tritonflow as flow
from tritonflow.quantization.gguf_blocks import KINDS

NUMBERS = {kind.name: number for number, kind in KINDS.items()}
BLOCKS = [kind for kind in KINDS.values() if callable(kind.numbers)]
Entries = dict[str, tuple[int, bytes]]


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def array(kind: int, items: list[bytes]) -> bytes:
    return struct.pack("<IQ", kind, len(items)) + b"".join(items)


def written(path: Path, tensors: dict[str, tuple[str, tuple[int, ...], bytes]], entries: Entries, alignment: int = 32) -> bytes:
    """A file: tensors are (kind, shape, data), entries (type, bytes)."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries))
    head += b"".join(text(key) + struct.pack("<I", kind) + value for key, (kind, value) in entries.items())
    data = b""
    for name, (kind, shape, content) in tensors.items():
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1], NUMBERS[kind], len(data))
        data += content + bytes(-len(content) % alignment)
    whole = head + bytes(-len(head) % alignment) + data
    path.write_bytes(whole)
    return whole


def random_blocks(kind: Any, rows: int, blocks: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Bytes of any codes; the halves that are scales are small numbers."""
    draw = np.random.default_rng(seed)
    data = draw.integers(0, 256, (rows, blocks, kind.nbytes), dtype=np.uint8)
    at = {"q6_k": [208]}.get(kind.name, [0] if kind.name in ("q4_0", "q5_0", "q8_0") else [0, 2])
    for start in at:
        data[:, :, start : start + 2] = draw.standard_normal((rows, blocks, 1)).astype(np.float16).view(np.uint8)
    return data


def half(block: Any, at: int) -> float:
    return float(block[at : at + 2].view(np.float16)[0])


def six_bits(block: Any, j: int) -> tuple[int, int]:
    """`get_scale_min_k4` of ggml-quants.c."""
    q = [int(v) for v in block[4:16]]
    if j < 4:
        return q[j] & 63, q[j + 4] & 63
    return (q[j + 4] & 15) | (q[j - 4] >> 6 << 4), (q[j + 4] >> 4) | (q[j] >> 6 << 4)


def exact(kind: str, block: Any) -> list[float]:
    """The loops of ggml-quants.c for one block, element by element."""
    b, y = [int(v) for v in block], [0.0] * (256 if kind.endswith("k") else 32)
    d = half(block, 208 if kind == "q6_k" else 0)
    if kind == "q8_0":
        return [d * int(v) for v in block[2:].view(np.int8)]
    if kind in ("q4_0", "q4_1"):
        for j in range(16):
            code = b[(2 if kind == "q4_0" else 4) + j]
            for i, v in ((j, code & 15), (j + 16, code >> 4)):
                y[i] = d * (v - 8) if kind == "q4_0" else d * v + half(block, 2)
    elif kind in ("q5_0", "q5_1"):
        at = 2 if kind == "q5_0" else 4
        high = int.from_bytes(bytes(b[at : at + 4]), "little")
        for j in range(16):
            code = b[at + 4 + j]
            for i, v in ((j, code & 15 | (high >> j & 1) << 4), (j + 16, code >> 4 | (high >> (j + 16) & 1) << 4)):
                y[i] = d * (v - 16) if kind == "q5_0" else d * v + half(block, 2)
    elif kind in ("q4_k", "q5_k"):
        low = 16 if kind == "q4_k" else 48
        for group in range(8):
            scale, least = six_bits(block, group)
            for i in range(32):
                v = b[low + 32 * (group // 2) + i] >> 4 * (group % 2) & 15
                if kind == "q5_k":
                    v += 16 * (b[16 + i] >> group & 1)
                y[32 * group + i] = d * scale * v - half(block, 2) * least
    else:
        scales = block[192:208].view(np.int8)
        for n in range(2):
            for i in range(32):
                high = b[128 + 32 * n + i]
                low = b[64 * n + i], b[64 * n + 32 + i]
                codes = low[0] & 15 | (high & 3) << 4, low[1] & 15 | (high >> 2 & 3) << 4
                codes += low[0] >> 4 | (high >> 4 & 3) << 4, low[1] >> 4 | (high >> 6 & 3) << 4
                for quarter, v in enumerate(codes):
                    y[128 * n + 32 * quarter + i] = d * int(scales[8 * n + 2 * quarter + i // 16]) * (v - 32)
    return y


@pytest.mark.parametrize("kind", BLOCKS, ids=lambda kind: kind.name)
def test_numbers_of_blocks(kind: Any, tmp_path: Path) -> None:
    """Of three dimensions. The package's own reader and loops agree where it is installed."""
    data = random_blocks(kind, 6, 2)
    shape = (2, 3, 2 * kind.elements)
    written(tmp_path / "w.gguf", {"w": (kind.name, shape, data.tobytes())}, {})
    model = flow.load_gguf(tmp_path / "w.gguf")
    wanted = np.array([number for row in data for block in row for number in exact(kind.name, block)]).reshape(shape)
    found = model["w"]
    assert found.dtype is flow.float32 and found.shape == shape and model.infos["w"].kind == kind.name
    assert np.allclose(found.numpy(), wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
    if kind.name in ("q4_0", "q8_0", "q4_k"):
        flat = {"w": (kind.name, (6, 2 * kind.elements), data.tobytes())}
        written(tmp_path / "m.gguf", flat, {})
        layer = flow.load_gguf(tmp_path / "m.gguf").linear("w")
        assert np.allclose(layer.weight.numpy(), wanted.reshape(6, -1), rtol=1e-5, atol=1e-5 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", BLOCKS, ids=lambda kind: kind.name)
def test_numbers_are_those_of_the_package(kind: Any, tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    data = random_blocks(kind, 6, 4)
    path = tmp_path / "w.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(3)
    writer.add_array("tokenizer.ggml.tokens", ["a", "ä"])
    kind_there = gguf.GGMLQuantizationType[kind.name.upper()]
    writer.add_tensor("w", data.reshape(6, -1), raw_dtype=kind_there)
    writer.add_tensor("plain", np.arange(6, dtype=np.float32).reshape(2, 3))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model = flow.load_gguf(path)
    assert model.metadata["llama.block_count"] == 3 and model.metadata["tokenizer.ggml.tokens"] == ["a", "ä"]
    assert model["plain"].tolist() == [[0, 1, 2], [3, 4, 5]]
    wanted = gguf.quants.dequantize(data.reshape(6, -1), kind_there)
    assert np.allclose(model["w"].numpy(), wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())


def test_plain_numbers_and_metadata(tmp_path: Path) -> None:
    values = np.array([[1.5, -2.0, 0.0], [3.0, 4.0, -0.5]])
    plain = {name: values.astype(dtype).tobytes() for name, dtype in (("f32", "f4"), ("f16", "f2"), ("f64", "f8"), ("i32", "i4"))}
    plain["bf16"] = (values.astype("f4").view("u4") >> 16).astype("u2").tobytes()
    tensors = {f"t.{name}": (name, (2, 3), data) for name, data in plain.items()}
    tensors["number"] = ("f32", (), struct.pack("<f", 7.0))
    tensors["nothing"] = ("q8_0", (0, 32), b"")
    entries = {
        "general.architecture": (8, text("llama")), "a": (4, struct.pack("<I", 2**32 - 1)), "b": (7, b"\1"), "c": (12, struct.pack("<d", 0.1)),
        "d": (9, array(5, [struct.pack("<i", -3)] * 2)), "e": (9, array(8, [text("x"), text("")])), "f": (11, struct.pack("<q", -(2**60))),
        "g": (9, array(9, [array(0, [b"\1", b"\2"]), array(0, [])])), "general.alignment": (4, struct.pack("<I", 64)),
        "h": (8, struct.pack("<Q", 1) + b"\xff"),
    }  # fmt: skip
    written(tmp_path / "w.gguf", tensors, entries, 64)
    model = flow.load_gguf(tmp_path / "w.gguf")
    assert list(model) == list(tensors) and len(model) == 7 and "t.f16" in model and "t" not in model
    for name in plain:
        assert model[f"t.{name}"].tolist() == (values.astype("i4") if name == "i32" else values).tolist()
    assert model["t.bf16"].dtype is flow.bfloat16 and model["t.f16"].dtype is flow.float16
    assert model["number"].shape == () and model["number"].item() == 7.0 and model["nothing"].shape == (0, 32)
    wanted = {"a": 2**32 - 1, "b": True, "c": 0.1, "d": [-3, -3], "e": ["x", ""], "f": -(2**60), "g": [[1, 2], []], "h": "\udcff"}
    assert {key: model.metadata[key] for key in wanted} == wanted
    with pytest.raises(KeyError):
        flow.load_gguf(tmp_path / "w.gguf")["missing"]


def test_kinds_that_are_not_read_say_so(tmp_path: Path) -> None:
    """Other tensors of the file are read."""
    tensors = {"odd": ("q2_k", (1, 256), bytes(84)), "w": ("f32", (1,), struct.pack("<f", 2.0))}
    written(tmp_path / "w.gguf", tensors, {})
    model = flow.load_gguf(tmp_path / "w.gguf")
    assert model["w"].tolist() == [2.0] and model.data("odd").shape == (1, 84)
    with pytest.raises(NotImplementedError, match="tensor 'odd' of .*w.gguf' is of type q2_k, which is not read"):
        model["odd"]
    with pytest.raises(RuntimeError, match="kind must be one of"):
        model.linear("odd")


def damaged(path: Path, content: bytes, message: str) -> None:
    path.write_bytes(content)
    with pytest.raises(RuntimeError, match=message):
        flow.load_gguf(path)


def test_damaged_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "w.gguf"
    tensors = {"w": ("q8_0", (2, 64), random_blocks(KINDS[8], 2, 2).tobytes()), "v": ("f32", (3,), bytes(12))}
    entries = {"k": (9, array(8, [text("one"), text("two")])), "n": (4, struct.pack("<I", 5))}
    whole = written(path, tensors, entries)
    last = flow.load_gguf(path).infos["v"]
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        if end < last.start + last.nbytes:
            with pytest.raises(RuntimeError, match="cannot load"):
                flow.load_gguf(path)
    huge = struct.pack("<Q", 2**63)
    damaged(path, b"GGML" + whole[4:], "does not begin with GGUF")
    damaged(path, whole[:4] + struct.pack("<I", 1) + whole[8:], "has version 1, but versions 2 and 3")
    damaged(path, whole[:4] + struct.pack(">I", 3) + whole[8:], "is big-endian")
    damaged(path, whole[:8] + huge + whole[16:], "tensors, for which it is too short")
    damaged(path, whole[:16] + huge + whole[24:], "entries of metadata, for which it is too short")
    at = whole.index(text("k")) + 9
    damaged(path, whole[:at] + struct.pack("<I", 13) + whole[at + 4 :], "the value of 'k' is of type 13")
    damaged(path, whole[: at + 8] + huge + whole[at + 16 :], "for which it is too short")
    damaged(path, whole.replace(text("n"), text("k")), "has the key 'k' twice")
    at = whole.index(text("w")) + 9
    damaged(path, whole[:at] + struct.pack("<I", 5) + whole[at + 4 :], "'w' has 5 dimensions")
    damaged(path, whole[: at + 4] + struct.pack("<Q", 65) + whole[at + 12 :], "rows of 65 numbers, but blocks of q8_0 have 32")
    damaged(path, whole[: at + 12] + huge + whole[at + 20 :], "'w' ends at byte")
    damaged(path, whole[: at + 20] + struct.pack("<I", 4) + whole[at + 24 :], "is of type 4, which is not known")
    damaged(path, whole[: at + 24] + struct.pack("<Q", 8) + whole[at + 32 :], "which is no multiple of 32")
    damaged(path, whole[: at + 24] + struct.pack("<Q", 2**40) + whole[at + 32 :], "'w' ends at byte")
    damaged(path, whole.replace(text("v"), text("w")), "has the tensor 'w' twice")
    nested = struct.pack("<IQ", 9, 1) * 40
    damaged(path, written(path, {}, {"deep": (9, nested)}), "nested too deeply")
    written(path, {}, {"general.alignment": (4, struct.pack("<I", 0))})
    damaged(path, path.read_bytes(), "general.alignment is 0")
    damaged(path, b"", "too short")
    with pytest.raises(FileNotFoundError):
        flow.load_gguf(tmp_path / "none.gguf")


def test_flipped_bytes_never_read_elsewhere(tmp_path: Path) -> None:
    """Whatever a byte of the head becomes: an error that says so, or tensors that lie in the file."""
    path = tmp_path / "w.gguf"
    whole = bytearray(written(path, {"w": ("q4_k", (1, 256), bytes(144)), "v": ("f16", (4,), bytes(8))}, {"n": (9, array(3, [b"\1\0"]))}))
    head, draw = flow.load_gguf(path).infos["w"].start, np.random.default_rng(0)
    for _ in range(400):
        broken = bytearray(whole)
        for at in draw.integers(0, head, draw.integers(1, 4)):
            broken[at] = draw.integers(0, 256)
        path.write_bytes(broken)
        try:
            model = flow.load_gguf(path)
        except RuntimeError as error:
            assert "cannot load" in str(error)
            continue
        assert all(0 < info.start <= info.start + info.nbytes <= len(whole) for info in model.infos.values())
