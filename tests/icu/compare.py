#!/usr/bin/env python3
"""Compares which regular expressions the jvm device refuses (IcuSyntax.java) with ICU 72 itself, on random patterns.

    tests/icu/compare.py SEED COUNT

Needs libicu72 (Debian: apt-get install libicu72) and a JDK on PATH. Prints each pattern that only the device refuses,
and the counts; exits with 1 if there is such a pattern. What only ICU refuses is counted: names of properties and
characters are not looked up by the device.
"""
import ctypes
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BOX = os.path.join(HERE, "../../src/device/agent/java/droidtest/host/box")
ICU = ctypes.CDLL("libicui18n.so.72")
ICU.uregex_open_72.restype = ctypes.c_void_p
UNKNOWN_ESCAPES, COMMENTS = 512, 4  # Android sets the first flag
PIECES = r"""a b z 0 1 9 ] [ [ ] [^ - & && -- ( ) ( ) (?: (?= (?! (?<= (?<! (?<n> (?<m1> (?> (?i) (?x) (?-x) (?x: (?U)
(?#c) (?# # * + ? { } {2} {2,} {2,3} {3,2} {,3} {99999999999} | . ^ $ \ \d \w \s \S \b \B \A \z \Z \G \X \R \h \v \k<n>
\1 \2 \12 \0 \07 \0777 \x4 \x41 \x{41} \x{110000} \x{41 \u0041 \u00 \ud83d\ude00 \ud83d \U0001F600 \cA \c \n \t \Q \E
\Qa*b\E \p{Lu} \P{L} \pL \p \p{Lu \- \] \[ \{ \} \( \) \/ \q \y \_ \é é 😀 [:alpha:] [[:alpha:]] [: [a-z] [z-a]
\N{SPACE} \N a-z z-a \\ = ! < > : , x i""".split() + [" ", "\n"]
ATOMS = r"a b \d [a-z] [^x\]] . \w \. \p{Lu} [\w-] [-a] [a&&[b]] [a-c[d]] \{ é".split()


def refused_by_icu(pattern, comments):
    text = pattern.encode("utf-16-le", "surrogatepass")
    units = (ctypes.c_uint16 * (len(text) // 2 + 1)).from_buffer_copy(text + b"\0\0")
    status, place = ctypes.c_int32(0), (ctypes.c_uint16 * 64)()
    flags = UNKNOWN_ESCAPES | (COMMENTS if comments else 0)
    made = ICU.uregex_open_72(units, len(text) // 2, flags, place, ctypes.byref(status))
    if made:
        ICU.uregex_close_72(ctypes.c_void_p(made))
    return status.value > 0


def pieces(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, rng.choice([3, 6, 10, 20]))))


def expression(rng, depth):
    kind = rng.random()
    if depth <= 0 or kind < 0.4:
        text = rng.choice(ATOMS)
    elif kind < 0.6:
        text = rng.choice("( (?: (?> (?i: (?= (?<= (?<! (?<n>".split()) + expression(rng, depth - 1) + ")"
    else:
        text = expression(rng, depth - 1) + ("" if kind < 0.8 else "|") + expression(rng, depth - 1)
    if rng.random() < 0.4:
        text += rng.choice("* + ? *? {2} {0,4} {3,} ++ {0}".split())
    return text


def spoilt(rng):
    """A pattern that is right, or has one place changed."""
    text = expression(rng, 4)
    if rng.random() < 0.5:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(PIECES) + text[at + rng.randint(0, 1):]
    return text


def refused_by_device(cases):
    lines = ("%d %s\n" % (comments, pattern.encode("utf-16-be", "surrogatepass").hex()) for pattern, comments in cases)
    with tempfile.TemporaryDirectory() as out:
        sources = [os.path.join(BOX, name + ".java") for name in ("IcuReader", "IcuSet", "IcuSyntax")]
        subprocess.run(["javac", "-d", out, *sources, os.path.join(HERE, "Verdicts.java")], check=True)
        java = ["java", "-cp", out, "droidtest.host.box.Verdicts"]
        said = subprocess.run(java, input="".join(lines).encode(), stdout=subprocess.PIPE, check=True).stdout
    return said.decode().split("\n")[:-1]


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    cases = [((spoilt, pieces)[at % 2](rng), rng.random() < 0.3) for at in range(count)]
    said = refused_by_device(cases)
    assert len(said) == count, len(said)
    accepted = only_icu = only_device = 0
    for (pattern, comments), why in zip(cases, said):
        wrong = refused_by_icu(pattern, comments)
        accepted += not wrong
        only_icu += wrong and not why
        if why and not wrong:
            only_device += 1
            print(repr(pattern), "with comments:" if comments else "", why)
    print(f"{count} patterns: ICU accepts {accepted}; refused by ICU alone {only_icu}, by the device alone {only_device}")
    sys.exit(only_device > 0)


main()
