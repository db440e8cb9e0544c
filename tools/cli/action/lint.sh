#!/usr/bin/env bash
# The step of `lint/action.yml`: checks a model, whose findings GitHub reads from the output.
set -euo pipefail

command=$(bash "$(dirname "${BASH_SOURCE[0]}")/install.sh")
matcher=$GITHUB_ACTION_PATH/problem-matcher.json
arguments=(lint "--deny=${INPUT_DENY:-warning}" "--show=${INPUT_SHOW:-warning}")
# Without its line break, if that is one of Windows, and without the spaces around it.
while read -r file; do
  # A name that begins with `-` is neither an option nor standard input.
  if [[ -n $file ]]; then arguments+=("${file/#-/./-}"); fi
done <<<"${INPUT_MODEL//$'\r'/}"

echo "::add-matcher::$matcher"
# The output quotes the model, which must not command GitHub. Meanwhile the matcher works.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
code=0
# One stream, because GitHub may read another one after the end.
"$command" "${arguments[@]}" 2>&1 || code=$?
echo "::$token::"
# Steps that follow may print lines of the same form.
while IFS= read -r owner; do
  echo "::remove-matcher owner=$owner::"
done < <(sed -n 's/.*"owner": "\(.*\)".*/\1/p' "$matcher")
exit "$code"
