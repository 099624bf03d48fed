#!/bin/sh
# Builds toolbox.apk: an app of real size, as Android Studio packs a debug build. Kotlin, eleven libraries that its pages
# use and two that come along with them, nothing shrunk: more than 60 MB of dex, the libraries' in a few large files and
# the app's own in many small ones.
#
#   ./build.sh            writes target/toolbox/toolbox.apk
#   ./build.sh out.apk    writes out.apk
#
# The APK is too large to be committed. Needs Maven, aapt2, apksigner, python3 and a JDK on PATH. What it takes from the
# environment:
#
#   ANDROID_JAR     an SDK's android.jar or Robolectric's android-all jar
#   MAVEN_REPO      Maven's local repository (~/.m2/repository)
#   DEX_CACHE       folder to keep the libraries' dex files in between builds, which take minutes (beside the APK)
#   EDITION         a word: builds with different ones differ in one class
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
out=${1:-$root/target/toolbox/toolbox.apk}
mkdir -p "$(dirname "$out")"
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
cache=${DEX_CACHE:-$(dirname "$out")/toolbox-libraries}

kotlin=2.0.0
keys=$here/../demo.keystore
. "$here/../lib.sh"
android=${ANDROID_JAR:-$(artifact org.robolectric android-all 14-robolectric-10818077)}
r8=$(artifact com.android.tools r8 8.7.18)
compiler=$(artifact org.jetbrains.kotlin kotlin-compiler-embeddable $kotlin)
stdlib=$(artifact org.jetbrains.kotlin kotlin-stdlib $kotlin)

# What the pages use.
used=$stdlib
for library in \
    "org.jetbrains.kotlinx kotlinx-coroutines-core-jvm 1.8.1" "org.jetbrains.kotlinx kotlinx-coroutines-android 1.8.1" \
    "org.apache.lucene lucene-core 8.11.4" "org.apache.lucene lucene-analyzers-common 8.11.4" \
    "org.apache.lucene lucene-queryparser 8.11.4" "org.jsoup jsoup 1.17.2" "org.bouncycastle bcprov-jdk18on 1.78.1" \
    "com.h2database h2 1.4.200" "com.squareup.moshi moshi 1.15.1" "com.squareup.okio okio-jvm 3.9.0" \
    "com.google.code.gson gson 2.11.0" "com.fasterxml.jackson.core jackson-core 2.17.2" \
    "com.fasterxml.jackson.core jackson-annotations 2.17.2" "com.fasterxml.jackson.core jackson-databind 2.17.2" \
    "com.google.guava guava 33.3.1-android" "com.google.guava failureaccess 1.0.2"
do
    # shellcheck disable=SC2086 # three words
    used=$used:$(artifact $library)
done
# What comes along, as in many an app: nothing calls it.
unused=$compiler:$(artifact org.antlr antlr4-runtime 4.13.2)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/gen" "$work/own" "$work/dex" "$work/src"
run() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

run aapt2 compile --dir "$here/res" -o "$work/res.zip"
run aapt2 link -o "$work/app.apk" -I "$android" --manifest "$here/AndroidManifest.xml" \
    --min-sdk-version 26 --target-sdk-version 34 --version-code 1 --version-name 1.0 --java "$work/gen" "$work/res.zip"
run javac -nowarn --release 8 -Xlint:-options -d "$work/own" "$work/gen/org/droidtest/toolbox/R.java"

cp -r "$here/src/." "$work/src"
[ -z "${EDITION:-}" ] || sed -i "s/\"1\"/\"$EDITION\"/" "$work/src/org/droidtest/toolbox/Edition.kt"
# What the embeddable compiler itself runs on.
tool=$compiler:$stdlib
for library in "org.jetbrains.kotlin kotlin-script-runtime $kotlin" "org.jetbrains.kotlin kotlin-reflect 1.6.10" \
    "org.jetbrains.kotlin kotlin-daemon-embeddable $kotlin" "org.jetbrains.intellij.deps trove4j 1.0.20200330" \
    "org.jetbrains annotations 13.0" "org.jetbrains.kotlinx kotlinx-coroutines-core-jvm 1.8.1"
do
    # shellcheck disable=SC2086
    tool=$tool:$(artifact $library)
done
java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
# shellcheck disable=SC2046 # file names without blanks
run java -Xmx1200m -cp "$tool" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -nowarn \
    -jdk-home "$java_home" -jvm-target 1.8 -module-name toolbox -cp "$android:$work/own:$used" -d "$work/own" \
    $(find "$work/src" -name '*.kt' | LC_ALL=C sort)

# The libraries in a few files, which hold as much as their limits allow.
if [ ! -f "$cache/complete" ]; then
    rm -rf "$cache"
    mkdir -p "$cache"
    # shellcheck disable=SC2046
    run java -Xmx3g -XX:+UseSerialGC -cp "$r8" com.android.tools.r8.D8 --debug --min-api 26 --lib "$android" --output "$cache" \
        $(echo "$used:$unused" | tr : ' ')
    touch "$cache/complete"
fi
# The app's own: a file for each package.
find "$work/own" -type d | LC_ALL=C sort > "$work/packages"
number=0
while read -r package; do
    classes=$(find "$package" -maxdepth 1 -name '*.class' | LC_ALL=C sort)
    [ -n "$classes" ] || continue
    number=$((number + 1))
    mkdir "$work/dex/$number"
    # shellcheck disable=SC2086 # file names without blanks
    run java -Xmx1g -cp "$r8" com.android.tools.r8.D8 --debug --min-api 26 --lib "$android" \
        --classpath "$work/own" --classpath "$stdlib" --output "$work/dex/$number" $classes
done < "$work/packages"

# Appended with a fixed date: the dex files, and what the used libraries hold besides classes.
python3 - "$work/app.apk" "$cache" "$work/dex" "$used" <<'PY'
import pathlib, sys, zipfile
apk, libraries, own, jars = sys.argv[1:]
number = lambda path: int(path.stem.removeprefix("classes") or 1)
files = sorted(pathlib.Path(libraries).glob("classes*.dex"), key=number)
files += sorted(pathlib.Path(own).glob("*/classes.dex"), key=lambda path: int(path.parent.name))
with zipfile.ZipFile(apk, "a") as out:
    names = set(out.namelist())
    def add(name, data):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        names.add(name)
        out.writestr(entry, data, compresslevel=6)
    for ix, path in enumerate(files, 1):
        add("classes%s.dex" % (ix if ix > 1 else ""), path.read_bytes())
    for jar in jars.split(":"):
        with zipfile.ZipFile(jar) as library:
            for name in sorted(library.namelist()):
                skipped = name.endswith((".class", "/", ".SF", ".RSA", ".DSA", "MANIFEST.MF", ".pro", ".kotlin_module"))
                if not skipped and not name.startswith(("META-INF/maven/", "META-INF/versions/")) and name not in names:
                    add(name, library.read(name))
PY
apksigner sign --ks "$keys" --ks-key-alias demo --ks-pass pass:android --key-pass pass:android \
    --v1-signing-enabled true --v2-signing-enabled true --v3-signing-enabled false \
    --out "$work/signed.apk" "$work/app.apk"
mv "$work/signed.apk" "$out"
echo "toolbox: $(wc -c < "$out" | tr -d ' ') bytes, $(cat "$cache"/*.dex "$work"/dex/*/*.dex | wc -c | tr -d ' ') of dex"
