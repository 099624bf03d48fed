#!/usr/bin/env python3
"""Writes methods that hold monitors for longer than a part of a method can be, as smali files, and what they return."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from structured import Structured, called, caller, write_files

OWNER = "LMonitors;"


def method(out, expected, name, program, block, rounds):
    """A method with a parameter, and the test that calls it."""
    program.emit(f"""
        .registers 17
        move/from16 v0, p0
        const/4 v1, 2
        const/4 v2, 3
        const-wide/16 v4, 5
        sget-object v8, {OWNER}->a:Ljava/lang/Object;
        sget-object v9, {OWNER}->b:Ljava/lang/Object;
        const/4 v10, 0""")
    program.write(block)
    program.mix("v0")
    program.emit("return v0")
    out.append(f".method public static m{name}(I)I")
    out.extend(program.out)
    out.append(".end method")
    caller(out, f"t{name}", rounds, OWNER, f"invoke-static {{v1}}, {OWNER}->m{name}(I)I\nmove-result v2")

    def compute(argument):
        state = [argument, 2, 3, 5]
        program.run(block, state)
        return program.mixed(state)

    expected[f"t{name}"] = called(rounds, compute)


def header(out):
    out.append(f"""
.class public {OWNER}
.super Ljava/lang/Object;
.source "Monitors.java"
.field public static final a:Ljava/lang/Object;
.field public static final b:Ljava/lang/Object;
.method static constructor <clinit>()V
  .registers 1
  new-instance v0, Ljava/lang/Object;
  invoke-direct {{v0}}, Ljava/lang/Object;-><init>()V
  sput-object v0, {OWNER}->a:Ljava/lang/Object;
  new-instance v0, Ljava/lang/Object;
  invoke-direct {{v0}}, Ljava/lang/Object;-><init>()V
  sput-object v0, {OWNER}->b:Ljava/lang/Object;
  return-void
.end method""".strip())


def main():
    out, expected = [], {}
    header(out)
    program = Structured(1, "a")
    method(out, expected, "Block", program, [("lock", 0, program.guarded(9000))], 200)
    # As a synchronized method, which exceptions leave.
    program = Structured(2, "b")
    method(out, expected, "Method", program, [("lock", 1, program.guarded(9000, escapes=0.1))], 200)
    program = Structured(3, "c")
    again = ("lock", 0, program.guarded(200, loops=1))
    inner = [*program.guarded(2500, loops=1), ("gc",), again, *program.guarded(500, loops=1)]
    outer = [*program.guarded(1500, loops=1), ("lock", 1, inner), *program.guarded(1500, loops=1)]
    block = [*program.guarded(800), ("loop", 0, 3, [("lock", 0, outer)]), *program.guarded(800)]
    method(out, expected, "Nested", program, block, 5)
    # Many that are small, and a few that are not.
    program = Structured(4, "d")
    block = []
    for _ in range(20):
        block += program.guarded(100)
        block += [("try", "java.lang.RuntimeException", 1, [("lock", 0, program.block(500, 4))])]
    method(out, expected, "Some", program, block, 20)
    write_files(out, expected)


if __name__ == "__main__":
    main()
