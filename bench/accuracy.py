"""How exact reductions, norms, scans and losses are, ours and torch's, on inputs that are long, large or cancel.

    python bench/accuracy.py [NAME ...] [--seeds 3] [--write docs/accuracy.md]

A NAME selects the ops whose name begins with it. The exact result is computed in NumPy's longdouble, which has a mantissa of
64 bits on x86, from the same rounded inputs. The error is max |result - exact| / max |exact| over the elements of a result;
the table has its root mean square over the seeds. Inputs of two dimensions are reduced along the dimension that is named.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import torch

import tritonflow as flow
from tritonflow.bench.script import script_parser

WIDE = numpy.longdouble
WORST = 4.0  # times torch's error: what is above says why in REASONS
LONG, ROWS, COLUMNS = (1 << 22,), (16, 1 << 18), (1 << 18, 16)
IMAGES = (8, 4, 128, 128)
Array = numpy.ndarray

REASONS: dict[tuple[str, str], str] = {
    ("var", "outlier"): "float32 within a tile of 4096 elements, torch computes in float64",
    ("matmul", "normal"): "one chain of additions for each element, torch cuts it in several",
    ("matmul", "uniform"): "one chain of additions for each element, torch cuts it in several",
}


# ------------------------------------------------------------------------------------------------------------- inputs


def normal(rng: numpy.random.Generator, shape: tuple[int, ...]) -> Array:
    return rng.standard_normal(shape)


def around(mean: float, deviation: float) -> Callable[[numpy.random.Generator, tuple[int, ...]], Array]:
    return lambda rng, shape: mean + deviation * rng.standard_normal(shape)


def cancelling(rng: numpy.random.Generator, shape: tuple[int, ...]) -> Array:
    """Pairs of +1e8 and -1e8 among standard normal numbers, in random order along the longest dimension."""
    dim = int(numpy.argmax(shape))
    values = numpy.moveaxis(rng.standard_normal(shape), dim, 0)
    quarter = shape[dim] // 4
    values[:quarter], values[quarter : 2 * quarter] = 1e8, -1e8
    return numpy.moveaxis(values[rng.permutation(shape[dim])], 0, dim)


def outlier(rng: numpy.random.Generator, shape: tuple[int, ...]) -> Array:
    """Standard normal numbers behind a first one of 1e6."""
    values = rng.standard_normal(shape)
    values.reshape(-1)[0] = 1e6
    return values


def near_one(rng: numpy.random.Generator, shape: tuple[int, ...]) -> Array:
    """Factors whose product stays in the range of every dtype."""
    return numpy.exp(rng.standard_normal(shape) / math.sqrt(max(shape)))


def with_nan(rng: numpy.random.Generator, shape: tuple[int, ...]) -> Array:
    return numpy.where(rng.random(shape) < 0.25, numpy.nan, rng.standard_normal(shape))


INPUTS = {
    "normal": normal, "uniform": lambda rng, shape: rng.random(shape),
    "mean 1e4, std 0.01": around(1e4, 0.01), "mean 1e8, std 16": around(1e8, 16.0), "mean 100, std 1": around(100.0, 1.0),
    "cancelling": cancelling, "outlier": outlier, "near one": near_one, "a quarter NaN": with_nan,
    "std 10": around(0.0, 10.0),
}  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- ops


@dataclass(frozen=True)
class Case:
    op: str
    call: Callable[[Any, Any], Any]  # (flow or torch, tensor) -> tensor
    exact: Callable[[Array], Array]
    inputs: str
    shape: tuple[int, ...]
    dtype: str = "float32"


def moments(x: Array, dim: Any, correction: int = 1) -> Array:
    return x.var(dim, ddof=correction)


def functional(m: Any) -> Any:
    return m.nn.functional


def softmax(x: Array) -> Array:
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def logsumexp(x: Array, dim: int) -> Array:
    top = x.max(dim, keepdims=True)
    return numpy.squeeze(top, dim) + numpy.log(numpy.exp(x - top).sum(dim))


def standardised(x: Array, dims: tuple[int, ...]) -> Array:
    return (x - x.mean(dims, keepdims=True)) / numpy.sqrt(x.var(dims, keepdims=True) + WIDE(1e-5))


def grouped(x: Array) -> Array:
    return standardised(x.reshape(x.shape[0], 2, -1), (2,)).reshape(x.shape)


def norm(x: Array, p: float, dim: Any) -> Array:
    return numpy.power(numpy.power(numpy.abs(x), WIDE(p)).sum(dim), 1 / WIDE(p))


def dims_of(shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The dimension that is reduced: all of a vector, the long one of a matrix."""
    return (0,) if len(shape) == 1 else (int(numpy.argmax(shape)),)


LAYOUTS = (LONG, ROWS, COLUMNS)


