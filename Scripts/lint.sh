#!/bin/sh
# The project's own rules, those that neither the compiler nor `swift format lint` knows.
#
# usage: lint.sh               checks Sources; exit 1 when a rule is broken
#        lint.sh --self-test   breaks every rule on purpose, one planted file each, and expects to be told
#
# Each rule is a function that prints the offending lines as `path:line: text`. It sees code only: `code` strips comments.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
libraryRooms='Sources/Library Sources/Devices Sources/Screens Sources/Account Sources/Service/ThumbturnHTTP Sources/Service/ThumbturnService'

# What each room may import. A room without a row is refused; `*` is a room that only wires or tests.
rows='
ThumbturnRules
ThumbturnJSON
ThumbturnFiles    CSystem Glibc Android Darwin
ThumbturnCrypto   ThumbturnRules CArgon2 COpenSSL CSodium Clibsodium CommonCrypto CryptoKit Glibc Android Darwin
ThumbturnDevice   ThumbturnRules ThumbturnCrypto Glibc Darwin
ThumbturnSimulator ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnFiles Glibc Darwin
ThumbturnSQLite   CSQLite ThumbturnFiles Glibc Android Darwin
ThumbturnAudit    ThumbturnRules ThumbturnCrypto ThumbturnJSON
ThumbturnBase     ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnFiles ThumbturnSQLite Glibc Android Darwin
Thumbturn         ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnFiles ThumbturnSQLite ThumbturnBase ThumbturnAudit Glibc Android Darwin
ThumbturnContracts ThumbturnRules ThumbturnCrypto ThumbturnDevice Thumbturn
ThumbturnCredentials ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnFiles ThumbturnSQLite ThumbturnBase Observation Combine
ThumbturnApple    ThumbturnRules ThumbturnCrypto ThumbturnDevice Security LocalAuthentication CryptoKit Foundation Dispatch Darwin UIKit AppKit
ThumbturnLinux    ThumbturnRules ThumbturnCrypto ThumbturnDevice ThumbturnFiles CSDBus CTSS2 Glibc
ThumbturnHTTP     ThumbturnFiles ThumbturnJSON CTLS Glibc Synchronization
ThumbturnService  ThumbturnRules ThumbturnCrypto ThumbturnAudit ThumbturnFiles ThumbturnHTTP ThumbturnJSON ThumbturnSQLite CPKCS11 CPostgres Glibc Synchronization
ThumbturnAccount  ThumbturnRules ThumbturnCrypto ThumbturnJSON ThumbturnDevice ThumbturnAudit Thumbturn ThumbturnContracts
ThumbturnTransport ThumbturnAccount ThumbturnCrypto ThumbturnFiles ThumbturnRules CCurl Security Glibc Synchronization
ThumbturnAccountUI ThumbturnRules ThumbturnCrypto ThumbturnJSON ThumbturnDevice Thumbturn ThumbturnAccount ThumbturnUI ThumbturnScreenJSON SwiftUI Foundation
ThumbturnUI       ThumbturnRules ThumbturnCrypto ThumbturnDevice Thumbturn Observation Combine SwiftUI Foundation UIKit AppKit
ThumbturnScreenJSON ThumbturnJSON ThumbturnRules
ThumbturnBridge   ThumbturnRules ThumbturnJSON ThumbturnFiles ThumbturnCrypto ThumbturnDevice ThumbturnHost CBridge
ThumbturnHost     ThumbturnRules ThumbturnJSON ThumbturnCrypto ThumbturnDevice Thumbturn ThumbturnCredentials ThumbturnUI ThumbturnScreenJSON
ThumbturnAccountPreviews ThumbturnRules ThumbturnAccount ThumbturnAccountUI ThumbturnPreviews SwiftUI Foundation
ThumbturnPreviews ThumbturnRules ThumbturnCrypto ThumbturnDevice Thumbturn ThumbturnSimulator ThumbturnUI SwiftUI Foundation
ThumbturnConsole  ThumbturnRules ThumbturnCrypto ThumbturnFiles ThumbturnJSON CSystem Glibc Darwin
ThumbturnBench    *
ThumbturnPlayground *
ThumbturnDaemon   *
ThumbturnCommand  *
ThumbturnTestKit  *
WriteStrings      ThumbturnRules Foundation
'

