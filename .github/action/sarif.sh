#!/usr/bin/env bash
# Uploads droidtest.sarif to code scanning (REST: "Upload an analysis as SARIF data"). A failure only warns.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=.github/action/lib-event.sh
. "$(dirname "$0")/lib-event.sh"

if [ -z "$FILE" ]; then
  warn "no SARIF upload: the run wrote no droidtest.sarif"
  exit 0
fi
if from_fork && [ "${GITHUB_EVENT_NAME:-}" = pull_request ]; then
  notice "no SARIF upload: the token may not write for a pull request from another repository"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gzip -c "$FILE" | base64 | tr -d '\n' >"$folder/sarif"
jq -n --arg commit "$GITHUB_SHA" --arg ref "$GITHUB_REF" --rawfile sarif "$folder/sarif" \
  '{commit_sha: $commit, ref: $ref, sarif: $sarif, tool_name: "cargo-droidtest"}' >"$folder/body"
# The token is read from standard input: arguments are visible to every process.
if ! printf 'header = "Authorization: Bearer %s"\n' "$GITHUB_TOKEN" |
  curl --config - --fail-with-body --silent --show-error --proto '=https' --retry 3 --max-time 60 --output "$folder/answer" \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' \
    --data @"$folder/body" "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/code-scanning/sarifs"; then
  reason=$(jq -r '.message // empty' "$folder/answer" 2>/dev/null || true)
  warn "the SARIF upload failed${reason:+: $reason}; the job needs the permission 'security-events: write', and the repository code scanning"
fi
