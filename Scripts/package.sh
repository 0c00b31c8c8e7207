#!/bin/bash
# Makes what is published of a release, in out/: Debian packages of the command and of the service, lists of what is linked, the
# source, the notes, and checksums of all of it. Needs no root, and builds nothing: `Scripts/release.sh` did.
#
# usage: package.sh
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(cat VERSION)
architecture=$(dpkg --print-architecture)
out=$PWD/out
# The source that is published is what is committed, and so the programs have to be.
if git rev-parse --git-dir >/dev/null 2>&1 && [ -n "$(git status --porcelain)" ]; then
    echo 'package: what is here is not what is committed:' >&2
    git status --short >&2
    exit 1
fi
# The same source gives the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"

declare -A summary=(
    [thumbturn]='vault for small secrets that a finger or a PIN opens'
    [thumbturnd]='service of accounts for vaults of Thumbturn'
)
declare -A words=(
    [thumbturn]=$' Keeps mnemonics and other small secrets under one key, which a PIN, a\n fingerprint or a recovery key opens, on the machine\'s TPM 2.0 or in files.\n A copied file opens nothing, and wrong PINs are counted.'
    [thumbturnd]=$' Checks the passwords of accounts (SRP-6a) whose vaults are on the devices of\n their owners, without ever seeing one. It keeps them in SQLite or PostgreSQL.'
)
declare -A section=([thumbturn]=utils [thumbturnd]=net)
declare -A more=([thumbturn]=$'Suggests: fprintd, tpm2-tools\n' [thumbturnd]=$'Suggests: postgresql\n')

# Prints the packages that a program depends on. What it loads when it is used is in no dynamic section, so a library that is linked
# with all of that stands in for it. A library that the program loads anyway (libcrypto) may hold some of it.
dependencies() {
    local file=.build/release/$1 sonames needed functions paths=() soname
    sonames=$(readelf --string-dump=.note.dlopen "$file" 2>/dev/null | grep -o 'lib[a-z0-9-]*\.so\.[0-9]*' || true)
    mkdir -p "$work/debian"
    printf 'Source: thumbturn\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/debian/control"
    cp "$file" "$work/$1"
    set -- "$work/$1"
    if [ -n "$sonames" ]; then
        functions=$(nm "$file" | sed -n 's/.* [bd] lazy_\([A-Z][A-Za-z0-9_]*\|[a-z]*_[a-z_]*\)$/\1/p' | grep -vE '^(answer|note|look)$')
        needed=$(readelf --dynamic --wide "$file" | sed -n 's/.*(NEEDED).*\[\(lib.*\)\]/\1/p')
        for soname in $sonames $needed; do paths+=("$(ldconfig -p | sed -n "s|^\t$soname (.*) => ||p" | head -1)"); done
        {
            for function in $functions; do echo "void $function(void);"; done
            echo 'void *all[] = {'
            for function in $functions; do echo "    $function,"; done
            echo '};'
        } >"$work/lazy.c"
        clang -shared -fPIC -w -o "$work/lazy.so" "$work/lazy.c" -Wl,--no-undefined "${paths[@]}"
        set -- "$@" "$work/lazy.so"
    fi
    (cd "$work" && dpkg-shlibdeps -O "${@/#/-e}" 2>/dev/null) | sed 's/^shlibs:Depends=//'
}

# Everything is readable by all, and as old as the source.
settle() {
    find "$1" -type d -exec chmod 755 {} +
    find "$1" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}

for name in thumbturn thumbturnd; do
    root=$work/root/$name
    documents=$root/usr/share/doc/$name
    Scripts/install.sh "$root" /usr "$name"
    mkdir -p "$documents/licences"
    find "$root/usr/share" -path '*/man/*' -type f -exec gzip -9n {} +

    sed "/^@MIT@$/{
        r /dev/stdin
        d
    }" Packaging/debian/copyright < <(tail -n +3 LICENSE | sed 's/^$/./; s/^/ /') >"$documents/copyright"
    cp "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/share/swift/LICENSE.txt" "$documents/licences/Swift.txt"
    cp /usr/share/doc/gcc-12-base/copyright "$documents/licences/GCC.txt"
    cp "Packaging/debian/README.$name" "$documents/README.Debian"
    gzip -9nc CHANGELOG.md >"$documents/changelog.gz"
    Scripts/spdx.sh "$name" | tee "$out/${name}_${version}_$architecture.spdx.json" >"$documents/$name.spdx.json"

    mkdir "$root/DEBIAN"
    if [ "$name" = thumbturnd ]; then
        install -D -m 644 Packaging/debian/thumbturnd.default "$root/etc/default/thumbturnd"
        echo /etc/default/thumbturnd >"$root/DEBIAN/conffiles"
        for script in postinst prerm postrm; do install -m 755 "Packaging/debian/thumbturnd.$script" "$root/DEBIAN/$script"; done
    fi
    settle "$root"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    # Packed addresses, which the symbols tell nothing of, take this one.
    depends=$(dependencies "$name" | sed 's/libc6 (>= [^)]*)/libc6 (>= 2.36)/')
    # For its user, and for the `kill` that its unit reloads it with.
    [ "$name" != thumbturnd ] || depends+=', passwd, procps'
    cat >"$root/DEBIAN/control" <<CONTROL
Package: $name
Version: $version
Architecture: $architecture
Maintainer: The Thumbturn authors <maintainers@thumbturn.invalid>
Installed-Size: $(du -sk --apparent-size "$root" | cut -f 1)
Depends: $depends
${more[$name]}Section: ${section[$name]}
Priority: optional
Description: ${summary[$name]}
${words[$name]}
CONTROL
    settle "$root/DEBIAN"
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/${name}_${version}_$architecture.deb" >/dev/null
done

# It is in no package, but `make install` puts it beside the command.
Scripts/spdx.sh thumbturn-playground >"$out/thumbturn-playground_${version}_$architecture.spdx.json"

if git rev-parse --git-dir >/dev/null 2>&1; then
    git archive --format=tar --prefix="thumbturn-$version/" HEAD | gzip -9n >"$out/thumbturn-$version.tar.gz"
fi
# The notes are what the changelog says of this version, or of what has none yet.
awk -v version="$version" '
    /^## / { taking = ($2 == version || (!found && $2 == "Unreleased")); if (taking) { found = 1; text = "" } }
    taking { text = text $0 "\n" }
    END { printf "%s", text }' CHANGELOG.md >"$out/NOTES.md"
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
(cd "$out" && ls -l)
