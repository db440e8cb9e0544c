#!/usr/bin/env bash
# Prints the path of the command, and fetches its release unless it is installed.
set -euo pipefail

# Fails with an exit code that neither findings nor the end of a wait have.
fail() {
  echo "smithy-waiters: $1" >&2
  exit 2
}

if [[ -z ${INPUT_VERSION:-} ]] && type -P smithy-waiters; then exit; fi
case $(uname -sm) in
  "Linux x86_64") target=x86_64-unknown-linux-musl ;;
  "Linux aarch64") target=aarch64-unknown-linux-musl ;;
  "Darwin x86_64") target=x86_64-apple-darwin ;;
  "Darwin arm64") target=aarch64-apple-darwin ;;
  *) fail "there is no release for $(uname -sm)" ;;
esac
version=${INPUT_VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../../../Cargo.toml")}
version=${version#v}
name=smithy-waiters-$version-$target
folder=${RUNNER_TEMP:-/tmp}
releases=${SMITHY_WAITERS_RELEASES:-https://github.com/smithy-waiters/smithy-waiters/releases/download}
cd "$folder"
for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
  curl --fail --silent --show-error --location --retry 3 --remote-name "$releases/v$version/$file" \
    || fail "cannot fetch version \`$version\` of the command from $releases/v$version/$file"
done
# macOS has no `sha256sum`.
if type -P sha256sum >/dev/null; then sha256sum --check --quiet "$name.tar.gz.sha256" >&2
else shasum --algorithm 256 --check --quiet "$name.tar.gz.sha256" >&2; fi || fail "\`$name.tar.gz\` does not have its checksum"
tar -xzf "$name.tar.gz" || fail "cannot unpack \`$name.tar.gz\`"
echo "$folder/$name/smithy-waiters"
