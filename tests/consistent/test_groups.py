"""Groups of ranks and device meshes, on simulated ranks: who takes part, what they get, and wrong ranks by their words."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tests.consistent.test_comm import adjoint, on_ranks, tensor, value
from tritonflow.distributed import DeviceMesh, ProcessGroup, init_device_mesh, new_group
from tritonflow.errors import ArgumentTypeError, InvalidArgumentError, PlacementError, RankError

B, P, S0, S1 = flow.sbp.broadcast, flow.sbp.partial_sum, flow.sbp.split(0), flow.sbp.split(1)
NAMES = ("pp", "dp", "tp")


def halves(rank: int) -> tuple[int, ...]:
    """The even or the odd of four ranks."""
    return (rank % 2, rank % 2 + 2)


# ------------------------------------------------------------------------------------------------------- collectives


def test_every_collective_of_a_group() -> None:
    def f(rank: int) -> None:
        group = halves(rank)
        k, total = group.index(rank), value(group[0]) + value(group[1])
        x = tensor(rank)
        flow.comm.all_reduce(x, ranks=group)
        assert (x.numpy() == total).all()
        x = tensor(rank)
        flow.comm.reduce(x, group[1], ranks=group)
        assert (x.numpy() == (total if k else value(rank))).all()
        x = tensor(rank)
        flow.comm.broadcast(x, group[1], ranks=group)
        assert (x.numpy() == value(group[1])).all()
        outs, stacked = [flow.zeros(2, 3), flow.zeros(2, 3)], flow.zeros(4, 3)
        flow.comm.all_gather(outs, tensor(rank), ranks=group)
        flow.comm.all_gather_into_tensor(stacked, tensor(rank), ranks=group)
        rows = numpy.concatenate([value(r) for r in group])
        assert (flow.cat(outs).numpy() == rows).all() and (stacked.numpy() == rows).all()
        gathered = flow.comm.gather(tensor(rank), dst=group[0], ranks=group)
        assert len(gathered) == 2 and (k or (flow.cat(gathered).numpy() == rows).all())
        x = flow.zeros(2, 3)
        flow.comm.scatter(x, [tensor(7), tensor(8)] if k == 0 else None, group[0], ranks=group)
        assert (x.numpy() == value(7 + k)).all()
        inputs = [tensor(rank, 1.0), tensor(rank, 2.0)]
        flow.comm.reduce_scatter(x, inputs, ranks=group)
        assert (x.numpy() == total * (k + 1)).all()
        flow.comm.reduce_scatter_tensor(x, flow.stack(inputs), ranks=group)
        assert (x.numpy() == total * (k + 1)).all()
        flow.comm.all_to_all(outs, inputs, ranks=group)
        assert all((out.numpy() == value(r, k + 1.0)).all() for out, r in zip(outs, group))
        flow.comm.barrier(ranks=group)

    on_ranks(4, f)


def test_groups_of_different_lengths_and_what_is_outside() -> None:
    """Ranks 0, 1 and 4 sum, rank 2 is alone, rank 3 calls nothing."""

    def f(rank: int) -> float:
        x = flow.tensor([2.0**rank])
        if rank != 3:
            flow.comm.all_reduce(x, ranks=[2] if rank == 2 else [4, 0, 1])
        return float(x.item())

    assert on_ranks(5, f) == [19, 19, 4, 8, 19]


def test_what_names_a_group() -> None:
    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        ways = [halves(rank), list(reversed(halves(rank))), new_group(halves(rank)), mesh["dp"], mesh.get_group(0)]
        ways += [flow.placement("cpu", halves(rank)), range(rank % 2, 4, 2)]
        for ranks in ways:
            x = flow.tensor([float(rank)])
            flow.comm.all_reduce(x, ranks=ranks)
            assert x.item() == sum(halves(rank))

    on_ranks(4, f)


def test_sums_of_a_group_run_in_the_order_of_its_ranks() -> None:
    """2048 + 1 + 1 in float16 would be 2048; and (1e8 + 1) - 1e8 is 0 in float32."""

    def f(rank: int) -> Any:
        half = flow.tensor([2048.0 if rank == 1 else 1.0], dtype=flow.float16)
        single = flow.tensor([(0.0, 1e8, 1.0, -1e8)[rank]])
        if rank:
            flow.comm.all_reduce(half, ranks=(3, 1, 2))
            flow.comm.all_reduce(single, ranks=(3, 1, 2))
        return half.tolist(), single.tolist()

    expected = [float((numpy.float32(1e8) + numpy.float32(1)) + numpy.float32(-1e8))]
    assert on_ranks(4, f)[1:] == [([2050.0], expected)] * 3


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_rows_of_different_numbers_to_each_rank(dtype: str) -> None:
    """Rank i sends (i + 2j) % 4 rows to j: some none at all."""
    world = 3
    counts = numpy.array([[(i + 2 * j) % 4 for j in range(world)] for i in range(world)])
    data = [numpy.random.default_rng(i).integers(0, 2, (counts[i].sum(), 2)) for i in range(world)]

    def f(rank: int) -> Any:
        x = flow.tensor(data[rank], dtype=getattr(flow, dtype))
        out = flow.zeros(int(counts[:, rank].sum()), 2, dtype=x.dtype)
        sizes = counts[:, rank].tolist(), counts[rank].tolist()
        assert flow.comm.all_to_all_single(out, x, *sizes) is out
        outs = [flow.zeros(n, 2, dtype=x.dtype) for n in sizes[0]]
        flow.comm.all_to_all(outs, list(x.split(sizes[1])))
        assert (flow.cat(outs) == out).all()
        return out.numpy().copy()

    cuts = [numpy.split(data[i], counts[i].cumsum()[:-1]) for i in range(world)]
    for rank, got in enumerate(on_ranks(world, f)):
        assert (got == numpy.concatenate([cuts[i][rank] for i in range(world)])).all()


def test_backward_of_uneven_exchanges_is_the_adjoint() -> None:
    def single(rank: int, x: Any) -> Any:
        n, rows = x.shape[0], x.flatten(0, 1)  # (2n, 3): one row to each rank, the others to the last one
        sent = [1] * (n - 1) + [n + 1]
        return [flow.comm.all_to_all_single(flow.zeros(sent[rank] * n, 3), rows, [sent[rank]] * n, sent)]

    def lists(rank: int, x: Any) -> Any:
        n = x.shape[0]
        given = [x[k, :1] if k % 2 else x[k] for k in range(n)]
        return flow.comm.all_to_all([flow.zeros(1 if rank % 2 else 2, 3) for _ in range(n)], given)

    for world in (2, 3):
        adjoint(world, single)
        adjoint(world, lists)


def test_backward_in_a_group() -> None:
    def f(rank: int) -> Any:
        x = flow.tensor([1.0], requires_grad=True)
        y = flow.comm.all_reduce(x * 1, ranks=halves(rank))
        (y * (rank + 1)).sum().backward()
        return x.grad.item()

    assert on_ranks(4, f) == [4, 6, 4, 6]


def test_wrong_ranks() -> None:
    comm, x = flow.comm, flow.ones(2)

    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        wrong: list[tuple[Any, Any, str]] = [
            ((0, 1, 1), InvalidArgumentError, r"all_reduce\(\): a rank occurs twice in \[0, 1, 1\]"),
            ((0, 4), InvalidArgumentError, r"all_reduce\(\): rank 4 is not among the 4 ranks of the world"),
            ((-1, 0), InvalidArgumentError, r"rank -1 is not among the 4 ranks"),
            ((), InvalidArgumentError, r"expected at least one rank in 'ranks'"),
            ([(rank + 1) % 4], InvalidArgumentError, rf"rank {rank} calls it for ranks \[{(rank + 1) % 4}\], and is none of them"),
            (new_group([(rank + 1) % 4]), InvalidArgumentError, "and is none of them"),
            (mesh, InvalidArgumentError, r"a mesh with one dimension in 'ranks', got one of shape \(2, 2\); help: mesh\["),
            ([0, 1.0], ArgumentTypeError, r"argument 'ranks' must be ints, a group or a mesh, not \['int', 'float'\]"),
            ("01", ArgumentTypeError, "argument 'ranks' must be ints, a group or a mesh, not str"),
            (2, ArgumentTypeError, "must be ints, a group or a mesh, not int"),
            ([True], ArgumentTypeError, "not \\['bool'\\]"),
        ]
        for ranks, error, text in wrong:
            with pytest.raises(error, match=text):
                comm.all_reduce(x.clone(), ranks=ranks)
        pair = halves(rank)
        with pytest.raises(InvalidArgumentError, match=rf"broadcast\(\): src={1 - rank % 2} is not among the ranks \[.*\] that take part"):
            comm.broadcast(x.clone(), 1 - rank % 2, ranks=pair)
        with pytest.raises(InvalidArgumentError, match=r"expected 2 tensors in 'tensor_list', one for each rank, got 4"):
            comm.all_gather([flow.zeros(2) for _ in range(4)], x, ranks=pair)
        with pytest.raises(InvalidArgumentError, match=r"all_to_all_single\(\): 3 rows of the input are no equal shares of 2 ranks"):
            comm.all_to_all_single(flow.zeros(4), flow.zeros(3), ranks=pair)
        with pytest.raises(InvalidArgumentError, match=r"output_split_sizes \[1, 1\] do not divide 4 rows over 2 ranks"):
            comm.all_to_all_single(flow.zeros(4), flow.zeros(4), [1, 1], ranks=pair)
        me = pair.index(rank)
        with pytest.raises(InvalidArgumentError, match=rf"rank {rank} sends {3 - 2 * me} elements to itself, but expects {1 + 2 * me} of itself"):
            comm.all_to_all_single(flow.zeros(4), flow.zeros(4), [1, 3], [3, 1], ranks=pair)
        with pytest.raises(InvalidArgumentError, match=rf"all_to_all\(\): rank {rank} sends 2 elements to itself, but expects 3"):
            comm.all_to_all([flow.zeros(3)] * 2, [x, x], ranks=pair)
        with pytest.raises(InvalidArgumentError, match="tensors with rows"):
            comm.all_to_all_single(flow.zeros(()), flow.zeros(()), ranks=pair)
        with pytest.raises(InvalidArgumentError, match=r"new_group\(\): a rank occurs twice"):
            new_group([1, 1])

    on_ranks(4, f)


def test_exchanges_that_do_not_fit() -> None:
    """Rank 0 sends two rows, rank 1 expects one; then dtypes of one size."""
    with pytest.raises(RankError, match=r"rank 1 expects 4 bytes of rank 0, which sends 8"):
        on_ranks(2, lambda r: flow.comm.all_to_all_single(flow.zeros(2), flow.zeros(3 - r), [1, 1], [1, 2 - r]))
    dtypes = flow.int32, flow.float32
    with pytest.raises(RankError, match="rows of int32"):
        on_ranks(2, lambda r: flow.comm.all_to_all_single(*[flow.zeros(2, dtype=dtypes[r])] * 2))


def test_tags_are_compared() -> None:
    def f(rank: int, tag: int) -> Any:
        if rank == 0:
            return flow.comm.send(flow.ones(2), 1, send_meta=False, tag=tag)
        return flow.comm.recv(0, (2,), flow.float32, "cpu", tag=3).tolist()

    assert on_ranks(2, lambda rank: f(rank, 3))[1] == [1, 1]
    with pytest.raises(RankError, match="send with tag 3"):
        on_ranks(2, lambda rank: f(rank, 4))


# ------------------------------------------------------------------------------------------------------------ meshes


def test_lines_of_a_mesh() -> None:
    grid = numpy.arange(8).reshape(2, 2, 2)

    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=NAMES)
        pp, dp, tp = mesh.get_coordinate() or ()
        assert grid[pp, dp, tp] == rank == mesh.get_rank()
        assert (mesh.shape, mesh.ndim, mesh.size(), mesh.size(1), mesh.mesh_dim_names) == ((2, 2, 2), 3, 8, 2, NAMES)
        assert (mesh.mesh.numpy() == grid).all() and mesh.mesh.dtype is flow.int32
        for name, k, line in (("pp", 0, grid[:, dp, tp]), ("dp", 1, grid[pp, :, tp]), ("tp", 2, grid[pp, dp])):
            part = mesh[name]
            assert part.mesh.tolist() == line.tolist() == list(mesh.get_group(name).ranks) == list(part.get_group().ranks)
            assert (part.shape, part.ndim, part.mesh_dim_names) == ((2,), 1, (name,))
            assert part.get_coordinate() == ((pp, dp, tp)[k],) and part.get_local_rank() == mesh.get_local_rank(k)
            assert mesh.get_local_rank(name) == (pp, dp, tp)[k] == mesh.get_group(k).rank()
            assert mesh.get_group(name) is part.get_group(0) is mesh.get_all_groups()[k]
        assert mesh["pp", "tp"].mesh.tolist() == grid[:, dp].tolist()
        assert mesh["tp", "pp"].mesh.tolist() == grid[:, dp].T.tolist() and mesh["tp", "pp"].get_coordinate() == (tp, pp)
        assert mesh["pp", "tp"]["tp"] == mesh["tp"] and mesh[NAMES] is mesh
        assert mesh["tp", "pp", "dp"].mesh.tolist() == grid.transpose(2, 0, 1).tolist()
        assert mesh["dp", "tp"] != mesh["tp", "dp"] and len({mesh["dp"], mesh["dp"], mesh["tp"]}) == 2

    on_ranks(8, f)


def test_flattened_dimensions() -> None:
    grid = numpy.arange(8).reshape(2, 2, 2)

    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=NAMES)
        pp, dp, tp = mesh.get_coordinate() or ()
        flat = mesh["pp", "dp"]._flatten()
        assert flat.mesh_dim_names == ("pp_dp",) and flat.mesh.tolist() == grid[:, :, tp].reshape(-1).tolist()
        assert flat.get_coordinate() == (2 * pp + dp,) and flat.get_local_rank() == 2 * pp + dp
        assert mesh["pp_dp"] == flat and mesh.get_group("pp_dp") is flat.get_group()
        assert mesh["pp_dp", "tp"].mesh.tolist() == grid.reshape(4, 2).tolist()
        assert mesh["pp"]._flatten() == mesh["pp"] and mesh._flatten("all").size() == 8
        x = flow.tensor([float(rank)])
        flow.comm.all_reduce(x, ranks=flat)
        assert x.item() == grid[:, :, tp].sum()
        with pytest.raises(ValueError, match="pp_dp already exists for submesh"):
            mesh["dp", "tp"]._flatten("pp_dp")
        with pytest.raises(InvalidArgumentError, match=r"Slicing overlapping dim_names \('pp_dp', 'dp'\) is not allowed"):
            mesh["pp_dp", "dp"]
        with pytest.raises(KeyError, match="pp_dp"):
            mesh["dp", "tp"]["pp_dp"]

    on_ranks(8, f)


def test_a_mesh_of_ranks_in_another_order() -> None:
    """Its group is in ascending order, as torch's; the coordinate is that of the mesh."""

    def f(rank: int) -> Any:
        mesh = DeviceMesh("cpu", [[3, 1], [0, 2]], mesh_dim_names=("a", "b"))
        x = (flow.ones(1) * rank).to_global(mesh["b"], S0)
        return mesh.get_coordinate(), mesh["b"].mesh.tolist(), mesh["b"].get_local_rank(), x.numpy().tolist()

    assert on_ranks(4, f) == [
        ((1, 0), [0, 2], 0, [0, 2]), ((0, 1), [3, 1], 0, [3, 1]), ((1, 1), [0, 2], 1, [0, 2]), ((0, 0), [3, 1], 1, [3, 1])
    ]  # fmt: skip


