"""A network that classifies images, as a folder that runs without tritonflow: from Python, and from C (main.c).

    python examples/exported/classify.py export /tmp/classifier
    python examples/exported/classify.py run /tmp/classifier           # needs NumPy and the package tritonflow_program

    C=$(python -c "import tritonflow_program; print(tritonflow_program.c_sources())")
    cc -O2 -I $C examples/exported/main.c $C/*.c -o /tmp/classify -lpthread -ldl
    /tmp/classify /tmp/classifier

Both print the class of each of four images.
"""

from __future__ import annotations

import sys

import numpy


def export(path: str) -> str:
    """Write the network for batches of 1 to 8 images; its digest."""
    import tritonflow as flow

    flow.manual_seed(0)
    nn = flow.nn
    network = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 4 * 4, 10)
    )
    images = flow.zeros(4, 1, 8, 8)
    return flow.export(
        network.eval(), [images], path, dynamic={"input": {0: "batch"}}, sizes={"batch": range(1, 9)}, overwrite=True
    )


def images(count: int) -> numpy.ndarray:
    """Pixels that main.c makes, too."""
    numbers = numpy.arange(count * 64)
    return (numbers * 7 % 17 / numpy.float32(8) - 1).astype("float32").reshape(count, 1, 8, 8)


def run(path: str) -> list[int]:
    """The classes of four images."""
    import tritonflow_program

    scores = tritonflow_program.load_program(path)(images(4))
    return scores.argmax(1).tolist()


if __name__ == "__main__":
    what, folder = sys.argv[1:]
    print(export(folder) if what == "export" else "\n".join(map(str, run(folder))))
