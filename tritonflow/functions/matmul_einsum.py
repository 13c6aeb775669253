"""einsum: sums of products named by the letters of dimensions, as a chain of matrix products.

Two operands are contracted at a time, in the order that opt_einsum finds. Letters of both that remain are the batch of a matrix
product, those that go are its inner dimension, and the others its rows and columns. Without an inner dimension it is a product
of elements.

Source: https://docs.pytorch.org/docs/stable/generated/torch.einsum.html
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from tritonflow.binding.library import function, functor
from tritonflow.errors import InvalidArgumentError, ShapeError
from tritonflow.framework.size_questions import at_hints, decided
from tritonflow.framework.symbolic_int import known_equal
from tritonflow.framework.tensor import Tensor
from tritonflow.functions import reduction
from tritonflow.functions.generated import mul
from tritonflow.functions.matmul import matmul
from tritonflow.functions.view import diagonal, reshape, squeeze, unshared, unsqueeze
from tritonflow.functions.view_orders import permute

Labels = tuple[str, ...]
ELLIPSIS = "..."


class Term(NamedTuple):
    """A tensor with a label for each of its dimensions: a letter, or "...1", "...2" counted from the last of an ellipsis."""

    tensor: Tensor
    labels: Labels


@function(
    "Tensor (String equation, TensorTuple operands)",
    "Tensor (PyObjectList arguments) => EinsumSublists",
    samples="einsum", tolerance="matmul", autocast="lower",
)
def einsum(equation: str, operands: Sequence[Tensor]) -> Any:
    """Sums of products, named by the letters of dimensions.

    Each operand has a letter for each dimension, letters that the result lacks are summed over, and
    `...` stands for dimensions that are broadcast. `"ij,jk->ik"` is the product of two matrices.
    Without `->` the result has the letters that occur once, in alphabetical order. The order of several
    products is chosen by their cost (opt_einsum).

    Overloads:
        - `einsum(equation: str, operands: Sequence[Tensor]) -> Tensor`
        - `einsum(equation: str, *operands: Tensor) -> Tensor`
        - `einsum(arguments: Sequence[Any]) -> Tensor`
        - `einsum(*arguments: Any) -> Tensor`

    Args:
        equation: the letters of the operands and of the result.
        operands: the tensors.
        arguments: NumPy's other form: each tensor with a list of whole numbers in place of letters, and
            that of the result.
        out: a tensor that the result is written into; not while gradients are recorded.

    Shape:
        as the equation says.

    Under `flow.autocast` it computes in its dtype.

    Raises:
        RuntimeError: an equation that does not fit the operands.
        TypeError: an argument has the wrong type, or there is no such argument.

    Source: torch.einsum.

    Example:
        >>> import tritonflow as flow
        >>> a, b = flow.tensor([[1.0, 2.0], [3.0, 4.0]]), flow.tensor([[1.0, 0.0], [1.0, 1.0]])
        >>> flow.einsum("ij,jk->ik", a, b)
        tensor([[3., 2.],
                [7., 4.]])
        >>> flow.einsum("ii->", a)
        tensor(5.)
    """
    if not operands:
        raise InvalidArgumentError("einsum(): must provide at least one operand")
    texts, output = _parsed(equation)
    if len(texts) != len(operands):
        which = "fewer" if len(operands) < len(texts) else "more"
        raise InvalidArgumentError(f"einsum(): {which} operands were provided than specified in the equation")
    return _contracted(texts, list(operands), output)


@lru_cache(maxsize=1024)
def _parsed(equation: str) -> tuple[list[list[str]], list[str] | None]:
    """The labels of each operand and of the output, None if it is not said."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    texts = [_labels_in(text, number) for number, text in enumerate(left.split(","))]
    return texts, _labels_in(right, -1) if arrow else None


@functor("EinsumSublists")
def einsum_sublists(arguments: Sequence[Any]) -> Any:
    """einsum(a, [0, 1], b, [1, 2], [0, 2]): numbers in place of letters."""
    operands, lists = list(arguments[0::2]), list(arguments[1::2])
    output = None
    if len(operands) > len(lists):
        output = _labels_of(operands.pop())
    if not operands or not all(isinstance(t, Tensor) for t in operands):
        raise InvalidArgumentError("einsum(): expected an equation, or tensors each followed by a list of subscripts")
    return _contracted([_labels_of(one) for one in lists], operands, output)


def _labels_in(text: str, number: int) -> list[str]:
    """The labels of a part of an equation, `ELLIPSIS` for a run of dimensions; `number` is the operand's, -1 of the output."""
    where = "the output" if number < 0 else f"operand {number}"
    labels = list(text.replace(ELLIPSIS, "\0"))
    for position, label in enumerate(labels):
        if label == ".":
            raise InvalidArgumentError(f"einsum(): found '.' for {where} that is not part of any ellipsis")
        if label != "\0" and not (label.isascii() and label.isalpha()):
            raise InvalidArgumentError(
                f"einsum(): invalid subscript given at index {position} in the equation string, subscripts must be in [a-zA-Z]"
            )
    return _checked([ELLIPSIS if label == "\0" else label for label in labels], where)


