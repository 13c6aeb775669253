"""A small model that proposes tokens for the large one to look at."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.framework.tensor import Tensor
from tritonflow.generation.pages import PagedCache
from tritonflow.generation.request import Request
from tritonflow.generation.served import Chunk, ServedModel


class Draft:
    """Proposes tokens with a small model, which has a cache of its own. Nothing is waited for.

    Its tokens are drawn with the numbers that the large model will draw with: the nearer both distributions are, the more often
    the tokens are the same.

    Args:
        served: the small model.
        ahead: how many tokens are proposed.
    """

    def __init__(self, served: ServedModel, ahead: int) -> None:
        self.served, self.ahead = served, ahead

    def propose(self, requests: list[tuple[Request, int]], cache: PagedCache) -> dict[int, list[tuple[Tensor, int]]]:
        """Compute the same tokens with the small model, and those behind them.

        Args:
            requests: and how many tokens of each the large model computes.
            cache: of the large model, in which pages are taken for the proposals.

        Returns:
            By the id of a request what was proposed: (tokens of a round, which of them) for each round.
        """
        counts = {id(request): self._count(request, count, cache) for request, count in requests}
        first = [(request, self._behind(request, count, counts[id(request)])) for request, count in requests]
        chunks = [(request, chunk) for request, chunk in first if chunk is not None]
        found: dict[int, list[tuple[Tensor, int]]] = {}
        if not chunks:
            return found
        drawn = self._run(chunks)
        drawing = [request for request, chunk in chunks if chunk.drawn]
        for round_ in range(1, self.ahead + 1):
            for index, request in enumerate(drawing):
                found.setdefault(id(request), []).append((drawn, index))
            last = [index for index, request in enumerate(drawing) if counts[id(request)] > round_]
            if not last:
                break
            if len(last) < len(drawing):
                drawn = _C.index_select(drawn, 0, self.served.integers(last))
            drawing = [drawing[index] for index in last]
            drawn = self._run([(request, self._next(request, round_)) for request in drawing], drawn)
        return found

    def _run(self, chunks: list[tuple[Request, Chunk]], given: Tensor | None = None) -> Tensor:
        drawn = self.served.run([chunk for _, chunk in chunks], given).tokens
        for request, chunk in chunks:
            request.drafted = chunk.begin + len(chunk.tokens)
        return drawn

    def _next(self, request: Request, round_: int) -> Chunk:
        """The token behind a proposal, which is on the device."""
        return Chunk([0], request.drafted, request.draft_pages, request.choice, 1, _step(request) + round_)

    def _count(self, request: Request, count: int, cache: PagedCache) -> int:
        """How many tokens are proposed: fewer at the end of a request, none without pages, or where penalties change each draw."""
        n = min(self.ahead, request.max_tokens - len(request.tokens) - 1)
        if request.computed + count < request.length or n < 1 or request.is_noted:
            return 0
        own = self.served.cache
        return n if cache.grow(request.pages, request.length + n) and own.grow(request.draft_pages, request.length + n) else 0

    def _behind(self, request: Request, count: int, proposed: int) -> Chunk | None:
        """What the small model has to compute first. Behind `computed`, its cache may hold proposals that were not accepted."""
        request.drafted = min(request.drafted, request.computed)
        end = request.computed + count
        tokens = request.part(request.drafted, end)
        if not tokens or not self.served.cache.grow(request.draft_pages, end):
            return None
        return Chunk(tokens, request.drafted, request.draft_pages, request.choice, int(proposed > 0), _step(request))

    def joined(
        self, proposals: dict[int, list[tuple[Tensor, int]]], lengths: list[tuple[int, int]]
    ) -> tuple[Tensor, list[int]]:
        """The proposed tokens in the order of requests, and where they stand among all tokens of a step.

        Args:
            proposals: from `propose`.
            lengths: the id of each request, and how many tokens it has in the step, of which the proposals are the last.
        """
        at, end, wanted = list[int](), 0, list[tuple[Tensor, int]]()
        for key, length in lengths:
            end += length
            own = proposals.get(key, [])
            at += range(end - len(own), end)
            wanted += own
        rounds = list({id(tensor): tensor for tensor, _ in wanted}.values())
        firsts, first = dict[int, int](), 0
        for tensor in rounds:
            firsts[id(tensor)] = first
            first += tensor.shape[0]
        joined = rounds[0] if len(rounds) == 1 else _C.cat(rounds)
        order = self.served.integers([firsts[id(tensor)] + index for tensor, index in wanted])
        return _C.index_select(joined, 0, order), at


def _step(request: Request) -> int:
    """Which number of its seed the next token of a request takes."""
    return request.choice.first + len(request.tokens)
