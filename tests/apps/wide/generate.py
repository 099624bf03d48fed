#!/usr/bin/env python3
"""Writes wide/Main.java into the folder given: methods with thousands of variables that live at once."""
import os
import sys


def method(name, count):
    lines = [f"    static int {name}(int from) {{"]
    lines += ["        int sum = 0;"]
    lines += [f"        int v{i} = next(from);" for i in range(count)]
    lines += [f"        sum {'+-^'[i % 3]}= v{i};" for i in reversed(range(count))]
    return "\n".join(lines + ["        return sum;", "    }"])


def expected(count):
    """The same with an array."""
    return f"""        int[] all = new int[{count}];
        for (int i = 0; i < all.length; i++) {{
            all[i] = next(7);
        }}
        int sum = 0;
        for (int i = all.length - 1; i >= 0; i--) {{
            sum = i % 3 == 0 ? sum + all[i] : i % 3 == 1 ? sum - all[i] : sum ^ all[i];
        }}"""


folder = os.path.join(sys.argv[1], "wide")
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "Main.java"), "w") as out:
    out.write(f"""package wide;

public class Main {{
    static int last;

    static int next(int of) {{
        last = last * 31 + of;
        return last;
    }}

{method("wide", 2200)}

{method("wider", 4200)}

    public static void main(String[] args) {{
{expected(2200)}
        last = 0;
        System.out.println("wide " + (wide(7) == sum));
        try {{
            System.out.println("wider " + wider(7));
        }} catch (VerifyError e) {{
            System.out.println(e.getMessage());
        }}
        System.out.println("after " + (next(1) == last));
    }}
}}
""")
