"""The examples: eager mode and graphs learn alike, and a run that was broken off goes on as if it had not been."""

from __future__ import annotations

import math
import re

import char_gpt
import common
import digits
import pytest
import resnet18

import tritonflow as flow

GPT = "--width 16 --layers 2 --heads 2 --length 16 --batch 4 --letters 8 --epochs 3 --steps 4".split()
RESNET = "--size 8 --batch 8 --epochs 2 --steps 2 --lr 0.01".split()
DIGITS = "--epochs 2 --steps 4".split()


class Broken(Exception):
    """A run is broken off."""


def train_digits(arguments):
    return digits.train(common.parse(common.parser_of(digits.__doc__, epochs=1), arguments))[0]


def losses(training):
    return [[value for name, value in epoch.items() if name != "samples/s"] for epoch in training.history]


def break_off(monkeypatch, step):
    """Let runs end at this step, which has drawn its batch and not learned it yet."""
    taken = 0

    class BreaksOff(common.Training):
        def __init__(self, *args):
            super().__init__(*args)
            do, self.step = self.step, self.broken
            self.do = do

        def broken(self, *batch):
            nonlocal taken
            if taken == step:
                raise Broken
            taken += 1
            return self.do(*batch)

    for module in (char_gpt, digits, resnet18):
        monkeypatch.setattr(module, "Training", BreaksOff)


def resumed(monkeypatch, train, arguments, path, step, kinds):
    """A run of the first kind of steps, broken off, and gone on with in the second kind."""
    first, second = kinds
    saved = ["--checkpoint", str(path)]
    with monkeypatch.context() as patched:
        break_off(patched, step)
        with pytest.raises(Broken):
            train([*arguments, *saved, first])
    flow.manual_seed(12345)  # what else was drawn meanwhile has no say
    return train([*arguments, *saved, second, "--resume"])


@pytest.mark.parametrize(
    "amp", ([], *(pytest.param(["--amp", dtype], marks=pytest.mark.long) for dtype in ("bfloat16", "float16"))),
    ids=("float32", "bfloat16", "float16"),
)  # fmt: skip
@pytest.mark.parametrize(
    "train, arguments", (pytest.param(char_gpt.main, GPT, marks=pytest.mark.long), (train_digits, DIGITS)), ids=("gpt", "digits")
)
def test_eager_and_graph_learn_alike(train, arguments, amp):
    eager, graph = (losses(train([*arguments, *amp, kind])) for kind in ("--eager", "--graph"))
    assert len(eager) == (3 if train is char_gpt.main else 2)
    flow.testing.assert_close(flow.tensor(graph), flow.tensor(eager), rtol=1e-3 if amp else 1e-4, atol=0)


@pytest.mark.parametrize("kinds", (("--eager", "--eager"), ("--graph", "--graph")), ids=("eager", "graph"))
@pytest.mark.parametrize(
    "train, arguments, step",
    ((char_gpt.main, GPT, 6), (train_digits, DIGITS, 6), pytest.param(char_gpt.main, [*GPT, "--amp", "float16"], 10, marks=pytest.mark.long)),
    ids=("gpt", "digits", "gpt-float16"),
)
@pytest.mark.sampled(most=1)
def test_a_run_that_was_broken_off_ends_as_an_unbroken_one(monkeypatch, tmp_path, train, arguments, step, kinds):
    whole = train([*arguments, kinds[0]])
    parts = resumed(monkeypatch, train, arguments, tmp_path / "run.safetensors", step, kinds)
    assert losses(parts) == losses(whole)
    assert_same(whole.states(), parts.states())


