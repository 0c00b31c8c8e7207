#!/bin/bash
# Lists what a released program is made of and what it loads, with versions, as a document of SPDX 2.3 (JSON) on standard output.
#
# usage: spdx.sh PROGRAM      thumbturn, thumbturnd or thumbturn-playground, after `Scripts/release.sh`
#
# What lies in the program is told by its symbols, what it loads by its dynamic section and its notes; the versions are those of
# this toolchain and this Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
file=.build/release/$program
version=$(cat VERSION)
digest=$(sha256sum "$file" | cut -d ' ' -f 1)
created=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)
architecture=$(dpkg --print-architecture)

packages=() relationships=()
# package ID NAME VERSION LICENCE LOCATOR RELATIONSHIP; what ID is to the program: STATIC_LINK, DYNAMIC_LINK, RUNTIME_DEPENDENCY_OF.
package() {
    local reference=
    [ -z "$5" ] || reference=$(printf ',"externalRefs":[{"referenceCategory":"PACKAGE-MANAGER","referenceType":"purl","referenceLocator":"%s"}]' "$5")
    packages+=("$(printf '{"SPDXID":"SPDXRef-%s","name":"%s","versionInfo":"%s","downloadLocation":"NOASSERTION","filesAnalyzed":false,"licenseConcluded":"NOASSERTION","licenseDeclared":"%s","copyrightText":"NOASSERTION"%s}' \
        "$1" "$2" "$3" "$4" "$reference")")
    case $6 in
        *_OF) relationships+=("$(relationship "SPDXRef-$1" "$6" "SPDXRef-$program")") ;;
        *) relationships+=("$(relationship "SPDXRef-$program" "$6" "SPDXRef-$1")") ;;
    esac
}
relationship() { printf '{"spdxElementId":"%s","relationshipType":"%s","relatedSpdxElement":"%s"}' "$@"; }
joined() { local IFS=,; echo "$*"; }

# --- what lies in the program ---

symbols=$(nm --defined-only "$file")
holds() { grep -qE "$1" <<<"$symbols"; }
swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p')
exception='Apache-2.0 WITH Swift-exception'
if holds ' swift_retain$'; then package swift "Swift's standard library" "$swift" "$exception" '' STATIC_LINK; fi
if holds ' dispatch_async$'; then package dispatch libdispatch "$swift" "$exception" '' STATIC_LINK; fi
if holds 'FoundationEssentials'; then package foundation swift-foundation "$swift" "$exception" '' STATIC_LINK; fi
if holds ' u_charsFromWordList|uloc_'; then package icu swift-foundation-icu "$swift" Unicode-3.0 '' STATIC_LINK; fi
gcc=$(dpkg-query -W -f '${Version}\n' 'libstdc++-*-dev' | tail -1)
if holds ' _ZSt9terminatev$'; then package libstdcxx libstdc++ "$gcc" 'GPL-3.0-or-later WITH GCC-exception-3.1' '' STATIC_LINK; fi
if holds ' _Unwind_RaiseException$'; then package libgcc libgcc "$gcc" 'GPL-3.0-or-later WITH GCC-exception-3.1' '' STATIC_LINK; fi

# --- what it loads ---

# The package of Debian that has a library. The loader may know it below /lib, and the package below /usr/lib, or the other way round.
owner() {
    local path found
    path=$(ldconfig -p | sed -n "s|^\t$1 (.*) => ||p" | head -1)
    path=${path:?$1 is not installed}
    for path in "$path" "/usr$path" "${path#/usr}"; do
        if found=$(dpkg-query -S "$path" 2>/dev/null); then
            echo "${found%%:*}"
            return
        fi
    done
    echo "spdx: no package has $1" >&2
    return 1
}
declare -A seen
# library SONAME RELATIONSHIP
library() {
    local name
    name=$(owner "$1")
    [ -z "${seen[$name]:-}" ] || return 0
    seen[$name]=1
    local at
    at=$(dpkg-query -W -f '${Version}' "$name:$architecture" 2>/dev/null || dpkg-query -W -f '${Version}' "$name")
    package "deb-${name//[^A-Za-z0-9.-]/-}" "$name" "$at" NOASSERTION "pkg:deb/debian/$name@$at?arch=$architecture" "$2"
}
for soname in $(readelf --dynamic --wide "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | sort); do
    library "$soname" DYNAMIC_LINK
done
for soname in $(readelf --string-dump=.note.dlopen "$file" 2>/dev/null | grep -o 'lib[a-z0-9-]*\.so\.[0-9]*' | sort); do
    library "$soname" RUNTIME_DEPENDENCY_OF
done

printf '{"spdxVersion":"SPDX-2.3","dataLicense":"CC0-1.0","SPDXID":"SPDXRef-DOCUMENT","name":"%s-%s","documentNamespace":"https://spdx.org/spdxdocs/%s-%s-%s","creationInfo":{"created":"%s","creators":["Tool: Scripts/spdx.sh"]},"packages":[{"SPDXID":"SPDXRef-%s","name":"%s","versionInfo":"%s","downloadLocation":"NOASSERTION","filesAnalyzed":false,"licenseConcluded":"MIT","licenseDeclared":"MIT","copyrightText":"2026 The Thumbturn authors","primaryPackagePurpose":"APPLICATION"},%s],"relationships":[%s,%s]}\n' \
    "$program" "$version" "$program" "$version" "$digest" "$created" "$program" "$program" "$version" "$(joined "${packages[@]}")" \
    "$(relationship SPDXRef-DOCUMENT DESCRIBES "SPDXRef-$program")" "$(joined "${relationships[@]}")"