def _labels_of(numbers: Any) -> list[str]:
    if not isinstance(numbers, (list, tuple)):
        raise InvalidArgumentError("einsum(): expected a list of subscripts behind each tensor")
    labels = []
    for n in numbers:
        if n is not Ellipsis and not (isinstance(n, int) and 0 <= n < 52):
            raise InvalidArgumentError(
                f"einsum(): expected subscripts to be integers in [0, 52) or an ellipsis, but got {n}"
            )
        labels.append(ELLIPSIS if n is Ellipsis else chr(ord("A") + n) if n < 26 else chr(ord("a") + n - 26))
    return _checked(labels, "a list")


def _checked(labels: list[str], where: str) -> list[str]:
    if labels.count(ELLIPSIS) > 1:
        raise InvalidArgumentError(f"einsum(): found '.' for {where} for which an ellipsis was already found")
    return labels


def _contracted(texts: list[list[str]], operands: list[Tensor], output: list[str] | None) -> Any:
    given = [_term(labels, x, number) for number, (labels, x) in enumerate(zip(texts, operands))]
    sizes = _sizes(given)
    wanted = _output(texts, given, output)
    terms = [_without_repeats(term) for term in given]
    for position in _order(terms, wanted, sizes):
        chosen = [terms.pop(k) for k in sorted(position, reverse=True)][::-1]
        rest = {label for term in terms for label in term.labels} | set(wanted)
        found = chosen[0]
        for number, other in enumerate(chosen[1:], 2):
            keep = rest | {label for term in chosen[number:] for label in term.labels}
            found = _pair(found, other, keep, wanted)
        terms.append(found)
    (last,) = terms
    last = _summed(last, set(wanted))
    result = last.tensor
    order = tuple([last.labels.index(label) for label in wanted])
    if order != tuple(range(len(order))):
        result = permute(result, order)
    if any(result is x for x in operands):
        return permute(result, tuple(range(result.meta.ndim)))  # another tensor, as all results are
    return result if any(result.impl is x.impl for x in operands) else unshared(result)


def _term(labels: list[str], x: Tensor, number: int) -> Term:
    """The operand with its ellipsis written out."""
    ndim, named = x.meta.ndim, len([label for label in labels if label != ELLIPSIS])
    if ELLIPSIS not in labels:
        if named != ndim:
            raise ShapeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the number of dimensions"
                f" ({ndim}) for operand {number} and no ellipsis was given"
            )
        return Term(x, tuple(labels))
    if named > ndim:
        raise ShapeError(
            f"einsum(): the number of subscripts in the equation ({named}) is more than the number of dimensions ({ndim})"
            f" for operand {number}"
        )
    at = labels.index(ELLIPSIS)
    return Term(x, (*labels[:at], *_ellipsis(ndim - named), *labels[at + 1 :]))


def _ellipsis(count: int) -> list[str]:
    return [f"{ELLIPSIS}{k}" for k in range(count, 0, -1)]


def _sizes(terms: list[Term]) -> dict[str, int]:
    """The size of each label; one of 1 is broadcast to another operand's, but not within an operand.

    Raises:
        RuntimeError: sizes differ.
    """
    sizes: dict[str, int] = {}
    for number, (x, labels) in enumerate(terms):
        own: dict[str, int] = {}
        for label, n in zip(labels, x.meta.shape):
            if own.setdefault(label, n) != n:
                raise ShapeError(
                    f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't match, {n} !="
                    f" {own[label]}"
                )
            known = sizes.setdefault(label, n)
            if known_equal(n, 1) or n == known:  # asked first: whether a size is 1 is another program
                continue
            if known == 1:
                sizes[label] = n
            elif n != 1:
                shapes = ", ".join(str(list(t.tensor.meta.shape)) for t in terms)
                raise ShapeError(
                    f"einsum(): operands do not broadcast: subscript {label} has size {n} for operand {number} which does not"
                    f" broadcast with previously seen size {sizes[label]}; shapes {shapes}"
                )
    return sizes


def _output(texts: list[list[str]], terms: list[Term], output: list[str] | None) -> Labels:
    """The labels of the result; unless said, the ellipsis and the letters that occur once, in order."""
    longest = max([sum(label.startswith(ELLIPSIS) for label in term.labels) for term in terms])
    letters = [label for text in texts for label in text if label != ELLIPSIS]
    if output is None:
        return (*_ellipsis(longest), *sorted(label for label in letters if letters.count(label) == 1))
    for label in output:
        if output.count(label) > 1:
            raise InvalidArgumentError(f"einsum(): output subscript {label} appears more than once in the output")
        if label != ELLIPSIS and label not in letters:
            raise InvalidArgumentError(
                f"einsum(): output subscript {label} does not appear in the equation for any input operand"
            )
    return tuple([one for label in output for one in (_ellipsis(longest) if label == ELLIPSIS else [label])])


