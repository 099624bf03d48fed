#!/usr/bin/env python3
"""Writes constructors with more code before the superclass's constructor than a method has room for, as smali files, and
what they return."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from structured import Structured, called, caller, int32, java_hash, write_files

OWNER = "LConstructors;"


def prologue(program):
    program.emit(f"""
        .registers 18
        move/from16 v0, p1
        const/4 v1, 2
        const/4 v2, 3
        const-wide/16 v4, 5
        sget-object v8, {OWNER}->a:Ljava/lang/Object;
        sget-object v9, {OWNER}->b:Ljava/lang/Object;
        const/4 v10, 0""")


def base(program, kind, arguments):
    """Calls the superclass's constructor, or another one of the class, on a copy of the object."""
    program.emit(f"move-object/from16 v14, p0\ninvoke-direct {{v14, {arguments}}}, {kind}")


def structured(out, expected, name, seed, sizes, rounds):
    """A class whose constructor has so many statements before and after the superclass's. A field is set before, another
    one after it, and the object's register has another value then."""
    program = Structured(seed, "a")
    owner = f"L{name};"
    before = program.guarded(sizes[0])
    # May throw, without a handler.
    before.insert(len(before) // 2, ("div", 1, 0, 77))
    captured = program.guarded(20)
    after = [("lock", 0, program.guarded(sizes[1]))]
    out.append(f"""
.class public {owner}
.super LBase;
.field public captured:I
.field public later:I
.method public constructor <init>(I)V""")
    prologue(program)
    program.write(before)
    program.emit(f"move-object/from16 v14, p0\niput v1, v14, {owner}->captured:I")
    program.write(captured)
    base(program, "LBase;-><init>(I)V", "v0")
    program.write(after)
    program.emit("move-object/from16 v14, p0")
    if name == "Over":
        program.emit("const/16 p0, 7\nmove/from16 v3, p0\nadd-int v0, v0, v3")
    program.mix("v0")
    program.emit(f"iput v0, v14, {owner}->later:I\nreturn-void")
    out.extend(program.out)
    out.append(".end method")
    caller(out_of_main, f"t{name}", rounds, OWNER, f"""
        new-instance v2, {owner}
        invoke-direct {{v2, v1}}, {owner}-><init>(I)V
        iget v6, v2, LBase;->base:I
        iget v7, v2, {owner}->captured:I
        iget v2, v2, {owner}->later:I
        xor-int v2, v2, v6
        xor-int v2, v2, v7""")

    def compute(argument):
        state = [argument, 2, 3, 5]
        program.run(before, state)
        captured_value = state[1]
        program.run(captured, state)
        base_value = state[0]
        program.run(after, state)
        if name == "Over":
            state[0] = int32(state[0] + 7)
        return program.mixed(state) ^ base_value ^ captured_value

    expected[f"t{name}"] = called(rounds, compute)


def listed(out, expected, count, rounds):
    """`super(new Object[] {...})`, some elements of which are conditional, by way of another constructor."""
    program = Structured(0, "l")
    out.append("""
.class public LListed;
.super LBase;
.method public constructor <init>(I)V""")
    prologue(program)
    program.emit(f"const v3, {count}\nnew-array v3, v3, [Ljava/lang/Object;")
    texts = []
    for at in range(count):
        text = f"text {at % 150}"
        texts.append((at % 10 == 3, at % 7, text))
        if at % 10 == 3:
            program.emit(f'const/4 v6, {at % 7}\nif-le v0, v6, :less{at}\nconst-string v6, "more"\ngoto :set{at}\n:less{at}')
        program.emit(f'new-instance v6, Ljava/lang/StringBuilder;\nconst-string v7, "{text}"')
        program.emit("invoke-direct {v6, v7}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V")
        if at % 10 == 3:
            program.emit(f":set{at}")
        program.emit(f"const v7, {at}\naput-object v6, v3, v7")
    base(program, "LListed;-><init>([Ljava/lang/Object;)V", "v3")
    program.emit("return-void")
    out.extend(program.out)
    out.append(""".end method
.method public constructor <init>([Ljava/lang/Object;)V
  .registers 7
  const/4 v0, 0
  const/4 v1, 0
  :next
  array-length v2, p1
  if-ge v1, v2, :done
  aget-object v2, p1, v1
  invoke-virtual {v2}, Ljava/lang/Object;->toString()Ljava/lang/String;
  move-result-object v2
  invoke-virtual {v2}, Ljava/lang/String;->hashCode()I
  move-result v2
  mul-int/lit8 v0, v0, 31
  add-int v0, v0, v2
  add-int/lit8 v1, v1, 1
  goto :next
  :done
  invoke-direct {p0, v0}, LBase;-><init>(I)V
  return-void
.end method""")
    caller(out_of_main, "tListed", rounds, OWNER, """
        new-instance v2, LListed;
        invoke-direct {v2, v1}, LListed;-><init>(I)V
        iget v2, v2, LBase;->base:I""")

    def compute(argument):
        value = 0
        for conditional, limit, text in texts:
            value = int32(value * 31 + java_hash("more" if conditional and argument > limit else text))
        return value

    expected["tListed"] = called(rounds, compute)


out_of_main = []


def main():
    out, expected = [], {}
    # Little after the call, much after it, and a register that is used again.
    structured(out, expected, "Before", 1, [9000, 50], 200)
    structured(out, expected, "Both", 2, [9000, 9000], 100)
    structured(out, expected, "Over", 3, [7000, 1000], 50)
    listed(out, expected, 7000, 10)
    first = f""".class public {OWNER}
.super Ljava/lang/Object;
.source "Constructors.java"
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
.end method"""
    last = """
.class public LBase;
.super Ljava/lang/Object;
.field public final base:I
.method public constructor <init>(I)V
  .registers 2
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  iput p1, p0, LBase;->base:I
  return-void
.end method"""
    write_files([first, *out_of_main, *out, last], expected)


if __name__ == "__main__":
    main()
