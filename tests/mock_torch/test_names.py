"""The modules and names of torch, as foreign programs find them."""

from __future__ import annotations

import abc
import importlib
import pkgutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch as real

import tritonflow as flow
from tritonflow import mock_torch
from tritonflow.errors import MissingNameError
from tritonflow.mock_torch import names, torch_modules
from tritonflow.mock_torch.torch_modules import torch_module

MODULES = """
    _C __config__ __future__ _dynamo _dynamo.config _inductor _inductor.config _jit_internal _utils accelerator amp ao ao.quantization
    autograd autograd.function autograd.functional autograd.graph autograd.profiler backends backends.cpu backends.cuda backends.cudnn
    backends.mkl backends.mkldnn backends.mps backends.openmp backends.opt_einsum backends.quantized compiler cpu cpu.amp cuda cuda.amp
    cuda.amp.grad_scaler distributed distributed.algorithms distributed.checkpoint distributed.device_mesh distributed.distributed_c10d
    distributed.fsdp distributed.nn distributed.optim distributed.rpc distributed.tensor distributions distributions.normal export fft
    func functional futures fx fx.experimental fx.proxy hub jit library linalg masked monitor mps multiprocessing nested nn
    nn.attention nn.attention.flex_attention nn.common_types nn.functional nn.init nn.modules nn.modules.activation
    nn.modules.batchnorm nn.modules.conv nn.modules.module nn.modules.transformer nn.modules.utils nn.parallel nn.parameter
    nn.utils nn.utils.parametrizations nn.utils.parametrize nn.utils.rnn nn.utils.stateless onnx ops optim optim.adamw
    optim.lr_scheduler optim.optimizer optim.swa_utils overrides package profiler quantization random return_types serialization
    signal sparse special storage testing torch_version types utils utils._python_dispatch utils._pytree utils.benchmark
    utils.checkpoint utils.collect_env utils.cpp_extension utils.data utils.data.dataloader utils.data.distributed utils.dlpack
    utils.hooks utils.mobile_optimizer utils.model_zoo utils.tensorboard version xpu
""".split()


@pytest.fixture
def torch() -> object:
    with mock_torch.enable():
        import torch
    return torch


def test_modules_exist() -> None:
    for name in MODULES:
        module = torch_module(f"torch.{name}")
        assert module.__name__ == f"torch.{name}" and repr(module).startswith("<module 'torch.")
        dir(module)


def test_dir_has_all_names_of_torch(torch: object) -> None:
    """Libraries such as array_api_compat take from `dir(torch)` what is not in `__all__`."""
    assert {"from_dlpack", "broadcast_shapes", "unique", "set_grad_enabled", "nn", "add"} <= set(dir(torch))
    assert torch.from_dlpack is flow.from_dlpack  # type: ignore[attr-defined]
    assert torch.fft.torch is torch  # type: ignore[attr-defined]
    for name in dir(torch):
        getattr(torch, name)


def test_every_file_of_names_is_a_module_of_torch() -> None:
    """A file with a wrong name would never be looked at. Some are objects of torch, and no modules."""
    prefix = f"{names.__name__}."
    found = [info.name.removeprefix(prefix) for info in pkgutil.walk_packages(names.__path__, prefix)]
    assert len(found) > 40
    for name in found:
        importlib.import_module(f"{names.__name__}.{name}")
        assert torch_modules.torch_names.has_module(f"torch.{name}"), name


def test_private_modules_have_the_public_classes(torch: object) -> None:
    assert torch_module("torch.nn.modules.pooling").MaxPool2d is flow.nn.MaxPool2d
    assert torch_module("torch.optim.adamw").AdamW is flow.optim.AdamW
    assert torch_module("torch.utils.data.sampler").Sampler is flow.utils.data.Sampler
    assert torch_module("torch._tensor").Tensor is flow.Tensor
    assert torch_module("torch.autograd.grad_mode").no_grad is flow.no_grad
    assert torch_module("torch.functional").split is flow.split
    assert torch_module("torch.nn.modules.utils")._pair(3) == (3, 3)


def test_a_name_that_means_something_else_elsewhere_is_not_taken(torch: object) -> None:
    """`torch.linalg.svd` is not `torch.svd`: no module has the names of those around it."""
    assert torch_modules.torch_names.public_aliases("torch.linalg", "norm") == []
    assert torch.vmap is flow.func.vmap
    assert not hasattr(torch, "placement_of_nothing") and not hasattr(torch.nn, "relu")


