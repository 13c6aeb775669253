"""The example of a server answers many requests at a time, with the bits that the program gives."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest
from exported import classify

import tritonflow_program

for name in ("fastapi", "uvicorn", "httpx"):
    pytest.importorskip(name)
from exported import load  # noqa: E402  # which needs them

EXAMPLES = Path(classify.__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("server") / "classifier")
    classify.export(path)
    return path


@pytest.fixture(scope="module")
def url(folder: str) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(EXAMPLES), "--port", str(port), "--log-level", "error", "server:app"]
    server = subprocess.Popen(command, env={**os.environ, "PROGRAM": folder})
    try:
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(30)


def test_many_requests(folder: str, url: str) -> None:
    answers = asyncio.run(load.load(url))
    program = tritonflow_program.load_program(folder)
    assert len(answers) == 1000 and {each.status for each in answers if each.image is None} == {422}
    for each in answers:
        if each.image is not None:
            batch = numpy.zeros((8, 1, 8, 8), "float32")
            batch[3, 0] = each.image
            row = program(batch)[3]
            assert each.status == 200 and each.content == {"label": int(row.argmax()), "scores": row.tolist()}
