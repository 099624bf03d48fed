#!/usr/bin/env bash
# Reads the run's folder and sets the outputs of the action.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"

if [ -z "$FOLDER" ]; then
  printf '## droidtest\n\nThe run did not start: exit code %s. The log of the step has the reason.\n' "$CODE" >>"$GITHUB_STEP_SUMMARY"
  for name in new fixed flaky report sarif upload; do output "$name" ""; done
  exit 0
fi
command -v jq >/dev/null || fail "reading the results needs jq, which is not on the PATH; install it before this step"

# Causes of gate.json with a status, warnings excluded.
count() {
  jq --arg status "$1" '[.findings[] | select(.status == $status and (.warning | not))] | length' "$FOLDER/gate.json"
}

if [ -f "$FOLDER/gate.json" ]; then
  output new "$(count new)"
  output fixed "$(count fixed)"
  output flaky "$(count flaky)"
elif [ -f "$FOLDER/summary.json" ]; then
  # Without a baseline every finding is new.
  output new "$(jq '[.sessions[] | .app as $app | .findings[] | select((.warning or .environment) | not)
    | [$app, .fingerprint]] | unique | length' "$FOLDER/summary.json")"
  output fixed 0
  output flaky 0
else
  warn "$(native "$FOLDER") has neither gate.json nor summary.json: the run did not end in order"
  for name in new fixed flaky; do output "$name" ""; done
fi
for pair in report:report.html sarif:droidtest.sarif; do
  path=
  if [ -f "$FOLDER/${pair#*:}" ]; then path=$(native "$FOLDER/${pair#*:}"); fi
  output "${pair%%:*}" "$path"
done
folder=$(native "$FOLDER")
# A run that was killed leaves the files of an app. Logs hold what an app wrote; they are uploaded on request only.
upload="$folder/**
!$folder/sessions/*/device/**"
if [ "$LOGS" != true ]; then
  upload="$upload
!$folder/**/logs/**"
fi
output upload "$upload"
