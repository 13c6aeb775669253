"""Streams as users choose them, and the events of asynchronous ones."""

from __future__ import annotations

import threading

from tests.vm.fakes import CPU, FakeAsyncStream, FakeGpu, inline, worker
from tritonflow.device import stream as streams
from tritonflow.device.stream import current_stream, use_stream
from tritonflow.thread_state import slow_path


class Provider:
    stream = inline("default")


def test_a_thread_chooses_its_stream(monkeypatch):
    monkeypatch.setattr(streams, "get_provider", lambda device: Provider)
    s, t = worker("s"), worker("t")
    assert current_stream(CPU) is Provider.stream and slow_path.count == 0
    with use_stream(s) as chosen:
        assert chosen is s is current_stream(CPU) and slow_path.count == 1
        with use_stream(t):
            assert current_stream(CPU) is t
        elsewhere = []
        thread = threading.Thread(target=lambda: elsewhere.append(current_stream(CPU)))
        thread.start()
        thread.join()
        assert elsewhere == [Provider.stream]
        assert current_stream(CPU) is s
    assert current_stream(CPU) is Provider.stream and slow_path.count == 0


def test_one_context_can_be_entered_again(monkeypatch):
    monkeypatch.setattr(streams, "get_provider", lambda device: Provider)
    context = use_stream(worker())
    with context, context:
        pass
    assert current_stream(CPU) is Provider.stream


def test_one_event_covers_everything_before_it():
    gpu = FakeGpu()
    s, t = FakeAsyncStream(gpu, "s"), FakeAsyncStream(gpu, "t")
    s.issued = s.reached = 5
    assert s.event_after(3) is s.event_after(5)
    assert s.events == 1
    t.wait_for(s, 4)
    t.wait_for(s, 5)
    assert t.waits == 1
    s.issued = s.reached = 6
    t.wait_for(s, 6)
    assert (s.events, t.waits) == (2, 2)


def test_streams_go_when_nobody_has_them():
    s = worker("short-lived")
    assert s in streams.all_streams()
    del s
    assert all(stream.name != "short-lived" for stream in streams.all_streams())


def test_repr_says_how_far_it_is():
    s = worker("copies")
    s.issued, s.reached = 3, 2
    assert repr(s) == "<WorkerStream 'copies' on cpu, 2 of 3 done>"
