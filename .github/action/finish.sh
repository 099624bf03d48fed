#!/usr/bin/env bash
# Ends the job with the exit code of the run.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"

case $CODE in
  0) exit 0 ;;
  100) reason="findings${NEW:+ ($NEW new)}" ;;
  106) reason="the run is incomplete" ;;
  107) reason="a device is not available" ;;
  108) reason="a limit of the gate is exceeded" ;;
  130) reason="the run was interrupted" ;;
  '') fail "the run did not start" ;;
  *) reason="the run failed; the log of the step has the reason" ;;
esac
fail "$reason: exit code $CODE" "$CODE"
