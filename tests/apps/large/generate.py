#!/usr/bin/env python3
"""Writes apps that are too large to be committed: one with many languages, one in many APKs.

generate.py languages OUT.apk [--languages 80] [--megabytes 60]
generate.py splits FOLDER [--splits 40]

Both take the code of large.apk beside this script. ANDROID_JAR is an SDK's android.jar or Robolectric's android-all jar;
for splits R8_JAR is r8 8.7 or later, and javac and java are on PATH.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = ["--min-sdk-version", "26", "--target-sdk-version", "34", "--version-code", "1", "--version-name", "1.0"]
WORDS = "ladder bridge ferry apple bread screw scale clock stair letter island harbour kitchen patience rain roof".split()
MANIFEST = '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.droidtest.large"'
# Two letters each, and a region where two letters do not suffice.
LANGUAGES = """af am ar as az be bg bn bs ca cs da de el en es et eu fa fi fr gl gu hi hr hu hy in is it iw ja ka kk km kn ko
ky lo lt lv mk ml mn mr ms my nb ne nl or pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zu""".split()


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def text(language, number):
    """A sentence that is the same in every build, and differs between languages and numbers."""
    seed = number * 31 + sum(map(ord, language))
    return f"{language} {number} " + " ".join(WORDS[(seed * (k + 3) + k) % len(WORDS)] for k in range(12))


def strings(folder, language, count):
    folder.mkdir(parents=True)
    with open(folder / "strings.xml", "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<resources>\n')
        for number in range(count):
            out.write(f'<string name="text_{number}">{text(language, number)}</string>\n')
        out.write("</resources>\n")


def add(apk, dex):
    with zipfile.ZipFile(apk, "a", zipfile.ZIP_DEFLATED) as out:
        out.writestr(zipfile.ZipInfo("classes.dex", (1980, 1, 1, 0, 0, 0)), dex)


def own_dex():
    with zipfile.ZipFile(HERE / "large.apk") as apk:
        return apk.read("classes.dex")


def languages(out, count, megabytes):
    regions = ["", "-rAA", "-rBB"]
    names = [language + region for region in regions for language in LANGUAGES][:count]
    each = megabytes * 1_000_000 // (len(names) + 1) // (len(text("en", 1000)) + 4)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        res = work / "res"
        shutil.copytree(HERE / "res", res)
        strings(res / "values-any", "any", each)
        (res / "values-any" / "strings.xml").rename(res / "values" / "texts.xml")
        (res / "values-any").rmdir()
        for name in names:
            strings(res / f"values-{name}", name, each)
        run("aapt2", "compile", "--dir", res, "-o", work / "res.zip")
        run("aapt2", "link", "-o", out, "-I", os.environ["ANDROID_JAR"], "--manifest", HERE / "AndroidManifest.xml",
            *VERSIONS, work / "res.zip")
    add(out, own_dex())
    with zipfile.ZipFile(out) as apk:
        print(f"{len(names)} languages, {each} texts, {apk.getinfo('resources.arsc').file_size} bytes of resources")


def splits(folder, count):
    folder.mkdir(parents=True, exist_ok=True)
    android = os.environ["ANDROID_JAR"]
    features = [f"feature{number}" for number in range(1, count)]
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        activities = "".join(
            f'<activity android:name=".{name}.FeatureActivity" android:exported="true" />' for name in features)
        base = (HERE / "AndroidManifest.xml").read_text(encoding="utf-8")
        (work / "base.xml").write_text(base.replace("</application>", activities + "</application>"), encoding="utf-8")
        run("aapt2", "compile", "--dir", HERE / "res", "-o", work / "base.zip")
        run("aapt2", "link", "-o", folder / "base.apk", "-I", android, "--manifest", work / "base.xml", *VERSIONS,
            work / "base.zip")
        add(folder / "base.apk", own_dex())
        for number, name in enumerate(features):
            source = work / "src" / name
            source.mkdir(parents=True)
            (source / "FeatureActivity.java").write_text(f"""package org.droidtest.large.{name};

public final class FeatureActivity extends android.app.Activity {{
    @Override
    protected void onCreate(android.os.Bundle state) {{
        super.onCreate(state);
        android.widget.TextView text = new android.widget.TextView(this);
        int id = getResources().getIdentifier("title_{name}", "string", getPackageName() + ".{name}");
        text.setText(id == 0 ? "no resource" : getString(id));
        setContentView(text);
    }}
}}
""", encoding="utf-8")
            values = work / name / "values"
            values.mkdir(parents=True)
            (values / "s.xml").write_text(f'<resources><string name="title_{name}">text of {name}</string></resources>', encoding="utf-8")
            (work / f"{name}.xml").write_text(
                f'{MANIFEST} split="{name}"'
                ' android:isFeatureSplit="true"><application android:hasCode="true" /></manifest>', encoding="utf-8")
            run("aapt2", "compile", "--dir", work / name, "-o", work / f"{name}.zip")
            run("aapt2", "link", "-o", folder / f"{name}.apk", "-I", android, "-I", folder / "base.apk",
                "--package-id", hex(0x80 + number), "--manifest", work / f"{name}.xml", *VERSIONS, work / f"{name}.zip")
        run("javac", "-nowarn", "--release", "8", "-Xlint:-options", "-cp", android, "-d", work / "classes",
            *sorted((work / "src").glob("*/*.java")))
        (work / "dex").mkdir()
        run("java", "-cp", os.environ["R8_JAR"], "com.android.tools.r8.D8", "--debug", "--min-api", "26", "--lib", android,
            "--file-per-class", "--output", work / "dex", *sorted((work / "classes").rglob("*.class")))
        for name in features:
            [dex] = (work / "dex").rglob(f"{name}/FeatureActivity.dex")
            add(folder / f"{name}.apk", dex.read_bytes())
    print(f"{count} APKs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("languages")
    one.add_argument("out", type=pathlib.Path)
    one.add_argument("--languages", type=int, default=80)
    one.add_argument("--megabytes", type=int, default=60)
    several = kinds.add_parser("splits")
    several.add_argument("folder", type=pathlib.Path)
    several.add_argument("--splits", type=int, default=40)
    chosen = parser.parse_args()
    if chosen.kind == "languages":
        languages(chosen.out, chosen.languages, chosen.megabytes)
    else:
        splits(chosen.folder, chosen.splits)


main()