def assert_same(a, b):
    """Equal, to the bit."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            assert_same(a[key], b[key])
    elif isinstance(a, flow.Tensor):
        assert a.dtype is b.dtype and a.numpy().tobytes() == b.numpy().tobytes()
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for left, right in zip(a, b):
            assert_same(left, right)
    else:
        assert a == b


def test_a_run_begun_in_eager_mode_goes_on_as_a_graph(monkeypatch, tmp_path):
    whole = char_gpt.main([*GPT, "--graph"])
    parts = resumed(monkeypatch, char_gpt.main, GPT, tmp_path / "run.safetensors", 6, ("--eager", "--graph"))
    flow.testing.assert_close(flow.tensor(losses(parts)), flow.tensor(losses(whole)), rtol=1e-4, atol=0)


def test_a_checkpoint_of_another_seed_is_refused(tmp_path):
    arguments = [*DIGITS, "--epochs", "1", "--steps", "1", "--checkpoint", str(tmp_path / "run.safetensors")]
    train_digits(arguments)
    with pytest.raises(SystemExit, match="--seed 0, not 1"):
        train_digits([*arguments, "--resume", "--seed", "1"])


def test_resume_says_what_it_did(tmp_path, capsys):
    arguments = ["--epochs", "1", "--steps", "2", "--checkpoint", str(tmp_path / "run.safetensors"), "--resume"]
    first = train_digits(arguments)
    assert f"there is no {tmp_path}/run.safetensors yet: the run begins" in capsys.readouterr().out
    again = train_digits(arguments)
    said = capsys.readouterr().out
    assert f"resumed {tmp_path}/run.safetensors behind epoch 1\n" in said and losses(again) == losses(first)
    assert f"nothing is left to do: the run had 1 epochs; the last one: loss {first.history[0]['loss']:.5g}" in said
    assert "help: --epochs 2 trains on" in said and "epoch  1/1" not in said


@pytest.mark.parametrize("main", [char_gpt.main, digits.main, resnet18.main])
def test_help_has_the_defaults(main, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    for option in ("--seed SEED", "--epochs EPOCHS", "--device DEVICE"):
        assert re.search(rf"{option} [^-(]+ \(default: \w+\)", text), text
    assert "None" not in text and "False" not in text


def test_resume_needs_a_checkpoint(capsys):
    with pytest.raises(SystemExit):
        char_gpt.main(["--resume"])
    assert "--resume needs --checkpoint" in capsys.readouterr().err


def test_characters_are_numbered_and_windows_are_shifted_by_one():
    text = "if x:\n\treturn 'é' # ~"
    numbers = char_gpt.encode(text)
    assert "".join(char_gpt.CHARACTERS[n] for n in numbers) == "if x:\n?return '?' # ~"
    windows = char_gpt.Windows(numbers, length=5, stride=4)
    assert len(windows) == (len(text) - 6) // 4 + 1
    for k in range(len(windows)):
        x, y = windows[k]
        assert len(x) == len(y) == 5 and list(x[1:]) == list(y[:-1])


def test_gpt_looks_back_only():
    model = char_gpt.GPT(width=16, layers=2, heads=2, length=8, dropout=0.0).eval()
    characters = flow.randint(0, 96, (2, 8))
    changed = characters.clone()
    changed[:, 5:] = (changed[:, 5:] + 1) % 96
    before, after = model(characters), model(changed)
    flow.testing.assert_close(before[:, :5], after[:, :5])
    assert bool((before[:, 5:] != after[:, 5:]).any())


def test_the_first_loss_of_gpt_is_that_of_a_guess():
    training = char_gpt.main([*GPT, "--epochs", "1", "--steps", "1"])
    assert abs(training.history[0]["loss"] - math.log(96)) < 0.1


def test_writing_begins_with_the_prompt():
    model = char_gpt.GPT(width=16, layers=1, heads=2, length=8, dropout=0.5)
    flow.manual_seed(0)
    first = char_gpt.write(model, "def f(x):", 12, 0.7, "cpu")
    flow.manual_seed(0)
    assert first == char_gpt.write(model, "def f(x):", 12, 0.7, "cpu")
    assert first.startswith("def f(x):") and len(first) == len("def f(x):") + 12


def test_resnet18_has_torchvisions_names_and_sizes():
    model = resnet18.ResNet18(channels=3)
    torchvisions = 11_689_512 - 3 * 64 * (7 * 7 - 3 * 3) - 513 * 990  # with a 3x3 stem and 10 classes
    assert sum(p.numel() for p in model.parameters()) == torchvisions
    names = model.state_dict().keys()
    assert len(names) == 122
    assert {"conv1.weight", "layer2.0.downsample.0.weight", "layer4.1.bn2.running_var", "fc.bias"} <= set(names)


def test_scans_are_scaled_up_between_their_points():
    scans = flow.arange(64, dtype=flow.float32).reshape(1, 1, 8, 8)
    import torch

    wanted = torch.nn.functional.interpolate(flow.to_torch(scans).double(), size=(32, 32), mode="bilinear", align_corners=False)
    flow.testing.assert_close(resnet18.scale_up(scans, 32), flow.testing.in_float64(wanted))


@pytest.mark.long
def test_resnet18_learns_alike_as_a_graph_and_resumes(monkeypatch, tmp_path):
    eager, graph = (resnet18.main([*RESNET, kind]) for kind in ("--eager", "--graph"))
    flow.testing.assert_close(flow.tensor(losses(graph)), flow.tensor(losses(eager)), rtol=1e-3, atol=0)
    parts = resumed(monkeypatch, resnet18.main, RESNET, tmp_path / "run.safetensors", 3, ("--graph", "--graph"))
    assert losses(parts) == losses(graph)


@pytest.mark.long
def test_gpt_learns_python():
    training = char_gpt.main("--graph --epochs 1 --steps 250 --letters 80".split())
    # 2.55 with Python 3.11's sources; it begins with 4.56, and single characters' frequencies alone give 3.12
    assert training.history[0]["held-out loss"] < 2.7
