"""The CPU that code is made for."""

from __future__ import annotations

import ctypes
import functools
import platform
import sys
from dataclasses import dataclass, replace

import llvmlite.binding as llvm

from tritonflow.errors import CompileError
from tritonflow.settings import settings

# Names for `cpu=` and TRITONFLOW_CPU_TARGET, and what a CPU must have for them. Other names are
# refused here, since LLVM ends the process over a name that it does not know.
_LEVELS = {"baseline": "x86-64", "avx2": "x86-64-v3", "avx512": "x86-64-v4"}
_V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")  # LLVM may use all of these
_FEATURES: dict[str, tuple[str, ...]] = {
    "x86-64": (),
    "x86-64-v2": ("sse4.2", "popcnt"),
    "x86-64-v3": _V3,
    "x86-64-v4": (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
}
_TILES = ("amx-tile", "amx-bf16", "amx-int8")
_ARCH_PRCTL, _ARCH_REQ_XCOMP_PERM, _XTILEDATA = 158, 0x1023, 18  # Linux's numbers on x86-64


@dataclass(frozen=True, slots=True)
class Target:
    triple: str
    cpu: str
    features: str
    native_f16: bool  # conversions between f16 and f32
    fma: bool
    vector_bits: int
    bf16_dot: bool = False  # vdpbf16ps on vectors of 512 bits
    int8_dot: bool = False  # vpdpbusd on vectors of `vector_bits`
    codegen: int = 1  # LLVM's level of code generation
    amx: bool = False  # tiles of bf16 and int8, which this process may use

    @property
    def key(self) -> str:
        return f"{self.triple}|{self.cpu}|{self.features}|{self.codegen}{'|amx' if self.amx else ''}"


def resolve(cpu: str | None = None) -> Target:
    """`cpu`, or else what the settings say: the host as it describes itself, unless given."""
    return _resolve(cpu or settings.cpu_target, settings.cpu_codegen)


def target_key() -> str:
    """The CPU that kernels are compiled for now, with its features."""
    return resolve().key


def reaches(level: str) -> bool:
    """Whether the host is an x86-64 with all that a level has."""
    return llvm.get_process_triple().startswith("x86_64") and all(_host_features().get(f) for f in _FEATURES[_LEVELS[level]])


@functools.cache
def _resolve(cpu: str, codegen: int) -> Target:
    return replace(_described(cpu), codegen=codegen)


@functools.cache
def _described(cpu: str) -> Target:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    has = _host_features()
    if cpu == "host":
        features = llvm.get_host_cpu_features().flatten()
        arm = platform.machine() in ("aarch64", "arm64")
        bits = 512 if has.get("avx512bw") else 128 if arm else 256
        name = llvm.get_host_cpu_name()
        f16, fma = (arm or bool(has.get(feature)) for feature in ("f16c", "fma"))
        vnni = bool(has.get("avx512vnni" if bits == 512 else "avxvnni"))
        amx = bits == 512 and all(has.get(f) for f in _TILES) and _tiles_allowed()
        return Target(triple, name, features, f16, fma, bits, bool(has.get("avx512bf16")), vnni, amx=amx)
    if cpu == "baseline" and triple.startswith("aarch64"):
        return _generic_arm(triple)
    name = _LEVELS.get(cpu, cpu)
    if name not in _FEATURES or not triple.startswith("x86_64"):
        raise CompileError(
            f"unknown CPU target {cpu!r}: it is 'host', 'baseline', or on x86-64 one of {', '.join([*_LEVELS, *_FEATURES])}"
        )
    missing = [f for f in _FEATURES[name] if not has.get(f)]
    if missing:
        raise CompileError(f"this CPU ({llvm.get_host_cpu_name()}) is no {name}: it lacks {', '.join(missing)}")
    modern = name in ("x86-64-v3", "x86-64-v4")
    return Target(triple, name, "", modern, modern, 512 if name == "x86-64-v4" else 256)


@functools.cache
def _tiles_allowed() -> bool:
    """Ask Linux for the registers of AMX, which a process has to do once. Threads and forked processes have them, too.

    It refuses where a thread has a signal stack that is too small for them.
    """
    if sys.platform != "linux":
        return False
    return ctypes.CDLL(None).syscall(_ARCH_PRCTL, _ARCH_REQ_XCOMP_PERM, _XTILEDATA) == 0


@functools.cache
def foreign(triple: str) -> Target:
    """The least CPU of another architecture, such as
    "aarch64-unknown-linux-gnu", to compile for.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        llvm.Target.from_triple(triple)
    except RuntimeError as error:
        raise CompileError(f"this LLVM has no code generator for {triple}: {error}") from None
    return _generic_arm(triple) if triple.startswith("aarch64") else Target(triple, "generic", "", False, False, 128)


def _generic_arm(triple: str) -> Target:
    """Every 64-bit Arm CPU converts halves, fuses multiplication
    and addition, and has vectors of 128 bits.
    """
    return Target(triple, "generic", "", True, True, 128)


@functools.cache
def _host_features() -> dict[str, bool]:
    return dict(llvm.get_host_cpu_features())
