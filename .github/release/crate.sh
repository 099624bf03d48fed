#!/usr/bin/env bash
# Prepares the sources of the published crates in a folder: those of the commit, with the address of the repository.
# Arguments: the folder, and the address, below which `cargo binstall` finds the releases.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$1 repository=${2:-}
mkdir -p "$out"
git archive HEAD | tar -x -C "$out"
manifest=$out/Cargo.toml
REPOSITORY=$repository awk '
  { print }
  /^license = / && ENVIRON["REPOSITORY"] != "" && !done { printf "repository = \"%s\"\n", ENVIRON["REPOSITORY"]; done = 1 }
' "$manifest" >"$manifest.new"
mv "$manifest.new" "$manifest"
