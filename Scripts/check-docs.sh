#!/bin/sh
# Checks what the pages say against the tree: requirements and attacks against tests, commands, suites, links, the README's size.
#
# usage: check-docs.sh               exit 1 when a page is wrong
#        check-docs.sh --self-test   breaks a small tree in every way, and expects to be told
#
# A row of docs/requirements.md, `| id | requirement | code | test |`, holds when it names code or a test, or is marked
# `planned` in one of those two columns. A path that it names must exist. A row with a test needs one under Tests/ or
# Apple/StandIns/Tests/ whose trait has the id, `.holds("K-02")`, which in JavaScript is a comment; a `planned` row must have
# none, for then it is done. An attack that a page of docs/threat-model calls held needs such a test too. What a trait has
# must be an id of the table, of the attacks, or of the codes of docs/errors.md; and no test's name begins with an id.
# Rows of C (contradictions, settled) are checked like the others, but not counted.
# docs/command.md has a row for each command of the tool, and names each of its options.
# Each suite that a document of docs/ or of a folder there names must be there, as a suite or a file of that name. A link in a
# page must lead to a file of the tree, and where it names a heading, to that. README.md has 12 KB at most.
set -eu
# One requirement's id; those of C are the settled contradictions.
id='C[0-9]+|[KBSV]-[0-9][0-9]|(F|INV|P)-107-[0-9][0-9]|ERR-107-[0-9][0-9][0-9]'
# What tests hold besides: attacks, and codes of errors.
attacks='A[0-9]+|(SRP|SVC)-[0-9]+'
others="$attacks|ERR-[A-Z0-9]+-[0-9]+"
expected='K=10 B=12 S=7 F-107=10 INV-107=10 P-107=9 ERR-107=12 V=5'

# Prints the faults of the tree in the current folder. $1: how many rows each family of ids must have.
faults() {
    [ -f docs/requirements.md ] || { echo "docs/requirements.md is missing"; return; }
    readRows
    readTraits
    countRows "$1"
    checkTraits
    checkAttacks
    checkRows
    checkSuites
    checkCommands
    checkLinks
    [ ! -e README.md ] || [ "$(wc -c <README.md)" -le 12288 ] || echo "README.md: has more than 12 KB"
}

readRows() {
    # One row a line, as `id<TAB>code<TAB>test`, without backticks. `\|` inside a cell is text.
    awk -v id="^($id)\$" '/^\| *[A-Z]/ {
            gsub(/\\\|/, ""); gsub(/`/, "")
            split($0, cell, "|")
            for (i = 2; i <= 5; i++) gsub(/^[ \t]+|[ \t]+$/, "", cell[i])
            if (cell[2] ~ id) printf "%s\t%s\t%s\n", cell[2], cell[4], cell[5]
        }' docs/requirements.md >"$scratch/rows"
}

# Reads every id that a test's trait has, one a line.
readTraits() {
    find Tests Apple/StandIns/Tests \( -name '*.swift' -o -name '*.test.[jt]s' \) -exec cat {} + 2>/dev/null | tr '\n' ' ' |
        grep -oE '\.holds\([^)]*\)' | grep -oE '"[^"]*"' | tr -d '"' | sort -u >"$scratch/named" || true
}

countRows() {
    cut -f 1 "$scratch/rows" | sort | uniq -d | sed 's/$/: has two rows/'
    for family in $1; do
        rows=$(cut -f 1 "$scratch/rows" | sort -u | grep -c "^${family%=*}-[0-9]*\$" || true)
        [ "$rows" -eq "${family#*=}" ] || echo "${family%=*}: $rows rows, expected ${family#*=}"
    done
}

checkTraits() {
    {
        cut -f 1 "$scratch/rows"
        grep -ohE "^\| *($attacks) *\|" docs/threat-model/*.md 2>/dev/null | tr -d '| '
        grep -ohE '^\| *`ERR-[A-Z0-9-]+`' docs/errors.md 2>/dev/null | tr -d '|` '
    } >"$scratch/known"
    grep -vxF -f "$scratch/known" "$scratch/named" | sed 's/$/: a test holds it, and no table has it/' || true
    find Tests Apple/StandIns/Tests -name '*.swift' 2>/dev/null | while read -r file; do
        tr '\n' ' ' <"$file" | grep -oE "(func \`|@(Test|Suite)\( *\")($id|$others)[,: ][^\`\"]*" |
            sed "s,^[^\`\"]*.,$file: a name begins with an id: ," || true
    done
}

