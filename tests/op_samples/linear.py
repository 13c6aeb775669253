"""Samples of linear algebra: well-conditioned matrices, and what factorisations of them give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from tests.op_samples.maker import Maker, Sample, kind
from tritonflow.registry.schema import Entry

Samples = Iterator[Sample]
SHAPES = ((3, 3), (2, 4, 4), (1, 1))
RECTANGLES = ((5, 3), (2, 3, 4), (4, 4))


def _matrix(m: Maker, *shape: int) -> torch.Tensor:
    """Random, with a diagonal that is larger than the rest; the values that integers and half types can hold as well."""
    x = m(*shape, low=-1, high=1)
    if not m.floating:
        return x
    diagonal = torch.linspace(2, 3, min(shape[-2:]), dtype=torch.float64).to(m.dtype)
    return x + torch.nn.functional.pad(torch.diag(diagonal), (0, shape[-1] - len(diagonal), 0, shape[-2] - len(diagonal)))


def _symmetric(m: Maker, *shape: int) -> torch.Tensor:
    x = _matrix(m, *shape)
    return x + x.mT if m.floating else x


def _empty(m: Maker) -> Samples:
    """torch does not look at the dtype of matrices without elements."""
    if m.floating and m.dtype.itemsize >= 4:
        yield Sample((m(0, 0),), label="zero-size")
        yield Sample((m(2, 0, 0),), label="zero-size")


def _wrong(m: Maker) -> Samples:
    yield Sample((m(3, 4),), label="not square")
    yield Sample((m(3),), label="one dimension")


@kind("square")
def square(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in SHAPES:
        yield Sample((_matrix(m, *shape),))
    yield Sample((_matrix(m, 3, 3).mT,), label="transposed")
    yield from _empty(m)
    yield from _wrong(m)
    if m.thorough and "exp" not in entry.name:
        yield Sample((_matrix(m, 35, 35),), label="longer than a block")


@kind("definite")
def definite(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in SHAPES:
        for upper in (False, True):
            yield Sample((_symmetric(m, *shape),), {"upper": upper})
    yield from _empty(m)
    if entry.name != "linalg_cholesky_ex":  # whose factor is unfinished then
        yield Sample((-_symmetric(m, 3, 3) if m.floating else m(3, 3),), label="not positive")
    yield from _wrong(m)
    if m.thorough:
        yield Sample((_symmetric(m, 35, 35) + (10 * torch.eye(35)).to(m.dtype),), label="longer than a block")


@kind("symmetric")
def symmetric(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in SHAPES:
        yield Sample((_symmetric(m, *shape),))
        yield Sample((_symmetric(m, *shape), "U"), label="upper")
    yield from _empty(m)
    yield from _wrong(m)


@kind("matrices")
def matrices(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in RECTANGLES:
        yield Sample((_matrix(m, *shape),))
    yield Sample((_matrix(m, 4, 3).mT,), label="transposed")
    yield Sample((m(3),), label="one dimension")
    if entry.name not in ("linalg_matrix_rank", "geqrf") and m.floating and m.dtype.itemsize >= 4:
        yield Sample((m(2, 0, 3),), label="zero-size")


@kind("qr")
def qr(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in RECTANGLES:
        for mode in ("reduced", "complete", "r"):
            label = "no derivative" if mode == "r" or (mode == "complete" and shape[-2] > shape[-1]) else ""
            yield Sample((_matrix(m, *shape), mode), label=label)
    yield Sample((m(3, 0),), label="zero-size")
    yield Sample((m(3, 3), "full"), label="no such mode")


@kind("square_and_sides")
def square_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((_matrix(m, 3, 3), m(3, 2)))
    yield Sample((_matrix(m, 3, 3), m(3)), label="a vector")
    yield Sample((_matrix(m, 2, 3, 3), m(3, 2)), label="broadcast")
    yield Sample((_matrix(m, 3, 3), m(2, 4, 3)), {"left": False}, label="from the right")
    if m.floating and m.dtype.itemsize >= 4:
        yield Sample((m(0, 0), m(0, 2)), label="zero-size")
    yield Sample((_matrix(m, 3, 3), m(4, 2)), label="sizes that do not fit")
    yield Sample((m(3, 4), m(3, 2)), label="not square")


def _triangle(m: Maker, upper: bool, *shape: int) -> torch.Tensor:
    x = _matrix(m, *shape)
    return torch.triu(x) if upper else torch.tril(x)


@kind("triangle")
def triangle(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in ((3, 3), (2, 4, 4)):
        for upper in (False, True):
            yield Sample((_triangle(m, upper, *shape), upper))
    yield from _wrong(m)


@kind("triangle_and_sides")
def triangle_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for number, unit in enumerate((False, True, False, True)):
        upper, left = number % 2 == 1, number < 2
        sides = m(2, 3, 4) if left else m(2, 4, 3)
        yield Sample((_triangle(m, upper, 3, 3), sides), {"upper": upper, "left": left, "unitriangular": unit})
    yield Sample((m(3, 4), m(3, 2)), {"upper": True}, label="not square")


@kind("sides_and_triangle")
def sides_and_triangle(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for upper in (False, True):
        for transpose in (False, True):
            yield Sample((m(3, 2), _triangle(m, upper, 3, 3), upper, transpose))
    yield Sample((m(2, 3, 2), _triangle(m, True, 3, 3)), label="broadcast")


@kind("factor_and_sides")
def factor_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for upper in (False, True):
        yield Sample((m(3, 2), _triangle(m, upper, 3, 3), upper))
        yield Sample((m(2, 4, 1), _triangle(m, upper, 2, 4, 4), upper))
    yield Sample((m(4, 2), m(3, 3)), label="sizes that do not fit")


def _factored(m: Maker, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    if not m.floating or m.dtype.itemsize < 4:
        return m(*shape), m.integers(1, 2, *shape[:-2], min(shape[-2:]), dtype=torch.int32)
    factors, pivots = torch.linalg.lu_factor(m(*shape) + 2 * torch.ones(shape, dtype=m.dtype).tril(-1))
    return factors, pivots


@kind("factored")
def factored(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in RECTANGLES:
        yield Sample(_factored(m, *shape))
    yield Sample(_factored(m, 3, 3), {"unpack_pivots": False}, label="data alone")


@kind("factored_and_sides")
def factored_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((*_factored(m, 3, 3), m(3, 2)))
    yield Sample((*_factored(m, 3, 3), m(2, 3, 2)), {"adjoint": True}, label="adjoint")
    yield Sample((*_factored(m, 2, 3, 3), m(2, 3)), {"left": False}, label="from the right")


@kind("sides_and_factored")
def sides_and_factored(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for columns in (1, 2):
        yield Sample((m(3, columns), *_factored(m, 3, 3)))
        yield Sample((m(2, 3, columns), *_factored(m, 2, 3, 3)))


def _indefinite(m: Maker, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Factors of symmetric matrices, the first of whose blocks has two rows."""
    a = m(*shape)
    if not m.floating or m.dtype.itemsize < 4:
        return a, m.integers(1, 2, *shape[:-1], dtype=torch.int32)
    a = a + a.mT
    a[..., 0, 0] = 0
    factors, pivots = torch.linalg.ldl_factor(a)
    return factors, pivots


