"""Graphs over simulated ranks: what a captured program leaves is what eager mode leaves, on every rank."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests import where
from tests.consistent.graph_programs import KINDS, compared, everywhere, of_groups, simulated, whole
from tests.fuzz import captured_over_ranks as fuzz
from tests.graph.models import MODELS
from tritonflow import compilations, nn
from tritonflow.errors import CaptureError, RankError
from tritonflow.framework.sbp import broadcast, partial_sum, split
from tritonflow.graph.ir import CollectiveDone, CollectiveStart
from tritonflow.settings import settings
from tritonflow.wire import verbs
from tritonflow.wire.world import this_rank

SOME = [("mlp", "graph"), ("gpt", "loss"), ("resnet", "step")]


SPLIT = split(0)


def given(sbp: Any = SPLIT, rows: int = 6) -> flow.Tensor:
    x = flow.arange(4 * rows, placement=everywhere(), sbp=broadcast).view(rows, 4).float()
    return x.to_global(sbp=sbp)


def on_ranks(size: int, function: Any, *args: Any) -> Any:
    """What every rank gives, which is the same."""
    found = simulated(size)(function)(*args)
    assert all(str(each) == str(found[0]) for each in found), found
    return found[0]


# ------------------------------------------------------------------------------------------------------------- training


@pytest.mark.parametrize("name, kind", SOME)
def test_some_models(name, kind):
    simulated(2)(compared)("of_models", (name,), kind)


@pytest.mark.long
@pytest.mark.parametrize("size", [2, 8])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", list(MODELS))
def test_every_model(name, kind, size):
    simulated(size)(compared)("of_models", (name,), kind)


@pytest.mark.long
@pytest.mark.parametrize("rows, weights", [(11, broadcast), (11, SPLIT), (5, SPLIT)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_has_the_bits_of_eager_mode(name, kind, rows, weights):
    """Where no pass changes the order of sums. On 8 ranks shards are uneven, and those of small parameters and batches empty."""
    simulated(8)(compared)("of_models", (name, rows, weights), kind, False)


BATCHES = [broadcast, pytest.param(split(0), marks=pytest.mark.long)]  # whole, with split weights


@pytest.mark.parametrize("size, batch", [(2, broadcast), pytest.param(3, split(0), marks=pytest.mark.long)])
def test_a_transformer_has_the_bits_of_eager_mode(size, batch):
    """With dropout, whose masks belong to positions, where no pass changes the order of sums."""
    simulated(size)(compared)("transformer_with_split_weights", (batch,), "graph", False)


@pytest.mark.parametrize("batch", BATCHES)
def test_a_transformer_behind_all_passes(batch):
    """Attention and dropout of shards draw from where their shard begins, whoever moves the generator on."""
    simulated(4)(compared)("transformer_with_split_weights", (batch,), "graph")


def _net() -> Any:
    flow.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    for layer, sbp in ((net[0], split(0)), (net[2], split(1))):
        for name, p in list(layer.named_parameters()):
            wanted = sbp if name == "weight" or sbp is split(0) else broadcast
            setattr(layer, name, nn.Parameter(p.detach().to_global(everywhere(), broadcast).to_global(sbp=wanted)))
    return net


def _batch() -> flow.Tensor:
    flow.manual_seed(1)
    return flow.randn(12, 8).to_global(everywhere(), broadcast)


class _Training(nn.Graph):
    def __init__(self, net: Any, optimizer: Any) -> None:
        super().__init__()
        self.net = net
        self.add_optimizer(optimizer)

    def build(self, x: Any) -> Any:
        loss = self.net(x).float().pow(2).mean()
        loss.backward()
        return loss


def test_accumulation_over_micro_steps():
    def train() -> None:
        net, x = _net(), _batch()
        optimizer = flow.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for _ in range(2):
            optimizer.zero_grad()
            for k in range(3):
                (net(x[4 * k : 4 * k + 4]).pow(2).mean() / 3).backward()
            optimizer.step()
        same = _net()
        graph = _Training(same, flow.optim.SGD(same.parameters(), lr=0.1, momentum=0.9))
        graph.config.set_gradient_accumulation_steps(3)
        for _ in range(2):
            graph(x)
        for a, b in zip(net.parameters(), same.parameters()):
            numpy.testing.assert_allclose(whole(b), whole(a), rtol=1e-6)

    simulated(2)(train)()


@pytest.mark.parametrize("overflows", [False, True])
def test_a_scaler_and_half_types(overflows):
    """A gradient that overflows on any rank skips the step of all."""

    def train() -> tuple[Any, ...]:
        net, x = _net(), _batch()
        if overflows:
            x = x * flow.where(flow.arange(12, placement=everywhere(), sbp=broadcast) == 11, 1e30, 1.0).unsqueeze(1)
        before = [whole(p) for p in net.parameters()]
        graph = _Training(net, flow.optim.SGD(net.parameters(), lr=0.1))
        scaler = flow.amp.GradScaler(init_scale=1024.0)
        graph.set_grad_scaler(scaler)
        graph.config.enable_amp(True, dtype=flow.bfloat16)
        graph(x.to_global(sbp=split(0)))
        moved = [bool((whole(p) != b).any()) for p, b in zip(net.parameters(), before)]
        return moved, scaler.get_scale()

    moved, scale = on_ranks(2, train)
    assert (any(moved), scale) == (not overflows, 512.0 if overflows else 1024.0)


def test_checkpointed_modules():
    def train() -> None:
        found = []
        for marked in (False, True):
            net = _net()
            graph = _Training(net, flow.optim.SGD(net.parameters(), lr=0.1))
            if marked:
                for layer in net:
                    layer.to(nn.graph.GraphModule).activation_checkpointing = True
            for _ in range(2):
                graph(_batch())
            found.append([whole(p) for p in net.parameters()])
        assert all((a == b).all() for a, b in zip(*found))

    simulated(2)(train)()


def test_random_numbers_go_on_from_run_to_run():
    def draw() -> None:
        def drawn(x: Any) -> Any:
            return x + flow.rand(6, 4, placement=everywhere(), sbp=split(0)), nn.functional.dropout(x, 0.5)

        compiled, x, found = flow.compile(drawn, fullgraph=True), given() + 1, []
        for function in (compiled, drawn):
            flow.manual_seed(5)
            found.append([whole(t) for _ in range(2) for t in function(x)])
        assert all((a == b).all() for a, b in zip(*found)) and (found[0][0] != found[0][2]).any()

    simulated(2)(draw)()


def _copies(kind: str, normalised: bool, **options: Any) -> list[Any]:
    """What training copies of a local model leaves on a rank."""
    flow.manual_seed(0)
    layer = nn.BatchNorm1d(16) if normalised else nn.Identity()
    ddp = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(8, 16), layer, nn.ReLU(), nn.Linear(16, 4)), **options)
    optimizer = flow.optim.SGD(ddp.parameters(), lr=0.1, momentum=0.9)
    flow.manual_seed(9)
    x = flow.randn(6, 8) * (this_rank().index + 1)

    def step(x: Any) -> Any:
        optimizer.zero_grad()
        loss = ddp(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss

    run: Any = _Training(ddp, optimizer) if kind == "graph" else flow.compile(step, fullgraph=True) if kind == "step" else step
    losses = [run(x).numpy().copy() for _ in range(3)]
    return [*losses, *[t.detach().numpy().copy() for t in (*ddp.parameters(), *ddp.buffers())]]


@pytest.mark.parametrize(
    "kind, normalised, options",
    [("step", True, {}), ("graph", False, {"bucket_size": 1}), ("step", False, {"gradient_as_bucket_view": True})],
    ids=["buffers", "graph", "views"],
)
def test_copies_whose_gradients_are_averaged(kind, normalised, options):
    """Buckets are boxings behind their last gradient."""

    def run() -> None:
        eager, ours = _copies("eager", normalised, **options), _copies(kind, normalised, **options)
        assert all((a == b).all() for a, b in zip(eager, ours))

    simulated(2)(run)()


def test_bytes_beside_ops_are_refused():
    """In a program rows that go to other ranks by themselves would go once, while it is captured."""

    def run() -> None:
        rows = flow.ones(4, 3)
        with pytest.raises(CaptureError, match="would move once, while the lambda is captured"):
            flow.compile(lambda x: flow.comm.all_to_all_single(flow.zeros(4, 3), rows) + x, fullgraph=True)(flow.ones(3))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = flow.compile(lambda x: flow.comm.all_to_all_single(flow.zeros(4, 3), rows) + x)
            assert compiled(flow.ones(3)).tolist() == [[2.0] * 3] * 4

    simulated(2)(run)()


# ---------------------------------------------------------------------------------------------------------- what it takes


def test_layouts_results_and_placements():
    """Results keep their sbp; what lies on some ranks is computed there."""

    def run() -> None:
        def f(x: Any) -> Any:
            y = (x @ x.t()).to_global(placement=flow.placement(where.device, [1]), sbp=broadcast)
            return flow.relu(y - 3) * 2, x.sum(0), x.t()[1]

        compiled = flow.compile(f, fullgraph=True)
        for sbp in (split(0), split(1), broadcast, partial_sum, split(0)):
            for ours, eager in zip(compiled(given(sbp)), f(given(sbp))):
                assert ours.sbp == eager.sbp and ours.placement is eager.placement and (whole(ours) == whole(eager)).all()
        assert len(compiled.captures()) == 4

    simulated(2)(run)()


def test_collectives_and_local_tensors():
    def run() -> None:
        def f(x: Any) -> Any:
            return flow.comm.all_reduce(x * 2) + 1, x.to_global(everywhere(), split(0)).sum(0).to_global(sbp=broadcast).to_local()

        compiled, x = flow.compile(f, fullgraph=True), flow.ones(2, 3) * (this_rank().index + 1)
        for scale in (1, 2):
            for ours, eager in zip(compiled(x * scale), f(x * scale)):
                assert ours.is_local and ours.tolist() == eager.tolist()

    simulated(2)(run)()


def test_gradients_reach_leaves_and_arguments():
    def run() -> None:
        weight = nn.Parameter(given(split(1)).t().contiguous().detach())

        def f(x: Any) -> Any:
            y = flow.relu(x @ weight)
            return y.sum(), y.mean(0)

        compiled = flow.compile(f, fullgraph=True)
        found = []
        for function, used in ((f, (0, 1)), (compiled, (0, 1)), (f, (1,)), (compiled, (1,))):
            weight.grad, x = None, given().requires_grad_()
            outs = function(x)
            sum([(outs[k] * (k + 2)).sum().to_global(sbp=broadcast) for k in used]).backward()
            found.append([(weight.grad.sbp, x.grad.sbp), whole(weight.grad), whole(x.grad)])
        for eager, ours in (found[:2], found[2:]):
            assert ours[0] == eager[0] and (ours[1] == eager[1]).all() and (ours[2] == eager[2]).all()

    simulated(2)(run)()


@pytest.mark.parametrize("sbp", [split(0), split(1), broadcast], ids=str)
def test_views_of_boxed_copies(sbp):
    """They see later writes to what they are views of, and writes to them come back."""

    def run() -> None:
        def f(x: Any) -> Any:
            y = x * 2
            view, part = y.view(24), y[1:3]
            y.add_(1)
            seen = view + 1
            view.mul_(2)
            part.zero_()
            return y, seen, view[3:9].clone()

        ours, eager = flow.compile(f, fullgraph=True)(given(sbp)), f(given(sbp))
        assert all((whole(a) == whole(b)).all() for a, b in zip(ours, eager))

    simulated(3)(run)()


def test_random_programs():
    for seed in (20228, 21276, 21469, *range(9)):  # the first ones were wrong once
        assert fuzz.check(fuzz.program(seed)) is None


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_random_programs(part):
    for seed in range(100 + 30 * part, 130 + 30 * part):
        assert fuzz.check(fuzz.program(seed)) is None


# ------------------------------------------------------------------------------------------------------------ agreement


def test_ranks_meet_once_a_capture(monkeypatch):
    meet, met = verbs.control_gather, []
    monkeypatch.setattr(verbs, "control_gather", lambda ranks, own, what: met.append(what) or meet(ranks, own, what))

    def run() -> None:
        compiled = flow.compile(lambda x: (x * 2).sum().to_global(sbp=broadcast), fullgraph=True)
        for _ in range(3):
            compiled(given())

    simulated(2)(run)()
    assert met.count("a capture") == 2  # of two ranks
    assert set(met) == {"a capture"} | {what for what in met if what.endswith("a new plan")}


def test_programs_that_differ_are_told_by_their_first_difference():
    def run() -> None:
        def f(x: Any) -> Any:
            y = x * 3
            if this_rank().index == 1:
                y = y.exp()
            return (y + 1).sum().to_global(sbp=broadcast)

        flow.compile(f)(given())

    with pytest.raises(RankError) as error:
        simulated(2)(run)()
    text = str(error.value)
    assert "differ at decision 1" in text and "rank 0: scalar_add of S0" in text and "rank 1: exp of S0" in text
    assert "test_graphs.py" in text and "is captured on rank" in "".join(error.value.__notes__)


def test_numbers_that_differ_are_told():
    """In eager mode each rank has its own number, and the shards of one tensor are of several."""

    def run() -> None:
        factor = 2.0 + this_rank().index
        flow.compile(lambda x: (x * factor).sum().to_global(sbp=broadcast))(given())

    with pytest.raises(RankError, match="rank 0: scalar_mul of .* with 2.0.*\n.*rank 1: scalar_mul of .* with 3.0"):
        simulated(2)(run)()


def test_what_one_rank_refuses_all_refuse():
    """In eager mode all go on; as a graph all have the error of the one."""

    def f(x: Any) -> Any:
        y = x.sum(0)
        if this_rank().index == 1:
            len(open("/dev/null").read())
        return y.to_global(sbp=broadcast)

    def run() -> list[float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = flow.compile(f)
            return [whole(compiled(given())).tolist() for _ in range(2)]

    assert on_ranks(2, run) == [[60.0, 66.0, 72.0, 78.0]] * 2
    texts: dict[int, str] = {}

    def as_graph() -> None:
        with pytest.raises(CaptureError) as error:
            flow.compile(f, fullgraph=True)(given())
        texts[this_rank().index] = str(error.value)

    simulated(2)(as_graph)()
    assert texts[0].startswith("rank 1 cannot capture it: CaptureError: ") and texts[1] in texts[0]


def test_local_shards_of_other_sizes_than_balanced_are_refused():
    def run() -> None:
        x = flow.ones(2 + this_rank().index, 3)
        flow.compile(lambda x: x.to_global(everywhere(), split(0)) * 2, fullgraph=True)(x)

    with pytest.raises(RankError, match=r"rank 0: a float32\[4, 3\] of local tensors"):
        simulated(2)(run)()


def test_numbers_of_tensors_are_looked_at_in_eager_mode():
    def run() -> float:
        def f(x: Any) -> Any:
            y = x.sum().to_global(sbp=broadcast)
            return y * 2 if y.item() > 3 else y

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(whole(flow.compile(f)(given())))

    assert on_ranks(2, run) == 552.0


def test_a_boxed_view_from_outside_is_refused():
    def run() -> None:
        view = given(split(1)).view(24)
        with pytest.raises(CaptureError, match="made outside of the program, is a copy"):
            flow.compile(lambda: view + 1, fullgraph=True)()

    simulated(2)(run)()


# ------------------------------------------------------------------------------------------------- what is known of a graph


def test_what_is_told_of_a_program():
    def run() -> None:
        compiled = flow.compile(lambda x: (x * 2).sum().to_global(sbp=broadcast) + 1, fullgraph=True)
        compiled(given())
        (captured,) = compiled.captures()
        assert f"box %2 P on {where.device}[0, 1] -> B on {where.device}[0, 1]" in str(captured.before)
        starts = [node for node in captured.graph.nodes if isinstance(node, CollectiveStart)]
        dones = [node for node in captured.graph.nodes if isinstance(node, CollectiveDone)]
        assert len(starts) == len(dones) == 1 and starts[0].what in str(captured.graph)
        told = compiled.explain(given())
        assert [row.kind for row in told.kernels].count("wire") == 2 and f"P on {where.device}[0, 1] -> " in str(told)
        assert "wire" in told.to_html()

    simulated(2)(run)()


def test_kernels_run_while_gradients_are_on_their_way():
    """A start stands behind its operand, its done before the first reader: no pass brings them together again."""

    def run() -> int:
        flow.manual_seed(0)
        net = nn.Sequential(*[nn.Linear(64, 64) for _ in range(4)]).to_global(everywhere(), broadcast)
        graph = _Training(net, flow.optim.SGD(net.parameters(), lr=0.1))
        graph.config.without.add("bucket")
        graph(flow.randn(8, 64).to_global(everywhere(), broadcast).to_global(sbp=split(0)))
        nodes = graph._captured.captures()[0].graph.nodes
        starts = {node.token: k for k, node in enumerate(nodes) if isinstance(node, CollectiveStart)}
        gaps = [k - starts[node.inputs[2]] for k, node in enumerate(nodes) if isinstance(node, CollectiveDone)]
        return sum(gap > 4 for gap in gaps)

    assert min(simulated(2)(run)()) >= 4


def test_a_timeline_has_the_collectives(tmp_path):
    def run() -> list[str]:
        compiled = flow.compile(lambda x: (x * 2).sum().to_global(sbp=broadcast), fullgraph=True)
        compiled(given())
        if this_rank().index:
            return [] if compiled(given()) is None else []
        with flow.profiler.profile() as profile:
            compiled(given())
        return [event.name for event in profile.events()]

    names = simulated(2)(run)()[0]
    assert any(f"P on {where.device}[0, 1]" in name for name in names) and "wait" in names


def test_schedules_are_found_on_disk(tmp_path, monkeypatch):
    """Each rank has its own."""
    found: list[Any] = []
    monkeypatch.setattr(compilations, "listeners", [found.append])

    def run() -> None:
        def f(x: Any) -> Any:
            return (x * 2.5).sum().to_global(sbp=broadcast) + 1

        for _ in range(2):
            assert whole(flow.compile(f, fullgraph=True)(given())) == 691.0

    with settings.override(cache_dir=tmp_path, keep_plans=True):
        simulated(2)(run)()
    origins = [each.origin for each in found if each.kind == "plan"]
    assert origins.count("from the disk cache") == 2 and len(origins) == 4


# ------------------------------------------------------------------------------------------------- what some ranks have


def test_local_tensors_that_become_those_of_some_ranks():
    """The others are asked for its shape: outside of the capture, which is done again with what they say."""

    def run() -> None:
        first, others, every = flow.placement(where.device, [0]), flow.placement(where.device, [1, 2]), everywhere()

        def moved(x: Any, y: Any) -> Any:
            z = (x * 2).to_global(first, broadcast).to_global(others, broadcast) + (y * 3).to_global(others, broadcast)
            return z.to_global(every, broadcast).to_local()

        compiled = flow.compile(moved, fullgraph=True)
        for k in range(3):
            x, y = flow.ones(3) * (k + this_rank().index), flow.ones(3)
            assert compiled(x, y).tolist() == moved(x, y).tolist() == [2.0 * k + 3] * 3
        assert len(compiled.captures()) == 1

    simulated(3)(run)()


# ------------------------------------------------------------------------------------------------------ groups of ranks


@pytest.mark.parametrize("kind", ["comm", "copies", "mesh"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_groups_of_ranks_have_programs_of_their_own(size, kind):
    """Each group agrees on its program, which the others need not know."""
    simulated(size)(of_groups)(kind)


def test_a_group_captures_while_others_do_something_else():
    def run() -> None:
        if this_rank().index < 2:
            of_groups("comm")

    simulated(3)(run)()


def test_copies_in_groups_of_ranks():
    def train() -> None:
        me = this_rank().index
        found = []
        for compiled in (False, True):
            flow.manual_seed(2)
            ddp = nn.parallel.DistributedDataParallel(nn.Linear(3, 2), process_group=[0, 1] if me < 2 else [2, 3])
            optimizer = flow.optim.SGD(ddp.parameters(), lr=0.1)

            def step(x: Any, ddp: Any = ddp, optimizer: Any = optimizer) -> Any:
                optimizer.zero_grad()
                loss = ddp(x).pow(2).sum()
                loss.backward()
                optimizer.step()
                return loss

            run: Any = flow.compile(step, fullgraph=True) if compiled else step
            losses = [run(flow.ones(2, 3) * (0.1 * me + 0.1)).item() for _ in range(3)]
            found.append([losses, *[p.tolist() for p in ddp.parameters()]])
        assert found[0] == found[1]

    simulated(4)(train)()


def test_a_rank_of_several_groups_runs_in_eager_mode():
    """A program would have to be agreed on by all that are connected by it. All its ranks are told, and go on alike."""

    def run(fullgraph: bool) -> None:
        me = this_rank().index
        row, column = [me // 2 * 2, me // 2 * 2 + 1], [me % 2, me % 2 + 2]

        def f(x: Any) -> Any:
            y = flow.comm.all_reduce(x * 2, ranks=row)
            return flow.comm.all_reduce(y + 1, ranks=column) if me != 3 else flow.comm.all_reduce(y, ranks=column)

        compiled = flow.compile(f, fullgraph=fullgraph)
        for k in range(3):
            x = flow.ones(3) * (me + k)
            if fullgraph:
                with pytest.raises(CaptureError, match=r"within ranks \[\d, \d\] and \[\d, \d\], and ranks agree"):
                    compiled(x)
            assert fullgraph or compiled(x).tolist() == f(x).tolist()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for fullgraph in (True, False):
            simulated(4)(run)(fullgraph)
