"""A model with its cache as compiled programs: one of tokens of any sequences, one of a token of each, one of a single token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.binding.new_tensors import tensor
from tritonflow.dtypes import float32, int32, int64
from tritonflow.framework.marked_sizes import mark_dynamic
from tritonflow.framework.tensor import Tensor
from tritonflow.generation.packed import PackedTokens
from tritonflow.generation.pages import PagedCache
from tritonflow.generation.request import TokenChoice
from tritonflow.generation.sampling import sample_tokens
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
        step: the number of the first that is drawn, among those of the sequence.
    """

    tokens: Sequence[int]
    begin: int
    pages: list[int]
    choice: TokenChoice
    drawn: int
    step: int


class ServedModel:
    """Runs steps of a model over its cache. Nothing is waited for: tokens are drawn on the device.

    Args:
        model: `model(tokens, positions, packed) -> logits`, see `PackedTokens`.
        cache: of its keys and values.
    """

    def __init__(self, model: Callable[..., Any], cache: PagedCache) -> None:
        self.model, self.cache = model, cache
        self.device = cache.keys[0].device

        def many(by_token: Tensor, starts: Tensor, used: Tensor, table: Tensor, by_row: Tensor, settings: Tensor) -> Tensor:
            tokens, positions, slots = by_token[0], by_token[1], by_token[2]
            rows, seeds, steps, top_k = by_row[0], by_row[1], by_row[2], by_row[3]
            packed = PackedTokens(cache, slots, starts, used, table, tokens.shape[0], rows, positions)
            return _draw(model(tokens, positions, packed), settings, top_k, seeds, steps)

        def one_each(tokens: Tensor, numbers: Tensor, starts: Tensor, table: Tensor, fixed: Tensor, settings: Tensor) -> Tensor:
            positions, slots, used, steps = numbers[0], numbers[1], numbers[2], numbers[3]
            packed = PackedTokens(cache, slots, starts, used, table, 1, None, positions)
            return _draw(model(tokens, positions, packed), settings, fixed[1], fixed[0], steps)

        self.many = compile_function(many, fullgraph=True)
        self.one_each = compile_function(one_each, fullgraph=True)
        self._fixed: tuple[Any, ...] = ((), (), ())
        self._table: tuple[Any, Tensor] = ((), cache.keys[0])

    def programs(self) -> int:
        """How many programs were captured."""
        return sum(len({each.template or each for each in f.captures()}) for f in (self.many, self.one_each))

    def run(self, chunks: Sequence[Chunk], given: Tensor | None = None, at: Sequence[int] = ()) -> Tensor:
        """The tokens that are drawn, of all chunks in their order, int64.

        Args:
            chunks: of different sequences.
            given: tokens on the device that stand in for some of those in the chunks.
            at: which of all tokens these are.
        """
        with no_grad():
            if all(len(chunk.tokens) == 1 for chunk in chunks):
                drawn = self._run_one_each(chunks, given)
                wanted = [k for k, chunk in enumerate(chunks) if chunk.drawn]
                return drawn if len(wanted) == len(chunks) else drawn.index_select(0, self.integers(wanted))
            return self._run_many(chunks, given, at)

    def _run_one_each(self, chunks: Sequence[Chunk], given: Tensor | None) -> Tensor:
        count = len(chunks)
        row_of = self.cache.row_of
        begins = [chunk.begin for chunk in chunks]
        tokens = given if given is not None else self.integers([chunk.tokens[0] for chunk in chunks])
        slots = [row_of(chunk.pages, chunk.begin) for chunk in chunks]
        numbers = self.integers([begins, slots, [begin + 1 for begin in begins], [chunk.step for chunk in chunks]])
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
            self._mark(tokens, 0)
            self._mark(numbers, 1)
        return self.one_each(tokens, numbers, starts, self._table_of(chunks), fixed, settings)

    def _run_many(self, chunks: Sequence[Chunk], given: Tensor | None, at: Sequence[int]) -> Tensor:
        row_of = self.cache.row_of
        tokens, positions, slots, starts = list[int](), list[int](), list[int](), [0]
        for chunk in chunks:
            own = range(chunk.begin, chunk.begin + len(chunk.tokens))
            tokens += chunk.tokens
            positions += own
            slots += [row_of(chunk.pages, index) for index in own]
            starts.append(len(tokens))
        used = [chunk.begin + len(chunk.tokens) for chunk in chunks]
        rows, choices, steps = list[int](), list[TokenChoice](), list[int]()
        for chunk, end in zip(chunks, starts[1:]):
            rows += range(end - chunk.drawn, end)
            choices += [chunk.choice] * chunk.drawn
            steps += range(chunk.step, chunk.step + chunk.drawn)
        wanted = len(rows)
        while len(rows) < 2:  # sizes of 1 are other programs: what is drawn for nobody, and a sequence without tokens
            rows, choices, steps = [*rows, len(tokens) - 1], [*choices, _GREEDY], [*steps, 0]
        if len(chunks) == 1:
            starts, used = [*starts, len(tokens)], [*used, 0]
        by_token = self.integers([tokens, positions, slots])
        if given is not None:
            by_token[0].index_copy_(0, self.integers(at), given)
        by_row = [rows, [each.seed for each in choices], steps, [each.top_k for each in choices]]
        arguments = (
            self._mark(by_token, 1), self._mark(tensor(starts, dtype=int32, device=self.device), 0),
            self._mark(tensor(used, dtype=int32, device=self.device), 0), self._table_of(chunks, len(used)),
            self._mark(self.integers(by_row), 1), self._settings(choices),
        )  # fmt: skip
        return self.many(*arguments)[:wanted]

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
        """(3, rows): temperature, top_p and min_p of each."""
        rows = [[each.temperature for each in choices], [each.top_p for each in choices], [each.min_p for each in choices]]
        return self._mark(tensor(rows, dtype=float32, device=self.device), 1)

    def integers(self, numbers: Any) -> Tensor:
        """Numbers as a tensor of int64 on the device."""
        return tensor(numbers, dtype=int64, device=self.device)

    def _mark(self, x: Tensor, dim: int) -> Tensor:
        if x.shape[dim] > 1:
            mark_dynamic(x, dim)
        return x


_GREEDY = TokenChoice(0.0, 0, 1.0, 0.0, 0)


def _draw(logits: Tensor, settings: Tensor, top_k: Tensor, seeds: Tensor, steps: Tensor) -> Tensor:
    temperature, top_p, min_p = settings[0], settings[1], settings[2]
    return sample_tokens(logits, temperature, top_k, top_p, min_p, seeds=seeds, steps=steps)
