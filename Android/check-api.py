#!/usr/bin/env python3
"""Holds what class files name of Android against the list api.txt.

usage: check-api.py [--part] LIST STANDINS CLASSES...

STANDINS and CLASSES are folders of class files; several folders of stand-ins have colons between, the first counts. With --part, CLASSES need not name all of the list.

A line of the list is `LEVEL CLASS`, `LEVEL CLASS NAME(ARGUMENTS): RESULT`, `LEVEL CLASS NAME: TYPE` or
`LEVEL CLASS NAME = VALUE`: the API level that brought it, and for a constant what the compiler copies into our classes.

- Every class and member of android.* that CLASSES name, or override, is in the list, and nothing else is.
- What came after FLOOR is named only where SDK_INT is known to be its level or a later one: a method compares it itself.
- A constant of the stand-ins has the value that the list says.
"""

import struct
import sys
from pathlib import Path

FLOOR = 30
SDK = ("android/os/Build$VERSION", "SDK_INT", "I")

# Bytes that follow an opcode; the four with a length of their own are in `instructions`.
LENGTHS = {0x10: 1, 0x11: 2, 0x12: 1, 0x13: 2, 0x14: 2, 0x84: 2, 0xB9: 4, 0xBA: 4, 0xBC: 1, 0xC5: 3, 0xC8: 4, 0xC9: 4}
for opcodes, length in [
    (range(0x15, 0x1A), 1), (range(0x36, 0x3B), 1), (range(0x99, 0xA9), 2), ([0xA9], 1), (range(0xB2, 0xB9), 2),
    ([0xBB, 0xBD, 0xC0, 0xC1, 0xC6, 0xC7], 2),
]:
    LENGTHS.update(dict.fromkeys(opcodes, length))
GETSTATIC, GOTO = 0xB2, (0xA7, 0xC8)
PUSHES = (0x10, 0x11)
# What SDK_INT is then at least: where the jump is taken, and where it is not, as a distance to the number compared with.
COMPARISONS = {0xA1: (None, 0), 0xA2: (0, None), 0xA3: (1, None), 0xA4: (None, 1)}
ENDS = {0xBF, *range(0xAC, 0xB2)}  # throw and return


class ClassFile:
    """What a class file names, declares and runs (JVMS, chapter 4)."""

    def __init__(self, path):
        self.path, self.data, self.at = path, path.read_bytes(), 8
        self.pool = [None]
        count = self.u2()
        while len(self.pool) < count:
            self.read_constant()
        self.flags, self.name, self.super = self.u2(), self.class_name(self.u2()), self.class_name(self.u2())
        self.interfaces = [self.class_name(self.u2()) for _ in range(self.u2())]
        self.fields = [self.read_member() for _ in range(self.u2())]
        self.methods = [self.read_member() for _ in range(self.u2())]

    def take(self, form):
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(">" + form)
        return values[0]

    def u2(self):
        return self.take("H")

    def read_constant(self):
        tag = self.take("B")
        if tag == 1:
            length = self.u2()
            value = self.data[self.at : self.at + length].replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
            self.at += length
        elif tag in (3, 4, 5, 6):
            value = self.take({3: "i", 4: "f", 5: "q", 6: "d"}[tag])
        elif tag in (7, 8, 16, 19, 20):
            value = self.u2()
        elif tag == 15:
            value = (self.take("B"), self.u2())
        else:
            value = (self.u2(), self.u2())
        self.pool += [(tag, value)] + [None] * (tag in (5, 6))

    def text(self, index):
        return self.pool[index][1]

    def class_name(self, index):
        return self.text(self.text(index)) if index else None

    def member(self, index):
        """The (class, name, descriptor) that a constant names, or None."""
        if not self.pool[index] or self.pool[index][0] not in (9, 10, 11):
            return None
        owner, pair = self.pool[index][1]
        name, descriptor = self.text(pair)
        return self.class_name(owner), self.text(name), self.text(descriptor)

    def read_member(self):
        flags, name, descriptor = self.u2(), self.text(self.u2()), self.text(self.u2())
        code, handlers, caught, value = b"", [], set(), None
        for _ in range(self.u2()):
            attribute, length = self.text(self.u2()), self.take("I")
            end = self.at + length
            if attribute == "Code":
                self.at += 4
                count = self.take("I")
                code = self.data[self.at : self.at + count]
                self.at += count
                for _ in range(self.u2()):
                    handlers.append((self.u2(), self.u2(), self.u2()))
                    caught.add(self.class_name(self.u2()))
            elif attribute == "ConstantValue":
                tag, value = self.pool[self.u2()]
                value = '"%s"' % self.text(value) if tag == 8 else value
            self.at = end
        return flags, name, descriptor, (code, handlers), caught - {None}, value

    def named(self):
        """Every class and member that the constant pool names."""
        found = set()
        for index, constant in enumerate(self.pool):
            if constant and constant[0] == 7:
                name = self.class_name(index)
                found.add((name.lstrip("[").removeprefix("L").rstrip(";") if name[0] == "[" else name, None, None))
            elif constant and self.member(index):
                found.add(self.member(index))
        return found


