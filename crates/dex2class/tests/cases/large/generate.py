#!/usr/bin/env python3
"""Writes methods that no class file has room for, as smali files, and what they return (expected.txt)."""
import random
import struct

out = []
expected = {}


def emit(text):
    out.extend("  " + line.strip() for line in text.strip().splitlines())


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def int32(value):
    return signed(value, 32)


def int64(value):
    return signed(value, 64)


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def java_hash(text):
    value = 0
    for char in text:
        value = int32(value * 31 + ord(char))
    return value


def const(register, value):
    emit(f"const {register}, {value}")


def fluent(count):
    """One value on the stack from the first call to the last."""
    out.append(".method public static tFluent()I")
    emit(".registers 3\nnew-instance v0, LBag;\ninvoke-direct {v0}, LBag;-><init>()V")
    value = 0
    for at in range(count):
        text = f"text {at % 150}"
        emit(f'const-string v1, "{text}"')
        emit("invoke-virtual {v0, v1}, LBag;->add(Ljava/lang/String;)LBag;\nmove-result-object v0")
        value = int32(value * 31 + java_hash(text))
    emit("iget v1, v0, LBag;->hash:I\nreturn v1")
    out.append(".end method")
    expected["tFluent"] = value


def nested(count):
    """An object that waits for its constructor while its arguments are made; its class is initialised before them."""
    out.append(".method public static tNested()I")
    emit(".registers 8\nconst/4 v0, 0\nsput v0, LLarge;->log:I\nnew-instance v0, LNode;\nmove-object v6, v0")
    const("v1", count)
    emit("new-array v1, v1, [LLeaf;")
    value = 0
    for at in range(count):
        text = f"leaf {at % 150}"
        emit(f'new-instance v2, LLeaf;\nconst-string v3, "{text}"')
        emit("invoke-direct {v2, v3}, LLeaf;-><init>(Ljava/lang/String;)V")
        const("v3", at)
        emit("aput-object v2, v1, v3")
        value = int32(value + java_hash(text) * (at + 1))
    emit("invoke-direct {v0, v1}, LNode;-><init>([LLeaf;)V\ninvoke-virtual {v6}, LNode;->sum()I\nmove-result v1\nreturn v1")
    out.append(".end method")
    expected["tNested"] = value
    out.append(".method public static tNestedOrder()I")
    emit(".registers 1\nsget v0, LLarge;->log:I\nreturn v0")
    out.append(".end method")
    # 1 for the class of the object, 2 for that of its arguments.
    expected["tNestedOrder"] = 12


def constants(count):
    """Final static fields."""
    value = 0
    out.append(".method static constructor <clinit>()V")
    emit(".registers 4")
    for at in range(count):
        emit("new-instance v0, Ljava/lang/StringBuilder;\ninvoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V")
        for part in range(3):
            emit(f'const-string v1, "{"abc"[part]}{at % 60}"')
            emit("invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;")
        emit("invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;\nmove-result-object v0")
        emit(f"sput-object v0, LConstants;->f{at % 300}:Ljava/lang/String;")
    emit("return-void")
    out.append(".end method")
    last = {}
    for at in range(count):
        last[at % 300] = f"a{at % 60}b{at % 60}c{at % 60}"
    out.append(".method public static sum()I")
    emit(".registers 3\nconst/4 v0, 0")
    for at in range(300):
        emit(f"sget-object v1, LConstants;->f{at}:Ljava/lang/String;")
        emit("invoke-virtual {v1}, Ljava/lang/String;->hashCode()I\nmove-result v1\nmul-int/lit8 v0, v0, 31\nadd-int v0, v0, v1")
        value = int32(value * 31 + java_hash(last[at]))
    emit("return v0")
    out.append(".end method")
    return value


def constructor(count):
    """Final fields, set after the call of the superclass's constructor, which a branch chooses the argument of."""
    out.append(".method public constructor <init>(IJ)V")
    emit(""".registers 10
        if-lez p1, :less
        const/4 v0, 5
        goto :super
        :less
        const/4 v0, 6
        :super
        invoke-direct {p0, v0}, LBase;-><init>(I)V
        move v1, p1""")
    fields = [0] * 100
    one, wide = 3, 1 << 40
    for at in range(count):
        emit(f"mul-int/lit8 v1, v1, 31\nadd-int/lit8 v1, v1, {at % 100}")
        one = int32(one * 31 + at % 100)
        emit("int-to-long v2, v1\nadd-long p2, p2, v2")
        wide = int64(wide + one)
        emit(f"iput v1, p0, LBig;->f{at % 100}:I")
        fields[at % 100] = one
        if at % 500 == 250:
            emit(f"if-gez v1, :on{at}\nneg-int v1, v1\n:on{at}")
            one = int32(-one) if one < 0 else one
    emit("iput-wide p2, p0, LBig;->wide:J\nreturn-void")
    out.append(".end method")
    value = 5
    out.append(".method public sum()I")
    emit(".registers 4\niget v0, p0, LBig;->base:I")
    for at in range(100):
        emit(f"iget v1, p0, LBig;->f{at}:I\nmul-int/lit8 v0, v0, 31\nadd-int v0, v0, v1")
        value = int32(value * 31 + fields[at])
    emit("iget-wide v1, p0, LBig;->wide:J\nlong-to-int v1, v1\nadd-int v0, v0, v1\nreturn v0")
    out.append(".end method")
    return int32(value + int32(wide))