def test_a_mesh_is_taken_for_a_placement() -> None:
    """Tensors over this rank's line: who is outside of it has another tensor, and is not asked."""

    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        dp, tp = mesh.get_coordinate() or ()
        line = halves(rank)
        x = flow.tensor([[1.0 + rank, 2.0]], requires_grad=True)
        y = x.to_global(mesh["dp"], S0)
        assert y.shape == (2, 2) and y.placement.order == line
        z = y.to_global(sbp=B)
        assert z.numpy().tolist() == [[1.0 + line[0], 2], [1.0 + line[1], 2]] == y.full().tolist()
        (z * z).sum().backward()
        assert x.grad.tolist() == [[2.0 + 2 * rank, 4]]
        summed = flow.ones(3).to_global(placement=mesh, sbp=(P, S0))
        assert summed.shape == (6,) and summed.numpy().tolist() == [2.0] * 6
        assert flow.zeros(4, placement=mesh["tp"], sbp=S0).to_local().shape == (2,)
        assert flow.tensor([5.0, 6.0 + dp], placement=mesh["tp"], sbp=S0).to_local().item() == (5.0, 6.0 + dp)[tp]
        drawn = flow.rand(4, placement=mesh["tp"], sbp=S0).numpy()
        assert (flow.comm.all_reduce(flow.tensor(drawn)).numpy() == 4 * drawn).all(), "each line draws the same"
        layer = flow.nn.Linear(2, 2).to_global(mesh["dp"], B)
        assert layer.weight.placement.order == line and layer(y).sbp == (S0,)
        with flow.utils.global_view.global_mode(True, placement=mesh["dp"], sbp=B):
            assert flow.ones(2).placement.order == line

    on_ranks(4, f)