def instructions(code):
    """Yields (offset, opcode, operand, size, targets of jumps)."""
    at = 0
    while at < len(code):
        op, operand, targets = code[at], None, []
        if op in (0xAA, 0xAB):  # tableswitch, lookupswitch
            start = (at + 4) & ~3
            default, low, high = struct.unpack_from(">iii", code, start)
            count, first, step = (high - low + 1, start + 12, 4) if op == 0xAA else (low, start + 12, 8)
            targets = [at + default] + [at + struct.unpack_from(">i", code, first + step * n)[0] for n in range(count)]
            size = (start + 12 + 4 * count if op == 0xAA else start + 8 + 8 * count) - at
        elif op == 0xC4:  # wide
            size = 6 if code[at + 1] == 0x84 else 4
        else:
            size = 1 + LENGTHS.get(op, 0)
            signed = op in PUSHES or 0x99 <= op <= 0xA8 or op in (0xC6, 0xC7, 0xC8)
            operand = int.from_bytes(code[at + 1 : at + (size if op == 0xC8 else min(size, 3))], "big", signed=signed)
            if signed and op not in PUSHES:
                targets = [at + operand]
        yield at, op, operand, size, targets
        at += size


def levels(file, code, handlers):
    """What SDK_INT is at least, wherever the code may come: {offset: level}."""
    steps = {step[0]: step for step in instructions(code)}
    known, waiting = {}, [(0, FLOOR)]
    while waiting:
        at, level = waiting.pop()
        if at in known and known[at] <= level:
            continue
        known[at] = level
        _, op, _, size, targets = steps[at]
        jumps = falls = level
        if op in COMPARISONS:
            number = compared(file, steps, at)
            taken, past = COMPARISONS[op]
            if number is not None:
                jumps = level if taken is None else max(level, number + taken)
                falls = level if past is None else max(level, number + past)
        waiting += [(target, jumps) for target in targets]
        if op not in ENDS and op not in GOTO and op not in (0xAA, 0xAB):
            waiting.append((at + size, falls))
        waiting += [(handler, level) for start, end, handler in handlers if start <= at < end]
    return known


def compared(file, steps, at):
    """The number that the jump at an offset compares SDK_INT with; None if it compares anything else."""
    before = sorted(offset for offset in steps if offset < at)[-2:]
    if len(before) < 2:
        return None
    (_, load, field, _, _), (_, push, number, _, _) = (steps[offset] for offset in before)
    return number if load == GETSTATIC and file.member(field) == SDK and push in PUSHES else None


def spoken(descriptor):
    """A type as Java writes it."""
    arrays = len(descriptor) - len(descriptor.lstrip("["))
    base = descriptor[arrays:]
    simple = dict(V="void", Z="boolean", B="byte", C="char", S="short", I="int", J="long", F="float", D="double")
    return simple.get(base, base[1:-1].replace("/", ".")) + "[]" * arrays


def line(owner, name=None, descriptor=None):
    """A class or member as the list writes it."""
    owner = owner.replace("/", ".")
    if name is None:
        return owner
    if descriptor[0] != "(":
        return f"{owner} {name}: {spoken(descriptor)}"
    arguments, result = descriptor[1:].split(")")
    kinds = []
    while arguments:
        end = len(arguments) - len(arguments.lstrip("["))
        end = arguments.index(";", end) + 1 if arguments[end] == "L" else end + 1
        kinds.append(spoken(arguments[:end]))
        arguments = arguments[end:]
    return f"{owner} {name}({', '.join(kinds)}): {spoken(result)}"


