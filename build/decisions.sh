#!/usr/bin/env bash
# build/decisions.sh [--links] [FOLDER]: lists the decisions of docs/decisions with their status and what would reopen them. Fails, and names the
# file, for a record without a status or without such a condition, for a status that names a decision that is not there, and for two records of
# one number. With --links, it lists them as links for the page of that folder.
set -uo pipefail

links=
if [ "${1:-}" = --links ]; then
  links=yes
  shift
fi

folder="${1:-$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/docs/decisions}"
wrong=0

complain() {
  echo "$1: $2" >&2
  wrong=1
}

found=0
for file in "$folder"/[0-9][0-9][0-9][0-9]-*.md; do
  name="${file##*/}"
  number="${name%%-*}"
  [ -f "$file" ] && [ "$number" != 0000 ] || continue
  found=$((found + 1))
  title="$(sed -n '1s/^# [0-9]*[.:] *//p' "$file")"
  status="$(sed -n 's/^Status: \(.*\)\.$/\1/p' "$file" | head -n 1)"
  condition="$(awk '/^\*\*Reopen when\.\*\*/ { sub(/^\*\*Reopen when\.\*\* */, ""); on = 1 }
    /^## / { on = /^## Reopen when *$/; next }
    on && NF { printf "%s%s", separator, $0; separator = " " }' "$file")"
  [[ "$status" =~ ^(in force(, changed by [0-9]+(, [0-9]+)*)?|replaced by [0-9]+)$ ]] ||
    complain "$name" "no status; write \"Status: in force.\", \"Status: in force, changed by M.\" or \"Status: replaced by M.\" below the title"
  for same in "$folder/$number"-*.md; do
    [ "$same" = "$file" ] || complain "$name" "${same##*/} has the same number; take the next that is free"
  done
  [ -n "$condition" ] || complain "$name" "no condition; write what would have to change under \"Reopen when\""
  for other in $(grep -oE '[0-9]+' <<< "$status"); do
    compgen -G "$folder/$(printf '%04d' "$((10#$other))")-*.md" > /dev/null || complain "$name" "its status names decision $other, which is not there"
  done
  if [ -n "$links" ]; then
    printf -- '- [%d. %s](%s): %s\n' "$((10#$number))" "$title" "$name" "$status"
  else
    printf '%d  %s\n    %s\n    Reopen when: %s\n' "$((10#$number))" "$title" "$status" "$condition"
  fi
done
[ "$found" -gt 0 ] || complain "$folder" "no decisions; name the folder that has them"
exit "$wrong"
