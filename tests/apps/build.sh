#!/bin/sh
# Builds one of the small test apps: resources, Java, dex, signature.
#
#   tests/apps/build.sh notes            writes tests/apps/notes/notes.apk
#   tests/apps/build.sh probe out.apk    writes out.apk
#
# Needs aapt2, apksigner, python3 and a JDK on PATH (Debian: apt-get install
# aapt apksigner), and Maven where the jars are missing. What it takes from the environment:
#
#   ANDROID_JAR  an SDK's android.jar or Robolectric's android-all jar
#   R8_JAR       r8 8.7 or later, for its d8
#   JAVA_RELEASE the Java whose classes the app compiles against (8)
#   RULES        rules for R8, which then shrinks and renames the app instead of d8
#   MAPPING      the mapping.txt that R8 writes
#   MAVEN_REPO   Maven's local repository (~/.m2/repository); the two jars
#                above are fetched into it by mvn where they are not set
#
# The same tools give the same bytes: every timestamp is fixed, and the key
# (a throwaway, password "android") is an RSA key beside this script.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
app=$1
case $app in
    */*) app=$(cd "$app" && pwd) ;;
    *) app=$here/$app ;;
esac
name=$(basename "$app")
[ -f "$app/AndroidManifest.xml" ] || { echo "build.sh: no AndroidManifest.xml in $app" >&2; exit 2; }
out=${2:-$app/$name.apk}

keys=$here/demo.keystore
. "$here/lib.sh"
android=${ANDROID_JAR:-$(artifact org.robolectric android-all 14-robolectric-10818077)}
r8=${R8_JAR:-$(artifact com.android.tools r8 8.7.18)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/gen" "$work/classes" "$work/dex"

run() { "$@" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }; }

run aapt2 compile --dir "$app/res" -o "$work/res.zip"
assets=
[ ! -d "$app/assets" ] || assets="-A $app/assets"
# An older aapt2 does not know <queries>.
# shellcheck disable=SC2086 # one option and its folder, or nothing
run aapt2 link $assets -o "$work/app.apk" -I "$android" --manifest "$app/AndroidManifest.xml" \
    --min-sdk-version 26 --target-sdk-version 34 --warn-manifest-validation \
    --version-code 1 --version-name 1.0 --java "$work/gen" "$work/res.zip"

find "$app/src" "$work/gen" -name '*.java' | LC_ALL=C sort > "$work/sources"
run javac -nowarn --release "${JAVA_RELEASE:-8}" -Xlint:-options -g -encoding UTF-8 -proc:none \
    -cp "$android" -d "$work/classes" "@$work/sources"

find "$work/classes" -name '*.class' | LC_ALL=C sort > "$work/classlist"
shrink="com.android.tools.r8.D8 --debug"
if [ -n "${RULES:-}" ]; then
    java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
    shrink="com.android.tools.r8.R8 --release --lib $java_home --pg-conf $RULES --pg-map-output ${MAPPING:-$work/mapping.txt}"
fi
# shellcheck disable=SC2086 # a class and its options
run java -cp "$r8" $shrink --min-api 26 --lib "$android" \
    --output "$work/dex" "@$work/classlist"

pack "$name"
