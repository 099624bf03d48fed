#!/bin/bash
# Phones and emulators that listen for adb on TCP (`adb tcpip 5555` on a phone with a cable): one process explores on
# each, and their runs are merged. The suite's device is `kind = "adb"` with `serial = "any"`: each process takes a free
# phone, and another one if it loses its own.
#
#     templates/ci/device-farm.sh 192.0.2.11:5555 192.0.2.12:5555 …
#
# Exits with 100 on findings and with 106 if sessions are missing; then the same command again continues the runs, with
# FARM set to the name that it printed.
set -euo pipefail

if [ "$#" -eq 0 ]; then
    echo "usage: device-farm.sh HOST:PORT…" >&2
    exit 2
fi
farm="${FARM:-farm-$(date +%Y%m%d-%H%M%S)}"
out="${DROIDTEST_OUT:-target/droidtest}"
export DROIDTEST_OUT="$out"
for phone in "$@"; do
    adb connect "$phone"
    timeout 60 adb -s "$phone" wait-for-device
done
echo "FARM=$farm"

shard=0
for phone in "$@"; do
    shard=$((shard + 1))
    run="$farm-$shard"
    how=(--run-id "$run")
    if [ -e "$out/$run/run.json" ]; then how=(--resume "$run"); fi
    cargo droidtest --quiet --jobs 1 run --partition "slice:$shard/$#" "${how[@]}" >"$run.log" 2>&1 &
done
# The merge reports what failed.
wait

number=1
while [ -e "$out/$farm-merged-$number" ]; do number=$((number + 1)); done
runs=()
for ((shard = 1; shard <= $#; shard++)); do
    if [ -e "$out/$farm-$shard/run.json" ]; then runs+=("$out/$farm-$shard"); fi
done
if [ "${#runs[@]}" -eq 0 ]; then
    echo "no shard started; see $farm-*.log" >&2
    exit 106
fi
merged="$out/$farm-merged-$number"
# 106: a shard is missing. The gate reports that too, after new findings.
cargo droidtest merge "${runs[@]}" --out "$merged" || [ $? -eq 106 ]
exec cargo droidtest gate "$merged"
