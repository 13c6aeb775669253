"""The lock under which code is made and loaded.

A fork waits until it is free. A child that inherits it locked, or a lock of LLVM's, waits for ever.
"""

from __future__ import annotations

import os
import threading

building = threading.RLock()
os.register_at_fork(before=building.acquire, after_in_parent=building.release, after_in_child=building.release)
