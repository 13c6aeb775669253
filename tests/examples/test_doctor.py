"""`python -m tritonflow --doctor` reports a healthy installation, and what is wrong with a sick one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tritonflow import __main__ as command


def doctor(**environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tritonflow", "--doctor"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)


def test_healthy():
    result = doctor()
    assert result.returncode == 0, result.stdout + result.stderr
    for word in ("torch", "triton", "TRITONFLOW_SYNC", "cpu", "compile and run", "healthy"):
        assert word in result.stdout


@pytest.mark.long
def test_unknown_and_bad_settings():
    result = doctor(TRITONFLOW_SYNK="1")
    assert "do you mean TRITONFLOW_SYNC?" in result.stdout
    result = doctor(TRITONFLOW_SYNC="perhaps")
    assert result.returncode == 1 and "TRITONFLOW_SYNC='perhaps': expected 0 or 1" in result.stdout + result.stderr


def test_caches_that_are_not_used(tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / "open"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "open"))
    lines = list(command._caches())
    assert sum(f"NOTHING NEW IS KEPT there, so that every process compiles again: other users may write to {tmp_path}/open" in line for line in lines) == 2
    assert sum(f"help: set {variable} to a folder that only you may write" in line for line in lines for variable in ("TRITONFLOW_CACHE_DIR", "TRITON_CACHE_DIR")) == 2
    (tmp_path / "open").chmod(0o700)
    assert len(list(command._caches())) == 2
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert "Not a directory" in list(command._caches())[1]


def test_caches_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path / "new" / "cache"))
    monkeypatch.setenv("TRITON_CACHE_DIR", "/proc/no/triton")  # where nobody makes files
    lines = list(command._caches())
    assert "nothing yet" in lines[1] and "NOTHING NEW IS KEPT" in lines[2] and "TRITON_CACHE_DIR" in lines[3] and len(lines) == 4
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "triton"))
    assert len(list(command._caches())) == 2


def test_folders_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TRITONFLOW_CPU_DUMP", str(tmp_path / "file" / "dump"))
    monkeypatch.setenv("TRITONFLOW_VM_TIMELINE", str(tmp_path / "traces" / "trace.json"))
    monkeypatch.setenv("TRITONFLOW_DEBUG_MODE", "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_SECTIONS", {"folders": command._folders})
    assert command.doctor() == 1
    lines = capsys.readouterr().out.splitlines()
    said = {line.split()[0]: line for line in lines[1:5]}
    assert f"CANNOT BE WRITTEN: {tmp_path}/file: Not a directory" in said["TRITONFLOW_CPU_DUMP"]
    assert all("can be written" in said[name] for name in ("TMPDIR", "TRITONFLOW_VM_TIMELINE", "TRITONFLOW_DEBUG_MODE"))
    assert "FAILED: PermissionError: cannot be written: TRITONFLOW_CPU_DUMP. help:" in lines[5] and "wrong" in lines[-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"], "looking leaves nothing behind"
    monkeypatch.delenv("TRITONFLOW_CPU_DUMP")
    assert command.doctor() == 0
