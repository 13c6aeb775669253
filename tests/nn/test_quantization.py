"""`flow.quantization`: modules of few bits, what a model loses by them, codes of other libraries, and training for them."""

from __future__ import annotations

import copy
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tritonflow as flow
from tests.ops.sides import ours
from tritonflow.quantization import (
    DynamicFloat8Linear,
    DynamicInt8Linear,
    FakeQuantizedLinear,
    Float8DynamicActivationFloat8WeightConfig,
    Float8WeightOnlyConfig,
    Int4WeightOnlyConfig,
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    NF4WeightOnlyConfig,
    PerBlock,
    PerRow,
    QuantizedEmbedding,
    QuantizedLinear,
    from_awq,
    from_gguf,
    from_gptq,
    quantize_,
)

nn = flow.nn
DYNAMIC = Int8DynamicActivationInt8WeightConfig()
FLOAT8 = Float8DynamicActivationFloat8WeightConfig()
BLOCKS = Float8DynamicActivationFloat8WeightConfig((PerBlock((1, 128)), PerBlock((128, 128))))
PRODUCTS = {DYNAMIC: DynamicInt8Linear, FLOAT8: DynamicFloat8Linear, BLOCKS: DynamicFloat8Linear}
CONFIGS = [
    Int8WeightOnlyConfig(), Int8WeightOnlyConfig(32), Int4WeightOnlyConfig(32), NF4WeightOnlyConfig(), Float8WeightOnlyConfig(),
    *PRODUCTS,
]  # fmt: skip


def model() -> Any:
    return nn.Sequential(nn.Embedding(20, 128), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10, bias=False))


def everything(module: Any, name: str) -> bool:
    return True


def quantized(of: Any, config: Any) -> Any:
    return flow.quantize(of, config, None if config in PRODUCTS else everything)



def indices() -> flow.Tensor:
    return flow.tensor([[1, 2, 19], [0, 0, 7]])


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_modules_in_every_form(config: Any) -> None:
    """A copy, in eager mode and compiled; states loaded into another; a deep copy in bfloat16; a file."""
    flow.manual_seed(0)
    plain = model()
    small = quantized(plain, config)
    y = small(indices())
    loss = float((y - plain(indices())).norm() / plain(indices()).norm())
    name = type(config).__name__
    assert 0 < loss < (0.06 if "Float8" in name else 0.02 if "Int8" in name else 0.25)
    assert type(plain[1]) is nn.Linear and type(small[1]) is PRODUCTS.get(config, QuantizedLinear)
    assert config in PRODUCTS or type(small[0]) is QuantizedEmbedding
    compiled = flow.compile(small)
    for _ in range(2):
        assert float((compiled(indices()) - y).abs().max()) < 1e-5

    other = quantized(model(), config)
    other.load_state_dict(small.state_dict())
    assert flow.equal(other(indices()), y)
    buffer = io.BytesIO()
    flow.save(small.state_dict(), buffer)
    buffer.seek(0)
    third = quantized(model(), config)
    third.load_state_dict(flow.load(buffer))
    assert flow.equal(third(indices()), y)
    half = copy.deepcopy(small).to(flow.bfloat16)
    assert half(indices()).dtype is flow.bfloat16 and small(indices()).dtype is flow.float32
    assert half[1].codes.dtype is small[1].codes.dtype
    assert float((half(indices()).float() - y).norm() / y.norm()) < 0.03


class InGraph(nn.Graph):
    def __init__(self, module: Any) -> None:
        super().__init__()
        self.module = module

    def build(self, x: Any) -> Any:
        return self.module(x)


@pytest.mark.parametrize("config", [Int4WeightOnlyConfig(64), DYNAMIC, BLOCKS], ids=str)
def test_graphs(config: Any) -> None:
    small = quantized(model(), config)
    assert float((InGraph(small)(indices()) - small(indices())).abs().max()) < 1e-5


