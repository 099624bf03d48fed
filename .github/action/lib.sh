# What the scripts of the action share. bash 3.2 (macOS) suffices.
# shellcheck shell=bash

# A text as the data of a workflow command.
escaped() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  printf '%s' "$text"
}

notice() { printf '::notice title=droidtest::%s\n' "$(escaped "$1")"; }
warn() { printf '::warning title=droidtest::%s\n' "$(escaped "$1")"; }

# Reports an error and ends the step.
fail() {
  printf '::error title=droidtest::%s\n' "$(escaped "$1")"
  exit "${2:-1}"
}

# Sets an output. The delimiter cannot be guessed, so that a value cannot set another output.
output() {
  local delimiter
  delimiter="end-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

# Reports a value that is not one of the allowed ones. Arguments: input, value, allowed values.
one_of() {
  local name=$1 value=$2 allowed
  shift 2
  for allowed in "$@"; do
    if [ "$value" = "$allowed" ]; then return; fi
  done
  fail "the input '$name' is '$value'; write one of: $*" 2
}

# SHA-256 of standard input, in hexadecimal.
sha256() {
  if command -v sha256sum >/dev/null; then sha256sum | cut -d' ' -f1; else shasum -a 256 | cut -d' ' -f1; fi
}

# SHA-256 of all that the programs are built from, below a folder: equal sources give equal programs.
sources_hash() {
  (
    cd "$1" || exit 1
    find Cargo.toml Cargo.lock build.rs crates src templates tests/apps/notes/notes.apk -type f | LC_ALL=C sort | while IFS= read -r file; do
      printf '%s  %s\n' "$(sha256 <"$file")" "$file"
    done | sha256
  )
}

# The version in a Cargo.toml.
version_of() { sed -n 's/^version = "\(.*\)"$/\1/p' "$1" | head -n 1; }

# A path as other programs of the runner read it: on Windows bash has its own form.
native() {
  if command -v cygpath >/dev/null; then cygpath -m "$1"; else printf '%s' "$1"; fi
}
