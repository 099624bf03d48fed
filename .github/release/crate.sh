#!/usr/bin/env bash
# Prepares the sources of the published crate in a folder: those of the commit, with no default feature.
# `cargo install cargo-droidtest` then builds with Rust alone. The feature `deep` needs libtorch while it is built, which a
# machine without a clone does not have: torch-sys would stop at a missing header.
# Arguments: the folder, and the address of the repository, below which `cargo binstall` finds the releases.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=$1 repository=${2:-}
mkdir -p "$out"
git archive HEAD | tar -x -C "$out"
manifest=$out/Cargo.toml
if [ "$(grep -c '^default = \["deep"\]$' "$manifest")" != 1 ]; then
  echo "$manifest has no line 'default = [\"deep\"]'; adapt .github/release/crate.sh" >&2
  exit 1
fi
REPOSITORY=$repository awk '
  /^default = \["deep"\]$/ { print "default = []"; next }
  { print }
  /^license = / && ENVIRON["REPOSITORY"] != "" && !done { printf "repository = \"%s\"\n", ENVIRON["REPOSITORY"]; done = 1 }
' "$manifest" >"$manifest.new"
mv "$manifest.new" "$manifest"
