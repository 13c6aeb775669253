"""Calls that are wrong: mypy and pyright each report every line that ends in `# wrong`, and no other (check.py)."""

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader, TensorDataset

F = nn.functional
x = flow.ones(2, 3)
layer = nn.Linear(3, 4)

# Names.
flow.softmaxx(x, 1)  # wrong
F.reluu(x)  # wrong
nn.Lineer(3, 4)  # wrong
x.shap  # wrong
x.summ()  # wrong
flow.linalg.det2(x)  # wrong
flow.special.expitt(x)  # wrong
flow.fft.fftt(x)  # wrong
flow.optim.Adamm(layer.parameters())  # wrong
flow.float23  # wrong

# Keywords.
flow.sum(x, dimm=1)  # wrong
x.sum(dimm=1)  # wrong
F.softmax(x, dims=1)  # wrong
nn.Linear(3, 4, biass=False)  # wrong
flow.fft.rfft(x, m=4)  # wrong
flow.signal.windows.hann(5, symm=True)  # wrong
flow.zeros(2, dtyp=flow.float32)  # wrong
flow.optim.SGD(layer.parameters(), learning_rate=0.1)  # wrong
DataLoader(TensorDataset(x), batchsize=2)  # wrong

# Types of arguments.
nn.Linear("a", 2)  # wrong
nn.Conv2d(3, "8", 3)  # wrong
nn.Linear(3, 4, device=flow.float32)  # wrong
nn.Linear(3, 4, dtype="float32")  # wrong
flow.fft.rfft(x, "4")  # wrong
flow.tensor([1.0], device=3.5)  # wrong
nn.LSTM(3, 4)(x, x)  # wrong
x.view("a")  # wrong
x["a"]  # wrong
flow.softmax(x, "1")  # wrong
flow.cat(x)  # wrong
flow.ones(2, dtype="float32")  # wrong
x.to(3.5)  # wrong
x + "1"  # wrong
F.relu([1.0])  # wrong
flow.optim.SGD(3, lr=0.1)  # wrong
x.grad = 3  # wrong
flow.save(layer.state_dict())  # wrong

# Numbers of arguments, and calls of modules.
flow.matmul(x)  # wrong
nn.Linear(3)  # wrong
layer()  # wrong
layer(x, x)  # wrong
layer("x")  # wrong

# What comes back.
text: str = x.item()  # wrong
number: float = x.sum()  # wrong
flag: bool = layer(x)  # wrong
size: flow.Tensor = x.shape  # wrong
values, indices, more = x.max(1)  # wrong


@flow.compile
def step(x: flow.Tensor, scale: float) -> flow.Tensor:
    return x * scale


step(x, 2.0)
step(x)  # wrong
step(x, "2")  # wrong
step(x, 2.0).foo  # wrong
flow.compile(step, backend=3)  # wrong
flow.compile(step, options=["max_autotune"])  # wrong
flow.while_loop(3, step, (x,))  # wrong

for batch in DataLoader(TensorDataset(x, x), batch_size=2):
    first: flow.Tensor = batch[0]
    other: str = batch[0]  # wrong
