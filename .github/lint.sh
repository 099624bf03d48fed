#!/usr/bin/env bash
# Checks the scripts, the workflows and the container file; CI installs the linters (.github/lint.txt, ci.yml).
set -euo pipefail
cd "$(dirname "$0")/.."

shellcheck --external-sources .ci/run .github/*.sh .github/action/*.sh .github/release/*.sh
actionlint
hadolint Containerfile
