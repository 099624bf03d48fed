#!/bin/sh
# Builds hostile.apk; see ../build.sh for what it needs. It tries what Java has and Android lacks, too.
JAVA_RELEASE=17 exec "$(dirname "$0")/../build.sh" "$(cd "$(dirname "$0")" && pwd)" "$@"
