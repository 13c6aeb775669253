"""`torch.__config__`."""

import tritonflow as flow


def show() -> str:
    """What this is."""
    return f"tritonflow {flow.__version__}, under torch's names"


def parallel_info() -> str:
    """How many threads there are."""
    return f"tritonflow: {flow.get_num_threads()} threads"
