#!/bin/sh
# Makes notes.aab from ../notes/notes.apk; see ../build.sh for what it needs, and bundletool's jars in $BUNDLETOOL
# (`cargo droidtest setup` puts them into the cache's folder bundletool).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jars=${BUNDLETOOL:-$(ls -d "${DROIDTEST_CACHE:-$HOME/.cache/cargo-droidtest}"/bundletool/* | head -n 1)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

aapt2 convert --output-format proto -o "$work/proto.apk" "$here/../notes/notes.apk"
python3 - "$work/proto.apk" "$work/base.zip" <<'PY'
import sys, zipfile
# The layout of a bundle's module; signatures stay behind.
with zipfile.ZipFile(sys.argv[1]) as apk, zipfile.ZipFile(sys.argv[2], "w") as module:
    for name in sorted(apk.namelist()):
        to = {"AndroidManifest.xml": "manifest/AndroidManifest.xml"}.get(name, name)
        if name.endswith(".dex"):
            to = "dex/" + name
        if name.startswith("META-INF/"):
            continue
        entry = zipfile.ZipInfo(to, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        module.writestr(entry, apk.read(name), compresslevel=9)
PY
rm -f "$here/notes.aab"
java -cp "$jars/*" com.android.tools.build.bundletool.BundleToolMain build-bundle \
    "--modules=$work/base.zip" "--output=$here/notes.aab"
chmod 644 "$here/notes.aab"
echo "notes.aab: $(wc -c < "$here/notes.aab" | tr -d ' ') bytes"
