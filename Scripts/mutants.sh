#!/bin/sh
# Plants the mistakes of Tests/Workshop/Mutants/mutants.txt in a copy of the tree, and expects the tests to notice each.
#
# usage: mutants.sh              builds and runs all; exit 1 when nobody notices one, or one can't be planted
#        mutants.sh NUMBER…      the same for these alone
#        mutants.sh --build      builds the copy, and no more
#        mutants.sh --check      looks only whether each text that a mutant replaces stands exactly once
#        mutants.sh --self-test  plants in a small tree, and expects to be told
#
# One build holds all: THUMBTURN_MUTANT chooses. The suites that are to notice them must pass without one first. A run that
# takes longer than MUTANT_SECONDS counts as noticed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
table=Tests/Workshop/Mutants/mutants.txt
copy=.build/mutants
limit=${MUTANT_SECONDS:-300}

# For awk: reads the table, and a file. In the table a record's fields are known by their first character.
reading='
    /^#/ { next }
    /^\[[0-9]+\] / { number = substr($1, 2, length($1) - 2); order[++count] = number; file[number] = $2; next }
    /^: / { words[number] = substr($0, 3); next }
    /^- / { old[number, ++pairs[number]] = substr($0, 3); next }
    /^\+ / { new[number, pairs[number]] = substr($0, 3); next }
    /^> / { filter[number] = substr($0, 3); next }
    /^= / { equivalent[number] = substr($0, 3); next }
    /./ { print "not understood: " $0 }
    function contents(path,    text, line) {
        while ((getline line < path) > 0) text = text line "\n"
        close(path)
        return text
    }
    function times(text, part,    found, place) {
        while ((place = index(text, part)) > 0) { found++; text = substr(text, place + length(part)) }
        return found + 0
    }
    function replaced(text, part, put,    place) {
        place = index(text, part)
        return place ? substr(text, 1, place - 1) put substr(text, place + length(part)) : text
    }
    # What stands in the place of a pair: an expression that chooses, or the text as it is.
    function instead(number, pair,    text) {
        text = new[number, pair]
        if (!index(text, "{?}")) text = "({?} ? " text " : {-})"
        while (index(text, "{?}")) text = replaced(text, "{?}", "planted(" number ")")
        while (index(text, "{-}")) text = replaced(text, "{-}", old[number, pair])
        return text
    }
    # A mark that no source has.
    function mark(number, pair) { return "\001" number "." pair "\001" }
'

# Prints what keeps records from being planted in the current folder; nothing when all is well.
faults() {
    awk "$reading"'
        END {
            for (i = 1; i <= count; i++) {
                number = order[i]
                if (seen[number]++) print number ": stands twice in the table"
                if (!pairs[number] || filter[number] == "" || words[number] == "") print number ": is not complete"
                if (!(file[number] in text)) text[file[number]] = contents(file[number])
                for (pair = 1; pair <= pairs[number]; pair++) {
                    if (new[number, pair] == "") print number ": says nothing instead of " old[number, pair]
                    found = times(text[file[number]], old[number, pair])
                    if (found != 1) print number ": stands " found " times in " file[number] ": " old[number, pair]
                }
            }
            # Two may not replace the same text.
            for (i = 1; i <= count; i++) {
                number = order[i]
                for (pair = 1; pair <= pairs[number]; pair++) {
                    if (!index(text[file[number]], old[number, pair])) print number ": its text is another one'"'"'s too"
                    text[file[number]] = replaced(text[file[number]], old[number, pair], mark(number, pair))
                }
            }
        }' "$table"
}

# Writes the files that mutants change below folder $1, with all of them planted; prints the rooms that they are in.
plant() {
    awk -v out="$1" "$reading"'
        END {
            for (i = 1; i <= count; i++) {
                number = order[i]
                path = file[number]
                if (!(path in text)) text[path] = contents(path)
                for (pair = 1; pair <= pairs[number]; pair++)
                    text[path] = replaced(text[path], old[number, pair], mark(number, pair))
            }
            for (i = 1; i <= count; i++) {
                number = order[i]
                for (pair = 1; pair <= pairs[number]; pair++)
                    text[file[number]] = replaced(text[file[number]], mark(number, pair), instead(number, pair))
            }
            for (path in text) {
                printf "%s", text[path] > (out "/" path)
                close(out "/" path)
                split(path, part, "/")
                rooms[part[2] "/" part[3]] = 1
            }
            for (room in rooms) print room
        }' "$table"
}

check() {
    found=$(faults)
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sed 's/^/mutants: /' >&2
        return 1
    fi
    echo "mutants: $(grep -c '^\[' "$table") can be planted"
}

# Brings the copy up to date and builds it. A file that is what it was is left alone, so that little is built again.
build() {
    fresh=$copy.fresh
    rm -rf "$fresh"
    mkdir -p "$fresh" "$copy"
    tar cf - --exclude=./.build --exclude=./.git . | tar xf - -C "$fresh"
    # What a file needs that mutants are planted in.
    for room in $(plant "$fresh"); do cp Tests/Workshop/Mutants/Planted.swift.txt "$fresh/Sources/$room/Planted.swift"; done
    (cd "$fresh" && find . -type f -o -name '*.swift') | sort >"$copy.files"
    (cd "$copy" && find . -path ./.build -prune -o \( -type f -o -name '*.swift' \) -print) | sort | comm -13 "$copy.files" - |
        while read -r gone; do rm "$copy/$gone"; done
    while read -r path; do
        cmp -s "$fresh/$path" "$copy/$path" && continue
        mkdir -p "$(dirname "$copy/$path")"
        cp -p "$fresh/$path" "$copy/$path"
        touch "$copy/$path"
    done <"$copy.files"
    rm -rf "$fresh" "$copy.files"
    (cd "$copy" && swift build --build-tests --quiet)
}