def is_android(name):
    return name.startswith("android/")


def read(folders):
    files = [ClassFile(path) for folder in folders for path in sorted(Path(folder).rglob("*.class"))]
    return {file.name: file for file in files}


def main():
    arguments = sys.argv[1:]
    is_part = arguments[0] == "--part"
    arguments = arguments[is_part:]
    listed, constants = {}, {}
    for text in Path(arguments[0]).read_text().splitlines():
        if not text or text.startswith("#"):
            continue
        level, entry = text.split(" ", 1)
        if " = " in entry:
            entry, value = entry.split(" = ")
            constants[entry] = value
        else:
            listed[entry] = int(level)
    standins, ours = read(reversed(arguments[1].split(":"))), read(arguments[2:])
    wrong, seen = [], set()

    def ancestors(name):
        """The classes and interfaces above one of ours, and in Android above these as far as the stand-ins tell."""
        file = ours.get(name) or standins.get(name)
        above = [] if file is None else [file.super, *file.interfaces]
        for parent in filter(None, above):
            yield parent
            yield from ancestors(parent)

    def declares(file, name, descriptor):
        return any(member[1:3] == (name, descriptor) for member in file.methods + file.fields)

    def resolve(owner, name, descriptor):
        """What of Android is meant where a class of ours is named, or an array; None if nothing."""
        if is_android(owner):
            return owner, name, descriptor
        if name is None or owner not in ours or declares(ours[owner], name, descriptor):
            return None
        for parent in ancestors(owner):
            if is_android(parent) and parent in standins and declares(standins[parent], name, descriptor):
                return parent, name, descriptor
        return None

    for file in ours.values():
        where = file.name.replace("/", ".")
        later = {}  # what came after the floor: how often code names it
        for named in file.named():
            meant = resolve(*named)
            if meant is None:
                continue
            entry = line(*meant)
            seen.add(entry)
            if entry not in listed:
                wrong.append(f"{where}: not in api.txt: {entry}")
            elif listed[entry] > FLOOR:
                later[entry] = 0
        for _, name, descriptor, code, caught, _ in file.methods:
            for parent in ancestors(file.name):
                if is_android(parent) and name != "<init>" and parent in standins and declares(standins[parent], name, descriptor):
                    entry = line(parent, name, descriptor)
                    seen.add(entry)
                    if entry not in listed:
                        wrong.append(f"{where}: overrides what is not in api.txt: {entry}")
            known = levels(file, *code) if code[0] else {}
            for at, op, operand, _, _ in instructions(code[0]):
                if not (0xB2 <= op <= 0xB9 or op in (0xBB, 0xBD, 0xC0, 0xC1)):
                    continue
                named = file.member(operand) or (file.class_name(operand), None, None)
                meant = resolve(*named)
                entry = meant and line(*meant)
                if entry not in later:
                    continue
                for told in {entry, line(meant[0])} & later.keys():
                    later[told] += 1
                if known.get(at, FLOOR) < listed[entry]:
                    wrong.append(f"{where}.{name}: API {listed[entry]}, without a guard: {entry}")
            for name in caught:
                if listed.get(line(name), 0) > FLOOR:
                    wrong.append(f"{where}: API {listed[line(name)]}, in a catch: {line(name)}")
        wrong += [f"{where}: API {listed[entry]}, named without a guard: {entry}" for entry, count in later.items() if count == 0]

    if not is_part:
        for file in standins.values():
            for flags, name, descriptor, _, _, value in file.fields:
                if value is None or not flags & 1 or not is_android(file.name):
                    continue
                entry = line(file.name, name, descriptor).split(":")[0]
                expected = constants.pop(entry, "nothing")
                if expected != str(value):
                    wrong.append(f"a stand-in says {entry} = {value}, api.txt {expected}")
        wrong += [f"nobody names {entry}" for entry in set(listed) - seen]
        wrong += [f"no stand-in has {entry}" for entry in constants]

    for text in sorted(set(wrong)):
        print(text)
    if not wrong:
        later = sum(level > FLOOR for level in listed.values())
        print(f"{len(seen)} classes and members, {later} of them after API {FLOOR} and behind a guard")
    return 1 if wrong else 0


sys.exit(main())
