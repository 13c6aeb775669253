"""An HTTP server of an exported program: requests that come together run together.

    pip install fastapi uvicorn httpx
    python examples/exported/classify.py export /tmp/classifier
    PROGRAM=/tmp/classifier uvicorn --app-dir examples/exported server:app
    python examples/exported/load.py http://127.0.0.1:8000

A batch always has eight rows, some of them empty. So an image's scores have the same bits, whoever else asks at that moment.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

import numpy
from fastapi import FastAPI, Request
from pydantic import BaseModel, Field

from tritonflow_program import Program, load_program

ROWS = 8

Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
Line = Annotated[list[Number], Field(min_length=8, max_length=8)]


class Image(BaseModel):
    pixels: Annotated[list[Line], Field(min_length=8, max_length=8)]


class Scores(BaseModel):
    label: int
    scores: list[float]


class Batches:
    """Runs a program on what waits, up to eight images at a time."""

    def __init__(self, program: Program) -> None:
        self._program, self._waiting = program, asyncio.Queue[tuple[numpy.ndarray, asyncio.Future[numpy.ndarray]]]()

    async def scores(self, image: numpy.ndarray) -> numpy.ndarray:
        answer: asyncio.Future[numpy.ndarray] = asyncio.get_running_loop().create_future()
        await self._waiting.put((image, answer))
        return await answer

    async def run(self) -> None:
        while True:
            taken = [await self._waiting.get()]
            while len(taken) < ROWS and not self._waiting.empty():
                taken.append(self._waiting.get_nowait())
            batch = numpy.zeros((ROWS, 1, 8, 8), "float32")
            batch[: len(taken), 0] = [image for image, _ in taken]
            try:
                found = await asyncio.to_thread(self._program, batch)
            except Exception as error:  # every request hears of it, and the next batch runs
                for _, answer in taken:
                    answer.done() or answer.set_exception(error)
                continue
            for (_, answer), row in zip(taken, found):
                answer.done() or answer.set_result(row)  # a client may be gone


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.batches = Batches(load_program(os.environ["PROGRAM"]))
    task = asyncio.create_task(app.state.batches.run())
    yield
    task.cancel()


app = FastAPI(lifespan=lifespan)


@app.post("/classify")
async def classify(image: Image, request: Request) -> Scores:
    row = await request.app.state.batches.scores(numpy.array(image.pixels, "float32"))
    return Scores(label=int(row.argmax()), scores=row.tolist())
