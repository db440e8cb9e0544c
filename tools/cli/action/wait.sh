#!/usr/bin/env bash
# The step of `action.yml`: waits as the inputs demand, and writes the outputs.
set -euo pipefail

command=$(bash "$(dirname "${BASH_SOURCE[0]}")/install.sh")
arguments=(wait "--query=${INPUT_QUERY:-@}")

# Adds the option $1 for each line of $2. A line may end as on Windows.
add() {
  while IFS= read -r line; do
    if [[ -n ${line//[[:space:]]/} ]]; then arguments+=("--$1=$line"); fi
  done <<<"${2//$'\r'/}"
}

add until "${INPUT_UNTIL:-}"
add fail "${INPUT_FAIL:-}"
add pending "${INPUT_PENDING:-}"
add timeout "${INPUT_TIMEOUT:-}"
add interval "${INPUT_INTERVAL:-}"
read -r -d '' -a urls <<<"${INPUT_URL//$'\r'/}" || true
# A URL that begins with `-` is not an option.
arguments+=(${urls[@]+"${urls[@]/#-/./-}"})
if [[ -n ${INPUT_RUN:-} ]]; then
  read -r -d '' -a words <<<"$INPUT_RUN" || true
  # Without a shell around it, the command's own errors are recognised, and `aws … wait` is.
  if [[ $INPUT_RUN =~ ^[[:alnum:][:space:]_./:,@%+-]+$ && $INPUT_RUN != *$'\n'?* ]] && type -P "${words[0]}" >/dev/null; then
    arguments+=(-- "${words[@]}")
  else
    arguments+=("--label=${INPUT_RUN%%$'\n'*}" -- bash -e -o pipefail -c "$INPUT_RUN")
  fi
fi

SECONDS=0
code=0
value=$("$command" "${arguments[@]}") || code=$?
case $code in
  0) state=success ;;
  1) state=failure ;;
  124) state=timeout ;;
  *) state=error ;;
esac
# A value of several lines needs a line that it does not contain.
end="end-$RANDOM$RANDOM$RANDOM"
{
  echo "state=$state"
  echo "elapsed=$SECONDS"
  printf 'value<<%s\n%s\n%s\n' "$end" "$value" "$end"
} >>"$GITHUB_OUTPUT"
exit "$code"
