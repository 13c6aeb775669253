"""A folder that is not as it was written is one clear error, and nothing of it runs."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
import tritonflow_program
from tritonflow_program import ProgramError


@pytest.fixture
def copy(exported: Any, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported("classifier").path, tmp_path / "copy"))


def reason(path: Path, c_program: Path, **options: Any) -> str:
    """What both loaders say of a folder."""
    with pytest.raises(ProgramError) as error:
        tritonflow_program.load_program(path, **options)
    done = subprocess.run([c_program, path, "1", "1", "--"], capture_output=True, text=True)
    assert done.returncode == 1 and str(path) in done.stdout and str(path) in str(error.value), done.stdout
    assert done.stdout.splitlines()[0].partition("':")[0] == str(error.value).partition("':")[0]
    return f"{error.value}\n{done.stdout}"


def signed(path: Path, old: str, new: str) -> None:
    """Change the text of a folder, with a digest that holds."""
    body = (path / "program.txt").read_text()[:-72]
    assert old in body
    body = body.replace(old, new, 1)
    (path / "program.txt").write_text(f"{body}digest {hashlib.sha256(body.encode()).hexdigest()}\n")


def test_any_byte(copy: Path, c_program: Path, seed: int = 0) -> None:
    random.seed(seed)
    for file in sorted(copy.iterdir()):
        data = file.read_bytes()
        places = {0, len(data) - 1, *[random.randrange(len(data)) for _ in range(12)]}
        for number, place in enumerate(sorted(places)):
            file.write_bytes(data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :])
            if number < 4:
                assert reason(copy, c_program).count("damaged") == 2
            else:
                with pytest.raises(ProgramError, match="damaged"):
                    tritonflow_program.load_program(copy)
        file.write_bytes(data)
    assert tritonflow_program.load_program(copy).name == "Sequential"


def test_truncated_longer_and_missing(copy: Path, c_program: Path) -> None:
    for file in sorted(copy.iterdir()):
        data = file.read_bytes()
        for content in (b"", data[: len(data) // 2], data[:-1], data + b"\n"):
            file.write_bytes(content)
            assert reason(copy, c_program).count("damaged") == 2, file
        file.unlink()
        assert reason(copy, c_program).count("read") == 2, file
        file.write_bytes(data)
    assert reason(copy / "nowhere", c_program).count("read") == 2


def test_newer_and_foreign(copy: Path, c_program: Path) -> None:
    signed(copy, "tritonflow program 1", "tritonflow program 2")
    assert reason(copy, c_program).count("later version") == 2
    signed(copy, "tritonflow program 2", "tritonflow program 1")
    signed(copy, "system linux x86_64", "system linux aarch64")
    assert reason(copy, c_program).count("it is for linux aarch64") == 2
    signed(copy, "system linux aarch64", "system linux x86_64")
    signed(copy, "target", "target")
    line = next(line for line in (copy / "program.txt").read_text().splitlines() if line.startswith("target "))
    signed(copy, line, f"{line} avx9000")
    assert reason(copy, c_program).count("this CPU has no avx9000") == 2


def test_other_digest(exported: Any) -> None:
    path, _, _, digest = exported("classifier")
    assert flow.load_program(path, digest=digest).digest == digest
    with pytest.raises(ProgramError, match="its digest is"):
        flow.load_program(path, digest="0" * 64)


def test_text_of_a_stranger(copy: Path, c_program: Path) -> None:
    """A text with a right digest that says what cannot be is refused, and harms nobody."""
    text = (copy / "program.txt").read_text()
    random.seed(1)
    lines = text.splitlines()[:-1]
    first = next(k for k, line in enumerate(lines) if line.startswith("targets "))
    for _ in range(120):
        k = random.randrange(first, len(lines))
        words = lines[k].split(" ")
        at = random.randrange(len(words))
        words[at] = random.choice(["", "-1", "99999999999999999999", "#99", "x", "7", *words[:1]])
        body = "\n".join([*lines[:k], " ".join(words), *lines[k + 1 :]]) + "\n"
        (copy / "program.txt").write_text(f"{body}digest {hashlib.sha256(body.encode()).hexdigest()}\n")
        done = subprocess.run([c_program, copy, "1", "0", "--"], capture_output=True, text=True)
        assert done.returncode in (0, 1, 2), (lines[k], words[at], done.returncode)
        try:
            tritonflow_program.load_program(copy)
        except ProgramError:
            pass


def test_an_existing_folder(exported: Any, tmp_path: Path) -> None:
    path = Path(shutil.copytree(exported("classifier").path, tmp_path / "copy"))
    double = lambda x: x * 2
    with pytest.raises(RuntimeError, match="overwrite=True replaces it"):
        flow.export(double, [flow.ones(2)], path)
    flow.export(double, [flow.ones(2)], path, targets=["baseline"], overwrite=True)
    assert flow.load_program(path, target="baseline")(flow.ones(2)).tolist() == [2.0, 2.0]
    (tmp_path / "mine").mkdir()
    with pytest.raises(RuntimeError, match="no exported program"):
        flow.export(double, [flow.ones(2)], tmp_path / "mine", overwrite=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy", "mine"]


def test_weights_are_a_safetensors_file(exported: Any) -> None:
    path, model, _, _ = exported("classifier")
    weights = flow.load(path / "weights.safetensors")
    assert sorted(weights) == sorted(name for name, _ in model.named_parameters())
    assert all((weights[name] == value).all().item() for name, value in model.named_parameters())
