# What the build scripts of the test apps share; sourced by them.

repo=${MAVEN_REPO:-$HOME/.m2/repository}
artifact() { # group artifact version -> path of its jar, fetched where missing
    path=$repo/$(echo "$1" | tr . /)/$2/$3/$2-$3.jar
    [ -f "$path" ] || mvn -q -B "-Dmaven.repo.local=$repo" dependency:get \
        "-Dartifact=$1:$2:$3" -Dtransitive=false >&2
    echo "$path"
}

# Adds $work/dex/classes.dex to $work/app.apk, signs it, moves it to $out, and prints the name with the size.
pack() {
    # Appended with a fixed date; what aapt2 wrote, and its alignment, stays as it is.
    python3 - "$work/app.apk" "$work/dex/classes.dex" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "a") as apk, open(sys.argv[2], "rb") as dex:
    entry = zipfile.ZipInfo("classes.dex", (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    apk.writestr(entry, dex.read(), compresslevel=9)
PY
    apksigner sign --ks "$keys" --ks-key-alias demo \
        --ks-pass pass:android --key-pass pass:android \
        --v1-signing-enabled true --v2-signing-enabled true --v3-signing-enabled false \
        --out "$work/signed.apk" "$work/app.apk"
    mv "$work/signed.apk" "$out"
    echo "$1: $(wc -c < "$out" | tr -d ' ') bytes"
}