checkAttacks() {
    grep -hE '\| *held *\|$' docs/threat-model/*.md 2>/dev/null | grep -oE "^\| *($attacks) *\|" | tr -d '| ' | sort -u |
        grep -vxF -f "$scratch/named" | sed 's/$/: is called held, and no test holds it/' || true
}

checkRows() {
    tab=$(printf '\t')
    # A dash is how a cell says "nothing". `tr` keeps empty cells apart, which `read` would merge at tabs.
    tr "$tab" '|' <"$scratch/rows" | while IFS='|' read -r row code test; do
        case $code in - | – | —) code= ;; esac
        case $test in - | – | —) test= ;; esac
        named=no
        grep -qx "$row" "$scratch/named" && named=yes
        case "$code $test" in
            *planned*) [ $named = no ] || echo "$row: is marked planned, but a test holds it" ;;
            ' ') echo "$row: has neither code nor test, and is not marked planned" ;;
            *) [ -z "$test" ] || [ $named = yes ] || echo "$row: no test under Tests/ holds it" ;;
        esac
        for path in $(echo "$code $test" | grep -oE '[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)+/?' || true); do
            [ -e "$path" ] || echo "$row: $path does not exist"
        done
    done
}

checkSuites() {
    {
        find Tests Apple/StandIns/Tests -name '*Tests.swift' 2>/dev/null | sed 's,.*/,,; s,\.swift$,,'
        grep -rohE 'struct [A-Za-z0-9]+Tests\b' --include='*.swift' Tests Apple/StandIns/Tests 2>/dev/null | sed 's,struct ,,'
    } >"$scratch/suites"
    for document in docs/*.md docs/*/*.md; do
        [ -e "$document" ] || continue
        grep -ohE '`[A-Za-z0-9]+Tests`' "$document" | tr -d '`' | sort -u | grep -vxF -f "$scratch/suites" |
            sed "s,^,$document: there is no suite ,"
    done
}

checkCommands() {
    arguments=Sources/Command/ThumbturnCommand/Arguments
    sed -n 's/.*Self("\(--[a-z-]*\)".*/\1/p' $arguments/Option*.swift 2>/dev/null | sort -u | while read -r option; do
        grep -qE -e "$option([^a-z-]|\$)" docs/command.md || echo "docs/command.md: does not name $option"
    done
    commands=$(sed -n '/Syntax(/ { /($/n; s/^[^"]*"\([a-z -]*\)",.*/\1/p; }' $arguments/CommandTable*.swift 2>/dev/null)
    [ -n "$commands" ] || echo "$arguments: no command stands in CommandTable*.swift"
    echo "$commands" | while read -r group verb; do
        grep -qE "^\|[^|]*\`$group${verb:+[^|]*[ \`]$verb}[^a-z-]" docs/command.md ||
            echo "docs/command.md: has no row for $group${verb:+ $verb}"
    done
}

checkLinks() {
    for page in *.md docs/*.md docs/*/*.md; do
        [ -e "$page" ] || continue
        links "$page" | while read -r link; do
            target=${link%%#*}
            case $target in '') file=$page ;; *) file=$(dirname "$page")/$target ;; esac
            [ -e "$file" ] || { echo "$page: $link leads nowhere" && continue; }
            case $link in *#*) ;; *) continue ;; esac
            headings "$file" | grep -qxF -e "${link#*#}" || echo "$page: $link names no heading"
        done
    done
}

# Prints where the links of a page lead within the tree, one a line; what stands as code is none.
links() {
    sed '/^```/,/^```/d; s/`[^`]*`//g' "$1" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:' || true
}

# Prints the names by which the headings of a page are linked to.
headings() {
    sed '/^```/,/^```/d' "$1" | sed -n 's/^##* //p' | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Builds a tree with one row, one test, the README $4, the rows $5 of attacks and the page $6 of a command, and compares what
# is said about it.
plant() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/docs/threat-model" "$scratch/tree/Tests/Some" "$scratch/tree/Sources/Command/ThumbturnCommand/Arguments"
    touch "$scratch/tree/Sources/Real.swift"
    printf '| id | requirement | code | test |\n|---|---|---|---|\n%b\n' "$1" >"$scratch/tree/docs/requirements.md"
    printf '%b' "${5-| A1 | a |\n| SRP-1 | a |\n| SVC-1 | a |\n}" >"$scratch/tree/docs/threat-model/attacks.md"
    printf '%b' "${6-| \`wallet list [--from FILE]\`, \`show\` | a |\n}" >"$scratch/tree/docs/command.md"
    echo 'static var from: Self { Self("--from") }' >"$scratch/tree/Sources/Command/ThumbturnCommand/Arguments/Option+All.swift"
    printf 'Syntax("%s", text: .a)\nSyntax(\n    "%s",\n' 'wallet list' 'wallet show' \
        >"$scratch/tree/Sources/Command/ThumbturnCommand/Arguments/CommandTable.swift"
    printf '| `ERR-1-2` | a |\n' >"$scratch/tree/docs/errors.md"
    case $2 in //*) suite=some.test.js ;; *) suite=SomeTests.swift ;; esac
    echo "$2" >"$scratch/tree/Tests/Some/$suite"
    printf '%b' "${4-}" >"$scratch/tree/README.md"
    told=$(cd "$scratch/tree" && faults "K=1")
    planted=$((planted + 1))
    [ "$told" = "$3" ] && return
    wrong=1
    printf 'check-docs: self-test: for %s expected "%s", told "%s"\n' "$1" "$3" "$told" >&2
}