def test_missing_names_raise_when_they_are_used(torch) -> None:  # type: ignore[no-untyped-def]
    linear = torch.ao.nn.quantized.Linear
    with pytest.raises(
        MissingNameError, match=r"torch.ao.nn.quantized.modules.linear.Linear|torch.ao.nn.quantized.Linear"
    ) as error:
        linear(2, 3)
    assert "test_names.py" in str(error.value) and "--report" in str(error.value)
    assert isinstance(error.value, NotImplementedError)
    assert not isinstance(3, linear)

    class Mine(linear):
        """A subclass can be defined."""

    class Both(torch.ao.nn.quantized.Conv2d, abc.ABC):
        """So can one with an abstract base."""

    for kind in (Mine, Both):
        with pytest.raises(MissingNameError):
            kind()

    def annotated(x: linear | None, y: linear[int]) -> None: ...

    assert {linear: 1}[linear] == 1
    with pytest.raises(MissingNameError):
        bool(torch.ao.quantization.default_qconfig)
    with pytest.raises(MissingNameError):
        torch.ops.aten.mm(1, 2)
    with pytest.raises(AttributeError):
        torch.no_such_name
    assert not hasattr(linear, "no_such_method")


def test_options(capsys: pytest.CaptureFixture) -> None:
    for name in ("ao.nn.quantized.GroupNorm",):
        vars(torch_module("torch.ao.nn.quantized")).pop("GroupNorm", None)
        with mock_torch.enable(verbose=True):
            import torch

            torch.ao.nn.quantized.GroupNorm
        assert name.rpartition(".")[2] in capsys.readouterr().err
    with mock_torch.enable(lazy=True):
        import torch

        unknown = torch.name_of_a_fork
    with pytest.raises(MissingNameError, match="torch.name_of_a_fork"):
        unknown()
    del torch.name_of_a_fork


def test_questions_have_answers(torch) -> None:  # type: ignore[no-untyped-def]
    assert not torch.cuda.is_available() or flow.cuda.is_available()
    assert not torch.backends.mps.is_available() and not torch.xpu.is_available()
    assert not torch.jit.is_scripting() and not torch.compiler.is_compiling() and not torch.onnx.is_in_onnx_export()
    assert torch.get_device_module("cpu") is torch.cpu and torch.typename(3) == "int"
    assert torch.overrides.has_torch_function((1,)) is False
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled() and torch.get_deterministic_debug_mode() == 1
    torch.use_deterministic_algorithms(False)
    torch.cuda.manual_seed_all(1)
    assert torch._dynamo.config.cache_size_limit == 8
    torch._inductor.config.triton.unique_kernel_names = True


def test_settings_reach_tritonflow(torch) -> None:  # type: ignore[no-untyped-def]
    before = flow.backends.cudnn.allow_tf32
    try:
        torch.backends.cudnn.allow_tf32 = not before
        assert flow.backends.cudnn.allow_tf32 is not before and torch.backends.cudnn.allow_tf32 is not before
        torch.backends.cuda.matmul.allow_tf32 = True
        assert flow.backends.cuda.matmul.allow_tf32
    finally:
        flow.backends.cudnn.allow_tf32, flow.backends.cuda.matmul.allow_tf32 = before, False
    torch.backends.cudnn.benchmark = True
    assert torch.backends.cudnn.benchmark and not real.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = False


def test_states_of_generators_are_tensors(torch) -> None:  # type: ignore[no-untyped-def]
    torch.manual_seed(2**63 + 5)
    state = torch.get_rng_state()
    assert state.dtype is flow.uint8
    first = flow.rand(3)
    torch.set_rng_state(state.cpu())
    assert (flow.rand(3) == first).all()
    with pytest.raises(TypeError):
        torch.set_rng_state(flow.ones(16))
    with pytest.raises(RuntimeError):
        torch.set_rng_state(flow.zeros(3, dtype=flow.uint8))


def test_one_rank(torch) -> None:  # type: ignore[no-untyped-def]
    dist = torch.distributed
    assert dist.is_available() and not dist.is_initialized()
    with pytest.raises(ValueError, match="has not been initialized"):
        dist.get_rank()
    dist.init_process_group("gloo", rank=0, world_size=1)
    try:
        x = flow.ones(2)
        dist.all_reduce(x, op=dist.ReduceOp.AVG)
        gathered = [flow.zeros(2)]
        dist.all_gather(gathered, x)
        dist.broadcast(x, 0)
        dist.barrier()
        assert (dist.get_rank(), dist.get_world_size(), x.tolist(), gathered[0].tolist()) == (0, 1, [1, 1], [1, 1])
        with pytest.raises(ValueError, match="Rank 1 is out of range"):
            dist.new_group([0, 1])
        with pytest.raises(ValueError, match="twice"):
            dist.init_process_group()
    finally:
        dist.destroy_process_group()


