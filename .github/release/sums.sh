#!/usr/bin/env bash
# Writes SHA256SUMS for all files of a folder; the first line names the sources that they were built from.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=.github/action/lib.sh
. "$root/.github/action/lib.sh"

cd "$1"
rm -f SHA256SUMS
sums=$(for file in *; do printf '%s  %s\n' "$(sha256 <"$file")" "$file"; done)
printf '# sources %s\n%s\n' "$(sources_hash "$root")" "$sums" >SHA256SUMS