def booleans(count):
    """A table that takes single stores of 240 KB."""
    pick = random.Random(3)
    table = [pick.randrange(2) for _ in range(count)]
    out.append(".method public static tBooleans()I")
    emit(".registers 6")
    const("v0", count)
    emit("""new-array v1, v0, [Z
        fill-array-data v1, :table
        const/4 v2, 0
        const/4 v3, 0
        :next
        if-ge v3, v0, :done
        aget-boolean v4, v1, v3
        mul-int/lit8 v2, v2, 31
        add-int v2, v2, v4
        add-int/lit8 v3, v3, 1
        goto :next
        :done
        return v2
        :table""")
    emit(".array-data 1\n" + "\n".join(map(str, table)) + "\n.end array-data")
    out.append(".end method")
    value = 0
    for each in table:
        value = int32(value * 31 + each)
    expected["tBooleans"] = value


def throws(count, line):
    """Throws in the middle; `main` prints the frames."""
    out.append(".method public static tThrows()I")
    emit(".registers 3\nconst/4 v0, 1")
    for at in range(1, count):
        emit(f".line {at}")
        if at == line:
            emit("const/4 v1, 0\ndiv-int v0, v0, v1")
        emit(f"mul-int/lit8 v0, v0, 31\nadd-int/lit8 v0, v0, {at % 100}")
    emit("return v0")
    out.append(".end method")
    out.append(".method public static main([Ljava/lang/String;)V")
    print_object = "invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V"
    emit(f""".registers 5
        sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
        :try
        invoke-static {{}}, LLarge;->tThrows()I
        :end
        .catch Ljava/lang/ArithmeticException; {{:try .. :end}} :catch
        return-void
        :catch
        move-exception v2
        invoke-virtual {{v2}}, Ljava/lang/Throwable;->getStackTrace()[Ljava/lang/StackTraceElement;
        move-result-object v2
        const/4 v3, 0
        aget-object v1, v2, v3
        {print_object}
        const/4 v3, 1
        aget-object v1, v2, v3
        {print_object}
        invoke-static {{}}, LLarge;->tProgram()Ljava/lang/String;
        move-result-object v1
        {print_object}
        return-void""")
    out.append(".end method")
    expected["tThrows"] = "java.lang.ArithmeticException"


