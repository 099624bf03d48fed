#!/usr/bin/env bash
# Runs the suite, or merges the runs of several machines. The step succeeds whatever the run found: finish.sh ends the job
# with the exit code, after the upload.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"

# The folder that `latest` leads to, where there is one. Without symbolic links it is a file with the name.
latest() {
  local to=$DROIDTEST_OUT/latest
  if [ -d "$to" ]; then
    (cd "$to" && pwd -P)
  elif [ -f "$to" ]; then
    (cd "$DROIDTEST_OUT/$(head -n 1 "$to")" && pwd -P)
  fi
}

if [ -n "$MERGE" ]; then
  folder=$DROIDTEST_OUT/merged
  code=0
  common=()
  if [ -f "$SUITE" ]; then common=(--suite "$SUITE"); fi
  if [ -n "$PROFILE" ]; then common+=(--profile "$PROFILE"); fi
  rm -rf "$folder"
  cargo-droidtest merge ${common[@]+"${common[@]}"} "$MERGE"/* --out "$folder" || code=$?
  # Each machine judged its own shard; the gate has the last word on all of them. 106: a shard is missing, which the gate
  # reports too, after new findings. Without a baseline every finding is new.
  if [ "$code" = 0 ] || [ "$code" = 106 ]; then
    code=0
    if [ -n "$BASELINE" ]; then common+=(--baseline "$BASELINE"); fi
    cargo-droidtest gate ${common[@]+"${common[@]}"} "$folder" || code=$?
  fi
  if [ ! -d "$folder" ]; then folder=; fi
  output exit-code "$code"
  output folder "$folder"
  exit 0
fi

# The suite decides otherwise: by default a run with a baseline writes the file.
if [ "$SARIF" = true ]; then export DROIDTEST_REPORT__SARIF=true; fi
list=(run --suite "$SUITE")
if [ -n "$PROFILE" ]; then list+=(--profile "$PROFILE"); fi
if [ -n "$BASELINE" ]; then list+=(--baseline "$BASELINE"); fi
if [ -n "$SHARD" ]; then list+=(--partition "slice:$SHARD"); fi
while IFS= read -r apk; do
  if [ -n "$apk" ]; then list+=(--base "$apk"); fi
done <<<"$BASE_APK"
# Split at white space, without patterns: a `*` stays as it is.
set -f
# shellcheck disable=SC2206
more=($ARGS)
set +f
list+=(${more[@]+"${more[@]}"})

before=$(latest)
code=0
cargo-droidtest "${list[@]}" || code=$?
after=$(latest)
# A run that could not start has no folder; then `latest` is of an earlier step. A continued run keeps its folder.
case " $ARGS" in
  *[[:space:]]--resume*) ;;
  *) if [ "$before" = "$after" ]; then after=; fi ;;
esac
output exit-code "$code"
output folder "$after"
