#!/usr/bin/env bash
# Installs the programs into $PROGRAMS: what the cache has, else the archive of the release that has the same sources,
# else a build. Nothing runs that was downloaded and not compared with the release's checksums.
set -euo pipefail
# shellcheck source=.github/action/lib.sh
. "$(dirname "$0")/lib.sh"

works() { "$PROGRAMS/cargo-droidtest" --version >/dev/null 2>&1; }

# Downloads a file of the release to a path; fails if it does not exist.
download() {
  curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --retry 3 --max-time 600 \
    --output "$2" "$SERVER_URL/$REPOSITORY/releases/download/v$VERSION/$1"
}

# Installs from the release. Returns 1 if it has nothing for these sources.
from_release() {
  local folder name listed actual
  if [ -z "$REPOSITORY" ]; then return 1; fi
  folder=$(mktemp -d)
  if ! download SHA256SUMS "$folder/SHA256SUMS" 2>"$folder/why"; then
    notice "no release v$VERSION of $REPOSITORY is available: building from source ($(tail -n 1 "$folder/why"))"
    return 1
  fi
  # The release of this version may be older than the commit that the workflow names.
  if ! grep -q "^# sources $SOURCES\$" "$folder/SHA256SUMS"; then
    notice "the release v$VERSION was built from other sources: building from source"
    return 1
  fi
  name="cargo-droidtest-v$VERSION-$TARGET.tar.gz"
  listed=$(awk -v name="$name" '$2 == name { print $1 }' "$folder/SHA256SUMS")
  if [ -z "$listed" ]; then
    notice "the release v$VERSION has no $name: building from source"
    return 1
  fi
  download "$name" "$folder/$name" || fail "cannot download $name, which SHA256SUMS of the release lists"
  actual=$(sha256 <"$folder/$name")
  if [ "$actual" != "$listed" ]; then
    fail "$name has the SHA-256 $actual, but SHA256SUMS of the release lists $listed; it was not installed"
  fi
  mkdir -p "$PROGRAMS"
  tar -xzf "$folder/$name" -C "$PROGRAMS" --strip-components 1
  rm -rf "$folder"
  works || fail "the program in $name does not start on this machine; $(native "$PROGRAMS")/cargo-droidtest --version shows why"
}

from_source() {
  command -v cargo >/dev/null || fail "a build needs Rust, and cargo is not on the PATH; install Rust before this step"
  local root
  root=$(mktemp -d)
  (cd "$ACTION_PATH" && cargo install --locked --path . --root "$root")
  mkdir -p "$PROGRAMS"
  cp "$root"/bin/* "$PROGRAMS/"
  rm -rf "$root"
  works || fail "the program that was built does not start; $(native "$PROGRAMS")/cargo-droidtest --version shows why"
}

if works; then
  from=cache
elif from_release; then
  from=release
else
  from_source
  from=source
fi
native "$PROGRAMS" >>"$GITHUB_PATH"
printf '\n' >>"$GITHUB_PATH"
output from "$from"
"$PROGRAMS/cargo-droidtest" --version
