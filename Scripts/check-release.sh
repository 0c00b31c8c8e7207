#!/bin/sh
# Checks that the released programs start at once and run anywhere: what they need of the system, what of it is loaded only when it
# is used, and that nothing of the machine they were built on is in them.
#
# usage: check-release.sh      after `make release`; exit 1 when a program is not as it should be
set -eu
[ "$(uname -s)" = Linux ] || exit 0
cd "$(dirname "$0")/.."
built=.build/release
failed=0
fail() {
    failed=1
    echo "check-release: $*" >&2
}

# Every library here is loaded at every start. One more costs each command its time, and a package its dependency.
needed_thumbturn='libargon2.so.1 libc.so.6 libcrypto.so.3 libm.so.6 libsodium.so.23 libsqlite3.so.0'
needed_thumbturnd="$needed_thumbturn libpq.so.5 libssl.so.3"
needed_playground="$needed_thumbturn libssl.so.3"
# These are loaded at their first use.
lazy_thumbturn='libcurl.so.4 libssl.so.3 libsystemd.so.0 libtss2-esys.so.0 libtss2-mu.so.0 libtss2-tctildr.so.0'
lazy_thumbturnd=
lazy_playground='libcurl.so.4 libssl.so.3'

sorted() { tr ' ' '\n' | sed '/^$/d' | sort | tr '\n' ' '; }

for program in thumbturn thumbturnd thumbturn-playground; do
    file=$built/$program
    name=${program#thumbturn-}
    dynamic=$(readelf --dynamic --wide "$file")
    eval "expected=\$needed_$name lazy=\$lazy_$name"

    found=$(echo "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | sorted)
    [ "$found" = "$(echo "$expected" | sorted)" ] || fail "$program needs: $found"
    found=$(readelf --string-dump=.note.dlopen "$file" 2>/dev/null | grep -o 'lib[a-z0-9-]*\.so\.[0-9]*' | sorted || true)
    [ "$found" = "$(echo "$lazy" | sorted)" ] || fail "$program may load: $found"

    ! echo "$dynamic" | grep -E 'RPATH|RUNPATH' >&2 || fail "$program looks for libraries in a place of its own"
    echo "$dynamic" | grep -q 'FLAGS_1.*NOW.*PIE' || fail "$program is bound late, or lies at a fixed address"
    # Whoever sets such a variable could plant a bus of his own (A55), or make the next PIN cheap to guess (A4).
    ! grep -qE 'THUMBTURN_TEST_|WeakArgon2' "$file" || fail "$program has what is for tests alone"
    nm "$file" | grep -q ' T main$' || fail "$program has no symbols to look at"
    ! nm --demangle "$file" 2>/dev/null | grep -m 3 -E '\$s17_StringProcessing|\$s12_RegexParser' >&2 \
        || fail "$program has the library of regular expressions"
done

# What a start loads is what the loader says it initialises.
loaded() {
    env -i HOME=/nonexistent LD_DEBUG=files "$built/thumbturn" "$@" 2>&1 >/dev/null | sed -n 's/.*calling init: .*\/\(lib[^/]*\)$/\1/p'
}
for words in help --version 'status --device simulated'; do
    # shellcheck disable=SC2086  # the words are words on purpose
    found=$(loaded $words | grep -v '^ld-linux' || true)
    # A loader that tells nothing has shown nothing.
    case $found in *libc.so.6*) ;; *) fail "what \`thumbturn $words\` loads is not told" ;; esac
    for library in $found; do
        case " $needed_thumbturn " in *" $library "*) ;; *) fail "\`thumbturn $words\` loads $library" ;; esac
    done
done

[ $failed -eq 0 ] && echo "check-release: the three programs need what they should, and load the rest at its first use"
exit $failed
