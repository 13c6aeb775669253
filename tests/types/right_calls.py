"""What calls give: mypy and pyright, strict, agree with every line (check.py). It is not run."""

from collections.abc import Iterator
from typing import Any

import numpy
from typing_extensions import assert_type

import tritonflow as flow
from tritonflow import nn
from tritonflow.autograd.function import FunctionCtx
from tritonflow.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, random_split

F = nn.functional
x, w = flow.ones(2, 3), flow.randn((3, 4), dtype=flow.float64, device="cpu", requires_grad=True)

# Tensors.
assert_type(x, flow.Tensor)
assert_type(x + 1, flow.Tensor)
assert_type(2.0 * x, flow.Tensor)
assert_type(x @ w, flow.Tensor)
assert_type(-x, flow.Tensor)
assert_type(x > 0, flow.Tensor)
assert_type(x == x, flow.Tensor)
assert_type(x[0], flow.Tensor)
assert_type(x[:, None, ..., 1:], flow.Tensor)
assert_type(x[x > 0], flow.Tensor)
assert_type(x.shape, flow.Size)
assert_type(x.shape[0], int)
assert_type(x.size(), flow.Size)
assert_type(x.size(1), int)
assert_type(x.dtype, flow.dtype)
assert_type(x.device, flow.device)
assert_type(x.T, flow.Tensor)
assert_type(x.requires_grad, bool)
assert_type(len(x), int)
assert_type(float(x.sum()), float)
assert_type(int(x.argmax()), int)
assert_type(bool(x.any()), bool)
assert_type(list(x), list[flow.Tensor])
assert_type(x.numpy(), "numpy.ndarray[Any, Any]")
assert_type(x.to("cpu"), flow.Tensor)
assert_type(x.to(flow.float16), flow.Tensor)
assert_type(x.to(device="cpu", dtype=flow.float16), flow.Tensor)
assert_type(x.float().int().bool(), flow.Tensor)
assert_type(x.view(3, 2), flow.Tensor)
assert_type(x.view((3, -1)), flow.Tensor)
assert_type(x.reshape(x.shape), flow.Tensor)
assert_type(x.permute(1, 0), flow.Tensor)
assert_type(x.sum((0, 1), keepdim=True), flow.Tensor)
assert_type(x.split(1), tuple[flow.Tensor, ...])
assert_type(x.add_(1).mul_(x), flow.Tensor)
x[0, 1] = 3
x[0] = w
x.requires_grad = True
x.grad = None
values, indices = x.max(1)
assert_type(values, flow.Tensor)
assert_type(x.max(), flow.Tensor)
assert_type(x.sort().indices, flow.Tensor)
assert_type(flow.topk(x, 2).values, flow.Tensor)
total = 0.0
total += x.sum().item() * len(x)
assert_type(total, float)

# Functions.
assert_type(flow.cat([x, x], dim=0), flow.Tensor)
assert_type(flow.stack((x, x)), flow.Tensor)
assert_type(flow.where(x > 0, x, 0.0), flow.Tensor)
assert_type(flow.einsum("ij,jk->ik", x, w), flow.Tensor)
assert_type(flow.add(x, 1, out=x), flow.Tensor)
assert_type(flow.arange(0, 10, 2), flow.Tensor)
assert_type(flow.tensor([[1, 2], [3, 4]], dtype=flow.float32), flow.Tensor)
assert_type(flow.from_numpy(numpy.zeros(3)), flow.Tensor)
assert_type(flow.unique(x), flow.Tensor)
assert_type(flow.unique(x, return_inverse=True), tuple[flow.Tensor, flow.Tensor])
assert_type(flow.allclose(x, x), bool)
assert_type(flow.linalg.svd(w).S, flow.Tensor)
assert_type(flow.linalg.norm(x, dim=(0, 1)), flow.Tensor)
assert_type(flow.special.expit(x), flow.Tensor)
assert_type(flow.fft.rfft(x), flow.Tensor)
assert_type(F.relu(x), flow.Tensor)
assert_type(F.cross_entropy(x, x.argmax(1), reduction="sum"), flow.Tensor)
assert_type(F.conv2d(x, w, stride=2, padding=(1, 1)), flow.Tensor)
assert_type(F.max_pool2d(x, 2), flow.Tensor)
assert_type(F.max_pool2d(x, 2, return_indices=True), tuple[flow.Tensor, flow.Tensor])
assert_type(F.interpolate(x, scale_factor=2.0), flow.Tensor)
assert_type(F.pad(x, (1, 1)), flow.Tensor)
assert_type(flow.manual_seed(0), flow.Generator)
(gradient,) = flow.autograd.grad(x.sum(), [x])
assert_type(gradient, flow.Tensor)


