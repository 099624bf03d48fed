#!/bin/sh
# Builds two versions of the app notes with R8: base.apk of its sources, head.apk with head.patch applied, and the
# mapping.txt of each. Needs what ../build.sh needs, and `patch`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in base head; do
    cp -R "$here/../notes" "$work/$version"
    [ $version = base ] || patch -s -p1 -d "$work/head" < "$here/head.patch"
    RULES=$here/rules.pro MAPPING=$here/$version-mapping.txt "$here/../build.sh" "$work/$version" "$here/$version.apk"
done