# The one file of a library room that may import Foundation: `Codable` has no other coder.
coder=Sources/Library/ThumbturnCredentials/CredentialCoding+JSON.swift
# And the one that carries requests on Apple's systems, where URLSession is Foundation's.
carrier=Sources/Account/ThumbturnTransport/Transfer+URLSession.swift

# Prints every line of code under the given folders as `path:line: text`, without comments and blank lines.
code() {
    for folder in "$@"; do [ ! -d "$folder" ] || find "$folder" -name '*.swift'; done | sort | xargs -r awk '
        { text = $0; sub(/^[ \t]*\/\/.*/, "", text); sub(/[ \t]\/\/.*/, "", text) }
        text ~ /[^ \t]/ { print FILENAME ":" FNR ": " text }'
}

# Prints the lines of code under the folders (from the second argument on) that match an extended regular expression.
matches() {
    pattern=$1
    shift
    code "$@" | grep -E "^[^:]+:[0-9]+:.*($pattern)" || true
}

# Prints the lines of all files but the first of the listing: what is left over when one file is allowed.
allButFirstFile() { awk -F : 'NR == 1 { first = $1 } $1 != first'; }

# --- the rules ----------------------------------------------------------------------------------------------------

doors='Library Devices Screens Account Service Command Workshop System'
doors_says="Sources has a folder for each door ($doors), and nothing beside them"
doors() {
    for entry in Sources/*; do
        case " $doors " in *" ${entry#Sources/} "*) [ ! -f "$entry" ] || echo "$entry" ;; *) [ ! -e "$entry" ] || echo "$entry" ;; esac
    done
}

imports_says="a room imports only what its row in Scripts/lint.sh names, and of Foundation nothing but in $coder, $carrier and Apple's room"
imports() {
    code Sources | awk -v rows="$rows" -v coder="$coder" -v carrier="$carrier" '
        BEGIN {
            count = split(rows, line, "\n")
            for (i = 1; i <= count; i++) {
                words = split(line[i], word, " ")
                if (words > 0) { known[word[1]] = 1; for (j = 2; j <= words; j++) allowed[word[1], word[j]] = 1 }
            }
        }
        {
            match($0, /:[0-9]+:/)
            path = substr($0, 1, RSTART - 1)
            text = substr($0, RSTART + RLENGTH)
            split(path, folder, "/")
            room = folder[3]
            while (sub(/^[ \t]*@[A-Za-z_]+(\([^)]*\))?[ \t]+/, "", text)) {}
            sub(/^[ \t]*((public|package|internal|fileprivate|private)[ \t]+)?/, "", text)
        }
        text !~ /^import[ \t]/ { next }
        {
            sub(/^import[ \t]+((struct|class|enum|protocol|typealias|func|var|let|actor)[ \t]+)?/, "", text)
            match(text, /^[A-Za-z0-9_]+/)
            module = substr(text, 1, RLENGTH)
        }
        module ~ /^Foundation/ && room ~ /^Thumbturn(Command|Bench|Playground)$/ { print; next }
        path == carrier && module == "Foundation" { next }
        path == coder && module ~ /^Foundation(Essentials)?$/ { next }
        !known[room] || !((room, "*") in allowed || (room, module) in allowed)'
}

proofDoor_says='UnlockProof is made in one file of Sources/Library/Thumbturn; only that file opens @_spi(OpenedEnvelope)'
proofDoor() {
    matches '@_spi\(OpenedEnvelope\)' Sources | grep -vE '^Sources/Library/(Thumbturn|ThumbturnRules)/' || true
    matches '@_spi\(OpenedEnvelope\)' Sources/Library/Thumbturn | allButFirstFile
    matches '@_spi\(OpenedEnvelope\)' Sources/Library/ThumbturnRules | allButFirstFile
}

tokenDoor_says='a ServerSession, which holds a token, is made in VerifiedAnswer.swift alone, right after M2 verified; only it opens @_spi(VerifiedServer)'
tokenDoor() {
    matches '@_spi\(VerifiedServer\)' Sources \
        | grep -vE '^Sources/(Account/ThumbturnAccount/VerifiedAnswer|Library/ThumbturnCrypto/SRP/ServerSession)\.swift:' || true
    matches '[^A-Za-z0-9_](ServerSession|SRPClientSession)\(|\.confirm\(' $libraryRooms \
        | grep -vE '^Sources/(Account/ThumbturnAccount/VerifiedAnswer|Library/ThumbturnCrypto/SRP/SRPClientHandshake)\.swift:' || true
}

weakParameters_says='@_spi(InsecureTestParameters) is declared in ThumbturnCrypto and used by tests, never by a product'
weakParameters() {
    door='@_spi\(InsecureTestParameters\)'
    matches "$door" Sources | grep -vE '^Sources/(Library/ThumbturnCrypto|Workshop/ThumbturnTestKit)/' || true
    matches "$door.*import " Sources/Library/ThumbturnCrypto
}

ownerPrompt_says='evaluatePolicy has one place, OwnerContext.swift, which drops its boolean: nothing may be decided by it'
ownerPrompt() {
    matches 'evaluate(Policy|AccessControl)\(' Sources | grep -v '^Sources/Devices/ThumbturnApple/OwnerContext\.swift:' || true
    matches 'evaluatePolicy\(.*\{ *[A-Za-z]+ *,' Sources/Devices/ThumbturnApple
}

secItem_says='SecItem has one place, Keychain.swift, which names the access group: a query without one deletes in all of them'
secItem() { matches 'SecItem(Add|CopyMatching|Update|Delete)' Sources | grep -v '^Sources/Devices/ThumbturnApple/Keychain\.swift:' || true; }

output_says='a library room does not print: a secret on the console is a secret in a log'
output() { matches '[^A-Za-z0-9_.](print|debugPrint|dump)\(' $libraryRooms; }

tooNew_says='this name needs iOS 26 and macOS 26; the floors are iOS 15 and macOS 12'
tooNew() { matches '\.utf8\.span|UTF8Span|InlineArray|\[[0-9]+ of ' $libraryRooms; }

timing_says='compare tags, MACs and proofs in constant time, not with == or !='
timing() {
    secret='[A-Za-z0-9]*([tT]ag|[mM]ac|MAC|[pP]roof|M[12])s?'
    {
        matches "[^A-Za-z0-9]$secret [!=]= " $libraryRooms
        matches " [!=]= ([a-z][A-Za-z0-9]*\.)*$secret(\$|[^A-Za-z0-9_.(])" $libraryRooms
        matches "[^A-Za-z0-9]$secret[?!]*\\.elementsEqual\\(|\\.elementsEqual\\(([a-z][A-Za-z0-9]*\\.)*$secret\\)" $libraryRooms
    } | grep -vE ' [!=]= nil' | sort -u || true
}

pins_says='name each package by a revision that Scripts/pins.txt has the checksums of: a tag can be moved'
pins() {
    [ -e Package.swift ] || return 0
    grep -nE '^[^/]*\.package\(|^[^/]*url: *"' Package.swift | while IFS= read -r line; do
        revision=$(printf '%s\n' "$line" | sed -nE 's/.*url: *"[^"]*", *revision: *"([0-9a-f]{40})".*/\1/p')
        [ -n "$revision" ] && grep -q "$revision" "$here/pins.txt" || printf 'Package.swift:%s\n' "$line"
    done
}

