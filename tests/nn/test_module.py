"""nn.Module behaves as torch's: every scenario here runs with both, and results and error texts are compared."""

from __future__ import annotations

import copy
import pickle

import numpy
import pytest
import torch

import tritonflow as flow
from tests.nn.reference import assert_same


def small(lib):
    """A model with nesting, a buffer of each kind and a shared parameter."""

    class Block(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = lib.nn.Parameter(lib.ones(2, 3))
            self.register_buffer("count", lib.zeros(2))
            self.register_buffer("scratch", lib.zeros(1), persistent=False)
            self.register_parameter("nothing", None)

    class Net(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = Block()
            self.second = Block()
            self.second.weight = self.first.weight
            self.scale = lib.nn.Parameter(lib.ones(1))

        def forward(self, x):
            return x * self.scale

    return Net()


def test_names_of_what_is_inside():
    assert_same(lambda lib: [n for n, _ in small(lib).named_parameters()])
    assert_same(lambda lib: [n for n, _ in small(lib).named_parameters(remove_duplicate=False)])
    assert_same(lambda lib: [n for n, _ in small(lib).named_parameters(prefix="p", recurse=False)])
    assert_same(lambda lib: [n for n, _ in small(lib).named_buffers()])
    assert_same(lambda lib: [n for n, _ in small(lib).named_modules()])
    assert_same(lambda lib: [n for n, _ in small(lib).named_children()])
    assert_same(lambda lib: list(small(lib).state_dict()))
    assert_same(lambda lib: list(small(lib).state_dict(prefix="model.")))
    assert_same(
        lambda lib: [len(list(f())) for m in [small(lib)] for f in (m.parameters, m.buffers, m.modules, m.children)]
    )
    assert_same(lambda lib: dict(small(lib).state_dict()._metadata))


def test_dir_and_attributes():
    assert_same(lambda lib: {"first", "scale", "training"} <= set(dir(small(lib))))
    assert_same(lambda lib: hasattr(small(lib), "nope"))
    assert_same(lambda lib: small(lib).nope)
    assert_same(lambda lib: small(lib).get_submodule("first").training)
    assert_same(lambda lib: small(lib).get_submodule("first.nope"))
    assert_same(lambda lib: small(lib).get_submodule("scale"))
    assert_same(lambda lib: small(lib).get_parameter("first.weight"))
    assert_same(lambda lib: small(lib).get_parameter("first.count"))
    assert_same(lambda lib: small(lib).get_buffer("first.count"))
    assert_same(lambda lib: small(lib).get_buffer("first.weight"))


@pytest.mark.parametrize("name", ["", "a.b", "scale", "forward", 3])
@pytest.mark.parametrize("method", ["register_buffer", "register_parameter", "add_module"])
def test_bad_names(method, name):
    def scenario(lib):
        value = {"register_buffer": lib.ones(1), "register_parameter": lib.nn.Parameter(lib.ones(1))}
        return getattr(small(lib), method)(name, value.get(method, lib.nn.Identity()))

    assert_same(scenario)


def test_bad_values():
    assert_same(lambda lib: small(lib).register_buffer("x", 3))
    assert_same(lambda lib: small(lib).register_parameter("x", 3))
    assert_same(lambda lib: small(lib).register_parameter("x", lib.nn.Parameter(lib.ones(1)) * 2))
    assert_same(lambda lib: small(lib).add_module("x", 3))
    assert_same(lambda lib: setattr(small(lib), "scale", 3))
    assert_same(lambda lib: setattr(small(lib), "first", 3))
    assert_same(lambda lib: setattr(small(lib).first, "count", 3))
    assert_same(lambda lib: small(lib).train(3))
    assert_same(lambda lib: lib.nn.Module()(1))
    assert_same(lambda lib: lib.nn.Module(1))
    assert_same(lambda lib: lib.nn.Module(x=1))


def test_assignment_before_init():
    def scenario(value):
        def run(lib):
            class Bad(lib.nn.Module):
                def __init__(self):
                    self.x = value(lib)

            Bad()

        return run

    assert_same(scenario(lambda lib: lib.nn.Parameter(lib.ones(1))))
    assert_same(scenario(lambda lib: lib.nn.Identity()))


def test_assignment_moves_between_kinds():
    def scenario(lib):
        m = lib.nn.Module()
        m.x = 3
        m.x = lib.nn.Parameter(lib.ones(1))
        seen = ["x" in m.__dict__, list(m._parameters)]
        del m.x
        m.x = lib.nn.Identity()
        seen += [list(m._parameters), list(m._modules)]
        m.x = None
        seen += [m.x, list(m._modules)]
        m.y = lib.nn.Parameter(lib.ones(1))
        m.y = None
        seen += [list(m._parameters), list(m.parameters())]
        m.register_buffer("b", lib.ones(1))
        m.b = lib.zeros(1)
        seen += [m.b]
        return seen

    assert_same(scenario)


def test_train_eval_apply():
    def scenario(lib):
        m = lib.nn.Sequential(lib.nn.Dropout(), lib.nn.Sequential(lib.nn.Identity()))
        visited = []
        m.apply(lambda module: visited.append(type(module).__name__))
        before = [x.training for x in m.modules()]
        return visited, before, [x.training for x in m.eval().modules()], m.requires_grad_(False) is m

    assert_same(scenario)


def test_repr():
    assert_same(lambda lib: print_of(lib.nn.Module()))
    assert_same(lambda lib: print_of(small(lib)))
    assert_same(
        lambda lib: print_of(lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.ModuleList([lib.nn.ReLU(inplace=True)] * 2)))
    )


def print_of(module):
    return repr(module)


# ---------------------------------------------------------------------------------------------- state dicts


def test_state_dict_shares_memory_and_is_detached():
    m = small(flow)
    state = m.state_dict()
    assert not any(t.requires_grad for t in state.values())
    state["scale"].fill_(3)
    assert m.scale.item() == 3
    assert m.state_dict(keep_vars=True)["scale"] is m.scale
    assert m.state_dict() == state and m.state_dict() == dict(state)


def test_load_state_dict_errors():
    def load(change, strict=True):
        def scenario(lib):
            m = small(lib)
            state = m.state_dict()
            change(lib, state)
            return m.load_state_dict(state, strict=strict)

        return scenario

    assert_same(load(lambda lib, s: None))
    assert_same(load(lambda lib, s: s.pop("scale")))
    assert_same(load(lambda lib, s: s.update({"more": lib.ones(1), "first.more": lib.ones(1), "third.x": lib.ones(1)})))
    assert_same(load(lambda lib, s: s.update({"scale": lib.ones(2)})))
    assert_same(load(lambda lib, s: (s.update({"scale": lib.ones(2), "x": lib.ones(1)}), s.pop("first.count"))))
    assert_same(load(lambda lib, s: (s.update({"x": lib.ones(1)}), s.pop("scale")), strict=False))
    assert_same(lambda lib: small(lib).load_state_dict([1]))


def test_failed_load_names_the_value():
    with pytest.raises(RuntimeError, match="While copying the parameter named \"scale\".*received <class 'str'>"):
        m = small(flow)
        m.load_state_dict({**m.state_dict(), "scale": "text"})


def test_load_accepts_numpy_torch_and_other_dtypes(rng):
    m = flow.nn.Linear(3, 2)
    weight = rng.standard_normal((2, 3))
    m.load_state_dict({"weight": weight, "bias": torch.ones(2, dtype=torch.float64)})
    numpy.testing.assert_allclose(m.weight.numpy(), weight.astype(numpy.float32))
    assert m.weight.dtype == flow.float32 and m.bias.tolist() == [1, 1]


def test_load_state_dict_of_torch(rng):
    ours, theirs = flow.nn.BatchNorm2d(3), torch.nn.BatchNorm2d(3)
    theirs.running_mean.copy_(torch.from_numpy(rng.standard_normal(3)))
    assert repr(ours.load_state_dict(theirs.state_dict())) == "<All keys matched successfully>"
    numpy.testing.assert_array_equal(ours.running_mean.numpy(), theirs.running_mean.numpy())


def test_assign_takes_the_tensors_themselves():
    m = flow.nn.Linear(2, 2)
    weight = flow.ones(2, 2, dtype=flow.float64)
    m.load_state_dict({"weight": weight, "bias": flow.zeros(2)}, assign=True)
    assert m.weight.dtype == flow.float64 and m.weight.data_ptr() == weight.data_ptr()
    assert isinstance(m.weight, flow.nn.Parameter) and m.weight.requires_grad


def test_state_dict_hooks():
    def scenario(lib):
        log = []
        m = small(lib)
        m.register_state_dict_pre_hook(lambda module, prefix, keep: log.append(("pre", prefix, keep)))
        m.register_state_dict_post_hook(lambda module, state, prefix, meta: state.pop("scale"))
        m.first.register_load_state_dict_pre_hook(lambda module, state, prefix, *rest: log.append(("load", prefix)))
        m.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
        return log, list(m.state_dict())

    with pytest.raises(RuntimeError):
        m = flow.nn.Identity()
        m.register_state_dict_post_hook(lambda *args: 3)
        m.state_dict()

    def loading(lib):
        log = []
        m = small(lib)
        m.first.register_load_state_dict_pre_hook(lambda module, state, prefix, *rest: log.append(prefix))
        m.register_load_state_dict_post_hook(lambda module, keys: log.append(list(keys.missing_keys)))
        m.load_state_dict({}, strict=False)
        return log

    assert_same(loading)


def test_extra_state():
    def scenario(lib):
        class Counting(lib.nn.Module):
            extra = 1

            def get_extra_state(self):
                return {"n": self.extra}

            def set_extra_state(self, state):
                self.extra = state["n"]

        m, other = Counting(), Counting()
        m.extra = 5
        other.load_state_dict(m.state_dict())
        return list(m.state_dict()), other.extra, repr(other.load_state_dict({}, strict=False))

    assert_same(scenario)


# ---------------------------------------------------------------------------------------------- copies and conversions


def test_deepcopy_and_pickle():
    m = small(flow)
    m.first.count.fill_(7)
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(flow.nn.Sequential(flow.nn.Linear(2, 2))))):
        assert all(isinstance(p, flow.nn.Parameter) and p.requires_grad for p in other.parameters())
    other = copy.deepcopy(m)
    assert other.second.weight is other.first.weight and other.first.weight is not m.first.weight
    other.first.weight.data.fill_(9)
    assert m.first.weight.sum().item() == 6 and other.first.count.tolist() == [7, 7]


