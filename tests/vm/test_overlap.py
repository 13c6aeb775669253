"""What is not ordered overlaps: two instructions that wait for each other inside can only end if both run."""

from __future__ import annotations

import threading

from tests.vm.fakes import FakeBlock, inline, worker


class Meeting:
    """A rendezvous of several instructions."""

    def __init__(self, parties=2):
        self.barrier = threading.Barrier(parties, timeout=10)
        self.met = 0

    def __call__(self):
        self.barrier.wait()
        self.met += 1


def test_strangers_on_two_streams_overlap(vm):
    meet = Meeting()
    s, t = worker("s"), worker("t")
    vm.issue(s, meet, (), (FakeBlock(s),))
    vm.issue(t, meet, (), (FakeBlock(t),))
    vm.sync()
    assert meet.met == 2


def test_readers_of_one_block_overlap(vm):
    meet = Meeting(3)
    x = FakeBlock(inline())
    for name in "stu":
        vm.issue(worker(name), meet, (x,), ())
    vm.sync()
    assert meet.met == 3


def test_the_issuer_overlaps_with_a_worker(vm):
    """A copy runs on its worker while the inline stream computes something else."""
    meet = Meeting()
    s, t = inline(), worker()
    vm.issue(t, meet, (), (FakeBlock(t),))
    vm.issue(s, meet, (), (FakeBlock(s),), atomic=False)
    vm.sync()
    assert meet.met == 2


def test_a_host_access_overlaps_with_strangers(vm):
    meet = Meeting()
    t, x = worker(), FakeBlock(inline())
    vm.issue(t, meet, (), (FakeBlock(t),))
    vm.access((x,), (), meet)
    vm.sync()
    assert meet.met == 2


def test_two_threads_compute_on_two_streams(vm):
    meet = Meeting()
    s, t = inline("s"), inline("t")
    thread = threading.Thread(target=lambda: vm.issue(s, meet, (), (FakeBlock(s),), atomic=False))
    thread.start()
    vm.issue(t, meet, (), (FakeBlock(t),), atomic=False)
    thread.join(10)
    assert meet.met == 2


def test_one_stream_does_not_overlap(vm):
    t = worker()
    inside = []
    worst = []

    def compute():
        inside.append(1)
        worst.append(len(inside))
        threading.Event().wait(0.001)
        inside.pop()

    for _ in range(20):
        vm.issue(t, compute)
    vm.sync()
    assert worst == [1] * 20
