#!/bin/sh
# Builds the documentation of the public rooms into .build/docs/Thumbturn.doccarchive, and refuses a link that leads
# nowhere, any other warning of DocC, a public symbol without words, and a sample that does not compile.
#
# usage: docs.sh               exit 1 when anything is refused
#        docs.sh --self-test   plants each mistake, and expects to be told
#        docs.sh --graphs      only extracts the rooms' public symbols into .build/docs/graphs
#
# Symbols come from the rooms that `make check-apple` compiles for iOS 15, since only there all of them exist; the
# samples of each page, the README and docs/ included, are compiled together, as one file, for the same iOS and for macOS
# 12, with the main actor as default isolation and without. A room is converted after those it imports and may link to
# them; so a page of Thumbturn names the symbols of ThumbturnUI and ThumbturnApple as code, and its samples hold them to
# be there.
#
# In a page, `<!-- not compiled: why -->` right above a sample leaves it out, and a sample inside a comment is compiled
# and not shown: it declares what belongs to the reader.
set -eu
if [ "$(uname -s)" != Linux ]; then
    echo "docs: on a Mac, Xcode does it: xcodebuild docbuild -scheme ThumbturnUI -destination generic/platform=iOS"
    exit 0
fi

root=$(cd "$(dirname "$0")/.." && pwd)
sdk=$root/.build/apple-sdk
built=$root/.build/apple-rooms
out=$root/.build/docs
rooms='ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnSimulator ThumbturnCredentials Thumbturn ThumbturnContracts ThumbturnAccount ThumbturnApple ThumbturnUI ThumbturnHost ThumbturnPreviews ThumbturnAccountUI ThumbturnAccountPreviews' # in the order in which they import
targets='arm64-apple-ios15.0 arm64-apple-macosx12.0'
tools=$(dirname "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/../bin

# Where the compiler finds the rooms and the frameworks of a target.
paths() {
    case $1 in *ios*) platform=ios ;; *) platform=macos ;; esac
    echo "-target $1 -sdk $sdk -resource-dir $sdk/resources -module-cache-path $sdk/cache" \
        "-I $sdk/modules -I $sdk/include -I $sdk/include-$platform -I $built/$1"
}

# Prints the public symbols of a symbol graph that have no documentation, as `path:line: name`.
#
# What the compiler makes up stands in no file and is left out, and so is the block of an extension: its members have
# words of their own.
undocumented() {
    awk '
        /^    \{$/ { uri = path = ""; documented = skipped = inPath = located = 0 }
        /^        "identifier": "swift\.extension"/ { skipped = 1 }
        /^      "docComment": / { documented = 1 }
        /^      "pathComponents": \[/ { inPath = 1; next }
        inPath && /^      \]/ { inPath = 0 }
        inPath { gsub(/^ *"|",?$/, ""); path = path (path == "" ? "" : ".") $0 }
        /^      "location": / { located = 1 }
        located && /^        "uri": / { sub(/^.*"uri": "(file:\/\/)?/, ""); sub(/",?$/, ""); uri = $0 }
        located && /^          "line": / { gsub(/[^0-9]/, ""); line = $0 + 1; located = 0 }
        /^    \},?$/ && path != "" {
            count++
            if (!documented && !skipped && uri != "") print uri ":" line ": " path " is public, and has no documentation"
            path = ""
        }
        /^  "relationships": / { exit }
        END { if (!count && !optional) print FILENAME ": no symbol was found" }' optional="$2" "$1"
}

# Writes the samples of a page as one file whose lines are reported as the page's, and prints how many there were.
samples() {
    awk -v page="$1" -v file="$2" '
        /^```swift$/ && !fenced {
            fenced = 1
            skipped = previous ~ /^<!-- not compiled: .* -->$/
            if (!skipped) { count++; printf "#sourceLocation(file: \"%s\", line: %d)\n", page, FNR + 1 >file }
            next
        }
        /^```/ { fenced = !fenced; skipped = 1; previous = $0; next }
        fenced && !skipped { print >file }
        { previous = $0 }
        END { print count + 0 }' "$1"
}

