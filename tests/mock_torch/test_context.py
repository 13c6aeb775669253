"""`enable` and `disable`: in which modules and threads `import torch` gives tritonflow, and that nothing stays behind."""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Callable

import pytest
import torch as real

import tritonflow as flow
from tritonflow import mock_torch

IMPORT, IMPORT_MODULE = builtins.__import__, importlib.import_module


@pytest.fixture(autouse=True)
def _nothing_stays() -> None:
    yield
    assert builtins.__import__ is IMPORT and importlib.import_module is IMPORT_MODULE
    assert sys.modules["torch"] is real and not mock_torch.is_enabled()


def imported() -> object:
    import torch

    return torch


def is_ours(torch: object) -> bool:
    return torch.Tensor is flow.Tensor  # type: ignore[attr-defined]


def test_a_block() -> None:
    with mock_torch.enable():
        import torch
        import torch.nn.functional as F
        from torch import nn
        from torch.nn.modules.conv import Conv2d
        from torch.utils.data import TensorDataset

        assert is_ours(torch) and nn is torch.nn and F is torch.nn.functional
        assert importlib.import_module("torch.nn") is nn
        assert mock_torch.is_enabled()
        assert sys.modules["torch"] is real
    assert nn.Linear is flow.nn.Linear and Conv2d is flow.nn.Conv2d and TensorDataset is flow.utils.data.TensorDataset
    import torch

    assert torch is real and importlib.import_module("torch") is real


def test_blocks_in_blocks() -> None:
    with mock_torch.enable():
        with mock_torch.enable():
            assert is_ours(imported())
        assert is_ours(imported())
        with mock_torch.disable():
            assert imported() is real and not mock_torch.is_enabled()
            with mock_torch.enable():
                assert is_ours(imported())
            assert imported() is real
        assert is_ours(imported())
    assert imported() is real


def test_without_a_block() -> None:
    mock_torch.enable()
    try:
        assert is_ours(imported()) and mock_torch.is_enabled()
        found = []
        thread = threading.Thread(target=lambda: found.append(imported()))
        thread.start()
        thread.join()
        assert is_ours(found[0])
        with mock_torch.disable():
            assert imported() is real
        assert is_ours(imported())
    finally:
        mock_torch.disable()
    assert imported() is real


def test_an_error_leaves_the_block() -> None:
    with pytest.raises(KeyError), mock_torch.enable(lazy=True, verbose=True):
        raise KeyError
    assert imported() is real
    assert not mock_torch.torch_modules.options.lazy and not mock_torch.torch_modules.options.verbose


def test_other_threads_import_the_real_torch(write: Callable) -> None:
    write(mt_shared="import torch\nname = torch.__version__\n")
    inside, done, found = threading.Event(), threading.Event(), {}

    def other() -> None:
        inside.wait()
        import mt_shared

        found["torch"], found["package"] = imported(), mt_shared
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with mock_torch.enable():
        import mt_shared as ours

        inside.set()
        done.wait()
        assert is_ours(imported())
    thread.join()
    assert found["torch"] is real
    assert found["package"] is not ours and found["package"].torch is real and is_ours(ours.torch)


def test_many_threads_get_one_module(write: Callable) -> None:
    write(mt_slow="import time\ntime.sleep(0.05)\nimport torch\nvalue = 1\n")
    found: list = []

    def enter() -> None:
        with mock_torch.enable():
            import mt_slow

            found.append((mt_slow, mt_slow.value))

    threads = [threading.Thread(target=enter) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len({id(module) for module, _ in found}) == 1


def test_other_modules_are_not_concerned(write: Callable) -> None:
    write(mt_before="def get():\n    import torch\n    return torch\n")
    import mt_before

    with mock_torch.enable():
        assert mt_before.get() is real
        import mt_before as ours

        assert ours is not mt_before and is_ours(ours.get())
    assert is_ours(ours.get()) and mt_before.get() is real


def test_tritonflow_and_numpy_keep_the_real_torch() -> None:
    with mock_torch.enable():
        import numpy

        from tritonflow.device import torch_memory

        assert torch_memory.torch is real
        assert numpy is sys.modules["numpy"]
        assert flow.to_torch(flow.ones(2)).__class__ is real.Tensor


def test_names_of_others_can_stand_for_packages() -> None:
    with mock_torch.enable(extra_dict={"mt_no_such_vision": "json"}):
        import mt_no_such_vision
        import mt_no_such_vision.decoder as decoder
    import json

    assert mt_no_such_vision is json and decoder is json.decoder
    del mock_torch.importer.importer.aliases["mt_no_such_vision"]


def test_workers_of_a_loader_draw_numbers_of_their_own() -> None:
    with mock_torch.enable():
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Draws(Dataset):
            def __len__(self) -> int:
                return 6

            def __getitem__(self, i: int) -> float:
                return torch.rand(1).item()

        def run() -> list[float]:
            torch.manual_seed(3)
            return [x for batch in DataLoader(Draws(), num_workers=2) for x in batch.tolist()]

        assert len(set(run())) == 6 and run() == run()
