"""`torch.utils.model_zoo`."""

from typing import Any

import tritonflow as flow


def load_url(*args: Any, **options: Any) -> Any:
    """`flow.hub.load_state_dict_from_url`."""
    return flow.hub.load_state_dict_from_url(*args, **options)
