"""Programs of all ranks fit together, and those that were tampered with do not."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace
from typing import Any

import pytest

import tritonflow as flow
from tests.fuzz import captured_over_ranks as fuzz
from tests.fuzz.consistent import Ranks, on_ranks
from tritonflow.errors import CaptureError, RankError
from tritonflow.graph.ir import CollectiveDone, CollectiveStart, Graph
from tritonflow.graph.ranks.verify import verify_ranks
from tritonflow.wire.world import this_rank


def programs_of(seed: int) -> dict[int, Graph]:
    """What the ranks capture of a random program; nothing where a graph refuses it."""
    program, found = fuzz.program(seed), {}

    def on_a_rank() -> None:
        values: dict[str, Any] = {"lib": Ranks(seed)}
        exec(program.function().replace("t.detach()", "t.detach().clone()"), values)
        for s in program.statements:
            if s.text.split(" ")[0] in program.inputs and " = lib.tensor" in s.text:
                exec(s.text.replace(", requires_grad=True", ""), values)
        values["lib"] = fuzz.Laid(seed)
        compiled = flow.compile(values["program"], fullgraph=True)
        try:
            compiled(*[values[name] for name in program.inputs])
            found[this_rank().index] = compiled.captures()[0].graph
        except CaptureError:
            pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            on_ranks(fuzz.Laid(seed), on_a_rank)
        except Exception:
            return {}
    return found


def spoilt(programs: dict[int, Graph], rng: random.Random) -> dict[int, Graph]:
    """One message of another size or none, one collective that is lost, or two that are in another order."""
    sending = [(r, k) for r, g in programs.items() for k, n in enumerate(g.nodes) if isinstance(n, CollectiveStart) and _sends(n, r)]
    rank, position = rng.choice(sending)
    graph, node = programs[rank], programs[rank].nodes[position]
    assert isinstance(node, CollectiveStart)
    starts = [k for k, n in enumerate(graph.nodes) if isinstance(n, CollectiveStart) and n.verb.ranks == node.verb.ranks]
    later = [k for k in starts if k > position and graph.nodes[k].what != node.what]
    kind, nodes = rng.choice(("size", "lost", "swap") if later else ("size", "lost")), list(graph.nodes)
    if kind == "size":
        first = next(k for k, part in enumerate(node.verb.sends) if part.peer != rank and part.nbytes)
        sends = [part._replace(nbytes=part.nbytes + 4) if k == first else part for k, part in enumerate(node.verb.sends)]
        nodes[position] = node.replace(verb=node.verb._replace(sends=tuple(sends)))
    elif kind == "lost":
        nodes = [n for n in nodes if n is not node and not (isinstance(n, CollectiveDone) and n.inputs[2] is node.token)]
    else:
        other = later[0]
        nodes[position], nodes[other] = (
            graph.nodes[a].replace(verb=graph.nodes[b].verb, what=graph.nodes[b].what) for a, b in ((position, other), (other, position))
        )
    return {**programs, rank: replace(graph, nodes=nodes)}


def _sends(node: CollectiveStart, rank: int) -> bool:
    return any(part.peer != rank and part.nbytes for part in node.verb.sends)


def check(seed: int) -> int:
    """How many tampered programs were rejected."""
    programs = programs_of(seed)
    verify_ranks(programs)
    if not any(isinstance(n, CollectiveStart) and _sends(n, r) for r, g in programs.items() for n in g.nodes):
        return 0
    rng = random.Random(seed)
    for _ in range(5):
        with pytest.raises(RankError):
            verify_ranks(spoilt(programs, rng))
    return 5


def test_some_programs_fit():
    assert sum(check(seed) for seed in range(40, 52)) >= 20


@pytest.mark.hours
@pytest.mark.parametrize("part", range(10))
def test_a_thousand_programs_fit(part):
    assert sum(check(seed) for seed in range(1000 + 100 * part, 1100 + 100 * part)) >= 100


def test_ranks_that_wait_for_one_another():
    def program() -> Graph:
        x = flow.ones(4, placement=flow.placement.all("cpu"), sbp=flow.sbp.split(0))
        double = flow.compile(lambda x: (x * 2).to_global(sbp=flow.sbp.broadcast), fullgraph=True)
        double(x)
        return double.captures()[0].graph

    graphs = dict(enumerate(flow.testing.simulate(2)(program)()))
    verify_ranks(graphs)
    nodes = [node for node in graphs[0].nodes if not isinstance(node, CollectiveDone)]
    with pytest.raises(RankError, match="rank 0 does not wait for gather"):
        verify_ranks({**graphs, 0: replace(graphs[0], nodes=nodes)})
    with pytest.raises(RankError, match="ranks wait for messages that nobody sends"):
        verify_ranks({0: graphs[0]})
