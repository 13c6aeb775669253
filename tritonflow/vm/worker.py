"""The thread that runs the queue of one stream.

To hand over an instruction is to append it to a deque. Only if the worker sleeps is a lock released to wake it. A worker that has
had nothing to do for a while ends, and the next instruction starts another one. So streams leave no threads behind.
"""

from __future__ import annotations

import threading
from time import perf_counter_ns

from tritonflow.device.stream import Stream
from tritonflow.vm.engine import Engine

_IDLE_SECONDS = 5.0


class Worker:
    """Runs what stands in `stream.queue`, in order, until it is stopped and the queue is empty."""

    def __init__(self, engine: Engine, stream: Stream) -> None:
        self.stream = stream
        self._engine = engine
        self._parked = False
        self._stopping = False
        self._gate = threading.Lock()
        self._gate.acquire()
        self.thread = threading.Thread(target=self._main, name=f"tritonflow {stream.device} {stream.name}", daemon=True)
        self.thread.start()

    def wake(self) -> None:
        """Tell the worker that its queue may have something to run. Any thread may call it, also when there is nothing."""
        if self._parked:
            self._parked = False
            try:
                self._gate.release()
            except RuntimeError:  # another thread has opened it
                pass

    def stop(self) -> None:
        """Let the thread end once the queue is empty, and wait for that."""
        self._stopping = True
        self._parked = True
        self.wake()
        if self.thread is not threading.current_thread():
            self.thread.join()

    def _main(self) -> None:
        self.stream.activate()
        working.stream = self.stream
        while True:
            self._run_queue()
            if not self._park():
                return

    def _run_queue(self) -> None:
        """Run until the queue is empty or its head has to wait."""
        stream, engine, lock = self.stream, self._engine, self._engine.lock
        queue, inline = stream.queue, stream.inline
        while queue:
            instruction = queue[0]
            if instruction.waits or instruction.behind:
                with lock:
                    if not engine.ready(instruction):
                        return
                    events = engine.order_device(instruction)
                for event in events:
                    event.synchronize()
            timeline = engine.timeline
            start = perf_counter_ns() if timeline is not None else 0
            if inline:  # a finalizer may have issued this in the middle of an instruction in its own thread
                with stream.lock:
                    engine.run(instruction)
            else:
                engine.run(instruction)
            if timeline is not None:
                timeline.add(stream, instruction.name, instruction.issued_at, start)
            engine.finish(instruction)
            if engine.released:
                with lock:
                    engine.drain()

    def _park(self) -> bool:
        """Sleep until woken. False: the thread is to end."""
        self._parked = True
        queue = self.stream.queue
        if queue:
            with self._engine.lock:
                if self._engine.ready(queue[0]):
                    self._parked = False
                    return True
        if not queue and self._stopping:
            return self._leave()
        woken = self._gate.acquire(timeout=_IDLE_SECONDS)
        self._parked = False
        return woken or bool(queue) or self._leave()

    def _leave(self) -> bool:
        with self._engine.lock:
            if self.stream.queue:
                return True
            if self.stream.worker is self:
                self.stream.worker = None
            return False


class _Working(threading.local):
    """Which stream's queue this thread runs, if it is a worker."""

    stream: Stream | None = None


working = _Working()
