"""Random methods with nested blocks, loops, handlers and monitors, as smali text, and what they compute."""
import random


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def int32(value):
    return signed(value, 32)


def int64(value):
    return signed(value, 64)


class Thrown(Exception):
    """An exception of the program, by its Java name."""


class Left(Exception):
    """Control leaves the block of this number."""


class Structured:
    """Statements on v0 to v2 (`int`) and v4 (`long`). The locks are v8, v9 and v10, of which the last is null; loops count
    in v11 to v13; v3, v6, v7, v14 and v15 are free."""

    LOCKS = ["v8", "v9", "v10"]

    def __init__(self, seed, prefix):
        self.random = random.Random(seed)
        self.prefix = prefix
        self.labels = 0
        self.out = []
        # The handlers of what is written, the innermost last: class (none for all) and label; and the range that has them.
        self.handlers = []
        self.begin = None

    def emit(self, text):
        self.out.extend("  " + line.strip() for line in text.strip().splitlines())

    def label(self):
        self.labels += 1
        return f":{self.prefix}{self.labels}"

    def handle(self, handler):
        """Adds a handler for what follows, or takes the last one away. Ranges of dex files do not overlap, so that each has
        the handlers of those around it."""
        label = self.label()
        self.emit(label)
        if self.begin and any(line.strip()[0] not in ":." for line in self.out[self.begin[1] :]):
            for caught, target in reversed(self.handlers):
                directive = f".catch {caught}" if caught else ".catchall"
                self.emit(f"{directive} {{{self.begin[0]} .. {label}}} {target}")
                if not caught:
                    break
        if handler:
            self.handlers.append(handler)
        else:
            self.handlers.pop()
        self.begin = (label, len(self.out))

    # A block is a list of statements, each a tuple that begins with its kind.

    def block(self, count, depth=0, loops=0, locks=True, outer=()):
        made = []
        while count > 0:
            cost, statement = self.statement(count, depth, loops, locks, outer)
            made.append(statement)
            count -= cost
        return made

    def statement(self, most, depth, loops, locks, outer):
        pick = self.random
        a, number = pick.randrange(3), pick.randrange(-1000, 1000)
        b = (a + pick.randrange(1, 3)) % 3
        simple = ["int", "int", "long", "div"] + (["holds"] if locks else []) + (["leave"] if outer else [])
        nested = ["if", "loop", "try", "named"] + (["lock", "lock"] if locks else [])
        kind = pick.choice(nested if depth < 5 and most > 3 and pick.random() < 0.3 else simple)
        size = pick.randrange(1, max(2, min(most, 40)))
        if kind == "leave":
            return 1, (kind, pick.choice(outer), a)
        if kind == "holds":
            return 1, (kind, pick.randrange(2))
        if kind == "if":
            half = max(1, size // 2)
            blocks = [self.block(half, depth + 1, loops, locks, outer) for _ in range(2)]
            return 1 + 2 * half, (kind, a, *blocks)
        if kind == "loop" and loops < 3:
            return 2 + size, (kind, loops, pick.randrange(1, 4), self.block(size, depth + 1, loops + 1, locks, outer))
        if kind == "lock":
            # Rarely the one that is null.
            return 3 + size, (kind, pick.choice([0, 0, 0, 1, 1, 1, 2]), self.block(size, depth + 1, loops, locks, outer))
        if kind == "try":
            caught = pick.choice(["java.lang.ArithmeticException", "java.lang.RuntimeException"])
            return 3 + size, (kind, caught, a, self.block(size, depth + 1, loops, locks, outer))
        if kind == "named":
            self.labels += 1
            name = self.labels
            return 1 + size, (kind, name, self.block(size, depth + 1, loops, locks, (*outer, name)))
        return 1, ("int" if kind == "loop" else kind, a, b, number)

    def guarded(self, count, escapes=0.0, **how):
        """A list of `try` statements, of which each has some of `count` statements; some parts of it have no handler."""
        made = []
        while count > 0:
            size = self.random.randrange(5, 60)
            block = self.block(size, 1, **how)
            made += block if self.random.random() < escapes else [("try", "java.lang.RuntimeException", 0, block)]
            count -= size + 3
        return made

    def write(self, block, held=()):
        """`held` are the locks and the named blocks around, the innermost last."""
        for statement in block:
            getattr(self, "write_" + statement[0])(*statement[1:], held)

    def write_int(self, a, b, number, held):
        self.emit(f"mul-int/lit8 v{a}, v{a}, 31\nadd-int/lit16 v{a}, v{a}, {number}\nxor-int v{a}, v{a}, v{b}")

    def write_long(self, a, b, number, held):
        self.emit(f"int-to-long v6, v{a}\nadd-long v4, v4, v6\nconst-wide/16 v6, {number | 1}\nmul-long v4, v4, v6")

    def write_div(self, a, b, number, held):
        self.emit(f"and-int/lit8 v3, v{b}, 15\nconst/16 v14, {number}\ndiv-int v14, v14, v3\nadd-int v{a}, v{a}, v14")

    def write_holds(self, lock, held):
        self.emit(f"""invoke-static {{{self.LOCKS[lock]}}}, Ljava/lang/Thread;->holdsLock(Ljava/lang/Object;)Z
            move-result v3\nmul-int/lit8 v0, v0, 31\nadd-int v0, v0, v3""")

    def write_gc(self, held):
        self.emit("invoke-static {}, Ljava/lang/System;->gc()V")

    def write_if(self, a, yes, no, held):
        then, end = self.label(), self.label()
        self.emit(f"if-gtz v{a}, {then}")
        self.write(no, held)
        self.emit(f"goto/32 {end}\n{then}")
        self.write(yes, held)
        self.emit(end)

    def write_loop(self, number, rounds, body, held):
        again, end, counter = self.label(), self.label(), f"v{11 + number}"
        self.emit(f"const/4 {counter}, 0\n{again}")
        self.write(body, held)
        self.emit(f"add-int/lit8 {counter}, {counter}, 1\nconst/16 v3, {rounds}\nif-ge {counter}, v3, {end}")
        self.emit(f"goto/32 {again}\n{end}")

    def write_lock(self, lock, body, held):
        """As D8 writes it: the handler releases the monitor, and has itself as a handler."""
        register = self.LOCKS[lock]
        handler, after = self.label(), self.label()
        self.emit(f"monitor-enter {register}")
        self.handle((None, handler))
        self.write(body, (*held, register))
        self.emit(f"monitor-exit {register}")
        self.handle(None)
        self.emit(f"goto/32 {after}\n{handler}\nmove-exception v15")
        self.handle((None, handler))
        self.emit(f"monitor-exit {register}")
        self.handle(None)
        self.emit(f"throw v15\n{after}")

    def write_try(self, caught, a, body, held):
        handler, after = self.label(), self.label()
        self.handle(("L" + caught.replace(".", "/") + ";", handler))
        self.write(body, (*held, "try"))
        self.emit("nop")
        self.handle(None)
        self.emit(f"""goto/32 {after}\n{handler}\nmove-exception v15
            invoke-virtual {{v15}}, Ljava/lang/Object;->hashCode()I
            add-int/lit8 v{a}, v{a}, 7\n{after}""")

    def write_named(self, name, body, held):
        self.write(body, (*held, name))
        self.emit(f":{self.prefix}after{name}")

    def write_leave(self, name, a, held):
        go, stay = self.label(), self.label()
        self.emit(f"and-int/lit8 v3, v{a}, 7\nif-eqz v3, {go}\ngoto/32 {stay}\n{go}")
        for around in reversed(held[held.index(name) :]):
            if around in self.LOCKS:
                self.emit(f"monitor-exit {around}")
        self.emit(f"goto/32 :{self.prefix}after{name}\n{stay}")

    def mix(self, to):
        """Computes one number of all of them."""
        self.emit("mul-int/lit8 v0, v0, 31\nadd-int v0, v0, v1\nmul-int/lit8 v0, v0, 31\nadd-int v0, v0, v2")
        self.emit(f"long-to-int v3, v4\nmul-int/lit8 v0, v0, 31\nadd-int {to}, v0, v3")

    @staticmethod
    def mixed(state):
        value = state[0]
        for number in state[1:]:
            value = int32(value * 31 + int32(number))
        return value

    def run(self, block, state, held=()):
        """Computes what a block does to `state`: three numbers and a long one."""
        for kind, *rest in block:
            if kind == "int":
                a, b, number = rest
                state[a] = int32(int32(state[a] * 31 + number))
                state[a] ^= state[b]
            elif kind == "long":
                state[3] = int64(int64(state[3] + state[rest[0]]) * (rest[2] | 1))
            elif kind == "div":
                a, b, number = rest
                by = state[b] & 15
                if by == 0:
                    raise Thrown("java.lang.ArithmeticException")
                state[a] = int32(state[a] + abs(number) // by * (1 if number >= 0 else -1))
            elif kind == "holds":
                state[0] = int32(state[0] * 31 + int(rest[0] in held))
            elif kind == "if":
                self.run(rest[1] if state[rest[0]] > 0 else rest[2], state, held)
            elif kind == "loop":
                for _ in range(rest[1]):
                    self.run(rest[2], state, held)
            elif kind == "lock":
                if rest[0] == 2:
                    raise Thrown("java.lang.NullPointerException")
                self.run(rest[1], state, (*held, rest[0]))
            elif kind == "try":
                try:
                    self.run(rest[2], state, held)
                except Thrown as thrown:
                    if rest[0] not in ("java.lang.RuntimeException", str(thrown)):
                        raise
                    state[rest[1]] = int32(state[rest[1]] + 7)
            elif kind == "named":
                try:
                    self.run(rest[1], state, held)
                except Left as left:
                    if left.args[0] != rest[0]:
                        raise
            elif kind == "leave" and state[rest[1]] & 7 == 0:
                raise Left(rest[0])


def java_hash(text):
    value = 0
    for char in text:
        value = int32(value * 31 + ord(char))
    return value


def caller(out, name, rounds, owner, call):
    """A test that calls a method with 0, 1, 2 and so on, and returns a number of all results and exceptions, how many
    threw, and how often a monitor was held after that. `call` gets its argument from v1 and leaves its result in v2."""
    out.append(f".method public static {name}()Ljava/lang/String;")
    text = f"""
        .registers 10
        const/4 v0, 0
        const/4 v1, 0
        const/4 v4, 0
        const/4 v5, 0
        :again
        :begin
        {call}
        :end
        .catchall {{:begin .. :end}} :caught
        goto :next
        :caught
        move-exception v3
        invoke-virtual {{v3}}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
        move-result-object v3
        invoke-virtual {{v3}}, Ljava/lang/Class;->getName()Ljava/lang/String;
        move-result-object v3
        invoke-virtual {{v3}}, Ljava/lang/String;->hashCode()I
        move-result v2
        add-int/lit8 v4, v4, 1
        :next
        mul-int/lit8 v0, v0, 31
        add-int v0, v0, v2"""
    for lock in ["a", "b"]:
        text += f"""
            sget-object v3, {owner}->{lock}:Ljava/lang/Object;
            invoke-static {{v3}}, Ljava/lang/Thread;->holdsLock(Ljava/lang/Object;)Z
            move-result v3
            add-int v5, v5, v3"""
    text += f"""
        add-int/lit8 v1, v1, 1
        const/16 v3, {rounds}
        if-lt v1, v3, :again
        new-instance v3, Ljava/lang/StringBuilder;
        invoke-direct {{v3}}, Ljava/lang/StringBuilder;-><init>()V"""
    for register in ["v0", "v4", "v5"]:
        text += f"""
            invoke-virtual {{v3, {register}}}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
            const/16 v6, 32
            invoke-virtual {{v3, v6}}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;"""
    text += """
        invoke-virtual {v3}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
        move-result-object v3
        return-object v3"""
    out.extend("  " + line.strip() for line in text.strip().splitlines())
    out.append(".end method")


def called(rounds, compute):
    """What such a test returns. `compute` gives the result for an argument, or raises [`Thrown`]."""
    value = threw = 0
    for argument in range(rounds):
        try:
            result = compute(argument)
        except Thrown as thrown:
            result = java_hash(str(thrown))
            threw += 1
        value = int32(value * 31 + result)
    return f"{value} {threw} 0 "


def write_files(out, expected):
    """Writes `caseN.smali`, a class each, and `expected.txt`."""
    for number, part in enumerate("\n".join(out).split("\n.class ")):
        with open(f"case{number}.smali", "w") as to:
            to.write(part if number == 0 else ".class " + part)
    with open("expected.txt", "w") as to:
        for name in sorted(expected):
            to.write(f"{name} = {expected[name]}\n")
