"""Statements that draw random numbers. Torch draws others: these are for programs that are compared with tritonflow's own eager mode."""

from __future__ import annotations

from tests.fuzz.scene import Drawn, Scene, statement


@statement("draws", 3)
def fresh(s: Scene) -> Drawn:
    shape = s.rng.choice(("3, 4", "4", "3, 1"))
    dtype = s.dtypes[0]
    return f"{s.fresh()} = lib.{s.rng.choice(('rand', 'randn'))}({shape}, dtype=lib.{dtype})"


@statement("draws", 2)
def alike(s: Scene) -> Drawn:
    x = s.floating()
    return f"{s.fresh()} = lib.{s.rng.choice(('rand_like', 'randn_like'))}({x})"


@statement("draws", 3)
def dropped(s: Scene) -> Drawn:
    x = s.floating()
    return f"{s.fresh()} = lib.nn.functional.dropout({x}, {s.rng.choice(('0.5', '0.25', '0.0'))}, training={s.rng.random() < 0.8})"


@statement("draws")
def integers(s: Scene) -> Drawn:
    return f"{s.fresh()} = lib.randint(0, 3, (3, 4))"


@statement("draws")
def overwritten(s: Scene) -> Drawn:
    x = s.floating(lambda t: not t.requires_grad and t._base is None)
    return f"{x}.{s.rng.choice(('normal_', 'uniform_'))}()"
