"""Objects linked to one shared library, where there may be no linker: what LLVM emits for kernels needs little of one.

    first segment    to read and run: headers, symbols, relocations, code, constants, stubs for functions of other libraries
    second segment   to read and write: what the loader is to do, addresses of those functions, data

Sections are laid out one after the other. An object's one public function gets another name. Functions of other libraries are
called by stubs, which jump to an address that the loader fills in.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from tritonflow.errors import CompileError

_PAGE = 4096
_LIBRARIES = ("libc.so.6", "libm.so.6", "libpthread.so.0")
_WRITE, _ALLOC, _EXEC = 1, 2, 4  # flags of sections
_PROGBITS, _SYMTAB, _RELA, _NOBITS = 1, 2, 4, 8
_ABS64, _PC32, _PLT32, _GOTPCREL, _PC64, _GOTPCRELX, _REX_GOTPCRELX = 1, 2, 4, 9, 24, 41, 42
_GLOB_DAT, _RELATIVE = 6, 8
_STUB = b"\xff\x25"  # jmp *offset(%rip)


class _Section(NamedTuple):
    kind: int
    flags: int
    data: bytes
    size: int
    align: int
    link: int
    info: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int
    is_public: bool


class _Object:
    """What an object file has."""

    def __init__(self, data: bytes) -> None:
        if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", data, 16) != (1, 62):
            raise CompileError("LLVM has emitted no relocatable object for x86-64")
        (start,) = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        self.sections = [self._section(data, start + k * size) for k in range(count)]
        self.symbols: list[_Symbol] = []
        for each in self.sections:
            if each.kind == _SYMTAB:
                names = self.sections[each.link].data
                self.symbols = [_symbol(each.data, at, names) for at in range(0, len(each.data), 24)]

    @staticmethod
    def _section(data: bytes, at: int) -> _Section:
        _, kind, flags, _, offset, size, link, info, align, _ = struct.unpack_from("<IIQQQQIIQQ", data, at)
        content = b"" if kind == _NOBITS else data[offset : offset + size]
        return _Section(kind, flags, content, size, max(align, 1), link, info)


def _symbol(data: bytes, at: int, names: bytes) -> _Symbol:
    name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", data, at)
    return _Symbol(names[name : names.index(b"\0", name)].decode(), section, value, info >> 4 == 1)


def linked(objects: Sequence[tuple[str, bytes]], entry: str) -> bytes:
    """A shared library.

    Args:
        objects: of each a name for its public function, and the object file.
        entry: what this function is called there.

    Raises:
        CompileError: an object needs what this linker does not do.
    """
    return _Link([(name, _Object(data)) for name, data in objects], entry).whole()


class _Link:
    def __init__(self, objects: Sequence[tuple[str, _Object]], entry: str) -> None:
        self._objects, self._entry = objects, entry
        self._wanted = list(dict.fromkeys(
            symbol.name for _, each in objects for symbol in each.symbols if symbol.section == 0 and symbol.name
        ))  # fmt: skip
        self._names = bytearray(b"\0")
        self._libraries = [self._named(name) for name in _LIBRARIES]
        symbols = [*self._wanted, *[name for name, _ in objects]]
        self._symbol_names = [self._named(name) for name in symbols]
        self._count = 1 + len(symbols)
        self._data_relocations = sum(
            symbol_kind == _ABS64 for _, each in objects for _, _, symbol_kind, _, _ in self._relocations(each)
        )
        self._lay_out()

    def _named(self, name: str) -> int:
        at = len(self._names)
        self._names += name.encode() + b"\0"
        return at

    def _lay_out(self) -> None:
        """Where everything lies: offsets in the file are addresses."""
        at = 64 + 4 * 56
        self._hash, at = at, at + 4 * (2 + 1 + self._count)
        self._dynsym = at = -(-at // 8) * 8
        self._dynstr = at = at + 24 * self._count
        self._rela = at = -(-(at + len(self._names)) // 8) * 8
        self._rela_bytes = 24 * (len(self._wanted) + self._data_relocations)
        at += self._rela_bytes
        self._where: dict[tuple[int, int], int] = {}
        at = self._put(at, writable=False)
        self._stubs = at = -(-at // 16) * 16
        self._read_end = at + 8 * len(self._wanted)
        self._dynamic = at = -(-self._read_end // _PAGE) * _PAGE
        self._dynamic_entries = 10 + len(_LIBRARIES)
        self._got = at + 16 * self._dynamic_entries
        self._end = self._put(self._got + 8 * len(self._wanted), writable=True)

    def _put(self, at: int, writable: bool) -> int:
        """Lay out the sections that are loaded, from an address on; the address behind them."""
        for number, (_, each) in enumerate(self._objects):
            for k, section in enumerate(each.sections):
                if section.flags & _ALLOC and section.size and bool(section.flags & _WRITE) is writable:
                    if section.flags & ~0x7FF or section.kind not in (_PROGBITS, _NOBITS):
                        raise CompileError(f"an object has a section of kind {section.kind}, which needs another linker")
                    at = -(-at // section.align) * section.align
                    self._where[number, k] = at
                    at += section.size
        return at

    def whole(self) -> bytes:
        """The library."""
        image = bytearray(self._end)
        for (number, k), at in self._where.items():
            data = self._objects[number][1].sections[k].data
            image[at : at + len(data)] = data
        dynamic = self._relocate(image)
        if len(dynamic) * 24 != self._rela_bytes:
            raise CompileError("the relocations of a library were counted wrong")
        for k, entry in enumerate(dynamic):
            struct.pack_into("<QQq", image, self._rela + 24 * k, *entry)
        for k in range(len(self._wanted)):
            at = self._stubs + 8 * k
            image[at : at + 6] = _STUB + struct.pack("<i", self._got + 8 * k - (at + 6))
        image[self._dynstr : self._dynstr + len(self._names)] = self._names
        self._write_symbols(image)
        self._write_head(image)
        return bytes(image)

    def _relocations(self, each: _Object) -> list[tuple[int, int, int, int, int]]:
        """Section, offset, kind, symbol and addend of those in what is loaded."""
        found = []
        for section in each.sections:
            target = each.sections[section.info] if section.kind == _RELA else None
            if target is not None and target.flags & _ALLOC:
                for at in range(0, len(section.data), 24):
                    offset, info, addend = struct.unpack_from("<QQq", section.data, at)
                    found.append((section.info, offset, info & 0xFFFFFFFF, info >> 32, addend))
        return found

    def _relocate(self, image: bytearray) -> list[tuple[int, int, int]]:
        """Fill in addresses; what is left for the loader."""
        dynamic = [(self._got + 8 * k, (k + 1) << 32 | _GLOB_DAT, 0) for k in range(len(self._wanted))]
        for number, (_, each) in enumerate(self._objects):
            for section, offset, kind, symbol, addend in self._relocations(each):
                place = self._where[number, section] + offset
                target = each.symbols[symbol]
                if kind == _ABS64:
                    if not each.sections[section].flags & _WRITE or target.section == 0:
                        raise CompileError("an object has an address in its code")
                    dynamic.append((place, _RELATIVE, self._address(number, target) + addend))
                elif kind in (_GOTPCREL, _GOTPCRELX, _REX_GOTPCRELX) and target.section == 0:
                    slot = self._got + 8 * self._wanted.index(target.name)
                    struct.pack_into("<i", image, place, slot + addend - place)
                elif kind in (_PC32, _PLT32):
                    struct.pack_into("<i", image, place, self._address(number, target) + addend - place)
                elif kind == _PC64:
                    struct.pack_into("<q", image, place, self._address(number, target) + addend - place)
                else:
                    raise CompileError(f"an object has a relocation of kind {kind}, which needs another linker")
        return dynamic

    def _address(self, number: int, symbol: _Symbol) -> int:
        if symbol.section == 0:
            return self._stubs + 8 * self._wanted.index(symbol.name)
        if (number, symbol.section) not in self._where:
            raise CompileError(f"an object has a symbol {symbol.name!r} that is not loaded")
        return self._where[number, symbol.section] + symbol.value

    def _write_symbols(self, image: bytearray) -> None:
        public = [next(s for s in each.symbols if s.name == self._entry and s.is_public) for _, each in self._objects]
        addresses = [*[0] * len(self._wanted), *[self._address(k, symbol) for k, symbol in enumerate(public)]]
        for k, (name, address) in enumerate(zip(self._symbol_names, addresses)):
            section = 1 if address else 0  # any that is there: the library has no table of sections
            struct.pack_into("<IBBHQQ", image, self._dynsym + 24 * (k + 1), name, 0x12, 0, section, address, 0)
        chain = [0, *[k + 1 for k in range(1, self._count - 1)], 0][: self._count]
        struct.pack_into(f"<III{self._count}I", image, self._hash, 1, self._count, 1 if self._count > 1 else 0, *chain)

    def _write_head(self, image: bytearray) -> None:
        ident = b"\x7fELF\x02\x01\x01" + bytes(9)
        struct.pack_into("<16sHHIQQQIHHHHHH", image, 0, ident, 3, 62, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
        length = 16 * self._dynamic_entries
        for k, (kind, flags, start, end, align) in enumerate((
            (1, 5, 0, self._read_end, _PAGE),
            (1, 6, self._dynamic, self._end, _PAGE),
            (2, 6, self._dynamic, self._dynamic + length, 8),
            (0x6474E551, 6, 0, 0, 16),  # the stack is not to run
        )):  # fmt: skip
            struct.pack_into("<IIQQQQQQ", image, 64 + 56 * k, kind, flags, start, start, start, end - start, end - start, align)
        entries = [(1, name) for name in self._libraries]
        entries += [(4, self._hash), (5, self._dynstr), (6, self._dynsym), (10, len(self._names)), (11, 24)]
        entries += [(7, self._rela), (8, self._rela_bytes), (9, 24), (30, 8), (0, 0)]  # 30: everything is bound at once
        for k, entry in enumerate(entries):
            struct.pack_into("<QQ", image, self._dynamic + 16 * k, *entry)
