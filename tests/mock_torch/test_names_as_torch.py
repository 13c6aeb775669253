"""Names that answer as torch's do: torch is asked beside us."""

from __future__ import annotations

import contextlib
import gc
import sys
from pathlib import Path
from typing import Any

import pytest
import torch as real

import tritonflow as flow
from tritonflow import mock_torch
from tritonflow.mock_torch.torch_modules import torch_module


@pytest.fixture
def torch() -> Any:
    with mock_torch.enable():
        import torch
    return torch


def outcome(call: Any) -> Any:
    """What a call returns, or the type and text of its error."""
    try:
        return call()
    except (RuntimeError, TypeError, ValueError) as error:
        return str(error)


QUESTIONS = """
    x.to_dense().tolist() x.dequantize().tolist() x.sparse_dim() x.dense_dim() x.values() x.indices() x.coalesce() x.crow_indices()
    x.ccol_indices() x.col_indices() x.row_indices() x.dim_order() x.T.dim_order() x.is_set_to(x) x.is_set_to(x.clone())
    x.is_set_to(x[:1]) x.is_set_to(x.detach()) x.hardshrink().tolist() x.const_data_ptr()==x.data_ptr() torch.is_conj(x) torch.is_neg(x)
    torch.sym_sum([1,2,3]) torch.sym_ite(True,1,2) torch._sym_sqrt(9) isinstance(3,torch.SymInt)
    torch.cuda.memory_cached() torch.cuda.host_memory_stats() torch.cuda.get_gencode_flags() torch.cuda.default_generators
    torch.distributed.get_default_backend_for_device('cpu') torch.distributed.get_debug_level()==0 torch.distributed.Backend('GLOO')
""".split()


@pytest.mark.parametrize("text", [text for text in QUESTIONS if "cuda" not in text or not real.cuda.is_available()])
def test_questions(torch: Any, text: str) -> None:
    ours = outcome(lambda: eval(text, {"torch": torch, "x": flow.tensor([[0.5, -2.0, 0.25], [1.0, 2.0, 3.0]])}))
    if text.endswith("get_debug_level()==0"):
        assert ours is True
        return
    with contextlib.suppress(Warning):
        theirs = outcome(lambda: eval(text, {"torch": real, "x": real.tensor([[0.5, -2.0, 0.25], [1.0, 2.0, 3.0]])}))
    assert ours == theirs or (isinstance(theirs, str) and theirs.partition("(")[0] in str(ours)), (ours, theirs)


