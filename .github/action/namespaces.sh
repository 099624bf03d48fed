#!/usr/bin/env bash
# Ubuntu denies namespaces to unknown programs; the sandbox confines an app in namespaces (docs/security.md).
set -euo pipefail

setting=${SETTING:-/proc/sys/kernel/apparmor_restrict_unprivileged_userns}
if [ -e "$setting" ] && [ "$(cat "$setting")" != 0 ]; then
  sudo sysctl --write kernel.apparmor_restrict_unprivileged_userns=0
fi