class Program:
    """Statements on int, long, double and float registers with jumps, handlers and monitors far apart, in a loop."""

    INTS = ["v0", "v1", "v2"]

    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.code = []
        self.tail = []
        for at in range(count):
            self.code.append(self.statement(at, count))

    def statement(self, at, count):
        pick = self.random
        kind = pick.choice(["int", "long", "double", "float", "if", "div", "switch", "lock", "text", "int", "long"])
        a, b = pick.randrange(3), pick.randrange(3)
        to = min(count, at + 1 + pick.choice([1, 3, 20, 300]))
        more = [min(count, at + 1 + pick.randrange(200)) for _ in range(4)]
        return (kind, a, b, pick.randrange(-1000, 1000), to, more)

    def write(self, name, rounds):
        out.append(f".method public static {name}()Ljava/lang/String;")
        emit(""".registers 16
            const/4 v0, 1
            const/4 v1, 2
            const/4 v2, 3
            const-wide/16 v4, 5
            const-wide/16 v6, 0
            const/4 v8, 0
            new-instance v9, Ljava/lang/StringBuilder;
            invoke-direct {v9}, Ljava/lang/StringBuilder;-><init>()V
            const/4 v10, 0
            :again""")
        switches = []
        for at, (kind, a, b, number, to, more) in enumerate(self.code):
            out.append(f"  :s{at}")
            one, other = self.INTS[a], self.INTS[b]
            if kind == "int":
                emit(f"mul-int/lit8 {one}, {one}, 31\nadd-int/lit16 {one}, {one}, {number}")
            elif kind == "long":
                emit(f"const-wide/16 v12, 7\nmul-long v4, v4, v12\nint-to-long v12, {one}\nadd-long v4, v4, v12")
            elif kind == "double":
                emit(f"const-wide/high16 v12, 0x3fe0000000000000L\nmul-double v6, v6, v12\nint-to-double v12, {one}\nadd-double v6, v6, v12")
            elif kind == "float":
                emit(f"const/high16 v11, 0x3e800000\nmul-float v8, v8, v11\nand-int/lit16 v11, {one}, 255\nint-to-float v11, v11\nadd-float v8, v8, v11")
            elif kind == "if":
                emit(f"if-gtz {one}, :s{to}")
            elif kind == "div":
                emit(f"""and-int/lit8 v11, {other}, 3
                    const/16 v14, {number}
                    :try{at}
                    div-int {one}, v14, v11
                    :end{at}
                    .catch Ljava/lang/ArithmeticException; {{:try{at} .. :end{at}}} :catch{at}""")
                self.tail.append(f":catch{at}\nmove-exception v11\nadd-int/lit8 {one}, {one}, 7\ngoto/32 :s{at + 1}")
            elif kind == "switch":
                emit(f"and-int/lit8 v11, {one}, 7\npacked-switch v11, :table{at}")
                cases = "\n".join(f":s{label}" for label in more)
                switches.append(f":table{at}\n.packed-switch 1\n{cases}\n.end packed-switch")
            elif kind == "lock":
                emit(f"""monitor-enter v9
                    :try{at}
                    const-wide/16 v12, {number}
                    xor-long v4, v4, v12
                    invoke-virtual {{v9}}, Ljava/lang/Object;->hashCode()I
                    monitor-exit v9
                    :end{at}
                    .catchall {{:try{at} .. :end{at}}} :catch{at}""")
                self.tail.append(f":catch{at}\nmove-exception v11\nmonitor-exit v9\nthrow v11")
            else:
                emit(f"""and-int/lit8 v11, {one}, 15
                    add-int/lit8 v11, v11, 65
                    int-to-char v11, v11
                    invoke-virtual {{v9, v11}}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;""")
        emit(f""":s{len(self.code)}
            add-int/lit8 v10, v10, 1
            const/16 v11, {rounds}
            if-lt v10, v11, :again
            invoke-virtual {{v9}}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
            move-result-object v11
            invoke-virtual {{v11}}, Ljava/lang/String;->hashCode()I
            move-result v11
            new-instance v9, Ljava/lang/StringBuilder;
            invoke-direct {{v9}}, Ljava/lang/StringBuilder;-><init>()V""")
        for register, kind in [("v0", "I"), ("v1", "I"), ("v2", "I"), ("v4, v5", "J"), ("v6, v7", "D"), ("v8", "F"), ("v11", "I")]:
            emit(f"invoke-virtual {{v9, {register}}}, Ljava/lang/StringBuilder;->append({kind})Ljava/lang/StringBuilder;")
            emit('const-string v14, " "\ninvoke-virtual {v9, v14}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;')
        emit("invoke-virtual {v9}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;\nmove-result-object v9\nreturn-object v9")
        for part in self.tail + switches:
            emit(part)
        out.append(".end method")
        expected[name] = self.run(rounds)

    def run(self, rounds):
        ints, wide, double, single, text = [1, 2, 3], 5, 0.0, 0.0, []
        for _ in range(rounds):
            at = 0
            while at < len(self.code):
                kind, a, b, number, to, more = self.code[at]
                at += 1
                if kind == "int":
                    ints[a] = int32(ints[a] * 31 + number)
                elif kind == "long":
                    wide = int64(wide * 7 + ints[a])
                elif kind == "double":
                    double = double * 0.5 + ints[a]
                elif kind == "float":
                    single = float32(float32(single * 0.25) + (ints[a] & 255))
                elif kind == "if":
                    at = to if ints[a] > 0 else at
                elif kind == "div":
                    by = ints[b] & 3
                    if by:
                        ints[a] = int(abs(number) // by) * (1 if number >= 0 else -1)
                    else:
                        ints[a] = int32(ints[a] + 7)
                elif kind == "switch":
                    case = ints[a] & 7
                    at = more[case - 1] if 1 <= case <= 4 else at
                elif kind == "lock":
                    wide ^= number
                else:
                    text.append(chr((ints[a] & 15) + 65))
        return f"{ints[0]} {ints[1]} {ints[2]} {wide} {show(double)} {show(single, True)} {java_hash(''.join(text))} "


def show(value, single=False):
    """As Java prints a number between 1e-3 and 1e7; others in its form with an exponent."""
    digits = repr(value)
    if single:
        digits = next(d for d in (f"{value:.{n}g}" for n in range(1, 12)) if float32(float(d)) == value)
        digits = repr(float(digits))
    number = float(digits)
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return digits
    mantissa, exponent = f"{number:.17e}".split("e")
    for n in range(0, 18):
        mantissa, exponent = f"{number:.{n}e}".split("e")
        if float(f"{mantissa}e{exponent}") == number:
            break
    mantissa = mantissa if "." in mantissa else mantissa + ".0"
    return f"{mantissa}E{int(exponent)}"


out.append(".class public LLarge;\n.super Ljava/lang/Object;\n.source \"Large.java\"\n.field public static log:I")
fluent(9000)
throws(12000, 7777)
booleans(30000)
nested(4000)
Program(1, 3500).write("tProgram", 20)
Program(2, 5000).write("tSecond", 12)
out.append(".method public static tConstants()I")
emit(".registers 1\ninvoke-static {}, LConstants;->sum()I\nmove-result v0\nreturn v0")
out.append(".end method")
out.append(".method public static tConstructor()I")
emit(".registers 5\nnew-instance v0, LBig;\nconst/4 v1, 3\nconst-wide v2, 0x10000000000L")
emit("invoke-direct {v0, v1, v2, v3}, LBig;-><init>(IJ)V\ninvoke-virtual {v0}, LBig;->sum()I\nmove-result v0\nreturn v0")
out.append(".end method")

out.append("""
.class public LBag;
.super Ljava/lang/Object;
.field public hash:I
.method public constructor <init>()V
  .registers 1
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  return-void
.end method
.method public add(Ljava/lang/String;)LBag;
  .registers 4
  iget v0, p0, LBag;->hash:I
  mul-int/lit8 v0, v0, 31
  invoke-virtual {p1}, Ljava/lang/String;->hashCode()I
  move-result v1
  add-int v0, v0, v1
  iput v0, p0, LBag;->hash:I
  return-object p0
.end method

.class public LLeaf;
.super Ljava/lang/Object;
.field public final text:Ljava/lang/String;
.method static constructor <clinit>()V
  .registers 1
  sget v0, LLarge;->log:I
  mul-int/lit8 v0, v0, 10
  add-int/lit8 v0, v0, 2
  sput v0, LLarge;->log:I
  return-void
.end method
.method public constructor <init>(Ljava/lang/String;)V
  .registers 2
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  iput-object p1, p0, LLeaf;->text:Ljava/lang/String;
  return-void
.end method

.class public LNode;
.super Ljava/lang/Object;
.field public final leaves:[LLeaf;
.method static constructor <clinit>()V
  .registers 1
  sget v0, LLarge;->log:I
  mul-int/lit8 v0, v0, 10
  add-int/lit8 v0, v0, 1
  sput v0, LLarge;->log:I
  return-void
.end method
.method public constructor <init>([LLeaf;)V
  .registers 2
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  iput-object p1, p0, LNode;->leaves:[LLeaf;
  return-void
.end method
.method public sum()I
  .registers 6
  iget-object v0, p0, LNode;->leaves:[LLeaf;
  const/4 v1, 0
  const/4 v2, 0
  :next
  array-length v3, v0
  if-ge v1, v3, :done
  aget-object v3, v0, v1
  iget-object v3, v3, LLeaf;->text:Ljava/lang/String;
  invoke-virtual {v3}, Ljava/lang/String;->hashCode()I
  move-result v3
  add-int/lit8 v1, v1, 1
  mul-int v3, v3, v1
  add-int v2, v2, v3
  goto :next
  :done
  return v2
.end method

.class public LBase;
.super Ljava/lang/Object;
.field public final base:I
.method public constructor <init>(I)V
  .registers 2
  invoke-direct {p0}, Ljava/lang/Object;-><init>()V
  iput p1, p0, LBase;->base:I
  return-void
.end method

.class public LConstants;
.super Ljava/lang/Object;""")
out.extend(f".field public static final f{at}:Ljava/lang/String;" for at in range(300))
expected["tConstants"] = constants(2500)
out.append("\n.class public LBig;\n.super LBase;\n.field public final wide:J")
out.extend(f".field public final f{at}:I" for at in range(100))
expected["tConstructor"] = constructor(5000)

text = "\n".join(out)
for number, part in enumerate(text.split("\n.class ")):
    with open(f"case{number}.smali", "w") as to:
        to.write(part if number == 0 else ".class " + part)
with open("expected.txt", "w") as to:
    for name in sorted(expected):
        verb = "throws" if name == "tThrows" else "="
        to.write(f"{name} {verb} {expected[name]}\n")