@pytest.mark.parametrize("config", [Int4WeightOnlyConfig(32), FLOAT8, BLOCKS], ids=str)
def test_safetensors_hold_codes(tmp_path: Path, config: Any) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    small = flow.quantize(nn.Linear(128, 8), config)
    states = {name: flow.to_torch(t.detach()).clone() for name, t in small.state_dict().items()}
    safetensors.save_file(states, str(tmp_path / "w.safetensors"))
    read = {name: ours(t) for name, t in safetensors.load_file(str(tmp_path / "w.safetensors")).items()}
    other = flow.quantize(nn.Linear(128, 8), config)
    other.load_state_dict(read)
    x = flow.randn(2, 128)
    assert flow.equal(other(x), small(x)) and other.codes.dtype is small.codes.dtype


def test_float8_of_a_checkpoint() -> None:
    """A weight of float8 with scales for blocks, as DeepSeek stores it; scales stay in float32 where the model is cast."""
    flow.manual_seed(0)
    weight, scales = flow.randn(200, 300).to(flow.float8_e4m3fn), flow.rand(2, 3) + 0.5
    layer = DynamicFloat8Linear(weight, scales)
    wide = scales.repeat_interleave(128, 0)[:200].repeat_interleave(128, 1)[:, :300] * weight.float()
    assert flow.equal(layer.weight, wide)
    x = flow.randn(4, 300)
    assert float((layer(x) - x @ wide.t()).norm() / (x @ wide.t()).norm()) < 0.04
    half = layer.to(flow.bfloat16)
    assert half.scales.dtype is flow.float32 and flow.equal(half.scales, scales) and half(x.bfloat16()).dtype is flow.bfloat16
    with pytest.raises(RuntimeError, match=r"scales must be \[200, 1\] or \[2, 3\] numbers"):
        DynamicFloat8Linear(weight, flow.ones(3, 2))
    with pytest.raises(RuntimeError, match="codes must be a matrix of tritonflow.float8_e4m3fn"):
        DynamicFloat8Linear(weight.float(), scales)
    with pytest.raises(RuntimeError, match="granularity must be PerRow"):
        Float8DynamicActivationFloat8WeightConfig(PerBlock())
    assert Float8DynamicActivationFloat8WeightConfig((PerRow(), PerRow())).of(nn.Linear(4, 3)).block == 0


def test_gradients_reach_what_is_before_and_the_bias() -> None:
    first, second = nn.Linear(16, 64), nn.Linear(64, 4)
    small = quantize_(nn.Sequential(first, second), Int4WeightOnlyConfig(32), lambda m, name: name == "1")
    small(flow.ones(3, 16)).sum().backward()
    wanted = (flow.ones(3, 4) @ small[1].weight).sum(0)
    assert float((first.bias.grad - wanted).abs().max()) < 1e-5 and small[1].bias.grad.tolist() == [3.0] * 4
    assert small[1].weight.shape == (4, 64) and not any("codes" in name for name, _ in small.named_parameters())


def test_what_cannot_be_quantised_leaves_the_model_as_it_was() -> None:
    plain = model()
    with pytest.raises(RuntimeError, match="quantize_: 3.*groups of 128 do not divide the 64 columns"):
        quantize_(plain, Int4WeightOnlyConfig(128))
    assert type(plain[1]) is nn.Linear and type(plain[3]) is nn.Linear
    plain[3].weight.data[0, 0] = float("nan")
    with pytest.raises(RuntimeError, match="not finite"):
        quantize_(plain, Int8WeightOnlyConfig())
    assert type(plain[1]) is nn.Linear
    with pytest.raises(TypeError, match="must be a configuration"):
        quantize_(plain, "int8")  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="embedding, which has no products"):
        quantize_(plain, DYNAMIC, everything)


def test_attention_and_shared_layers() -> None:
    """The output projection of an attention computes elsewhere and stays; a layer in two modules becomes one layer."""
    attention = quantize_(nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), Int8WeightOnlyConfig())
    assert type(attention.linear1) is QuantizedLinear and type(attention.self_attn.out_proj) is not QuantizedLinear
    shared = nn.Linear(32, 32)
    both = quantize_(nn.Sequential(nn.Sequential(shared), nn.Sequential(shared)), Int8WeightOnlyConfig())
    assert both[0][0] is both[1][0] and type(both[0][0]) is QuantizedLinear
    assert type(quantize_(nn.Linear(32, 3), Int8WeightOnlyConfig())) is QuantizedLinear
    assert attention.training and not quantize_(nn.Linear(32, 3).eval(), Int8WeightOnlyConfig()).training


