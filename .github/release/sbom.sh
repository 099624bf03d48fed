#!/usr/bin/env bash
# Prints the software bill of materials (CycloneDX 1.5, JSON) of a target: every crate that is compiled into the programs.
# Arguments: the target, then cargo's feature flags.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$1
shift
checksums=$(awk -F'"' '/^name = /{ name = $2 } /^version = /{ version = $2 }
  /^checksum = /{ printf "%s %s %s\n", name, version, $2 }' Cargo.lock)
# No development dependencies: `cargo tree` knows the edges, `cargo metadata` the licences.
used=$(cargo tree --locked --package cargo-droidtest --target "$target" --edges normal,build --prefix none \
  --format '{p}' "$@" | awk '{ sub(/^v/, "", $2); print $1 " " $2 }' | sort -u)
cargo metadata --locked --format-version 1 --filter-platform "$target" "$@" |
  jq --arg target "$target" --arg used "$used" --arg checksums "$checksums" '
    ($used | split("\n") | map({key: ., value: true}) | from_entries) as $used
    | ($checksums | split("\n") | map(split(" ") | {key: "\(.[0]) \(.[1])", value: .[2]}) | from_entries) as $sums
    | def component:
        "\(.name) \(.version)" as $key
        | { type: "library", "bom-ref": "pkg:cargo/\(.name)@\(.version)", name, version, purl: "pkg:cargo/\(.name)@\(.version)" }
        + (if .license then { licenses: [{ expression: (.license | gsub("/"; " OR ")) }] } else {} end)
        + (if $sums[$key] then { hashes: [{ alg: "SHA-256", content: $sums[$key] }] } else {} end);
    .packages | map(select($used["\(.name) \(.version)"])) | sort_by(.name, .version)
    | (map(select(.name == "cargo-droidtest"))[0] | component + { type: "application" }) as $own
    | {
        bomFormat: "CycloneDX", specVersion: "1.5", version: 1,
        metadata: { component: ($own + { properties: [{ name: "target", value: $target }] }) },
        components: (map(select(.name != "cargo-droidtest") | component))
      }'
