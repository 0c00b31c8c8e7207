#!/bin/sh
# Makes the example app's table of docs/device-checklist.md, line by line but for Linux's.
#
# usage: checklist.sh          checks that the table is what the page makes, and that each step has a row of results
#        checklist.sh --write  writes it
set -eu
cd "$(dirname "$0")/.."
page=docs/device-checklist.md
table=Examples/WalletApp/WalletApp/ChecklistLines.swift

# Columns of a row are between bars; text loses its marks, since the app shows none.
make() {
    echo '// Made by Scripts/checklist.sh from docs/device-checklist.md.'
    echo '// swift-format-ignore-file'
    echo
    echo 'extension ChecklistLine {'
    echo '    /// Every line of the page but those of Linux, as it is walked.'
    echo '    static let all = ['
    awk -F '|' '
        function plain(text) {
            while (match(text, /\[[^]]*\]\([^)]*\)/)) {
                link = substr(text, RSTART, RLENGTH)
                sub(/^\[/, "", link)
                sub(/\]\(.*/, "", link)
                text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
            }
            gsub(/`|\*/, "", text)
            gsub(/\\/, "\\\\", text)
            gsub(/"/, "\\\"", text)
            gsub(/^ +| +$/, "", text)
            return text
        }
        function line(id, steps, todo, expected) {
            sub(/^.*Before: /, "Before: ", before)
            printf "        ChecklistLine(\n            id: \"%s\",\n            section: \"%s\",\n", id, section
            printf "            before: \"%s\",\n            steps: [%s],\n", plain(before), steps
            printf "            todo: \"%s\",\n            expected: \"%s\"\n        ),\n", plain(todo), plain(expected)
            before = ""  # said once for a section
        }
        /^## / { section = plain(substr($0, 4)); before = ""; inTable = 0; next }
        section ~ /^Linux|^What users ask/ { next }
        section == "The hour" && /^\|[0-9]+\|/ {
            steps = ""
            count = split($3, names, /, */)
            for (i = 1; i <= count; i++) if (names[i] ~ /^D[0-9]+$/) steps = steps (steps == "" ? "" : ", ") "\"" names[i] "\""
            line("H" ++hour, steps, $4, $5)
        }
        /^\|D[0-9]+\|/ && $3 !~ /^In the hour/ { line($2, "\"" $2 "\"", $3, $4) }
        /^\|/ { inTable = 1 }
        !/^\|/ && !inTable && NF { before = before (before == "" ? "" : " ") $0 }
    ' "$page"
    echo '    ]'
    echo '}'
}

case ${1:-} in
    --write) make >"$table" ;;
    '')
        make | cmp -s - "$table" || { echo "checklist: $table is not what $page makes: Scripts/checklist.sh --write" >&2; exit 1; }
        for step in $(sed -n 's/^|\([DL][0-9]*\)|.*/\1/p' "$page"); do
            grep -q "^|$step|" docs/device-results.md || { echo "checklist: docs/device-results.md has no row for $step" >&2; exit 1; }
        done
        ;;
    *) sed -n '4,5s/^# *//p' "$0" >&2; exit 2 ;;
esac
