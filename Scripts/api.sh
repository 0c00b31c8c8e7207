#!/bin/sh
# Compares what an app sees of the public rooms with docs/api.txt.
#
# usage: api.sh           exit 1 when they differ, with the difference
#        api.sh --write   writes docs/api.txt anew: do it in the commit that changes the API
#
# The symbols are those of the rooms as they are compiled for iOS 15, where all of them but Linux's exist. A room shows its
# own public declarations, and those of the types that it hands on (`@_exported public import struct Room.Name`). Cases of
# enums are counted apart. What the compiler makes up stands in no file, and is left out.
set -eu

[ "$(uname -s)" = Linux ] || { echo "api: on Linux only, against the stand-ins of make check-apple"; exit 0; }
root=$(cd "$(dirname "$0")/.." && pwd)
graphs=$root/.build/docs/graphs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the symbols of pretty-printed graphs as `top<TAB>path<TAB>kind<TAB>declaration`.
symbols() {
    awk '
        /^    \{$/ { path = top = text = kind = ""; located = inPath = inText = 0 }
        /^        "identifier": "swift\./ { kind = $0; gsub(/^.*"swift\.|",?$/, "", kind) }
        /^      "location": / { located = 1 }
        /^      "pathComponents": \[/ { inPath = 1; next }
        inPath && /^      \]/ { inPath = 0 }
        inPath { gsub(/^ *"|",?$/, ""); if (top == "") top = $0; path = path (path == "" ? "" : ".") $0 }
        /^      "declarationFragments": \[/ { inText = 1; next }
        inText && /^      \]/ { inText = 0 }
        inText && /^          "spelling": / {
            sub(/^          "spelling": "/, ""); sub(/",?$/, "")
            gsub(/\\"/, "\""); gsub(/\\n/, " ")
            text = text $0
        }
        /^    \},?$/ && path != "" {
            gsub(/  +/, " ", text)
            if (located && kind != "extension") print top "\t" path "\t" kind "\t" text
            path = ""
        }
        /^  "relationships": / { exit }' "$@"
}

# The same of one file, which is read once however many rooms hand something of it on.
known() {
    found=$scratch/$(basename "$1")
    [ -f "$found" ] || symbols "$1" >"$found"
    cat "$found"
}

# Prints what `import $1` shows, one declaration a line.
shown() {
    for graph in "$graphs/$1"/*.symbols.json; do known "$graph"; done
    sed -nE 's/^@_exported public import (struct|enum|class|protocol|typealias) ([A-Za-z]+)\.([A-Za-z0-9]+)$/\2 \3/p' \
        "$root"/Sources/*/"$1"/*.swift | while read -r room name; do
        known "$graphs/$room/$room.symbols.json" | awk -F '\t' -v name="$name" '$1 == name'
    done
}

"$root/Scripts/docs.sh" --graphs
{
    echo "What an app sees, room by room. \`make check-api\` holds this file; \`Scripts/api.sh --write\` writes it."
    for room in Thumbturn ThumbturnAccount ThumbturnUI ThumbturnHost ThumbturnPreviews ThumbturnAccountUI ThumbturnAccountPreviews ThumbturnContracts ThumbturnCredentials ThumbturnApple ThumbturnSimulator; do
        shown "$room" | LC_ALL=C sort -u >"$scratch/shown"
        cases=$(awk -F '\t' '$3 == "enum.case"' "$scratch/shown" | wc -l)
        echo "$(($(wc -l <"$scratch/shown") - cases))" >"$scratch/$room.count"
        printf '\n# import %s: %d declarations, %d cases\n\n' "$room" "$(cat "$scratch/$room.count")" "$cases"
        awk -F '\t' '{ print $2 ": " $4 }' "$scratch/shown"
    done
} >"$scratch/api.txt"

[ "${1-}" != --write ] || cp "$scratch/api.txt" "$root/docs/api.txt"
if ! diff -u "$root/docs/api.txt" "$scratch/api.txt"; then
    echo "api: the public API is not what docs/api.txt says; if that is meant: Scripts/api.sh --write" >&2
    exit 1
fi
count=$(cat "$scratch/Thumbturn.count")
echo "api: import Thumbturn shows $count declarations; docs/api.txt says so"