def _without_repeats(term: Term) -> Term:
    """A letter that occurs twice is the diagonal of its dimensions."""
    x, labels = term
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = diagonal(x, 0, first, second)
            labels = (*[one for d, one in enumerate(labels) if d not in (first, second)], label)
    return Term(x, labels)


def _order(terms: list[Term], wanted: Labels, sizes: dict[str, int]) -> list[tuple[int, ...]]:
    """Which of the terms that are left are contracted next; what they make goes to the end."""
    if len(terms) < 3:
        return [tuple(range(len(terms)))] if len(terms) == 2 else []
    try:
        from opt_einsum import contract_path, get_symbol  # its import takes time, and few programs need it
    except ImportError:  # an installation without dependencies: from the left, as torch does then
        return [(0, 1), *[(0, left) for left in range(len(terms) - 2, 0, -1)]]
    symbols = {label: get_symbol(k) for k, label in enumerate(sizes)}
    equation = ",".join("".join(symbols[label] for label in term.labels) for term in terms)
    shapes = [tuple([sizes[label] for label in term.labels]) for term in terms]
    whole = f"{equation}->{''.join(symbols[label] for label in wanted)}"

    def cheapest() -> list[tuple[int, ...]]:
        found, _ = contract_path(whole, *at_hints(shapes), shapes=True)
        return [tuple(step) for step in found]

    return decided(("an order of contractions", whole), shapes, cheapest)  # type: ignore[no-any-return]


def _summed(term: Term, keep: set[str]) -> Term:
    """Summed over the labels that nobody wants any more."""
    dims = tuple([d for d, label in enumerate(term.labels) if label not in keep])
    if not dims:
        return term
    return Term(reduction.sum(term.tensor, dims), tuple([label for label in term.labels if label in keep]))


def _pair(a: Term, b: Term, keep: set[str], wanted: Labels) -> Term:
    """The product of two terms, summed over the labels that are not kept."""
    sizes = [dict(zip(term.labels, term.tensor.meta.shape)) for term in (a, b)]
    inner = [label for label in a.labels if label in sizes[1] and label not in keep]
    ones = [[label for label in inner if own[label] != other[label] and own[label] == 1] for own, other in (sizes, sizes[::-1])]
    a, b = (_dropped(term, gone) for term, gone in zip((a, b), ones))
    a, b = _summed(a, keep | set(b.labels)), _summed(b, keep | set(a.labels))
    inner = [label for label in inner if label in a.labels and label in b.labels]
    if _comes_first(b, a, wanted):
        a, b = b, a
    batch = [label for label in a.labels if label in b.labels and label in keep]
    rows = [label for label in a.labels if label not in batch and label not in inner]
    columns = [label for label in b.labels if label not in batch and label not in inner]
    labels = (*batch, *rows, *columns)
    if not inner:
        return Term(mul(_spread(a, labels), _spread(b, labels)), labels)
    x, y = _folded(a, batch, rows, inner), _folded(b, batch, inner, columns)
    lead = tuple([max(n, m) if min(n, m) else 0 for n, m in zip(x.meta.shape, y.meta.shape)][: len(batch)])
    shape = (*lead, *_shape(a, rows), *_shape(b, columns))
    out = matmul(x, y)
    return Term(out if out.meta.shape == shape else reshape(out, shape), labels)


def _comes_first(a: Term, b: Term, wanted: Labels) -> bool:
    """Whether the first letter of the result that only one of two terms has is the first one's."""
    own = next((label for label in wanted if (label in a.labels) != (label in b.labels)), None)
    return own is not None and own in a.labels


def _dropped(term: Term, labels: list[str]) -> Term:
    """Without dimensions of size 1."""
    dims = tuple([d for d, label in enumerate(term.labels) if label in labels])
    return (
        Term(squeeze(term.tensor, dims), tuple([label for label in term.labels if label not in labels]))
        if dims
        else term
    )


def _shape(term: Term, labels: list[str]) -> tuple[int, ...]:
    return tuple([term.tensor.meta.shape[term.labels.index(label)] for label in labels])


def _ordered(term: Term, labels: Labels) -> Tensor:
    """The dimensions in the order of their labels."""
    if labels == term.labels:
        return term.tensor
    return permute(term.tensor, tuple([term.labels.index(label) for label in labels]))


def _spread(term: Term, labels: Labels) -> Tensor:
    """The dimensions in the order of `labels`, of size 1 where the term has none."""
    x = _ordered(term, tuple([label for label in labels if label in term.labels]))
    for d, label in enumerate(labels):
        if label not in term.labels:
            x = unsqueeze(x, d)
    return x


def _folded(term: Term, batch: list[str], rows: list[str], columns: list[str]) -> Tensor:
    """Matrices behind the dimensions of the batch."""
    x = _ordered(term, (*batch, *rows, *columns))
    lead = x.meta.shape[: len(batch)]
    shape = (*lead, prod(_shape(term, rows)), prod(_shape(term, columns)))
    return x if x.meta.shape == shape else reshape(x, shape)