@kind("indefinite_and_sides")
def indefinite_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for columns in (1, 3):
        yield Sample((*_indefinite(m, 3, 3), m(3, columns)))
        yield Sample((*_indefinite(m, 2, 4, 4), m(2, 4, columns)))
    yield Sample((*_indefinite(m, 3, 3), m(2, 2)), label="sizes that do not fit")


def _reflections(m: Maker, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    tau = (*shape[:-2], shape[-1])
    return m(*shape, low=-1, high=1), m(*tau, low=0.5, high=1.5)


@kind("reflections")
def reflections(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in ((4, 3), (2, 3, 3), (3, 1)):
        yield Sample(_reflections(m, *shape))
    yield Sample((m(3, 4), m(4)), label="wide")


@kind("reflections_and_sides")
def reflections_and_sides(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for left in (True, False):
        for transpose in (True, False):
            yield Sample((*_reflections(m, 4, 3), m(4, 2) if left else m(2, 4), left, transpose))


@kind("least_squares")
def least_squares(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in RECTANGLES:
        yield Sample((_matrix(m, *shape), m(*shape[:-1], 2)))
    for driver in ("gels", "gelsd", "gelss"):
        yield Sample((_matrix(m, 5, 3), m(5, 2)), {"driver": driver}, label="driver")
    yield Sample((_matrix(m, 5, 3), m(4, 2)), label="sizes that do not fit")


@kind("powers")
def powers(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for n in (0, 1, 2, 5, -1, -3):
        yield Sample((_matrix(m, 3, 3), n), label="negative" if n < 0 else "")
    yield Sample((_matrix(m, 2, 3, 3), 3))
    yield Sample((m(3, 4), 2), label="not square")


@kind("condition")
def condition(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for p in (None, 2, -2, 1, -1, float("inf"), "fro", "nuc"):
        yield Sample((_matrix(m, 3, 3), p), label="" if p in (None, 2, -2) else "by the inverse")
    yield Sample((_matrix(m, 2, 4, 3),), label="not square")
    yield Sample((_matrix(m, 3, 3), 3), label="no such norm")


@kind("multi_dot")
def multi_dot(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample(([m(3, 4), m(4, 2)],))
    yield Sample(([m(3, 4), m(4, 2), m(2, 5)],))
    yield Sample(([m(4), m(4, 2), m(2)],), label="vectors")
    yield Sample(([m(3, 4), m(3, 2)],), label="sizes that do not fit")
    yield Sample(([m(3, 4)],), label="one")


@kind("tensorinv")
def tensorinv(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((_matrix(m, 6, 6).reshape(2, 3, 6),))
    yield Sample((_matrix(m, 6, 6).reshape(6, 3, 2),), {"ind": 1})
    yield Sample((m(2, 3, 5),), label="sizes that do not fit")


@kind("tensorsolve")
def tensorsolve(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((_matrix(m, 6, 6).reshape(2, 3, 6), m(2, 3)))
    yield Sample((_matrix(m, 6, 6).reshape(6, 2, 3), m(2, 3)), {"dims": (0,)}, label="dims")
    yield Sample((_matrix(m, 4, 4).reshape(2, 2, 4), m(2, 2)))
    yield Sample((m(2, 3, 5), m(2, 3)), label="sizes that do not fit")


@kind("linalg_vander")
def linalg_vander(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    for shape in ((4,), (2, 3)):
        yield Sample((m(*shape, low=-2, high=2),))
        yield Sample((m(*shape, low=-2, high=2),), {"N": 2})


def _two(make: Callable[[], torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    return make(), make()


@kind("vecdot")
def vecdot(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample(_two(lambda: m(3, 4)))
    yield Sample(_two(lambda: m(3, 4)), {"dim": 0})
    yield Sample((m(2, 1, 4), m(3, 4)), label="broadcast")


@kind("linalg_cross")
def linalg_cross(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample(_two(lambda: m(2, 3)))
    yield Sample(_two(lambda: m(3, 2)), {"dim": 0})
    yield Sample(_two(lambda: m(3, 2)), label="sizes that do not fit")


@kind("linalg_diagonal")
def linalg_diagonal(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((m(2, 3, 4),))
    yield Sample((m(2, 3, 4),), {"offset": 1, "dim1": 0, "dim2": 2})
    yield Sample((m(3, 3),), {"offset": -1})
    yield Sample((m(3, 3),), {"dim1": 0, "dim2": 0}, label="one dimension twice")


@kind("linalg_matmul")
def linalg_matmul(m: Maker, entry: Entry, options: dict[str, Any]) -> Samples:
    yield Sample((m(3, 4), m(4, 2)))
    yield Sample((m(2, 3, 4), m(4)), label="a vector")
    yield Sample((m(2, 3, 4), m(4, 1)), label="broadcast")
    yield Sample((m(3, 4), m(3, 4)), label="sizes that do not fit")


@kind("lora_linear")
def lora_linear(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, n, r in (((3, 5), 4, 2), ((2, 3, 4), 3, 1), ((0, 4), 3, 2), ((5,), 2, 3)):
        k = shape[-1]
        yield Sample((m(*shape), m(n, k), m(r, k), m(n, r)))
        yield Sample((m(*shape), m(n, k), m(r, k), m(n, r), m(n), 0.5), label="bias and scaling")
    yield Sample((m(3, 5), m(4, 5), m(2, 5), m(3, 2)), label="an adapter of the wrong size")


@kind("qkv_linear")
def qkv_linear(m: Maker, entry: Entry, options: dict[str, Any]) -> Iterator[Sample]:
    for shape, heads, shared, size in (((2, 3, 4), 2, 1, 3), ((3, 4), 2, 2, 2), ((0, 4), 1, 1, 2)):
        n, k = (heads + 2 * shared) * size, shape[-1]
        yield Sample((m(*shape), m(n, k), None, heads, shared))
        yield Sample((m(*shape), m(n, k), m(n), heads, shared), label="bias")
    yield Sample((m(3, 4), m(9, 4)), label="one head")
    yield Sample((m(3, 4), m(7, 4), None, 2, 1), label="rows that heads do not divide")
