"""A user's first program, run with an installed wheel: eager, compiled, saved, in workers, and a kernel."""

from __future__ import annotations

import warnings
from pathlib import Path

warnings.filterwarnings("error", category=DeprecationWarning, module="tritonflow")  # what the next Python will lack

import triton  # noqa: E402
import triton.language as tl  # noqa: E402

import tritonflow as flow  # noqa: E402
from tritonflow import nn  # noqa: E402
from tritonflow.utils.data import DataLoader, TensorDataset  # noqa: E402

STEPS = 30


@triton.jit
def scaled_kernel(x, y, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, factor * tl.load(x + i, mask=i < n), mask=i < n)


@flow.library.triton_op("smoke::scaled", mutates_args=())
def scaled(x: flow.Tensor, factor: float) -> flow.Tensor:
    y = flow.empty_like(x)
    n = x.numel()
    flow.library.wrap_triton(scaled_kernel)[(triton.cdiv(n, 64),)](x, y, factor, n, BLOCK=64)
    return y


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))

    def forward(self, x: flow.Tensor) -> flow.Tensor:
        return self.layers(x)


def train(compiled: bool) -> tuple[Net, list[float]]:
    """A net that learns the sign of a number, and its losses."""
    flow.manual_seed(0)
    net = Net()
    optimizer = flow.optim.AdamW(net.parameters(), lr=0.02)

    def step(x: flow.Tensor, target: flow.Tensor) -> flow.Tensor:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), target)
        loss.backward()
        optimizer.step()
        return loss

    run = flow.compile(step, fullgraph=True) if compiled else step
    x = flow.randn(64, 8)
    target = (x[:, 0] > 0).long()
    return net, [run(x, target).item() for _ in range(STEPS)]


def main() -> None:
    package = Path(flow.__file__).parent
    assert "site-packages" in package.parts, f"not the installed package: {package}"
    assert (package / "py.typed").exists() and (package / "__init__.pyi").exists()
    net, losses = train(compiled=False)
    _, compiled = train(compiled=True)
    assert losses[-1] < losses[0] / 2, losses
    assert max(abs(a - b) for a, b in zip(losses, compiled)) < 1e-4, (losses, compiled)

    flow.save(net.state_dict(), "net.safetensors")
    again = Net()
    again.load_state_dict(flow.load("net.safetensors"))
    x = flow.arange(100).float()
    batch = x[:96].reshape(12, 8)
    assert flow.equal(net.eval()(batch), again.eval()(batch))

    assert flow.equal(scaled(x, 3.0), x * 3)
    assert flow.equal(flow.compile(lambda v: scaled(v + 1, 2.0))(x), (x + 1) * 2)
    batches = [each for (each,) in DataLoader(TensorDataset(x), batch_size=30, num_workers=2)]
    assert flow.equal(flow.cat(batches), x)
    print("all of it ran")


if __name__ == "__main__":
    main()