# ------------------------------------------------------------------------------------------------ what a model loses


class Task:
    """A model with three layers, trained on samples of 16 classes; its loss and that of others on them."""

    def __init__(self) -> None:
        flow.manual_seed(1)
        self.x = flow.randn(1024, 64)
        self.classes = self.x[:, :8].abs().argmax(1) + 8 * (self.x[:, 8] > 0).to(flow.int64)
        flow.manual_seed(2)
        self.net = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 256), nn.GELU(), nn.Linear(256, 16))
        self.train(self.net, 30, 2e-3)

    def train(self, net: Any, steps: int, lr: float) -> None:
        optimizer = flow.optim.AdamW(net.parameters(), lr=lr)
        for _ in range(steps):
            optimizer.zero_grad()
            self.loss(net).backward()
            optimizer.step()

    def loss(self, net: Any) -> Any:
        return nn.functional.cross_entropy(net(self.x), self.classes)


@pytest.fixture  # for each test: the default device is set for each
def task() -> Task:
    return Task()


@pytest.mark.parametrize(
    ("config", "share"),
    [(Int8WeightOnlyConfig(), 0.001), (Int4WeightOnlyConfig(32), 0.01), (DYNAMIC, 0.001), (FLOAT8, 0.01), (BLOCKS, 0.01)],
    ids=str,
)
def test_a_trained_model_loses_little(config: Any, share: float, task: Task) -> None:
    """Of its loss: 0.1 % by integers of 8 bits, 1 % by float8 and by 4 bits in groups of 32."""
    with flow.no_grad():
        before, after = float(task.loss(task.net)), float(task.loss(flow.quantize(task.net, config)))
    assert before < 1.5 and abs(after - before) <= share * before


def test_training_for_four_bits(task: Task) -> None:
    """What a layer multiplies by while it is trained is what its codes stand for. Some steps win back what rounding lost."""

    def fake(layer: Any) -> Any:
        if not isinstance(layer, nn.Linear):
            return layer
        found = FakeQuantizedLinear(layer.in_features, layer.out_features, form="int4", group=64)
        found.load_state_dict(layer.state_dict())
        return found

    def packed() -> float:
        with flow.no_grad():
            return float(task.loss(nn.Sequential(*[x.quantized() if isinstance(x, FakeQuantizedLinear) else x for x in net])))

    net = nn.Sequential(*map(fake, task.net))
    rounded = packed()
    task.train(net, 5, 1e-3)
    assert abs(packed() - float(task.loss(net).detach())) < 1e-4 and packed() < 0.98 * rounded


def test_gradients_of_training_pass_the_rounding() -> None:
    layer = FakeQuantizedLinear(64, 3, form="int4", group=32)
    x = flow.randn(5, 64, requires_grad=True)
    layer(x).sum().backward()
    assert float((layer.weight.grad - x.detach().sum(0)).abs().max()) < 1e-4
    assert float((x.grad - layer.quantized().weight.sum(0)).abs().max()) < 1e-4


# ------------------------------------------------------------------------------------------------ other libraries' files


