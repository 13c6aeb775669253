"""`torch.hub`, beside `flow.hub`."""

from __future__ import annotations

import os
import re

import tritonflow as flow

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
READ_DATA_CHUNK = 128 * 1024


def _get_torch_home() -> str:
    return os.path.dirname(flow.hub.get_dir())
