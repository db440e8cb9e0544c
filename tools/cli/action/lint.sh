#!/usr/bin/env bash
# The step of `lint/action.yml`: checks a model, whose findings GitHub reads from the output.
set -euo pipefail

command=$(bash "$(dirname "${BASH_SOURCE[0]}")/install.sh")
matcher=$GITHUB_ACTION_PATH/problem-matcher.json
arguments=(lint "--deny=${INPUT_DENY:-warning}" "--show=${INPUT_SHOW:-warning}")
while IFS= read -r file; do
  if [[ -n ${file//[[:space:]]/} ]]; then arguments+=("$file"); fi
done <<<"${INPUT_MODEL:-}"

echo "::add-matcher::$matcher"
code=0
"$command" "${arguments[@]}" || code=$?
# Steps that follow may print lines of the same form.
while IFS= read -r owner; do
  echo "::remove-matcher owner=$owner::"
done < <(sed -n 's/.*"owner": "\(.*\)".*/\1/p' "$matcher")
exit "$code"