# Compiles file $2 as an app would, with default isolation $3. Code generation is on: misuse of what can't be copied is
# found only after type-checking.
compile() {
    # shellcheck disable=SC2046  # paths without blanks
    swiftc $(paths "$1") -swift-version 6 -warnings-as-errors -parse-as-library -diagnostic-style llvm \
        -default-isolation "$3" -module-name Sample -c -o "$out/sample.o" "$2"
}

# Builds the documentation of the tree at $1, whose catalogues are Sources/DOOR/ROOM/ROOM.docc, and prints what is wrong with it.
#
# $2: the rooms. $3: where the symbol graphs are. $4: the targets to compile the samples for.
faults() {
    dependencies=
    rm -rf "$out/rooms" && mkdir -p "$out/rooms" "$out/samples"
    for room in $2; do
        for graph in "$3/$room"/*.symbols.json; do
            # A room may extend others alone.
            case $(ls "$3/$room") in *@*) undocumented "$graph" 1 ;; *) undocumented "$graph" 0 ;; esac
        done
        catalogue=$(echo "$1"/Sources/*/"$room/$room.docc")
        [ -d "$catalogue" ] || { echo "$catalogue: the room has no page" && continue; }
        # shellcheck disable=SC2086  # words on purpose
        "$docc" convert "$catalogue" --additional-symbol-graph-dir "$3/$room" --output-path "$out/rooms/$room.doccarchive" \
            --fallback-display-name "$room" --fallback-bundle-identifier "$room" --enable-experimental-external-link-support \
            --ide-console-output $dependencies >"$out/log" 2>&1 || cat "$out/log"
        grep -E '(^|: )(error|warning): ' "$out/log" || true
        dependencies="$dependencies --dependency $out/rooms/$room.doccarchive"
    done

    { find "$1/Sources" -path '*.docc/*.md'; find "$1/docs" -name '*.md'; ls "$1/README.md"; } | sort >"$out/pages"
    while read -r page; do
        file=$out/samples/$(basename "$page" .md).swift
        rm -f "$file"
        count=$(samples "$page" "$file")
        [ "$count" -gt 0 ] || continue
        echo "$count" >>"$out/counts"
        for target in $4; do
            for isolation in nonisolated MainActor; do
                compile "$target" "$file" $isolation >"$out/log" 2>&1 && continue
                grep -E '\.md:[0-9].*: error: ' "$out/log" || echo "$page: error: its samples end the compiler: see $file"
            done
        done
    done <"$out/pages"
}

# Extracts the symbol graphs of the rooms that were compiled for $1 into $2.
graphs() {
    for room in $rooms; do
        rm -rf "${2:?}/$room" && mkdir -p "$2/$room"
        # shellcheck disable=SC2046
        "$tools/swift-symbolgraph-extract" $(paths "$1") -module-name "$room" -minimum-access-level public \
            -skip-synthesized-members -emit-extension-block-symbols -pretty-print -output-dir "$2/$room" >"$out/log" 2>&1 || {
            cat "$out/log" >&2
            return 1
        }
    done
}

# Compiles the rooms, unless that was done already.
prepare() {
    docc=$tools/docc
    [ -x "$docc" ] || { echo "docs: there is no docc beside swiftc: $docc" >&2 && exit 3; }
    mkdir -p "$out"
    "$root/Apple/check.sh" >"$out/log" 2>&1 || {
        sed -n '/ FAILED: /,/^check-apple: .*\(compile\|unchanged\|refused\)/p' "$out/log" >&2
        echo "docs: the rooms do not compile: make check-apple" >&2
        exit 1
    }
    graphs arm64-apple-ios15.0 "$out/graphs"
}

