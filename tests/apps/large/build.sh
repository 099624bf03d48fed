#!/bin/sh
# Builds large.apk; see ../build.sh for what it needs.
exec "$(dirname "$0")/../build.sh" "$(cd "$(dirname "$0")" && pwd)" "$@"