# Modules.
class Net(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Dropout(0.1))
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.scale = nn.Parameter(flow.ones(1))
        self.register_buffer("mean", flow.zeros(1))

    def forward(self, x: flow.Tensor, twice: bool = False) -> flow.Tensor:
        for block in self.blocks:
            x = block(x)
        return self.layers(x) * self.scale


net = Net(8)
assert_type(net(x), flow.Tensor)
assert_type(net(x, twice=True), flow.Tensor)
assert_type(net.to("cpu").eval().half(), Net)
assert_type(net.layers(x), flow.Tensor)
assert_type(nn.LayerNorm(3)(x), flow.Tensor)
assert_type(nn.Linear(3, 4).weight, nn.Parameter)
for name, parameter in net.named_parameters():
    assert_type(name, str)
    assert_type(parameter, nn.Parameter)
output, (hidden, cell) = nn.LSTM(3, 4)(x)
assert_type(output, flow.Tensor)
assert_type(cell, flow.Tensor)
assert_type(nn.MaxPool2d(2)(x).sum(), flow.Tensor | Any)
assert_type(nn.Identity()(x), flow.Tensor)
assert_type(nn.utils.parametrizations.weight_norm(nn.Linear(3, 4)), nn.Linear)
net.load_state_dict(net.state_dict())
net.requires_grad_(False)

# Training.
optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
grouped = flow.optim.AdamW([{"params": net.layers.parameters(), "lr": 1e-3}, {"params": [net.scale]}])
schedule = flow.optim.lr_scheduler.StepLR(optimizer, step_size=2)
loss = nn.CrossEntropyLoss()(net(x), x.argmax(1))
optimizer.zero_grad()
loss.backward()
optimizer.step()
schedule.step()
nn.utils.clip_grad_norm_(net.parameters(), 1.0)
scaler = flow.amp.GradScaler()
with flow.autocast("cpu", dtype=flow.bfloat16), flow.no_grad():
    scaler.scale(net(x).sum()).backward()
print(net.scale.grad.mean())


class Step(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer)

    def build(self, x: flow.Tensor) -> tuple[flow.Tensor, flow.Tensor]:
        y = self.net(x)
        return y, y.sum()


assert_type(Step()(x), tuple[flow.Tensor, flow.Tensor])


@flow.compile
def compiled(x: flow.Tensor, scale: float = 2.0) -> flow.Tensor:
    return x * scale


@flow.compile(fullgraph=True, backend="inductor", options={"max_autotune": False})
def compiled_whole(x: flow.Tensor) -> flow.Tensor:
    return x + 1


@flow.no_grad()
def evaluate(x: flow.Tensor) -> float:
    return float(net(x).sum())


class Holder:
    @flow.compile
    def method(self, x: flow.Tensor) -> flow.Tensor:
        return x


