"""Families of programs: those of one captured graph, one for each sizes.

No two of them run at once on a device, as they work in one arena. So what one of them needs on the device can serve all: its memory
does not grow with the number of sizes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

MOST_SHARED = 8


class ProgramFamily:
    """What the programs of a family share.

    Attributes:
        lock: held by whoever runs one of the programs, until it is launched.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._shared: OrderedDict[Any, Any] = OrderedDict()  # by key, the latest at the end

    def shared(self, key: Any, make: Callable[[], Any]) -> Any:
        """What programs with this key share, made if it is not there; the caller has the lock.

        Beyond `MOST_SHARED` keys, what was not asked for longest goes.
        """
        if key not in self._shared:
            self._shared[key] = make()
            if len(self._shared) > MOST_SHARED:
                self._shared.popitem(last=False)
        self._shared.move_to_end(key)
        return self._shared[key]