selfTest() {
    wrong=0 planted=0
    plant '| K-01 | a | `Sources/Real.swift` | `SomeTests` |' '@Test(.holds("K-01")) func `a`()' ''
    plant '| K-01 | a | planned | |' '@Test(.holds("A1", "SRP-1", "SVC-1", "ERR-1-2"), arguments: [1]) func `SK-01, A10x, A`()' ''
    plant '| K-01 | a | Sources/Real.swift | planned |' '' ''
    plant '| K-01 | a | Sources/Real.swift | — |' '' ''
    plant '| K-01 | a | planned | |\n| C1 | b | Sources/Real.swift | |' '@Test(.holds("C1"))' ''
    plant '| K-01 | a | Sources/Real.swift | Tests/Some/some.test.js |' '// .holds("K-01")' ''
    plant '| K-01 | a | Sources/Real.swift | Tests/Some/some.test.js |' '// K-01' 'K-01: no test under Tests/ holds it'
    plant '| K-01 | a | planned | |' '@Test(.holds("C1"))' 'C1: a test holds it, and no table has it'
    plant '| K-01 | a | | |' '' 'K-01: has neither code nor test, and is not marked planned'
    plant '| K-01 | a | — | - |' '' 'K-01: has neither code nor test, and is not marked planned'
    plant '| K-01 | a | planned | |' '@Test(.holds("A1",
"K-01"))' 'K-01: is marked planned, but a test holds it'
    plant '| K-01 | a | Sources/Gone.swift | |' '' 'K-01: Sources/Gone.swift does not exist'
    plant '| K-01 | a | Sources/Real.swift | SomeTests |' '@Test("of K-01")' 'K-01: no test under Tests/ holds it'
    plant '| K-01 | a | planned | |' '@Test(.holds("K-02", "A2", "SRP-2", "SVC-2", "ERR-1-3"))' 'A2: a test holds it, and no table has it
ERR-1-3: a test holds it, and no table has it
K-02: a test holds it, and no table has it
SRP-2: a test holds it, and no table has it
SVC-2: a test holds it, and no table has it'
    plant '| K-01 | a | planned | |' '@Test(
"A1: a", x) func `K-01, A1: b`()
@Test func `SRP-1: c`()' 'Tests/Some/SomeTests.swift: a name begins with an id: A1: a
Tests/Some/SomeTests.swift: a name begins with an id: K-01, A1: b
Tests/Some/SomeTests.swift: a name begins with an id: SRP-1: c'
    plant '| K-01 | a | planned | |\n| K-01 | a | planned | |' '' 'K-01: has two rows'
    plant '| K-01 | a | Sources/Real.swift | `LostTests` |' '@Test(.holds("K-01"))' 'docs/requirements.md: there is no suite LostTests'
    plant '| B-01 | a | planned | |' '' 'K: 0 rows, expected 1'
    row='| K-01 | a | planned | |'
    plant "$row" '' '' '# One two\n[a](docs/requirements.md) [b](#one-two) [c](https://nowhere) `[d](gone)`\n```\n[e](gone)\n```\n'
    plant "$row" '' 'README.md: docs/gone.md leads nowhere' '[a](docs/gone.md)\n'
    plant "$row" '' 'README.md: #two names no heading' '# One\n[a](#two)\n'
    plant "$row" '' 'README.md: has more than 12 KB' "$(printf '%12289s' x)"
    attacked='| A1 | a | b | `SomeTests` | held |\n| A2 | a | – | | planned |\n| SRP-3 | a | b | `SomeTests` | held |\n'
    plant "$row" '@Test(.holds("A1", "SRP-3"))' '' '' "$attacked"
    plant "$row" '@Test(.holds("A2"))' 'A1: is called held, and no test holds it
SRP-3: is called held, and no test holds it' '' "$attacked"
    plant "$row" '' 'docs/threat-model/attacks.md: there is no suite LostTests' '' '| A1 | a | b | `LostTests` | planned |\n'
    plant "$row" '' 'docs/threat-model/attacks.md: command.md leads nowhere' '' '[a](../command.md) [b](command.md)\n'
    plant "$row" '' 'docs/command.md: does not name --from' '' '' '| `wallet list`, `show` | --from-here |\n'
    plant "$row" '' 'docs/command.md: has no row for wallet show' '' '' '| `wallet list` | --from, show |\n'
    [ $wrong -eq 0 ] && echo "check-docs: $planted planted tables, each judged as it should be"
    return $wrong
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case ${1-} in
    --self-test) selfTest ;;
    '')
        cd "$(dirname "$0")/.."
        found=$(faults "$expected")
        if [ -n "$found" ]; then
            printf '%s\n' "$found" | sed 's/^/check-docs: /' >&2
            exit 1
        fi
        echo "check-docs: $(wc -l <"$scratch/rows") rows hold, $(grep -c planned "$scratch/rows" || true) of them planned"
        ;;
    *) echo "usage: check-docs.sh [--self-test]" >&2; exit 2 ;;
esac
