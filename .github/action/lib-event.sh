# What the event that started the workflow is about.
# shellcheck shell=bash

# A field of the event, empty where it is absent.
event() {
  if [ -f "${GITHUB_EVENT_PATH:-}" ]; then jq -r "$1 // empty" "$GITHUB_EVENT_PATH"; fi
}

# Does the pull request come from another repository? Then GITHUB_TOKEN may only read.
from_fork() {
  [ -n "$(event .pull_request.number)" ] &&
    [ "$(event .pull_request.head.repo.full_name)" != "$(event .pull_request.base.repo.full_name)" ]
}