def test_comparisons_have_torchs_tolerances(torch) -> None:  # type: ignore[no-untyped-def]
    torch.testing.assert_close(flow.tensor([1.0]), flow.tensor([1.0 + 1e-6]))
    for theirs, make in ((real, real.tensor), (torch, flow.tensor)):
        with pytest.raises(AssertionError):
            theirs.testing.assert_close(make([1.0]), make([1.0001]))
    torch.testing.assert_close({"a": [flow.ones(2)]}, {"a": [flow.ones(2)]}, rtol=0, atol=0)


def test_processes(write: Callable, tmp_path: object) -> None:
    write(
        mt_processes="""
            import torch
            import torch.multiprocessing as mp

            def work(index, folder):
                value = (torch.ones(2) * index).tolist()
                with open(f"{folder}/{index}.txt", "w") as file:
                    file.write(f"{torch.Tensor.__module__} {value}")
                if index == 5:
                    raise KeyError

            def run(folder, **options):
                mp.spawn(work, args=(folder,), nprocs=2, **options)
                return mp.Queue is not None, mp.get_sharing_strategy()
        """
    )
    with mock_torch.enable():
        import mt_processes
    assert mt_processes.run(str(tmp_path))[0]
    texts = [open(f"{tmp_path}/{index}.txt").read() for index in range(2)]
    assert texts == [f"tritonflow.framework.tensor [{float(k)}, {float(k)}]" for k in range(2)]
    mp = torch_module("torch.multiprocessing")
    with pytest.raises(mp.ProcessRaisedException, match="Process 0"):
        mp.spawn(lambda index: mt_processes.work(5, str(tmp_path)), nprocs=1)


def test_pytree(torch) -> None:  # type: ignore[no-untyped-def]
    tree = torch.utils._pytree
    assert tree.tree_map(lambda x: x + 1, {"a": [1, (2,)]}) == {"a": [2, (3,)]}


def test_questions_for_subclasses_of_tensors(torch) -> None:  # type: ignore[no-untyped-def]
    """safetensors' `save_model` and transformers' `save_pretrained` ask."""
    asked = torch.utils._python_dispatch.is_traceable_wrapper_subclass
    assert not asked(torch.ones(2))


def test_an_op_for_each_tensor_of_a_list(torch) -> None:  # type: ignore[no-untyped-def]
    for name, args in {
        "add": ([3.0, 4.0],), "mul": (2.0,), "addcdiv": ([5.0, 6.0], [2.0, 4.0], 0.5), "maximum": (1.5,), "sqrt": (), "neg": (),
        "lerp": ([5.0, 6.0], 0.25), "pow": ([2.0, 3.0],), "sub": ([1.0, 1.0],), "norm": (),
    }.items():  # fmt: skip
        as_tensors = name not in ("pow",)
        results = []
        for make, module in ((real.tensor, real), (flow.tensor, torch)):
            given = [[make([v]) for v in each] if isinstance(each, list) and as_tensors else each for each in args]
            results.append([float(x) for x in getattr(module, f"_foreach_{name}")([make([1.0]), make([2.0])], *given)])
        assert results[0] == results[1], name
    x = [flow.ones(2), flow.ones(3)]
    assert torch._foreach_add_(x, x, alpha=2) is None and [each.tolist() for each in x] == [[3, 3], [3, 3, 3]]
    torch._foreach_copy_(x, [flow.zeros(2), flow.zeros(3)])
    assert x[1].tolist() == [0, 0, 0]
    with pytest.raises(RuntimeError, match="same number"):
        torch._foreach_add(x, [x[0]])


