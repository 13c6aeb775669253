"""Expressions over sizes: polynomials with whole coefficients, whose atoms are symbols, and floor divisions, remainders, least and
largest ones of expressions.

    64*s0*s1 + 3        3 + 64 x the product of two sizes
    -((-s0)//16)        how many blocks of 16 hold s0 elements
    min(s0, 8)          s0 elements, and 8 at most

Equal polynomials are equal expressions, whatever way they were computed. Every atom has a range, so that an expression has one:
it holds all values, and may be wider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

MOST_TERMS = 64
_MOST_STEPS = 128  # of a long division


class ManyTermsError(ArithmeticError):
    """An expression has become too long to go on with."""


class Atom:
    """What an expression multiplies and adds; atoms with one text are equal.

    Attributes:
        text: for people.
        source: as Python, where `n` are the numbers of a run.
        low, high: its range, both included.
        low_of_many: its least value where symbols that may be 0 are 2 or more; `low` where it could be nothing but its highest one.
        symbols: those in it.

    Args:
        of: the expressions of which it is computed; none for a symbol.
    """

    __slots__ = ("text", "source", "low", "high", "low_of_many", "symbols", "_hash")

    def __init__(
        self, text: str, source: str, low: int, high: int, of: Sequence[SizeExpression] = (), low_of_many: int | None = None
    ) -> None:
        many = (low if of or low else 2) if low_of_many is None else low_of_many
        self.low_of_many = many if many < high else low  # to take min(n, 2) to be more than 1 would be to know that it is 2
        self.text = text
        self._hash = hash(text)
        self.symbols: frozenset[Atom] = frozenset().union(*[each.symbols() for each in of]) if of else frozenset((self,))
        self.source = source
        self.low = low
        self.high = high

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Atom) and self.text == other.text)

    def __repr__(self) -> str:
        return self.text


Monomial = tuple[Atom, ...]


def _texts(monomial: Monomial) -> tuple[int, list[str]]:
    """By what monomials are sorted: an order that products keep."""
    return len(monomial), [atom.text for atom in monomial]


class SizeExpression:
    """A polynomial.

    Args:
        terms: the coefficient of each product of atoms; none is 0. The empty product is the constant.

    Raises:
        ManyTermsError: it has more than 64 terms.

    Example:
        >>> from tritonflow.framework.expression import symbol
        >>> n = symbol("n", 0, 1, 100)
        >>> (n * n + n) // n, (n + 5).range
        (1 + n, (6, 105))
    """

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        if len(terms) > MOST_TERMS:
            raise ManyTermsError(f"a size became an expression of more than {MOST_TERMS} terms")
        self.terms = terms
        self._hash = hash(frozenset([(monomial, 2 * c + 1) for monomial, c in terms.items()]))  # -1 and -2 have one hash

    @property
    def constant(self) -> int | None:
        """The number that it is; None if it has atoms."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @cached_property
    def range(self) -> tuple[int, int]:
        """The least and the largest value that it may have."""
        return self._range(lambda atom: atom.low)

    @cached_property
    def range_of_many(self) -> tuple[int, int]:
        """The same where symbols that may be 0 are 2 or more."""
        return self._range(lambda atom: atom.low_of_many)

    def _range(self, low_of: Callable[[Atom], int]) -> tuple[int, int]:
        low = high = 0
        for monomial, coefficient in self.terms.items():
            first = last = coefficient
            for atom in monomial:
                least = low_of(atom)
                corners = (first * least, first * atom.high, last * least, last * atom.high)
                first, last = min(corners), max(corners)
            low, high = low + first, high + last
        return low, high

    @cached_property
    def source(self) -> str:
        """As Python, where `n` are the numbers of a run."""
        return " + ".join([_product(m, c, lambda atom: atom.source) for m, c in self._sorted()]) or "0"

    def symbols(self) -> frozenset[Atom]:
        """The symbols in it."""
        return self._symbols

    @cached_property
    def _symbols(self) -> frozenset[Atom]:
        return frozenset().union(*[atom.symbols for monomial in self.terms for atom in monomial])

    def evaluate(self, numbers: Sequence[Any]) -> int:
        """Its value for the numbers of a run."""
        value: int = self._function(numbers)
        return value

    @cached_property
    def _function(self) -> Any:
        return eval(f"lambda n: {self.source}")

    def __add__(self, other: SizeExpression | int) -> SizeExpression:
        return self._plus(_expression(other), 1)

    def __sub__(self, other: SizeExpression | int) -> SizeExpression:
        return self._plus(_expression(other), -1)

    def _plus(self, other: SizeExpression, factor: int) -> SizeExpression:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            _add(terms, monomial, factor * coefficient)
        return SizeExpression(terms)

    def __neg__(self) -> SizeExpression:
        return SizeExpression({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __mul__(self, other: SizeExpression | int) -> SizeExpression:
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            for own, factor in _expression(other).terms.items():
                _add(terms, tuple(sorted((*monomial, *own), key=lambda atom: atom.text)), coefficient * factor)
        return SizeExpression(terms)

    def __floordiv__(self, divisor: SizeExpression | int) -> SizeExpression:
        """Python's `//`; the divisor is not 0."""
        divisor = _expression(divisor)
        exact = self.divided(divisor)
        if exact is not None:
            return exact
        by = divisor.constant
        if by is None or by < 0:
            return _quotient(self, divisor)
        whole, rest = self._parted(by)
        return whole + _quotient(*_reduced(rest, by))

    def __mod__(self, divisor: SizeExpression | int) -> SizeExpression:
        """Python's `%`; the divisor is not 0."""
        divisor = _expression(divisor)
        if self.divided(divisor) is not None:
            return SizeExpression({})
        by = divisor.constant
        if by is None or by < 0:
            return self - divisor * _quotient(self, divisor)
        return _remainder(SizeExpression({m: c % by for m, c in self.terms.items() if c % by}), by)

    def divided(self, divisor: SizeExpression) -> SizeExpression | None:
        """The quotient, if there is no remainder for any sizes; None if that is not known."""
        if not divisor.terms:
            return None
        left, quotient = dict(self.terms), dict[Monomial, int]()
        lead = max(divisor.terms, key=_texts)
        for _ in range(_MOST_STEPS):
            if not left:
                return SizeExpression(quotient)
            highest = max(left, key=_texts)
            monomial = _without(highest, lead)
            factor, rest = divmod(left[highest], divisor.terms[lead])
            if monomial is None or rest:
                return None
            _add(quotient, monomial, factor)
            step = divisor * SizeExpression({monomial: factor})
            for each, coefficient in step.terms.items():
                _add(left, each, -coefficient)
        return None

    def _parted(self, by: int) -> tuple[SizeExpression, SizeExpression]:
        """What is a multiple of a number, divided by it, and the rest."""
        whole, rest = dict[Monomial, int](), dict[Monomial, int]()
        for monomial, coefficient in self.terms.items():
            quotient = coefficient // by if coefficient > 0 else -(-coefficient // by)
            _add(whole, monomial, quotient)
            _add(rest, monomial, coefficient - quotient * by)
        return SizeExpression(whole), SizeExpression(rest)

    def _sorted(self) -> list[tuple[Monomial, int]]:
        return sorted(self.terms.items(), key=lambda term: _texts(term[0]))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SizeExpression) and self.terms == other.terms)

    def __repr__(self) -> str:
        return " + ".join([_product(m, c, lambda atom: atom.text) for m, c in self._sorted()]) or "0"


