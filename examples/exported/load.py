"""A load test of server.py: 1,000 requests, 50 at a time, of which every tenth is wrong.

python examples/exported/load.py http://127.0.0.1:8000
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any, NamedTuple

import httpx
import numpy

REQUESTS, AT_A_TIME = 1000, 50
WRONG: list[Any] = [
    {}, {"pixels": []}, {"pixels": [[0.0] * 8] * 7}, {"pixels": [[0.0] * 9] * 8}, {"pixels": "image"}, {"pixels": [["x"] * 8] * 8},
    {"pixels": [[1e30] * 8] * 8}, {"pixels": None}, [1, 2], {"image": [[0.0] * 8] * 8},
]  # fmt: skip


class Answer(NamedTuple):
    """An image, or None for a wrong request; what was answered, and how many seconds it took."""

    image: numpy.ndarray | None
    status: int
    content: Any
    seconds: float


async def ask(client: httpx.AsyncClient, number: int, limit: asyncio.Semaphore) -> Answer:
    image = None if number % 10 == 9 else numpy.random.default_rng(number).standard_normal((8, 8), "float32")
    content = WRONG[number // 10 % len(WRONG)] if image is None else {"pixels": image.tolist()}
    async with limit:
        start = time.perf_counter()
        found = await client.post("/classify", json=content)
        return Answer(image, found.status_code, found.json(), time.perf_counter() - start)


async def load(url: str, requests: int = REQUESTS) -> list[Answer]:
    limit = asyncio.Semaphore(AT_A_TIME)
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        return await asyncio.gather(*[ask(client, number, limit) for number in range(requests)])


def main(url: str) -> None:
    start = time.perf_counter()
    answers = asyncio.run(load(url))
    total = time.perf_counter() - start
    right = [each for each in answers if each.image is not None]
    times = numpy.percentile([each.seconds for each in right], (50, 99)) * 1e3
    wrong = [each.status for each in answers if each.image is None]
    print(f"{len(answers)} requests in {total:.2f} s: {len(answers) / total:.0f} a second")
    print(f"p50 {times[0]:.1f} ms, p99 {times[1]:.1f} ms")
    print(f"right: {sum(each.status == 200 for each in right)} of {len(right)}; wrong: {sorted(set(wrong))}")


if __name__ == "__main__":
    main(sys.argv[1])