def test_parameter():
    p = flow.nn.Parameter(flow.ones(2))
    assert type(p) is flow.nn.Parameter and p.is_leaf and p.requires_grad and isinstance(p, flow.Tensor)
    assert not isinstance(flow.ones(2), flow.nn.Parameter)
    assert type(p + 1) is flow.Tensor and type(p.detach()) is flow.Tensor
    copied = pickle.loads(pickle.dumps(p))
    assert type(copied) is flow.nn.Parameter and copied.requires_grad and copied.tolist() == [1, 1]
    assert repr(p).startswith("Parameter containing:\ntensor([1., 1.]")
    with pytest.raises(TypeError):
        flow.nn.Parameter([1.0])
    with pytest.raises(RuntimeError):
        flow.nn.Parameter(flow.ones(2, dtype=flow.int64))


def test_conversions():
    m = small(flow)
    weight = m.first.weight
    assert m.double() is m and m.first.weight is weight and weight.dtype == flow.float64
    assert m.second.weight is weight and m.first.count.dtype == flow.float64
    weight.sum().backward()
    m.to(flow.float32)
    assert weight.dtype == flow.float32 and weight.grad.dtype == flow.float32 and weight.is_leaf
    assert m.half().scale.dtype == flow.float16 and m.bfloat16().scale.dtype == flow.bfloat16
    assert m.to("cpu", flow.float64).scale.dtype == flow.float64
    assert m.to(flow.ones(1)).scale.dtype == flow.float32
    bn = flow.nn.BatchNorm1d(2).double()
    assert bn.num_batches_tracked.dtype == flow.int64 and bn.running_mean.dtype == flow.float64
    with pytest.raises(TypeError, match="only accepts floating point"):
        m.to(flow.int32)
    with pytest.raises(TypeError):
        m.to(object())
    with pytest.raises(TypeError, match="unexpected keyword argument 'divice'"):
        m.to(divice="cpu")