def test_monkeypatches_stay_with_foreign_programs(torch, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(torch.nn.functional, "relu", None)
    assert torch.nn.functional.relu is None and flow.nn.functional.relu is not None


def test_star(write: Callable) -> None:
    write(mt_star="from torch.optim import *\nfrom torch.utils.data import *\nfound = SGD, RandomSampler\n")
    with mock_torch.enable():
        import mt_star
    assert mt_star.found == (flow.optim.SGD, flow.utils.data.RandomSampler)


def test_types_of_python_as_dtypes() -> None:
    """float is float64, as in torch."""
    for lib in (flow, real):
        for kind, name in ((float, "float64"), (int, "int64"), (bool, "bool"), (complex, "complex128")):
            dtype = getattr(lib, name)
            made = (lib.zeros(1, dtype=kind), lib.tensor([1], dtype=kind), lib.as_tensor([1], dtype=kind), lib.asarray([1], dtype=kind))
            assert [x.dtype for x in made] == [dtype] * 4, (lib, kind)
        assert lib.ones(1).to(float).dtype == lib.float64 == lib.nn.Linear(1, 1).to(float).weight.dtype
        with pytest.raises(TypeError, match="argument 'dtype' must be"):
            lib.tensor(2, dtype=str)


def test_checks() -> None:
    with mock_torch.enable():
        import torch
    for lib in (torch, real):
        lib._check_tensor_all(lib.tensor([True, True]))
        with pytest.raises(ValueError, match="too few"):
            lib._check_tensor_all_with(ValueError, lib.tensor([True, False]), lambda: "too few")
        with pytest.raises(TypeError, match="must have dtype torch.bool|must have dtype tritonflow.bool"):
            lib._check_tensor_all(lib.tensor([1]))
        for check, error in ((lib._check_type, TypeError), (lib._check_index, IndexError), (lib._check_not_implemented, NotImplementedError)):
            check(True)
            with pytest.raises(error):
                check(False)
    assert torch.legacy_contiguous_format is torch.contiguous_format


def test_a_module_that_another_thread_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who came second found a module whose import had just begun, and missed its names for ever."""
    (tmp_path / "slow_module.py").write_text("import time\ntime.sleep(0.3)\nname = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    first = threading.Thread(target=importlib.import_module, args=("slow_module",))
    first.start()
    while "slow_module" not in sys.modules:
        time.sleep(0.001)
    names_then = vars(torch_modules._imported("slow_module")).keys() | set()
    first.join()
    assert "name" in names_then


@pytest.mark.parametrize("dim", [0, 1, -1, -3])
def test_the_gradient_of_a_softmax_from_its_result(dim: int) -> None:
    random = np.random.default_rng(0)
    grad, output = random.random((2, 3, 4)), random.random((2, 3, 4))
    expected = real._softmax_backward_data(real.tensor(grad), real.tensor(output), dim, real.float64)
    actual = names._softmax_backward_data(flow.tensor(grad), flow.tensor(output), dim, flow.float64)
    np.testing.assert_allclose(actual.numpy(), expected.numpy(), rtol=1e-13, atol=1e-15)


def test_the_gradient_of_a_softmax_refuses_what_does_not_fit() -> None:
    y = flow.ones(2, 3)
    with pytest.raises(RuntimeError, match=r"grad_output has size \[2, 1\], output has \[2, 3\]"):
        names._softmax_backward_data(flow.ones(2, 1), y, 0, flow.float32)
    with pytest.raises(IndexError, match="out of range"):
        names._softmax_backward_data(y, y, 2, flow.float32)
    with pytest.raises(RuntimeError, match="the input"):
        names._softmax_backward_data(y, y, 0, flow.float64)
    assert names._softmax_backward_data(y, y, 0, flow.float16).dtype is flow.float16


def test_modes_are_asked_for_functions(torch) -> None:  # type: ignore[no-untyped-def]
    class Skipping(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            if func is torch.nn.functional.scaled_dot_product_attention:
                return args[2]
            return func(*args, **(kwargs or {}))

    x = torch.arange(4.0).reshape(1, 2, 2)
    with Skipping(), torch.overrides.BaseTorchFunctionMode():
        assert len(torch.overrides._get_current_function_mode_stack()) == 2
        assert torch.equal(torch.nn.functional.scaled_dot_product_attention(x + 1, x, x), x)
    assert torch.overrides._get_current_function_mode_stack() == []
    assert not torch.equal(torch.nn.functional.scaled_dot_product_attention(x + 1, x, x), x)


def test_products_of_groups_and_the_op_of_transformers_for_them() -> None:
    """transformers takes its own op where it is compiled, whose backward reads sizes on the host: ours stands for it."""
    with flow.mock_torch.enable():
        import torch

        rows, weights, ends = torch.ones(3, 2), torch.ones(2, 2, 4), torch.tensor([1, 3])
        assert torch._grouped_mm(rows, weights, offs=ends).tolist() == [[2.0] * 4] * 3
        torch.library.custom_op("transformers::grouped_mm_fallback", lambda *_: None, mutates_args=(), schema="(Tensor x) -> Tensor")
        assert torch.ops.transformers.grouped_mm_fallback is flow.nn.functional.grouped_mm