def extreme(function: Callable[..., int], a: SizeExpression | int, b: SizeExpression | int) -> SizeExpression:
    """`min` or `max` of two expressions: one of them where ranges tell which, else one atom.

    Example:
        >>> from tritonflow.framework.expression import extreme, symbol
        >>> n = symbol("n", 0, 0, 100)
        >>> extreme(min, n, 8), extreme(min, n, n + 1), extreme(max, n - 100, 3).range
        (min(8, n), n, (3, 3))
    """
    a, b = _expression(a), _expression(b)
    low, high = (a - b).range
    if high <= 0 or low >= 0:
        return a if (high <= 0) is (function is min) else b
    first, second = sorted((a, b), key=repr)
    (low, high), (least, most) = a.range, b.range
    low_of_many = function(a.range_of_many[0], b.range_of_many[0])
    name = function.__name__
    text, source = (f"{name}({x}, {y})" for x, y in ((repr(first), repr(second)), (first.source, second.source)))
    atom = Atom(text, source, function(low, least), function(high, most), (a, b), low_of_many)
    return SizeExpression({(atom,): 1})


def symbol(name: str, number: int, low: int, high: int) -> SizeExpression:
    """The number of a run at a position, which lies in a range."""
    return SizeExpression({(Atom(name, f"n[{number}]", low, high),): 1})


def position_of(atom: Atom) -> int:
    """The position of the number that a symbol is."""
    return int(atom.source[2:-1])


@lru_cache(4096)
def number(value: int) -> SizeExpression:
    """A constant."""
    return SizeExpression({(): value} if value else {})


def _expression(value: SizeExpression | int) -> SizeExpression:
    return value if isinstance(value, SizeExpression) else number(value)


def _add(terms: dict[Monomial, int], monomial: Monomial, coefficient: int) -> None:
    total = terms.get(monomial, 0) + coefficient
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


def _without(monomial: Monomial, factor: Monomial) -> Monomial | None:
    """A product without the atoms of another one; None if it has not all of them."""
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _product(monomial: Monomial, coefficient: int, text: Any) -> str:
    factors = [text(atom) for atom in monomial]
    return "*".join([str(coefficient), *factors] if coefficient != 1 or not factors else factors)


def _reduced(over: SizeExpression, by: int) -> tuple[SizeExpression, SizeExpression]:
    """The sides of a floor division without their common factor."""
    common = gcd(by, *over.terms.values())
    return SizeExpression({m: c // common for m, c in over.terms.items()}), number(by // common)


def _quotient(over: SizeExpression, by: SizeExpression) -> SizeExpression:
    """`over // by` as one atom, or as the number that its range leaves."""
    (low, high), (least, most) = over.range, by.range
    if least <= 0 <= most:  # 0 is no divisor, so that no quotient is farther from 0 than this
        far = max(abs(low), abs(high)) + 1
        low, high = -far, far
    else:
        corners = [a // b for a in (low, high) for b in (least, most)]
        low, high = min(corners), max(corners)
    if low == high:
        return number(low)
    atom = Atom(f"({over!r})//({by!r})", f"(({over.source})//({by.source}))", low, high, (over, by))
    return SizeExpression({(atom,): 1})


def _remainder(over: SizeExpression, by: int) -> SizeExpression:
    """`over % by` as one atom, or as what its range leaves."""
    low, high = over.range
    if low // by == high // by:
        return over - low // by * by
    return SizeExpression({(Atom(f"({over!r})%({by})", f"(({over.source})%{by})", 0, by - 1, (over,)),): 1})