def test_zero_grad():
    m = flow.nn.Linear(2, 1)
    m(flow.ones(1, 2)).sum().backward()
    m.zero_grad(set_to_none=False)
    assert m.weight.grad.tolist() == [[0, 0]]
    m.zero_grad()
    assert m.weight.grad is None


# ---------------------------------------------------------------------------------------------- hooks


def test_forward_hooks():
    def scenario(lib):
        log = []
        m = small(lib)
        m.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
        handle = m.register_forward_hook(lambda module, args, output: log.append([args[0], output]) or output * 10)
        m.register_forward_hook(lambda module, args, output: log.append("first"), prepend=True)
        m.register_forward_pre_hook(lambda module, args, kwargs: log.append(sorted(kwargs)), with_kwargs=True)
        first = m(lib.ones(2))
        handle.remove()
        handle.remove()
        return log, first, m(lib.ones(2))

    assert_same(scenario)


def test_hooks_that_are_always_called():
    def scenario(lib):
        class Failing(lib.nn.Module):
            def forward(self, x):
                raise ValueError("no")

        log = []
        m = Failing()
        m.register_forward_hook(lambda module, args, output: log.append(output), always_call=True)
        m.register_forward_hook(lambda module, args, output: log.append("never"))
        try:
            m(1)
        except ValueError as e:
            log.append(str(e))
        return log

    assert_same(scenario)