def test_a_summary_of_memory(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if not real.cuda.is_available():
        assert torch.cuda.memory_summary() == ""
    monkeypatch.setattr(flow.cuda, "memory_stats", lambda device: {"allocated_bytes": 3 << 20, "blocks": 1200})
    assert flow.cuda.memory_summary("cuda:0").split() == "Memory of cuda:0 allocated 3.0 MiB blocks 1,200".split()
    assert "blocks" not in flow.cuda.memory_summary("cuda:0", abbreviated=True)


def test_an_assertion_of_a_tensor(torch: Any) -> None:
    for lib, of in ((real, real), (torch, flow)):
        lib._assert_async(of.tensor(True))
        with pytest.raises(RuntimeError, match="Expected Tensor with single nonzero value, but got zero"):
            lib._assert_async(of.tensor(0.0))
        with pytest.raises(RuntimeError, match="a reason"):
            lib._assert_async(of.tensor(False), "a reason")


def test_a_branch_is_chosen(torch: Any) -> None:
    x = flow.ones(2, requires_grad=True)
    torch.cond(x.sum() > 0, lambda x: x * 3, lambda x: x * 5, (x,)).sum().backward()
    assert x.grad.tolist() == [3, 3]
    for arguments in ((flow.ones(2), len, len), (True, 3, 4)):
        with pytest.raises(RuntimeError, match="xpect"):
            torch.cond(*arguments)


def test_other_layouts_are_refused() -> None:
    for name in ("to_sparse_bsr", "to_sparse_bsc", "to_mkldnn", "to_padded_tensor"):
        with pytest.raises(NotImplementedError, match=f"{name}\\(\\): there is no such layout here"):
            getattr(flow.ones(2), name)()
    assert flow.ones(2).to_dense(flow.int64).dtype is flow.int64


def test_make_subclass() -> None:
    class Named(flow.Tensor):
        pass

    data = flow.ones(2, requires_grad=True) * 2
    made = flow.Tensor._make_subclass(Named, data, True)
    assert type(made) is Named and made.requires_grad and made.is_leaf and made.data_ptr() == data.data_ptr()


@pytest.mark.parametrize("name", ["bool", "uint8", "int16", "int64", "float16", "bfloat16", "float32", "float64", "complex64"])
def test_random_tensors_for_tests(torch: Any, name: str) -> None:
    dtype, theirs = getattr(flow, name), getattr(real, name)
    x = torch.testing.make_tensor((20, 50), dtype=dtype, device="cpu")
    y = real.testing.make_tensor((20, 50), dtype=theirs, device="cpu")
    assert x.shape == y.shape and x.dtype is dtype
    x, y = (each.to(m.int64 if name == "bool" else each.dtype) for each, m in ((x, flow), (y, real)))
    if name.startswith("complex"):
        x, y = flow.view_as_real(x), real.view_as_real(y)
    assert -9 <= x.min().item() <= y.min().item() + 1 and y.max().item() - 1 <= x.max().item() <= 9
    x = torch.testing.make_tensor(3, 4, dtype=dtype, device="cpu", noncontiguous=True, exclude_zero=True)
    assert x.shape == (3, 4) and not x.is_contiguous() and (x != 0).all()
    assert torch.testing.make_tensor(0, dtype=dtype, device="cpu").shape == (0,)


@pytest.mark.parametrize(
    "options", [{"low": 3, "high": 2}, {"low": float("nan")}, {"low": 300}, {"noncontiguous": True, "memory_format": 1}, {"requires_grad": True}]
)
def test_wrong_random_tensors(torch: Any, options: dict[str, Any]) -> None:
    texts = []
    for module in (torch, real):
        with pytest.raises(ValueError) as error:
            module.testing.make_tensor(2, dtype=module.uint8, device="cpu", **options)
        texts.append(str(error.value).replace("tritonflow.", "torch."))
    assert texts[0] == texts[1]


def test_comparisons_of_complex_numbers(torch: Any) -> None:
    torch.testing.assert_close(flow.tensor([1 + 1j]), flow.tensor([1 + 1.0000005j]))
    with pytest.raises(AssertionError):
        torch.testing.assert_close(flow.tensor([1 + 1j]), flow.tensor([1 + 1.001j]))


def test_timers_time_tritonflow() -> None:
    timer = torch_module("torch.utils.benchmark").Timer("y = torch.ones(2)", num_threads=1)
    before = flow.get_num_threads()
    assert timer.timeit(3).median > 0 and flow.get_num_threads() == before
    namespace = timer._globals
    assert namespace["torch"].ones(1).__class__ is flow.Tensor
    with pytest.raises(NotImplementedError, match="C\\+\\+"):
        torch_module("torch.utils.benchmark").Timer("1;", language="c++")


def test_modules_of_plain_python(torch: Any) -> None:
    with mock_torch.enable():
        from torch.cuda.memory import memory_allocated
        from torch.cuda.random import get_rng_state_all
        from torch.utils._triton import has_triton_package
        from torch.utils.collect_env import get_pretty_env_info
        from torch.utils.weak import TensorWeakRef, WeakIdKeyDictionary
    assert has_triton_package() is True and callable(get_pretty_env_info)
    assert memory_allocated is torch.cuda.memory_allocated and get_rng_state_all is torch.cuda.get_rng_state_all
    x = flow.ones(2)
    table, weak = WeakIdKeyDictionary(), TensorWeakRef(x)
    table[x] = 1
    assert table[x] == 1 and x.clone() not in table and weak() is x
    del x
    gc.collect()
    assert len(table) == 0 and weak() is None


def test_ranges_of_nvtx(torch: Any) -> None:
    nvtx = torch.cuda.nvtx
    assert nvtx.range_push("outer") == 0 and nvtx.range_push("inner") == 1 and nvtx.range_pop() == 1 and nvtx.range_pop() == 0
    with nvtx.range("step {}", 3):
        nvtx.mark("here")
        nvtx.range_end(nvtx.range_start("a"))


def test_causal_masks() -> None:
    from torch.nn.attention import bias

    from tritonflow.nn.attention import bias as ours

    for name in ("causal_upper_left", "causal_lower_right"):
        for size in ((2, 3), (3, 3), (4, 2)):
            assert getattr(ours, name)(*size).tolist() == getattr(bias, name)(*size)._materialize().tolist()
        with pytest.raises(RuntimeError, match="only supports 2D"):
            getattr(ours, name)(2)


def test_named_tuples_and_versions(torch: Any) -> None:
    x = flow.tensor([[1.0, 3.0], [2.0, 0.0]])
    found = torch.max(x, 0)
    assert isinstance(found, torch.return_types.max) and not isinstance(found, torch.return_types.topk)
    assert type(torch.linalg.svd(x)) is torch.return_types.linalg_svd and torch.return_types.sort in torch.return_types.all_return_types
    with mock_torch.enable():
        from torch.torch_version import TorchVersion
    assert isinstance(torch.__version__, TorchVersion) and torch.__version__ >= (2, 0)


def test_what_trainers_ask_for(torch: Any) -> None:
    assert isinstance(torch.distributed.ReduceOp.SUM, torch.distributed.ReduceOp.RedOpType)
    assert not hasattr(torch.utils.data.DataLoader, "state_dict")  # which libraries take for torchdata's
    assert torch.utils.data.dataloader.DataLoader is torch.utils.data.DataLoader
    assert isinstance(flow.utils.data.DataLoader(range(3)), torch.utils.data.DataLoader)
    assert not hasattr(torch.optim.AdamW([flow.nn.Parameter(flow.ones(1))]), "_step_supports_amp_scaling")  # it does not unscale
    parse = torch._C._nn._parse_to
    assert parse("cpu", torch.float64, True) == (flow.device("cpu"), flow.float64, True, None)
    assert parse(flow.ones(1)) == (flow.device("cpu"), flow.float32, False, None)
    assert parse(dtype=torch.float16) == (None, flow.float16, False, None)
    with pytest.raises(TypeError):
        parse([1])


def test_types_of_devices_that_nobody_provides(torch: Any) -> None:
    """They are named and compared as torch's; memory there is an error, which changes nothing."""
    for text in ("mps", "xpu:1", "privateuseone", "hpu", "xla:0"):
        ours, theirs = torch.device(text), real.device(text)
        assert (repr(ours), str(ours), ours.type, ours.index) == (repr(theirs), str(theirs), theirs.type, theirs.index)
        assert isinstance(ours, torch.device) and ours == torch.device(text) and ours != torch.device("cpu") and ours != flow.ones(1).device
    assert torch.device("mps") != torch.device("mps:0") and torch.device("mps") != torch.device("xpu")
    layer = torch.nn.Linear(2, 2)
    moves = [lambda: torch.zeros(0, device="mps"), lambda: torch.ones(1).to("mps"), lambda: layer.to("mps")]
    for move in [*moves, lambda: torch.tensor(1.0, device=torch.device("mps")), lambda: torch.Generator("mps")]:
        with pytest.raises(RuntimeError, match="has no devices of type 'mps'"):
            move()
    with torch.device("mps"), pytest.raises(RuntimeError, match="has no devices of type 'mps'"):
        torch.zeros(1)
    assert layer.weight.device.type == torch.zeros(1).device.type == "cpu"


def test_classes_of_data_pipes_are_methods_of_others(torch: Any) -> None:
    data = torch.utils.data

    class Source(data.IterDataPipe):
        def __iter__(self) -> Any:
            return iter(range(4))

    @data.functional_datapipe("doubled_here")
    class Doubled(data.IterDataPipe):
        def __init__(self, pipe: Any, factor: int = 2) -> None:
            self.pipe, self.factor = pipe, factor

        def __iter__(self) -> Any:
            return (torch.tensor(self.factor * each) for each in self.pipe)

    batches = list(data.DataLoader(Source().doubled_here().doubled_here(3), batch_size=3))
    assert [batch.tolist() for batch in batches] == [[0, 6, 12], [18]] and isinstance(batches[0], flow.Tensor)
    assert not hasattr(real.utils.data.IterDataPipe, "doubled_here") and "doubled_here" not in real.utils.data.IterDataPipe.functions
    with pytest.raises(Exception, match="already taken"):
        data.functional_datapipe("doubled_here")(Doubled)
    with pytest.raises(AttributeError, match="tripled"):
        Source().tripled()


def test_functions_for_ranks_that_call_each_other(torch: Any) -> None:
    function = torch.distributed.rpc.api._require_initialized(len)
    assert function.__name__ == "len" and torch.distributed.rpc.is_available() is False
    with pytest.raises(RuntimeError, match="RPC has not been initialized"):
        function([])
    with pytest.raises(NotImplementedError, match="init_rpc is not in tritonflow"):
        torch.distributed.rpc.init_rpc("worker")


def test_a_subclass_of_tensors_whose_new_takes_arguments(torch: Any) -> None:
    class Named(torch.Tensor):
        def __new__(cls, x: Any, name: str) -> Any:
            made = x.as_subclass(cls)
            made.label = name
            return made

    x = torch.ones(2, 3, requires_grad=True)
    made = Named((x * 2).transpose(0, 1), "named")
    assert type(made) is Named and made.label == "named" and made.shape == (3, 2) and made.requires_grad
    made.sum().backward()
    assert x.grad.tolist() == [[2.0] * 3] * 2
    y = torch.zeros(2)
    Named(y, "over the same memory").fill_(3.0)
    assert y.tolist() == [3, 3]


def test_memory_that_is_shared(torch: Any) -> None:
    layer = torch.nn.Linear(2, 2)
    before = layer.weight.tolist()
    assert layer.share_memory() is layer and layer.weight.is_shared() and layer.weight.tolist() == before
    assert isinstance(layer.weight, torch.nn.Parameter) and layer.weight.requires_grad
    x = torch.zeros(2)
    assert x.share_memory_() is x and x.share_memory_() is x and x.is_shared() and not torch.zeros(2).is_shared()
    process = torch.multiprocessing.get_context("fork").Process(target=x.fill_, args=(5.0,))
    process.start()
    process.join(60)
    assert process.exitcode == 0 and x.tolist() == [5, 5]
    whole = torch.ones(4)
    part = whole[1:]
    for each in (whole, part):
        with pytest.raises(RuntimeError, match="would stay behind"):
            each.share_memory_()
    assert not whole.is_shared() and part.fill_(2.0).tolist() == whole[1:].tolist()


class Settings(dict):  # type: ignore[type-arg]
    """What a file pickles."""


def test_classes_that_may_be_unpickled(torch: Any, tmp_path: Any) -> None:
    file = str(tmp_path / "file.pt")
    torch.save({"x": torch.ones(2), "settings": Settings(rate=0.5)}, file)
    with pytest.raises(Exception, match="test_names_as_torch.Settings to add_safe_globals"):
        torch.load(file)
    with torch.serialization.safe_globals([Settings]):
        assert type(torch.load(file)["settings"]) is Settings and torch.serialization.get_safe_globals() == [Settings]
    with pytest.raises(Exception, match="pickled objects"):
        torch.load(file, weights_only=True)
    assert torch.load(file, weights_only=False)["settings"] == {"rate": 0.5}


class Loader:
    """As libraries with loaders of their own have it, of samples that come one after another."""

    _IterableDataset_len_called, _auto_collation, drop_last, in_order, dataset_kind = None, False, False, True, 1
    _dataset_kind, timeout, persistent_workers, pin_memory, pin_memory_device, prefetch_factor = 1, 0, False, False, "", 2
    worker_init_fn = multiprocessing_context = _get_shared_seed = None

    def __init__(self, workers: int) -> None:
        self.num_workers, self.dataset, self._index_sampler = workers, self, range(99)

    def collate_fn(self, sample: Any) -> Any:
        return sample

    def __iter__(self) -> Any:
        return iter([flow.ones(1), flow.zeros(1)])


@pytest.mark.parametrize("workers", [0, 1])
def test_passes_over_loaders_of_libraries(torch: Any, workers: int) -> None:
    module = torch.utils.data.dataloader
    begin = module._MultiProcessingDataLoaderIter if workers else module._SingleProcessDataLoaderIter
    found = [(type(each), each.tolist()) for each in begin(Loader(workers))]
    assert found == [(flow.Tensor, [1.0]), (flow.Tensor, [0.0])]


def test_commands_of_this_python_are_run_in_torchs_place(torch: Any) -> None:
    from tritonflow.mock_torch.child_programs import in_torchs_place

    python, ours = sys.executable, ["-m", "tritonflow.mock_torch"]
    assert in_torchs_place([python, "-u", "train.py", "--steps", "3"]) == [python, "-u", *ours, "train.py", "--steps", "3"]
    assert in_torchs_place((python, "-m", "tests.anything")) == [python, *ours, "-m", "tests.anything"]
    for command in ([python, "-c", "1"], [python, "-m", "pip", "list"], ["ls", "train.py"], f"{python} train.py", [python], []):
        assert in_torchs_place(command) == command


def test_all_names_of_a_module_are_in_its_namespace(torch) -> None:  # type: ignore[no-untyped-def]
    """Pyro derives classes from all that `torch.distributions.__dict__` has."""
    found = {name for name, value in torch.distributions.__dict__.items() if isinstance(value, type)}
    assert {"Bernoulli", "Normal", "Distribution"} <= found
    assert "AdamW" in vars(torch.optim)


def test_futures_are_annotated(torch) -> None:  # type: ignore[no-untyped-def]
    assert torch.futures.Future[torch.Tensor].__args__ == (torch.Tensor,)


def test_states_of_generators_are_tensors(torch) -> None:  # type: ignore[no-untyped-def]
    """accelerate sends them to other ranks."""
    generator = torch.Generator().manual_seed(3)
    assert isinstance(torch.default_generator, torch.Generator) and not isinstance(3, torch.Generator)
    state = generator.get_state()
    assert isinstance(state, torch.Tensor) and state.dtype is torch.uint8
    drawn = torch.rand(3, generator=generator).tolist()
    generator.set_state(state.clone())
    assert torch.rand(3, generator=generator).tolist() == drawn
    sampler = torch.utils.data.RandomSampler(range(9), generator=generator)
    first = list(zip(range(4), sampler, strict=False))
    again = torch.utils.data.RandomSampler(range(9), generator=torch.Generator())
    again.load_state_dict(sampler.state_dict())
    assert sorted([index for _, index in first] + list(again)) == list(range(9))


def test_hyperparameters_are_written_for_tensorboard(torch, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """As Lightning's TensorBoardLogger does."""
    pytest.importorskip("tensorboardX")
    summaries = torch.utils.tensorboard.summary.hparams({"rate": torch.tensor(0.5), "name": "a"}, {"loss": 1.0})
    writer = torch.utils.tensorboard.SummaryWriter(str(tmp_path))
    for each in summaries:
        writer._get_file_writer().add_summary(each)
    writer.close()
    assert b"rate" in next(tmp_path.iterdir()).read_bytes()