def sums() -> Iterator[Case]:
    for shape in LAYOUTS:
        (dim,) = dims_of(shape)
        for inputs in ("normal", "uniform", "mean 1e4, std 0.01", "cancelling"):
            yield Case("sum", lambda m, x, d=dim: m.sum(x, d), lambda x, d=dim: x.sum(d), inputs, shape)
        yield Case("mean", lambda m, x, d=dim: m.mean(x, d), lambda x, d=dim: x.mean(d), "mean 1e8, std 16", shape)
        yield Case(
            "nansum", lambda m, x, d=dim: m.nansum(x, d), lambda x, d=dim: numpy.nansum(x, d), "a quarter NaN", shape
        )
        yield Case("prod", lambda m, x, d=dim: m.prod(x, d), lambda x, d=dim: x.prod(d), "near one", shape)
        yield Case(
            "logsumexp", lambda m, x, d=dim: m.logsumexp(x, d), lambda x, d=dim: logsumexp(x, d), "std 10", shape
        )
    for dtype in ("float16", "bfloat16", "float64"):
        yield Case("sum", lambda m, x: m.sum(x, 1), lambda x: x.sum(1), "normal", ROWS, dtype)
        yield Case("mean", lambda m, x: m.mean(x, 1), lambda x: x.mean(1), "mean 100, std 1", ROWS, dtype)


def spreads() -> Iterator[Case]:
    for shape in LAYOUTS:
        (dim,) = dims_of(shape)
        for inputs in ("normal", "mean 1e4, std 0.01", "mean 1e8, std 16", "outlier"):
            yield Case("var", lambda m, x, d=dim: m.var(x, d), lambda x, d=dim: moments(x, d), inputs, shape)
        yield Case(
            "std",
            lambda m, x, d=dim: m.std(x, d),
            lambda x, d=dim: numpy.sqrt(moments(x, d)),
            "mean 1e8, std 16",
            shape,
        )
        yield Case(
            "var_mean, mean",
            lambda m, x, d=dim: m.var_mean(x, d)[1],
            lambda x, d=dim: x.mean(d),
            "mean 1e8, std 16",
            shape,
        )
    for dtype in ("float16", "bfloat16", "float64"):
        inputs = "mean 1e8, std 16" if dtype == "float64" else "mean 100, std 1"
        yield Case("var", lambda m, x: m.var(x, 1), lambda x: moments(x, 1), inputs, ROWS, dtype)


def norms() -> Iterator[Case]:
    for shape in LAYOUTS:
        (dim,) = dims_of(shape)
        for p in (1.0, 2.0, 3.0, 0.5):
            yield Case(
                f"norm, order {p:g}",
                lambda m, x, p=p, d=dim: m.norm(x, p, d),
                lambda x, p=p, d=dim: norm(x, p, d),
                "normal",
                shape,
            )
    for p in (2.0, 3.0, 0.5):
        half = (16, 50 if p < 1 else 1000)  # in the range of float16
        yield Case(
            f"norm, order {p:g}",
            lambda m, x, p=p: m.norm(x, p, 1),
            lambda x, p=p: norm(x, p, 1),
            "std 10",
            half,
            "float16",
        )


def scans() -> Iterator[Case]:
    for shape in LAYOUTS:
        (dim,) = dims_of(shape)
        for inputs in ("normal", "uniform", "cancelling"):
            yield Case("cumsum", lambda m, x, d=dim: m.cumsum(x, d), lambda x, d=dim: x.cumsum(d), inputs, shape)
        yield Case("cumprod", lambda m, x, d=dim: m.cumprod(x, d), lambda x, d=dim: x.cumprod(d), "near one", shape)
    for dtype in ("float16", "bfloat16", "float64"):
        yield Case("cumsum", lambda m, x: m.cumsum(x, 1), lambda x: x.cumsum(1), "normal", (16, 1 << 12), dtype)


def normalisations() -> Iterator[Case]:
    for columns in (1 << 10, 1 << 13, 1 << 18):
        shape = (16, columns)
        for inputs in ("normal", "mean 1e4, std 0.01", "mean 1e8, std 16"):
            yield Case(
                "layer_norm",
                lambda m, x: functional(m).layer_norm(x, x.shape[1:]),
                lambda x: standardised(x, (1,)),
                inputs,
                shape,
            )
        yield Case("softmax", lambda m, x: m.softmax(x, 1), softmax, "std 10", shape)
        yield Case(
            "log_softmax", lambda m, x: m.log_softmax(x, 1), lambda x: x - logsumexp(x, 1)[:, None], "std 10", shape
        )
    for inputs in ("normal", "mean 1e4, std 0.01", "mean 1e8, std 16"):
        yield Case("group_norm", lambda m, x: functional(m).group_norm(x, 2), grouped, inputs, IMAGES)
        yield Case(
            "group_norm, a group a channel",
            lambda m, x: functional(m).group_norm(x, IMAGES[1]),
            lambda x: standardised(x, (2, 3)),
            inputs,
            IMAGES,
        )
        yield Case(
            "batch_norm", lambda m, x: functional(m).batch_norm(x, None, None, training=True), lambda x: standardised(x, (0, 2, 3)),
            inputs, IMAGES,
        )  # fmt: skip
        yield Case(
            "batch_norm", lambda m, x: functional(m).batch_norm(x, None, None, training=True), lambda x: standardised(x, (0,)),
            inputs, (1 << 14, 16),
        )  # fmt: skip


