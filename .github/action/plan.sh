#!/usr/bin/env bash
# Checks the inputs, and names what the following steps install and cache.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"

one_of comment "$COMMENT" true false
one_of sarif "$SARIF" true false
one_of logs "$LOGS" true false
if [ -n "$SHARD" ]; then
  if ! [[ $SHARD =~ ^([1-9][0-9]{0,4})/([1-9][0-9]{0,4})$ ]] || [ "${BASH_REMATCH[1]}" -gt "${BASH_REMATCH[2]}" ]; then
    fail "the input 'shard' is '$SHARD'; write M/N, shard M of N, from 1: 2/4" 2
  fi
fi
if [ -n "$BASE_APK" ] && [ -z "$BASELINE" ]; then
  fail "the input 'base-apk' needs 'baseline', the file with the known findings" 2
fi

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=x86_64-unknown-linux-gnu ;;
  Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *) fail "there is no build for $RUNNER_OS on $RUNNER_ARCH" ;;
esac

sources=$(sources_hash "$ACTION_PATH")
parts=$(sha256 <"$ACTION_PATH/src/device/agent/pom.xml")
hash=none
if [ -f "$SUITE" ]; then hash=$(sha256 <"$SUITE"); fi
# Java's preprocessed framework classes depend on the Java that runs them.
java=$(java -version 2>&1 | sha256) || java=none

output target "$target"
output version "$(version_of "$ACTION_PATH/Cargo.toml")"
output sources "$sources"
output program-key "droidtest-program-$target-$sources"
output parts-key "droidtest-parts-$target-$parts"
output framework-key "droidtest-framework-$target-$java-$parts"
output translation-key "droidtest-translation-$target-$parts"
output suite "$hash"