def _gguf_numbers(data: np.ndarray[Any, Any], kind: str) -> np.ndarray[Any, Any]:
    """ggml-quants.c, element by element."""
    rows: list[list[float]] = []
    for row in data:
        numbers: list[float] = []
        for block in row.reshape(-1, {"q8_0": 34, "q4_0": 18, "q4_k": 144}[kind]):
            d = float(block[:2].view(np.float16)[0])
            if kind == "q8_0":
                numbers += [d * int(q) for q in block[2:].view(np.int8)]
            elif kind == "q4_0":
                numbers += [d * (int(q) % 16 - 8) for q in block[2:]] + [d * (int(q) // 16 - 8) for q in block[2:]]
            else:
                dmin, six = float(block[2:4].view(np.float16)[0]), [int(v) for v in block[4:16]]
                for j in range(8):
                    if j < 4:
                        scale, least = six[j] & 63, six[j + 4] & 63
                    else:
                        scale = six[j + 4] & 15 | six[j - 4] >> 6 << 4
                        least = six[j + 4] >> 4 | six[j] >> 6 << 4
                    part = block[16 + 32 * (j // 2) : 48 + 32 * (j // 2)]
                    numbers += [d * scale * (int(q) >> 4 * (j % 2) & 15) - dmin * least for q in part]
        rows.append(numbers)
    return np.array(rows)


@pytest.mark.parametrize(("kind", "size"), [("q8_0", 34), ("q4_0", 18), ("q4_k", 144)])
def test_gguf(kind: str, size: int) -> None:
    draw = np.random.default_rng(0)
    data = draw.integers(0, 256, (5, 3 * size), dtype=np.uint8)
    for block in data.reshape(-1, size):
        block[:2] = np.array([draw.standard_normal()], dtype=np.float16).view(np.uint8)
        if kind == "q4_k":
            block[2:4] = np.array([draw.standard_normal()], dtype=np.float16).view(np.uint8)
    layer = from_gguf(flow.tensor(data), kind.upper())
    exact = _gguf_numbers(data, kind)
    assert np.allclose(layer.dequantize().numpy(), exact, rtol=1e-5, atol=1e-4 * np.abs(exact).max())
    x = draw.standard_normal((2, exact.shape[1])).astype(np.float32)
    assert np.allclose(layer(flow.tensor(x)).numpy(), x @ exact.T, rtol=1e-4, atol=1e-4 * np.abs(exact).max() * 100)
    with pytest.raises(RuntimeError, match="in blocks of"):
        from_gguf(flow.zeros(1, size + 1, dtype=flow.uint8), kind)
    with pytest.raises(RuntimeError, match="kind must be one of"):
        from_gguf(flow.zeros(1, size, dtype=flow.uint8), "q2_k")


def _packed(codes: np.ndarray[Any, Any], order: tuple[int, ...]) -> Any:
    """Words along the last dimension; nibble i has column order[i] of eight."""
    parts = codes.reshape(codes.shape[0], -1, 8).astype(np.uint32)
    words = np.zeros(parts.shape[:2], dtype=np.uint32)
    for i, column in enumerate(order):
        words |= parts[:, :, column] << np.uint32(4 * i)
    return flow.tensor(words.view(np.int32))


def test_gptq_and_awq() -> None:
    draw = np.random.default_rng(0)
    codes, zeros = draw.integers(0, 16, (64, 24)), draw.integers(1, 16, (2, 24))  # (in, out), (groups, out)
    scales = draw.standard_normal((2, 24)).astype(np.float16)
    exact = ((codes - zeros.repeat(32, 0)) * scales.astype(np.float64).repeat(32, 0)).T
    straight = tuple(range(8))
    by_inputs = flow.tensor(_packed(codes.T, straight).numpy().T.copy())
    layer = from_gptq(by_inputs, _packed(zeros - 1, straight), flow.tensor(scales), flow.arange(64) // 32)
    assert np.allclose(layer.dequantize().numpy(), exact, atol=1e-5)
    with pytest.raises(RuntimeError, match="desc_act"):
        from_gptq(by_inputs, _packed(zeros - 1, straight), flow.tensor(scales), flow.arange(64) % 2)
    order = (0, 2, 4, 6, 1, 3, 5, 7)  # AWQ's: nibble 1 has column 2
    layer = from_awq(_packed(codes, order), _packed(zeros, order), flow.tensor(scales))
    assert np.allclose(layer.dequantize().numpy(), exact, atol=1e-5)
    with pytest.raises(RuntimeError, match="groups do not divide"):
        from_awq(_packed(codes, order), _packed(zeros, order), flow.ones(3, 24))


def test_programs_that_import_torchao() -> None:
    with flow.mock_torch.enable():
        import torch as mock
        from torchao.quantization import Int8WeightOnlyConfig as Config
        from torchao.quantization import quantize_ as replace

        net = mock.nn.Sequential(mock.nn.Linear(64, 8))
        replace(net, Config())
        assert type(net[0]) is QuantizedLinear and net(mock.ones(2, 64)).shape == (2, 8)
        product = mock._int_mm(mock.ones(2, 3, dtype=mock.int8), mock.ones(3, 2, dtype=mock.int8))
    assert product.tolist() == [[3, 3], [3, 3]] and type(product) is flow.Tensor and torch is not mock