def losses() -> Iterator[Case]:
    for shape in ((1 << 14, 16), (16, 1 << 16)):
        yield Case(
            "cross_entropy", lambda m, x: functional(m).cross_entropy(x, m.zeros(x.shape[0], dtype=m.int64)),
            lambda x: (logsumexp(x, 1) - x[:, 0]).mean(), "std 10", shape,
        )  # fmt: skip
    for inputs in ("normal", "mean 1e4, std 0.01"):
        yield Case("mse_loss", lambda m, x: functional(m).mse_loss(x, x * 0), lambda x: (x * x).mean(), inputs, LONG)
    for inputs in ("normal", "uniform"):
        yield Case("dot", lambda m, x: m.dot(x, x), lambda x: (x * x).sum(), inputs, LONG)
        yield Case("matmul", lambda m, x: m.matmul(x, x.t()), lambda x: x @ x.T, inputs, (16, 1 << 16))
        yield Case(
            "adaptive_avg_pool2d", lambda m, x: functional(m).adaptive_avg_pool2d(x, 1),
            lambda x: x.mean((2, 3), keepdims=True), inputs, (1, 4, 1024, 1024),
        )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- measuring


def error(result: torch.Tensor, exact: Array) -> float:
    found = result.double().numpy().astype(WIDE)
    with numpy.errstate(all="ignore"):
        return float(numpy.abs(found - exact).max() / numpy.abs(exact).max())


def measure(case: Case, seeds: int) -> tuple[float, float]:
    """The root mean squares over the seeds of our error and of torch's."""
    squares = [0.0, 0.0]
    for seed in range(seeds):
        values = INPUTS[case.inputs](numpy.random.default_rng(seed), case.shape)
        x = torch.from_numpy(values).to(getattr(torch, case.dtype))
        with numpy.errstate(all="ignore"):
            exact = numpy.asarray(case.exact(x.double().numpy().astype(WIDE)))
        ours = flow.to_torch(case.call(flow, flow.from_torch(x.clone())))
        for k, result in enumerate((ours, case.call(torch, x))):
            squares[k] += error(result, exact) ** 2 / seeds
    return math.sqrt(squares[0]), math.sqrt(squares[1])


FAMILIES = {
    "Sums and products": sums, "Variances": spreads, "Norms": norms, "Scans": scans, "Normalisation": normalisations,
    "Losses and products of matrices": losses,
}  # fmt: skip


def table(names: list[str], seeds: int) -> Iterator[str]:
    for title, family in FAMILIES.items():
        chosen = [c for c in family() if not names or c.op.startswith(tuple(names))]
        if not chosen:
            continue
        yield from ("", f"## {title}", "")
        yield from ("| op | input | shape | dtype | ours | torch | ratio |", "|---|---|---|---|---:|---:|---:|")
        for case in chosen:
            ours, theirs = measure(case, seeds)
            ratio = ours / theirs if theirs else (1.0 if ours == 0 else math.inf)
            reason = REASONS.get((case.op, case.inputs), "") if ratio > WORST else ""
            shape = " x ".join(map(str, case.shape))
            mark = "" if ratio <= WORST else f" ({reason})" if reason else " **too large**"
            yield f"| {case.op} | {case.inputs} | {shape} | {case.dtype} | {ours:.1e} | {theirs:.1e} | {ratio:.2f}{mark} |"


def main() -> None:
    parser = script_parser(__doc__, names="beginnings of names of ops; all unless told", has_json=False)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    lines = []
    for line in table(options.names, options.seeds):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        options.write.write_text("\n".join([*introduction(options.seeds), *lines]) + "\n")


def introduction(seeds: int) -> list[str]:
    return [
        "# Accuracy", "",
        "The errors of reductions, norms, scans and losses on inputs that are long, large or cancel, beside torch's. Written by",
        "`python bench/accuracy.py --write docs/accuracy.md`"
        f" (torch {torch.__version__}, {platform.machine()}, {seeds} seeds).", "",
        "The exact result is computed in NumPy's longdouble from the same rounded inputs. An error is max |result - exact| /",
        f"max |exact|, the root mean square over the seeds. Nothing is worse than {WORST:g} times torch's error, but where the",
        "table says why.",
    ]  # fmt: skip


if __name__ == "__main__":
    main()
