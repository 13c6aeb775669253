"""Names for programs written for OneFlow."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from importlib import import_module
from typing import Any

import pytest

import tritonflow as flow
from tritonflow import compat
from tritonflow.compat.args_tree import ArgsTree


class Record(dict):
    """A leaf: only dicts themselves are opened."""


Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize("module", ["nn.graph.util", "framework.args_tree"])
def test_where_it_lies(module: str) -> None:
    assert import_module(f"tritonflow.{module}").ArgsTree is ArgsTree


def test_no_class_is_changed() -> None:
    before = {cls: dict(vars(cls)) for cls in (flow.Tensor, flow.nn.Module, flow.nn.Parameter, flow.Size)}
    compat.install()
    for cls, names in before.items():
        assert all(vars(cls)[name] is value for name, value in names.items()) and len(vars(cls)) == len(names)


def test_sizes_of_pieces() -> None:
    splitter = import_module("tritonflow.framework.balanced_splitter")
    assert splitter.BalancedPartNums(5, 3) == [2, 2, 1] and splitter.BalancedRanges(5, 3) == [(0, 2), (2, 4), (4, 5)]


def test_names_of_collectives() -> None:
    def sums() -> list[Any]:
        x = flow.tensor([1.0 + flow.env.get_rank()])
        results = [flow._C.local_all_reduce(x), flow._C.local_reduce(x, dst=1, inplace=False), x.clone()]
        flow._C.local_reduce(x, dst=1)
        results += [x.clone(), *flow._C.comm_broadcast([x], src_rank=1)]
        return [*[float(y) for y in results], float(x)]

    assert flow.testing.simulate(2)(sums)() == [[3, 1, 1, 1, 3, 3], [3, 3, 2, 3, 3, 3]]


def test_names_of_ranks() -> None:
    def names(data: bytes) -> list[Any]:
        env = flow.env
        broadcast = flow._oneflow_internal.cpu_broadcast(data if env.get_rank() == 1 else None, 1)
        sizes = env.get_world_size(), env.get_local_rank(), env.get_node_size()
        return [env.get_rank(), sizes, flow.sysconfig.has_rpc_backend_grpc(), broadcast]

    assert flow.testing.simulate(2)(names)(b"x") == [[0, (2, 0, 1), True, b"x"], [1, (2, 1, 1), True, b"x"]]
    assert not flow.sysconfig.has_rpc_backend_grpc() and flow._oneflow_internal.cpu_broadcast(b"y", 0) == b"y"
    internal = flow._oneflow_internal
    assert internal.flags.with_cuda() is flow.sysconfig.with_cuda() and internal.eager.multi_client.Sync is flow.sync
    assert import_module("tritonflow.support.env_var_util").parse_boolean_from_env("TRITONFLOW_NO_SUCH_VARIABLE", True)
    with flow.asyncs.thread(flow.asyncs.Thread()):
        assert flow.ones(1)[0] == 1


def test_tensors_by_dtype() -> None:
    assert isinstance(flow.LongTensor(2), flow.LongTensor) and not isinstance(flow.LongTensor(2), flow.FloatTensor)
    assert flow.LongTensor().shape == (0,) and flow.LongTensor([1, 2.0]).tolist() == [1, 2]
    assert flow.BoolTensor([0, 2]).tolist() == [False, True] and flow.DoubleTensor(2, 3).dtype is flow.float64


def test_to_the_class_of_tensors() -> None:
    """In OneFlow a graph's view of a parameter gives the tensor behind it so; here that is the parameter itself."""
    x = flow.ones(2)
    assert x.to(flow.Tensor) is x and x.to(flow.float64).dtype is flow.float64


def arguments() -> tuple[Any, Any]:
    x, y = flow.ones(2), flow.zeros(2)
    return (None, 1, "text", x, [y, (x,)], OrderedDict(t=y, record=Record(a=1), pair=Pair(1, 2))), {"kw": x}


def test_leaves_are_mapped_where_they_stand() -> None:
    given = arguments()
    seen: list[Any] = []
    kept = ArgsTree(given).map_leaf(lambda leaf: seen.append(leaf) or leaf)
    assert repr(kept) == repr(given) and type(kept[0][5]) is OrderedDict
    assert kept[0][3] is given[0][3] and kept[0][5]["record"] is given[0][5]["record"]
    assert [type(leaf).__name__ for leaf in seen] == "NoneType int str Tensor Tensor Tensor Tensor Record Pair Tensor".split()


def test_named_nodes() -> None:
    given = arguments()
    tree = ArgsTree(given, True, "Graph_0", None)
    nodes = dict(tree.iter_named_nodes())
    assert list(nodes)[:3] == ["Graph_0_0", "Graph_0.0_1", "Graph_0.0.0_2"]
    assert nodes["Graph_0.1.0_kw"].value() is given[1]["kw"] and nodes["Graph_0.1.0_kw"].is_leaf()
    assert [node.global_index() for node in tree.iter_nodes()] == list(range(len(nodes)))
    assert repr(nodes["Graph_0.0.2_4"]) == "(name: 4, idx: 4, type: str, value: 'text')"
    assert repr(nodes["Graph_0_0"]) == "(name: 0, idx: 0, type: tuple)"
    texts = tree.map_leaf(lambda leaf: "text" if isinstance(leaf.value(), str) else 0)
    assert texts == ((0, 0, "text", 0, [0, (0,)], {"t": 0, "record": 0, "pair": 0}), {"kw": 0})
    with pytest.raises(AssertionError, match="gen_name"):
        ArgsTree(given).iter_named_nodes()