# Runs the suites that match $2 with mutant $1, 0 for none.
run() {
    status=0 seconds=$limit
    [ "$1" -ne 0 ] || seconds=3600 # all the suites at once, and nothing that can hang
    (cd "$copy" && THUMBTURN_MUTANT=$1 MUTANT_SECONDS=$limit SWIFT_BACKTRACE=enable=no timeout $((seconds + 60)) \
        swift test --skip-build --disable-xctest --filter "$2") >"$copy.log" 2>&1 </dev/null || status=$?
    return $status
}

# Prints a field of the records whose numbers are given, or of all, as `number<TAB>field`.
field() {
    awk -v name="$1" -v wanted=" $2 " "$reading"'
        END {
            for (i = 1; i <= count; i++) {
                number = order[i]
                if (wanted != "  " && !index(wanted, " " number " ")) continue
                print number "\t" (name == "filter" ? filter[number] : name == "words" ? words[number] : equivalent[number])
            }
        }' "$table"
}

runAll() {
    field filter "$1" >"$copy.filters"
    if ! run 0 "$(cut -f 2 "$copy.filters" | tr '|' '\n' | sort -u | paste -sd '|' -)"; then
        echo "mutants: the suites fail without any" >&2
        grep -aE 'recorded an issue|: error:' "$copy.log" | cut -c1-300 | head -20 >&2
        return 1
    fi
    noticed=0 same=0 missed=
    while IFS="$(printf '\t')" read -r number suites; do
        words=$(field words "$number" | cut -f 2-)
        why=$(field equivalent "$number" | cut -f 2-)
        status=0
        run "$number" "$suites" || status=$?
        if [ $status -eq 0 ] && ! grep -qaE 'Test run with [1-9][0-9]* tests?.* passed' "$copy.log"; then
            missed="$missed $number" verdict='NO TEST RAN'
        elif [ $status -ne 0 ] && [ -n "$why" ]; then
            missed="$missed $number" verdict='NOTICED, though it is named as equivalent'
        elif [ $status -ne 0 ]; then
            noticed=$((noticed + 1)) verdict="noticed by $(grep -acE 'recorded an issue' "$copy.log" || true) expectations"
            case $verdict in *' 0 '*) verdict='noticed: it ends the run, or the run does not end' ;; esac
        elif [ -n "$why" ]; then
            same=$((same + 1)) verdict="equivalent: $why"
        else
            missed="$missed $number" verdict='NOT NOTICED'
        fi
        printf '%3s  %s: %s\n' "$number" "$words" "$verdict"
    done <"$copy.filters"
    rm -f "$copy.filters"
    echo "mutants: $noticed noticed, $same equivalent, $(echo "$missed" | wc -w) not as they should be:${missed:- none}"
    [ -z "$missed" ]
}

# Holds what is said of a small table, or what is planted by it, against what it should be.
expect() {
    printf '%b' "$1" >"$table"
    told=$(faults)
    [ -n "$told" ] || told=$(plant out >/dev/null && cat out/Sources/D/A/A.swift)
    tried=$((tried + 1))
    [ "$told" = "$2" ] && return
    wrong=1
    printf 'mutants: self-test: for %s expected "%s", told "%s"\n' "$1" "$2" "$told" >&2
}

selfTest() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    cd "$tree"
    mkdir -p Tests/Workshop/Mutants Sources/D/A out/Sources/D/A
    printf 'guard a < b, c else\nlet d = a < b\n' >Sources/D/A/A.swift
    wrong=0 tried=0
    rest='\nlet d = a < b'
    expect '[1] Sources/D/A/A.swift\n: w\n- c else\n+ {-} // {?}\n> T\n' "$(printf "guard a < b, c else // planted(1)$rest")"
    expect '[7] Sources/D/A/A.swift\n: w\n- b, c\n+ x\n> T\n' "$(printf "guard a < (planted(7) ? x : b, c) else$rest")"
    expect '[1] Sources/D/A/A.swift\n: w\n- guard\n+ if {?}\n- let\n+ var {?}\n> T\n' \
        "$(printf 'if planted(1) a < b, c else\nvar planted(1) d = a < b')"
    expect '[1] Sources/D/A/A.swift\n: w\n- a < b\n+ true\n> T\n' '1: stands 2 times in Sources/D/A/A.swift: a < b'
    expect '[1] Sources/D/A/A.swift\n: w\n- gone\n+ true\n> T\n' "1: stands 0 times in Sources/D/A/A.swift: gone
1: its text is another one's too"
    expect '[1] Sources/D/A/A.swift\n- c else\n+ true\n> T\n' '1: is not complete'
    expect '[1] Sources/D/A/A.swift\n: w\n- c else\n> T\n' '1: says nothing instead of c else'
    expect '[1] Sources/D/A/A.swift\n: w\n- c else\n+ x\n> T\n[2] Sources/D/A/A.swift\n: w\n- c el\n+ x\n> T\n' \
        "2: its text is another one's too"
    expect '[1] Sources/D/A/A.swift\n: w\n- c else\n+ x\n> T\nwords\n' 'not understood: words'
    [ $wrong -eq 0 ] && echo "mutants: $tried small tables, each judged as it should be"
    return $wrong
}

case ${1-} in
    --self-test) selfTest ;;
    --check) cd "$here/.." && check ;;
    --build) cd "$here/.." && check && build ;;
    -* | *[!0-9]*) echo "usage: mutants.sh [--check | --build | --self-test | NUMBER…]" >&2; exit 2 ;;
    *) cd "$here/.." && check && build && runAll "$*" ;;
esac
