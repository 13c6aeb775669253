"""`flow.quasirandom`: points that fill a cube more evenly than random ones."""

from __future__ import annotations

import operator

import tritonflow as flow
from tritonflow.device.torch_sobol import MAX_BITS, MAX_DIMENSION, direction_numbers
from tritonflow.dtypes import DType
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.tensor import Tensor
from tritonflow.functions.random_generator import Generator

__all__ = ["SobolEngine"]


class SobolEngine:
    """Points of a Sobol sequence in the cube [0, 1)^dimension.

    Point i is `shift ^ V[k] ^ V[l] ^ ...` over 2**30. V are the direction numbers of each dimension. The Gray code `i ^ (i >> 1)`
    has the bits k, l, ... set. Numbers of float32 are rounded, so that one may be 1.0.

    Args:
        dimension: of the cube, from 1 to 21201.
        scramble: whether each dimension is scrambled: a random lower triangular matrix multiplies its bits, and a random shift is
            added to them. The first point is the origin otherwise.
        seed: of the generator that draws both; None: the default generator does. The numbers drawn are tritonflow's.

    Attributes:
        sobolstate: V, of shape (dimension, 30), int64.
        shift: of shape (dimension,), int64.
        num_generated: how many points were drawn or left out.

    Raises:
        ValueError: a dimension that is out of range.
        TypeError: one that is no whole number.

    Source: torch.quasirandom.SobolEngine; A. B. Owen, Scrambling Sobol and Niederreiter-Xing points, J. of Complexity 14 (1998).

    Example:
        >>> import tritonflow as flow
        >>> flow.quasirandom.SobolEngine(3).draw(3)
        tensor([[0.0000, 0.0000, 0.0000],
                [0.5000, 0.5000, 0.5000],
                [0.7500, 0.2500, 0.2500]])
    """

    MAXBIT = MAX_BITS
    MAXDIM = MAX_DIMENSION

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        self.dimension = _whole("dimension", dimension)
        if not 1 <= self.dimension <= self.MAXDIM:
            raise ArgumentValueError(f"SobolEngine: dimension must be from 1 to {self.MAXDIM}, not {dimension}")
        self.scramble, self.seed = scramble, seed
        self.sobolstate = flow.tensor(direction_numbers(self.dimension), device="cpu")
        self.shift = flow.zeros(self.dimension, dtype=flow.int64, device="cpu")
        if scramble:
            self._scramble()
        self.num_generated = 0

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: DType | None = None) -> Tensor:
        """The next points.

        Args:
            n: how many.
            out: a tensor that gets the shape and the values of the result, and is returned.
            dtype: float32 or float64; None: the default dtype.

        Returns:
            A tensor of shape (n, dimension) on the CPU.

        Raises:
            ValueError: n is negative, or the sequence ends: it has 2**30 points.
            TypeError: n is no whole number; another dtype.

        Example:
            >>> import tritonflow as flow
            >>> engine = flow.quasirandom.SobolEngine(2)
            >>> engine.fast_forward(1).draw(2, dtype=flow.float64)
            tensor([[0.5000, 0.5000],
                    [0.7500, 0.2500]], dtype=tritonflow.float64)
        """
        n, chosen = self._steps(n), dtype or flow.get_default_dtype()
        if chosen not in (flow.float32, flow.float64):
            raise ArgumentTypeError(f"draw(): dtype must be float32 or float64, not {chosen}")
        result = self._integers(n).to(chosen) * 2.0**-self.MAXBIT
        if out is not None:
            out.resize_as_(result).copy_(result)
        self.num_generated += n
        return result if out is None else out

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: DType | None = None) -> Tensor:
        """The next 2**m points, where all that were drawn are a power of two: then each half of each side has equally many.

        Raises:
            ValueError: they are no power of two; otherwise as of `draw`.

        Example:
            >>> import tritonflow as flow
            >>> flow.quasirandom.SobolEngine(2).draw_base2(2).mean(0)
            tensor([0.3750, 0.3750])
        """
        m = _whole("m", m)
        if not 0 <= m <= self.MAXBIT:
            raise ArgumentValueError(f"draw_base2(): m must be from 0 to {self.MAXBIT}, not {m}")
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ArgumentValueError(
                f"draw_base2(): {self.num_generated} points were drawn, and with {n} they are no power of two. help: use draw()"
            )
        return self.draw(n, out, dtype)

    def fast_forward(self, n: int) -> SobolEngine:
        """Leave the next n points out.

        Raises:
            ValueError: n is negative, or the sequence ends.
            TypeError: n is no whole number.
        """
        self.num_generated += self._steps(n)
        return self

    def reset(self) -> SobolEngine:
        """Begin again at the first point; what scrambles stays as it is."""
        self.num_generated = 0
        return self

    def _steps(self, n: int) -> int:
        n = _whole("n", n)
        if not 0 <= n <= 2**self.MAXBIT - self.num_generated:
            raise ArgumentValueError(f"SobolEngine: {n} points cannot follow {self.num_generated}: a sequence has 2**{self.MAXBIT}")
        return n

    def _integers(self, n: int) -> Tensor:
        """The next n points, as whole numbers of 30 bits."""
        end = self.num_generated + n
        numbers = flow.arange(self.num_generated, end, device="cpu").unsqueeze(1)
        gray = numbers ^ (numbers >> 1)
        points = self.shift.expand(n, self.dimension)
        for bit in range((end - 1).bit_length() if n else 0):
            points = points ^ ((gray >> bit) & 1) * self.sobolstate[:, bit]
        return points

    def _scramble(self) -> None:
        generator = None if self.seed is None else Generator("cpu").manual_seed(self.seed)
        bits = flow.randint(0, 2, (self.dimension, self.MAXBIT), generator=generator, device="cpu")
        self.shift = (bits << flow.arange(self.MAXBIT, device="cpu")).sum(1)
        square = (self.dimension, self.MAXBIT, self.MAXBIT)
        matrices = flow.randint(0, 2, square, generator=generator, device="cpu").tril()
        self.sobolstate = _scrambled(self.sobolstate, matrices)

    def __repr__(self) -> str:
        words = [f"dimension={self.dimension}", *["scramble=True"] * bool(self.scramble)]
        return f"SobolEngine({', '.join([*words, *([] if self.seed is None else [f'seed={self.seed}'])])})"


def _scrambled(directions: Tensor, matrices: Tensor) -> Tensor:
    """Direction numbers whose bits, from the highest, are those of `directions` times unit lower triangular matrices, modulo 2."""
    shifts = flow.arange(MAX_BITS - 1, -1, -1, device="cpu")
    bits = (directions.unsqueeze(1) >> shifts.unsqueeze(1)) & 1  # (dimension, bit, direction)
    units = matrices.tril(-1) + flow.eye(MAX_BITS, dtype=flow.int64, device="cpu")
    products = flow.matmul(units.to(flow.float32), bits.to(flow.float32)).to(flow.int64) & 1  # sums up to 30 are exact
    return (products << shifts.unsqueeze(1)).sum(1)


def _whole(name: str, number: int) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise ArgumentTypeError(f"SobolEngine: {name} must be int, not {type(number).__name__}") from None
