"""The lock under which code is made and loaded.

A fork waits for it: a child that inherited it taken, or one of LLVM's own locks, would wait for ever.
"""

from __future__ import annotations

import os
import threading

building = threading.RLock()
os.register_at_fork(before=building.acquire, after_in_parent=building.release, after_in_child=building.release)
