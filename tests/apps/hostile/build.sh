#!/bin/sh
# Builds hostile.apk; see ../build.sh for what it needs. It tries what Java has and Android lacks, too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
loose=$(mktemp -d)
trap 'rm -rf "$loose"' EXIT
javac --release 17 -nowarn -proc:none -d "$loose" "$here/loose/Loose.java"
mkdir -p "$here/assets"
cp "$loose/org/droidtest/hostile/Loose.class" "$here/assets/"
JAVA_RELEASE=17 "$here/../build.sh" "$here" "$@"
