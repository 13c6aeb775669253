"""A model with its cache as compiled programs: one of tokens of any sequences, one of a token of each, one of a single token.

There are others of each where a request has notes (penalties, biases), or asks for log-probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import float32, int32
from tritonflow.errors import ArgumentValueError
from tritonflow.framework.marked_sizes import mark_dynamic
from tritonflow.framework.tensor import Tensor
from tritonflow.generation.choice import GREEDY, TokenChoice
from tritonflow.generation.notes import NONE, Notes
from tritonflow.generation.packed import PackedTokens
from tritonflow.generation.pages import PagedCache
from tritonflow.generation.sampling import sample_noted
from tritonflow.graph.api.compile import compile as compile_function
from tritonflow.interpreter.grad_mode import no_grad


class Chunk(NamedTuple):
    """Tokens of a sequence that a step computes.

    Attributes:
        tokens: their numbers.
        begin: how many tokens of the sequence are in the cache before.
        pages: of the sequence.
        choice: how tokens behind them are drawn.
        drawn: behind how many of them, at the end, a token is drawn.
        step: the number of the first that is drawn, among those of its seed.
        note: (slot, token, word, whether ends are left out) for the kernel, see `Notes`.
        logged: whether log-probabilities are asked for.
    """

    tokens: Sequence[int]
    begin: int
    pages: list[int]
    choice: TokenChoice
    drawn: int
    step: int
    note: tuple[int, int, int, int] = NONE
    logged: bool = False


class Drawn(NamedTuple):
    """What a step has drawn, in the order of the chunks.

    Attributes:
        tokens: (rows,), int64.
        logged: nothing, or the log-probabilities of the tokens (rows,), the largest ones (rows, k), and whose they are (rows, k).
    """

    tokens: Tensor
    logged: tuple[Tensor, ...] = ()


class ServedModel:
    """Runs steps of a model over its cache. Nothing is waited for: tokens are drawn on the device.

    Args:
        model: `model(tokens, positions, packed) -> logits`, see `PackedTokens`.
        cache: of its keys and values.
    """

    def __init__(self, model: Callable[..., Any], cache: PagedCache, notes: Notes | None = None, logprobs: int = 0) -> None:
        self.model, self.cache, self.notes, self.logprobs = model, cache, notes, logprobs
        self.device = cache.keys[0].device
        self._functions: dict[tuple[bool, bool, bool], Callable[..., Any]] = {}
        self._fixed: tuple[Any, ...] = ((), (), ())
        self._table: tuple[Any, Tensor] = ((), cache.keys[0])

    def many(self, noted: bool = False, logged: bool = False) -> Callable[..., Any]:
        """The program of tokens of any sequences."""
        model, cache, notes = self.model, self.cache, self.notes

        def many(by_token: Tensor, starts: Tensor, used: Tensor, table: Tensor, by_row: Tensor, settings: Tensor) -> Any:
            tokens, positions, slots = by_token[0], by_token[1], by_token[2]
            rows, seeds, steps, top_k = by_row[0], by_row[1], by_row[2], by_row[3]
            packed = PackedTokens(cache, slots, starts, used, table, tokens.shape[0], rows, positions)
            logits = model(tokens, positions, packed)
            state = (by_row[4:8], notes.biases, notes.words) if noted and notes else ()
            return self._draw(logits, settings, top_k, seeds, steps, state, logged)

        return self._compiled((True, noted, logged), many)

    def one_each(self, noted: bool = False, logged: bool = False) -> Callable[..., Any]:
        """The program of a token of each sequence."""
        model, cache, notes = self.model, self.cache, self.notes

        def one_each(numbers: Tensor, starts: Tensor, table: Tensor, fixed: Tensor, settings: Tensor) -> Any:
            tokens, positions, slots, used, steps = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
            packed = PackedTokens(cache, slots, starts, used, table, 1, None, positions)
            logits = model(tokens, positions, packed)
            state = (numbers[5:9], notes.biases, notes.words) if noted and notes else ()
            return self._draw(logits, settings, fixed[1], fixed[0], steps, state, logged)

        return self._compiled((False, noted, logged), one_each)

    def _compiled(self, key: tuple[bool, bool, bool], function: Callable[..., Any]) -> Callable[..., Any]:
        if key not in self._functions:
            self._functions[key] = compile_function(function, fullgraph=True)
        return self._functions[key]

    def _draw(
        self, logits: Tensor, settings: Tensor, top_k: Tensor, seeds: Tensor, steps: Tensor, state: tuple[Tensor, ...], logged: bool
    ) -> Any:  # fmt: skip
        if state and self.notes is not None and logits.shape[1] != self.notes.vocabulary:
            raise ArgumentValueError(f"Engine: vocabulary is {self.notes.vocabulary}, but logits have {logits.shape[1]} columns")
        tokens = sample_noted(logits, settings, top_k, seeds, steps, state)
        if not logged:
            return tokens
        of_all = _C.log_softmax(logits.to(float32), -1)
        of_tokens = _C.gather(of_all, 1, _C.clamp(tokens, 0).unsqueeze(1)).squeeze(1)
        return tokens, of_tokens, *_C.topk(of_all, min(self.logprobs, int(logits.shape[1])), 1)

    def captures(self) -> list[Any]:
        """What was captured so far."""
        return [each for function in self._functions.values() for each in function.captures()]  # type: ignore[attr-defined]

    def programs(self) -> int:
        """How many programs were captured."""
        counts = [{each.template or each for each in f.captures()} for f in self._functions.values()]  # type: ignore[attr-defined]
        return sum(map(len, counts))

    def run(self, chunks: Sequence[Chunk], given: Tensor | None = None, at: Sequence[int] = ()) -> Drawn:
        """The tokens that are drawn, of all chunks in their order.

        Args:
            chunks: of different sequences.
            given: tokens on the device that stand in for some of those in the chunks.
            at: which of all tokens these are.
        """
        kind = (any(chunk.note[0] >= 0 for chunk in chunks), any(chunk.logged for chunk in chunks))
        with no_grad():
            if all(len(chunk.tokens) == 1 for chunk in chunks):
                drawn = self._run_one_each(chunks, given, kind)
                wanted = [k for k, chunk in enumerate(chunks) if chunk.drawn]
                if len(wanted) < len(chunks):
                    rows = self.integers(wanted)
                    drawn = [_C.index_select(each, 0, rows) for each in drawn]
            else:
                drawn = self._run_many(chunks, given, at, kind)
        return Drawn(drawn[0], tuple(drawn[1:]))

    def _run_one_each(self, chunks: Sequence[Chunk], given: Tensor | None, kind: tuple[bool, bool]) -> Sequence[Tensor]:
        count = len(chunks)
        row_of = self.cache.row_of
        begins = [chunk.begin for chunk in chunks]
        slots = [row_of(chunk.pages, chunk.begin) for chunk in chunks]
        used = [begin + 1 for begin in begins]
        rows = [[chunk.tokens[0] for chunk in chunks], begins, slots, used, [chunk.step for chunk in chunks]]
        numbers = self.integers([*rows, *zip(*[chunk.note for chunk in chunks])] if kind[0] else rows)
        if given is not None:
            numbers[0].copy_(given)
        choices = [chunk.choice for chunk in chunks]
        if choices != self._fixed[0]:
            starts = _C.arange(count + 1, dtype=int32, device=self.device)
            fixed = self.integers([[each.seed for each in choices], [each.top_k for each in choices]])
            self._fixed = choices, (starts, fixed), self._settings(choices)
            if count > 1:
                self._mark(starts, 0)
                self._mark(fixed, 1)
        _, (starts, fixed), settings = self._fixed
        if count > 1:
            self._mark(numbers, 1)
        return _several(self.one_each(*kind)(numbers, starts, self._table_of(chunks), fixed, settings))

    def _run_many(
        self, chunks: Sequence[Chunk], given: Tensor | None, at: Sequence[int], kind: tuple[bool, bool]
    ) -> Sequence[Tensor]:
        row_of = self.cache.row_of
        tokens, positions, slots, starts = list[int](), list[int](), list[int](), [0]
        for chunk in chunks:
            own = range(chunk.begin, chunk.begin + len(chunk.tokens))
            tokens += chunk.tokens
            positions += own
            slots += [row_of(chunk.pages, index) for index in own]
            starts.append(len(tokens))
        used = [chunk.begin + len(chunk.tokens) for chunk in chunks]
        rows, choices, steps, noted = list[int](), list[TokenChoice](), list[int](), list[tuple[int, ...]]()
        for chunk, end in zip(chunks, starts[1:]):
            rows += range(end - chunk.drawn, end)
            choices += [chunk.choice] * chunk.drawn
            noted += [chunk.note] * chunk.drawn
            steps += range(chunk.step, chunk.step + chunk.drawn)
        wanted = len(rows)
        while len(rows) < 2:  # sizes of 1 are other programs: what is drawn for nobody, and a sequence without tokens
            rows, choices, steps, noted = [*rows, len(tokens) - 1], [*choices, GREEDY], [*steps, 0], [*noted, NONE]
        if len(chunks) == 1:
            starts, used = [*starts, len(tokens)], [*used, 0]
        by_token = self.integers([tokens, positions, slots])
        if given is not None:
            by_token[0].index_copy_(0, self.integers(at), given)
        by_row: list[Any] = [rows, [each.seed for each in choices], steps, [each.top_k for each in choices]]
        if kind[0]:
            by_row += zip(*noted)
        arguments = (
            self._mark(by_token, 1), self._mark(tensor(starts, dtype=int32, device=self.device), 0),
            self._mark(tensor(used, dtype=int32, device=self.device), 0), self._table_of(chunks, len(used)),
            self._mark(self.integers(by_row), 1), self._settings(choices),
        )  # fmt: skip
        return [each[:wanted] for each in _several(self.many(*kind)(*arguments))]

    def _table_of(self, chunks: Sequence[Chunk], count: int = 0) -> Tensor:
        """The pages of each sequence, in at least two columns. It is made anew where pages or sequences are others."""
        pages = [(*chunk.pages,) for chunk in chunks] + [()] * (count - len(chunks))
        if pages != self._table[0]:
            columns = 2
            while columns < max(map(len, pages)):  # few sizes: programs are filled in for each
                columns *= 2
            rows = [[*row, *[0] * (columns - len(row))] for row in pages]
            table = tensor(rows, dtype=int32, device=self.device)
            self._mark(table, 1)
            if len(rows) > 1:
                self._mark(table, 0)
            self._table = pages, table
        return self._table[1]

    def _settings(self, choices: Sequence[TokenChoice]) -> Tensor:
        """(6, rows): temperature, top_p, min_p, and the penalties of each."""
        names = ("temperature", "top_p", "min_p", "repetition", "presence", "frequency")
        rows = numpy.array([[getattr(each, name) for each in choices] for name in names], dtype=numpy.float32)
        return self._mark(tensor(rows, device=self.device), 1)

    def integers(self, numbers: Any) -> Tensor:
        """Numbers as a tensor of int64 on the device."""
        return tensor(numpy.array(numbers, dtype=numpy.int64), device=self.device)  # lists are looked through for their dtype

    def _mark(self, x: Tensor, dim: int) -> Tensor:
        if x.shape[dim] > 1:
            mark_dynamic(x, dim)
        return x


def _several(found: Any) -> Sequence[Tensor]:
    return found if isinstance(found, (tuple, list)) else (found,)
