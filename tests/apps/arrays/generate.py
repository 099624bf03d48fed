#!/usr/bin/env python3
"""Prints a source file of this folder with its arrays filled in; and, without an argument, the class Table.

Table.rows is as large as a method can be: 24 arrays, each small enough for its elements to be stored one by one.
"""

import sys

ELEMENTS = {
    "B": lambda i: str(i * 37 % 256 - 128),
    "S": lambda i: str(i * 977 % 65536 - 32768),
    "C": lambda i: str(i * 977 % 65536),
    "I": lambda i: str(i * 7654321 % 2**32 - 2**31),
    "J": lambda i: str(i * 7654321987654321 % 2**64 - 2**63 + 1) + "L",
    "F": lambda i: str(i * 0.75 - 9) + "f",
    "D": lambda i: str(i * 0.75 - 9),
    "Z": lambda i: ["false", "true"][i * 7 % 3 % 2],
}

if len(sys.argv) == 1:
    print("package arrays;\nclass Table {\n  static byte[][] rows() {\n    byte[][] all = new byte[24][];")
    for row in range(24):
        print(f"    all[{row}] = new byte[] {{{','.join(str((i * i + row) % 5 - 1) for i in range(440))}}};")
    print("    return all;\n  }\n}")
else:
    text = open(sys.argv[1]).read()
    for key, element in ELEMENTS.items():
        text = text.replace(f"/*{key}*/", ", ".join(element(i) for i in range(510)))
    print(text)
