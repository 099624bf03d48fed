#!/usr/bin/env bash
# What a first-time user does after reading the README: install, set up, run on one APK, each in an empty folder.
# Prints the seconds of each command; they depend on the caches of cargo and droidtest, and on the machine.
# Arguments: the APK and, to leave out the build, a folder with the programs, as a release's archive has them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
apk=$(realpath "$1") programs=${2:-}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DROIDTEST_SUITE DROIDTEST_PROFILE DROIDTEST_OUT

timed() {
  local start=$SECONDS code=0
  "$@" || code=$?
  echo "$((SECONDS - start)) s, exit code $code: $*"
  return "$code"
}

git clone --quiet "$root" "$folder/clone"
if [ -n "$programs" ]; then
  mkdir -p "$folder/installed/bin"
  timed cp "$programs/cargo-droidtest" "$programs/droidtest-sandbox" "$programs/droidtest-classes" "$folder/installed/bin/"
else
  timed cargo install --quiet --locked --path "$folder/clone" --root "$folder/installed"
fi
PATH=$folder/installed/bin:$PATH

mkdir "$folder/app"
cd "$folder/app"
cp "$apk" app.apk
timed cargo droidtest setup
code=0
timed cargo droidtest run app.apk || code=$?
# 100: there are findings.
[ "$code" = 0 ] || [ "$code" = 100 ]
find . -name report.html | grep .
echo "$SECONDS s in all"