powers_says='raise secrets by BN_mod_exp_mont_consttime alone: the time of the others tells the base or the exponent'
powers() { matches 'BN_mod_exp' Sources | grep -vE 'BN_mod_exp_mont_consttime\(' || true; }

embedded_says='the rules are also built as Embedded Swift: no existential (any P) and no dynamic cast'
embedded() { matches '[^A-Za-z0-9_](any [A-Z]|as[?!] )' Sources/Library/ThumbturnRules; }

unchecked_says='nonisolated(unsafe) needs a comment right above it, or above a run of them, that says why no race is possible'
unchecked() {
    find Sources -name '*.swift' | sort | xargs -r awk '
        FNR == 1 { explained = 0 }
        /^[ \t]*\/\// { explained = 1; next }
        !/nonisolated\(unsafe\)/ { explained = 0; next }
        !explained { print FILENAME ":" FNR ": " $0 }'
}

traps_says='no fatalError and no try! outside the test kit: throw a typed error, or use precondition for our own bug'
traps() { matches '[^A-Za-z0-9_](fatalError\(|try!)' Sources | grep -v '^Sources/Workshop/ThumbturnTestKit/' || true; }

android_says='no room but ThumbturnBridge knows Android: another imports its C library in place of Glibc, and decides nothing by it'
android() {
    matches '(os|(#if|[&|!]) *canImport)\(Android\)|canImport\(Android\) *[&|]|JNIEnv|JavaVM' Sources \
        | grep -v '^Sources/Screens/ThumbturnBridge/' || true
}

