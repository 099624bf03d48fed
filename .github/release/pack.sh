#!/usr/bin/env bash
# Packs the programs of one target into the archive that `cargo binstall` and the action download.
# Arguments: the target, the folder with the programs, the folder for the archive.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=.github/action/lib.sh
. .github/action/lib.sh

target=$1 programs=$2 out=$3
version=$(version_of Cargo.toml)
suffix=
case $target in *-windows-*) suffix=.exe ;; esac
names=(cargo-droidtest droidtest-sandbox droidtest-classes)
name="cargo-droidtest-v$version-$target"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/$name" "$out"
for program in "${names[@]}"; do
  cp "$programs/$program$suffix" "$folder/$name/"
done
cp LICENSE-APACHE LICENSE-MIT README.md "$folder/$name/"
tar -C "$folder" -czf "$out/$name.tar.gz" "$name"
printf '%s\n' "$name.tar.gz"