build() {
    rm -f "$out/counts"
    found=$(faults "$root" "$rooms" "$out/graphs" "$targets")
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sed "s,^$root/,," | sort -u >&2
        return 1
    fi
    rm -rf "$out/Thumbturn.doccarchive"
    # shellcheck disable=SC2046  # a word for each room
    "$docc" merge $(for room in $rooms; do echo "$out/rooms/$room.doccarchive"; done) \
        --synthesized-landing-page-name Thumbturn --output-path "$out/Thumbturn.doccarchive" >"$out/log" 2>&1
    symbols=$(cat "$out"/graphs/*/*.symbols.json | grep -c '^      "docComment": ')
    echo "docs: $symbols public symbols have words, and none has not; $(wc -l <"$out/pages") pages;" \
        "$(awk '{ sum += $1 } END { print sum }' "$out/counts") samples compile; .build/docs/Thumbturn.doccarchive"
}

# Builds a small package whose one source, one page, README and page under docs/ say what is given as $1, $2, $4 and $5,
# and compares what is said about it with $3.
plant() {
    rm -rf "$out/planted" && mkdir -p "$out/planted/Sources/Some/Small/Small.docc" "$out/planted/docs" "$out/planted/graphs/Small"
    printf '%b' "$1" >"$out/planted/Sources/Some/Small/Small.swift"
    printf '# ``Small``\n\nA small page.\n\n%b' "$2" >"$out/planted/Sources/Some/Small/Small.docc/Small.md"
    printf '%b' "${4-}" >"$out/planted/README.md"
    printf '%b' "${5-}" >"$out/planted/docs/page.md"
    target=arm64-apple-ios15.0
    # shellcheck disable=SC2046
    swiftc $(paths $target) -swift-version 6 -module-name Small -emit-module \
        -emit-module-path "$out/planted/Small.swiftmodule" "$out/planted/Sources/Some/Small/Small.swift" 2>"$out/log"
    # shellcheck disable=SC2046
    "$tools/swift-symbolgraph-extract" $(paths $target) -I "$out/planted" -module-name Small -pretty-print \
        -output-dir "$out/planted/graphs/Small" >"$out/log" 2>&1
    told=$(faults "$out/planted" Small "$out/planted/graphs" "$target" | sed 's/.*\(error\|warning\): //')
    planted=$((planted + 1))
    case $told in
        '') [ -z "$3" ] && return ;;
        *) [ -n "$3" ] && case $told in *"$3"*) return ;; esac ;;
    esac
    wrong=1
    printf 'docs: self-test: for page "%s" expected "%s", told "%s"\n' "$2" "$3" "$told" >&2
}

selfTest() {
    wrong=0 planted=0
    good='/// A box.\npublic struct Box {}\n'
    plant "$good" 'See ``Box``.\n\n```swift\nlet one = 1\n```\n' ''
    plant "$good" 'See ``Crate``.\n' "'Crate' doesn't exist"
    plant "$good" 'See <doc:Elsewhere>.\n' 'Elsewhere'
    plant "$good"'public struct Crate {}\n' '' 'Crate is public, and has no documentation'
    plant "$good"'extension Box {\n    public var lid: Int { 1 }\n}\n' '' 'Box.lid is public, and has no documentation'
    plant "$good"'/// Opens it.\n///\n/// - Parameter way: how.\npublic func open(_ box: Box, _ way: Int) {}\n' '' "'box' is missing"
    plant "$good" '```swift\nlet one: Int = "1"\n```\n' 'cannot convert'
    plant "$good" '' 'cannot convert' '```swift\nlet one: Int = "1"\n```\n'
    plant "$good" '' 'cannot convert' '' '```swift\nlet one: Int = "1"\n```\n'
    plant "$good" '```swift\nfunc one() {}\nlet two: @Sendable () -> Void = { one() }\n```\n' 'main actor'
    plant "$good" '<!--\n```swift\nlet one: Int = "1"\n```\n-->\n' 'cannot convert'
    plant "$good" '<!-- not compiled: planted -->\n```swift\nlet one: Int = "1"\n```\n' ''
    plant "$good" '```\nno Swift at all\n```\n\n```swift\nlet one: Int = "1"\n```\n' 'cannot convert'
    [ $wrong -eq 0 ] && echo "docs: $planted planted packages, each judged as it should be"
    return $wrong
}

case ${1-} in
    --self-test) prepare && selfTest ;;
    --graphs) prepare ;; # into .build/docs/graphs, for api.sh
    '') prepare && build ;;
    *) echo "usage: docs.sh [--self-test|--graphs]" >&2; exit 2 ;;
esac