def test_lines_need_not_do_the_same() -> None:
    """The ranks of one line make tensors that those of the other one know nothing of."""

    def f(rank: int) -> Any:
        line = init_device_mesh("cpu", (2, 2), mesh_dim_names=("pp", "dp"))["dp"]
        found = []
        for _ in range(1 if rank < 2 else 3):
            x = (flow.ones(1) * rank).to_global(line, P).to_global(sbp=B)
            found.append(x.item() + flow.nn.functional.dropout(x, 0.0).item())
            flow.rand(2, placement=line, sbp=B)
        return found

    assert on_ranks(4, f) == [[2], [2], [10] * 3, [10] * 3]


def test_sizes_by_data_on_a_line() -> None:
    def f(rank: int) -> Any:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        x = flow.tensor([0.0, 1.0, 2.0 * (rank // 2), 0.0]).to_global(placement=mesh["tp"], sbp=S0)  # of the line
        return x[x > 0].numpy().tolist(), flow.nonzero(x).shape[0]

    x = numpy.array([0.0, 1.0, 0.0, 0.0])
    lines = [numpy.concatenate([x, x]), numpy.tile([0.0, 1.0, 2.0, 0.0], 2)]
    assert on_ranks(4, f) == [(line[line > 0].tolist(), int((line > 0).sum())) for line in lines for _ in range(2)]


def test_from_a_line_to_others_is_refused() -> None:
    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        x = flow.ones(2).to_global(mesh["dp"], B)
        with pytest.raises(PlacementError, match=r"for tensors of ranks \[0, 1, 2, 3\]; help: x.to_local\(\).to_global\(...\)"):
            x.to_global(mesh, (B, B))
        with pytest.raises(PlacementError, match="know the tensor over"):
            x.to_global(mesh["tp"], B)
        with pytest.raises(InvalidArgumentError, match="known to all ranks"):
            flow.comm.distribute_split(x)
        with pytest.raises(ArgumentTypeError, match="argument 'placement' must be placement, not str"):
            flow.tensor([1.0], placement="cpu", sbp=B)

    on_ranks(4, f)


def test_ranks_outside_of_a_mesh() -> None:
    def f(rank: int) -> Any:
        mesh = init_device_mesh("cpu", (2, 1), mesh_dim_names=("dp", "tp"))
        if rank == 2:
            assert mesh.get_coordinate() is None is mesh["dp"].get_coordinate()
            assert mesh.mesh.tolist() == [[0], [1]] and mesh["dp"].shape == (2,)
            for part in (lambda: mesh["dp"].mesh, lambda: mesh.get_group("dp"), lambda: flow.ones(2, placement=mesh["dp"], sbp=B)):
                with pytest.raises(InvalidArgumentError, match=r"rank 2 is outside of the mesh of ranks \[\[0\], \[1\]\]"):
                    part()
            absent = flow.ones(2, placement=mesh, sbp=(B, B))
            calls = [absent.numpy, absent.full, absent.sum().item, lambda: print(flow.ones(2).to_global(mesh, (B, B), check_meta=False))]
            for call in (*calls, lambda: flow.ones(2).to_global(DeviceMesh("cpu", [0]), B)):
                with pytest.raises(PlacementError, match="rank 2 is outside of tritonflow.placement.*, whose ranks alone have its tensors"):
                    call()
            return None
        assert flow.ones(2, placement=mesh, sbp=(B, B)).sum().numpy() == 2
        return flow.ones(2, placement=mesh, sbp=(P, B)).numpy().tolist()

    assert on_ranks(3, f) == [[1, 1], [1, 1], None]


def test_wrong_meshes() -> None:
    def f(rank: int) -> None:
        with pytest.raises(InvalidArgumentError, match=r"a mesh of shape \(2, 2\) has 4 ranks, but the world has 2"):
            init_device_mesh("cpu", (2, 2))
        with pytest.raises(InvalidArgumentError, match="Each mesh_dim_name must be unique"):
            init_device_mesh("cpu", (2, 1), mesh_dim_names=("a", "a"))
        with pytest.raises(InvalidArgumentError, match="Found 1 names for 2 dimensions"):
            init_device_mesh("cpu", (2, 1), mesh_dim_names=("a",))
        with pytest.raises(InvalidArgumentError, match="a rank occurs twice"):
            DeviceMesh("cpu", [0, 0])
        with pytest.raises(InvalidArgumentError, match="rows have different lengths"):
            DeviceMesh("cpu", [[0], [0, 1]])
        with pytest.raises(InvalidArgumentError, match="got 'cpu:0'"):
            init_device_mesh("cpu:0", (2,))
        bare, mesh = init_device_mesh("cpu", (2, 1)), init_device_mesh("cpu", (2, 1), mesh_dim_names=("a", "b"))
        with pytest.raises(InvalidArgumentError, match="Cannot slice a DeviceMesh without mesh_dim_names"):
            bare["a"]
        with pytest.raises(InvalidArgumentError, match="Cannot flatten"):
            bare._flatten()
        with pytest.raises(InvalidArgumentError, match="the mesh has 2 dimensions; help: give 'mesh_dim'"):
            bare.get_group()
        with pytest.raises(KeyError, match=r"Invalid mesh_dim_names \('c',\) specified. Valid mesh_dim_names are \['a', 'b'\]"):
            mesh["c"]

    on_ranks(2, f)


def test_meshes_of_groups() -> None:
    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("a", "b"))
        again = DeviceMesh.from_group([mesh.get_group(0), mesh.get_group(1)], "cpu", mesh.mesh, mesh_dim_names=("a", "b"))
        assert again == mesh and DeviceMesh.from_group(mesh.get_group(0), "cpu").mesh.tolist() == list(halves(rank))
        with pytest.raises(ValueError, match="Invalid mesh"):
            DeviceMesh.from_group([mesh.get_group(1), mesh.get_group(0)], "cpu", mesh.mesh)
        with pytest.raises(ValueError, match="Must pass mesh"):
            DeviceMesh.from_group([mesh.get_group(1)], "cpu")

    on_ranks(4, f)


def test_meshes_and_groups_as_text_and_as_copies() -> None:
    def f(rank: int) -> None:
        mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        assert repr(mesh) == "DeviceMesh((dp=2, tp=2), 'cpu')" and repr(mesh["tp"]) == "DeviceMesh((tp=2), 'cpu')"
        assert repr(init_device_mesh("cpu", (2, 2))) == "DeviceMesh((2, 2), 'cpu')"
        group = new_group(halves(rank))
        assert repr(group) == f"ProcessGroup({list(halves(rank))})" and group.group_name == f"ranks {rank % 2},{rank % 2 + 2}"
        assert (group.size(), group.rank(), ProcessGroup().size(), new_group([1 - rank % 2]).rank()) == (2, rank // 2, 4, -1)
        x = flow.ones(2, placement=mesh["dp"], sbp=S0)
        assert x.placement.members_only and repr(x.placement).endswith(f"ranks={list(halves(rank))}, members_only=True)")
        again = pickle.loads(pickle.dumps(x))
        assert again.placement is x.placement is copy.deepcopy(x).placement is pickle.loads(pickle.dumps(x.placement))
        assert flow.placement("cpu", [0, 1, 2, 3], members_only=True) is flow.placement("cpu", range(4))

    on_ranks(4, f)
