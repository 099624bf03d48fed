#!/bin/sh
# Builds base.apk, config.de.apk and feature.apk; see ../build.sh for what it needs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
android=${ANDROID_JAR:-$(artifact org.robolectric android-all 14-robolectric-10818077)}
r8=${R8_JAR:-$(artifact com.android.tools r8 8.7.18)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for part in base feature; do
    aapt2 compile --dir "$here/$part/res" -o "$work/$part.zip"
    mkdir -p "$work/gen/$part" "$work/classes/$part" "$work/dex/$part"
done
versions="--min-sdk-version 26 --target-sdk-version 34 --version-code 1 --version-name 1.0"
# shellcheck disable=SC2086 # several options
aapt2 link $versions -o "$work/base.apk" -I "$android" --manifest "$here/base/AndroidManifest.xml" \
    --split "$work/config.de.apk:de" --java "$work/gen/base" "$work/base.zip"
# shellcheck disable=SC2086
aapt2 link $versions -o "$work/feature.apk" -I "$android" -I "$work/base.apk" --package-id 0x80 \
    --manifest "$here/feature/AndroidManifest.xml" -A "$here/feature/assets" \
    --custom-package org.droidtest.splits.feature --java "$work/gen/feature" "$work/feature.zip"

for part in base feature; do
    find "$here/$part/src" "$work/gen/$part" -name '*.java' | LC_ALL=C sort > "$work/sources"
    javac -nowarn --release 8 -Xlint:-options -g -encoding UTF-8 -proc:none \
        -cp "$android:$work/classes/base" -d "$work/classes/$part" "@$work/sources"
    find "$work/classes/$part" -name '*.class' | LC_ALL=C sort > "$work/classlist"
    java -cp "$r8" com.android.tools.r8.D8 --debug --min-api 26 --lib "$android" \
        --classpath "$work/classes/base" --output "$work/dex/$part" "@$work/classlist"
    python3 - "$work/$part.apk" "$work/dex/$part/classes.dex" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "a") as apk, open(sys.argv[2], "rb") as dex:
    entry = zipfile.ZipInfo("classes.dex", (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    apk.writestr(entry, dex.read(), compresslevel=9)
PY
done
for apk in base config.de feature; do
    mv "$work/$apk.apk" "$here/$apk.apk"
    echo "$apk: $(wc -c < "$here/$apk.apk" | tr -d ' ') bytes"
done