guests_says='the core of Thumbturn names no feature, and no feature names another: Features/Guests.swift registers what the core calls'
guests() { code Sources/Library/Thumbturn | awk -f "$here/lint-names.awk" -f "$here/lint-guests.awk"; }

circle_says='within a room no files name types in a circle, nor functions in the core of Thumbturn: what is named stands below what names it'
circle() {
    {
        code Sources | awk -v by=file -f "$here/lint-names.awk" -f "$here/lint-circle.awk"
        code Sources/Library/Thumbturn/Core Sources/Library/Thumbturn/State \
            | awk -v by=file -v functions=1 -f "$here/lint-names.awk" -f "$here/lint-circle.awk"
    } | sort -u
}

folderCircle_says='within a room no folders name types in a circle: what is named stands below what names it'
folderCircle() { code Sources | awk -v by=folder -f "$here/lint-names.awk" -f "$here/lint-circle.awk" | sort; }

rules='doors imports proofDoor tokenDoor weakParameters ownerPrompt secItem output tooNew timing pins powers embedded unchecked traps android guests circle folderCircle'

# --- running them -------------------------------------------------------------------------------------------------

# Checks the tree in the current folder.
check() {
    broken=0
    for rule in $rules; do
        found=$("$rule")
        [ -n "$found" ] || continue
        broken=1
        eval "message=\$${rule}_says"
        printf 'lint: %s: %s\n' "$rule" "$message"
        printf '%s\n' "$found" | sed 's/^/    /'
    done >&2
    return $broken
}

# Plants the rows of Scripts/lint-planted.txt one by one, and says which were judged wrongly.
selfTest() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    wrong=0 planted=0 seen=
    while IFS='|' read -r rule path text; do
        case $rule in '' | '#'*) continue ;; esac
        rm -rf "$tree/Sources" "$tree/Package.swift"
        rest=$text # `%%` parts the texts of several files
        for file in $path; do
            mkdir -p "$tree/$(dirname "$file")"
            printf '%b\n' "${rest%%%%*}" >"$tree/$file"
            case $rest in *%%*) rest=${rest#*%%} ;; esac
        done
        told=$(cd "$tree" && { check 2>&1 || true; } | sed -n 's/^lint: \([A-Za-z]*\):.*/\1/p' | tr '\n' ' ')
        told=${told% }
        planted=$((planted + 1)) seen="$seen $rule "
        [ "$told" = "${rule#clean}" ] && continue
        wrong=1
        printf 'lint: self-test: expected "%s", told "%s" for %s: %s\n' "$rule" "$told" "$path" "$text" >&2
    done <"$here/lint-planted.txt"
    for rule in $rules; do
        case $seen in *" $rule "*) continue ;; esac
        wrong=1
        echo "lint: self-test: nothing planted for $rule" >&2
    done
    [ $wrong -eq 0 ] && echo "lint: $planted planted files, each judged as it should be"
    return $wrong
}

case ${1-} in
    --self-test) selfTest ;;
    '') cd "$here/.." && check && echo "lint: $(echo "$rules" | wc -w) rules hold" ;;
    *) echo "usage: lint.sh [--self-test]" >&2; exit 2 ;;
esac