assert_type(compiled(x), flow.Tensor)
assert_type(compiled(x, scale=3.0), flow.Tensor)
assert_type(compiled_whole(x), flow.Tensor)
assert_type(flow.compile(net)(x), flow.Tensor)
assert_type(flow.compile(net, mode="reduce-overhead", disable=True)(x), flow.Tensor)
net.compile(mode="default", backend="eager")
assert_type(evaluate(x), float)
assert_type(Holder().method(x), flow.Tensor)
print(compiled.explain(x), compiled.explain())
anything: Any = compiled
assert_type(flow.compile(anything)(x), Any)
assert_type(flow.vmap(compiled)(x), flow.Tensor)
chosen: flow.Tensor = flow.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))
rounds, doubled = flow.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (0, x))
carry, totals = flow.scan(lambda carry, x: (carry + x, carry), flow.zeros(3), x, dim=0, reverse=True)
totals = flow.associative_scan(lambda a, b: a + b, x, dim=0)
assert_type(flow.func.grad(lambda x: x)(x), Any)


class Square(flow.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: flow.Tensor) -> flow.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: FunctionCtx, grad: flow.Tensor) -> flow.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * grad * x


squared: flow.Tensor = Square.apply(x)


# Data.
class Numbers(Dataset[tuple[flow.Tensor, int]]):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> tuple[flow.Tensor, int]:
        return flow.ones(2), index


class Stream(IterableDataset[flow.Tensor]):
    def __iter__(self) -> Iterator[flow.Tensor]:
        yield flow.ones(2)


pairs = TensorDataset(x, x)
train, test = random_split(pairs, [1, 1])
for a, _ in DataLoader(train, batch_size=2, shuffle=True):
    assert_type(a, flow.Tensor)
for batch in DataLoader(Numbers(), num_workers=2):
    assert_type(batch, list[flow.Tensor])
for batch_of_numbers in DataLoader([1.0, 2.0]):
    assert_type(batch_of_numbers, flow.Tensor)
for sample in DataLoader([{"x": x}]):
    assert_type(sample, dict[str, flow.Tensor])


def count(samples: list[tuple[flow.Tensor, int]]) -> int:
    return len(samples)


for number in DataLoader(Numbers(), collate_fn=count):
    assert_type(number, int)
for item in DataLoader(Stream()):
    print(item)
assert_type(len(DataLoader(pairs)), int)

# And the rest.
normal = flow.distributions.Normal(0.0, 1.0)
assert_type(normal.sample((2,)), flow.Tensor)
assert_type(normal.log_prob(x), flow.Tensor)
with flow.profiler.profile() as prof, flow.profiler.record_function("step"):
    net(x)
print(prof.key_averages().table(sort_by="total"))
assert_type(flow.cuda.is_available(), bool)
assert_type(flow.get_default_dtype(), flow.dtype)
ranks = flow.placement.all("cpu")
assert_type(x.to_global(placement=ranks, sbp=flow.sbp.split(0)), flow.Tensor)
mesh = flow.distributed.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
assert_type(mesh["dp"], flow.distributed.DeviceMesh)
assert_type(mesh["dp", "tp"].get_group("dp"), flow.distributed.ProcessGroup)
assert_type(x.to_global(placement=mesh["dp"], sbp=flow.sbp.split(0)), flow.Tensor)
assert_type(flow.zeros(2, placement=mesh, sbp=(flow.sbp.broadcast,) * 2), flow.Tensor)
assert_type(flow.tensor([1.0], placement=mesh["tp"], sbp=flow.sbp.broadcast), flow.Tensor)
for some in ([0], mesh["dp"], mesh.get_group(0), flow.distributed.new_group([0])):
    assert_type(flow.comm.all_reduce(flow.ones(2), ranks=some), flow.Tensor)
flow.save(net.state_dict(), "net.flow")
flow.set_default_device("cpu")
assert_type(flow.env.get_rank(), int)


@flow.enable_grad()
def with_gradients(x: flow.Tensor) -> flow.Tensor:
    return x * 2


@flow.inference_mode()
def without_gradients(x: flow.Tensor) -> flow.Tensor:
    return x * 2


@flow.autocast("cpu")
def cast(x: flow.Tensor) -> flow.Tensor:
    return x @ w


assert_type(with_gradients(x), flow.Tensor)
assert_type(without_gradients(x), flow.Tensor)
assert_type(cast(x), flow.Tensor)
with flow.set_grad_enabled(False), flow.device("cpu"):
    print(flow.is_grad_enabled())
