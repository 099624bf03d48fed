#!/usr/bin/env python3
"""Makes the pictures of docs/images: the terminal of `cargo droidtest run APK`, during and after it, and its report.

Needs `script` (util-linux), Chromium, and cargo-droidtest on the path, set up. Arguments: the APK, and the folder of
the pictures. With a third one, a recording of `script` (TYPESCRIPT), nothing is run and only the terminal is drawn.
Those in docs/images were then reduced to a palette of 256 colours (Pillow: quantize(256, MAXCOVERAGE, dither NONE)).
"""

import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

COLUMNS = 160
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff"}
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #0d1117; color: #d0d7de; }}
pre {{ margin: 0; padding: 12px 18px; width: {columns}ch; font: 14px/20px "DejaVu Sans Mono", monospace;
       white-space: pre-wrap; overflow-wrap: anywhere; }}
pre + pre {{ border-top: 1px solid #30363d; }}
</style>"""


def screen(text):
    """The lines of a terminal: a carriage return starts the line over."""
    lines = text.replace("\r\n", "\n").split("\n")
    return [[part for part in line.split("\r") if part][-1:] for line in lines]


def shown(lines):
    """Lines with colours, as HTML."""
    out = []
    for line in lines:
        line = "".join(line).replace("\x1b[2K", "").rstrip()
        opened = False
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if not part.startswith("\x1b["):
                out.append(html.escape(part))
                continue
            codes = part[2:-1].split(";")
            out.append("</span>" if opened else "")
            opened = codes not in (["0"], [""])
            if opened:
                style = "".join(f"color:{COLOURS[c]};" for c in codes if c in COLOURS)
                style += "font-weight:bold;" if "1" in codes else ""
                style += "opacity:.6;" if "2" in codes else ""
                out.append(f'<span style="{style}">')
        out.append("</span>\n" if opened else "\n")
    return "<pre>" + "".join(out) + "</pre>"


def picture(page, file, width, height):
    with tempfile.TemporaryDirectory() as user:
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={user}",
             f"--window-size={width},{height}", f"--screenshot={file}", f"file://{page}"],
            check=True, stderr=subprocess.DEVNULL, timeout=120)


def terminal(recording, file, folder):
    text = recording.split("\n", 1)[1]
    text = text[:text.rfind("\nScript done")] if "\nScript done" in text else text
    # Two thirds through the exploration, at a line that is redrawn.
    redrawn = [m for m in re.finditer(r"(\d+)/(\d+) · [^\r\n]*\r", text)]
    during = next(m for m in redrawn if int(m[1]) * 3 >= int(m[2]) * 2)
    first, last = screen(text[:during.end() - 1]), screen(text)
    page = folder / "terminal.html"
    page.write_text(PAGE.format(columns=COLUMNS) + shown(first) + shown(last[len(first) - 1:]).replace("\n</pre>", "</pre>"))
    plain = (re.sub(r"\x1b\[[0-9;]*[mK]", "", "".join(line)) for line in first + last[len(first) - 1:])
    rows = sum(max(1, len(textwrap.wrap(line, COLUMNS))) for line in plain)
    picture(page, file, 36 + int(COLUMNS * 8.43), rows * 20 + 49)


def main():
    apk, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if len(sys.argv) > 3:
            terminal(pathlib.Path(sys.argv[3]).read_bytes().decode(), out / "terminal.png", folder)
            return
        shutil.copy(apk, folder / "app.apk")
        run = f"stty cols {COLUMNS} rows 50; cargo droidtest run app.apk --color always"
        # 100: there are findings.
        code = subprocess.run(["script", "-q", "-e", "-c", run, "typescript"], cwd=folder, stdout=subprocess.DEVNULL).returncode
        if code not in (0, 100):
            sys.exit(f"{run}: exit code {code}")
        terminal((folder / "typescript").read_bytes().decode(), out / "terminal.png", folder)
        picture((folder / "target/droidtest/latest/report.html").resolve(), out / "report.png", 1200, 1400)


main()