def test_full_backward_hooks():
    def scenario(lib):
        log = []
        m = lib.nn.Linear(2, 2)
        m.load_state_dict({"weight": lib.ones(2, 2), "bias": lib.zeros(2)})
        m.register_full_backward_hook(lambda module, gi, go: log.append(["hook", gi, go]) or (gi[0] * 10,))
        m.register_full_backward_pre_hook(lambda module, go: log.append(["pre", go]) or (go[0] * 2,))
        x = lib.ones(1, 2).requires_grad_()
        m(x).sum().backward()
        return log, x.grad, m.weight.grad

    assert_same(scenario)


def test_full_backward_hooks_of_a_module_that_two_backward_passes_go_through():
    def seen(lib):
        log = []

        class Square(lib.nn.Module):
            def forward(self, x):
                self.inside = x * x
                return self.inside.sum()

        m = Square()
        m.register_full_backward_hook(lambda module, gi, go: log.append([gi[0].tolist(), go[0].tolist()]))
        loss = m(lib.tensor([1.0, 2.0], requires_grad=True))
        (grad,) = lib.autograd.grad(loss, m.inside, retain_graph=True)
        m.inside.backward(grad)
        return log

    assert seen(flow) == seen(torch) == [[[2.0, 4.0], 1.0]]


def test_full_backward_hook_without_input_gradients():
    def scenario(lib):
        log = []
        m = lib.nn.Linear(2, 1)
        m.register_full_backward_hook(lambda module, gi, go: log.append([gi, go]))
        m.register_full_backward_hook(lambda module, gi, go: (None,))
        m(lib.ones(1, 2)).sum().backward()
        return log, m.bias.grad

    assert_same(scenario)


def test_handles_as_context():
    m = flow.nn.Identity()
    with m.register_forward_hook(lambda module, args, output: 5):
        assert m(1) == 5
    assert m(1) == 1


def test_a_dict_without_versions_may_lack_the_counter_of_batches():
    """Such a dict was converted from elsewhere; a state dict, which knows its version, lacks nothing."""

    def run(lib, plain):
        m = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.BatchNorm1d(3))
        m[1].num_batches_tracked.fill_(5)
        state = m.state_dict()
        if plain:
            state = dict(state)
        del state["1.num_batches_tracked"]
        try:
            return repr(m.load_state_dict(state)), m[1].num_batches_tracked
        except RuntimeError as error:
            return str(error)

    for plain in (True, False):
        assert_same(lambda lib, plain=plain: run(lib, plain))
