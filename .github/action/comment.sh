#!/usr/bin/env bash
# Writes the one comment of the pull request. A comment that cannot be written never fails the job.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=.github/action/lib-event.sh
. "$(dirname "$0")/lib-event.sh"

if [ -z "$(event .pull_request.number)" ]; then
  notice "no comment: the workflow was not started by a pull request"
elif from_fork && [ "${GITHUB_EVENT_NAME:-}" = pull_request ]; then
  notice "no comment: the token may not write for a pull request from another repository; the summary of the job has the results"
elif ! cargo-droidtest comment "$FOLDER"; then
  warn "the comment could not be written; the job needs the permission 'pull-requests: write'"
fi
