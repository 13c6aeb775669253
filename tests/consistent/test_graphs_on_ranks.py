"""Graphs over ranks that are processes: training, and what happens where one of them dies or goes astray."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import pytest

import tritonflow as flow
from tests.consistent.graph_programs import KINDS, compared, everywhere, of_groups, whole
from tests.consistent.pool import Died, Pool, RankFailure
from tests.consistent.test_no_backend_adds import no_backend_adds
from tests.graph.models import MODELS
from tritonflow import nn
from tritonflow.errors import RankError
from tritonflow.framework.sbp import broadcast, split
from tritonflow.graph.plan import stretches
from tritonflow.settings import settings
from tritonflow.wire.world import this_rank


def trained(*args: Any) -> None:
    with no_backend_adds():
        compared(*args)


def test_a_model(ranks2: Pool) -> None:
    ranks2.run(trained, "of_models", ("gpt",), "graph")


def test_a_transformer_has_the_bits_of_eager_mode(ranks2: Pool) -> None:
    ranks2.run(trained, "transformer_with_split_weights", (broadcast,), "graph", False)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", list(MODELS))
def test_every_model(ranks: Pool, name: str, kind: str) -> None:
    ranks.run(trained, "of_models", (name,), kind, seconds=240)


@pytest.mark.parametrize("kind", ["comm", "copies", "mesh"])
def test_groups_of_ranks_have_programs_of_their_own(ranks4: Pool, kind: str) -> None:
    ranks4.run(of_groups, kind)


# ---------------------------------------------------------------------------------------------------------------- faults


class _Training(nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        flow.manual_seed(0)
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        for layer in (self.net[0], self.net[2]):
            for name, p in list(layer.named_parameters()):
                setattr(layer, name, nn.Parameter(p.detach().to_global(everywhere(), broadcast)))
        self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.1))

    def build(self, x: Any) -> Any:
        loss = self.net(x).pow(2).mean()
        loss.backward()
        return loss


def _batch() -> flow.Tensor:
    flow.manual_seed(1)
    return flow.randn(12, 8).to_global(everywhere(), broadcast).to_global(sbp=split(0))


def killed_at(place: int) -> None:
    """The second rank dies before so many parts of the wire in a step; how long the error takes, and that no state is readable."""
    graph, x = _Training(), _batch()
    graph(x).numpy()
    run, count = stretches.WireStep.run, [0]

    def dying(self: Any, live: Any) -> None:
        count[0] += 1
        if this_rank().index == 1 and count[0] == place:
            os.kill(os.getpid(), signal.SIGKILL)
        run(self, live)

    stretches.WireStep.run = dying  # type: ignore[method-assign]
    with settings.override(comm_timeout=1.0):
        begin = time.monotonic()
        try:
            while True:  # the step has fewer parts than some places: then a later one dies
                whole(graph(x))
        except RankError as error:
            error.add_note(f"after {time.monotonic() - begin:.3f}")
            # All of which a step writes; unless it was over here, and what reads the loss fails.
            for p in graph.net.parameters() if "of a graph" in str(error) else ():
                with pytest.raises(RankError, match="rank 1"):
                    p.to_local().numpy()
            raise
        finally:
            stretches.WireStep.run = run  # type: ignore[method-assign]


def check_killed(pool: Pool, place: int) -> None:
    with pytest.raises(RankFailure) as caught:
        pool.run(killed_at, place)
    errors = caught.value.errors
    assert sorted(errors) == list(range(pool.size)) and isinstance(errors[1], Died)
    for rank, error in errors.items():
        if rank != 1:
            (taken,) = [note for note in error.__notes__ if note.startswith("after ")]
            assert isinstance(error, RankError) and "rank 1" in str(error) and float(taken[6:]) <= 3.0


def test_a_rank_is_killed_inside_of_a_program(ranks2: Pool) -> None:
    check_killed(ranks2, 3)


@pytest.mark.long
@pytest.mark.parametrize("place", range(1, 21))
def test_a_rank_is_killed_at_each_part_of_a_program(ranks2: Pool, place: int) -> None:
    check_killed(ranks2, place)


def one_captures_again(timeout: float) -> None:
    scale = {"by": 2.0}
    compiled = flow.compile(lambda x: (x * scale["by"]).sum().to_global(sbp=broadcast), fullgraph=True)
    compiled(_batch()).numpy()
    with settings.override(comm_timeout=timeout):
        if this_rank().index == 1:
            scale["by"] = 3.0
        compiled(_batch()).numpy()


def test_one_rank_captures_again(ranks2: Pool) -> None:
    """The others begin the program's collectives: an error on all of them, that says why the one captures."""
    with pytest.raises(RankFailure) as caught:
        ranks2.run(one_captures_again, 1.0)
    errors = caught.value.errors
    assert sorted(errors) == [0, 1] and all(isinstance(error, RankError) for error in errors.values())
    assert "control_gather, a capture" in str(errors[0]) and "a graph" in str(errors[0])
    assert "is captured on rank 1, because of" in "".join(errors[1].__notes__)
